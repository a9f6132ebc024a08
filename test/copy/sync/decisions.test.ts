import { describe, expect, test } from 'vitest'
import type { Action, Sync, SyncCursor } from '../../../src/language/manifest/manifest.ts'
import { getParams } from '../../../src/copy/sync/ask-one.ts'
import { decideRemoval, type MissingRecords } from '../../../src/copy/sync/removal-decision.ts'
import {
  countFailure,
  dueKinds,
  earlyAttemptMs,
  pauseAfterFailure,
  pauseMs,
} from '../../../src/copy/sync/run-kind.ts'
import {
  type CopyFacts,
  type CountedFailures,
  NO_FACTS,
} from '../../../src/copy/sync/run-record.ts'
import {
  boundOf,
  cursorMs,
  floorTo,
  sinceOf,
  slicesOf,
  startMs,
} from '../../../src/copy/sync/slices.ts'

const DAY = 86_400_000
const NOON = Date.UTC(2026, 5, 15, 12)
const path = { root: 'body', steps: [{ kind: 'member', name: 'at' }], source: '$.at' } as const
const CURSOR: SyncCursor = {
  field: path,
  since: ['since'],
  until: null,
  format: 'iso',
  inclusive: false,
  start: null,
  windowMs: null,
  lookbackMs: null,
  newestFirst: false,
}
const SYNC: Sync = {
  everyMs: null,
  primaryKey: [path],
  action: 'list',
  params: { kind: 'constant', value: {} },
  cursor: CURSOR,
  parent: null,
  each: null,
  fullMs: 7 * DAY,
  ignore: [],
  reconcile: null,
}

test.for([
  ['2026-06-15T12:00:00Z', NOON],
  ['2026-06-15T14:00:00.000+0200', NOON],
  ['2026-06-15', NOON - DAY / 2],
  [NOON / 1000, NOON],
  [NOON, NOON],
  ['soon', null],
  [null, null],
  [{ at: 1 }, null],
] as const)('the time %j is %j', ([value, want]) => {
  expect(cursorMs(value as never)).toBe(want)
})

test('a time is rounded down to what its format can say', () => {
  const ms = Date.UTC(2026, 5, 15, 12, 34, 56, 789)
  const formats = [
    'iso',
    'epoch_ms',
    'epoch_s',
    'yyyy-MM-dd HH:mm',
    "yyyy-MM-dd'T'HH",
    'yyyy-MM-dd',
  ]
  expect(formats.map((format) => boundOf(format, floorTo(format, ms)))).toEqual([
    '2026-06-15T12:34:56.789Z',
    ms,
    Math.floor(ms / 1000),
    '2026-06-15 12:34',
    '2026-06-15T12',
    '2026-06-15',
  ])
})

test('a start is a date, or counted back in the calendar', () => {
  expect(startMs({ ...CURSOR, start: '2015-01-01' }, NOON)).toBe(Date.UTC(2015, 0, 1))
  expect(startMs({ ...CURSOR, start: 'P36M' }, NOON)).toBe(Date.UTC(2023, 5, 15, 12))
  expect(startMs(CURSOR, NOON)).toBe(null)
})

describe('slices', () => {
  test('without windows there is one per value', () => {
    const run = { values: ['a', 'b'], sinceMs: [null, 5], untilMs: 10 }
    expect(slicesOf(run, null)).toEqual([
      { no: 0, value: 'a', sinceMs: null, untilMs: 10 },
      { no: 1, value: 'b', sinceMs: 5, untilMs: 10 },
    ])
  })

  test('a clock that was set back asks for nothing that ends before it begins', () => {
    const run = { values: [null], sinceMs: [50], untilMs: 10 }
    const want = [{ no: 0, value: null, sinceMs: 50, untilMs: 51 }]
    expect(slicesOf(run, null)).toEqual(want)
    expect(slicesOf(run, 10)).toEqual(want)
  })

  test('windows are half open and end with the run', () => {
    expect(slicesOf({ values: [null], sinceMs: [0], untilMs: 25 }, 10)).toEqual([
      { no: 0, value: null, sinceMs: 0, untilMs: 10 },
      { no: 1, value: null, sinceMs: 10, untilMs: 20 },
      { no: 2, value: null, sinceMs: 20, untilMs: 25 },
    ])
  })

  test.for([
    ['initial', {}, null, null],
    ['initial', { start: '2026-06-01' }, null, Date.UTC(2026, 5, 1)],
    ['incremental', {}, NOON - DAY, NOON - DAY],
    ['incremental', { lookbackMs: DAY }, NOON - DAY, NOON - 2 * DAY],
    ['incremental', { lookbackMs: DAY, format: 'yyyy-MM-dd' }, NOON - DAY, NOON - 2.5 * DAY],
    ['incremental', { lookbackMs: 30 * DAY, start: '2026-06-01' }, NOON, Date.UTC(2026, 5, 1)],
    ['incremental', { start: '2026-06-01' }, null, Date.UTC(2026, 5, 1)],
    ['full', {}, NOON - DAY, null],
  ] as const)('a run %s with %j after %j begins at %j', ([kind, more, seen, want]) => {
    const facts: CopyFacts = { ...NO_FACTS, highWaterMs: seen === null ? {} : { '"a"': seen } }
    expect(sinceOf(kind, { ...CURSOR, ...more }, facts, NOON)('a')).toBe(want)
  })
})

