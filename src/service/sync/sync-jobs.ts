// The jobs of synchronization: which entities an instance has, one turn of an entity, the end of an instance's copies.
import { createHash } from 'node:crypto'
import { presentFailure } from '../../display/sync-failures.ts'
import { canonicalJson } from '../../language/json/canonical-json.ts'
import type { ErrorCode } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { SearchIndex } from '../../copy/search/search-index.ts'
import type { InstanceRow } from '../store/instances.ts'
import { type JobPriority, PLAN_JOB, PURGE_JOB } from '../store/jobs.ts'
import type { Store } from '../store/store.ts'
import { boundsOf, type OperatorBounds } from '../../copy/sync/bounds.ts'
import type { DoJob, Job, JobContext, JobKind, JobQueue } from '../jobs/store-queue.ts'
import {
  earlyAttemptMs,
  pauseAfterFailure,
  pauseMs,
  type SyncMode,
} from '../../copy/sync/run-kind.ts'
import {
  HELD_BACK,
  readFacts,
  reasonOf,
  type Suspicion,
  type SuspicionReason,
} from '../../copy/sync/run-record.ts'
import { heldForMs, type SyncOutcome, syncEntity } from '../../copy/sync/run-sync.ts'
import { statusOf, type WaitsFor, withWaiting } from '../../copy/sync/status.ts'
import type { SyncedEntity } from '../../copy/sync/synced-entity.ts'
import { createEmit } from '../events/emit.ts'
import type { States } from '../instances/states.ts'
import type { ServiceBase } from '../base.ts'
import { codeOf, type ServiceLog } from '../log.ts'
import { failureOf, MAX_DETAIL } from '../logs/failure-of.ts'
import type { Logs } from '../logs/logs.ts'
import type { SyncParts, SyncPartsOf } from './sync-parts.ts'
import { TurnPlace } from './turn-place.ts'
import type { TurnSteps } from './turn-steps.ts'
import { type Subscriptions, subscriptionOf } from '../vendor-webhooks/subscriptions.ts'
import { showFailure } from './shown-failure.ts'
import { isSynchronizing, settingOf } from './sync-settings.ts'
import { tellProgress, whileWanted } from './during-turn.ts'
import type { TellChanged } from './tell-changed.ts'

export interface SyncJobPorts extends Pick<ServiceBase, 'store' | 'clock' | 'log'> {
  readonly logs: Pick<Logs, 'note'>
  readonly index: SearchIndex
  readonly queue: JobQueue
  readonly states: Pick<States, 'proved' | 'failed'>
  readonly partsOf: SyncPartsOf
  readonly tellChanged: TellChanged
  readonly subscriptions: Pick<Subscriptions, 'isMeantFor' | 'run'>
  readonly syncIntervalSeconds: number
  readonly syncBounds: OperatorBounds
  /** Told of every turn, for the metrics. */
  readonly observe: (turn: ObservedTurn) => void
}

export interface ObservedTurn {
  readonly connectorType: string
  readonly entity: string
  readonly outcome: string
  readonly seconds: number
  readonly changed: number
  readonly waitedSeconds: number
  /** Records that could not be kept. */
  readonly leftOut: number
  /** How old the copy was that answered searches when the turn began; null: there was none, or not a whole one. */
  readonly lagSeconds: number | null
}

/** Entities of new versions of a connector are found within an hour. */
const PLAN_EVERY_MS = 3_600_000
/** Another process works on the copy, or ended while it did: look again soon. */
const BUSY_MS = 1_000
/** Given back by the queue when it was told to stop; else another process has taken over, or it is paused. */
const STOPPED_MS = 10_000
/** So much later than copies that fail those are tried that are well. */
const PROVED_AFTER_MS = 1_000
/** Parents before children, plans before both. */
const PLAN_PRIORITY = 2
const PARENT_PRIORITY = 1
/** Above the scheduled ones, for one turn: somebody has asked for it. */
export const ON_DEMAND_PRIORITY = { 0: 10, 1: 11 } as const

