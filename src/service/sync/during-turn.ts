// What goes on next to a turn: how far it has come is told, and it lasts as long as its instance wants it.
import type { Clock } from '../../engine/exchange/clock.ts'
import type { SearchIndex } from '../../copy/search/search-index.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { Store } from '../store/store.ts'
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
const TELL_EVERY_MS = 30_000

/** Tells every 30 seconds how far the run of an entity is, until the signal is aborted. Never fails. */
export async function tellProgress(
  { index, emit, clock, log }: ProgressPorts,
  row: InstanceRow,
  entity: SyncedEntity,
  signal: AbortSignal,
): Promise<void> {
  const copy = { instanceId: row.id, entity: entity.name }
  for (;;) {
    await clock.sleep(TELL_EVERY_MS, signal).catch(() => {})
    if (signal.aborted) return
    try {
      const [entry] = await index.entries(copy, RUN_ENTRY)
      if (entry === undefined) continue
      const nowMs = clock.now()
      const waiting = await waitingParents(index, copy, entity, nowMs)
      const run = progressOf(entity, readRun(entry), { nowMs, waiting, live: 0 })
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

export interface WantedPorts {
  readonly store: { readonly instances: Pick<Store['instances'], 'find'> }
  readonly clock: Clock
}

/** So long a turn goes on at most after nobody wants it any more. */
const WANTED_EVERY_MS = 5_000

/**
 * Runs a turn under a signal that is aborted with the given one, and once the row of the instance says that the turn is
 * not wanted: `isWanted` is asked every 5 seconds, with null when there is no instance any more.
 */
export async function whileWanted<T>(
  { store, clock }: WantedPorts,
  {
    instanceId,
    isWanted,
    signal,
  }: {
    readonly instanceId: string
    readonly isWanted: (row: InstanceRow | null) => boolean
    readonly signal: AbortSignal
  },
  turn: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const unwanted = new AbortController()

  async function look(): Promise<void> {
    for (;;) {
      await clock.sleep(WANTED_EVERY_MS, over.signal).catch(() => {})
      if (over.signal.aborted) return
      try {
        if (isWanted(await store.instances.find(instanceId))) continue
      } catch {
        // A store that does not answer says nothing, and the turn meets it as well.
        continue
      }
      unwanted.abort()
      return
    }
  }

  const looking = look()
  try {
    return await turn(AbortSignal.any([signal, unwanted.signal]))
  } finally {
    over.abort()
    await looking
  }
}
