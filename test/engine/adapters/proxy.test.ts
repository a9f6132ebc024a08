// Calls through a proxy: what it is asked for, what the guard says before that, and what is told when it does not work.
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { MockAgent } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Resolve } from '../../../src/engine/adapters/outgoing-guard.ts'
import { readProxy } from '../../../src/engine/adapters/proxy.ts'
import type { UndiciTransportOptions } from '../../../src/engine/adapters/undici-transport.ts'
import { type ProxyOptions, proxyProblem } from '../../../src/engine/exchange/proxy-options.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import { StreamedBody } from '../../../src/engine/request/streamed-body.ts'
import { createCertificate } from '../../faults/certificates.ts'
import { createConnectProxy } from '../../faults/connect-proxy.ts'
import { createHttpVendor, sendJson } from '../../faults/http-vendor.ts'
import { watchResources } from '../../faults/resources.ts'
import { createTcpVendor } from '../../faults/tcp-vendor.ts'
import { errorOf, openTransport, requestOf } from './requests.ts'

const authority = createCertificate({ name: 'Test authority', isAuthority: true })
const { issuer } = authority
const served = createCertificate({
  name: 'vendor',
  hosts: ['api.vendor.example', 'localhost'],
  issuer,
})
const ada = createCertificate({ name: 'ada', issuer })
const trustedBefore = getCACertificates('default')

let server: Server
let port: number

beforeAll(async () => {
  setDefaultCACertificates([...trustedBefore, authority.cert])
  const options = { ...served, ca: authority.cert, requestCert: true, rejectUnauthorized: false }
  server = createServer(options, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate() as {
      subject?: { CN?: string }
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          url: request.url,
          host: request.headers.host,
          proxied: request.headers['proxy-authorization'] ?? null,
          client: subject?.CN ?? null,
          bytes: Buffer.concat(chunks).length,
        }),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  setDefaultCACertificates(trustedBefore)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** A resolver that knows these addresses and no others. */
function knows(addresses: Readonly<Record<string, readonly string[]>>): Resolve {
  return (hostname, _options, callback) => {
    const found = addresses[hostname]
    if (found === undefined)
      callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), [])
    else
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
  }
}

type More = Partial<UndiciTransportOptions> & { readonly by?: Partial<ProxyOptions> }

/** A transport that may call the vendor on its port, by name. */
function through(url: string, { by = {}, ...more }: More = {}): Transport & AsyncDisposable {
  const options = { allowHosts: [`api.vendor.example:${port}`], resolve: knows({}), ...more }
  return openTransport({ ...options, proxy: { url, ...by } })
}

function json(answer: { readonly body: Buffer }): unknown {
  return JSON.parse(answer.body.toString())
}

describe('through a proxy', () => {
  test('a call is the same as without one, and nobody there sees what the proxy was told', async () => {
    await using _ = watchResources()
    await using proxy = await createConnectProxy({ authorization: 'Basic YWRhOnMzYyFyZXQ=' })
    await using transport = through(`http://ada:s3c%21ret@127.0.0.1:${proxy.port}`)
    const url = `https://api.vendor.example:${port}/v1/things?a=%2F`
    const want = { url: '/v1/things?a=%2F', host: `api.vendor.example:${port}`, proxied: null }
    for (let call = 0; call < 3; call++)
      expect(json(await transport.send(requestOf(url)))).toMatchObject(want)
    // One connection serves them all.
    expect(proxy.asked).toEqual([`api.vendor.example:${port}`])
    expect(proxy.headers).toEqual({
      host: `api.vendor.example:${port}`,
      'proxy-authorization': 'Basic YWRhOnMzYyFyZXQ=',
    })
  })

  test('streams go both ways', async () => {
    await using _ = watchResources()
    await using proxy = await createConnectProxy()
    await using transport = through(`http://127.0.0.1:${proxy.port}`)
    const length = 3 * 1024 * 1024

    const answer = await transport.stream(
      requestOf(`https://api.vendor.example:${port}/files`, {
        method: 'POST',
        body: new StreamedBody([Buffer.alloc(length, 7)]),
      }),
    )
    const chunks: Buffer[] = []
    for await (const chunk of answer.body) chunks.push(chunk as Buffer)
    expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({
      url: '/files',
      bytes: length,
    })
  })

  test('a client certificate is shown to the third party, not to the proxy', async () => {
    await using _ = watchResources()
    await using proxy = await createConnectProxy({ tls: served })
    await using transport = through(`https://localhost:${proxy.port}`)
    const tls = {
      certificate: ada.cert,
      key: ada.key,
      passphrase: null,
      names: { certificate: [], key: [], passphrase: [] },
    }
    const url = `https://api.vendor.example:${port}/`
    expect(json(await transport.send(requestOf(url, { tls })))).toMatchObject({ client: 'ada' })
    expect(json(await transport.send(requestOf(url)))).toMatchObject({ client: null })
    expect(proxy.asked.length).toBe(2)
  })

  test('plain http, this machine and exceptions are called directly', async () => {
    await using vendor = await createHttpVendor((_request, response) => sendJson(response, {}))
    await using proxy = await createConnectProxy()
    const local = { 'api.vendor.example': ['127.0.0.1'], 'plain.example': ['127.0.0.1'] }
    await using transport = through(`http://127.0.0.1:${proxy.port}`, {
      by: { except: ['vendor.example'] },
      allowHosts: ['127.0.0.1', 'plain.example'],
      resolve: knows(local),
    })
    for (const url of [
      `https://api.vendor.example:${port}/`,
      `http://plain.example:${vendor.port}/`,
      vendor.url,
    ])
      expect((await transport.send(requestOf(url))).status).toBe(200)
    expect(proxy.asked).toEqual([])
  })

  test('calls end with the transport, and connections with them', async () => {
    await using _ = watchResources()
    await using silent = await createTcpVendor(() => {})
    const transport = through(`http://127.0.0.1:${silent.port}`, { limits: { connectMs: 300 } })
    const call = errorOf(transport.send(requestOf(`https://api.vendor.example:${port}/`)))
    await transport.close()
    expect(await call).toMatchObject({ code: 'aborted' })
  })
})

