import { gzipSync } from 'node:zlib'

import { Client, MockAgent } from 'undici'
import { describe, expect, test } from 'vitest'

import type { UpstreamResponse } from '../../../src/engine/exchange/transport.ts'
import type { HttpVendor } from '../../faults/http-vendor.ts'
import { createHttpVendor, sendJson } from '../../faults/http-vendor.ts'
import { eventually, turnsOfTheLoop, watchResources } from '../../faults/resources.ts'
import { createTcpVendor } from '../../faults/tcp-vendor.ts'
import { FAULTS, raw } from '../../faults/faults.ts'

import { errorOf, openTransport, requestOf } from './requests.ts'

/** Tells what it was asked. */
function createEchoVendor(): Promise<HttpVendor> {
  return createHttpVendor(({ method, url, headers, body }, response) => {
    sendJson(response, { method, url, headers, body })
  })
}

describe('what goes onto the wire', () => {
  test('is the request, and nothing of our own but framing and accept-encoding', async () => {
    await using _ = watchResources()
    await using vendor = await createEchoVendor()
    await using transport = openTransport()
    const url = `${vendor.url}/a%2Fb/c?jql=project%20%3D%20A%2BB&x=%5B1%5D#fragment`
    const response = await transport.send(
      requestOf(url, {
        method: 'POST',
        headers: {
          authorization: 'Basic dTpw',
          'content-type': 'application/json',
          'accept-encoding': 'br',
          host: 'elsewhere.example',
        },
        body: '{"name":"Jörg"}',
      }),
    )
    expect(JSON.parse(response.body.toString())).toEqual({
      method: 'POST',
      url: '/a%2Fb/c?jql=project%20%3D%20A%2BB&x=%5B1%5D',
      headers: {
        authorization: 'Basic dTpw',
        'content-type': 'application/json',
        'accept-encoding': 'gzip',
        host: `127.0.0.1:${vendor.port}`,
        connection: 'keep-alive',
        'content-length': '16',
      },
      body: '{"name":"Jörg"}',
    })
    expect(response.url).toBe(url)
  })

  test('is any method, with bytes as the body or without one', async () => {
    await using vendor = await createEchoVendor()
    await using transport = openTransport()
    const bytes = new TextEncoder().encode('bytes')
    for (const [method, body] of [
      ['PUT', bytes],
      ['PATCH', 'text'],
      ['DELETE', null],
      ['GET', null],
    ] as const) {
      await transport.send(requestOf(vendor.url, { method, body }))
    }
    expect(vendor.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['PUT', '/', 'bytes'],
      ['PATCH', '/', 'text'],
      ['DELETE', '/', ''],
      ['GET', '/', ''],
    ])
  })

  test('is a query directly behind the host too', async () => {
    await using vendor = await createEchoVendor()
    await using transport = openTransport()
    await transport.send(requestOf(`${vendor.url}?a=1`))
    expect(vendor.requests[0]?.url).toBe('/?a=1')
  })

  test.for([
    { name: 'a line break in the path', url: '/a\r\nx-injected: 1', headers: {} },
    { name: 'a space in the path', url: '/a b', headers: {} },
    { name: 'a line break in a header', url: '/', headers: { 'x-a': 'b\r\nx-injected: 1' } },
    { name: 'a header name with a colon', url: '/', headers: { 'x:a': 'b' } },
    { name: 'a framing header', url: '/', headers: { 'transfer-encoding': 'chunked' } },
  ])('is never $name', async ({ url, headers }) => {
    await using vendor = await createEchoVendor()
    await using transport = openTransport()
    expect(await errorOf(transport.send(requestOf(vendor.url + url, { headers })))).toMatchObject({
      code: 'internal_error',
      details: { sent: false, phase: 'connect' },
    })
    expect(vendor.requests).toEqual([])
  })

  test('asks for plain bytes where the answer is streamed', async () => {
    await using vendor = await createEchoVendor()
    await using transport = openTransport()
    const { body } = await transport.stream(requestOf(vendor.url))
    const echoed = JSON.parse(Buffer.concat(await body.toArray()).toString())
    expect(echoed.headers['accept-encoding']).toBe('identity')
  })
})

