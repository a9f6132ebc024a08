import { describe, expect, test } from 'vitest'
import { givenState, type RefreshState } from '../../../src/engine/credentials/refresh-state.ts'
import {
  intentAfter,
  intentBefore,
  nextRefreshAt,
  stateOfRow,
  withInstance,
  withIntent,
} from '../../../src/service/credentials/refresh-rows.ts'
import type { IntentRow } from '../../../src/service/store/credentials.ts'
import type { InstanceRow } from '../../../src/service/store/instances.ts'

// The monotonic clock began at 1,000,000 of the rows' clock.
const times = { toState: (at: number) => at - 1_000_000, toRow: (at: number) => at + 1_000_000 }
const ROTATING = { renewable: true, rotates: true, graceMs: null }
const READY = givenState(3, true)

const INTENT: IntentRow = {
  instanceId: 'i',
  generation: 3,
  refreshFingerprint: null,
  fence: 1,
  kind: 'normal',
  sentBy: 'p',
  attempts: 0,
  notBefore: null,
  mark: null,
  createdAt: 1_005_000,
}

const UNKNOWN: RefreshState = {
  ...READY,
  doubtful: true,
  unknowns: 2,
  standing: { kind: 'unknown', since: 5_000, until: 65_000 },
}
const UNWELL: RefreshState = {
  ...READY,
  doubtful: true,
  failures: 3,
  standing: { kind: 'backing_off', until: 9_000, failure: { kind: 'busy', status: 503 } },
}
const BUSY: RefreshState = {
  ...READY,
  failures: 1,
  standing: { kind: 'backing_off', until: 9_000, failure: { kind: 'busy', status: 429 } },
}
const AWAY: RefreshState = {
  ...READY,
  failures: 1,
  standing: { kind: 'backing_off', until: 9_000, failure: { kind: 'unreachable' } },
}
const REFUSED: RefreshState = { ...READY, standing: { kind: 'refused', reason: 'grant_refused' } }

describe('R5 an intent tells what came of a presentation', () => {
  test.for([
    { name: 'nothing is wrong: it goes', state: READY, want: null },
    { name: 'nothing was sent: it goes', state: AWAY, want: null },
    { name: 'refused for good: it goes', state: REFUSED, want: null },
    {
      name: 'the answer was lost',
      state: UNKNOWN,
      want: { kind: 'recovery', attempts: 2, mark: 'lost 1005000', notBefore: 1_065_000 },
    },
    {
      name: 'the endpoint is unwell',
      state: UNWELL,
      want: { kind: 'normal', attempts: 3, mark: 'unwell 503', notBefore: 1_009_000 },
    },
    {
      name: 'the endpoint is busy',
      state: BUSY,
      want: { kind: 'normal', attempts: 1, mark: 'busy 429', notBefore: 1_009_000 },
    },
    {
      name: 'nothing was sent after it was unwell: the doubt stays',
      state: { ...AWAY, doubtful: true },
      want: { kind: 'normal', attempts: 1, mark: 'unwell 0', notBefore: 1_009_000 },
    },
  ])('R5 $name', ({ state, want }) => {
    expect(intentAfter(state, times)).toEqual(want)
    // Before the next call it says the same, without an outcome.
    const { notBefore: _, ...kept } = want ?? {
      kind: 'normal',
      attempts: 0,
      mark: null,
      notBefore: 0,
    }
    expect(intentBefore(state, times)).toEqual({ ...kept, notBefore: null })
  })

  test.for([
    { name: 'unknown', state: UNKNOWN },
    { name: 'unwell', state: UNWELL },
    { name: 'busy', state: BUSY },
  ])('R5 another process reads the same state from it: $name', ({ state }) => {
    const kept = intentAfter(state, times)
    const read = withIntent(READY, { ...INTENT, ...kept }, ROTATING, {
      times,
      holdsLease: true,
      random: 0.5,
    })
    expect(read).toEqual(state)
  })

  test('R5 an intent without an outcome, seen under the lease, is a lost answer of the time it was written', () => {
    const at = { times, holdsLease: true, random: 0.5 }
    expect(withIntent(READY, INTENT, ROTATING, at)).toEqual({
      ...READY,
      doubtful: true,
      unknowns: 1,
      standing: { kind: 'unknown', since: 5_000, until: 35_000 },
    })
    // A recovery that ended so: since the first loss, and waiting longer.
    const again = { ...INTENT, mark: 'lost 1001000', attempts: 1 }
    expect(withIntent(READY, again, ROTATING, at)).toMatchObject({
      unknowns: 2,
      standing: { kind: 'unknown', since: 1_000, until: 65_000 },
    })
    // Where tokens do not rotate it is simply repeated.
    expect(withIntent(READY, INTENT, { ...ROTATING, rotates: false }, at)).toMatchObject({
      doubtful: false,
      standing: { kind: 'backing_off' },
    })
  })

  test('R5 without the lease an intent without an outcome is somebody at work', () => {
    const at = { times, holdsLease: false, random: 0.5 }
    expect(withIntent(READY, INTENT, ROTATING, at)).toEqual(READY)
  })

  test('R5 an intent of another generation says nothing, one that went ends the doubt', () => {
    const at = { times, holdsLease: true, random: 0.5 }
    expect(withIntent(READY, { ...INTENT, generation: 2 }, ROTATING, at)).toEqual(READY)
    expect(withIntent(UNKNOWN, null, ROTATING, at).standing).toEqual({ kind: 'ready' })
  })
})

test.for([
  { state: 'auth_error', code: 'refresh_lost', want: { kind: 'refused', reason: 'refresh_lost' } },
  { state: 'auth_error', code: 'credentials_refused', want: { kind: 'ready' } },
  { state: 'active', code: 'refresh_lost', want: { kind: 'ready' } },
] as const)('R5 an instance in $state for $code', ({ state, code, want }) => {
  const stateReason = { code, detail: '', since: 0, upstreamStatus: null }
  const row = { state, stateReason } as unknown as InstanceRow
  expect(withInstance(READY, row).standing).toEqual(want)
})

test('a row of a refresh carries age and margin, one given by hand carries its end at most', () => {
  const row = {
    generation: 3,
    credentials: {},
    session: {},
    refreshFingerprint: null,
    receivedAt: 1_001_000,
    expiresAt: 1_601_000,
    marginMs: 55_000,
  }
  expect(stateOfRow(row, true, times)).toEqual({
    ...READY,
    receivedAt: 1_000,
    lifeMs: 600_000,
    marginMs: 55_000,
  })
  const given = { ...row, receivedAt: null, marginMs: 0 }
  expect(stateOfRow({ ...given, expiresAt: null }, true, times)).toEqual(READY)
  expect(stateOfRow(given, true, times)).toEqual({ ...READY, receivedAt: 0, lifeMs: 601_000 })
})

test.for([
  { name: 'a fresh token: a margin before its end', state: READY, want: 1_546_000 },
  { name: 'an unknown outcome: when the old token has ended', state: UNKNOWN, want: 1_601_000 },
  { name: 'an endpoint that is unwell: after the wait', state: UNWELL, want: 1_009_000 },
  { name: 'refused for good: never', state: REFUSED, want: null },
])('the refresh ahead of need is tried next after $name', ({ state, want }) => {
  const aged = { ...state, receivedAt: 1_000, lifeMs: 600_000, marginMs: 55_000 }
  expect(nextRefreshAt(aged, times)).toBe(want)
})
