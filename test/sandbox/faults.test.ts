import { expect, test } from 'vitest'
import { FaultPlan } from '../../src/sandbox/faults.ts'
import { createRateLimiter } from '../../src/sandbox/rate-limiter.ts'

test('a fault meets its operation as often as it was planned, after those it skips', () => {
  const plan = new FaultPlan()
  plan.add('issues.get', { mode: 'reset', times: 2, skip: 1 })
  const modes = ['issues.get', 'issues.create', 'issues.get', 'issues.get', 'issues.get'].map(
    (operation) => plan.take([operation])?.mode ?? null,
  )
  expect(modes).toEqual([null, null, 'reset', 'reset', null])
})

test('a fault of every request, and one of a request that may be two operations', () => {
  const plan = new FaultPlan()
  plan.add('call_audio.download', { mode: 'html' })
  plan.add('*', { mode: 'delay' })
  expect(plan.take(['calls_extensive.list', 'call_audio.download'])?.mode).toBe('html')
  expect(plan.take(['users.list'])?.mode).toBe('delay')
  expect(plan.take(['users.list'])).toBeNull()
})

test('rate limits hold together; a window begins with its first request', () => {
  const clock = { ms: 0 }
  const limiter = createRateLimiter(
    [
      { count: 2, periodMs: 1_000 },
      { count: 3, periodMs: 60_000 },
    ],
    () => clock.ms,
  )
  expect([limiter(), limiter(), limiter()]).toEqual([null, null, 1])
  clock.ms = 1_000
  expect([limiter(), limiter()]).toEqual([null, 59])
  clock.ms = 60_000
  expect(limiter()).toBeNull()
})