describe('the answer', () => {
  test('has status, headers in lower case and joined, no cookies, the address and the body', async () => {
    await using vendor = await createTcpVendor(
      raw(
        'HTTP/1.1 418 Teapot\r\nContent-Type: text/plain; charset=utf-8\r\nX-Twice: a\r\nx-twice: b\r\n',
        'Set-Cookie: session=secret\r\n__proto__: evil\r\nX-Latin: \u00e9\r\nContent-Length: 5\r\n\r\nshort',
      ),
    )
    await using transport = openTransport()
    const response = await transport.send(requestOf(`${vendor.url}/pot`))
    expect(response).toEqual({
      status: 418,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'x-twice': 'a, b',
        'x-latin': 'Ã©',
        'content-length': '5',
      },
      url: `${vendor.url}/pot`,
      body: Buffer.from('short'),
    })
    expect(Object.getPrototypeOf(response.headers)).toBe(Object.prototype)
  })

  test('is inflated, however large it is and however it is called', async () => {
    const bodies: Record<string, { coding: string; plain: Buffer }> = {
      '/small': { coding: 'gzip', plain: Buffer.from('{"ok":true}') },
      '/old-name': { coding: 'X-GZIP', plain: Buffer.from('{"ok":true}') },
      '/none': { coding: 'identity', plain: Buffer.from('{"ok":true}') },
      '/large': {
        coding: 'gzip',
        plain: Buffer.from(Array.from({ length: 400_000 }, (_, index) => `${index ** 2}`).join()),
      },
    }
    await using vendor = await createHttpVendor(({ url }, response) => {
      const { coding = '', plain = '' } = bodies[url] ?? {}
      response.setHeader('content-encoding', coding)
      response.end(coding === 'identity' ? plain : gzipSync(plain))
    })
    await using transport = openTransport()
    for (const [path, { plain }] of Object.entries(bodies)) {
      const { body } = await transport.send(requestOf(vendor.url + path))
      expect(body.equals(plain)).toBe(true)
    }
  })

  test('may be empty, also where it is called compressed', async () => {
    await using vendor = await createHttpVendor(({ method }, response) => {
      response.writeHead(method === 'DELETE' ? 204 : 200, { 'content-encoding': 'gzip' }).end()
    })
    await using transport = openTransport()
    for (const method of ['GET', 'DELETE']) {
      expect((await transport.send(requestOf(vendor.url, { method }))).body).toHaveLength(0)
    }
  })

  test('to HEAD has the length of a body that does not come', async () => {
    await using vendor = await createHttpVendor((_request, response) => {
      response.writeHead(200, { 'content-length': String(2 ** 40) }).end()
    })
    await using transport = openTransport()
    const response = await transport.send(requestOf(vendor.url, { method: 'HEAD' }))
    expect([response.headers['content-length'], response.body.length]).toEqual([`${2 ** 40}`, 0])
  })

  test('comes after informational ones', async () => {
    await using vendor = await createTcpVendor(
      raw(
        'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
        'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
      ),
    )
    await using transport = openTransport()
    const response = await transport.send(requestOf(vendor.url))
    expect([response.status, response.body.toString()]).toEqual([200, 'ok'])
  })
})