/** Does the jobs of this process until the queue is closed. */
export function startSyncJobs(ports: SyncJobPorts, concurrency: number): void {
  const jobs: Readonly<Record<JobKind, DoJob>> = {
    plan: (job) => plan(ports, job),
    sync: (job, context) => sync(ports, job, context),
    subscribe: (job, context) => ports.subscriptions.run(job, context),
    purge: (job) => purge(ports, job),
  }
  ports.queue.work(['plan', 'sync', 'subscribe', 'purge'], concurrency, (job, context) =>
    jobs[job.kind](job, context),
  )
}

/** The job that finds out what an instance has to synchronize. */
export function planOf(instanceId: string): Job {
  return { kind: PLAN_JOB, instanceId, key: '', priority: PLAN_PRIORITY }
}

function purgeOf(instanceId: string): Job {
  return { kind: PURGE_JOB, instanceId, key: instanceId }
}

export function syncOf(instanceId: string, entity: string): Job {
  return { kind: 'sync', instanceId, key: entity }
}

async function plan(ports: SyncJobPorts, job: Job): Promise<number | null> {
  const { store, queue, partsOf, subscriptions } = ports
  const row = await store.instances.find(job.instanceId)
  if (row === null) return null
  if (subscriptions.isMeantFor(row)) await queue.add(subscriptionOf(row.id))
  // It is asked for again when the instance may be synchronized.
  if (!isSynchronizing(row)) return PLAN_EVERY_MS
  const { entities } = await partsOf(row)
  const jobs = await queue.jobsOf(row.id)
  const planned = new Set(jobs.flatMap(({ kind, key }) => (kind === 'sync' ? [key] : [])))
  for (const [name, entity] of entities) {
    if (planned.has(name)) continue
    const job = { ...syncOf(row.id, name), priority: usualPriority(entity) }
    const isBehind = !planned.has(entity.sync.parent?.entity ?? '')
    await queue.add({ ...job, delayMs: isBehind ? firstAfter(ports, row, entity, entities) : 0 })
  }
  return PLAN_EVERY_MS
}

/** Before its parents are read for the first time there is nothing below them; their run tells of it when it finds some. */
function firstAfter(
  { syncIntervalSeconds }: SyncJobPorts,
  row: InstanceRow,
  { name, sync }: SyncedEntity,
  entities: ReadonlyMap<string, SyncedEntity>,
): number {
  const above = entities.get(sync.parent?.entity ?? '')
  if (above === undefined || !settingOf(row, above.name, above.sync, syncIntervalSeconds).isEnabled)
    return 0
  return settingOf(row, name, sync, syncIntervalSeconds).intervalMs
}

/** Of the turns of an entity that nobody waits for. */
export function usualPriority(entity: SyncedEntity | undefined): 0 | 1 {
  return entity?.sync.parent === null ? PARENT_PRIORITY : 0
}

