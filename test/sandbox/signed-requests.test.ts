// `apply.sign`: what leaves is what vendors' documents and other programs say, and the sandbox checks it as a vendor does.
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { compileApply } from '../../src/engine/credentials/apply.ts'
import { signed } from '../../src/engine/request/upstream-request.ts'
import { carriedBy } from '../../src/language/manifest/credential-places/places.ts'
import type { Manifest } from '../../src/language/manifest/manifest.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { findingsOf, methodManifest } from '../fixtures/method-manifest.ts'

const credentialsOf = (...names: string[]): object => ({
  required: names,
  properties: Object.fromEntries(
    names.map((name) => [name, { type: 'string', writeOnly: name !== 'id' }]),
  ),
})
const signing = (sign: object, ...names: string[]): object => ({
  key: { credentials: credentialsOf(...names), apply: { sign } },
})

/** A request that leaves at a given time. */
function leaving(manifest: Manifest, credentials: object, request: object, now: number): unknown {
  const apply = compileApply(carriedBy(manifest.auth[0]?.apply as never))
  const { sign } = apply({ credentials: credentials as never, now: () => now })
  const { url, headers, secretHeaders, secretQuery } = signed({
    method: 'GET',
    url: 'https://api.acme.example/',
    headers: {},
    body: null,
    redirects: 0,
    timeoutMs: 1,
    secretHeaders: [],
    secretQuery: [],
    ...(sign === undefined ? {} : { sign }),
    ...request,
  })
  return { url, headers, secretHeaders, secretQuery }
}

// Source: the example of Binance's documentation, "SIGNED endpoint examples for POST /api/v3/order" (facts only).
test('a signature over the query is that of the vendor that published it', () => {
  const manifest = methodManifest(
    signing(
      {
        alg: 'hmac_sha256',
        key: '{{ credentials.secret }}',
        of: '{{ request.query }}{{ request.body }}',
        timestamp: 'epoch_ms',
        headers: { 'X-MBX-APIKEY': '{{ credentials.id }}' },
        query: { timestamp: '{{ request.timestamp }}', signature: '{{ signature }}' },
      },
      'id',
      'secret',
    ),
  )
  const id = 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A'
  const secret = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j'
  const asked =
    'https://api.acme.example/api/v3/order?symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000'
  expect(leaving(manifest, { id, secret }, { method: 'POST', url: asked }, 1499827319559)).toEqual({
    url: `${asked}&timestamp=1499827319559&signature=c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71`,
    headers: { 'x-mbx-apikey': id },
    secretHeaders: ['x-mbx-apikey'],
    secretQuery: ['timestamp', 'signature'],
  })
})

