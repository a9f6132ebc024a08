import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import type { FaultName } from '../../faults/faults.ts'
import { FAULTS, answer, fine, raw } from '../../faults/faults.ts'
import { gzipBomb, gzipBombOfMembers } from '../../faults/hostile-bodies.ts'
import { eventually, watchResources } from '../../faults/resources.ts'
import type { Script } from '../../faults/tcp-vendor.ts'
import { createTcpVendor } from '../../faults/tcp-vendor.ts'

import { probeMemory } from './probe-memory.ts'
import { errorOf, openTransport, requestOf } from './requests.ts'

const MIB = 1024 * 1024
const GZIP = { headers: ['content-encoding: gzip'] }

describe('U5 a compressed answer', () => {
  test.for([
    { name: 'one stream', bomb: gzipBomb },
    { name: 'many files', bomb: gzipBombOfMembers },
  ])('U5 of 1 GiB of zeros as $name costs less than 64 MiB', async ({ bomb }) => {
    await using vendor = await createTcpVendor([
      raw('HTTP/1.1 204 No\r\n\r\n'),
      answer(bomb(1024), GZIP),
    ])
    const report = await probeMemory('send', `${vendor.url}/bomb`)
    expect(report).toMatchObject({ code: 'upstream_response_too_large', bytes: 0 })
    expect(report.grownMiB).toBeLessThan(64)
  })

  test.for<[FaultName, string]>([
    ['sends gzip in gzip', 'upstream_malformed'],
    ['sends gzip in gzip by two headers', 'upstream_malformed'],
    ['sends brotli', 'upstream_malformed'],
    ['sends deflate', 'upstream_malformed'],
    ['sends an unknown coding', 'upstream_malformed'],
    ['sends broken gzip', 'upstream_malformed'],
    ['sends half of the gzip', 'upstream_malformed'],
    ['calls plain text gzip', 'upstream_malformed'],
    ['sends 64 MiB of zeros in gzip', 'upstream_response_too_large'],
  ])('U5 of a vendor that %s is %s', async ([fault, code]) => {
    await using _ = watchResources()
    await using vendor = await createTcpVendor([FAULTS[fault], fine])
    await using transport = openTransport()
    expect(await errorOf(transport.send(requestOf(vendor.url)))).toMatchObject({
      code,
      details: { phase: 'body', status: 200, sent: true },
    })
    expect((await transport.send(requestOf(vendor.url))).status).toBe(200)
  })

  test.for([
    { name: 'inflates to the limit', plain: MIB, limits: { bodyBytes: MIB }, want: 'ok' },
    { name: 'inflates beyond it', plain: MIB + 1, limits: { bodyBytes: MIB }, want: 'too large' },
    { name: 'is short and repeats itself', plain: MIB, limits: { inflateRatio: 20 }, want: 'ok' },
    {
      name: 'is long and repeats itself',
      plain: 2 * MIB,
      limits: { inflateRatio: 20 },
      want: 'too large',
    },
    { name: 'repeats itself within bounds', plain: 2 * MIB, limits: {}, want: 'ok' },
  ])('U5 that $name: $want', async ({ plain, limits, want }) => {
    // Shrinks to about a sixtieth.
    const body = Buffer.alloc(plain)
    for (let at = 0; at < plain - 40; at += 4096) randomBytes(40).copy(body, at)
    await using vendor = await createTcpVendor(answer(gzipSync(body), GZIP))
    await using transport = openTransport({ limits })
    const outcome = await transport.send(requestOf(vendor.url)).then(
      (response) => (response.body.equals(body) ? 'ok' : 'changed'),
      (error: { code: string }) =>
        error.code === 'upstream_response_too_large' ? 'too large' : error.code,
    )
    expect(outcome).toBe(want)
  })
})

describe('U5 an answer that is not compressed', () => {
  const chunked: Script = async (conversation) => {
    await conversation.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    while (conversation.socket.writable) await conversation.write(chunk)
  }

  test('U5 and announces too much is refused at its head', async () => {
    await using _ = watchResources()
    await using vendor = await createTcpVendor(
      raw(`HTTP/1.1 200 OK\r\ncontent-length: ${33 * MIB}\r\n\r\n`),
    )
    await using transport = openTransport()
    expect(await errorOf(transport.send(requestOf(vendor.url)))).toMatchObject({
      code: 'upstream_response_too_large',
      details: { phase: 'body', status: 200 },
    })
    await eventually(() => vendor.open === 0)
  })

  test('U5 and never ends is cut at the limit', async () => {
    await using vendor = await createTcpVendor([raw('HTTP/1.1 204 No\r\n\r\n'), chunked])
    const report = await probeMemory('send', `${vendor.url}/endless`)
    expect(report).toMatchObject({ code: 'upstream_response_too_large', bytes: 0 })
    expect(report.grownMiB).toBeLessThan(96)
    await eventually(() => vendor.open === 0)
  })
})
