import { expect, test } from 'vitest'
import { loadPackaged } from '../../../src/client/packaged.ts'
import { entitiesOf } from '../../../src/service/sync/sync-parts.ts'
import type { RunRecord } from '../../../src/copy/sync/run-record.ts'
import { syncedEntities } from '../../../src/copy/sync/synced-entity.ts'
import {
  type EntityStatus,
  progressOf,
  type RunProgress,
  statusOf,
  withWaiting,
} from '../../../src/copy/sync/status.ts'
import { notesManifest } from './notes-vendor.ts'

const START = Date.UTC(2026, 0, 1)
const jira = entitiesOf(await loadPackaged('jira'))

function run(given: Partial<RunRecord>): RunRecord {
  return {
    runId: 'run-1',
    kind: 'initial',
    epoch: 1,
    startedAtMs: START,
    startSeq: 0,
    untilMs: START,
    values: [null],
    sinceMs: [null],
    phase: 'reading',
    slicesDone: 0,
    pages: 0,
    read: 0,
    changed: 0,
    unchanged: 0,
    removed: 0,
    expectedTotal: null,
    waitedMs: 0,
    attempts: 0,
    restarts: 0,
    resumed: false,
    finishedAtMs: null,
    error: null,
    ...given,
  }
}

/** What can be reckoned of a run after so many seconds. */
function reckoned(
  entity: string,
  record: Partial<RunRecord>,
  seconds: number,
  waiting: number | null = null,
): Pick<RunProgress, 'slices' | 'percent' | 'rowsPerSecond' | 'etaSeconds'> {
  const known = jira.get(entity)
  if (known === undefined) throw new TypeError(`jira has no ${entity}`)
  const all = progressOf(known, run(record), {
    nowMs: START + seconds * 1000,
    waiting,
    live: 0,
  })
  const { slices, percent, rowsPerSecond, etaSeconds } = all
  return { slices, percent, rowsPerSecond, etaSeconds }
}

test('where nobody counts, a run that reads everything is compared with the copy there is', () => {
  const issues = jira.get('issues')
  if (issues === undefined) throw new TypeError('jira has no issues')
  const estimate = (kind: RunRecord['kind'], read: number, live: number): number | null =>
    progressOf(issues, run({ kind, read }), { nowMs: START, waiting: null, live }).estimatedPercent
  expect([estimate('full', 50, 200), estimate('reconcile', 300, 200)]).toEqual([25, 99])
  expect([estimate('initial', 50, 0), estimate('incremental', 50, 200)]).toEqual([null, null])
})

test('without a total nothing is foretold', () => {
  expect(reckoned('issues', { read: 5000 }, 10)).toEqual({
    slices: 1,
    percent: null,
    rowsPerSecond: 500,
    etaSeconds: null,
  })
})

test('with a total the rest follows from the rate; all but the end is less than 100 percent', () => {
  expect(reckoned('projects', { read: 999, expectedTotal: 1000, slicesCounted: 1 }, 10)).toEqual({
    slices: 1,
    percent: 99,
    rowsPerSecond: 100,
    etaSeconds: 1,
  })
})

test('children are reckoned by the parents that were asked, and those that wait', () => {
  const record = { kind: 'children', phase: 'children', slicesDone: 1000, read: 300 } as const
  expect(reckoned('issue_comments', record, 100, 9000)).toEqual({
    slices: 10_000,
    percent: 10,
    rowsPerSecond: 3,
    etaSeconds: 900,
  })
  // Parents are still being read.
  expect(reckoned('issue_comments', record, 100, null)).toEqual({
    slices: null,
    percent: null,
    rowsPerSecond: 3,
    etaSeconds: null,
  })
})

test('the time in which nobody worked on a run does not count', () => {
  const paceFrom = { atMs: START + 3_600_000, read: 1000, slicesDone: 0 }
  const record = { read: 3000, expectedTotal: 5000, slicesCounted: 1, resumed: true, paceFrom }
  expect(reckoned('projects', record, 3610)).toEqual({
    slices: 1,
    percent: 60,
    rowsPerSecond: 200,
    etaSeconds: 10,
  })
})

const TWO_LISTINGS: Partial<RunRecord> = {
  values: ['a', 'b'],
  sinceMs: [null, null],
  slicesDone: 1,
  pages: 10,
  read: 100,
  expectedTotal: 100,
  slicesCounted: 1,
}

test.for([
  [
    'one of two listings has not said how much it has',
    {},
    { slices: 2, expectedTotal: null, percent: null, etaSeconds: null },
  ],
  [
    'both have',
    { slicesCounted: 2, expectedTotal: 400 },
    { slices: 2, expectedTotal: 400, percent: 25, etaSeconds: 30 },
  ],
  [
    'nobody says',
    { slicesCounted: 0, expectedTotal: null },
    { slices: 2, expectedTotal: null, percent: null, etaSeconds: null },
  ],
] as const)('how far a run is when %s', async ([, given, want]) => {
  const notes = syncedEntities(await notesManifest()).get('notes')
  if (notes === undefined) throw new TypeError('there are notes')
  const { slices, expectedTotal, percent, etaSeconds } = progressOf(
    notes,
    run({ ...TWO_LISTINGS, ...given }),
    { nowMs: START + 10_000, waiting: null, live: 0 },
  )
  expect({ slices, expectedTotal, percent, etaSeconds }).toEqual(want)
})

