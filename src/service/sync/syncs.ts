// Synchronization as the routes see it: what is known of an instance's copies, and runs on demand.
import { ConnectorError } from '../../errors.ts'
import { own } from '../../language/json/own.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { SearchIndex } from '../../copy/search/search-index.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { JobQueue, QueuedJob } from '../../copy/sync/job-queue.ts'
import type { SyncMode } from '../../copy/sync/run-kind.ts'
import { HISTORY_PREFIX, readRun, RUN_ENTRY, type RunRecord } from '../../copy/sync/run-record.ts'
import { type EntityStatus, statusOf } from '../../copy/sync/status.ts'
import type { SyncedEntity } from '../../copy/sync/synced-entity.ts'
import { waitingParents } from '../../copy/sync/waiting-parents.ts'
import type { ServiceLog } from '../log.ts'
import { requireUsable } from '../requirements.ts'
import { planOf, usualPriority } from './sync-jobs.ts'
import { entitiesOf } from './sync-parts.ts'
import { isSynchronizing, settingOf } from './sync-settings.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'

export interface SyncsPorts {
  readonly index: SearchIndex
  readonly queue: JobQueue
  readonly clock: Clock
  readonly log: ServiceLog
  readonly manifestOf: (row: InstanceRow) => Manifest
  readonly syncIntervalSeconds: number
}

export interface TriggerRequest {
  /** Null: all of them that are not switched off. */
  readonly entities: readonly string[] | null
  /** Which of them are meant, where `entities` says none. */
  readonly isMeant?: (entity: string) => boolean
  readonly mode?: SyncMode
  /** Waits so long for the runs to end; 0: not at all. */
  readonly waitMs: number
  readonly signal: AbortSignal
}

export interface Triggered {
  readonly entity: string
  /** Null until it begins. */
  readonly runId: string | null
  readonly state: 'queued' | 'running' | 'done' | 'failed'
}

export interface Syncs {
  /** Of one entity, or of all. Throws `request_malformed` for one that is not synchronized. */
  status(row: InstanceRow, only?: string): Promise<readonly EntityStatus[]>
  /** The last runs of an entity, the newest first. */
  history(row: InstanceRow, entity: string): Promise<readonly RunRecord[]>
  /**
   * Throws `request_malformed` for entities that are not synchronized, or are switched off by the settings of the
   * instance, and what `requireUsable` throws.
   */
  trigger(row: InstanceRow, request: TriggerRequest): Promise<readonly Triggered[]>
  /** After anything that may start, stop or change the syncs of an instance. Never fails. */
  changed(instanceId: string): void
  /** After other `sync` settings: what is switched on or due sooner by them is; the rest keeps its time. Never fails. */
  rescheduled(before: InstanceRow, row: InstanceRow): void
  intervalMs(row: InstanceRow, entity: string): number
}

const LOOK_EVERY_MS = 100
const MOST_HISTORY = 10
/** Above the scheduled ones, for one turn: somebody waits for it. */
const ON_DEMAND_PRIORITY = 10

