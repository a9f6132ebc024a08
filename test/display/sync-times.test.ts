import { expect, test } from 'vitest'
import {
  leftAloneUntil,
  nextAttemptAt,
  nextSentAt,
  waitsForTurn,
} from '../../src/display/sync-times.ts'

const at = '2026-05-03T10:00:00.000Z'

test('what lasted until a moment that is over is told as over', () => {
  const now = Date.parse(at)
  expect(leftAloneUntil(now - 1, at)).toBe('the third party is left alone until')
  expect(leftAloneUntil(now, at)).toBe('the third party was left alone until')
})

test.for([
  { code: 'upstream_failed', facts: { tried_again_in_s: 480 }, want: '2026-05-03T10:08:00.000Z' },
  { code: 'upstream_failed', facts: {}, want: null },
  // It waits for its user.
  { code: 'credentials_refused', facts: { tried_again_in_s: 480 }, want: null },
])('$code with $facts is tried again at $want', ({ want, ...entry }) => {
  expect(nextAttemptAt({ at, ...entry })).toBe(want)
})

test.for([
  { due: '2026-05-03T10:01:00.000Z', until: null, want: '2026-05-03T10:01:00.000Z' },
  { due: '2026-05-03T10:01:00.000Z', until: at, want: '2026-05-03T10:01:00.000Z' },
  {
    due: '2026-05-03T10:01:00.000Z',
    until: '2026-05-03T10:02:00.000Z',
    want: '2026-05-03T10:02:00.000Z',
  },
  {
    due: '2026-05-03T10:03:00.000Z',
    until: '2026-05-03T10:02:00.000Z',
    want: '2026-05-03T10:03:00.000Z',
  },
  { due: null, until: '2026-05-03T10:02:00.000Z', want: '2026-05-03T10:02:00.000Z' },
  { due: null, until: null, want: null },
])('due at $due and left alone until $until, it is sent at $want', ({ due, until, want }) =>
  expect(nextSentAt(Date.parse(at), due, until)).toBe(want),
)

const late = { late: true, failures: 0, waits_for: null, limited_until: null }

test.for([
  { name: 'late', copy: late, want: true },
  { name: 'as planned', copy: { ...late, late: false }, want: false },
  { name: 'failing', copy: { ...late, failures: 1 }, want: false },
  { name: 'below one that fails', copy: { ...late, waits_for: {} }, want: false },
  { name: 'limited', copy: { ...late, limited_until: at }, want: false },
])('a copy that is $name waits for its turn: $want', ({ copy, want }) =>
  expect(waitsForTurn(copy)).toBe(want),
)
