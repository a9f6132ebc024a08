import { expect, test } from 'vitest'
import type { RunRecord } from '../../src/sync/run-record.ts'
import { progressOf } from '../../src/sync/status.ts'
import { syncedEntities } from '../../src/sync/synced-entity.ts'
import { notesManifest } from './notes-vendor.ts'

const START = Date.UTC(2026, 0, 1)
const RUN: RunRecord = {
  runId: 'run-1',
  kind: 'initial',
  epoch: 1,
  startedAtMs: START,
  startSeq: 0,
  untilMs: START,
  values: ['a', 'b'],
  sinceMs: [null, null],
  phase: 'reading',
  slicesDone: 1,
  pages: 10,
  read: 100,
  changed: 100,
  unchanged: 0,
  removed: 0,
  expectedTotal: 100,
  slicesCounted: 1,
  waitedMs: 0,
  attempts: 0,
  restarts: 0,
  resumed: false,
  finishedAtMs: null,
  error: null,
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
    { ...RUN, ...given },
    START + 10_000,
  )
  expect({ slices, expectedTotal, percent, etaSeconds }).toEqual(want)
})
