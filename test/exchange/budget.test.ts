import { expect, test } from 'vitest'
import { createBudget } from '../../src/exchange/budget.ts'
import type { Limits } from '../../src/manifest/manifest.ts'
import { createTestClock } from '../fixtures/test-clock.ts'

const FAR = 3_600_000
const limits = (changes: Partial<Limits>): Limits => ({
  rates: [],
  concurrency: null,
  per: 'instance',
  ...changes,
})

test('a rate of 3 per second lets a burst of 3 go and spaces the rest', async () => {
  const clock = createTestClock()
  const budget = createBudget(limits({ rates: [{ count: 3, periodMs: 1000 }] }), clock)
  const at: number[] = []
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      const leave = await budget.enter(FAR, undefined)
      at.push(Math.round(clock.monotonic()))
      leave()
    }),
  )
  expect(at).toEqual([0, 0, 0, 333, 667, 1000])
})

test('of two rates the stricter one holds at every moment', async () => {
  const clock = createTestClock()
  const budget = createBudget(
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
  expect(at).toEqual([0, 0, 500, 20_000])
})

test('a wait beyond the deadline is refused at once with the time to wait', async () => {
  const clock = createTestClock()
  const budget = createBudget(limits({ rates: [{ count: 1, periodMs: 10_000 }] }), clock)
  ;(await budget.enter(FAR, undefined))()
  await expect(budget.enter(5000, undefined)).rejects.toMatchObject({
    code: 'upstream_rate_limited',
    retryAfterMs: 10_000,
  })
  expect(clock.waits).toEqual([])
})

test('a refused call does not use up the rate', async () => {
  const clock = createTestClock()
  const budget = createBudget(limits({ rates: [{ count: 1, periodMs: 10_000 }] }), clock)
  ;(await budget.enter(FAR, undefined))()
  await expect(budget.enter(5000, undefined)).rejects.toMatchObject({
    code: 'upstream_rate_limited',
  })
  ;(await budget.enter(FAR, undefined))()
  expect(clock.monotonic()).toBe(10_000)
})

test('places go to those who wait, in their order', async () => {
  const clock = createTestClock()
  const budget = createBudget(limits({ concurrency: 1 }), clock)
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
  const budget = createBudget(limits({ concurrency: 1 }), clock)
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
  const budget = createBudget(limits({ concurrency: 1 }), clock)
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
  const budget = createBudget(limits({ concurrency: 1 }), clock)
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
  const budget = createBudget(limits({}), clock)
  budget.block(2000)
  ;(await budget.enter(FAR, undefined))()
  expect(clock.monotonic()).toBe(2000)
  budget.block(10_000)
  await expect(budget.enter(5000, undefined)).rejects.toMatchObject({
    code: 'upstream_rate_limited',
    retryAfterMs: 10_000,
  })
})
