// One turn of one entity: the lease, the runs that are due, what stays when they end. The only entrance to this room's work.
import { type ConnectorError, type ErrorCode, isConnectorError, metByCall } from '../../errors.ts'
import { type CopyState, type CopyWrite, LostLease } from '../search/search-index.ts'
import { askOne } from './ask-one.ts'
import { largestOf } from './removal-decision.ts'
import { BoundMetError, boundSuspicion, type MetBound, withoutMetBound } from './bounds.ts'
import { type LeaseTimes, takeLease } from './held-lease.ts'
import { findGaps } from './gaps.ts'
import { leftOutAfter } from './left-out.ts'
import { readChildren } from './read-children.ts'
import { readSlice } from './read-slice.ts'
import { rebuild, takeOver } from './rebuild.ts'
import { removeMissing } from './remove-missing.ts'
import { countFailure, dueKinds, type SyncMode } from './run-kind.ts'
import {
  ATTEMPT_PREFIX,
  attemptEntry,
  type CopyFacts,
  HELD_BACK,
  HISTORY_PREFIX,
  historyEntry,
  type LeftOut,
  readFacts,
  readRun,
  readSlice as readSliceEntry,
  RUN_ENTRY,
  type RunKind,
  type Suspicion,
  type RunRecord,
  SLICE_PREFIX,
  type SliceRecord,
  sliceEntry,
  type SyncFailure,
  timeName,
  toEntry,
} from './run-record.ts'
import { latest, sinceOf, slicesOf, valueKey } from './slices.ts'
import {
  PATIENCE_MS,
  readCopy,
  SyncRun,
  type SyncPorts,
  type SyncTask,
  type SyncTurn,
  workOn,
  type WrittenEntry,
} from './sync-run.ts'

export interface SyncOptions {
  readonly mode?: SyncMode | null
  /** Somebody asked for this turn: where it fails, the next attempt is no later than it would have been. */
  readonly isAsked?: boolean
  /** Ends the turn at the next page; what is written stays, and another process goes on. */
  readonly signal: AbortSignal
  readonly leaseTimes?: LeaseTimes
}

export type SyncOutcome =
  /** Another process works on the copy. */
  | { readonly kind: 'busy' }
  /** Ended by the signal, or because another process took over. */
  | { readonly kind: 'stopped' }
  /**
   * Put off, and no failure: the third party limits how often it is asked, and nothing was sent, or pages were read; or
   * somebody asked for it while the third party was left alone, and the copy is well.
   */
  | { readonly kind: 'held'; readonly forMs: number; readonly error: ConnectorError }
  | {
      readonly kind: 'done'
      readonly runId: string
      /** Records that are new, changed, or back. */
      readonly changed: number
      /** Records that were removed, by entity: with a record goes what hangs on it. */
      readonly removed: ReadonlyMap<string, number>
      /** For turns at the third party, in all. */
      readonly waitedMs: number
      /** Of the runs that came to their end, in order. */
      readonly runs: readonly RunKind[]
      /** What became suspicious in this turn; null: nothing did. */
      readonly suspicion: Suspicion | null
      /** Records that were left out, and what the copy lacks now, where that is another number than before; null: it is not. */
      readonly leftOut: number
      readonly gaps: LeftOut | null
    }
  | {
      readonly kind: 'failed'
      readonly error: ConnectorError
      /** In a row, and with which they began. */
      readonly failures: number
      readonly firstError: SyncFailure
      /** What it fails with now: of a turn that was held back, what a turn before met itself. */
      readonly lastError: SyncFailure
      /** Those of the failures that lengthen the wait for the next attempt, and how long ago the last of them was. */
      readonly counted: number
      readonly countedAgoMs: number
    }

