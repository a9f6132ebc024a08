import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Budget } from '../../../src/engine/exchange/budget.ts'
import type { Limits } from '../../../src/language/manifest/manifest.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'

const FAR = 3_600_000
const limits = (changes: Partial<Limits>): Limits => ({
  rates: [],
  concurrency: null,
  per: 'instance',
  ...changes,
})

test('a rate of 3 per second lets 3 go at once, and 3 more when no second holds more than 3', async () => {
  const clock = createTestClock()
  const budget = new Budget(limits({ rates: [{ count: 3, periodMs: 1000 }] }), clock)
  const at: number[] = []
  await Promise.all(
    Array.from({ length: 7 }, async () => {
      const leave = await budget.enter(FAR, undefined)
      at.push(Math.round(clock.monotonic()))
      leave()
    }),
  )
  expect(at).toEqual([0, 0, 0, 1050, 1050, 1050, 2100])
})

test('of two rates the stricter one holds at every moment', async () => {
  const clock = createTestClock()
  const budget = new Budget(
    limits({
      rates: [
        { count: 2, periodMs: 1000 },
        { count: 3, periodMs: 60_000 },
      ],
    }),
    clock,
  )
  const at: number[] = []
  for (let index = 0; index < 4; index++) {
    ;(await budget.enter(FAR, undefined))()
    at.push(Math.round(clock.monotonic()))
  }
  expect(at).toEqual([0, 0, 1050, 63_000])
})

test('no window of a period ever holds more than the rate allows, whenever calls come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 }),
      async (count, pauses) => {
        const clock = createTestClock()
        const budget = new Budget(limits({ rates: [{ count, periodMs: 1000 }] }), clock)
        const at: number[] = []
        for (const pause of pauses) {
          clock.advance(pause)
          ;(await budget.enter(FAR, undefined))()
          at.push(clock.monotonic())
        }
        for (const from of at)
          expect(
            at.filter((time) => time >= from && time < from + 1000).length,
          ).toBeLessThanOrEqual(count)
      },
    ),
    { numRuns: 60 },
  )
})

test('what is left is what could leave at once, and when the next could', async () => {
  const clock = createTestClock()
  const budget = new Budget(limits({ rates: [{ count: 3, periodMs: 1000 }] }), clock)
  const left = () => budget.left().map(({ remaining, waitMs }) => [remaining, waitMs])
  expect(left()).toEqual([[3, 0]])
  ;(await budget.enter(FAR, undefined))()
  clock.advance(100)
  expect(left()).toEqual([[2, 0]])
  ;(await budget.enter(FAR, undefined))()
  ;(await budget.enter(FAR, undefined))()
  expect(left()).toEqual([[0, 950]])
  expect(budget.waitBeyond(() => 1)).toBe(1050)
  clock.advance(2000)
  expect(left()).toEqual([[3, 0]])
})

test('a request that leaves in any case is counted, and makes the next ones wait', async () => {
  const clock = createTestClock()
  const budget = new Budget(limits({ rates: [{ count: 2, periodMs: 1000 }] }), clock)
  budget.spend()
  budget.spend()
  budget.spend()
  ;(await budget.enter(FAR, undefined))()
  expect(clock.monotonic()).toBe(1050)
})

test('whoever waits for a rate and is aborted leaves no timer behind', async () => {
  const clock = createTestClock()
  const budget = new Budget(limits({ rates: [{ count: 1, periodMs: 86_400_000 }] }), clock)
  ;(await budget.enter(FAR, undefined))()
  const controller = new AbortController()
  const waiting = budget.enter(Number.MAX_VALUE, controller.signal)
  controller.abort(new Error('changed my mind'))
  await expect(waiting).rejects.toThrow('changed my mind')
  expect(clock.sleeping).toBe(0)
})

test('a call that cannot have the short rate gives the long one back', async () => {
  const clock = createTestClock()
  const rates = [
    { count: 1, periodMs: 1000 },
    { count: 2, periodMs: 86_400_000 },
  ]
  const budget = new Budget(limits({ rates }), clock)
  ;(await budget.enter(FAR, undefined))()
  await expect(budget.enter(100, undefined)).rejects.toMatchObject({ retryAfterMs: 1050 })
  ;(await budget.enter(FAR, undefined))()
  expect(clock.monotonic()).toBe(1050)
})

