// What is known of an entity's copy and its runs, as operators see it.
import {
  type CopyName,
  type CopyReader,
  type CopyState,
  readServing,
} from '../search/search-index.ts'
import type { MetBound } from './bounds.ts'
import {
  type Gap,
  type LeftOut,
  readFacts,
  reasonOf,
  type RunRecord,
  type SuspicionReason,
  type SyncFailure,
} from './run-record.ts'
import { slicesOf } from './slices.ts'
import type { SyncedEntity } from './synced-entity.ts'

/**
 * `initial`: the first reading is not finished. `error`: the last run failed. `waiting`: it is read below another entity
 * whose copy is not brought up to date at present, so that nobody knows what is new below that. `suspicious`: a listing
 * looked complete but would have removed too much, or ended where there may be more, or went beyond what a run may read.
 * `paused`: the instance or the entity is not synchronized at present.
 */
export type SyncState = 'initial' | 'ready' | 'error' | 'waiting' | 'suspicious' | 'paused'

/** What a copy waits for: the entity above it that fails, or that somebody has paused. */
export interface WaitsFor {
  readonly entity: string
  readonly state: 'error' | 'paused'
  /** With which the failures of that entity began; null: it is paused. */
  readonly error: SyncFailure | null
}

/** Times are milliseconds since 1970. */
export interface EntityStatus {
  readonly entity: string
  readonly state: SyncState
  /** Whether a whole reading was finished, and the copy is known to have everything. */
  readonly complete: boolean
  /** Why it is not known to have everything, although it was read as a whole once. */
  readonly gaps: readonly Gap[]
  readonly records: number
  readonly syncedAtMs: number | null
  readonly nextRunAtMs: number | null
  /** Until when its turns are put off, as the third party limits how often it is asked; null: they are not. */
  readonly limitedUntilMs: number | null
  readonly run: RunProgress | null
  /** The entity above it that keeps it from being brought up to date; null: none does. */
  readonly waitsFor: WaitsFor | null
  readonly lastError: SyncFailure | null
  /** With which the failures began that have not ended since; null: there are none. */
  readonly firstError: SyncFailure | null
  /** Failures in a row. */
  readonly failures: number
  /** Records that the last listing lacked and that are kept; null: none. */
  readonly missing: number | null
  /** Why it is suspicious: too many records are missing, the listing ended where there may be more, or a bound. */
  readonly reason: SuspicionReason | null
  /** The bound that a run met; null: that is not the reason. */
  readonly bound: MetBound | null
  /** Records that the copy lacks because they could not be kept; null: none. */
  readonly leftOut: LeftOut | null
  readonly nowMs: number
}

export interface RunProgress extends Omit<
  RunRecord,
  'values' | 'sinceMs' | 'error' | 'bound' | 'paceFrom' | 'suspicious'
> {
  /** Listings, for children one of each parent; null where it is not known how many there will be. */
  readonly slices: number | null
  readonly percent: number | null
  /** Where the third party counts nothing: how far it is if there are as many records as in the copy now. */
  readonly estimatedPercent: number | null
  readonly rowsPerSecond: number | null
  readonly etaSeconds: number | null
}

export interface KnownOfEntity {
  readonly entity: SyncedEntity
  /** The copy that answers searches, and the one that is being made to replace it. */
  readonly copies: readonly CopyState[]
  readonly run: RunRecord | null
  /** Parents whose children are still to be read; null: more may come. */
  readonly waiting: number | null
  readonly job: { readonly isRunning: boolean; readonly dueAt: number } | null
  readonly isPaused: boolean
  readonly nowMs: number
}

/** A run that no process works on at present has no rate, and no end. */
const AT_REST = { rowsPerSecond: null, etaSeconds: null }

export function statusOf(known: KnownOfEntity): EntityStatus {
  const { entity, copies, run, waiting, job, isPaused, nowMs } = known
  const serving = copies.find((copy) => copy.serving) ?? null
  const newest = copies.at(-1) ?? serving
  const facts = readFacts(newest?.facts ?? '')
  const complete = serving?.complete ?? false
  const { gaps = [] } = readFacts(serving?.facts ?? '')
  const { limitedUntilMs: limitedMs = 0 } = facts
  const isFailing = facts.failures > 0
  const isWorking = !isPaused && job?.isRunning === true
  const states: readonly (readonly [boolean, SyncState])[] = [
    [isPaused, 'paused'],
    [facts.suspicious !== null, 'suspicious'],
    [isFailing, 'error'],
    [!complete, 'initial'],
  ]
  const live = serving?.live ?? 0
  const progress = run === null ? null : progressOf(entity, run, { nowMs, waiting, live })
  return {
    entity: entity.name,
    state: states.find(([holds]) => holds)?.[1] ?? 'ready',
    complete: complete && gaps.length === 0,
    gaps,
    records: serving?.live ?? 0,
    syncedAtMs: serving?.syncedAtMs ?? null,
    nextRunAtMs: isPaused || job === null || job.isRunning ? null : job.dueAt,
    limitedUntilMs: isPaused || isWorking || limitedMs <= nowMs ? null : limitedMs,
    run: progress === null || isWorking ? progress : { ...progress, ...AT_REST },
    waitsFor: null,
    lastError: isFailing ? facts.lastError : null,
    firstError: isFailing ? (facts.firstError ?? facts.lastError) : null,
    failures: facts.failures,
    // What a listing lacks is known only if it was read to its end.
    missing: facts.suspicious?.bound === undefined ? (facts.suspicious?.missing ?? null) : null,
    reason: facts.suspicious === null ? null : reasonOf(facts.suspicious),
    bound: facts.suspicious?.bound ?? null,
    leftOut: facts.leftOut ?? null,
    nowMs,
  }
}