describe('the guard judges before the proxy is asked', () => {
  const PUBLIC = '93.184.215.14'
  test.for([
    { name: 'a private literal', url: 'https://10.0.0.7/', details: { reason: 'address' } },
    {
      name: 'the address of metadata',
      url: 'https://169.254.169.254/',
      details: { reason: 'address' },
    },
    { name: 'another port', url: 'https://api.open.example:8443/', details: { reason: 'port' } },
    {
      name: 'a name that is private here',
      url: 'https://inner.example/',
      details: { reason: 'address' },
    },
    {
      name: 'a name of which one address is private',
      url: 'https://mixed.example/',
      details: { reason: 'address' },
    },
    {
      name: 'user information',
      url: 'https://ada@api.open.example/',
      details: { reason: 'userinfo' },
    },
  ])('G2 $name is refused', async ({ url, details }) => {
    await using proxy = await createConnectProxy()
    for (const resolves of [false, true]) {
      await using transport = through(`http://127.0.0.1:${proxy.port}`, {
        by: { resolves },
        resolve: knows({ 'inner.example': ['10.0.0.7'], 'mixed.example': [PUBLIC, '10.0.0.7'] }),
      })
      const error = await errorOf(transport.send(requestOf(url)))
      expect(error).toMatchObject({ code: 'destination_refused', details })
    }
    expect(proxy.asked).toEqual([])
  })

  test('a name without an address here is left to the proxy only where that is wanted', async () => {
    await using proxy = await createConnectProxy({ answer: 'HTTP/1.1 403 Forbidden\r\n\r\n' })
    const send = async (by: Partial<ProxyOptions>): Promise<unknown> => {
      await using transport = through(`http://127.0.0.1:${proxy.port}`, { by })
      return await errorOf(transport.send(requestOf('https://far.example/')))
    }
    expect(await send({})).toMatchObject({
      code: 'upstream_unreachable',
      details: { host: 'far.example', reason: 'ENOTFOUND', sent: false },
    })
    expect(proxy.asked).toEqual([])
    expect(await send({ resolves: true })).toMatchObject({ details: { reason: 'proxy_refused' } })
    expect(proxy.asked).toEqual(['far.example:443'])
  })

  test('a name that lies in no allowed range is not left to the proxy', async () => {
    await using proxy = await createConnectProxy()
    await using transport = through(`http://127.0.0.1:${proxy.port}`, {
      by: { resolves: true },
      allowHosts: ['10.0.0.0/8'],
    })
    const error = await errorOf(transport.send(requestOf('https://far.example:8443/')))
    expect(error).toMatchObject({ code: 'upstream_unreachable', details: { reason: 'ENOTFOUND' } })
    expect(proxy.asked).toEqual([])
  })

  test('public addresses and allowed ranges pass', async () => {
    await using proxy = await createConnectProxy({ answer: 'HTTP/1.1 503 Busy\r\n\r\n' })
    await using transport = through(`http://127.0.0.1:${proxy.port}`, {
      allowHosts: ['10.0.0.0/8'],
      resolve: knows({
        'open.example': [PUBLIC, '2606:4700::1111'],
        'inner.example': ['10.1.2.3'],
      }),
    })
    for (const url of [
      'https://open.example/',
      'https://inner.example:8443/',
      'https://[2606:4700::1111]/',
    ])
      expect(await errorOf(transport.send(requestOf(url)))).toMatchObject({
        details: { reason: 'proxy_failed', proxy_status: 503 },
      })
    expect(proxy.asked).toEqual(['open.example:443', 'inner.example:8443', '[2606:4700::1111]:443'])
  })
})

