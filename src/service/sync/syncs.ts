// Synchronization as the routes see it: what is known of an instance's copies, and runs on demand.
import { type ConnectorError, problemError } from '../../errors.ts'
import { own } from '../../language/json/own.ts'
import type { ChangesPlace } from '../../copy/search/changes.ts'
import { readServing, type SearchIndex } from '../../copy/search/search-index.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { JobRow } from '../store/jobs.ts'
import type { JobQueue } from '../jobs/store-queue.ts'
import type { SyncMode } from '../../copy/sync/run-kind.ts'
import { confirmListing, undoRemovals } from '../../copy/sync/operator-word.ts'
import {
  ATTEMPT_PREFIX,
  HISTORY_PREFIX,
  readRun,
  RUN_ENTRY,
  type RunRecord,
} from '../../copy/sync/run-record.ts'
import {
  type EntityStatus,
  type KnownOfEntity,
  statusOf,
  waitingParents,
  withWaiting,
} from '../../copy/sync/status.ts'
import type { SyncedEntity } from '../../copy/sync/synced-entity.ts'
import type { ServiceBase } from '../base.ts'
import { majorOf } from '../catalogue.ts'
import { requireUsable } from '../instances/states.ts'
import { forgetFailure, ON_DEMAND_PRIORITY, planOf, syncOf, usualPriority } from './sync-jobs.ts'
import { turnOf, withFirstTurns } from './first-turn.ts'
import { entitiesOf } from './sync-parts.ts'
import {
  type EntitySetting,
  isSynchronizing,
  type Reading,
  readingOf,
  settingOf,
} from './sync-settings.ts'
import type { Manifest, Sync } from '../../language/manifest/manifest.ts'
import type { Store } from '../store/store.ts'

export interface SyncsPorts extends Pick<ServiceBase, 'clock' | 'log'> {
  readonly index: SearchIndex
  readonly queue: JobQueue
  readonly store: Pick<Store, 'instances' | 'syncFailures'>
  readonly manifestOf: (row: InstanceRow) => Manifest
  readonly syncIntervalSeconds: number
}

/** What is known of an entity, with how often it is synchronized, and what each of these runs reads. */
export interface EntityReport extends EntityStatus {
  readonly setting: EntitySetting
  readonly reading: Reading
}

export interface TriggerRequest {
  /** Null: all of them that are not switched off. */
  readonly entities: readonly string[] | null
  /** Which of them are meant, where `entities` says none. */
  readonly isMeant?: (entity: string) => boolean
  readonly mode?: SyncMode
  /** Is done when the runs are asked for, before they are waited for. */
  readonly queued?: () => Promise<void>
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

const LOOK_EVERY_MS = 100
const MAX_HISTORY = 10

export class Syncs {
  readonly #ports: SyncsPorts

  constructor(ports: SyncsPorts) {
    this.#ports = ports
  }

  /** Of one entity, or of all. Throws `request_malformed` for one that is not synchronized. */
  async status(row: InstanceRow, only?: string): Promise<readonly EntityReport[]> {
    const { index, queue, clock } = this.#ports
    const synchronized = this.#entitiesOf(row)
    if (only !== undefined && !synchronized.has(only))
      throw notSynchronized(row, only, '/entity', [...synchronized.keys()])
    const copies = await index.copies({ instanceId: row.id })
    const jobs = await queue.jobsOf(row.id)
    const known: EntityReport[] = []
    for (const entity of synchronized.values()) {
      const { name } = entity
      const run = await this.#readRun(row, name)
      const copy = { instanceId: row.id, entity: name }
      const setting = this.#settingOf(row, entity)
      const status = statusOf({
        entity,
        copies: copies.filter(({ entity: each }) => each === name),
        run,
        waiting: run === null ? null : await waitingParents(index, copy, entity, clock.now()),
        job: turnOf(jobs, name, clock.now()),
        isPaused: !isSynchronizing(row) || !setting.isEnabled,
        nowMs: clock.now(),
      })
      known.push({ ...status, setting, reading: readingOf(entity) })
    }
    // What one of them waits for is told by the others.
    return withWaiting(withFirstTurns(known, synchronized), synchronized).filter(
      ({ entity }) => only === undefined || entity === only,
    )
  }

  /** The last runs of an entity that have ended, and the turns since then that failed: the newest first. */
  async history(row: InstanceRow, entity: string): Promise<readonly RunRecord[]> {
    const runs = await this.#ended(row, entity)
    const failed = await this.#lastOf(row, entity, ATTEMPT_PREFIX)
    // Behind the oldest of the runs there may be others that are not shown.
    const since = runs.length < MAX_HISTORY ? 0 : endOf(runs.at(-1))
    return [...runs, ...failed.filter((turn) => endOf(turn) >= since)].toSorted(
      (a, b) => endOf(b) - endOf(a),
    )
  }

