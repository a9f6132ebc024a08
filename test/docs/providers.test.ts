// Which words of the language say the authentication of the providers of a foreign catalogue: test/docs/providers.json,
// and docs/authentication.md, whose tables are counted from it.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findingsOf } from '../fixtures/method-manifest.ts'

interface Providers {
  readonly words: Readonly<Record<string, string>>
  readonly missing: Readonly<Record<string, string>>
  /** By mode, by the words that say it: names with blanks between them. */
  readonly providers: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly unsaid: Readonly<Record<string, { readonly mode: string; readonly reason: string }>>
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8')) as unknown
const { words, missing, providers, unsaid } = read('test/docs/providers.json') as Providers
const schema = read('schemas/manifest.schema.json')

const said = Object.entries(providers).flatMap(([mode, rows]) =>
  Object.entries(rows).flatMap(([by, names]) =>
    names.split(' ').map((name) => ({ name, mode, by: by.split(' + ') })),
  ),
)
const unsaidRows = Object.entries(unsaid).map(([name, { mode }]) => ({ name, mode, by: null }))
const all = [...said, ...unsaidRows]

function at(pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], schema)
}

test('each of the 981 providers is there once', () => {
  expect([all.length, new Set(all.map(({ name }) => name)).size]).toEqual([981, 981])
})

test('each word is one of the schema, or said to be missing, and each one is used', () => {
  expect(Object.entries(words).filter(([, pointer]) => at(pointer) === undefined)).toEqual([])
  const used = new Set(said.flatMap(({ by }) => by))
  expect([...used].toSorted()).toEqual([...Object.keys(words), ...Object.keys(missing)].toSorted())
})

test('a word that is said to be missing is not in the schema', () => {
  const text = JSON.stringify(schema)
  const values = Object.keys(missing).map((word) => word.split(': ').at(-1) ?? word)
  expect(values.filter((value) => text.includes(`"${value}"`))).toEqual([])
})

test('the page counts them', () => {
  const page = readFileSync('docs/authentication.md', 'utf8')
  const cannot = all.filter(({ by }) => by === null || by.some((word) => word in missing))
  const rows = [
    ...countBy(all.map(({ mode }) => mode)).map(([mode, count]) => {
      const open = cannot.filter((each) => each.mode === mode).length
      return `| ${mode} | ${count} | ${count - open} | ${open} |`
    }),
    `| **all** | ${all.length} | ${all.length - cannot.length} | ${cannot.length} |`,
    ...countBy(said.flatMap(({ by }) => by)).map(
      ([word, count]) => `| \`${word}\` | ${count} | ${word in missing ? 'missing: ' : ''}`,
    ),
  ]
  const found = page.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
  expect(rows.filter((row) => !found.some((line) => line.startsWith(row)))).toEqual([])
  for (const name of Object.keys(unsaid)) expect(page).toContain(`\`${name}\``)
})

function countBy(values: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
}

const SECRET = { type: 'string', writeOnly: true }
const THINGS = { record: { properties: { id: { type: 'string' } } } }
const NOT_PAGED = {
  response: { records: '$.things' },
  pagination: { type: 'none', reason: 'there are few' },
}

/** `prefix`: of a credential that tells two methods apart. */
function signedConsent(authorize: object, prefix = ''): object {
  return {
    credentials: {
      required: ['access_token', 'token_secret', ...(prefix === '' ? [] : [`${prefix}id`])],
      properties: {
        access_token: SECRET,
        token_secret: SECRET,
        ...(prefix !== '' && { [`${prefix}id`]: { type: 'string' } }),
      },
    },
    apply: {
      oauth1: {
        consumer_key: '{{ client.id }}',
        consumer_secret: '{{ client.secret }}',
        token: '{{ credentials.access_token }}',
        token_secret: '{{ credentials.token_secret }}',
        ...(prefix !== '' && { realm: `{{ credentials.${prefix}id }}` }),
      },
    },
    oauth1: {
      request_token: {
        url: 'https://acme.example/oauth/request_token',
        params: { x_auth_access_type: 'read' },
      },
      authorize: { url: 'https://acme.example/oauth/authorize', ...authorize },
      access_token: { url: 'https://acme.example/oauth/access_token', method: 'GET' },
      ...(prefix !== '' && { store: { [`credentials.${prefix}id`]: `$.${prefix}id` } }),
    },
  }
}

