import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { describe, expect, test } from 'vitest'

import type { ErrorCode } from '../../../src/errors.ts'
import type { FaultName } from '../../faults/faults.ts'
import { FAULTS, fine } from '../../faults/faults.ts'
import { eventually, watchResources } from '../../faults/resources.ts'
import { createTcpVendor } from '../../faults/tcp-vendor.ts'

import { errorOf, openTransport, requestOf } from './requests.ts'

interface Expectation {
  readonly code: ErrorCode
  readonly phase: 'head' | 'body'
  readonly status?: 200
}

const BROKE_IN_HEAD: Expectation = { code: 'upstream_unreachable', phase: 'head' }
const BROKE_IN_BODY: Expectation = { code: 'upstream_unreachable', phase: 'body', status: 200 }
const WRONG_HEAD: Expectation = { code: 'upstream_malformed', phase: 'head' }
const WRONG_BODY: Expectation = { code: 'upstream_malformed', phase: 'body', status: 200 }
const LARGE_HEAD: Expectation = { code: 'upstream_response_too_large', phase: 'head' }

const CASES: Partial<Record<FaultName, Expectation>> = {
  'resets before the head': BROKE_IN_HEAD,
  'closes before the head': BROKE_IN_HEAD,
  'resets within the head': BROKE_IN_HEAD,
  'closes within the head': BROKE_IN_HEAD,
  'has status 100 only': BROKE_IN_HEAD,
  'switches protocols unasked': BROKE_IN_HEAD,

  'resets after the head': BROKE_IN_BODY,
  'resets within the body': BROKE_IN_BODY,
  'closes within the body': BROKE_IN_BODY,
  'closes within the body of a closing connection': BROKE_IN_BODY,
  'leaves out the last chunk': BROKE_IN_BODY,
  'leaves out the last chunk of a closing connection': BROKE_IN_BODY,
  'closes within a chunk': BROKE_IN_BODY,

  'says nothing but garbage': WRONG_HEAD,
  'speaks another protocol': WRONG_HEAD,
  'has another HTTP version': WRONG_HEAD,
  'has a status of two digits': WRONG_HEAD,
  'has a status of letters': WRONG_HEAD,
  'has a header without a colon': WRONG_HEAD,
  'has a header with NUL': WRONG_HEAD,
  'has a space before the colon': WRONG_HEAD,
  'has two different lengths': WRONG_HEAD,
  'has a length and chunks': WRONG_HEAD,
  'has a negative length': WRONG_HEAD,
  'has a length with a sign': WRONG_HEAD,
  'has a length of letters': WRONG_HEAD,
  'has a length beyond 64 bits': WRONG_HEAD,

  'has a bad chunk size': WRONG_BODY,
  'has a chunk longer than its size': WRONG_BODY,
  'has a chunk size beyond 64 bits': WRONG_BODY,

  'has 256 KiB in one header': LARGE_HEAD,
  'has 256 KiB of small headers': LARGE_HEAD,
}
const TABLE = Object.entries(CASES).map(([fault, want]) => ({ fault: fault as FaultName, want }))

describe('U4 a vendor that breaks the framing', () => {
  test.for(TABLE)('U4 and $fault: $want.code in the $want.phase', async ({ fault, want }) => {
    await using _ = watchResources()
    await using vendor = await createTcpVendor([FAULTS[fault], fine])
    await using transport = openTransport()
    const { code, ...where } = want
    const error = await errorOf(transport.send(requestOf(vendor.url)))
    expect(error).toMatchObject({ code, details: { host: '127.0.0.1', sent: true, ...where } })
    await eventually(() => vendor.open === 0)
    // It was asked once, and the next call works on a new connection.
    expect(vendor.requests).toHaveLength(1)
    expect((await transport.send(requestOf(vendor.url))).body.toString()).toBe('{"ok":true}')
    expect(vendor.connections).toBe(2)
  })

  test.for(TABLE)('U4 and $fault: the same when streamed', async ({ fault, want }) => {
    await using _ = watchResources()
    await using vendor = await createTcpVendor([FAULTS[fault], fine])
    await using transport = openTransport()
    const { code, ...where } = want
    const call = transport.stream(requestOf(vendor.url)).then(({ body }) => body.toArray())
    const details = { sent: true, ...where }
    expect(await errorOf(call)).toMatchObject(
      where.phase === 'head'
        ? { code, details }
        : { code: 'download_interrupted', details, cause: { code, details } },
    )
    await eventually(() => vendor.open === 0)
    expect(vendor.requests).toHaveLength(1)
  })

  test('U4 surplus bytes after the length are dropped with their connection', async () => {
    await using vendor = await createTcpVendor([FAULTS['sends more than it announced'], fine])
    await using transport = openTransport()
    for (let call = 0; call < 3; call++) {
      const { body } = await transport.send(requestOf(vendor.url))
      expect(body.toString()).toBe('{"ok":true}')
    }
    expect(vendor.connections).toBe(2)
  })

  test('U4 a write is never sent again by the transport', async () => {
    for (const fault of ['resets before the head', 'closes before the head'] as const) {
      // The first call leaves a connection behind, which breaks under the second one.
      await using vendor = await createTcpVendor([fine, FAULTS[fault], fine])
      await using transport = openTransport()
      const write = requestOf(vendor.url, { method: 'POST', body: '{}' })
      await transport.send(write)
      expect(await errorOf(transport.send(write))).toMatchObject({
        code: 'upstream_unreachable',
        details: { sent: true },
      })
      expect(vendor.requests).toHaveLength(2)
    }
  })
})

test('a port where nobody listens is unreachable, nothing was sent, any number of times', async () => {
  await using _ = watchResources()
  const port = await unusedPort()
  await using transport = openTransport({ limits: { connections: 2 } })
  const calls = Array.from({ length: 6 }, () =>
    errorOf(transport.send(requestOf(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' }))),
  )
  for (const error of await Promise.all(calls)) {
    expect(error).toMatchObject({
      code: 'upstream_unreachable',
      details: { host: '127.0.0.1', phase: 'connect', sent: false, reason: 'ECONNREFUSED' },
    })
  }
})

test('an error names the host, never the path, the query or a header', async () => {
  await using vendor = await createTcpVendor(FAULTS['resets before the head'])
  await using transport = openTransport()
  const error = await errorOf(
    transport.send(
      requestOf(`${vendor.url}/canary-path?key=canary-query`, {
        headers: { authorization: 'Bearer canary-header' },
      }),
    ),
  )
  const { message, details } = error as { message: string; details: unknown }
  expect(message + JSON.stringify(details)).not.toContain('canary')
})

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
