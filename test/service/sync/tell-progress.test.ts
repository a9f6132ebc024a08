import { expect, test } from 'vitest'
import { loadPackaged } from '../../../src/client/packaged.ts'
import type { CopyEntry } from '../../../src/copy/search/search-index.ts'
import { entitiesOf } from '../../../src/service/sync/sync-parts.ts'
import { tellProgress } from '../../../src/service/sync/during-turn.ts'
import type { InstanceRow } from '../../../src/service/store/instances.ts'
import { RUN_ENTRY, type RunRecord, toEntry } from '../../../src/copy/sync/run-record.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'

const START = Date.UTC(2026, 0, 1)
const RUN: RunRecord = {
  runId: 'run-1',
  kind: 'initial',
  epoch: 1,
  startedAtMs: START,
  startSeq: 0,
  untilMs: START,
  values: [],
  sinceMs: [],
  phase: 'reading',
  slicesDone: 0,
  pages: 3,
  read: 300,
  changed: 300,
  unchanged: 0,
  removed: 0,
  expectedTotal: 1200,
  waitedMs: 0,
  attempts: 0,
  restarts: 0,
  resumed: false,
  finishedAtMs: null,
  error: null,
}

test('a run that lasts is told every 30 seconds; what is not under way is not', async () => {
  const users = entitiesOf(await loadPackaged('gong')).get('users')
  if (users === undefined) throw new TypeError('gong has users')
  const over = new AbortController()
  const entries: readonly (readonly CopyEntry[])[] = [[], [toEntry(RUN_ENTRY, RUN)], [], []]
  let looked = 0
  const told: unknown[] = []
  const clock = createTestClock({ start: START })
  await tellProgress(
    {
      clock,
      log: { warn: () => {} },
      index: {
        copies: async () => [],
        countTodo: async () => 0,
        entries: async () => {
          const found = entries[looked++] ?? []
          if (looked === entries.length) over.abort()
          return found
        },
      },
      emit: async (row, type, data) => void told.push([row.id, type, data]),
    },
    // What is used of a row.
    { id: 'instance-1' } as InstanceRow,
    users,
    over.signal,
  )
  expect(clock.waits).toEqual([30_000, 30_000, 30_000, 30_000, 30_000])
  expect(told).toEqual([
    [
      'instance-1',
      'sync.progress',
      {
        entity: 'users',
        run_id: 'run-1',
        kind: 'initial',
        phase: 'reading',
        pages: 3,
        read: 300,
        changed: 300,
        expected_total: 1200,
        percent: 25,
        rows_per_second: 5,
        eta_seconds: 180,
      },
    ],
  ])
})
