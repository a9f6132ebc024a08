// A third party that repeats what it was sent: no error shows a token, a signature or a cookie that was made for the call.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import { isConnectorError } from '../../../src/errors.ts'
import { methodManifest } from '../../fixtures/method-manifest.ts'

const SECRET = { type: 'string', writeOnly: true }
const COOKIES = ['sid=abcdefghij12345; Path=/; Secure', 'csrf=zzzzyyyyxxxx']

/** Refuses every request and repeats all of it, each part apart from its name; its login sets cookies. */
async function echoing(): Promise<AsyncDisposable & { url: string; seen: string[] }> {
  const seen: string[] = []
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url === '/login')
      return void response.writeHead(204, { 'set-cookie': COOKIES }).end()
    const {
      authorization = '',
      cookie = '',
      'x-signed': signed = '',
      'x-token': token = '',
    } = request.headers
    const query = [...new URL(request.url ?? '', 'http://x').searchParams.values()]
    const header = [authorization.replace(/^\w+ /, ''), cookie, signed, token]
      .flatMap((text) => String(text).split(/[\s,;"]+|=(?!=*$)/))
      .map((text) => decodeURIComponent(text))
    const parts = [...header, ...query].filter(({ length }) => length > 8)
    seen.push(...parts)
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ said: parts.join(' and ') }))
  }
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const credentials = { required: ['key'], properties: { key: SECRET } }
const jwt = { alg: 'HS256', key: '{{ credentials.key }}', claims: { iss: 'acme' } }
test.for<{ name: string; method: object }>([
  { name: 'a token of a block jwt', method: { credentials, jwt, apply: { bearer: '{{ jwt }}' } } },
  {
    name: 'one in a header of its own',
    method: { credentials, jwt, apply: { headers: { 'X-Token': '{{ jwt }}' } } },
  },
  { name: 'one in the query', method: { credentials, jwt, apply: { query: { t: '{{ jwt }}' } } } },
  {
    name: 'a signature in a header',
    method: {
      credentials,
      apply: {
        sign: {
          alg: 'hmac_sha256',
          key: '{{ credentials.key }}',
          of: '{{ request.method }}{{ request.nonce }}',
          encoding: 'base64',
          headers: { 'X-Signed': 'n="{{ request.nonce }}", s="{{ signature }}"' },
        },
      },
    },
  },
  {
    name: 'a signature in the query',
    method: {
      credentials,
      apply: {
        sign: {
          alg: 'hmac_sha512',
          key: '{{ credentials.key }}',
          of: '{{ request.path }}',
          encoding: 'base64',
          query: { sig: '{{ signature }}' },
        },
      },
    },
  },
  {
    name: 'a signature of OAuth 1.0a',
    method: {
      credentials,
      apply: {
        oauth1: {
          consumer_key: '{{ credentials.key }}',
          consumer_secret: '{{ credentials.key }}',
          alg: 'hmac_sha1',
        },
      },
    },
  },
  {
    name: 'cookies of a login',
    method: {
      credentials,
      session: {
        request: { http: 'POST /login', form: { key: '{{ credentials.key }}' } },
        store: { 'session.cookies': '$cookies' },
      },
      apply: { headers: { Cookie: '{{ session.cookies }}' } },
    },
  },
])('$name', async ({ method }) => {
  await using vendor = await echoing()
  const manifest = methodManifest(
    { key: method },
    { defaults: { error_body: { message: '{{ response.body.said }}' } } },
  )
  await using client = await connect(manifest, {
    credentials: { key: 'key-of-the-canary' },
    serverUrl: vendor.url,
    allowHosts: ['127.0.0.1'],
    retries: 0,
  })
  const error: unknown = await client.execute('things', 'list').catch((cause: unknown) => cause)
  if (!isConnectorError(error)) throw error
  expect(error.code).toBe('upstream_rejected')
  const shown = JSON.stringify([error.message, error.upstream, error.errors, error.details])
  expect(shown).toContain('[secret]')
  const secrets = vendor.seen.filter(
    (text) => text.length >= 12 && !/^(oauth_|HMAC|1\.0|\d+$)/.test(text),
  )
  expect(secrets.length).toBeGreaterThan(0)
  for (const text of secrets) expect(shown).not.toContain(text)
})

test('lint refuses a header that names another algorithm than the block', () => {
  const method = {
    credentials,
    jwt: { ...jwt, header: { alg: 'none' } },
    apply: { bearer: '{{ jwt }}' },
  }
  expect(() => methodManifest({ key: method })).toThrow('gets its alg from the block')
})