const AT_ONCE = 2
/** A run that fails this often without writing a page is given up, and begins again: where it is may be the reason. */
const MAX_ATTEMPTS = 5
/** Failures that end with a user who connects again. */
const OF_CREDENTIALS: ReadonlySet<ErrorCode> = new Set([
  'credentials_refused',
  'reauthorization_required',
])
/** Failures that another place in the listing would have met as well. */
const ELSEWHERE: ReadonlySet<ErrorCode> = new Set([
  'credentials_refused',
  'overloaded',
  'reauthorization_required',
  'refresh_failed',
  'refresh_unknown',
  'shutting_down',
  'upstream_rate_limited',
  'upstream_suspended',
  'upstream_unreachable',
])
const LIMITED = 'upstream_rate_limited'
const HISTORY_MS = 30 * 86_400_000
const MAX_HISTORY = 50
const TOMBSTONES_MS = 7 * 86_400_000

/**
 * Brings the copy of an entity up to date: goes on with the run that is under way, or begins the ones that are due.
 *
 * Rows and checkpoint are written together, so whatever ends this process loses nothing: the next turn, anywhere, goes
 * on where the last one was, once the lease has run out. Never two turns write to one copy. Failures of the third party
 * are an outcome; only `store_unavailable` is thrown.
 */
export async function syncEntity(
  ports: SyncPorts,
  task: SyncTask,
  options: SyncOptions,
): Promise<SyncOutcome> {
  const { index, clock, newId } = ports
  const copy = await index.prepare(
    { instanceId: task.instanceId, entity: task.entity.name },
    task.entity.layout,
    task.settings,
  )
  const { signal, leaseTimes, mode = null, isAsked = false } = options
  const lease = await takeLease({ index, clock, copy, owner: newId(), stop: signal }, leaseTimes)
  if (lease === null) return { kind: 'busy' }
  try {
    return await runDue({ ports, task, lease, isAsked }, copy, mode)
  } catch (error) {
    if (error instanceof LostLease || lease.signal.aborted) return { kind: 'stopped' }
    throw error
  } finally {
    await lease.release()
  }
}

async function runDue(
  turn: SyncTurn,
  copy: CopyState,
  mode: SyncMode | null,
): Promise<SyncOutcome> {
  const { ports, task, lease } = turn
  // What was read before the lease was taken may be older than what the last owner wrote.
  let now = await readCopy(ports, copy)
  if ((await isUntouched(ports, now)) && (await rebuild(ports, lease, now)))
    now = await readCopy(ports, copy)
  let runId: string | null = null
  let changed = 0
  const removed = new Map<string, number>()
  let waitedMs = 0
  let leftOut = 0
  const runs: RunKind[] = []
  const before = readFacts(now.facts)
  const begun = await resume(turn, now)
  const state = { complete: now.complete, facts: before }
  const due = dueKinds(task.entity.sync, state, mode, ports.clock.now())
  const kinds: readonly (RunKind | SyncRun)[] =
    begun === null ? due : [begun, ...due.filter((kind) => kind !== begun.record.kind)]
  for (const next of kinds) {
    const run = typeof next === 'string' ? begin(turn, now, next, mode) : next
    // Every parent is due once more, unless this very run has begun with that.
    const isBehind = (run.facts.fullAtMs ?? -Infinity) < run.record.startedAtMs
    if (mode === 'full' && run.record.kind === 'children' && isBehind)
      run.facts = { ...run.facts, fullAtMs: null }
    const ended = await perform(run)
    if (typeof ended !== 'string') return ended
    runId = run.record.runId
    changed += run.record.changed
    waitedMs += run.record.waitedMs
    leftOut += run.record.leftOut?.records ?? 0
    for (const [name, count] of run.removed) removed.set(name, (removed.get(name) ?? 0) + count)
    now = await readCopy(ports, copy)
    if (ended === 'cut') break
    runs.push(run.record.kind)
    // The first complete reading has done what every other kind would do.
    if (run.record.kind === 'initial' || run.record.kind === 'full') break
  }
  if (runId === null) return { kind: 'stopped' }
  const { suspicious, leftOut: lacks } = readFacts(now.facts)
  const suspicion = suspicious?.runId === before.suspicious?.runId ? null : suspicious
  const gaps = lacks?.records === before.leftOut?.records ? null : (lacks ?? null)
  return { kind: 'done', runId, changed, removed, waitedMs, runs, suspicion, leftOut, gaps }
}