export function createSyncs(ports: SyncsPorts): Syncs {
  const { index, queue, clock, log, manifestOf, syncIntervalSeconds } = ports

  const entities = (row: InstanceRow): ReadonlyMap<string, SyncedEntity> =>
    entitiesOf(manifestOf(row))

  function isEnabled(row: InstanceRow, { name, sync }: SyncedEntity): boolean {
    return settingOf(row, name, sync, syncIntervalSeconds).isEnabled
  }

  async function readRunOf(row: InstanceRow, entity: string): Promise<RunRecord | null> {
    const [entry] = await index.entries({ instanceId: row.id, entity }, RUN_ENTRY)
    return entry === undefined ? null : readRun(entry)
  }

  async function history(row: InstanceRow, entity: string): Promise<readonly RunRecord[]> {
    const entries = await index.entries({ instanceId: row.id, entity }, HISTORY_PREFIX)
    return entries.slice(-MOST_HISTORY).toReversed().map(readRun)
  }

  return {
    async status(row, only) {
      const synchronized = entities(row)
      if (only !== undefined && !synchronized.has(only))
        throw notSynchronized(row, only, '/entity', [...synchronized.keys()])
      const copies = await index.copies({ instanceId: row.id })
      const jobs = await queue.jobsOf(row.id)
      const known: EntityStatus[] = []
      for (const entity of synchronized.values()) {
        if (only !== undefined && entity.name !== only) continue
        const run = await readRunOf(row, entity.name)
        const name = { instanceId: row.id, entity: entity.name }
        known.push(
          statusOf({
            entity,
            copies: copies.filter((copy) => copy.entity === entity.name),
            run,
            waiting: run === null ? null : await waitingParents(index, name, entity, clock.now()),
            job: jobOf(jobs, entity.name),
            isPaused: !isSynchronizing(row) || !isEnabled(row, entity),
            nowMs: clock.now(),
          }),
        )
      }
      return known
    },

    history,

    async trigger(row, { entities: named, isMeant = () => true, mode, waitMs, signal }) {
      requireUsable(row)
      const known = entities(row)
      for (const [at, name] of (named ?? []).entries()) {
        const entity = known.get(name)
        if (entity === undefined)
          throw notSynchronized(row, name, `/entities/${at}`, [...known.keys()])
        if (!isEnabled(row, entity)) throw switchedOff(row, name, `/entities/${at}`)
      }
      const enabled = [...known.values()].filter((entity) => isEnabled(row, entity))
      if (enabled.length === 0 && known.size > 0) throw switchedOff(row, null, '')
      const wanted = named ?? enabled.map(({ name }) => name).filter(isMeant)
      const askedAtMs = clock.now()
      const triggered: Triggered[] = []
      for (const entity of new Set(wanted)) {
        const detail = mode === undefined ? {} : { detail: mode }
        const job = { kind: 'sync', instanceId: row.id, key: entity, ...detail } as const
        const usual = usualPriority(known.get(entity))
        await queue.enqueue({ ...job, priority: ON_DEMAND_PRIORITY + usual })
        const isRunning = jobOf(await queue.jobsOf(row.id), entity)?.isRunning === true
        const run = isRunning ? await readRunOf(row, entity) : null
        triggered.push({
          entity,
          runId: run?.runId ?? null,
          state: isRunning ? 'running' : 'queued',
        })
      }
      if (waitMs === 0) return triggered
      const until = clock.monotonic() + waitMs
      const left = new Map(triggered.map((each) => [each.entity, each]))
      for (;;) {
        const jobs = await queue.jobsOf(row.id)
        for (const { entity, state } of left.values()) {
          if (state === 'done' || state === 'failed') continue
          const job = jobOf(jobs, entity)
          // Done: it waits for its next turn.
          if (job === null || job.isRunning || job.dueAt <= clock.now()) continue
          const [last] = await history(row, entity)
          const current = await readRunOf(row, entity)
          const isDone =
            current === null && last !== undefined && (last.finishedAtMs ?? 0) >= askedAtMs
          left.set(entity, {
            entity,
            runId: current?.runId ?? last?.runId ?? null,
            state: isDone && last.error === null ? 'done' : 'failed',
          })
        }
        const all = [...left.values()]
        const isOver = all.every(({ state }) => state === 'done' || state === 'failed')
        if (isOver || clock.monotonic() >= until || signal.aborted) return all
        await clock.sleep(LOOK_EVERY_MS, signal).catch(() => {})
      }
    },

    changed(instanceId) {
      const again = async (): Promise<void> => {
        await queue.enqueue(planOf(instanceId))
        for (const { kind, key } of await queue.jobsOf(instanceId))
          if (kind === 'sync') await queue.enqueue({ kind, instanceId, key })
      }
      // What is not noticed now is found by the look around for instances without a plan, or at the next interval.
      again().catch(() => {
        log.warn({ connector_id: instanceId }, 'the syncs of an instance wait for their next turn')
      })
    },

    rescheduled(before, row) {
      const again = async (): Promise<void> => {
        for (const { name, sync } of entities(row).values()) {
          const old = settingOf(before, name, sync, syncIntervalSeconds)
          const now = settingOf(row, name, sync, syncIntervalSeconds)
          const job = { kind: 'sync', instanceId: row.id, key: name } as const
          if (now.isEnabled && !old.isEnabled) await queue.enqueue(job)
          else if (now.isEnabled && now.intervalMs < old.intervalMs)
            await queue.enqueue({ ...job, delayMs: now.intervalMs })
        }
      }
      again().catch(() => {
        log.warn({ connector_id: row.id }, 'the syncs of an instance keep their times for now')
      })
    },

    intervalMs(row, entity) {
      const sync = entities(row).get(entity)?.sync ?? { everyMs: null }
      return settingOf(row, entity, sync, syncIntervalSeconds).intervalMs
    },
  }
}

function jobOf(jobs: readonly QueuedJob[], entity: string): QueuedJob | null {
  return jobs.find(({ kind, key }) => kind === 'sync' && key === entity) ?? null
}

function switchedOff(row: InstanceRow, entity: string | null, pointer: string): ConnectorError {
  const isWhole = own(row.sync, 'enabled') === false
  const what = entity === null || isWhole ? 'this instance' : `"${entity}"`
  const setting = entity === null || isWhole ? 'sync' : `sync.entities.${entity}`
  const detail = `synchronizing ${what} is switched off: PATCH the instance with ${setting}.enabled true`
  return new ConnectorError('request_malformed', detail, {
    errors: [{ pointer, code: 'disabled', detail: 'is switched off' }],
  })
}

function notSynchronized(
  row: InstanceRow,
  entity: string,
  pointer: string,
  allowed: readonly string[],
): ConnectorError {
  const detail = `${row.connectorType} does not synchronize "${entity}"; it has ${allowed.join(', ')}`
  return new ConnectorError('request_malformed', detail, {
    errors: [{ pointer, code: 'unknown', detail: 'is not synchronized', allowed }],
  })
}
