import { describe, expect, test } from 'vitest'
import { type CallEnd, Breaker, Reachability } from '../../../src/engine/exchange/breaker.ts'
import { ConnectorError } from '../../../src/errors.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'

const A = 'https://a.example'
const B = 'https://b.example'

function isSuspended(breaker: Breaker): boolean {
  try {
    breaker.check(A)
    return false
  } catch (error) {
    expect(error).toMatchObject({ code: 'upstream_suspended' })
    return true
  }
}

test('U2 five failures in a row suspend the origin, and only that one', () => {
  const clock = createTestClock()
  const breaker = new Breaker(clock)
  for (let index = 0; index < 5; index++) {
    breaker.check(A)
    breaker.record(A, 'failure')
  }
  expect(() => breaker.check(A)).toThrow(
    expect.objectContaining({ code: 'upstream_suspended', retryAfterMs: 30_000 }),
  )
  expect(() => breaker.check(B)).not.toThrow()
})

test('U2 what led to a suspension is its cause, until an answer ends it', () => {
  const clock = createTestClock()
  const breaker = new Breaker(clock)
  const why = new ConnectorError('upstream_failed', 'Acme: notes.list failed (status 500)')
  const fail = (error: ConnectorError | null): void => {
    for (let index = 0; index < 5; index++) breaker.record(A, 'failure', () => error)
  }
  fail(why)
  expect(() => breaker.check(A)).toThrow(
    expect.objectContaining({ code: 'upstream_suspended', cause: why }),
  )
  breaker.record(A, 'success')
  fail(null)
  expect(() => breaker.check(A)).toThrow(expect.not.objectContaining({ cause: expect.anything() }))
})

test('U2 after 30 s one probe passes, and its success opens the way for all', () => {
  const clock = createTestClock()
  const breaker = new Breaker(clock)
  for (let index = 0; index < 5; index++) breaker.record(A, 'failure')
  clock.advance(30_000)
  breaker.check(A)
  expect(() => breaker.check(A)).toThrow(expect.objectContaining({ code: 'upstream_suspended' }))
  breaker.record(A, 'success')
  breaker.check(A)
  breaker.check(A)
})

test('U2 a probe that fails closes the way again', () => {
  const clock = createTestClock()
  const breaker = new Breaker(clock)
  for (let index = 0; index < 5; index++) breaker.record(A, 'failure')
  clock.advance(30_000)
  breaker.check(A)
  breaker.record(A, 'failure')
  expect(() => breaker.check(A)).toThrow(expect.objectContaining({ retryAfterMs: 30_000 }))
})

test('U2 a probe that was given up lets the next one try', () => {
  const clock = createTestClock()
  const breaker = new Breaker(clock)
  for (let index = 0; index < 5; index++) breaker.record(A, 'failure')
  clock.advance(30_000)
  breaker.check(A)
  breaker.record(A, 'unknown')
  expect(() => breaker.check(A)).not.toThrow()
})

test('U2 half of at least twenty calls in ten seconds suspend it too', () => {
  const clock = createTestClock()
  const breaker = new Breaker(clock)
  for (let index = 0; index < 20; index++) {
    breaker.check(A)
    breaker.record(A, index % 2 === 0 ? 'success' : 'failure')
  }
  expect(() => breaker.check(A)).toThrow(expect.objectContaining({ code: 'upstream_suspended' }))
})

describe('two clients of one origin', () => {
  const ends = (end: CallEnd, count: number): CallEnd[] => Array.from({ length: count }, () => end)
  test.for<{ name: string; given: readonly CallEnd[]; first: boolean; second: boolean }>([
    {
      name: 'five failures of one suspend it alone',
      given: ends('failure', 5),
      first: true,
      second: false,
    },
    {
      name: 'five connections that cannot be made suspend both',
      given: ends('unconnected', 5),
      first: true,
      second: true,
    },
    {
      name: 'a failure between them was connected',
      given: [...ends('unconnected', 3), 'failure', 'unconnected'],
      first: true,
      second: false,
    },
    {
      name: 'what was given up says nothing',
      given: ends('unknown', 20),
      first: false,
      second: false,
    },
    {
      name: 'an answer ends the row of both',
      given: [...ends('unconnected', 4), 'success', 'unconnected'],
      first: false,
      second: false,
    },
  ])('U2 $name', ({ given, first, second }) => {
    const clock = createTestClock()
    const reachability = new Reachability(clock)
    const breakers = [new Breaker(clock, reachability), new Breaker(clock, reachability)]
    for (const end of given) {
      breakers[0]?.check(A)
      breakers[0]?.record(A, end)
    }
    expect(breakers.map((breaker) => isSuspended(breaker))).toEqual([first, second])
  })

  test('U2 one probe passes for both where connections could not be made, and opens the way for both', () => {
    const clock = createTestClock()
    const reachability = new Reachability(clock)
    const [one, two] = [new Breaker(clock, reachability), new Breaker(clock, reachability)]
    for (let index = 0; index < 5; index++) one.record(A, 'unconnected')
    clock.advance(30_000)
    two.check(A)
    expect([isSuspended(one), isSuspended(two)]).toEqual([true, true])
    two.record(A, 'success')
    expect([isSuspended(two), isSuspended(one)]).toEqual([false, false])
  })

  test('U1 repetitions of one leave the other its first', () => {
    const clock = createTestClock()
    const reachability = new Reachability(clock)
    const [one, two] = [new Breaker(clock, reachability), new Breaker(clock, reachability)]
    expect(Array.from({ length: 5 }, () => one.startRetry(A))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    expect([two.startRetry(A), two.startRetry(A)]).toEqual([true, false])
  })
})

test('U1 repetitions are at most a tenth of the calls, and at least three at a time', () => {
  const clock = createTestClock()
  const breaker = new Breaker(clock)
  const startAll = (calls: number): number => {
    let started = 0
    for (let index = 0; index < calls; index++) if (breaker.startRetry(A)) started++
    return started
  }
  expect(startAll(10)).toBe(3)
  for (let index = 0; index < 3; index++) breaker.endRetry(A)
  for (let index = 0; index < 200; index++) {
    breaker.check(A)
    breaker.record(A, 'success')
  }
  expect(startAll(200)).toBe(20)
})