/** Whether no run has ever worked on the copy. */
async function isUntouched({ index }: SyncPorts, copy: CopyState): Promise<boolean> {
  if (copy.serving || copy.complete || copy.facts !== '') return false
  const [entry] = await index.entries(copy, RUN_ENTRY)
  return entry === undefined || readRun(entry).epoch !== copy.epoch
}

function begin(turn: SyncTurn, copy: CopyState, kind: RunKind, mode: SyncMode | null): SyncRun {
  const { ports, task } = turn
  const { entity } = task
  const known = readFacts(copy.facts)
  const startedAtMs = ports.clock.now()
  const isOfChildren = kind === 'children'
  const suspectedBefore = isOfChildren ? known.suspicious : null
  const isApproved = suspectedBefore !== null && known.confirmed === suspectedBefore.runId
  // The parents on which too many hung are looked at again after an interval; until then nothing is known about them.
  const isWaiting =
    suspectedBefore !== null &&
    !isApproved &&
    mode !== 'full' &&
    startedAtMs - suspectedBefore.atMs < task.intervalMs
  const facts = isOfChildren && !isWaiting ? { ...known, suspicious: null } : known
  const values = isOfChildren ? [] : entity.valuesOf(ports.upstream.config())
  const since = sinceOf(kind, entity.sync.cursor, facts, startedAtMs)
  const record: RunRecord = {
    runId: ports.newId(),
    kind,
    epoch: copy.epoch,
    startedAtMs,
    startSeq: copy.nextSeq,
    before: { generation: copy.generation, version: copy.version },
    untilMs: startedAtMs,
    values,
    sinceMs: values.map(since),
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
    ...(isOfChildren ? { suspectedBefore, isApproved } : {}),
    finishedAtMs: null,
    error: null,
  }
  const run = new SyncRun(turn, copy, record)
  run.facts = facts
  return run
}

/** The run that is under way; null: there is none, or it filled a copy of another layout or of other settings. */
async function resume(turn: SyncTurn, copy: CopyState): Promise<SyncRun | null> {
  const { index, clock } = turn.ports
  const [entry] = await index.entries(copy, RUN_ENTRY)
  if (entry === undefined) return null
  const record = readRun(entry)
  const slices = (await index.entries(copy, SLICE_PREFIX)).map(readSliceEntry)
  const { read, slicesDone } = record
  const nowMs = clock.now()
  const paceFrom = { atMs: nowMs, read, slicesDone }
  // Where nothing stands of the turns before, everything is read in this one.
  const untilMs = hasRead(record, slices) ? record.untilMs : nowMs
  const goesOn = { ...record, untilMs, resumed: true, paceFrom, error: null }
  if (record.epoch === copy.epoch) return new SyncRun(turn, copy, goesOn, slices)
  await index.write({
    copy,
    fence: turn.lease.fence,
    observedAtMs: clock.now(),
    entries: endOfRun(slices.map(({ no }) => no)),
  })
  await index.forgetRun(copy, record.runId)
  return null
}

/** Whether a page stands that a turn before has read: it is not read again. */
function hasRead({ kind, pages }: RunRecord, slices: readonly SliceRecord[]): boolean {
  return kind === 'children' ? pages > 0 : slices.some((slice) => slice.pages > 0)
}

