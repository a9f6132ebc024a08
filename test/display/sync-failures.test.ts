import { expect, test } from 'vitest'
import {
  byAttempts,
  byBeginning,
  calledIn,
  failsSince,
  firstCause,
  isHeldBack,
  leftAloneUntil,
  sharedFailures,
  timesInWords,
  waitedFor,
} from '../../src/display/sync-failures.ts'
import { gapWords } from '../../src/display/sync-gaps.ts'
import type { Gap } from '../../src/copy/sync/run-record.ts'

type Copy = Parameters<typeof sharedFailures>[0][number]

const FAILED = { code: 'upstream_failed', detail: 'Gong: users.list failed (status 500)' }

/** A copy that fails since a minute of one hour. */
function failing(entity: string, minute: number, error: Partial<Copy['last_error']>): Copy {
  const at = `2026-05-03T10:${minute}:00.000Z`
  const told = { ...FAILED, at, suspended_until: null, cause: null, ...error }
  return { entity, failures: 2, first_error: told, last_error: told }
}

const READY = { entity: 'ready', failures: 0, first_error: null, last_error: null }
const HELD = {
  detail: 'Held back because another call failed: Gong: users.list failed (status 500)',
  cause: FAILED,
}
const OTHER = { code: 'upstream_forbidden', detail: 'Gong: calls.list failed (status 403)' }

test.for([
  { name: 'nothing fails', copy: READY, want: false },
  { name: 'it failed in a call of its own', copy: failing('users', 11, {}), want: false },
  { name: 'nothing was sent for it', copy: failing('users', 11, HELD), want: true },
  {
    name: 'it failed in a call of its own before',
    copy: { ...failing('users', 11, HELD), first_error: failing('users', 10, {}).first_error },
    want: false,
  },
])('held back: $name', ({ copy, want }) => expect(isHeldBack(copy)).toBe(want))

const UNTIL = '2026-05-03T11:00:00.000Z'

test.for([
  { name: 'nothing fails', copies: [READY], at: UNTIL, want: null },
  { name: 'no hold is known', copies: [failing('users', 11, {})], at: UNTIL, want: null },
  {
    name: 'the last of them counts',
    copies: [
      failing('users', 11, { suspended_until: '2026-05-03T10:59:00.000Z' }),
      failing('calls', 12, { suspended_until: UNTIL }),
      READY,
    ],
    at: '2026-05-03T10:30:00.000Z',
    want: UNTIL,
  },
  {
    name: 'it is over',
    copies: [failing('users', 11, { suspended_until: UNTIL })],
    at: UNTIL,
    want: null,
  },
])('left alone: $name', ({ copies, at, want }) =>
  expect(leftAloneUntil(copies, Date.parse(at))).toBe(want),
)

test.for([
  { name: 'nothing fails', copies: [READY], want: [] },
  {
    name: 'the same words of other operations are one cause, told without what was called',
    copies: [
      READY,
      failing('calls', 12, { detail: 'Gong: calls.list failed (status 500)' }),
      failing('users', 11, {}),
      failing('held', 10, { ...HELD, suspended_until: '2026-05-03T11:00:00.000Z' }),
    ],
    want: [
      [
        'Gong: more than one operation failed (status 500)',
        ['users', 'calls'],
        ['held'],
        '2026-05-03T10:10:00.000Z',
        '2026-05-03T11:00:00.000Z',
      ],
    ],
  },
  {
    name: 'where all are held back, all fail with what holds them',
    copies: [failing('held', 10, HELD)],
    want: [[FAILED.detail, ['held'], [], '2026-05-03T10:10:00.000Z', null]],
  },
  {
    name: 'what a copy fails with now counts, not with what it began',
    copies: [
      { ...failing('users', 13, OTHER), first_error: failing('users', 11, {}).first_error },
      { ...failing('calls', 14, {}), first_error: failing('calls', 12, OTHER).first_error },
    ],
    want: [
      [OTHER.detail, ['users'], [], '2026-05-03T10:13:00.000Z', null],
      [FAILED.detail, ['calls'], [], '2026-05-03T10:14:00.000Z', null],
    ],
  },
  {
    name: 'what began with the same code has failed since then',
    copies: [{ ...failing('users', 13, {}), first_error: failing('users', 11, {}).first_error }],
    want: [[FAILED.detail, ['users'], [], '2026-05-03T10:11:00.000Z', null]],
  },
  {
    name: 'other words are another cause',
    copies: [failing('users', 11, {}), failing('calls', 10, OTHER)],
    want: [
      [OTHER.detail, ['calls'], [], '2026-05-03T10:10:00.000Z', null],
      [FAILED.detail, ['users'], [], '2026-05-03T10:11:00.000Z', null],
    ],
  },
])('$name', ({ copies, want }) => {
  const names = (of: readonly Copy[]): readonly string[] => of.map(({ entity }) => entity)
  expect(
    sharedFailures(copies).map(({ cause, failing: own, held, since, suspendedUntil }) => [
      cause.detail,
      names(own),
      names(held),
      since,
      suspendedUntil,
    ]),
  ).toEqual(want)
})