describe('connections', () => {
  test('are kept and used again, one request at a time on each', async () => {
    await using vendor = await createEchoVendor()
    await using transport = openTransport()
    for (let call = 0; call < 20; call++) await transport.send(requestOf(vendor.url))
    expect(vendor.connections).toBe(1)
    await Promise.all(Array.from({ length: 8 }, () => transport.send(requestOf(vendor.url))))
    expect(vendor.connections).toBeLessThanOrEqual(8)
  })

  test('are bounded per origin; so are the calls that wait for one', async () => {
    await using _ = watchResources()
    const open: (() => void)[] = []
    await using vendor = await createHttpVendor(async (_request, response) => {
      await new Promise<void>((resolve) => open.push(resolve))
      sendJson(response, {})
    })
    await using transport = openTransport({ limits: { connections: 3, queue: 4 } })
    const calls = Array.from({ length: 7 }, () => transport.send(requestOf(vendor.url)))
    expect(await errorOf(transport.send(requestOf(vendor.url)))).toMatchObject({
      code: 'overloaded',
      retryable: true,
      retryAfterMs: 1000,
      details: { sent: false, phase: 'connect' },
    })
    await eventually(() => open.length === 3)
    expect([vendor.connections, vendor.requests.length]).toEqual([3, 3])
    while (vendor.requests.length < 7 || open.length > 0) {
      open.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(7).fill(200))
    expect(vendor.connections).toBe(3)
  })

  test('T9 whoever has nothing under way does not wait for others, and lanes take turns', async () => {
    const open: (() => void)[] = []
    await using vendor = await createHttpVendor(async (_request, response) => {
      await new Promise<void>((resolve) => open.push(resolve))
      sendJson(response, {})
    })
    await using transport = openTransport({ limits: { connections: 2, queue: 5 } })
    const send = (path: string, lane: string): Promise<unknown> =>
      transport.send(requestOf(`${vendor.url}/${path}`), { lane })
    const calls = [
      ...['a1', 'a2', 'a3', 'a4', 'a5'].map((path) => send(path, 'a')),
      ...['b1', 'b2', 'b3'].map((path) => send(path, 'b')),
    ]
    await eventually(() => open.length === 3)
    expect(vendor.requests.map(({ url }) => url)).toEqual(['/a1', '/a2', '/b1'])
    // The line is full, and still nobody is turned away for the sake of others.
    calls.push(send('c1', 'c'))
    expect(await errorOf(send('a6', 'a') as never)).toMatchObject({ code: 'overloaded' })
    while (vendor.requests.length < 9 || open.length > 0) {
      open.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(calls)
    const order = vendor.requests.map(({ url }) => url)
    expect(order.indexOf('/b3')).toBeLessThan(order.indexOf('/a5'))
    expect(vendor.connections).toBeLessThanOrEqual(4)
  })

  test('streams have connections of their own', async () => {
    const open: (() => void)[] = []
    await using vendor = await createHttpVendor(async ({ url }, response) => {
      if (url !== '/file') return sendJson(response, {})
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('x')
      await new Promise<void>((resolve) => open.push(resolve))
      response.end()
    })
    await using transport = openTransport({ limits: { connections: 1, streams: 2, queue: 1 } })
    const files = await Promise.all([
      transport.stream(requestOf(`${vendor.url}/file`)),
      transport.stream(requestOf(`${vendor.url}/file`)),
    ])
    expect((await transport.send(requestOf(vendor.url))).status).toBe(200)
    for (const go of open) go()
    for (const { body } of files) await body.toArray()
  })

  test('another origin does not wait for a full one', async () => {
    await using stuck = await createTcpVendor(FAULTS['hangs before the head'])
    await using vendor = await createEchoVendor()
    await using transport = openTransport({ limits: { connections: 1, queue: 1 } })
    const waiting = [
      transport.send(requestOf(stuck.url)).catch(() => {}),
      transport.send(requestOf(stuck.url)).catch(() => {}),
    ]
    expect((await transport.send(requestOf(vendor.url))).status).toBe(200)
    await transport.close()
    await Promise.all(waiting)
  })

  test('are bounded over all origins: those that rest make room, and a call without one is overloaded', async () => {
    await using _ = watchResources()
    const open: (() => void)[] = []
    const makeVendor = (): Promise<HttpVendor> =>
      createHttpVendor(async ({ url }, response) => {
        if (url === '/held') await new Promise<void>((resolve) => open.push(resolve))
        sendJson(response, {})
      })
    await using one = await makeVendor()
    await using two = await makeVendor()
    await using three = await makeVendor()
    await using transport = openTransport({ limits: { sockets: 2 } })
    const send = (url: string): Promise<UpstreamResponse> => transport.send(requestOf(url))
    // One rests, and goes for the sake of another origin.
    expect((await send(one.url)).status).toBe(200)
    const held = [send(`${two.url}/held`), send(`${three.url}/held`)]
    await eventually(() => open.length === 2)
    await eventually(() => one.open === 0)
    expect(await errorOf(send(one.url))).toMatchObject({
      code: 'overloaded',
      retryable: true,
      retryAfterMs: 1000,
      details: { sent: false, phase: 'connect' },
    })
    for (const go of open) go()
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200])
    expect((await send(one.url)).status).toBe(200)
  })

  test('that this process cannot open say nothing about the third party', async () => {
    const failure = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' })
    const dispatcher = new Client('http://127.0.0.1:9', {
      connect: (_options, callback) => callback(failure, null),
    })
    await using transport = openTransport({ dispatcher })
    expect(await errorOf(transport.send(requestOf('http://127.0.0.1:9/')))).toMatchObject({
      code: 'overloaded',
      retryAfterMs: 1000,
      details: { sent: false, phase: 'connect', reason: 'EMFILE' },
    })
    await dispatcher.destroy()
  })

  test('a call that waits too long for one is overloaded, an aborted one leaves the line', async () => {
    await using stuck = await createTcpVendor(FAULTS['hangs before the head'])
    await using transport = openTransport({ limits: { connections: 1, queue: 1, queueMs: 50 } })
    const first = transport.send(requestOf(stuck.url)).catch(() => {})
    expect(await errorOf(transport.send(requestOf(stuck.url)))).toMatchObject({
      code: 'overloaded',
      details: { sent: false },
    })
    const controller = new AbortController()
    const second = transport.send(requestOf(stuck.url), { signal: controller.signal })
    controller.abort(new Error('changed my mind'))
    expect(await errorOf(second)).toMatchObject({ code: 'aborted', details: { sent: false } })
    // Its place is free again.
    expect(await errorOf(transport.send(requestOf(stuck.url)))).toMatchObject({
      code: 'overloaded',
      message: expect.stringContaining('50 ms'),
    })
    await transport.close()
    await first
    expect(stuck.requests).toHaveLength(1)
  })

  test('of many origins are not all kept for ever', async () => {
    await using _ = watchResources()
    await using first = await createEchoVendor()
    await using second = await createEchoVendor()
    await using third = await createEchoVendor()
    await using transport = openTransport({ limits: { origins: 2 } })
    for (const { url } of [first, second, third]) await transport.send(requestOf(url))
    await eventually(() => first.open === 0)
    expect([first.open, second.open, third.open]).toEqual([0, 1, 1])
    expect((await transport.send(requestOf(first.url))).status).toBe(200)
  })
})