async function sync(ports: SyncJobPorts, job: Job, context: JobContext): Promise<number | null> {
  const { store, queue, clock, partsOf, observe, syncIntervalSeconds } = ports
  const row = await store.instances.find(job.instanceId)
  if (row === null) {
    // What still wrote into its copies asked for this turn.
    await queue.enqueue(purgeOf(job.instanceId))
    return null
  }
  const parts = await partsOf(row, new TurnPlace(context.rest))
  const entity = parts.entities.get(job.key)
  if (entity === undefined) {
    await store.syncFailures.remove(row.id, job.key)
    return null
  }
  const name = `${row.id} ${entity.name}`
  const isWanted = (now: InstanceRow): boolean =>
    isSynchronizing(now) && settingOf(now, entity.name, entity.sync, syncIntervalSeconds).isEnabled
  const { intervalMs } = settingOf(row, entity.name, entity.sync, syncIntervalSeconds)
  if (!isWanted(row)) {
    await forgetFailure(store, row, entity.name)
    return pauseMs(intervalMs, 0, name)
  }
  const [startedAt, beganMs] = [clock.monotonic(), clock.now()]
  const lagSeconds = await lagOf(ports, row, entity)
  const task = {
    instanceId: row.id,
    entity,
    entities: parts.entities,
    intervalMs,
    bounds: boundsOf(entity.sync, ports.syncBounds),
    scopes: (row.grantedScopes ?? []).toSorted().join(' '),
    settings: settingsMark(row),
  }
  const mode = modeIn(job.detail)
  const isAsked = context.priority >= ON_DEMAND_PRIORITY[0]
  const isAsBefore = (now: InstanceRow | null): boolean =>
    now !== null &&
    isWanted(now) &&
    now.connectorVersion === row.connectorVersion &&
    now.credentialEpoch === row.credentialEpoch &&
    settingsMark(now) === task.settings
  const wanted = { instanceId: row.id, isWanted: isAsBefore, signal: context.signal }
  const outcome = await withProgress(ports, row, entity, () =>
    whileWanted(ports, wanted, (signal) =>
      syncEntity(parts.ports, task, { mode, isAsked, signal }),
    ),
  )
  const now = await store.instances.find(row.id)
  if (now === null) {
    // It was deleted meanwhile: what this turn may have written behind the purge goes, too.
    await queue.enqueue(purgeOf(row.id))
    return null
  }
  observe({
    connectorType: row.connectorType,
    entity: entity.name,
    outcome: outcome.kind,
    seconds: (clock.monotonic() - startedAt) / 1000,
    changed: outcome.kind === 'done' ? outcome.changed : 0,
    waitedSeconds: outcome.kind === 'done' ? outcome.waitedMs / 1000 : 0,
    leftOut: outcome.kind === 'done' ? outcome.leftOut : 0,
    lagSeconds,
  })
  const heldMs = isAsked ? heldAgainMs(outcome) : null
  const priority = heldMs === null ? null : context.priority
  const again = heldMs ?? pauseAfter(outcome, intervalMs, name)
  const tookMs = clock.monotonic() - startedAt
  // What reads nothing below an entity that stands still is no success: that entity's own turns tell of it.
  const isIdle = foundNothing(outcome, parts.steps)
  if (!isIdle || (await waitedForBy(ports, row, entity, parts.entities)) === null)
    noteTurn(ports, row, { entity: entity.name, outcome, tookMs, again, steps: parts.steps })
  if (isWanted(now) || now.state === 'auth_error')
    await keepFailure(ports, row, entity.name, outcome)
  else await forgetFailure(store, now, entity.name)
  await tell(ports, row, entity.name, outcome)
  if (outcome.kind !== 'done' && !context.signal.aborted)
    await askAgain(queue, syncOf(row.id, entity.name), { mode, priority, delayMs: again })
  await settleTurn(ports, row, entity, { outcome, parts, beganMs })
  return again
}

/** What was asked for has not been done. `priority`: of what waits only for its third party; null: it does not. */
async function askAgain(
  queue: JobQueue,
  job: Job,
  asked: {
    readonly mode: SyncMode | null
    readonly priority: JobPriority | null
    readonly delayMs: number
  },
): Promise<void> {
  const { mode, priority, delayMs } = asked
  if (mode === null && priority === null) return
  const more = { ...(mode !== null && { detail: mode }), ...(priority !== null && { priority }) }
  await queue.enqueue({ ...job, ...more, delayMs })
}

/** The third party answers: what it failed with before is tried before its time, which may be an hour away. */
async function tryOthersEarly(
  { store, index, queue, clock, syncIntervalSeconds }: SyncJobPorts,
  row: InstanceRow,
  { entities }: Pick<SyncParts, 'entities'>,
  beganMs: number,
): Promise<void> {
  const failing = new Set((await store.syncFailures.of([row.id])).map(({ entity }) => entity))
  if (failing.size === 0) return
  const nowMs = clock.now()
  const [copies, jobs] = [await index.copies({ instanceId: row.id }), await queue.jobsOf(row.id)]
  for (const [name, entity] of entities) {
    const job = jobs.find(({ kind, key }) => kind === 'sync' && key === name)
    const { isEnabled } = settingOf(row, name, entity.sync, syncIntervalSeconds)
    if (!failing.has(name) || job === undefined || job.isHeld || !isEnabled) continue
    const facts = readFacts(copies.filter((copy) => copy.entity === name).at(-1)?.facts ?? '')
    const delayMs = earlyAttemptMs(facts, { beganMs, nowMs })
    // What is due by then is an attempt of the plan, which counts.
    if (delayMs === null || job.dueAt <= nowMs + delayMs) continue
    const priority = ON_DEMAND_PRIORITY[usualPriority(entity)]
    await queue.enqueue({ ...syncOf(row.id, name), delayMs, priority })
  }
}

