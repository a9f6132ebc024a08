import { expect, test } from 'vitest'
import { ConnectorError, isConnectorError } from '../../../src/errors.ts'
import { Budget } from '../../../src/engine/exchange/budget.ts'
import type { Rate } from '../../../src/engine/exchange/rate-use.ts'
import { createEngineUpstream } from '../../../src/service/sync/engine-upstream.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'

const FAR = Number.MAX_VALUE
const DAY_MS = 86_400_000
const signal = new AbortController().signal

/** A sync over a third party that answers at once, within a rate. */
function syncWithin(rate: Rate) {
  const clock = createTestClock()
  const limits = { rates: [rate], concurrency: null, per: 'instance' } as const
  const budget = new Budget(limits, clock)
  const upstream = createEngineUpstream({
    engine: {
      async execute() {
        const leave = await budget.enter(FAR, undefined)
        leave()
        return {
          envelope: { data: null, meta: {} },
          page: { records: [], mark: () => null, unsaidEnd: null, filteredOut: null },
          requests: 1,
        }
      },
    },
    config: () => ({}),
    budget,
    clock,
    enter: async () => () => {},
  })
  const page = () => upstream.list({ entity: 'calls', action: 'list', params: {}, signal })
  return { clock, budget, page }
}

test('a sync uses 80 % of the quota of a day, leaves the rest to callers, and gives its place away', async () => {
  const { clock, budget, page } = syncWithin({ count: 100, periodMs: DAY_MS })
  for (let pages = 0; pages < 80; pages++) await page()
  await expect(page()).rejects.toMatchObject({
    code: 'upstream_rate_limited',
    retryAfterMs: DAY_MS * 1.05,
  })
  for (let calls = 0; calls < 20; calls++) (await budget.enter(FAR, undefined))()
  expect(clock.monotonic()).toBe(0)
  clock.advance(DAY_MS * 1.05)
  await page()
})

test('a sync waits while less than 30 % of a rate is free, and callers do not', async () => {
  const { clock, budget, page } = syncWithin({ count: 10, periodMs: 1000 })
  for (let pages = 0; pages < 7; pages++) await page()
  expect(clock.monotonic()).toBe(0)
  for (let calls = 0; calls < 3; calls++) (await budget.enter(FAR, undefined))()
  expect(clock.monotonic()).toBe(0)
  await page()
  expect(clock.monotonic()).toBe(1050)
})

test.for([
  ['as long as the third party asks for ten seconds', 10_000, 'answered', 10_000],
  ['not where it asks for more', 10_001, 10_001, 0],
] as const)('a sync waits %s', async ([, blockedMs, said, waitedMs]) => {
  const { clock, budget, page } = syncWithin({ count: 10, periodMs: 1000 })
  budget.block(blockedMs)
  const answer = await page().then(
    () => 'answered',
    (error: unknown) => (isConnectorError(error) ? error.retryAfterMs : 'other'),
  )
  expect([answer, clock.monotonic()]).toEqual([said, waitedMs])
})

test.for([
  ['while another call tries whether the third party is back', 1_000, 3, 4, 3_000],
  ['not while it is left alone', 29_000, 1, 1, 0],
] as const)('a sync waits %s', async ([, retryAfterMs, refusals, calls, waitedMs]) => {
  const clock = createTestClock()
  let asked = 0
  const upstream = createEngineUpstream({
    engine: {
      execute() {
        if (++asked <= refusals)
          return Promise.reject(
            new ConnectorError('upstream_suspended', 'left alone', { retryAfterMs }),
          )
        return Promise.resolve({
          envelope: { data: null, meta: {} },
          page: { records: [], mark: () => null, unsaidEnd: null, filteredOut: null },
          requests: 1,
        })
      },
    },
    config: () => ({}),
    budget: new Budget({ rates: [], concurrency: null, per: 'instance' }, clock),
    clock,
    enter: async () => () => {},
  })
  const code = await upstream.list({ entity: 'calls', action: 'list', params: {}, signal }).then(
    () => 'answered',
    (error: unknown) => (isConnectorError(error) ? error.code : 'other'),
  )
  expect([code, asked, clock.monotonic()]).toEqual([
    calls > refusals ? 'answered' : 'upstream_suspended',
    calls,
    waitedMs,
  ])
})