describe('a proxy that does not work', () => {
  const SECRET = 'Qx7%20zz'
  test.for([
    { answer: 'HTTP/1.1 407 No\r\n\r\n', reason: 'proxy_authentication' },
    { answer: 'HTTP/1.1 401 Unauthorized\r\n\r\n', reason: 'proxy_authentication' },
    { answer: 'HTTP/1.1 403 No\r\n\r\n', reason: 'proxy_refused' },
    { answer: 'HTTP/1.1 504 Late\r\nContent-Length: 2\r\n\r\nno', reason: 'proxy_failed' },
    { answer: 'SSH-2.0-OpenSSH\r\n\r\n', reason: 'proxy_malformed' },
    { answer: 'HTTP/1.1 200 OK\r\n\r\nSSH-2.0', reason: 'proxy_malformed' },
    { answer: `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`, reason: 'proxy_malformed' },
    { answer: '', reason: 'proxy_closed' },
  ])('is told of as $reason, without its password', async ({ answer, reason }) => {
    await using _ = watchResources()
    await using proxy = await createConnectProxy({ answer })
    await using transport = through(`http://ada:${SECRET}@127.0.0.1:${proxy.port}`)
    const error = await errorOf(
      transport.send(
        requestOf(`https://api.vendor.example:${port}/`, { method: 'POST', body: '{}' }),
      ),
    )
    expect(error).toMatchObject({
      code: 'upstream_unreachable',
      details: {
        host: 'api.vendor.example',
        phase: 'connect',
        sent: false,
        proxy: `127.0.0.1:${proxy.port}`,
        reason,
      },
    })
    expect(String(error)).toContain(`127.0.0.1:${proxy.port}`)
    for (const secret of ['Qx7', Buffer.from('ada:Qx7 zz').toString('base64')])
      expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(secret)
  })

  test('is told of by name when nothing listens there, and when it says nothing', async () => {
    await using _ = watchResources()
    const gone = await createConnectProxy()
    await gone[Symbol.asyncDispose]()
    const url = `https://api.vendor.example:${port}/`
    await using refusing = through(`http://127.0.0.1:${gone.port}`)
    expect(await errorOf(refusing.send(requestOf(url)))).toMatchObject({
      code: 'upstream_unreachable',
      details: { reason: 'ECONNREFUSED', proxy: `127.0.0.1:${gone.port}` },
    })
    await using silent = await createTcpVendor(() => {})
    await using waiting = through(`http://127.0.0.1:${silent.port}`, { limits: { connectMs: 200 } })
    const error = await errorOf(waiting.send(requestOf(url)))
    expect(error).toMatchObject({ code: 'upstream_unreachable', details: { phase: 'connect' } })
    expect(String(error)).toContain(`127.0.0.1:${silent.port}`)
  })

  test('with a certificate of an unknown authority is not spoken to', async () => {
    const own = createCertificate({ name: 'self', hosts: ['localhost'] })
    await using proxy = await createConnectProxy({ tls: own })
    await using transport = through(`https://localhost:${proxy.port}`)
    const error = await errorOf(transport.send(requestOf(`https://api.vendor.example:${port}/`)))
    expect(error).toMatchObject({
      details: { reason: 'DEPTH_ZERO_SELF_SIGNED_CERT', proxy: `localhost:${proxy.port}` },
    })
    expect(proxy.asked).toEqual([])
  })
})

describe('the setting', () => {
  test.for([
    'proxy.example.com:3128',
    'socks5://proxy.example.com',
    'http://proxy.example.com/path',
    'http://u:p%@proxy.example.com',
    '',
  ])('%s is refused, and not shown', (url) => {
    expect(proxyProblem(url)).not.toBeNull()
    expect(() => readProxy(url)).toThrow(TypeError)
    expect(() => readProxy(url)).not.toThrow(/p%@|3128\/|u:p/)
  })

  test('stands next to no dispatcher', () => {
    const dispatcher = new MockAgent()
    expect(() => openTransport({ dispatcher, proxy: 'http://127.0.0.1:1' })).toThrow(TypeError)
  })

  test.for([
    { except: ['example.com'], direct: ['example.com', 'api.example.com'], by: ['badexample.com'] },
    { except: ['.example.com'], direct: ['api.example.com'], by: ['example.org'] },
    { except: ['*.example.com'], direct: ['api.example.com'], by: ['example.org'] },
    { except: ['example.com:8443'], direct: ['example.com:8443'], by: ['example.com'] },
    {
      except: ['10.0.0.0/8', ' FD00::/8'],
      direct: ['10.2.3.4', '[fd00::1]'],
      by: ['11.0.0.1', 'ten.example'],
    },
    { except: ['192.0.2.1'], direct: ['192.0.2.1'], by: ['192.0.2.2'] },
    { except: ['*'], direct: ['example.com'], by: [] },
    {
      except: [''],
      direct: ['localhost', '127.0.0.9', '[::1]', 'a.localhost'],
      by: ['example.com'],
    },
  ])('except $except', ({ except, direct, by }) => {
    const { takes } = readProxy({ url: 'http://proxy.example.net', except })
    const taken = (host: string): boolean => takes(new URL(`https://${host}/`))
    expect(direct.filter(taken)).toEqual([])
    expect(by.filter(taken)).toEqual(by)
  })
})
