import { describe, expect, test } from 'vitest'
import { decideRetry, type Failure, type Situation } from '../../../src/engine/exchange/decide.ts'

const base: Situation = {
  failure: { kind: 'status', status: 503, as: 'unavailable', rule: null, nothingDone: false },
  policy: { on: [429, 502, 503, 504, 'network', 'timeout'], maxWaitMs: null },
  attempt: 1,
  maxAttempts: 3,
  repeatable: true,
  wait: { ms: 500, asked: false },
  remainingMs: 60_000,
}
const failure = (changes: Partial<Failure>): Pick<Situation, 'failure'> => ({
  failure: { ...base.failure, ...changes },
})
const repeat = { kind: 'repeat', afterMs: 500 }
const giveUp = { kind: 'give_up', retryAfterMs: null }

describe('a read', () => {
  test.for([
    { name: '503 is repeated after the wait', given: {}, want: repeat },
    { name: '429 is repeated', given: failure({ status: 429, as: 'rate_limited' }), want: repeat },
    { name: '500 is not on the list', given: failure({ status: 500 }), want: giveUp },
    {
      name: 'an error rule that says retry is followed for any status',
      given: failure({ status: 400, rule: 'retry' }),
      want: repeat,
    },
    {
      name: 'an error rule that says fail is final',
      given: failure({ rule: 'fail' }),
      want: giveUp,
    },
    {
      name: 'a reset is repeated',
      given: failure({ kind: 'network', status: null, as: null }),
      want: repeat,
    },
    {
      name: 'a time-out is repeated',
      given: failure({ kind: 'timeout', status: null, as: null }),
      want: repeat,
    },
    { name: 'the last attempt is the last', given: { attempt: 3 }, want: giveUp },
    {
      name: 'a wait that the vendor named and that passes the deadline is handed to the caller',
      given: { wait: { ms: 60_000, asked: true }, remainingMs: 59_000 },
      want: { kind: 'give_up', retryAfterMs: 60_000 },
    },
    {
      name: 'a wait beyond max_wait is handed to the caller',
      given: { policy: { ...base.policy, maxWaitMs: 30_000 }, wait: { ms: 30_001, asked: true } },
      want: { kind: 'give_up', retryAfterMs: 30_001 },
    },
    {
      name: 'a rate limit tells the wait even when it was ours',
      given: { ...failure({ status: 429, as: 'rate_limited' }), attempt: 3 },
      want: { kind: 'give_up', retryAfterMs: 500 },
    },
  ])('$name', ({ given, want }) => expect(decideRetry({ ...base, ...given })).toEqual(want))
})

describe('a write that is not idempotent', () => {
  const write = { repeatable: false }
  test.for([
    { name: '503 leaves the outcome open and is not repeated', given: write, want: giveUp },
    {
      name: 'a reset after sending is not repeated',
      given: { ...write, ...failure({ kind: 'network', status: null, as: null }) },
      want: giveUp,
    },
    {
      name: 'a refused connection is repeated: nothing was sent',
      given: {
        ...write,
        ...failure({ kind: 'network', status: null, as: null, nothingDone: true }),
      },
      want: repeat,
    },
    {
      name: '429 is repeated: nothing was done',
      given: { ...write, ...failure({ status: 429, as: 'rate_limited', nothingDone: true }) },
      want: repeat,
    },
  ])('$name', ({ given, want }) => expect(decideRetry({ ...base, ...given })).toEqual(want))
})