/** A turn that came to its end without a request, and changed nothing. */
function foundNothing(outcome: SyncOutcome, steps: TurnSteps): boolean {
  if (outcome.kind !== 'done' || steps.hasSent) return false
  return outcome.changed === 0 && outcome.removed.size === 0
}

/** What the copy of an entity waits for; null: nothing above it stands still. */
async function waitedForBy(
  { index, clock, syncIntervalSeconds }: SyncJobPorts,
  row: InstanceRow,
  { name, sync: { parent } }: SyncedEntity,
  entities: ReadonlyMap<string, SyncedEntity>,
): Promise<WaitsFor | null> {
  if (parent === null) return null
  const copies = await index.copies({ instanceId: row.id })
  const statuses = [...entities.values()].map((entity) =>
    statusOf({
      entity,
      copies: copies.filter((copy) => copy.entity === entity.name),
      run: null,
      waiting: null,
      job: null,
      isPaused: !settingOf(row, entity.name, entity.sync, syncIntervalSeconds).isEnabled,
      nowMs: clock.now(),
    }),
  )
  return withWaiting(statuses, entities).find(({ entity }) => entity === name)?.waitsFor ?? null
}

/** A turn that read something, or failed to. */
function noteTurn(
  { logs }: Pick<SyncJobPorts, 'logs'>,
  instance: InstanceRow,
  turn: {
    readonly entity: string
    readonly outcome: SyncOutcome
    readonly tookMs: number
    readonly again: number
    readonly steps: TurnSteps
  },
): void {
  const { entity, outcome, tookMs, again, steps } = turn
  const upstreamStatus = steps.lastStatus
  if (outcome.kind === 'held') {
    // What was not sent was not refused.
    if (outcome.error.upstream === null) return
    const { code, facts: told } = failureOf(outcome.error)
    const facts = { ...told, tried_again_in_s: Math.round(again / 1000), ...steps.shown }
    logs.note({ kind: 'sync', instance, entity, code, upstreamStatus, tookMs, facts })
  } else if (outcome.kind === 'failed') {
    const { code, facts: told } = failureOf(outcome.error)
    const facts = {
      ...told,
      failures: outcome.failures,
      first_code: outcome.firstError.code,
      tried_again_in_s: Math.round(again / 1000),
      ...steps.shown,
    }
    logs.note({ kind: 'sync', instance, entity, code, upstreamStatus, tookMs, facts })
  } else if (outcome.kind === 'done') {
    const { runId, changed, runs, leftOut, waitedMs, suspicion } = outcome
    const removed = [...outcome.removed.values()].reduce((sum, count) => sum + count, 0)
    const facts = {
      run_id: runId,
      runs,
      changed,
      removed,
      left_out: leftOut,
      waited_ms: Math.round(waitedMs),
      ...(suspicion !== null && { suspicious: reasonOf(suspicion) }),
      ...steps.shown,
    }
    const action = runs.at(-1) ?? null
    logs.note({ kind: 'sync', instance, entity, action, upstreamStatus, tookMs, facts })
  }
}

/** What somebody has switched off fails no more. Where the third party refuses the credentials it does all the same. */
export async function forgetFailure(
  { syncFailures }: Pick<Store, 'syncFailures'>,
  { id, state }: InstanceRow,
  entity: string,
): Promise<void> {
  if (state !== 'auth_error') await syncFailures.remove(id, entity)
}