/** Runs to the end. `cut`: it met a bound before. Otherwise what it failed with. */
async function perform(run: SyncRun): Promise<SyncOutcome | 'whole' | 'cut'> {
  try {
    if (run.record.kind === 'children') {
      const isComplete = await readChildren(run)
      if (isWhole(run)) run.requireUsable()
      await finish(run, isComplete)
    } else {
      await readSlices(run)
      if (isWhole(run)) run.requireUsable()
      if (run.record.kind === 'reconcile') await fetchUnknown(run)
      const { facts, kept } = withoutMetBound(run.facts, run.record.kind)
      run.facts = facts
      const after = await removeMissing(run)
      run.facts = after.suspicious === null ? { ...after, suspicious: kept } : after
      await finish(run, true)
    }
    return 'whole'
  } catch (error) {
    if (error instanceof BoundMetError && !run.signal.aborted) {
      await cut(run, error.bound)
      return 'cut'
    }
    if (!isConnectorError(error) || run.signal.aborted || error.code === 'store_unavailable')
      throw error
    return await fail(run, error)
  }
}

async function readSlices(run: SyncRun): Promise<void> {
  const { cursor } = run.task.entity.sync
  const waiting = slicesOf(run.record, cursor?.windowMs ?? null).filter(
    ({ no }) => run.slices.get(no)?.done !== true,
  )
  await run.commit({})
  await workOn(waiting, AT_ONCE, (slice) => readSlice(run, slice))
}

/** Records whose keys were listed but that the copy lacks: a few are fetched, for many everything is read again. */
async function fetchUnknown(run: SyncRun): Promise<void> {
  const { ports, task, unknownIds, signal } = run
  // Some are forgotten: there were too many, or they were listed before the run was gone on with.
  if ((run.record.unknown ?? 0) > unknownIds.size) {
    run.facts = { ...run.facts, fullAtMs: null }
    return
  }
  for (const id of unknownIds) {
    const askedAtMs = ports.clock.now()
    const record = await askOne(ports.upstream, task.entity, { id }, signal)
    if (record === undefined) {
      run.facts = { ...run.facts, fullAtMs: null }
      return
    }
    if (record === null) continue
    const { rows, leftOut } = await run.toRows([record])
    run.noteRead(0, leftOut)
    const childEntities = task.entity.children
    await run.commit({ observedAtMs: askedAtMs, seenBy: run.seenBy, rows, childEntities })
  }
}

/** Everything that stays: facts, freshness, history; and what is over is taken away. */
async function finish(run: SyncRun, isComplete: boolean): Promise<void> {
  const { ports, copy, record, task } = run
  record.finishedAtMs = ports.clock.now()
  const facts = { ...factsAfter(run), highWaterMs: highWater(run), ...largestPagesOf(run) }
  // Keys tell nothing about what is in the records.
  const isFresh = isComplete && record.kind !== 'reconcile'
  await commitEnd(run, facts, isFresh ? { complete: true, syncedAtMs: freshAsOf(run) } : {})
  // Others were begun for a layout or settings that are no more.
  const hasOthers = (await ports.index.copies(copy)).length > 1
  if (isFresh && (!copy.serving || hasOthers)) await takeOver(ports.index, copy)
  await forgetSeen(run, facts)
  await ports.index.forgetRemoved(copy, ports.clock.now() - TOMBSTONES_MS)
  if (record.kind !== 'children') for (const child of task.entity.children) ports.childrenDue(child)
}

/** The facts of a run that is over, with when everything, or all keys, were read last. */
function factsAfter({ facts, record: { kind, startedAtMs } }: SyncRun): CopyFacts {
  const isFull = kind === 'initial' || kind === 'full'
  const { firstError: _, counted: __, ...kept } = facts
  return {
    ...kept,
    ...(isFull && { fullAtMs: startedAtMs }),
    ...((isFull || kind === 'reconcile') && { reconciledAtMs: startedAtMs }),
    lastError: null,
    failures: 0,
  }
}

/** Whether the run looks at every record there is; of records below parents, at those of every parent. */
function isWhole({ facts, record: { kind, startedAtMs } }: SyncRun): boolean {
  return kind === 'children' ? facts.fullAtMs === startedAtMs : kind !== 'incremental'
}

/** Pages of later runs are compared with the largest ones. */
function largestPagesOf(run: SyncRun): Pick<CopyFacts, 'largestPage' | 'fullPage'> {
  const slices = [...run.slices.values()]
  const largestPage = largestOf(slices, run.largestPage)
  const fullPage = Math.max(run.fullPage ?? 0, ...slices.map((slice) => slice.fullPage ?? 0))
  return { ...(largestPage !== null && { largestPage }), ...(fullPage > 0 && { fullPage }) }
}