test.for([
  ['the first run', { complete: false }, {}, null, ['initial']],
  ['later', {}, { fullAtMs: NOON - DAY }, null, ['incremental']],
  ['a week later', {}, { fullAtMs: NOON - 7 * DAY }, null, ['full']],
  ['asked for', {}, { fullAtMs: NOON - DAY }, 'full', ['full']],
  ['without a cursor', { sync: { cursor: null } }, {}, null, ['full']],
  [
    'a day after the keys were compared',
    { sync: { reconcile: { everyMs: DAY, params: null } } },
    { fullAtMs: NOON, reconciledAtMs: NOON - DAY },
    null,
    ['incremental', 'reconcile'],
  ],
  [
    'below parents',
    { sync: { parent: { entity: 'a', bind: [], changedOnly: true } } },
    {},
    'full',
    ['children'],
  ],
] as const)('what is due: %s', ([, state, facts, mode, want]) => {
  const { complete = true, sync = {} } = state as { complete?: boolean; sync?: Partial<Sync> }
  const given = { complete, facts: { ...NO_FACTS, ...facts } }
  expect(dueKinds({ ...SYNC, ...sync }, given, mode, NOON)).toEqual(want)
})

test('runs spread around their interval, and wait longer with every failure', () => {
  const pauses = Array.from({ length: 100 }, (_, n) => pauseMs(900_000, 0, `instance-${n}`))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(810_000)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(990_000)
  expect(new Set(pauses).size).toBeGreaterThan(90)
  expect(pauseMs(900_000, 0, 'a')).toBe(pauseMs(900_000, 0, 'a'))
  expect(pauseMs(1, 0, 'a')).toBeGreaterThanOrEqual(27_000)
  expect([1, 2, 3, 7, 50].map((failures) => pauseMs(900_000, failures, 'a') / 60_000)).toEqual([
    1, 2, 4, 60, 60,
  ])
})

test.for([
  ['one that is due, the first', 0, false, [1, 500]],
  ['one that is due', 4, false, [5, 500]],
  ['one that somebody asked for', 4, true, [4, 100]],
  ['one that somebody asked for, the first', 0, true, [1, 500]],
] as const)('which failures count for the wait: %s', ([, failures, isAsked, [count, atMs]]) => {
  const counted = countFailure({ failures, atMs: 100 }, { isAsked, atMs: 500 })
  expect(counted).toMatchObject({ failures: count, atMs })
})

test('what somebody asked for and is tried again as that waits longer with every second failure', () => {
  let counted: CountedFailures = { failures: 1, atMs: 0 }
  const counts = Array.from({ length: 6 }, (_none, atMs) => {
    counted = countFailure(counted, { isAsked: true, atMs })
    return counted.failures
  })
  expect(counts).toEqual([1, 2, 2, 3, 3, 4])
})

test.for([
  ['of one that counts', 5, 0, 960],
  ['of one a minute later that does not', 5, 60, 900],
  ['of one just before the planned attempt', 5, 950, 30],
  ['of one that took longer than the wait', 5, 2_000, 30],
  ['where the clock was set back', 5, -500, 960],
] as const)('the wait after a failure: %s', ([, failures, elapsed, want]) => {
  expect(pauseAfterFailure(failures, elapsed * 1000) / 1000).toBe(want)
})

