import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { describe, expect, test } from 'vitest'

import { FAULTS, raw, rawThenReset } from '../../faults/faults.ts'
import { createHttpVendor } from '../../faults/http-vendor.ts'
import { eventually, turnsOfTheLoop, watchResources } from '../../faults/resources.ts'
import type { Script } from '../../faults/tcp-vendor.ts'
import { createTcpVendor } from '../../faults/tcp-vendor.ts'

import { probeMemory } from './probe-memory.ts'
import { errorOf, openTransport, requestOf } from './requests.ts'

const MIB = 1024 * 1024

/** Sends so many bytes as fast as the client takes them, and says how many the kernel took. */
function flood(bytes: number): { readonly script: Script; readonly sent: () => number } {
  let sent = 0
  return {
    sent: () => sent,
    async script(conversation) {
      await conversation.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n`)
      const chunk = Buffer.alloc(64 * 1024, 'x')
      while (sent < bytes && conversation.socket.writable) {
        await conversation.write(chunk.subarray(0, Math.min(chunk.length, bytes - sent)))
        sent += chunk.length
      }
    },
  }
}

describe('M1 a streamed body', () => {
  test('M1 of 256 MiB passes through 64 MiB of memory', async () => {
    await using vendor = await createTcpVendor([
      raw('HTTP/1.1 204 No\r\n\r\n'),
      flood(256 * MIB).script,
    ])
    const report = await probeMemory('stream', `${vendor.url}/file`)
    expect(report).toMatchObject({ code: null, bytes: 256 * MIB })
    expect(report.grownMiB).toBeLessThan(64)
  })

  test('M1 arrives with its head first, byte for byte', async () => {
    await using _ = watchResources()
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
    await using vendor = await createHttpVendor((_request, response) => {
      response.writeHead(206, { 'content-type': 'audio/mpeg', 'content-range': 'bytes 0-9/10' })
      response.end(bytes)
    })
    await using transport = openTransport()
    const { status, headers, url, body } = await transport.stream(requestOf(`${vendor.url}/a.mp3`))
    expect([status, headers['content-type'], headers['content-range'], url]).toEqual([
      206,
      'audio/mpeg',
      'bytes 0-9/10',
      `${vendor.url}/a.mp3`,
    ])
    expect(Buffer.concat(await body.toArray()).equals(bytes)).toBe(true)
    // Its connection serves the next one.
    await (await transport.stream(requestOf(vendor.url))).body.toArray()
    expect(vendor.connections).toBe(1)
  })

  test('M1 that nobody reads stops the vendor, for as long as it takes', async () => {
    await using _ = watchResources()
    const { script, sent } = flood(64 * MIB)
    await using vendor = await createTcpVendor(script)
    await using transport = openTransport({ limits: { idleMs: 1_000, rateWindowMs: 1_000 } })
    const { body } = await transport.stream(requestOf(vendor.url))
    // Waits for time: a vendor has stopped when it sends nothing for a while; a busy machine fills buffers slowly.
    const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 600))
    let stoppedAt = -1
    while (sent() !== stoppedAt) {
      stoppedAt = sent()
      await rest()
    }
    expect(stoppedAt).toBeLessThan(16 * MIB)
    await rest()
    await rest()
    expect(sent()).toBe(stoppedAt)
    // Time in which the reader was away is not held against the vendor.
    let bytes = 0
    for await (const chunk of body) bytes += (chunk as Buffer).length
    expect(bytes).toBe(64 * MIB)
  })

  test('M1 reaches a slow reader completely', async () => {
    await using vendor = await createTcpVendor(flood(2 * MIB).script)
    await using transport = openTransport({ limits: { idleMs: 5_000 } })
    const { body } = await transport.stream(requestOf(vendor.url))
    let bytes = 0
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        // Waits for time: the reader is slow.
        setTimeout(done, 5)
      },
    })
    await pipeline(body, slow)
    expect(bytes).toBe(2 * MIB)
  })

  test.for([
    { name: 'destroys it', leave: 'destroy' },
    { name: 'breaks out of its loop', leave: 'break' },
    { name: 'aborts', leave: 'abort' },
  ] as const)('M1 whose reader $name leaves no connection behind', async ({ leave }) => {
    await using _ = watchResources()
    await using vendor = await createTcpVendor(flood(64 * MIB).script)
    await using transport = openTransport()
    const controller = new AbortController()
    const { body } = await transport.stream(requestOf(vendor.url), { signal: controller.signal })
    if (leave === 'destroy') {
      body.destroy()
    } else if (leave === 'break') {
      for await (const _chunk of body) break
    } else {
      const reading = errorOf(body.toArray())
      controller.abort(new Error('enough'))
      expect(await reading).toMatchObject({
        code: 'aborted',
        cause: { message: 'enough' },
        details: { sent: true, phase: 'body', status: 200 },
      })
    }
    await eventually(() => vendor.open === 0)
  })

  test('M1 whose reader leaves while the vendor is silent leaves no connection behind', async () => {
    await using _ = watchResources()
    await using vendor = await createTcpVendor(FAULTS['hangs within the body'])
    await using transport = openTransport()
    const { body } = await transport.stream(requestOf(vendor.url))
    body.resume()
    await turnsOfTheLoop()
    body.destroy()
    await eventually(() => vendor.open === 0)
    expect(body.destroyed).toBe(true)
  })

  test.for([
    { fault: 'closes within the body', code: 'upstream_unreachable', bytes: 5 },
    { fault: 'resets within the body', code: 'upstream_unreachable', bytes: 5 },
    { fault: 'leaves out the last chunk', code: 'upstream_unreachable', bytes: 11 },
    { fault: 'has a bad chunk size', code: 'upstream_malformed', bytes: 0 },
    { fault: 'hangs within the body', code: 'upstream_timeout', bytes: 5 },
  ] as const)('M1 that $fault errors and never just ends', async ({ fault, code, bytes }) => {
    await using _ = watchResources()
    await using vendor = await createTcpVendor(FAULTS[fault])
    await using transport = openTransport({ limits: { idleMs: 500 } })
    const { body } = await transport.stream(requestOf(vendor.url))
    const events: string[] = []
    body.on('end', () => events.push('end')).on('error', () => events.push('error'))
    body.resume()
    await new Promise((resolve) => body.once('close', resolve))
    expect(events).toEqual(['error'])
    expect(body.errored).toMatchObject({
      code: 'download_interrupted',
      details: { phase: 'body', status: 200, sent: true, bytes },
      cause: { code },
    })
  })

  test('M1 that breaks before anybody looks does not end the process, and tells the reader', async () => {
    await using vendor = await createTcpVendor(
      rawThenReset('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegin'),
    )
    await using transport = openTransport()
    const { body } = await transport.stream(requestOf(vendor.url))
    await eventually(() => body.destroyed)
    expect(await errorOf(body.toArray())).toMatchObject({
      code: 'download_interrupted',
      cause: { code: 'upstream_unreachable' },
    })
  })

  test('M1 that comes too slowly ends, one that is just fast enough does not', async () => {
    await using _ = watchResources()
    const script: Script = async (conversation) => {
      await conversation.write('HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n')
      await conversation.drip(Array<string>(40).fill('x'.repeat(100)), 60)
    }
    // 100 bytes each 60 ms or more are at most 1,667 per second.
    for (const { rateBytesPerSecond, want } of [
      { rateBytesPerSecond: 20_000, want: 'rate' },
      { rateBytesPerSecond: 100, want: 4000 },
    ]) {
      await using vendor = await createTcpVendor(script)
      await using transport = openTransport({ limits: { rateBytesPerSecond, rateWindowMs: 1_000 } })
      const { body } = await transport.stream(requestOf(vendor.url))
      const outcome = await body.toArray().then(
        (chunks) => Buffer.concat(chunks as Buffer[]).length,
        (error: { code: string; details: { reason: string } }) =>
          error.code === 'download_interrupted' ? error.details.reason : error,
      )
      expect(outcome).toBe(want)
    }
  })

  test('M1 ends after its longest time, however well it flows', async () => {
    await using _ = watchResources()
    await using vendor = await createTcpVendor(FAULTS['drips chunks'])
    await using transport = openTransport({
      limits: { streamMs: 1_000, rateBytesPerSecond: 0 },
    })
    const { body } = await transport.stream(requestOf(vendor.url))
    expect(await errorOf(body.toArray())).toMatchObject({
      code: 'download_interrupted',
      details: { reason: 'total_timeout', phase: 'body' },
    })
    await eventually(() => vendor.open === 0)
  })

  test('M1 may take longer than the time given to its head', async () => {
    await using vendor = await createTcpVendor(async (conversation) => {
      await conversation.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n')
      await conversation.drip('0123456789', 150)
    })
    await using transport = openTransport()
    const { body } = await transport.stream(requestOf(vendor.url, { timeoutMs: 1_000 }))
    expect(Buffer.concat(await body.toArray()).toString()).toBe('0123456789')
  })
})

test('a streamed body of an error status is read like any other', async () => {
  await using vendor = await createTcpVendor(FAULTS['answers 500'])
  await using transport = openTransport()
  const { status, body } = await transport.stream(requestOf(vendor.url))
  expect([status, Buffer.concat(await body.toArray()).toString()]).toEqual([
    500,
    '{"error":"oops"}',
  ])
})

test('a streamed body keeps the coding the vendor chose unasked', async () => {
  await using vendor = await createTcpVendor(FAULTS['sends brotli'])
  await using transport = openTransport()
  const { headers, body } = await transport.stream(requestOf(vendor.url))
  expect([headers['content-encoding'], Buffer.concat(await body.toArray()).toString()]).toEqual([
    'br',
    '{"ok":true}',
  ])
})