/** Whether the copy fails, for lists of instances. */
async function keepFailure(
  { store, clock }: Pick<SyncJobPorts, 'store' | 'clock'>,
  { id: instanceId }: InstanceRow,
  entity: string,
  outcome: SyncOutcome,
): Promise<void> {
  if (outcome.kind === 'done') await store.syncFailures.remove(instanceId, entity)
  if (outcome.kind !== 'failed') return
  const { failures, firstError: first, lastError: last } = outcome
  const errors = { first_error: showFailure(first), last_error: showFailure(last) }
  const present = presentFailure({ entity, failures, ...errors })
  if (present === null) return
  const { code, isHeld } = present
  const detail = (isHeld ? HELD_BACK : '') + present.detail.slice(0, MAX_DETAIL)
  const [since, failedAt] = [Date.parse(present.since), clock.now()]
  await store.syncFailures.put({ instanceId, entity, since, code, detail, failures, failedAt })
}

/** What a turn means for the log, for the state of its instance, and for other copies of it. */
async function settleTurn(
  ports: SyncJobPorts,
  row: InstanceRow,
  { name: entity }: SyncedEntity,
  turn: {
    readonly outcome: SyncOutcome
    readonly parts: SyncParts
    readonly beganMs: number
  },
): Promise<void> {
  const { states, log } = ports
  const { outcome, parts, beganMs } = turn
  const facts = { connector_id: row.id, connector_type: row.connectorType, entity }
  if (outcome.kind === 'done') {
    logDone(log, facts, outcome)
    if (!parts.steps.hasSent) return
    // A listing that was answered shows that the credentials work.
    await states.proved(row)
    await tryOthersEarly(ports, row, parts, beganMs)
  } else if (outcome.kind === 'failed') {
    const { error, failures, firstError } = outcome
    const causes = { code: error.code, first_code: firstError.code, failures }
    log.warn({ ...facts, ...causes }, 'a sync failed; it continues later')
    await states.failed(row, parts.connection, error)
  }
}

/** Failures whose wait is one that the third party has asked for. */
const ASKS_TO_WAIT: ReadonlySet<ErrorCode> = new Set(['upstream_failed', 'upstream_rate_limited'])

function pauseAfter(outcome: SyncOutcome, intervalMs: number, name: string): number {
  switch (outcome.kind) {
    case 'busy':
      return BUSY_MS
    case 'stopped':
      return STOPPED_MS
    case 'held':
      return outcome.forMs
    case 'done':
      return pauseMs(intervalMs, 0, name)
    case 'failed': {
      const pause = pauseAfterFailure(outcome.counted, outcome.countedAgoMs)
      const { code, retryAfterMs } = outcome.error
      // Not before the moment that the third party has named.
      return ASKS_TO_WAIT.has(code) ? Math.max(pause, retryAfterMs ?? 0) : pause
    }
  }
}

/**
 * When a turn that somebody asked for is made, for which nothing was sent because its third party is left alone: once that
 * is over. Copies that fail find out whether it is back, before those that are well. Null: it is no such turn.
 */
function heldAgainMs(outcome: SyncOutcome): number | null {
  if (outcome.kind === 'held') return outcome.forMs + PROVED_AFTER_MS
  return outcome.kind === 'failed' ? heldForMs(outcome.error) : null
}

/** What an operator may ask about later is worth a line of its own; the usual turn is not. */
function logDone(
  log: ServiceLog,
  facts: object,
  outcome: Extract<SyncOutcome, { readonly kind: 'done' }>,
): void {
  const { runId, changed, runs, suspicion, gaps } = outcome
  // With what hung on them.
  const removed = [...outcome.removed.values()].reduce((sum, count) => sum + count, 0)
  const all = { ...facts, changed, removed, run_id: runId }
  if (gaps !== null) {
    const { records, reasons } = gaps
    log.warn({ ...all, left_out: records, reasons }, 'records without a usable key are left out')
  }
  if (suspicion !== null) {
    const { missing } = suspicion
    const reason = reasonOf(suspicion)
    log.warn({ ...all, missing, reason, ...shownBound(suspicion) }, SUSPICIONS[reason])
  } else if (removed > 0) log.info(all, 'records that are gone were removed')
  else if (runs.includes('initial')) log.info(all, 'synchronized as a whole for the first time')
  else log.debug(all, 'synchronized')
}