test.for([
  { name: 'within a minute', minutes: [10, 10], want: [['a', 'b']] },
  { name: 'in other minutes', minutes: [12, 10], want: [['b'], ['a']] },
  { name: 'not at all', minutes: [], want: [] },
])('copies that began to fail $name', ({ minutes, want }) => {
  const copies = minutes.map((minute, at) => failing('ab'.charAt(at), minute, {}))
  const groups = byBeginning(copies, failsSince)
  expect(groups.map(({ those }) => those.map(({ entity }) => entity))).toEqual(want)
  for (const { since, those } of groups) expect(those[0]?.first_error?.at).toBe(since)
})

test.for([
  { name: 'one round is one attempt', next: ['10:40:01', '10:40:04'], want: [['40:01', 'ab']] },
  {
    name: 'the first of them comes first, and what is being tried before it',
    next: ['10:48:00', '10:40:00', null],
    want: [
      [null, 'c'],
      ['40:00', 'b'],
      ['48:00', 'a'],
    ],
  },
  {
    name: 'what is not known is told as that',
    next: [undefined, '10:40:00'],
    want: [
      [undefined, 'a'],
      ['40:00', 'b'],
    ],
  },
  {
    name: 'what began at another time stands apart',
    next: ['10:40:00', '10:40:00'],
    began: ['12', '10'],
    want: [
      ['40:00', 'b'],
      ['40:00', 'a'],
    ],
  },
])('attempts: $name', ({ next, began = [], want }) => {
  const copies = next.map((at, index) => ({
    entity: 'abc'.charAt(index),
    since: `2026-05-03T10:${began[index] ?? '10'}:00.000Z`,
    next: at == null ? at : `2026-05-03T${at}.000Z`,
  }))
  const groups = byAttempts(copies, (copy) => copy)
  expect(
    groups.map(({ next: at, those }) => [
      at?.slice(14, 19) ?? at,
      those.map(({ entity }) => entity).join(''),
    ]),
  ).toEqual(want)
  for (const { since, those } of groups) expect(those.map((each) => each.since)).toContain(since)
})

test.for([
  ['Gong: users.list failed (status 500)', 'users.list'],
  ['Jira: issue_comments.list-all failed', 'issue_comments.list-all'],
  ['failed (status 500)', null],
  ['Gong: more than one operation failed (status 500)', null],
] as const)('%s: %s was called', ([detail, want]) => expect(calledIn(detail)).toBe(want))

test.for([
  { name: 'nothing fails', copies: [READY], want: undefined },
  {
    name: 'its own call before what another one was held back for',
    copies: [failing('held', 10, HELD), failing('calls', 12, OTHER)],
    want: OTHER.detail,
  },
  { name: 'all is held back', copies: [failing('held', 10, HELD)], want: FAILED.detail },
])('told first: $name', ({ copies, want }) =>
  expect(firstCause(sharedFailures(copies))?.cause.detail).toBe(want),
)

test.for([
  [[1], 'once'],
  [[1, 1], 'once'],
  [[3, 3], '3 times'],
  [[1, 3], 'up to 3 times'],
  [[1_000], '1,000 times'],
] as const)('%j failures', ([counts, want]) =>
  expect(timesInWords(counts.map((failures) => ({ failures })))).toBe(want),
)

test.for([
  ['error', '2026-05-03T10:10:00.000Z', 'users, which has been failing'],
  ['error', null, 'users, which fails'],
  ['paused', null, 'users, which stands still'],
] as const)('what waits for another one that is %s since %s', ([state, since, want]) =>
  expect(waitedFor({ entity: 'users', state, since })).toBe(want),
)

/** A record, so that the compiler names a gap without words. */
const GAPS = {
  left_out: null,
  unsaid_end: null,
  bound_met: null,
  count_unmet: /counts more/,
  unread_records: /full reading/,
  unread_parents: /tried again/,
  parents: /has gaps/,
} satisfies Record<Gap, RegExp | null>

test.for(Object.entries(GAPS))('%s has words, or is told elsewhere', ([gap, want]) => {
  if (want === null) expect(gapWords([gap])).toBeNull()
  else expect(gapWords([gap])).toMatch(want)
})

test('several gaps are one sentence, with the name of one that a newer service has', () =>
  expect(gapWords(['left_out', 'parents', 'newer'])).toBe(
    'the copy of the parents has gaps; newer',
  ))
