// `apply.tls`: client certificates, against TLS servers that ask for them: Node's, and that of the openssl command.
import { spawn, spawnSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import type { ClientCertificate } from '../../../src/engine/request/upstream-request.ts'
import { createCertificate } from '../../faults/certificates.ts'
import { eventually } from '../../faults/resources.ts'
import { methodFile, methodManifest } from '../../fixtures/method-manifest.ts'
import { runService } from '../../fixtures/running-service.ts'
import { errorOf, openTransport, requestOf } from './requests.ts'

const DAY_MS = 86_400_000
const authority = createCertificate({ name: 'Test authority', isAuthority: true })
const { issuer } = authority
const served = createCertificate({ name: 'vendor', hosts: ['localhost', '127.0.0.1'], issuer })
const ada = createCertificate({ name: 'ada', issuer })
const bob = createCertificate({ name: 'bob', issuer })
const stranger = createCertificate({ name: 'stranger' })

/** A key of ada that a passphrase opens. */
const locked = createPrivateKey(ada.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' })
  .toString()

const SECRET = { type: 'string', writeOnly: true }
const METHOD = {
  credentials: {
    required: ['pem', 'pem_key'],
    properties: { pem: { type: 'string' }, pem_key: SECRET, phrase: SECRET },
  },
  apply: {
    tls: {
      certificate: '{{ credentials.pem }}',
      key: '{{ credentials.pem_key }}',
      passphrase: '{{ credentials.phrase }}',
    },
  },
}
const NAMES = { certificate: ['pem'], key: ['pem_key'], passphrase: ['phrase'] }

/** Who each request was of, by the certificate of its connection, and what it asked for. */
let seen: string[] = []
let server: Server
let url: string
const trustedBefore = getCACertificates('default')

beforeAll(async () => {
  setDefaultCACertificates([...trustedBefore, authority.cert])
  const options = { ...served, ca: authority.cert, requestCert: true, rejectUnauthorized: false }
  server = createServer(options, (request, response) => {
    const socket = request.socket as TLSSocket
    const { subject } = socket.getPeerCertificate() as { subject?: { CN?: string } }
    const name = socket.authorized ? subject?.CN : 'nobody'
    seen.push(`${name} ${request.method} ${request.url}`)
    if (request.url === '/moved')
      return void response.writeHead(307, { location: url.replace('127.0.0.1', 'localhost') }).end()
    response.writeHead(name === 'nobody' ? 401 : 200, { 'content-type': 'application/json' })
    const tokens = { access_token: `of-${name}`, token_type: 'bearer' }
    response.end(JSON.stringify({ things: [{ id: name }], token: `s-${name}`, ...tokens }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  setDefaultCACertificates(trustedBefore)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  seen = []
})

const tlsOf = (
  { cert, key }: { readonly cert: string; readonly key: string },
  passphrase: string | null = null,
): ClientCertificate => ({ certificate: cert, key, passphrase, names: NAMES })

const options = (credentials: object) => ({
  credentials,
  serverUrl: url,
  allowHosts: ['127.0.0.1'],
  retries: 0,
})

test('every call shows the certificate of its credentials, also one whose key is locked', async () => {
  const manifest = methodManifest({ certificate: METHOD })
  const credentials = { pem: ada.cert, pem_key: locked, phrase: 'open sesame' }
  await using client = await connect(manifest, options(credentials))
  expect(await client.execute('things', 'list')).toMatchObject({ data: [{ id: 'ada' }] })
  expect(seen).toEqual(['ada GET /things'])
  const shown = JSON.stringify(await client.preview('things', 'list'))
  for (const secret of ['PRIVATE KEY', 'open sesame']) expect(shown).not.toContain(secret)
})

test('connections of one certificate are never used with another one, or with none', async () => {
  await using transport = openTransport()
  const call = async (tls?: ClientCertificate): Promise<void> => {
    const who = tls === undefined ? 'nobody' : tls === first ? 'ada' : 'bob'
    const { body } = await transport.send({
      ...requestOf(`${url}/things`),
      ...(tls === undefined ? {} : { tls }),
    })
    expect(JSON.parse(body.toString())).toMatchObject({ things: [{ id: who }] })
  }
  const [first, second] = [tlsOf(ada), tlsOf(bob)]
  for (let round = 0; round < 3; round++)
    await Promise.all([first, second, undefined, first, second, undefined].map(call))
  expect(seen).toHaveLength(18)
  // The same text in another object: the connections are shared.
  const before = seen.length
  await transport.send({ ...requestOf(`${url}/things`), tls: tlsOf(ada) })
  expect(seen.slice(before)).toEqual(['ada GET /things'])
})

test('a redirect to another origin shows no certificate', async () => {
  await using transport = openTransport()
  const request = { ...requestOf(`${url}/moved`), redirects: 1, tls: tlsOf(ada) }
  await transport.send(request)
  expect(seen).toEqual(['ada GET /moved', 'nobody GET /'])
})

test.for([
  {
    name: 'a token endpoint (RFC 8705)',
    method: {
      credentials: {
        required: ['pem', 'pem_key', 'client_id'],
        properties: {
          ...METHOD.credentials.properties,
          client_id: { type: 'string' },
          access_token: SECRET,
        },
      },
      apply: { ...METHOD.apply, bearer: '{{ credentials.access_token }}' },
      oauth2: {
        grant: 'client_credentials',
        token: { url: 'https://api.acme.example/token', client_auth: 'none' },
      },
    },
    more: { client_id: 'app' },
    want: ['bob POST /token', 'bob GET /things'],
  },
  {
    name: 'a login',
    method: {
      ...METHOD,
      apply: { ...METHOD.apply, headers: { 'X-Session': '{{ session.token }}' } },
      session: { request: { http: 'POST /login' }, store: { 'session.token': '$.token' } },
    },
    more: {},
    want: ['bob POST /login', 'bob GET /things'],
  },
])('$name is shown it, too', async ({ method, more, want }) => {
  const credentials = { pem: bob.cert, pem_key: bob.key, ...more }
  await using client = await connect(methodManifest({ certificate: method }), {
    ...options(credentials),
    onCredentials: () => {},
  })
  await client.execute('things', 'list')
  expect(seen).toEqual(want)
})

describe('what no connection can be made with is told before anything is sent', () => {
  const old = createCertificate({
    name: 'ada',
    issuer,
    notBefore: new Date(Date.now() - 30 * DAY_MS),
    notAfter: new Date(Date.now() - DAY_MS),
  })
  test.for([
    {
      name: 'a certificate that is none',
      given: { pem: 'demo', pem_key: ada.key },
      at: ['/credentials/pem'],
      message: 'pem is no certificate in PEM; nothing was sent',
    },
    {
      name: 'a key that is none',
      given: { pem: ada.cert, pem_key: ada.cert },
      at: ['/credentials/pem_key'],
      message: 'pem_key is no private key in PEM; nothing was sent',
    },
    {
      name: 'a wrong passphrase',
      given: { pem: ada.cert, pem_key: locked, phrase: 'open barley' },
      at: ['/credentials/phrase'],
      message: 'phrase does not open the private key; nothing was sent',
    },
    {
      name: 'a missing passphrase',
      given: { pem: ada.cert, pem_key: locked },
      at: ['/credentials/pem_key'],
      message: 'pem_key is encrypted, and there is no passphrase; nothing was sent',
    },
    {
      name: 'the key of another certificate',
      given: { pem: ada.cert, pem_key: bob.key },
      at: ['/credentials/pem', '/credentials/pem_key'],
      message: 'pem and pem_key do not belong together; nothing was sent',
    },
    {
      name: 'a certificate that has ended',
      given: { pem: old.cert, pem_key: old.key },
      at: ['/credentials/pem'],
      message: expect.stringMatching(/^pem ended on \d{4}-.*; nothing was sent$/) as string,
    },
  ])('$name', async ({ given, at, message }) => {
    await using client = await connect(methodManifest({ certificate: METHOD }), options(given))
    const error = (await errorOf(client.execute('things', 'list'))) as {
      readonly errors: readonly { readonly pointer: string }[]
    }
    expect(error).toMatchObject({ code: 'credentials_invalid', message, retryable: false })
    expect(error.errors.map(({ pointer }) => pointer)).toEqual(at)
    expect(seen).toEqual([])
  })

  test('a dispatcher of the host app, which would show none', async () => {
    const request = { ...requestOf(`${url}/things`), tls: tlsOf(ada) }
    const dispatcher = { dispatch: () => true } as never
    await using transport = openTransport({ dispatcher })
    expect(await errorOf(transport.send(request))).toMatchObject({
      code: 'destination_refused',
      details: { reason: 'dispatcher', sent: false },
    })
  })
})

test('a service seals it, shows it to the vendor, and stores no instance with one that is wrong', async () => {
  await using file = await methodFile({ certificate: METHOD })
  await using world = await runService({
    manifests: [file.path],
    allowServerUrl: true,
    allowHosts: ['127.0.0.1'],
  })
  const create = (credentials: object) =>
    world.call('POST', '/v1/integrations/connectors', {
      external_user_id: 'user-1',
      connector_type: 'acme',
      name: 'acme',
      server_url: url,
      credentials,
    })
  const created = await create({ pem: ada.cert, pem_key: ada.key })
  expect([created.status, created.body]).toMatchObject([201, { state: 'active' }])
  expect(seen).toEqual(['ada GET /things'])
  expect(created.text).not.toContain('PRIVATE KEY')
  const { id } = created.body as { readonly id: string }
  const row = await world.service.store.credentials.read(id)
  expect(Buffer.from(row?.sealed ?? []).includes('PRIVATE KEY')).toBe(false)
  const refused = await create({ pem: ada.cert, pem_key: bob.key })
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { code: 'credentials_invalid', errors: [{ pointer: '/credentials/pem' }, {}] },
  ])
  const { body } = await world.call('GET', '/v1/integrations/connectors')
  expect((body as { readonly data: readonly unknown[] }).data).toHaveLength(1)
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.runIf(hasOpenssl)('the server of the openssl command', () => {
  /** Asks for a certificate of the authority, and answers `GET /things` with a file. */
  async function openssl(version: '-tls1_2' | '-tls1_3') {
    const folder = await mkdtemp(join(tmpdir(), 'tenon-openssl-'))
    const answer =
      'HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{"things":[{"id":"1"}]}'
    for (const [name, text] of Object.entries({
      'cert.pem': served.cert,
      'key.pem': served.key,
      'ca.pem': authority.cert,
      things: answer,
    }))
      await writeFile(join(folder, name), text)
    const trust = ['-Verify', '1', '-verify_return_error', '-CAfile', 'ca.pem']
    const files = ['-cert', 'cert.pem', '-key', 'key.pem', '-HTTP']
    const child = spawn(
      'openssl',
      ['s_server', '-accept', '127.0.0.1:0', version, ...files, ...trust],
      { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await eventually(() => /ACCEPT 127\.0\.0\.1:\d+/.test(output))
    return {
      url: `https://127.0.0.1:${/ACCEPT 127\.0\.0\.1:(\d+)/.exec(output)?.[1] ?? ''}`,
      async [Symbol.asyncDispose]() {
        child.kill()
        await once(child, 'exit')
        await rm(folder, { recursive: true, force: true })
      },
    }
  }

  test.for([
    { version: '-tls1_3', name: 'ada', given: ada, want: 200 },
    { version: '-tls1_3', name: 'nobody', given: null, want: 'credentials_refused' },
    { version: '-tls1_3', name: 'a stranger', given: stranger, want: 'credentials_refused' },
    { version: '-tls1_2', name: 'ada', given: ada, want: 200 },
    // The alert that there was says only that the handshake failed.
    { version: '-tls1_2', name: 'nobody', given: null, want: 'upstream_unreachable' },
    { version: '-tls1_2', name: 'a stranger', given: stranger, want: 'credentials_refused' },
  ] as const)('$version: $name is answered $want', async ({ version, given, want }) => {
    await using vendor = await openssl(version)
    await using transport = openTransport()
    const request = {
      ...requestOf(`${vendor.url}/things`),
      ...(given === null ? {} : { tls: tlsOf(given) }),
    }
    const outcome = await transport.send(request).then(
      ({ status }) => status,
      (error: { readonly code: string }) => error.code,
    )
    expect(outcome).toBe(want)
  })
})