/** States that say more of a copy than that it waits for another one. */
const OWN_STATES: ReadonlySet<SyncState> = new Set(['paused', 'suspicious', 'error'])

/**
 * The statuses of all entities of an instance, with what each of them waits for: what is read below an entity that fails,
 * or is paused, is not known to be up to date, however well its own runs end.
 */
export function withWaiting<S extends EntityStatus>(
  statuses: readonly S[],
  entities: ReadonlyMap<string, SyncedEntity>,
): readonly S[] {
  const byName = new Map(statuses.map((status) => [status.entity, status]))
  const above = (entity: string): S | undefined =>
    byName.get(entities.get(entity)?.sync.parent?.entity ?? '')
  return statuses.map((status) => {
    const waitsFor = waitsForOf(status, above)
    if (waitsFor === null) return status
    if (OWN_STATES.has(status.state)) return { ...status, waitsFor }
    // Its own turns read nothing new until then.
    const next = byName.get(waitsFor.entity)?.nextRunAtMs ?? null
    const nextRunAtMs = status.nextRunAtMs === null ? null : next
    return { ...status, waitsFor, state: 'waiting', nextRunAtMs }
  })
}

/** The nearest entity above that stands still by a reason of its own. */
function waitsForOf(
  { entity }: EntityStatus,
  above: (entity: string) => EntityStatus | undefined,
): WaitsFor | null {
  const seen = new Set([entity])
  for (let at = above(entity); at !== undefined && !seen.has(at.entity); at = above(at.entity)) {
    seen.add(at.entity)
    if (at.state === 'paused') return { entity: at.entity, state: 'paused', error: null }
    // A listing that lacks too much does not hide that the next one failed.
    if (at.failures > 0) return { entity: at.entity, state: 'error', error: at.firstError }
  }
  return null
}

/** Short of the end as long as nobody knows where it is. */
const MAX_ESTIMATE = 99
/** Runs that read every record once. */
const READING_ALL: ReadonlySet<RunRecord['kind']> = new Set(['initial', 'full', 'reconcile'])

/**
 * A run with what follows from it at this time; `waiting`: parents that are still to be asked, null where more may come;
 * `live`: records of the copy that answers searches.
 */
export function progressOf(
  { sync }: SyncedEntity,
  run: RunRecord,
  {
    nowMs,
    waiting,
    live,
  }: { readonly nowMs: number; readonly waiting: number | null; readonly live: number },
): RunProgress {
  const {
    values: _,
    sinceMs: __,
    error: ___,
    bound: ____,
    suspicious: _____,
    paceFrom,
    ...shown
  } = run
  const isOfChildren = run.kind === 'children'
  // A run that an earlier version began has no mark.
  const from = paceFrom ?? { atMs: run.startedAtMs, read: 0, slicesDone: 0 }
  const seconds = (nowMs - from.atMs) / 1_000
  const perSecond = (count: number): number | null => (seconds >= 1 ? count / seconds : null)
  const rate = perSecond(run.read - from.read)
  // It is not known how many children there are, but how many parents were asked.
  const done = isOfChildren ? run.slicesDone : run.read
  const parents = waiting === null ? null : run.slicesDone + waiting
  const slices = isOfChildren ? parents : slicesOf(run, sync.cursor?.windowMs ?? null).length
  // The total of what has not been asked for yet is not known.
  const expectedTotal = (run.slicesCounted ?? 0) < (slices ?? 0) ? null : run.expectedTotal
  const total = isOfChildren ? parents : expectedTotal
  const left = total === null ? null : Math.max(0, total - done)
  const pace = isOfChildren ? perSecond(run.slicesDone - from.slicesDone) : rate
  return {
    ...shown,
    slices,
    expectedTotal,
    percent: total === null || total === 0 ? null : Math.min(100, Math.floor((100 * done) / total)),
    estimatedPercent:
      total !== null || live === 0 || !READING_ALL.has(run.kind)
        ? null
        : Math.min(MAX_ESTIMATE, Math.floor((100 * run.read) / live)),
    rowsPerSecond: rate === null ? null : Math.round(rate),
    etaSeconds: left === null || pace === null || pace === 0 ? null : Math.ceil(left / pace),
  }
}

/** Parents whose children are due. Null: the entity has no parents, or they are still read for the first time. */
export async function waitingParents(
  index: Pick<CopyReader, 'copies' | 'countTodo'>,
  name: CopyName,
  { sync }: SyncedEntity,
  nowMs: number,
): Promise<number | null> {
  if (sync.parent === null) return null
  const parents = await readServing(index, { ...name, entity: sync.parent.entity })
  return parents?.complete === true ? await index.countTodo(name, nowMs) : null
}
