// The block `jwt`: tokens that another library accepts, in every place, and that the sandbox checks.
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { readSigningKey } from '../../src/language/signing/algorithms.ts'
import { readJwt, signJwt } from '../../src/language/signing/jwt.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { findingsOf, methodManifest } from '../fixtures/method-manifest.ts'

const SECRET =
  'a shared secret of enough length for every one of the HMAC algorithms, that is 64 bytes'
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const KEYS: Readonly<Record<string, string>> = {
  HS256: SECRET,
  HS512: SECRET,
  RS256: pemOf(rsa),
  PS256: pemOf(rsa),
  ES256: pemOf(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey),
  ES384: pemOf(generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey),
  EdDSA: pemOf(generateKeyPairSync('ed25519').privateKey),
}
const publicOf = (alg: string): KeyObject | Uint8Array =>
  alg.startsWith('HS') ? Buffer.from(SECRET) : createPublicKey(KEYS[alg] ?? '')

// RFC 7515 appendix A.1
test('the token of RFC 7515 is read with its key, and with no other', () => {
  const token =
    'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  const key = readSigningKey(
    'HS256',
    'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
    'base64',
  )
  expect(readJwt('HS256', key, token)).toEqual({
    header: { typ: 'JWT', alg: 'HS256' },
    claims: { iss: 'joe', exp: 1300819380, 'http://example.com/is_root': true },
  })
  const other = readSigningKey('HS256', 'another')
  expect([
    readJwt('HS256', other, token),
    readJwt('HS512', key, token),
    readJwt('HS256', key, token.slice(0, -1)),
    readJwt('HS256', key, 'a.b'),
    readJwt('HS256', key, signJwt('HS256', key, { alg: 'none' }, {})),
  ]).toEqual([null, null, null, null, null])
})

interface Vendor extends AsyncDisposable {
  readonly url: string
  readonly seen: {
    readonly path: string
    readonly params: URLSearchParams
    readonly token: string
  }[]
}

