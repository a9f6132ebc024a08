import { describe, expect, test } from 'vitest'

import type { HttpVendor } from '../../faults/http-vendor.ts'
import { createHttpVendor, sendJson } from '../../faults/http-vendor.ts'
import { FAULTS, redirect } from '../../faults/faults.ts'
import { eventually, watchResources } from '../../faults/resources.ts'
import { createTcpVendor } from '../../faults/tcp-vendor.ts'

import { errorOf, openTransport, requestOf } from './requests.ts'

const CREDENTIALED = {
  headers: {
    accept: '*/*',
    authorization: 'Bearer canary',
    cookie: 'session=canary',
    'x-api-key': 'canary',
  },
  secretHeaders: ['x-api-key'],
  secretQuery: ['key'],
  redirects: 3,
}

/** Redirects `/status/n` to the target, everything else is fine. */
function createRedirector(target: string): Promise<HttpVendor> {
  return createHttpVendor(({ url }, response) => {
    const status = Number(/^\/(\d{3})/.exec(url)?.[1] ?? 200)
    if (status === 200) sendJson(response, { at: 'home' })
    else response.writeHead(status, { location: target, 'set-cookie': 'session=canary' }).end()
  })
}

describe('G3 a redirect to another origin', () => {
  test.for([301, 302, 303, 307, 308])(
    'G3 by %i hands over no secret, buffered or streamed',
    async (status) => {
      await using _ = watchResources()
      await using other = await createHttpVendor((_request, response) => sendJson(response, {}))
      await using home = await createRedirector(`${other.url}/file?key=canary&part=1`)
      await using transport = openTransport()
      const request = requestOf(`${home.url}/${status}?key=canary`, CREDENTIALED)
      const sent = await transport.send(request)
      const streamed = await transport.stream(request)
      await streamed.body.toArray()
      expect([sent.url, streamed.url]).toEqual(Array(2).fill(`${other.url}/file?part=1`))
      expect(other.requests).toHaveLength(2)
      expect(JSON.stringify(other.requests)).not.toContain('canary')
      expect(other.requests[0]).toMatchObject({
        method: 'GET',
        url: '/file?part=1',
        headers: { accept: '*/*' },
      })
    },
  )

  test.for([301, 302, 303, 307, 308])('G3 by %i hands over no body', async (status) => {
    await using other = await createHttpVendor((_request, response) => sendJson(response, {}))
    await using home = await createRedirector(other.url)
    await using transport = openTransport()
    const response = await transport.send(
      requestOf(`${home.url}/${status}`, { ...CREDENTIALED, method: 'POST', body: 'canary' }),
    )
    expect(response.status).toBe(status === 303 ? 200 : status)
    expect(JSON.stringify(other.requests)).not.toContain('canary')
    expect(other.requests.map(({ method }) => method)).toEqual(status === 303 ? ['GET'] : [])
  })

  test('G3 to a place the guard refuses is destination_refused, after the first request was sent', async () => {
    await using canary = await createHttpVendor((_request, response) => sendJson(response, {}))
    for (const target of [
      `http://127.0.0.1:${canary.port}/`,
      `http://[::ffff:127.0.0.1]:${canary.port}/`,
      'http://169.254.169.254/latest/meta-data',
      'https://10.0.0.1/',
      'http://public.example/',
      'https://user:pass@public.example/',
      'https://public.example:8443/',
      'file:///etc/passwd',
    ]) {
      await using home = await createRedirector(target)
      await using transport = openTransport({ allowHosts: [`localhost:${home.port}`] })
      const url = `http://localhost:${home.port}/302`
      expect(await errorOf(transport.send(requestOf(url, CREDENTIALED)))).toMatchObject({
        code: 'destination_refused',
        details: { sent: true },
      })
    }
    expect(canary.connections).toBe(0)
  })
})

describe('G3 a redirect that is not allowed is the answer', () => {
  test.for([301, 302, 303, 307, 308])('G3 %i without a hop allowed', async (status) => {
    await using other = await createHttpVendor((_request, response) => sendJson(response, {}))
    await using home = await createRedirector(other.url)
    await using transport = openTransport()
    const response = await transport.send(requestOf(`${home.url}/${status}`))
    expect([response.status, response.headers['location']]).toEqual([status, other.url])
    expect(other.connections).toBe(0)
  })

  test('G3 a loop ends after the allowed hops with the redirect as the answer', async () => {
    await using _ = watchResources()
    await using home = await createHttpVendor((_request, response) => {
      response.writeHead(302, { location: '/again' }).end()
    })
    await using transport = openTransport()
    const response = await transport.send(requestOf(home.url, CREDENTIALED))
    expect([response.status, home.requests.length]).toEqual([302, 4])
  })
})

test('a redirect within the origin keeps the credentials', async () => {
  await using home = await createRedirector('/file?key=canary')
  await using transport = openTransport()
  await transport.send(requestOf(`${home.url}/307`, { ...CREDENTIALED, method: 'PUT', body: 'x' }))
  expect(home.requests[1]).toMatchObject({
    method: 'PUT',
    url: '/file?key=canary',
    headers: CREDENTIALED.headers,
    body: 'x',
  })
})

test('all hops share the time of one attempt', async () => {
  await using stuck = await createTcpVendor(FAULTS['hangs before the head'])
  await using home = await createTcpVendor(async (conversation) => {
    // Waits for time: half of the time that all hops have.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await redirect(302, stuck.url)(conversation)
  })
  await using transport = openTransport()
  const start = performance.now()
  expect(
    await errorOf(transport.send(requestOf(home.url, { redirects: 1, timeoutMs: 2_000 }))),
  ).toMatchObject({ code: 'upstream_timeout', details: { sent: true, phase: 'head' } })
  const tookMs = performance.now() - start
  expect(tookMs).toBeGreaterThan(1_500)
  expect(tookMs).toBeLessThan(2_900)
})

test('a redirect with an endless body is followed without it', async () => {
  await using _ = watchResources()
  await using other = await createHttpVendor((_request, response) => sendJson(response, {}))
  await using home = await createTcpVendor(async (conversation) => {
    await conversation.write(
      `HTTP/1.1 302 Found\r\nlocation: ${other.url}\r\ntransfer-encoding: chunked\r\n\r\n`,
    )
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    while (conversation.socket.writable) await conversation.write(chunk)
  })
  await using transport = openTransport()
  expect((await transport.send(requestOf(home.url, { redirects: 1 }))).status).toBe(200)
  await eventually(() => home.open === 0)
})
