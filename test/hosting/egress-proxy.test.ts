// What a service and a client in direct mode send leaves through the proxy: calls, token requests, webhooks.
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { proxyIn } from '../../src/cli/egress-proxy.ts'
import { connect } from '../../src/client/connect.ts'
import { lookAtProxy } from '../../src/hosting/doctor/look-at-proxy.ts'
import { openWebhookTransport } from '../../src/hosting/webhook-transport.ts'
import { DEFAULT_SETTINGS } from '../../src/service/environment.ts'
import { errorOf, requestOf } from '../engine/adapters/requests.ts'
import { createCertificate } from '../faults/certificates.ts'
import { type ConnectProxy, createConnectProxy } from '../faults/connect-proxy.ts'
import { methodFile, methodManifest } from '../fixtures/method-manifest.ts'
import { runService } from '../fixtures/running-service.ts'

const authority = createCertificate({ name: 'Test authority', isAuthority: true })
const served = createCertificate({
  name: 'vendor',
  hosts: ['api.vendor.example', 'hooks.example'],
  issuer: authority.issuer,
})
const trustedBefore = getCACertificates('default')
const METHOD = {
  credentials: { required: ['key'], properties: { key: { type: 'string', writeOnly: true } } },
  apply: { bearer: '{{ credentials.key }}' },
}

let seen: string[] = []
let server: Server
let place: string
let proxy: ConnectProxy
let url: string

beforeAll(async () => {
  setDefaultCACertificates([...trustedBefore, authority.cert])
  server = createServer(served, (request, response) => {
    seen.push(`${request.method} ${request.headers.host?.split(':')[0]}${request.url}`)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ things: [{ id: 'a' }] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  place = String((server.address() as AddressInfo).port)
  proxy = await createConnectProxy({ authorization: `Basic ${btoa('ada:Qx7 zz')}` })
  url = `http://ada:Qx7%20zz@127.0.0.1:${proxy.port}`
})
afterAll(async () => {
  setDefaultCACertificates(trustedBefore)
  await proxy[Symbol.asyncDispose]()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  seen = []
})

test('a client in direct mode', async () => {
  await using client = await connect(methodManifest({ key: METHOD }), {
    credentials: { key: 'k-1' },
    serverUrl: `https://api.vendor.example:${place}`,
    allowHosts: [`api.vendor.example:${place}`],
    proxy: url,
  })
  await client.execute('things', 'list')
  expect(seen).toEqual(['GET api.vendor.example/things'])
  expect(proxy.asked.at(-1)).toBe(`api.vendor.example:${place}`)
})

test('a service, which shows no word of the password', async () => {
  await using file = await methodFile({ key: METHOD })
  await using world = await runService({
    manifests: [file.path],
    allowServerUrl: true,
    allowHosts: [`api.vendor.example:${place}`, `gone.example:${place}`],
    proxy: url,
  })
  const create = (host: string) =>
    world.call('POST', '/v1/integrations/connectors', {
      external_user_id: 'user-1',
      connector_type: 'acme',
      name: 'acme',
      server_url: `https://${host}:${place}`,
      credentials: { key: 'k-1' },
    })
  expect((await create('api.vendor.example')).status).toBe(201)
  expect(seen).toEqual(['GET api.vendor.example/things'])
  expect(JSON.stringify(world.lines)).not.toContain('Qx7')
})

test('an OpenID provider, which is asked for its keys', async () => {
  await using world = await runService({
    mcpIssuer: `https://api.vendor.example:${place}`,
    proxy: url,
  })
  const refused = await world.call('POST', '/mcp', {}, { as: 'a.b.c' })
  expect([refused.status, seen]).toEqual([
    503,
    [
      'GET api.vendor.example/.well-known/openid-configuration',
      'GET api.vendor.example/.well-known/oauth-authorization-server',
    ],
  ])
  expect(JSON.stringify(world.lines)).not.toContain('Qx7')
})

test('webhooks, whose receivers are judged before the proxy is asked', async () => {
  const { transport, admit } = openWebhookTransport({
    ...DEFAULT_SETTINGS,
    proxy: url,
    webhookAllowHosts: [`hooks.example:${place}`],
  })
  try {
    const receiver = `https://hooks.example:${place}/in`
    admit(new URL(receiver))
    const sent = await transport.send(requestOf(receiver, { method: 'POST', body: '{}' }))
    expect([sent.status, seen]).toEqual([200, ['POST hooks.example/in']])
    const asked = proxy.asked.length
    expect(() => admit(new URL('https://10.0.0.1/'))).toThrow()
    expect(await errorOf(transport.send(requestOf('https://10.0.0.1/')))).toMatchObject({
      code: 'destination_refused',
    })
    expect(proxy.asked.length).toBe(asked)
  } finally {
    await transport.close()
  }
})

test('commands that call a vendor take the proxy of the environment, and none that is wrong', () => {
  const environment = { HTTPS_PROXY: url, NO_PROXY: '.internal', TENON_TRY_TOKEN: 't' }
  expect(proxyIn(environment)).toEqual({ url, except: ['.internal'], resolves: false })
  expect(proxyIn({})).toBeUndefined()
  expect(() => proxyIn({ TENON_PROXY: 'proxy:3128' })).toThrow('TENON_PROXY must be')
})

test.for([
  { name: 'that works', answer: '200 OK', status: 'ok', said: 'can be reached' },
  { name: 'that wants a password', answer: '407 No', status: 'fail', said: 'user or password' },
  { name: 'that lets nothing pass', answer: '403 No', status: 'fail', said: '403' },
  {
    name: 'that is not asked',
    except: ['vendor.invalid'],
    status: 'ok',
    said: 'without the proxy',
  },
  { name: 'that names are not left to', resolves: false, status: 'fail', said: 'no address' },
])(
  'doctor tries a proxy $name',
  async ({ answer = '200 OK', except = [], resolves = true, status, said }) => {
    await using tried = await createConnectProxy({ answer: `HTTP/1.1 ${answer}\r\n\r\n` })
    const manifest = methodManifest({ key: METHOD })
    // A name that no resolver knows (RFC 6761 section 6.4).
    const server = { ...manifest.server, hosts: ['*.vendor.invalid', 'api.vendor.invalid'] }
    const proxied = {
      ...DEFAULT_SETTINGS,
      proxy: `http://ada:Qx7@127.0.0.1:${tried.port}`,
      noProxy: except,
      proxyResolves: resolves,
    }
    const found = await lookAtProxy(proxied, [{ ...manifest, server }])
    expect(found).toMatchObject([
      { check: 'proxy', status, message: expect.stringContaining(said) },
    ])
    expect(JSON.stringify(found)).not.toContain('Qx7')
    expect(await lookAtProxy(DEFAULT_SETTINGS, [manifest])).toMatchObject([{ status: 'ok' }])
  },
)