/** Ends a run that met a bound; nothing is removed. A whole reading is tried again only when the next one is due. */
async function cut(run: SyncRun, bound: MetBound): Promise<void> {
  const { ports, record } = run
  const atMs = ports.clock.now()
  record.finishedAtMs = atMs
  record.bound = bound
  const suspicious = boundSuspicion(run.facts, record, bound, atMs)
  const facts = { ...factsAfter(run), suspicious }
  await commitEnd(run, facts)
  await forgetSeen(run, facts)
}

/** Writes the facts of a run that is over, and puts it into the history. */
async function commitEnd(
  run: SyncRun,
  facts: CopyFacts,
  fresh: Pick<CopyWrite, 'complete' | 'syncedAtMs'> = {},
): Promise<void> {
  const { record, slices } = run
  const { proof } = facts
  const { leftOut: known, ...others } = facts
  const isAll =
    isWhole(run) && record.error === null && record.bound === undefined && !run.postponed
  const leftOut = leftOutAfter(known, record.leftOut, isAll)
  const kept = leftOut === undefined ? others : { ...others, leftOut }
  const isComplete = fresh.complete === true || run.copy.complete
  const gaps = isComplete ? await findGaps(run, kept, isAll) : []
  const { gaps: _, ...whole } = kept
  const after: CopyFacts = gaps.length === 0 ? whole : { ...whole, gaps }
  await run.commit({
    facts: JSON.stringify(await withApproval(run, after)),
    ...fresh,
    ...(isComplete && {
      complete: true,
      hasGaps: gaps.length > 0,
    }),
    // What one listing had was there, however that listing ended.
    ...(proof !== null &&
      proof.runId !== record.runId && { addSeen: { of: record.runId, to: proof.runId } }),
    entries: [
      ...endOfRun(slices.keys()),
      ...(await oldEntries(run, HISTORY_PREFIX)),
      toEntry(historyEntry(record), {
        ...record,
        attempt: (record.failed ?? 0) + (record.error === null ? 1 : 0),
        values: [],
        sinceMs: [],
      }),
    ],
  })
}

/** Deletes what the run, and the one that was proven before, have seen, unless it is still a proof. */
async function forgetSeen({ record, ports, copy }: SyncRun, facts: CopyFacts): Promise<void> {
  const proven = readFacts(copy.facts).proof?.runId ?? record.runId
  for (const runId of new Set([record.runId, proven]))
    if (runId !== facts.proof?.runId) await ports.index.forgetRun(copy, runId)
}

/** The facts with what the operator has approved while the run was under way. */
async function withApproval(run: SyncRun, facts: CopyFacts): Promise<CopyFacts> {
  if (facts.suspicious === null) return { ...facts, confirmed: null }
  const { confirmed } = readFacts((await readCopy(run.ports, run.copy)).facts)
  return confirmed === facts.suspicious.runId ? { ...facts, confirmed } : facts
}

/** Children are as fresh as their parents at best, and these as they were when nothing below them was left to read. */
function freshAsOf({ record: { untilMs }, parentsAsOfMs }: SyncRun): number {
  return Math.min(untilMs, parentsAsOfMs ?? untilMs)
}

function endOfRun(slices: Iterable<number>): readonly WrittenEntry[] {
  const names = [RUN_ENTRY, ...[...slices].map(sliceEntry)]
  return names.map((name) => ({ name, value: null }))
}

/** Takes away what is too old, or too many when one more is added. */
async function oldEntries(
  { ports, copy }: SyncRun,
  prefix: string,
): Promise<readonly WrittenEntry[]> {
  const names = (await ports.index.entries(copy, prefix)).map(({ name }) => name)
  const oldest = prefix + timeName(ports.clock.now() - HISTORY_MS)
  return names
    .filter((name, index) => name < oldest || index < names.length - (MAX_HISTORY - 1))
    .map((name) => ({ name, value: null }))
}