/** A vendor that looks at tokens with another library: a token endpoint, an exchange, and a list of things. */
async function startVendor(accepts: (token: string) => Promise<unknown>): Promise<Vendor> {
  const seen: Vendor['seen'] = []
  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const path = (request.url ?? '').split('?')[0] ?? ''
      const params = new URLSearchParams(body)
      const bearer = /^Bearer (.*)$/.exec(String(request.headers['authorization']))?.[1] ?? ''
      const token = params.get('assertion') ?? params.get('client_assertion') ?? bearer
      seen.push({ path, params, token })
      const isOpened = path === '/things' && token === 'opened'
      const problem = isOpened ? null : await accepts(token).then(() => null, String)
      const answer = path.endsWith('/access_tokens')
        ? { token: 'opened', expires_at: '2999-01-01T00:00:00Z' }
        : path === '/token'
          ? { access_token: 'opened', token_type: 'Bearer', expires_in: 3600 }
          : { things: [{ id: '1' }] }
      response.writeHead(problem === null ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify(problem === null ? answer : { error: 'invalid_client', problem }))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const credentialsOf = (...names: string[]): object => ({
  required: names,
  properties: Object.fromEntries(
    names.map((name) => [name, { type: 'string', writeOnly: name === 'private_key' }]),
  ),
})
const jwtOf = (alg: string): object => ({
  alg,
  key: '{{ credentials.private_key }}',
  header: { kid: '{{ credentials.app }}' },
  claims: {
    iss: '{{ credentials.app }}',
    aud: ['https://acme.example', 'other'],
    level: 3,
    jti: '{{ request.nonce }}',
    uri: '{{ request.method }} {{ request.path }}',
    gone: '{{ credentials.nothing }}',
  },
  ttl: '2m',
})
const bearer = (alg: string): object => ({
  app: {
    credentials: {
      required: ['app', 'private_key'],
      properties: {
        app: { type: 'string' },
        private_key: { type: 'string', writeOnly: true },
        nothing: { type: 'string' },
      },
    },
    jwt: jwtOf(alg),
    apply: { bearer: '{{ jwt }}' },
  },
})

describe('a bearer made of a key is accepted by another library, a new one for each request', () => {
  test.for(Object.keys(KEYS))('%s', async (alg) => {
    const claims: JWTPayload[] = []
    await using vendor = await startVendor(async (token) => {
      const options = { issuer: 'app-7', audience: 'https://acme.example', algorithms: [alg] }
      claims.push((await jwtVerify(token, publicOf(alg), options)).payload)
    })
    await using client = await connect(methodManifest(bearer(alg)), {
      credentials: { app: 'app-7', private_key: KEYS[alg] ?? '' },
      serverUrl: vendor.url,
      allowHosts: ['127.0.0.1'],
    })
    await client.execute('things', 'list')
    await client.execute('things', 'list')
    const [first, second] = claims
    const [{ token } = { token: '' }] = vendor.seen
    expect(decodeProtectedHeader(token)).toEqual({ alg, typ: 'JWT', kid: 'app-7' })
    expect(first).toEqual({
      iss: 'app-7',
      aud: ['https://acme.example', 'other'],
      level: 3,
      uri: 'GET /things',
      jti: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      iat: expect.any(Number) as number,
      exp: (first?.iat ?? 0) + 120,
    })
    expect(second?.jti).not.toBe(first?.jti)
    const preview = JSON.stringify(await client.preview('things', 'list'))
    expect(preview).toContain('"authorization":"Bearer ***"')
  })
})

const APP = {
  credentials: credentialsOf('app', 'installation', 'private_key'),
  jwt: {
    alg: 'RS256',
    key: '{{ credentials.private_key }}',
    claims: { iss: '{{ credentials.app }}' },
  },
  session: {
    request: {
      http: 'POST /app/installations/{{ credentials.installation }}/access_tokens',
      headers: { Authorization: 'Bearer {{ jwt }}' },
    },
    store: { 'session.token': '$.token' },
    expires: '$.expires_at',
  },
  apply: { bearer: '{{ session.token }}' },
}
const OAUTH = (oauth2: object): object => ({
  credentials: {
    required: ['client_id', 'private_key'],
    properties: {
      client_id: { type: 'string' },
      private_key: { type: 'string', writeOnly: true },
      access_token: { type: 'string', writeOnly: true },
    },
  },
  jwt: {
    alg: 'ES256',
    key: '{{ credentials.private_key }}',
    claims: {
      iss: '{{ credentials.client_id }}',
      sub: '{{ credentials.client_id }}',
      aud: 'https://api.acme.example/token',
      jti: '{{ request.nonce }}',
    },
  },
  oauth2: { token: { url: 'https://api.acme.example/token', ...oauth2 }, refresh: false },
  apply: { bearer: '{{ credentials.access_token }}' },
})
const client = OAUTH({ client_auth: 'private_key_jwt' })
const grant = OAUTH({ client_auth: 'none' })
const METHODS = {
  'an app installation token': {
    method: APP,
    alg: 'RS256',
    given: { app: 'app-7', installation: '42' },
  },
  private_key_jwt: {
    method: {
      ...client,
      oauth2: {
        ...(client as typeof APP & { oauth2: object }).oauth2,
        grant: 'client_credentials',
      },
    },
    alg: 'ES256',
    given: { client_id: 'app-7' },
  },
  'the grant of RFC 7523': {
    method: {
      ...grant,
      oauth2: { ...(grant as typeof APP & { oauth2: object }).oauth2, grant: 'jwt_bearer' },
    },
    alg: 'ES256',
    given: { client_id: 'app-7' },
  },
}

test.for(Object.entries(METHODS))(
  '%s: another library accepts the assertion',
  async ([name, { method, alg, given }]) => {
    await using vendor = await startVendor(async (token) => {
      await jwtVerify(token, publicOf(alg), { issuer: 'app-7', algorithms: [alg] })
    })
    const manifest = methodManifest({ app: method })
    await using caller = await connect(manifest, {
      credentials: { ...given, private_key: KEYS[alg] ?? '' },
      serverUrl: vendor.url,
      allowHosts: ['127.0.0.1'],
    })
    expect((await caller.execute('things', 'list')).data).toEqual([{ id: '1' }])
    const [first, second] = vendor.seen
    const sent = Object.fromEntries(
      [...(first?.params ?? [])].filter(([key]) => !/^(client_)?assertion$/.test(key)),
    )
    expect([first?.path, sent, second?.path, second?.token]).toEqual([
      name.startsWith('an app') ? '/app/installations/42/access_tokens' : '/token',
      name.startsWith('an app')
        ? {}
        : name === 'private_key_jwt'
          ? {
              grant_type: 'client_credentials',
              client_id: 'app-7',
              client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            }
          : { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', client_id: 'app-7' },
      '/things',
      'opened',
    ])
  },
)

test.for(
  Object.entries({
    ...METHODS,
    'a bearer': { method: (bearer('EdDSA') as { app: object }).app, alg: 'EdDSA', given: {} },
  }),
)('%s: the sandbox accepts its own key, and no other', async ([, { method, alg }]) => {
  const manifest = methodManifest({ app: method })
  await using vendor = await createSandbox(manifest, null)
  const { credentials, ...options } = vendor.options()
  // A token that the sandbox gives away would do without the key.
  const { access_token: _given, ...known } = credentials
  const list = async (given: object): Promise<string> => {
    await using caller = await connect(manifest, { ...options, retries: 0, credentials: given })
    return await caller.execute('things', 'list').then(
      () => 'ok',
      (error: unknown) => String((error as { code?: string }).code),
    )
  }
  const others = { ...known, private_key: KEYS[alg] ?? '' }
  expect([await list(known), await list(others)]).toEqual([
    'ok',
    expect.stringMatching(/^credentials_refused|refresh_failed|reauthorization_required$/),
  ])
})

test.for([
  { name: 'no key', key: 'not a key', want: /^private_key: RS256 needs a private key in PEM/ },
  {
    name: 'a key of another type',
    key: KEYS['ES256'] ?? '',
    want: /needs a key of the type rsa, and this one is ec$/,
  },
])('$name is refused before anything is sent', async ({ key, want }) => {
  const wrong = { app: 'a', private_key: key }
  await expect(
    (async () => connect(methodManifest(bearer('RS256')), { credentials: wrong }))(),
  ).rejects.toMatchObject({
    code: 'credentials_invalid',
    message: expect.stringMatching(want) as string,
  })
  await using vendor = await startVendor(() => Promise.resolve())
  await using caller = await connect(methodManifest({ app: APP }), {
    credentials: { ...wrong, installation: '42' },
    serverUrl: vendor.url,
    allowHosts: ['127.0.0.1'],
  })
  await expect(caller.execute('things', 'list')).rejects.toMatchObject({
    code: 'credentials_invalid',
    errors: [{ pointer: '/credentials/private_key', code: 'format' }],
  })
  expect(vendor.seen).toEqual([])
})

test.for<{ name: string; method: object; want: string }>([
  {
    name: 'an assertion that nothing makes',
    method: { ...METHODS['private_key_jwt'].method, jwt: undefined },
    want: 'auth/jwt-missing auth.app: app presents a JSON Web Token',
  },
  {
    name: 'a token that nothing uses',
    method: {
      ...(bearer('HS256') as { app: object }).app,
      apply: { bearer: '{{ credentials.app }}' },
    },
    want: 'auth/jwt-unused auth.app.jwt: nothing uses the JSON Web Token of app',
  },
  {
    name: 'a token of a method without the block',
    method: {
      credentials: credentialsOf('app'),
      apply: { bearer: '{{ jwt }}{{ credentials.app }}' },
    },
    want: 'the method has no jwt block',
  },
  {
    name: 'the token among its own claims',
    method: {
      ...APP,
      jwt: { ...APP.jwt, claims: { iss: '{{ credentials.app }}', sub: '{{ jwt }}' } },
    },
    want: '"jwt" ',
  },
])('lint finds $name', ({ method, want }) => {
  const found = findingsOf({ app: method })
  expect(found.join('\n')).toContain(want)
})