test('a wait beyond the deadline is refused at once with the time to wait', async () => {
  const clock = createTestClock()
  const budget = new Budget(limits({ rates: [{ count: 1, periodMs: 10_000 }] }), clock)
  ;(await budget.enter(FAR, undefined))()
  await expect(budget.enter(5000, undefined)).rejects.toMatchObject({
    code: 'upstream_rate_limited',
    retryAfterMs: 10_500,
  })
  expect(clock.waits).toEqual([])
})

test('a refused call does not use up the rate', async () => {
  const clock = createTestClock()
  const budget = new Budget(limits({ rates: [{ count: 1, periodMs: 10_000 }] }), clock)
  ;(await budget.enter(FAR, undefined))()
  await expect(budget.enter(5000, undefined)).rejects.toMatchObject({
    code: 'upstream_rate_limited',
  })
  ;(await budget.enter(FAR, undefined))()
  expect(clock.monotonic()).toBe(10_500)
})

test('places go to those who wait, in their order', async () => {
  const clock = createTestClock()
  const budget = new Budget(limits({ concurrency: 1 }), clock)
  const order: string[] = []
  const leave = await budget.enter(FAR, undefined)
  const enter = async (name: string) => {
    const done = await budget.enter(FAR, undefined)
    order.push(name)
    return done
  }
  const second = enter('second')
  const third = enter('third')
  leave()
  ;(await second)()
  ;(await third)()
  expect(order).toEqual(['second', 'third'])
})

test('giving a place back twice gives one place', async () => {
  const clock = createTestClock()
  const budget = new Budget(limits({ concurrency: 1 }), clock)
  const leave = await budget.enter(FAR, undefined)
  leave()
  leave()
  await budget.enter(FAR, undefined)
  await expect(budget.enter(clock.monotonic() + 50, undefined)).rejects.toMatchObject({
    code: 'upstream_rate_limited',
  })
})

test('whoever is aborted while waiting leaves the queue', async () => {
  const clock = createTestClock()
  const budget = new Budget(limits({ concurrency: 1 }), clock)
  const leave = await budget.enter(FAR, undefined)
  const controller = new AbortController()
  const waiting = budget.enter(FAR, controller.signal)
  controller.abort(new Error('changed my mind'))
  await expect(waiting).rejects.toThrow('changed my mind')
  leave()
  expect(await budget.enter(FAR, undefined)).toBeTypeOf('function')
})

test('everybody in the queue ends at the own deadline, whoever came first', async () => {
  const clock = createTestClock()
  const budget = new Budget(limits({ concurrency: 1 }), clock)
  await budget.enter(FAR, undefined)
  const ends = [300, 100, 200].map(async (deadline) => {
    await expect(budget.enter(deadline, undefined)).rejects.toMatchObject({
      code: 'upstream_rate_limited',
    })
    return [deadline, clock.monotonic()]
  })
  expect(await Promise.all(ends)).toEqual([
    [300, 300],
    [100, 100],
    [200, 200],
  ])
})

test('U1 nobody sends while the third party asked for silence', async () => {
  const clock = createTestClock()
  const budget = new Budget(limits({}), clock)
  budget.block(2000)
  ;(await budget.enter(FAR, undefined))()
  expect(clock.monotonic()).toBe(2000)
  budget.block(10_000)
  await expect(budget.enter(5000, undefined)).rejects.toMatchObject({
    code: 'upstream_rate_limited',
    retryAfterMs: 10_000,
  })
})

test('U1 a silence about less closes only what falls under it, and takes no place', async () => {
  const clock = createTestClock()
  const budget = new Budget(limits({ concurrency: 1 }), clock)
  budget.block(2000, 'a')
  const late = budget.enter(1999, undefined, [{ key: 'a' }])
  await expect(late).rejects.toMatchObject({ code: 'upstream_rate_limited', retryAfterMs: 2000 })
  const ends = ['b', 'a', 'c'].map(async (key) => {
    const leave = await budget.enter(FAR, undefined, [{ key }])
    leave()
    return [key, clock.monotonic()]
  })
  expect(await Promise.all(ends)).toEqual([
    ['b', 0],
    ['a', 2000],
    ['c', 0],
  ])
})