describe('abort', () => {
  test.for([
    { name: 'before anything', phase: 'connect', sent: false, at: 'start' },
    { name: 'while the head is awaited', phase: 'head', sent: true, at: 'head' },
    { name: 'within the body', phase: 'body', sent: true, at: 'body' },
  ] as const)('$name gives aborted with the reason, and frees the connection', async (given) => {
    await using _ = watchResources()
    const fault = given.at === 'head' ? 'hangs before the head' : 'hangs within the body'
    await using vendor = await createTcpVendor(FAULTS[fault])
    await using transport = openTransport()
    const controller = new AbortController()
    const reason = new Error('enough')
    if (given.at === 'start') controller.abort(reason)
    const call = transport.send(requestOf(vendor.url), { signal: controller.signal })
    call.catch(() => {})
    if (given.at !== 'start') {
      await eventually(() => vendor.requests.length === 1)
      await turnsOfTheLoop()
      controller.abort(reason)
    }
    expect(await errorOf(call)).toMatchObject({
      code: 'aborted',
      cause: reason,
      details: { phase: given.phase, sent: given.sent },
    })
    await eventually(() => vendor.open === 0)
  })

  test('while connecting sends nothing, also when the connection comes later', async () => {
    await using vendor = await createEchoVendor()
    const found: (() => void)[] = []
    await using transport = openTransport({
      resolve: (_hostname, _options, callback) => {
        found.push(() => callback(null, [{ address: '127.0.0.1', family: 4 }]))
      },
    })
    const controller = new AbortController()
    const call = transport.send(
      requestOf(`http://localhost:${vendor.port}`, { method: 'POST', body: '{}' }),
      { signal: controller.signal },
    )
    call.catch(() => {})
    await eventually(() => found.length === 1)
    controller.abort()
    expect(await errorOf(call)).toMatchObject({
      code: 'aborted',
      details: { phase: 'connect', sent: false },
    })
    found[0]?.()
    await eventually(() => vendor.connections === 1)
    await eventually(() => vendor.open === 0)
    expect(vendor.requests).toEqual([])
  })

  test('puts one listener on a signal that outlives the calls', async () => {
    await using vendor = await createEchoVendor()
    await using transport = openTransport()
    const { signal, count } = countingSignal()
    for (let call = 0; call < 5; call++) await transport.send(requestOf(vendor.url), { signal })
    await errorOf(transport.send(requestOf('http://localhost:1'), { signal }))
    const { body } = await transport.stream(requestOf(vendor.url), { signal })
    await body.toArray()
    expect(count).toEqual({ added: 1, removed: 0 })
  })
})

