import { expect, test } from 'vitest'
import { askedInWords, askedRuns } from '../../../../src/console/screens/sync/asked-runs.ts'
import type { SyncStatus } from '../../../../src/console/api/answers.ts'

type Shown = Pick<SyncStatus, 'entity' | 'state' | 'failures'> & {
  readonly ends?: number
  readonly next?: string
}

/** A copy of which so many turns have ended, and that is read now, or has a next turn. */
function copy({ entity, state, failures, ends = 1, next }: Shown): SyncStatus {
  const runs = Array.from({ length: ends }, (_, at) => ({
    run_id: 'run',
    finished_at: `2026-05-03T10:${10 + at}:00.000Z`,
  }))
  // Only these members are looked at.
  return { entity, state, failures, runs, next_run_at: next ?? null } as unknown as SyncStatus
}

const WORDS = 'Every entity is being synchronized.'
const READY = { entity: 'users', state: 'ready', failures: 0 } as const
const CALLS = { ...READY, entity: 'calls' } as const
const NEXT = '2026-05-03T10:20:00.000Z'
const ended = (each: Shown): SyncStatus => copy({ ...each, ends: 2, next: NEXT })
const queued = (each: Shown): SyncStatus => copy({ ...each, next: NEXT })

test.for([
  { name: 'nothing has ended', now: [copy(READY), copy(CALLS)], want: WORDS },
  { name: 'one goes on', now: [ended(READY), copy(CALLS)], want: WORDS },
  { name: 'one goes on and one waits', now: [queued(READY), copy(CALLS)], want: WORDS },
  {
    name: 'none has begun',
    now: [queued(READY), queued(CALLS)],
    want: '2 entities wait for their turn.',
  },
  {
    name: 'one has not begun',
    now: [ended(READY), queued(CALLS)],
    want: '1 entity waits for its turn.',
  },
  { name: 'all have ended', now: [ended(READY), ended(CALLS)], want: '2 entities read.' },
  {
    name: 'one has failed',
    now: [ended(READY), ended({ ...CALLS, state: 'error', failures: 3 })],
    want: '1 entity read, 1 failed.',
  },
  {
    name: 'one waits for another',
    now: [ended({ ...READY, state: 'waiting' }), ended({ ...CALLS, state: 'error', failures: 1 })],
    want: '0 entities read, 1 failed, 1 waits for another entity.',
  },
  {
    name: 'one was paused meanwhile',
    now: [ended(READY), copy({ ...CALLS, state: 'paused' })],
    want: '1 entity read, 1 not synchronized.',
  },
  {
    name: 'the credentials were refused',
    now: [copy({ ...READY, state: 'paused' }), copy({ ...CALLS, state: 'paused', failures: 1 })],
    want: '0 entities read, 1 failed, 1 not synchronized.',
  },
  {
    name: 'another entity, for which nobody asked',
    now: [ended(READY), ended(CALLS), copy({ ...READY, entity: 'media' })],
    want: '2 entities read.',
  },
])('of runs that were asked for: $name', ({ now, want }) => {
  const asked = askedRuns(WORDS, ['users', 'calls'], [copy(READY), copy(CALLS)])
  expect(askedInWords(asked, now)).toBe(want)
})