/** A vendor that checks its signatures, written of its rules: sha1 over five lines, in base64, within five minutes. */
async function strictVendor(
  secret: string,
): Promise<AsyncDisposable & { url: string; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const time = String(request.headers['x-time'])
      const nonce = String(request.headers['x-nonce'])
      const [path = '', query = ''] = (request.url ?? '').split('?')
      const lines = [request.method, path, query.split('&').toSorted().join('&'), time, nonce, body]
      const wanted = createHmac('sha1', secret).update(lines.join('\n')).digest('base64')
      const isFresh = Math.abs(Date.parse(time) - Date.now()) < 300_000 && !seen.includes(nonce)
      seen.push(nonce)
      const fits = isFresh && request.headers['authorization'] === `Acme ada:${wanted}`
      // Busy once, so that it is asked twice: the second signature must be another one.
      response.writeHead(!fits ? 401 : seen.length === 1 ? 503 : 200, {
        'content-type': 'application/json',
      })
      response.end('{"things":[{"id":"1"}]}')
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

const LINES = {
  alg: 'hmac_sha1',
  key: '{{ credentials.secret }}',
  of: '{{ request.method }}\n{{ request.path }}\n{{ request.sorted_query }}\n{{ request.timestamp }}\n{{ request.nonce }}\n{{ request.body }}',
  timestamp: 'iso_s',
  nonce: 'uuid',
  encoding: 'base64',
  headers: {
    'X-Time': '{{ request.timestamp }}',
    'X-Nonce': '{{ request.nonce }}',
    Authorization: 'Acme {{ credentials.id }}:{{ signature }}',
  },
}

test('a vendor with rules of its own accepts each attempt, and a preview shows no signature', async () => {
  const secret = 'a secret of the vendor'
  await using vendor = await strictVendor(secret)
  const manifest = methodManifest(signing(LINES, 'id', 'secret'))
  await using client = await connect(manifest, {
    credentials: { id: 'ada', secret },
    serverUrl: vendor.url,
    allowHosts: ['127.0.0.1'],
  })
  expect((await client.execute('things', 'list')).data).toEqual([{ id: '1' }])
  expect([vendor.seen.length, new Set(vendor.seen).size]).toEqual([2, 2])
  const preview = JSON.stringify(await client.preview('things', 'list'))
  expect(preview).toContain('"x-nonce":"***"')
  expect(preview).not.toMatch(/ada:|a secret of/)
})

test.for<{ name: string; sign: object }>([
  { name: 'HMAC', sign: LINES },
  {
    name: 'RSA in the query',
    sign: {
      alg: 'rsa_sha256',
      key: '{{ credentials.secret }}',
      of: '{{ request.query }}',
      encoding: 'base64url',
      query: {
        id: '{{ credentials.id }}',
        time: '{{ request.timestamp }}',
        sig: '{{ signature }}',
      },
    },
  },
  {
    name: 'Ed25519',
    sign: { ...LINES, alg: 'ed25519' },
  },
  {
    name: 'ECDSA',
    sign: { ...LINES, alg: 'ecdsa_sha256', encoding: 'hex' },
  },
  {
    name: 'a hash that holds the secret',
    sign: {
      alg: 'md5',
      of: '{{ credentials.secret }}{{ request.path }}{{ request.timestamp }}',
      headers: {
        'X-Sign': 'id={{ credentials.id }};t={{ request.timestamp }};s={{ signature }}',
      },
    },
  },
])(
  'the sandbox accepts what is signed with its key, and refuses what another key signed: $name',
  async ({ sign }) => {
    const manifest = methodManifest(signing(sign, 'id', 'secret'))
    await using vendor = await createSandbox(manifest, null)
    const { credentials, ...options } = vendor.options()
    const list = async (given: object): Promise<string> => {
      await using client = await connect(manifest, { ...options, retries: 0, credentials: given })
      return await client.execute('things', 'list').then(
        () => 'ok',
        (error: unknown) => String((error as { code?: string }).code),
      )
    }
    const { credentials: others } = { credentials: { ...credentials, id: 'someone' } }
    expect([await list(credentials), await list(others)]).toEqual(['ok', 'credentials_refused'])
  },
)

test('a key that does not fit is refused before anything is sent, and what is missing is named', async () => {
  const sign = { ...LINES, alg: 'rsa_sha256' }
  const manifest = methodManifest(signing(sign, 'id', 'secret'))
  await expect(
    (async () => connect(manifest, { credentials: { id: 'a', secret: 'no key at all' } }))(),
  ).rejects.toMatchObject({
    code: 'credentials_invalid',
    errors: [{ pointer: '/credentials/secret', code: 'format' }],
    message: expect.not.stringContaining('no key at all') as string,
  })
  const loose = methodManifest({
    key: {
      credentials: { ...credentialsOf('id', 'secret'), required: ['id'] },
      apply: { sign: LINES },
    },
  })
  await using vendor = await createSandbox(loose, null)
  await using client = await connect(loose, { ...vendor.options(), credentials: { id: 'ada' } })
  await expect(client.execute('things', 'list')).rejects.toMatchObject({
    code: 'credentials_invalid',
    details: { missing: ['credentials.secret'] },
  })
  const part = methodManifest(
    signing(
      {
        ...LINES,
        of: '{{ request.headers.content-md5 }}{{ request.timestamp }}{{ request.nonce }}',
      },
      'id',
      'secret',
    ),
  )
  await using other = await connect(part, vendor.options())
  await expect(other.execute('things', 'list')).rejects.toMatchObject({
    code: 'internal_error',
    details: { missing: ['request.headers.content-md5'] },
  })
  expect(vendor.requests()).toEqual([])
})

test.for<{ name: string; sign: object; want: string }>([
  {
    name: 'no place for the signature',
    sign: { headers: { 'X-Time': '{{ request.timestamp }}' } },
    want: 'auth/sign-unsent auth.key.apply.sign: no header and no query parameter of sign holds the signature',
  },
  {
    name: 'a nonce that is signed and not sent',
    sign: { of: '{{ request.nonce }}' },
    want: 'auth/sign-unsent auth.key.apply.sign.of: the signature is made of request.nonce',
  },
  {
    name: 'an algorithm without its key',
    sign: { key: undefined, of: '{{ credentials.secret }}' },
    want: 'auth/sign-key auth.key.apply.sign.alg: hmac_sha1 signs with a key, and there is none',
  },
  {
    name: 'a part that a request does not have',
    sign: { of: '{{ request.uri }}' },
    want: 'expression/unknown-path',
  },
  {
    name: 'the signature in what is signed',
    sign: { of: '{{ signature }}' },
    want: 'expression/',
  },
])('lint finds $name', ({ sign, want }) => {
  const base = {
    alg: 'hmac_sha1',
    key: '{{ credentials.secret }}',
    of: '{{ request.path }}',
    headers: { 'X-Sign': '{{ signature }}' },
  }
  const found = findingsOf(signing({ ...base, ...sign }, 'secret'))
  expect(found.join('\n')).toContain(want)
  expect(found).toHaveLength(1)
})