  #ended(row: InstanceRow, entity: string): Promise<readonly RunRecord[]> {
    return this.#lastOf(row, entity, HISTORY_PREFIX)
  }

  async #lastOf(row: InstanceRow, entity: string, prefix: string): Promise<readonly RunRecord[]> {
    const entries = await this.#ports.index.entries({ instanceId: row.id, entity }, prefix)
    return entries.slice(-MAX_HISTORY).toReversed().map(readRun)
  }

  /**
   * Where the changes begin and end that were written to the copy of an entity while one of its last runs went on. Throws
   * `request_malformed` for a run that is not known, or filled a copy that another one has replaced.
   */
  async placeOfRun(row: InstanceRow, entity: string, runId: string): Promise<ChangesPlace> {
    const run = (await this.#ended(row, entity)).find((each) => each.runId === runId)
    const copy = await readServing(this.#ports.index, { instanceId: row.id, entity })
    const { before } = run ?? {}
    if (run === undefined || before === undefined || before.generation !== copy?.generation)
      throw problemError('request_malformed', {
        pointer: '/run_id',
        code: 'unknown',
        detail:
          run === undefined
            ? `is none of the last runs of ${entity}`
            : 'filled a copy that another one has replaced since',
      })
    const { epoch, generation } = copy
    const { version: base } = before
    const until = run.lastVersion ?? base
    return { version: base + 1, seq: 0, base, isFirst: false, until, epoch, generation }
  }

  /** Throws `request_malformed` for entities that are not synchronized or switched off; and like `requireUsable`. */
  async trigger(row: InstanceRow, request: TriggerRequest): Promise<readonly Triggered[]> {
    const { queue, clock } = this.#ports
    requireUsable(row)
    const known = this.#entitiesOf(row)
    const askedAtMs = clock.now()
    const triggered: Triggered[] = []
    for (const entity of this.#wantedOf(row, request)) {
      const detail = request.mode === undefined ? {} : { detail: request.mode }
      const priority = ON_DEMAND_PRIORITY[usualPriority(known.get(entity))]
      await queue.enqueue({ ...syncOf(row.id, entity), ...detail, priority })
      const isRunning = jobOf(await queue.jobsOf(row.id), entity)?.isRunning === true
      const run = isRunning ? await this.#readRun(row, entity) : null
      const state = isRunning ? 'running' : 'queued'
      triggered.push({ entity, runId: run?.runId ?? null, state })
    }
    await request.queued?.()
    return await this.#waitFor(row, triggered, { ...request, askedAtMs })
  }

  /**
   * Lets a suspicious listing of an entity remove what it lacks, with the next complete one, which is due now. Gives the
   * number of these records, or null where there is nothing to confirm. Throws `request_malformed` for an entity that is
   * not synchronized, and where the listing was not read to its end.
   */
  async confirm(row: InstanceRow, entity: string): Promise<number | null> {
    const { index, queue, clock } = this.#ports
    const known = this.#entitiesOf(row)
    if (!known.has(entity)) throw notSynchronized(row, entity, '/entity', [...known.keys()])
    const name = { instanceId: row.id, entity }
    const found = await confirmListing(index, name, clock.now())
    if (found.kind === 'nothing') return null
    if (found.kind === 'unread')
      throw problemError('request_malformed', {
        pointer: '/entity',
        code: 'unread',
        detail: `the listing of ${entity} was not read to its end, so that it is unknown what it lacks`,
      })
    await queue.enqueue({ ...syncOf(row.id, entity), detail: 'full' })
    return found.missing
  }

  /** Brings back what a run removed; gives the number of records. */
  async undo(row: InstanceRow, runId: string): Promise<number> {
    return await undoRemovals(this.#ports.index, row.id, runId)
  }

  /**
   * After anything that may start, stop or change the syncs of an instance. `areDue`: each of those that it has is due,
   * once, or fails no more, where it stands still now; else it only may get ones that it had not. Never fails.
   */
  changed(instanceId: string, areDue: boolean): void {
    const { queue, log } = this.#ports
    const again = async (): Promise<void> => {
      if (areDue) await this.#makeDue(instanceId)
      // Behind it: what a plan adds is due already.
      await queue.enqueue(planOf(instanceId))
    }
    // What is not noticed now is found by the next plan, within an hour, or at the next interval.
    again().catch(() => {
      log.warn({ connector_id: instanceId }, 'the syncs of an instance wait for their next turn')
    })
  }

  /**
   * After another version of a connector began to serve accounts of a major: their copies that fail are tried with it,
   * `delayMs` from now, when every process has taken it over. Never fails.
   */
  servedByOther(place: Pick<Manifest, 'type' | 'version'>, delayMs: number): void {
    this.#tryFailing(place, delayMs).catch(() => {
      this.#ports.log.warn(
        { connector_type: place.type },
        'failing copies wait for their next turn, although another version serves',
      )
    })
  }

  async #tryFailing(place: Pick<Manifest, 'type' | 'version'>, delayMs: number): Promise<void> {
    const { store, queue } = this.#ports
    const { type } = place
    for (const { instanceId, entity, connectorVersion } of await store.syncFailures.ofConnector(
      type,
    )) {
      if (majorOf(connectorVersion) !== majorOf(place.version)) continue
      const jobs = await queue.jobsOf(instanceId)
      const isPlanned = jobs.some(({ kind, key }) => kind === 'sync' && key === entity)
      if (isPlanned) await queue.enqueue({ ...syncOf(instanceId, entity), delayMs })
    }
  }

  async #makeDue(instanceId: string): Promise<void> {
    const { queue, store } = this.#ports
    const row = await store.instances.find(instanceId)
    if (row === null) return
    const jobs = await queue.jobsOf(instanceId)
    const keys = new Set(jobs.flatMap(({ kind, key }) => (kind === 'sync' ? [key] : [])))
    for (const key of keys)
      if (!isSynchronizing(row)) await forgetFailure(store, row, key)
      else if (!this.#isStartedWith(row, key, keys)) await queue.enqueue(syncOf(instanceId, key))
  }

  /** Whether an entity is read behind one of these, whose run tells it: before that it would be read for nothing. */
  #isStartedWith(row: InstanceRow, name: string, started: ReadonlySet<string>): boolean {
    const known = this.#entitiesOf(row)
    const above = known.get(known.get(name)?.sync.parent?.entity ?? '')
    if (above === undefined || above.sync.parent !== null || !started.has(above.name)) return false
    return this.#settingOf(row, above).isEnabled
  }

  /**
   * After other `sync` settings: what is switched on or due sooner by them is; the rest keeps its time. What is switched
   * off does not fail any more. Never fails.
   */
  async rescheduled(before: InstanceRow, row: InstanceRow): Promise<void> {
    const { queue, store, log } = this.#ports
    try {
      const entities = [...this.#entitiesOf(row).values()]
      const isOn = (entity: SyncedEntity): boolean => this.#settingOf(row, entity).isEnabled
      const wasOn = (entity: SyncedEntity): boolean => this.#settingOf(before, entity).isEnabled
      const switchedOn = entities.filter((entity) => isOn(entity) && !wasOn(entity))
      const started = new Set(switchedOn.map(({ name }) => name))
      for (const entity of entities) {
        const old = this.#settingOf(before, entity)
        const now = this.#settingOf(row, entity)
        const job = syncOf(row.id, entity.name)
        if (!now.isEnabled) {
          if (old.isEnabled) await forgetFailure(store, row, entity.name)
        } else if (this.#isStartedWith(row, entity.name, started)) continue
        else if (!old.isEnabled) await queue.enqueue(job)
        else if (now.intervalMs < old.intervalMs)
          await queue.enqueue({ ...job, delayMs: now.intervalMs })
      }
    } catch {
      log.warn({ connector_id: row.id }, 'the syncs of an instance keep their times for now')
    }
  }

  /** Entities that are kept up below one of those that fail, and so wait for it; by the manifest and the settings alone. */
  waitingBelow(row: InstanceRow, failing: ReadonlySet<string>): readonly string[] {
    const known = this.#entitiesOf(row)
    const isKept = (entity: SyncedEntity): boolean => this.#settingOf(row, entity).isEnabled
    const waits = (entity: SyncedEntity, seen: ReadonlySet<string>): boolean => {
      const above = known.get(entity.sync.parent?.entity ?? '')
      // Below what is paused, that is what is waited for.
      if (above === undefined || seen.has(above.name) || !isKept(above)) return false
      return failing.has(above.name) || waits(above, new Set([...seen, above.name]))
    }
    return [...known.values()]
      .filter((entity) => !failing.has(entity.name) && isKept(entity))
      .flatMap((entity) => (waits(entity, new Set([entity.name])) ? [entity.name] : []))
  }

  intervalMs(row: InstanceRow, name: string): number {
    const sync = this.#entitiesOf(row).get(name)?.sync ?? { everyMs: null }
    return this.#settingOf(row, { name, sync }).intervalMs
  }

  #entitiesOf(row: InstanceRow): ReadonlyMap<string, SyncedEntity> {
    return entitiesOf(this.#ports.manifestOf(row))
  }

  #settingOf(
    row: InstanceRow,
    { name, sync }: { readonly name: string; readonly sync: Pick<Sync, 'everyMs'> },
  ): EntitySetting {
    return settingOf(row, name, sync, this.#ports.syncIntervalSeconds)
  }

  async #readRun(row: InstanceRow, entity: string): Promise<RunRecord | null> {
    const [entry] = await this.#ports.index.entries({ instanceId: row.id, entity }, RUN_ENTRY)
    return entry === undefined ? null : readRun(entry)
  }

  #wantedOf(
    row: InstanceRow,
    { entities: named, isMeant = () => true }: TriggerRequest,
  ): ReadonlySet<string> {
    const known = this.#entitiesOf(row)
    for (const [at, name] of (named ?? []).entries()) {
      const entity = known.get(name)
      const pointer = `/entities/${at}`
      if (entity === undefined) throw notSynchronized(row, name, pointer, [...known.keys()])
      if (!this.#settingOf(row, entity).isEnabled) throw switchedOff(row, name, pointer)
    }
    const enabled = [...known.values()].filter((entity) => this.#settingOf(row, entity).isEnabled)
    if (enabled.length === 0 && known.size > 0) throw switchedOff(row, null, '')
    return new Set(named ?? enabled.map(({ name }) => name).filter(isMeant))
  }

  /** Looks at the triggered runs until all have ended, or nobody waits any longer. */
  async #waitFor(
    row: InstanceRow,
    triggered: readonly Triggered[],
    { waitMs, signal, askedAtMs }: TriggerRequest & { readonly askedAtMs: number },
  ): Promise<readonly Triggered[]> {
    if (waitMs === 0) return triggered
    const { queue, clock } = this.#ports
    const until = clock.monotonic() + waitMs
    let all = triggered
    for (;;) {
      const jobs = await queue.jobsOf(row.id)
      all = await Promise.all(all.map((each) => this.#lookAt(row, each, { jobs, askedAtMs })))
      if (all.every(isOver) || clock.monotonic() >= until || signal.aborted) return all
      await clock.sleep(LOOK_EVERY_MS, signal).catch(() => {})
    }
  }

  /** What has become of a run; it has ended once its job waits for the next turn. */
  async #lookAt(
    row: InstanceRow,
    run: Triggered,
    { jobs, askedAtMs }: { readonly jobs: readonly JobRow[]; readonly askedAtMs: number },
  ): Promise<Triggered> {
    const { entity } = run
    const job = jobOf(jobs, entity)
    if (isOver(run) || job === null || job.isRunning || job.dueAt <= this.#ports.clock.now())
      return run
    const [last] = await this.#ended(row, entity)
    const current = await this.#readRun(row, entity)
    const isDone = current === null && last !== undefined && (last.finishedAtMs ?? 0) >= askedAtMs
    // What is well and was not read is put off: its third party is left alone.
    const failing = isDone ? [] : await this.#ports.store.syncFailures.of([row.id])
    if (!isDone && !failing.some((each) => each.entity === entity)) return run
    return {
      entity,
      runId: current?.runId ?? last?.runId ?? null,
      state: isDone && last.error === null ? 'done' : 'failed',
    }
  }
}

export function isOver({ state }: Triggered): boolean {
  return state === 'done' || state === 'failed'
}

function endOf(run: RunRecord | undefined): number {
  return run?.finishedAtMs ?? 0
}

function jobOf(jobs: readonly JobRow[], entity: string): KnownOfEntity['job'] {
  const job = jobs.find(({ kind, key }) => kind === 'sync' && key === entity)
  return job === undefined ? null : { isRunning: job.isHeld, dueAt: job.dueAt }
}

function switchedOff(row: InstanceRow, entity: string | null, pointer: string): ConnectorError {
  const isWhole = own(row.sync, 'enabled') === false
  const what = entity === null || isWhole ? 'this instance' : `"${entity}"`
  const setting = entity === null || isWhole ? 'sync' : `sync.entities.${entity}`
  const message = `synchronizing ${what} is switched off: PATCH the instance with ${setting}.enabled true`
  const problem = { pointer, code: 'disabled', detail: 'is switched off' }
  return problemError('request_malformed', problem, message)
}

function notSynchronized(
  row: InstanceRow,
  entity: string,
  pointer: string,
  allowed: readonly string[],
): ConnectorError {
  return problemError(
    'request_malformed',
    { pointer, code: 'unknown', detail: 'is not synchronized', allowed },
    `${row.connectorType} does not synchronize "${entity}"; it has ${allowed.join(', ')}`,
  )
}