/** The odd ones of them, as methods that load without a finding. */
test.for([
  {
    name: 'a token in the path of every call',
    auth: { token: { apply: 'none' } },
    more: {
      server: { url: 'https://api.acme.example/bot{{ config.token }}' },
      config: { required: ['token'], properties: { token: SECRET } },
    },
  },
  {
    name: 'a key in the body of every call',
    auth: { key: { apply: 'none' } },
    more: {
      config: { required: ['key'], properties: { key: SECRET } },
      entities: {
        things: {
          ...THINGS,
          actions: {
            list: {
              ...NOT_PAGED,
              request: { http: 'POST /things', body: { key: '{{ config.key }}' } },
            },
          },
        },
      },
    },
  },
  {
    name: 'a digest of nonce, time and secret, in base64 of its hex (WSSE)',
    auth: {
      wsse: {
        credentials: {
          required: ['user', 'secret'],
          properties: { user: { type: 'string' }, secret: SECRET },
        },
        apply: {
          sign: {
            alg: 'sha1',
            timestamp: 'iso_s',
            of: '{{ request.nonce }}{{ request.timestamp }}{{ credentials.secret }}',
            headers: {
              'X-WSSE':
                'UsernameToken Username="{{ credentials.user }}", PasswordDigest="{{ base64 signature }}", Nonce="{{ request.nonce }}", Created="{{ request.timestamp }}"',
            },
          },
        },
      },
    },
  },
  {
    name: 'a signature in the place of the password',
    auth: {
      signed: {
        credentials: {
          required: ['key', 'secret'],
          properties: { key: { type: 'string' }, secret: SECRET },
        },
        apply: {
          sign: {
            alg: 'hmac_sha1',
            key: '{{ credentials.secret }}',
            timestamp: 'http',
            of: '{{ request.timestamp }}\n{{ request.method }}\n{{ lower request.host }}\n{{ request.path }}\n{{ request.sorted_query }}',
            headers: {
              Date: '{{ request.timestamp }}',
              Authorization: "Basic {{ base64 (concat credentials.key ':' signature) }}",
            },
          },
        },
      },
    },
  },
  {
    name: 'a message signature of RFC 9421',
    auth: {
      signed: {
        credentials: {
          required: ['key_id', 'key'],
          properties: { key_id: { type: 'string' }, key: SECRET },
        },
        apply: {
          sign: {
            alg: 'ed25519',
            key: '{{ credentials.key }}',
            encoding: 'base64',
            body_hash: { alg: 'sha256', encoding: 'base64' },
            of: '"@method": {{ request.method }}\n"@target-uri": {{ request.url }}\n"content-digest": {{ request.headers.content-digest }}\n"@signature-params": ("@method" "@target-uri" "content-digest");created={{ request.timestamp }};keyid="{{ credentials.key_id }}"',
            headers: {
              'Content-Digest': 'sha-256=:{{ request.body_hash }}:',
              'Signature-Input':
                'sig=("@method" "@target-uri" "content-digest");created={{ request.timestamp }};keyid="{{ credentials.key_id }}"',
              Signature: 'sig=:{{ signature }}:',
            },
          },
        },
      },
    },
  },
  {
    name: 'a login that is signed, whose answer is the token, and signed calls',
    auth: {
      signed: {
        credentials: {
          required: ['app', 'secret'],
          properties: { app: { type: 'string' }, secret: SECRET },
        },
        session: {
          request: {
            http: 'GET /auth',
            headers: {
              'x-app-id': '{{ credentials.app }}',
              'x-req-id': "{{ date (now) 'epoch_ms' }}",
              'x-date': "{{ date (now) 'yyyy-MM-ddTHH:mm:ss' }}",
              'x-sig':
                "{{ hash_sha256 (base64 (concat (date (now) 'epoch_ms') credentials.app (date (now) 'yyyy-MM-ddTHH:mm:ss') credentials.secret)) }}",
            },
          },
          decode: 'text',
          store: { 'session.token': '$' },
          ttl: '1h',
        },
        apply: {
          headers: { 'x-token': '{{ session.token }}' },
          sign: {
            alg: 'sha256',
            timestamp: 'iso_s',
            nonce: 'uuid',
            of: '{{ base64 (concat request.nonce credentials.app request.timestamp request.path credentials.secret) }}',
            headers: {
              'x-req-id': '{{ request.nonce }}',
              'x-date': '{{ request.timestamp }}',
              'x-sig': '{{ signature }}',
            },
          },
        },
      },
    },
  },
  {
    name: 'a consent of OAuth 1.0a, and of one that reads the address on its page',
    auth: { three_legged: signedConsent({}), older: signedConsent({ callback: 'page' }, 'user_') },
  },
  {
    name: 'a key that holds id and secret, and a token of its own scheme',
    auth: {
      key: {
        credentials: { required: ['key'], properties: { key: SECRET } },
        jwt: {
          alg: 'HS256',
          key: "{{ last (split credentials.key ':') }}",
          key_encoding: 'hex',
          header: { kid: "{{ first (split credentials.key ':') }}" },
          claims: { aud: '/admin/' },
          ttl: '5m',
        },
        apply: { headers: { Authorization: 'Ghost {{ jwt }}' } },
      },
    },
  },
])('$name can be said', ({ auth, more = {} }) => {
  expect(findingsOf(auth, more)).toEqual([])
})
