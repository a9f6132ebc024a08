// The end of a complete listing: what it lacks is removed, but only what is proven to be gone.
import { isConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { turnsPages } from '../../language/manifest/pagination-styles.ts'
import { askOne } from './ask-one.ts'
import { isListed } from './gaps.ts'
import { countUnknown } from './left-out.ts'
import { hasFixedStart } from './slices.ts'
import {
  decideRemoval,
  doubtOfEnds,
  guardOf,
  isIntervalAgo,
  isProven,
  type MissingRecords,
  type RemovalDecision,
} from './removal-decision.ts'
import { unusableKeyIn } from '../search/row.ts'
import type { CopyWrite, Removal, WriteReport } from '../search/search-index.ts'
import type { CopyFacts, Suspicion } from './run-record.ts'
import type { SyncedEntity } from './synced-entity.ts'
import { readCopy, type SyncPorts, type SyncRun, type SyncTask } from './sync-run.ts'

const REMOVED_AT_ONCE = 500
const SAMPLE = 20
const MAX_TRIED = 2_000

/**
 * Removes what the run's listing lacks, unless the listing may have been cut short. Gives the facts that follow: the
 * listing becomes the proof for the next one, and the copy is suspicious when too much would have gone, or when the
 * listing ended where there may be more.
 */
export async function removeMissing(run: SyncRun): Promise<CopyFacts> {
  const { facts } = run
  const isConfirmed = facts.confirmed !== null && facts.confirmed === facts.suspicious?.runId
  const doubt = isConfirmed ? null : doubtOfEnds([...run.slices.values()], facts)
  if (doubt !== null) {
    const { runId, startSeq } = run.record
    const missing = coversEverything(run) ? (await unseen(run, [runId], startSeq)).length : 0
    // Where it is not known how full a page can be, only a record that is missing is a reason to doubt.
    if (doubt === 'truncated' || missing > 0)
      return { ...facts, suspicious: { ...suspicion(run, missing), reason: 'unsaid_end' } }
  }
  const isOver = facts.suspicious?.reason === 'unsaid_end' && run.record.kind !== 'incremental'
  if (isOver && !isConfirmed) run.facts = { ...facts, suspicious: null, confirmed: null }
  return await removeUnseen(run)
}

async function removeUnseen(run: SyncRun): Promise<CopyFacts> {
  const { record, ports, task, copy, facts } = run
  if (!coversEverything(run)) return facts
  record.phase = 'removing'
  const received = [...run.slices.values()].reduce((sum, slice) => sum + slice.received, 0)
  const seen = await ports.index.countSeen(copy, record.runId)
  // By the third party's own count there is more: what this listing lacks may be what it left out.
  if (!isListed(run, seen)) return facts
  // What is missing may be among the records whose keys are not known.
  const isProof = (received > 0 || copy.live === 0) && countUnknown(record.leftOut) === 0
  const proof = {
    runId: record.runId,
    startSeq: record.startSeq,
    atMs: record.startedAtMs,
    scopes: task.scopes,
    isShifted: received > seen,
  }
  // With other scopes less may be visible, and that is no proof that the rest is gone.
  if (facts.proof !== null && facts.proof.scopes !== task.scopes)
    return isProof ? { ...facts, proof } : facts
  const { live } = await readCopy(ports, copy)
  const missing = await unseen(run, [record.runId], record.startSeq, guardOf(live) + 1)
  const isConfirmed = facts.confirmed !== null && facts.confirmed === facts.suspicious?.runId
  // Of a listing that ended where there may be more the operator vouches for the end.
  const isVouched = isConfirmed && facts.suspicious?.reason === 'unsaid_end'
  const missingTwice = isVouched
    ? await unseen(run, [record.runId], record.startSeq)
    : await unseenTwice(run, isConfirmed)
  const canGet = missing.length > 0 && (await canAsk(run, new Set([...missing, ...missingTwice])))
  const found: MissingRecords = {
    missing,
    missingTwice: isProof ? missingTwice : [],
    listings: (facts.proof?.listings ?? 1) + 1,
    isShifted: proof.isShifted || (await isShifted(run, missing, missingTwice)),
    live,
    // Of two listings a record may leave one behind it and come to the other before it.
    isOneCall: isProof && run.slices.size === 1 && !turnsPages(task.entity.listing.pagination),
    received,
    canGet,
    wasSuspicious: facts.suspicious !== null,
    isConfirmed,
  }
  const decision = decideRemoval(found)
  const cleared: CopyFacts = {
    ...facts,
    ...(isProof && { proof: proofAfter(run, found, decision) ?? proof }),
    suspicious: null,
    confirmed: null,
  }
  switch (decision.kind) {
    case 'remove':
      await removeAll(run, [...decision.ids, ...(await findGone(run, decision.asked))])
      return cleared
    case 'sample': {
      const every = Math.ceil(decision.ids.length / SAMPLE)
      const sample = decision.ids.filter((_, index) => index % every === 0)
      if ((await findGone(run, sample)).length === sample.length) {
        await removeAll(run, decision.ids)
        return cleared
      }
      return { ...cleared, suspicious: suspicion(run, decision.missing) }
    }
    case 'suspicious':
      return {
        ...cleared,
        confirmed: facts.confirmed,
        suspicious: suspicion(run, (await unseen(run, [record.runId], record.startSeq)).length),
      }
  }
}

function suspicion({ record, facts }: SyncRun, missing: number): Suspicion {
  // The operator approves what was first reported.
  const runId = facts.suspicious?.runId ?? record.runId
  return { runId, missing, atMs: record.startedAtMs }
}

/** Only a run that looked at everything there is can miss something. */
function coversEverything({ record, task, slices }: SyncRun): boolean {
  const { cursor } = task.entity.sync
  if (record.kind !== 'full' && record.kind !== 'reconcile' && record.kind !== 'initial')
    return false
  if (record.restarts > 0 || slices.size === 0) return false
  return cursor === null || hasFixedStart(cursor)
}

async function unseen(
  { ports, copy, nowMs }: SyncRun,
  runIds: readonly string[],
  beforeSeq: number,
  limit: number = ALL,
): Promise<readonly string[]> {
  const question = { runIds, beforeSeq, afterSeq: 0, nowMs, limit }
  return (await ports.index.unseen(copy, question)).map(({ recordId }) => recordId)
}

const ALL = 1_000_000

/** Whether the listing that is the proof is an interval old. */
function isPast({ facts: { proof }, record, task }: SyncRun): boolean {
  return proof !== null && isIntervalAgo(proof.atMs, record.startedAtMs, task.intervalMs)
}

/** What no listing had since the one that is the proof: at least an interval ago, or whenever the operator vouches for it. */
async function unseenTwice(run: SyncRun, isConfirmed: boolean): Promise<readonly string[]> {
  const { record, facts } = run
  const { proof } = facts
  if (proof === null || (!isConfirmed && !isPast(run))) return []
  const beforeSeq = Math.min(record.startSeq, proof.startSeq)
  return await unseen(run, [record.runId, proof.runId], beforeSeq)
}

/** Whether this listing and those since the one that is the proof do not agree on what is there. */
async function isShifted(
  run: SyncRun,
  { length }: readonly string[],
  missingTwice: readonly string[],
): Promise<boolean> {
  const { proof } = run.facts
  if (proof === null) return false
  if (proof.isShifted === true) return true
  if (missingTwice.length === 0) return false
  if (length !== missingTwice.length) return true
  return (await unseen(run, [proof.runId], proof.startSeq, length + 1)).length !== length
}

/**
 * The proof for the listings that follow, where it is still the one of before: listings that come often add to it, until
 * it is an interval old and what it lacks is judged. What an operator may approve is the lack of the listing that was
 * suspicious first. Null: it is the listing of this run.
 */
function proofAfter(
  run: SyncRun,
  found: MissingRecords,
  { kind }: RemovalDecision,
): CopyFacts['proof'] {
  const { proof } = run.facts
  const isUndecided = kind === 'remove' && found.missingTwice.length > 0 && !isProven(found)
  if (proof === null || run.record.startedAtMs < proof.atMs) return null
  if (found.wasSuspicious !== (kind === 'suspicious')) return null
  if (isPast(run) && !isUndecided) return null
  return { ...proof, listings: found.listings, isShifted: found.isShifted }
}

/** Whether `get` can be relied on: it must find a record that was just listed. */
async function canAsk(run: SyncRun, missing: ReadonlySet<string>): Promise<boolean> {
  const { ports, copy, task } = run
  if (task.entity.get === null) return false
  const limit = Math.min(missing.size + 1, MAX_TRIED)
  const known = await ports.index.documents(copy, 0, limit)
  const control = known.find(({ recordId }) => !missing.has(recordId))
  return control !== undefined && (await isFound(run, task.entity, control.recordId))
}

/** Whether the third party finds a record, and finds that one. */
export async function isFound(run: SyncRun, entity: SyncedEntity, id: string): Promise<boolean> {
  const asked = askOne(run.ports.upstream, entity, { id }, run.signal)
  const found = await asked.catch(unlessStopped(run))
  try {
    return found !== null && found !== undefined && entity.toRow(found).recordId === id
  } catch (error) {
    if (unusableKeyIn(error) === null) throw error
    return false
  }
}

/** Of these ids, those that the third party says it does not have. `known`: what is asked with them. */
export async function findGone(
  run: SyncRun,
  ids: readonly string[],
  known: JsonObject = {},
): Promise<readonly string[]> {
  const { ports, task, signal } = run
  const found: string[] = []
  for (const id of ids) {
    const asked = askOne(ports.upstream, task.entity, { known, id }, signal)
    if ((await asked.catch(unlessStopped(run))) === null) found.push(id)
  }
  return found
}

/** A question that fails confirms nothing. */
function unlessStopped({ signal }: Pick<SyncRun, 'signal'>): (error: unknown) => undefined {
  return (error) => {
    if (signal.aborted || !isConnectorError(error)) throw error
    return undefined
  }
}

async function removeAll(run: SyncRun, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += REMOVED_AT_ONCE)
    await commitRemoval(run, ids.slice(start, start + REMOVED_AT_ONCE))
}

