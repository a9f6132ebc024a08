import { expect, test } from 'vitest'
import { createBreaker } from '../../src/exchange/breaker.ts'
import { createTestClock } from '../fixtures/test-clock.ts'

const A = 'https://a.example'
const B = 'https://b.example'

test('U2 five failures in a row suspend the origin, and only that one', () => {
  const clock = createTestClock()
  const breaker = createBreaker(clock)
  for (let index = 0; index < 5; index++) {
    breaker.check(A)
    breaker.record(A, 'failure')
  }
  expect(() => breaker.check(A)).toThrow(
    expect.objectContaining({ code: 'upstream_suspended', retryAfterMs: 30_000 }),
  )
  expect(() => breaker.check(B)).not.toThrow()
})

test('U2 after 30 s one probe passes, and its success opens the way for all', () => {
  const clock = createTestClock()
  const breaker = createBreaker(clock)
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
  const breaker = createBreaker(clock)
  for (let index = 0; index < 5; index++) breaker.record(A, 'failure')
  clock.advance(30_000)
  breaker.check(A)
  breaker.record(A, 'failure')
  expect(() => breaker.check(A)).toThrow(expect.objectContaining({ retryAfterMs: 30_000 }))
})

test('U2 a probe that was given up lets the next one try', () => {
  const clock = createTestClock()
  const breaker = createBreaker(clock)
  for (let index = 0; index < 5; index++) breaker.record(A, 'failure')
  clock.advance(30_000)
  breaker.check(A)
  breaker.record(A, 'unknown')
  expect(() => breaker.check(A)).not.toThrow()
})

test('U2 half of at least twenty calls in ten seconds suspend it too', () => {
  const clock = createTestClock()
  const breaker = createBreaker(clock)
  for (let index = 0; index < 20; index++) {
    breaker.check(A)
    breaker.record(A, index % 2 === 0 ? 'success' : 'failure')
  }
  expect(() => breaker.check(A)).toThrow(expect.objectContaining({ code: 'upstream_suspended' }))
})

test('U1 repetitions are at most a tenth of the calls, and at least three at a time', () => {
  const clock = createTestClock()
  const breaker = createBreaker(clock)
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