test.for([
  ['while somebody works on it', { isRunning: true, isPaused: false }, [100, 1]],
  ['while it waits for its next turn', { isRunning: false, isPaused: false }, [null, null]],
  ['while it is paused', { isRunning: true, isPaused: true }, [null, null]],
] as const)('a run has a rate and a rest only %s', ([, { isRunning, isPaused }, expected]) => {
  const entity = jira.get('projects')
  if (entity === undefined) throw new TypeError('jira has projects')
  const { run: shown } = statusOf({
    entity,
    copies: [],
    run: run({ read: 900, expectedTotal: 1000, slicesCounted: 1 }),
    waiting: null,
    job: { dueAt: START, isRunning },
    isPaused,
    nowMs: START + 9_000,
  })
  expect([shown?.rowsPerSecond, shown?.etaSeconds]).toEqual(expected)
})

const github = entitiesOf(await loadPackaged('github'))

/** An entity of GitHub that is whole, or what is said of it. */
function statusAs(name: string, given: Partial<EntityStatus>): EntityStatus {
  const entity = github.get(name)
  if (entity === undefined) throw new TypeError(`github has no ${name}`)
  const known = { entity, copies: [], run: null, waiting: null, job: null, nowMs: START }
  return { ...statusOf({ ...known, isPaused: false }), state: 'ready', ...given }
}

const FAULT = { code: 'upstream_failed', message: 'GitHub: it failed', atMs: START } as const
const FAILS = { state: 'error', failures: 2, firstError: FAULT } as const
const BY_FAILURE = { entity: 'repositories', state: 'error', error: FAULT } as const
const BY_PAUSE = { entity: 'repositories', state: 'paused', error: null } as const

test.for([
  { name: 'that is well', above: {}, below: {}, want: ['ready', null] },
  { name: 'that fails', above: FAILS, below: {}, want: ['waiting', BY_FAILURE] },
  {
    name: 'that fails, before it was read as a whole',
    above: FAILS,
    below: { state: 'initial' },
    want: ['waiting', BY_FAILURE],
  },
  {
    name: 'that fails, and so does the one below',
    above: FAILS,
    below: { state: 'error', failures: 1 },
    want: ['error', BY_FAILURE],
  },
  {
    name: 'that fails and is suspicious',
    above: { ...FAILS, state: 'suspicious' },
    below: {},
    want: ['waiting', BY_FAILURE],
  },
  {
    name: 'that is suspicious, and was read',
    above: { state: 'suspicious' },
    below: {},
    want: ['ready', null],
  },
  {
    name: 'that somebody has paused',
    above: { state: 'paused' },
    below: {},
    want: ['waiting', BY_PAUSE],
  },
  {
    name: 'that is paused with the one below',
    above: { state: 'paused' },
    below: { state: 'paused' },
    want: ['paused', BY_PAUSE],
  },
] as const)('what is read below an entity $name', ({ above, below, want }) => {
  const statuses = [statusAs('issues', below), statusAs('repositories', above)]
  const [issues, repositories] = withWaiting(statuses, github)
  expect([issues?.state, issues?.waitsFor]).toEqual(want)
  expect(repositories).toEqual(statuses[1])
})

test.for([
  ['that fails: with that', { ...FAILS, nextRunAtMs: START + 59 }, {}, START + 59],
  ['that fails, and its own run is under way', FAILS, { nextRunAtMs: null }, null],
  ['that is being tried again', { ...FAILS, nextRunAtMs: null }, {}, null],
  ['that is paused', { state: 'paused', nextRunAtMs: null }, {}, null],
  ['that fails, as it does itself', FAILS, { state: 'error', failures: 1 }, START + 20],
  ['that is well', { nextRunAtMs: START + 59 }, {}, START + 20],
] as const)('when a copy is read next below an entity %s', ([, above, below, want]) => {
  const own = { nextRunAtMs: START + 20, ...below }
  const [issues] = withWaiting([statusAs('issues', own), statusAs('repositories', above)], github)
  expect(issues?.nextRunAtMs).toBe(want)
})

test('what is read two below waits for the same, and for the nearest that stands still', () => {
  const names = ['issue_comments', 'issues', 'repositories']
  const ofAll = (states: readonly Partial<EntityStatus>[]): readonly (string | undefined)[] =>
    withWaiting(
      names.map((name, at) => statusAs(name, states[at] ?? {})),
      github,
    ).map(({ waitsFor }) => waitsFor?.entity)
  const isBelow = github.get('issue_comments')?.sync.parent?.entity === 'issues'
  expect(ofAll([{}, {}, FAILS])).toEqual(['repositories', 'repositories', undefined])
  expect(ofAll([{}, { state: 'paused' }, FAILS])).toEqual([
    isBelow ? 'issues' : 'repositories',
    'repositories',
    undefined,
  ])
})