/** Removes records with what hangs on them, along with a batch. */
export async function commitRemoval(
  run: SyncRun,
  ids: readonly string[],
  batch: Parameters<SyncRun['commit']>[0] = {},
): Promise<WriteReport> {
  const { ports, task, record, nowMs: atMs } = run
  const by = { runId: record.runId, atMs }
  run.noteRemoved(await removeChildren(ports, task, ids, by))
  return await run.commit({ ...batch, remove: { ids, ...by } })
}

/** Records go together with what hangs on them, under one run, so that one undo brings both back. */
export async function removeChildren(
  ports: Pick<SyncPorts, 'index'>,
  task: Pick<SyncTask, 'instanceId' | 'entity' | 'entities'>,
  parentIds: readonly string[],
  { runId, atMs, holdUntilMs }: Omit<Removal, 'ids'> & Pick<CopyWrite, 'holdUntilMs'>,
): Promise<ReadonlyMap<string, number>> {
  const removed = new Map<string, number>()
  for (const name of task.entity.children) {
    const child = task.entities.get(name)
    if (child === undefined) continue
    for (const copy of await ports.index.copies({ instanceId: task.instanceId, entity: name })) {
      const ids: string[] = []
      for (const parentId of parentIds)
        for (const { recordId } of await ports.index.children(copy, parentId)) ids.push(recordId)
      if (ids.length === 0) continue
      const below = await removeChildren(ports, { ...task, entity: child }, ids, { runId, atMs })
      const report = await ports.index.write({
        copy,
        fence: null,
        observedAtMs: atMs,
        ...(holdUntilMs === undefined ? {} : { holdUntilMs }),
        remove: { ids, runId, atMs },
      })
      // A second copy is of the same records.
      for (const [entity, count] of [...below, [name, report.removed] as const])
        removed.set(entity, Math.max(count, removed.get(entity) ?? 0))
    }
  }
  return removed
}