describe('close', () => {
  test('ends calls under way and closes every connection', async () => {
    await using _ = watchResources()
    await using vendor = await createTcpVendor([
      raw('HTTP/1.1 204 No\r\n\r\n'),
      FAULTS['hangs before the head'],
    ])
    const transport = openTransport({ limits: { connections: 1 } })
    await transport.send(requestOf(vendor.url))
    const calls = [
      errorOf(transport.send(requestOf(vendor.url))),
      errorOf(transport.send(requestOf(vendor.url))),
    ]
    await eventually(() => vendor.requests.length === 2)
    await transport.close()
    await transport.close()
    expect(await Promise.all(calls)).toMatchObject([
      { code: 'aborted', details: { sent: true, phase: 'head' } },
      { code: 'aborted', details: { sent: false, phase: 'connect' } },
    ])
    await eventually(() => vendor.open === 0)
    expect(await errorOf(transport.send(requestOf(vendor.url)))).toMatchObject({ code: 'aborted' })
  })

  test('before the first call is fine', async () => {
    await expect(openTransport().close()).resolves.toBeUndefined()
  })
})

describe('a dispatcher of the host', () => {
  test('is used instead of pools, and stays open', async () => {
    const agent = new MockAgent()
    agent.disableNetConnect()
    agent
      .get('https://api.vendor.example')
      .intercept({ path: '/v1/things?id=7', method: 'GET' })
      .reply(200, { ok: true }, { headers: { 'content-type': 'application/json' } })
      .times(2)
    for (let round = 0; round < 2; round++) {
      await using transport = openTransport({ dispatcher: agent })
      const response = await transport.send(requestOf('https://api.vendor.example/v1/things?id=7'))
      expect([response.status, response.headers, response.body.toString()]).toEqual([
        200,
        { 'content-type': 'application/json' },
        '{"ok":true}',
      ])
    }
    await agent.close()
  })

  test('gets no request to a private literal or without https', async () => {
    const agent = new MockAgent()
    await using transport = openTransport({ dispatcher: agent, allowHosts: [] })
    for (const url of ['https://127.0.0.1/', 'http://api.vendor.example/']) {
      expect(await errorOf(transport.send(requestOf(url)))).toMatchObject({
        code: 'destination_refused',
      })
    }
    await agent.close()
  })
})

/** A signal that counts its listeners. */
function countingSignal(): { signal: AbortSignal; count: { added: number; removed: number } } {
  const { signal } = new AbortController()
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  const count = { added: 0, removed: 0 }
  signal.addEventListener = (...rest: Parameters<typeof add>) => {
    count.added++
    add(...rest)
  }
  signal.removeEventListener = (...rest: Parameters<typeof remove>) => {
    count.removed++
    remove(...rest)
  }
  return { signal, count }
}
