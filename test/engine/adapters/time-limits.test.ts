import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

import { describe, expect, test } from 'vitest'

import type { FaultName } from '../../faults/faults.ts'
import { FAULTS, fine, raw } from '../../faults/faults.ts'
import { eventually, watchResources } from '../../faults/resources.ts'
import { createTcpVendor } from '../../faults/tcp-vendor.ts'

import { errorOf, openTransport, requestOf } from './requests.ts'

/** Long enough for a machine that is busy to send what comes before the silence. */
const LIMITS = { connectMs: 500, headMs: 500, idleMs: 500 }

interface Stall {
  readonly fault: FaultName
  readonly timeoutMs?: number
  readonly want: { readonly phase: 'head' | 'body'; readonly reason: string; readonly status?: 200 }
}

const STALLS: readonly Stall[] = [
  { fault: 'hangs before the head', want: { phase: 'head', reason: 'head_timeout' } },
  { fault: 'hangs within the head', want: { phase: 'head', reason: 'head_timeout' } },
  { fault: 'drips the head', want: { phase: 'head', reason: 'head_timeout' } },
  { fault: 'sends 103 for ever', want: { phase: 'head', reason: 'head_timeout' } },
  {
    fault: 'hangs before the head',
    timeoutMs: 200,
    want: { phase: 'head', reason: 'total_timeout' },
  },
  { fault: 'hangs after the head', want: { phase: 'body', status: 200, reason: 'idle_timeout' } },
  { fault: 'hangs within the body', want: { phase: 'body', status: 200, reason: 'idle_timeout' } },
  {
    fault: 'hangs before the last chunk',
    want: { phase: 'body', status: 200, reason: 'idle_timeout' },
  },
  {
    fault: 'drips the body',
    timeoutMs: 1_000,
    want: { phase: 'body', status: 200, reason: 'total_timeout' },
  },
  {
    fault: 'drips chunks',
    timeoutMs: 1_000,
    want: { phase: 'body', status: 200, reason: 'total_timeout' },
  },
]

describe('U3 a vendor that stalls', () => {
  test.for(STALLS)(
    'U3 and $fault ends in time ($want.reason), socket and timers gone',
    async ({ fault, timeoutMs = 60_000, want }) => {
      await using _ = watchResources()
      await using vendor = await createTcpVendor([FAULTS[fault], fine])
      await using transport = openTransport({ limits: LIMITS })
      const error = await errorOf(transport.send(requestOf(vendor.url, { timeoutMs })))
      expect(error).toMatchObject({ code: 'upstream_timeout' })
      expect((error as { details: unknown }).details).toEqual({
        host: '127.0.0.1',
        sent: true,
        ...want,
      })
      await eventually(() => vendor.open === 0)
      // The connection is not used again; the next call works.
      expect((await transport.send(requestOf(vendor.url))).status).toBe(200)
    },
  )

  test.for(STALLS.filter(({ want }) => want.phase === 'head'))(
    'U3 and $fault ends in time when streamed, too',
    async ({ fault, timeoutMs = 60_000, want }) => {
      await using _ = watchResources()
      await using vendor = await createTcpVendor(FAULTS[fault])
      await using transport = openTransport({ limits: LIMITS })
      expect(await errorOf(transport.stream(requestOf(vendor.url, { timeoutMs })))).toMatchObject({
        code: 'upstream_timeout',
        details: want,
      })
      await eventually(() => vendor.open === 0)
    },
  )

  test('U3 before TLS is agreed on is unreachable, nothing was sent', async () => {
    await using _ = watchResources()
    await using silent = await createSilentServer()
    await using transport = openTransport({ limits: LIMITS })
    expect(
      await errorOf(transport.send(requestOf(`https://127.0.0.1:${silent.port}/`))),
    ).toMatchObject({
      code: 'upstream_unreachable',
      details: { phase: 'connect', sent: false },
    })
    await eventually(() => silent.sockets.every((socket) => socket.destroyed))
  })

  test('U3 a name server that never answers is unreachable, too', async () => {
    await using _ = watchResources()
    await using transport = openTransport({ limits: LIMITS, allowHosts: [], resolve: () => {} })
    expect(await errorOf(transport.send(requestOf('https://slow-dns.example/')))).toMatchObject({
      code: 'upstream_unreachable',
      details: { host: 'slow-dns.example', phase: 'connect', sent: false },
    })
  })

  test('U3 the total time counts while connecting', async () => {
    await using silent = await createSilentServer()
    await using transport = openTransport({ limits: { connectMs: 60_000 } })
    const url = `https://127.0.0.1:${silent.port}/`
    const start = performance.now()
    expect(await errorOf(transport.send(requestOf(url, { timeoutMs: 50 })))).toMatchObject({
      code: 'upstream_unreachable',
      details: { phase: 'connect', sent: false, reason: 'total_timeout' },
    })
    expect(performance.now() - start).toBeLessThan(30_000)
  })

  test('U3 a slow vendor that goes on is not a stalled one', async () => {
    await using vendor = await createTcpVendor(async (conversation) => {
      await conversation.write('HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n')
      await conversation.drip('slow but sure'.slice(0, 12), 100)
    })
    await using transport = openTransport({ limits: { idleMs: 1_000 } })
    const { body } = await transport.send(requestOf(vendor.url))
    expect(body.toString()).toBe('slow but sur')
  })

  test('U3 a thousand answered calls leave no timer', async () => {
    await using _ = watchResources()
    await using vendor = await createTcpVendor(raw('HTTP/1.1 204 No\r\n\r\n'))
    await using transport = openTransport()
    const { signal } = new AbortController()
    for (let round = 0; round < 40; round++) {
      await Promise.all(
        Array.from({ length: 25 }, () => transport.send(requestOf(vendor.url), { signal })),
      )
    }
    expect(vendor.requests).toHaveLength(1_000)
  })

  test('U3 what was answered keeps no process alive, although nobody closes the transport', async () => {
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    await using vendor = await createTcpVendor(fine)
    await using transport = openTransport()
    const before = timers()
    for (let call = 0; call < 3; call++) await transport.send(requestOf(vendor.url))
    expect(timers()).toBeLessThanOrEqual(before)
  })

  test('U3 calls to one host end each in its own time', async () => {
    await using _ = watchResources()
    await using vendor = await createTcpVendor(FAULTS['hangs before the head'])
    await using transport = openTransport({ limits: { headMs: 60_000 } })
    const send = (timeoutMs: number): Promise<unknown> =>
      errorOf(transport.send(requestOf(vendor.url, { timeoutMs })))
    const patient = send(60_000)
    const overdue = { code: 'upstream_timeout', details: { reason: 'total_timeout' } }
    expect(await Promise.all([send(300), send(100)])).toMatchObject([overdue, overdue])
    expect(await send(100)).toMatchObject(overdue)
    await transport.close()
    expect(await patient).toMatchObject({ code: 'aborted' })
  })
})

/** Accepts connections and never says a word. */
async function createSilentServer(): Promise<
  AsyncDisposable & { readonly port: number; readonly sockets: readonly Socket[] }
> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {}).resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