/**
 * The latest cursor seen, only forwards, and never beyond what was asked for. Where slices are asked for by both ends,
 * everything up to the last but one is known to be read, whether there was anything or not: else years without records
 * would be asked for slice by slice with every run.
 */
function highWater({ facts, record, slices, task }: SyncRun): CopyFacts['highWaterMs'] {
  const { cursor } = task.entity.sync
  if (cursor === null || record.kind === 'reconcile') return facts.highWaterMs
  const found: Record<string, number> = { ...facts.highWaterMs }
  for (const { no, value } of slicesOf(record, cursor.windowMs)) {
    const readMs = cursor.windowMs === null ? null : record.untilMs - cursor.windowMs
    const seen = latest(slices.get(no)?.maxSeenMs ?? null, readMs)
    if (seen === null) continue
    const key = valueKey(value)
    found[key] = Math.max(found[key] ?? Number.NEGATIVE_INFINITY, Math.min(seen, record.untilMs))
  }
  return found
}

/** The run stays where it is, to be gone on with; one that gets no further is given up. */
async function fail(run: SyncRun, error: ConnectorError): Promise<SyncOutcome> {
  const { record, ports } = run
  const atMs = ports.clock.now()
  const forMs = putOffMs(run, error)
  if (forMs !== null) {
    await putOff(run, isConnectorError(error, LIMITED) ? { limitedUntilMs: atMs + forMs } : {})
    return { kind: 'held', forMs, error }
  }
  if (!ELSEWHERE.has(error.code)) record.attempts += 1
  record.failed = (record.failed ?? 0) + 1
  record.error = failureOf(error, atMs)
  const firstError = firstOf(run, record.error, error)
  const { failures, lastError } = run.facts
  const before = run.facts.counted ?? { failures, atMs: lastError?.atMs ?? atMs }
  // A turn for which nothing was sent is no failure of a copy that fails already: the next attempt is still to come.
  const isHeldBack = record.error.cause !== undefined && failures > 0
  const counted = isHeldBack ? before : countFailure(before, { isAsked: run.isAsked, atMs })
  const lastNow = isHeldBack ? heldBack(lastError, record.error) : record.error
  const facts = {
    ...run.facts,
    firstError,
    lastError: lastNow,
    failures: isHeldBack ? failures : failures + 1,
    counted,
    ...(isConnectorError(error, LIMITED) && { limitedUntilMs: atMs + (error.retryAfterMs ?? 0) }),
  }
  const isOver = record.attempts >= MAX_ATTEMPTS || error.code === 'cursor_invalid'
  record.finishedAtMs = isOver ? atMs : null
  if (!isOver)
    await run.commit({
      facts: JSON.stringify(await withApproval(run, facts)),
      entries: [
        ...(await oldEntries(run, ATTEMPT_PREFIX)),
        toEntry(attemptEntry(record, atMs), attemptOf(run, atMs)),
      ],
    })
  else {
    await commitEnd(run, facts)
    await forgetSeen(run, facts)
  }
  const countedAgoMs = atMs - counted.atMs
  return {
    kind: 'failed',
    error,
    failures: facts.failures,
    firstError,
    lastError: lastNow,
    counted: counted.failures,
    countedAgoMs,
  }
}

/** How long nothing is sent for a turn that failed so, because of failures before; null: that is not why it failed. */
export function heldForMs(error: ConnectorError): number | null {
  return metByCall(error).code === 'upstream_suspended' ? (error.retryAfterMs ?? 0) : null
}