const SUSPICIONS: Readonly<Record<SuspicionReason, string>> = {
  missing_records: 'a listing lacks so many records that none were removed',
  unsaid_end:
    'a listing ended with its first page, and nothing in the answer said that there are no more; no record was removed',
  bound_met: 'a run met a bound before its listing ended; no record was removed',
}

/** The bound as events and the log name it; nothing where none was met. */
function shownBound({ bound }: Suspicion): JsonObject {
  return bound === undefined ? {} : { bound: bound.name, limit: bound.limit }
}

async function lagOf(
  { index, clock }: SyncJobPorts,
  { id }: InstanceRow,
  { name }: SyncedEntity,
): Promise<number | null> {
  const copies = await index.copies({ instanceId: id, entity: name })
  const syncedAtMs = copies.find(({ serving }) => serving)?.syncedAtMs ?? null
  return syncedAtMs === null ? null : Math.max(0, clock.now() - syncedAtMs) / 1000
}

async function withProgress(
  { store, index, clock, log }: SyncJobPorts,
  row: InstanceRow,
  entity: SyncedEntity,
  turn: () => Promise<SyncOutcome>,
): Promise<SyncOutcome> {
  const over = new AbortController()
  const ports = { index, clock, log, emit: createEmit(store) }
  const telling = tellProgress(ports, row, entity, over.signal)
  try {
    return await turn()
  } finally {
    over.abort()
    await telling
  }
}

/** Events of what somebody may want to act on: not of turns that found nothing, nor of every repetition of a failure. */
async function tell(
  { store, log, tellChanged }: SyncJobPorts,
  row: InstanceRow,
  entity: string,
  outcome: SyncOutcome,
): Promise<void> {
  const emit = createEmit(store)
  try {
    if (outcome.kind === 'failed' && outcome.failures === 1) {
      const { code, message } = outcome.firstError
      await emit(row, 'sync.failed', { entity, code, detail: message })
    }
    if (outcome.kind !== 'done') return
    const { runId, removed, runs, suspicion, leftOut } = outcome
    const changed = outcome.changed + (removed.get(entity) ?? 0)
    const isWhole = runs.some((kind) => kind === 'initial' || kind === 'full')
    if (isWhole || (runs.length > 0 && changed > 0))
      await emit(row, 'sync.completed', {
        entity,
        run_id: runId,
        runs,
        changed,
        ...(leftOut > 0 && { left_out: leftOut }),
      })
    const others = [...removed].filter(([name]) => name !== entity)
    for (const [name, count] of [[entity, changed], ...others] as const)
      if (count > 0) await tellChanged(row, name, { run_id: runId, changed: count })
    if (suspicion !== null) {
      const { runId: run_id, missing } = suspicion
      const about = { entity, run_id, missing, reason: reasonOf(suspicion) }
      await emit(row, 'sync.suspicious', { ...about, ...shownBound(suspicion) })
    }
  } catch (error) {
    // The copy is written. Its events are of another database, and are not worth a turn that is repeated.
    log.warn({ connector_id: row.id, entity, code: codeOf(error) }, 'no sync event was stored')
  }
}

async function purge({ index, queue, log }: SyncJobPorts, job: Job): Promise<null> {
  await queue.cancel(job.instanceId, 'plan')
  await queue.cancel(job.instanceId, 'sync')
  await queue.cancel(job.instanceId, 'subscribe')
  await index.purge(job.instanceId)
  log.info({ connector_id: job.instanceId }, 'the copies of a deleted instance are gone')
  return null
}

function modeIn(detail: string | undefined): SyncMode | null {
  return detail === 'full' || detail === 'incremental' ? detail : null
}

/** What tells settings of an instance, and where it is served, from others. */
function settingsMark({ config, serverUrl }: InstanceRow): string {
  return createHash('sha256')
    .update(canonicalJson([config, serverUrl]))
    .digest('base64url')
}
