// How far a long sync has come, as events.
import type { Clock } from '../../engine/exchange/clock.ts'
import type { SearchIndex } from '../../copy/search/search-index.ts'
import type { InstanceRow } from '../store/instances.ts'
import { readRun, RUN_ENTRY } from '../../copy/sync/run-record.ts'
import { progressOf, waitingParents } from '../../copy/sync/status.ts'
import type { SyncedEntity } from '../../copy/sync/synced-entity.ts'
import type { Emit } from '../events/emit.ts'
import { codeOf, type ServiceLog } from '../log.ts'

export interface ProgressPorts {
  readonly index: Pick<SearchIndex, 'entries' | 'copies' | 'countTodo'>
  readonly emit: Emit
  readonly clock: Clock
  readonly log: Pick<ServiceLog, 'warn'>
}

/** Most turns are over sooner, and are told by their end alone. */
const EVERY_MS = 30_000

/** Tells every 30 seconds how far the run of an entity is, until the signal is aborted. Never fails. */
export async function tellProgress(
  { index, emit, clock, log }: ProgressPorts,
  row: InstanceRow,
  entity: SyncedEntity,
  signal: AbortSignal,
): Promise<void> {
  const copy = { instanceId: row.id, entity: entity.name }
  for (;;) {
    await clock.sleep(EVERY_MS, signal).catch(() => {})
    if (signal.aborted) return
    try {
      const [entry] = await index.entries(copy, RUN_ENTRY)
      if (entry === undefined) continue
      const nowMs = clock.now()
      const waiting = await waitingParents(index, copy, entity, nowMs)
      const run = progressOf(entity, readRun(entry), nowMs, waiting)
      await emit(row, 'sync.progress', {
        entity: entity.name,
        run_id: run.runId,
        kind: run.kind,
        phase: run.phase,
        pages: run.pages,
        read: run.read,
        changed: run.changed,
        expected_total: run.expectedTotal,
        percent: run.percent,
        rows_per_second: run.rowsPerSecond,
        eta_seconds: run.etaSeconds,
      })
    } catch (error) {
      const code = codeOf(error)
      log.warn({ connector_id: row.id, entity: entity.name, code }, 'no progress was stored')
    }
  }
}