/** How long a turn is put off that could not be made for now, so that its copy fails no more than before; null: it failed. */
function putOffMs(
  { record, before, facts, isAsked }: SyncRun,
  error: ConnectorError,
): number | null {
  const hasReadPages = record.pages > before.pages
  if (!isConnectorError(error, LIMITED))
    return isAsked && facts.failures === 0 && !hasReadPages ? heldForMs(error) : null
  const { upstream, retryAfterMs } = error
  if (upstream === null) return retryAfterMs
  // It was refused. Where it has come further, and is told when it can go on, it has not failed.
  return hasReadPages && (retryAfterMs ?? 0) > PATIENCE_MS ? retryAfterMs : null
}

/** Leaves the copy as it was: a run that read something, or of a copy that fails, goes on later. */
async function putOff(run: SyncRun, more: Pick<CopyFacts, 'limitedUntilMs'>): Promise<void> {
  const { record, ports, copy, slices } = run
  const facts = JSON.stringify(await withApproval(run, { ...run.facts, ...more }))
  if (run.facts.failures > 0 || hasRead(record, [...slices.values()])) {
    await run.commit({ facts })
    return
  }
  await run.commit({ facts, entries: endOfRun(slices.keys()) })
  await ports.index.forgetRun(copy, record.runId)
}

/** What this turn of a run has done before it failed. */
function attemptOf({ record, before }: SyncRun, atMs: number): RunRecord {
  const { leftOut: _, ...others } = record
  return {
    ...others,
    startedAtMs: before.atMs,
    pages: record.pages - before.pages,
    read: record.read - before.read,
    changed: record.changed - before.changed,
    unchanged: record.unchanged - before.unchanged,
    removed: record.removed - before.removed,
    waitedMs: record.waitedMs - before.waitedMs,
    attempt: record.failed ?? 1,
    goesOn: true,
    finishedAtMs: atMs,
    values: [],
    sinceMs: [],
  }
}

/**
 * An error as it is kept, with the one that it only follows from. Where a call of this turn failed itself before the
 * third party was left alone, that failure is what is kept: the turn was not held back.
 */
function failureOf(error: ConnectorError, atMs: number): SyncFailure {
  const { code, message } = metByCall(error)
  const { retryAfterMs, cause } = error
  if (error.code !== 'upstream_suspended') return { code, message, atMs }
  const until = retryAfterMs === null ? {} : { suspendedUntilMs: atMs + retryAfterMs }
  const isHeldBack = code === 'upstream_suspended' && isConnectorError(cause)
  const of = isHeldBack ? { cause: { code: cause.code, message: cause.message } } : {}
  return { code, message, atMs, ...until, ...of }
}

/** What a copy failed with, still, and until when nothing is sent for it. */
function heldBack(known: SyncFailure | null, held: SyncFailure): SyncFailure {
  if (known === null || known.cause !== undefined) return held
  const { suspendedUntilMs } = held
  return suspendedUntilMs === undefined ? known : { ...known, suspendedUntilMs }
}

/**
 * With what a row of failures began: what comes later is often no more than what follows from it. A copy that was held
 * back for what another call failed with says so, and has that as its cause, until a call of its own fails: the other one
 * may be well by then.
 */
function firstOf(
  { facts: { firstError: known }, task }: SyncRun,
  { cause, ...now }: SyncFailure,
  error: ConnectorError,
): SyncFailure {
  // Whatever was said of an origin that is left alone, somebody has met the reason before.
  const isReason = cause !== undefined || now.code !== error.code
  const isOwn = cause === undefined && now.code !== 'upstream_suspended'
  if (known?.cause !== undefined && isOwn) return { ...now, atMs: known.atMs }
  // What is sent after a refusal is sent with other credentials, or they were found to be good: it is over.
  if (known !== undefined && isOwn && OF_CREDENTIALS.has(known.code) && now.code !== known.code)
    return now
  if (known !== undefined && (known.code !== 'upstream_suspended' || !isReason)) return known
  const atMs = known?.atMs ?? now.atMs
  if (cause === undefined) return { ...now, atMs }
  const { details } = isConnectorError(error.cause) ? error.cause : error
  if (details['entity'] === task.entity.name) return { ...cause, atMs }
  const message = HELD_BACK + cause.message
  return { code: cause.code, message, atMs, cause }
}