describe('D1 removals', () => {
  const NONE: MissingRecords = {
    missing: [],
    missingTwice: [],
    listings: 2,
    isShifted: false,
    live: 100,
    isOneCall: false,
    received: 100,
    canGet: false,
    wasSuspicious: false,
    isConfirmed: false,
  }
  const many = Array.from({ length: 21 }, (_, n) => `m${n}`)
  test.for([
    ['nothing is missing', {}, { kind: 'remove', ids: [], asked: [] }],
    ['one absence is no proof', { missing: ['a'] }, { kind: 'remove', ids: [], asked: [] }],
    [
      'two absences are',
      { missing: ['a'], missingTwice: ['a'] },
      { kind: 'remove', ids: ['a'], asked: [] },
    ],
    [
      'but not where pages may have shifted',
      { missing: ['a', 'b'], missingTwice: ['a'], isShifted: true },
      { kind: 'remove', ids: [], asked: [] },
    ],
    [
      'three are, pages shifted or not',
      { missing: ['a', 'b'], missingTwice: ['a'], isShifted: true, listings: 3 },
      { kind: 'remove', ids: ['a'], asked: [] },
    ],
    [
      'unless one of them was suspicious',
      { missing: ['a'], missingTwice: ['a'], listings: 3, wasSuspicious: true },
      { kind: 'remove', ids: [], asked: [] },
    ],
    [
      'one answer cannot shift',
      { missing: ['a'], isOneCall: true },
      { kind: 'remove', ids: ['a'], asked: [] },
    ],
    [
      'but an empty one proves nothing',
      { missing: ['a'], isOneCall: true, received: 0 },
      { kind: 'remove', ids: [], asked: [] },
    ],
    [
      'its own get decides',
      { missing: ['a'], canGet: true },
      { kind: 'remove', ids: [], asked: ['a'] },
    ],
    ['too many are kept', { missing: many }, { kind: 'suspicious', missing: 21 }],
    [
      'also when the next listing agrees',
      { missing: many, missingTwice: many, wasSuspicious: true },
      { kind: 'suspicious', missing: 21 },
    ],
    [
      'unless the operator has confirmed it',
      { missing: many, missingTwice: many, wasSuspicious: true, isConfirmed: true },
      { kind: 'remove', ids: many, asked: [] },
    ],
    [
      'or a sample of them is not found',
      { missing: many, missingTwice: many, wasSuspicious: true, canGet: true },
      { kind: 'sample', ids: many, missing: 21 },
    ],
    [
      'a tenth of a large copy may go',
      { missing: many, live: 1_000, canGet: true },
      { kind: 'remove', ids: [], asked: many },
    ],
  ] as const)('%s', ([, found, want]) => {
    expect(decideRemoval({ ...NONE, ...found })).toEqual(want)
  })
})

describe('parameters of one record', () => {
  const get = {
    params: {
      schema: {
        required: ['issue', 'id'],
        properties: {
          issue: { type: 'string' },
          id: { type: 'integer' },
          expand: { type: 'string' },
        },
      },
      defaults: [],
    },
    // Only its parameters are looked at.
  } as unknown as Action
  test.for([
    [
      'what is missing is the id',
      { issue: 'A-1', expand: 'all', more: 1 },
      '7',
      { issue: 'A-1', id: 7 },
    ],
    ['nothing is missing', { issue: 'A-1', id: 3 }, null, { issue: 'A-1', id: 3 }],
    ['too much is missing', {}, '7', null],
    ['the id is missing', { issue: 'A-1' }, null, null],
  ] as const)('%s', ([, known, id, want]) => {
    expect(getParams(get, known, id)).toEqual(want)
  })
})

const MET = { code: 'upstream_failed', message: 'failed', atMs: 1_000 } as const
const NOW = { beganMs: 5_000, nowMs: 6_000 }

test.for([
  { name: 'after what the third party failed with as a whole', facts: {}, want: 25_000 },
  { name: 'at once where that was long ago', facts: {}, nowMs: 90_000, want: 0 },
  {
    name: 'for what it was held back for',
    facts: { lastError: { ...MET, code: 'upstream_suspended', cause: MET } },
    want: 25_000,
  },
  { name: 'not where nothing fails', facts: { failures: 0, lastError: null }, want: null },
  {
    name: 'not for what that operation alone may meet',
    facts: { lastError: { ...MET, code: 'upstream_forbidden' } },
    want: null,
  },
  { name: 'not where it failed after the other one began', facts: {}, beganMs: 500, want: null },
  {
    name: 'not twice between two attempts of the plan',
    facts: { counted: { failures: 1, atMs: 500, isSpared: true } },
    want: null,
  },
] as const)('a copy is tried ahead of its plan $name', ({ facts, want, ...at }) => {
  const known = { failures: 1, lastError: MET, ...facts }
  expect(earlyAttemptMs(known, { ...NOW, ...at })).toBe(want)
})
