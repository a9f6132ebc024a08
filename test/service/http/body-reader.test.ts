import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { BodyReader } from '../../../src/service/http/body-reader.ts'
import { applicationPrincipal, type Principal } from '../../../src/service/tokens/principal.ts'
import { createTurns } from '../../../src/service/turns.ts'
import { createTestClock, type TestClock } from '../../fixtures/test-clock.ts'

const KIB = 1024
const HEADERS = { 'content-type': 'application/json' }
const ONE = applicationPrincipal('org-1', 'app-1', null)
const OTHER = applicationPrincipal('org-1', 'app-2', null)

function world(bytesPerSecond: number | null): { clock: TestClock; bodies: BodyReader } {
  const clock = createTestClock()
  return { clock, bodies: new BodyReader({ clock, turns: createTurns(clock), bytesPerSecond }) }
}

function bodyOf(bytes: number): Buffer {
  return Buffer.from(`{"a":"${'x'.repeat(bytes - 8)}"}`)
}

/** `read`, or the wait that is asked for. */
async function send(bodies: BodyReader, caller: Principal | null, bytes: number): Promise<unknown> {
  try {
    return (await bodies.read(caller, HEADERS, bodyOf(bytes))) === undefined ? 'nothing' : 'read'
  } catch (error) {
    expect(error).toMatchObject({ code: 'rate_limited', outcome: 'not_applied' })
    return (error as { readonly retryAfterMs: number }).retryAfterMs
  }
}

test('P8 an application sends what a second allows at once, and then as fast as that', async () => {
  const { clock, bodies } = world(64 * KIB)
  const sent = [
    await send(bodies, ONE, 48 * KIB),
    await send(bodies, ONE, 32 * KIB),
    await send(bodies, ONE, 100),
    await send(bodies, OTHER, 48 * KIB),
  ]
  expect(sent).toEqual(['read', 'read', 250, 'read'])
  expect(() => bodies.admit(ONE)).toThrow(expect.objectContaining({ retryAfterMs: 250 }))
  expect(() => bodies.admit(OTHER)).not.toThrow()
  clock.advance(250)
  // What was refused did not count.
  expect(await send(bodies, ONE, 100)).toBe('read')
})

test('P8 a body that is larger than what a second allows passes, and is waited for afterwards', async () => {
  const { clock, bodies } = world(8 * KIB)
  expect(await send(bodies, ONE, 64 * KIB)).toBe('read')
  expect(await send(bodies, ONE, 100)).toBe(7000)
  clock.advance(7000)
  expect(await send(bodies, ONE, 100)).toBe('read')
})

test('P8 callers of whom a host app knows are counted by organisation', async () => {
  const { bodies } = world(8 * KIB)
  const [first, second] = ['org-1', 'org-2'].map((id) => applicationPrincipal(id, null, null))
  expect(await send(bodies, first ?? null, 16 * KIB)).toBe('read')
  expect(await send(bodies, first ?? null, 100)).toBe(1000)
  expect(await send(bodies, second ?? null, 100)).toBe('read')
})

test('P8 without a bound, and where nobody is known, nothing is counted', async () => {
  const free = world(null)
  const bounded = world(KIB)
  for (let count = 0; count < 10; count++) {
    expect(await send(free.bodies, ONE, 64 * KIB)).toBe('read')
    expect(await send(bounded.bodies, null, 1024)).toBe('read')
  }
})

test('a large body is read in turns, a small one at once, and none is nothing', async () => {
  const { bodies } = world(null)
  const large = bodies.read(ONE, HEADERS, bodyOf(64 * KIB))
  expect(large).toBeInstanceOf(Promise)
  expect(Object.keys((await large) as JsonObject)).toEqual(['a'])
  expect(bodies.read(ONE, HEADERS, Buffer.from('{"a":1}'))).toEqual({ a: 1 })
  expect(bodies.read(ONE, {}, Buffer.alloc(0))).toBeUndefined()
})
