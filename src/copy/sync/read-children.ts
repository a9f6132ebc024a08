// Records that are listed per parent: the parents that changed are waiting in a queue next to the copy.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { doubtOf, type EndDoubt } from '../../engine/response/page-end.ts'
import type { CopyRow, RowParent } from '../search/row.ts'
import {
  type CopyState,
  readServing,
  type StoredDocument,
  type TodoItem,
} from '../search/search-index.ts'
import { askOne } from './ask-one.ts'
import { BoundMetError, type MetBound } from './bounds.ts'
import { countUnknown, withLeftOut } from './left-out.ts'
import { listPages } from './read-slice.ts'
import { guardOf, isIntervalAgo, isProven } from './removal-decision.ts'
import { commitRemoval, findGone, isFound, removeChildren } from './remove-missing.ts'
import {
  ABSENT_PREFIX,
  type ChildAbsence,
  type LeftOutRecord,
  readAbsence,
  type Suspicion,
  toEntry,
} from './run-record.ts'
import { type SyncedEntity, recordOf } from './synced-entity.ts'
import { type MadeRows, type SyncRun, type UpstreamPage, workOn } from './sync-run.ts'

/** Parents that are taken from the queue together, and those that are read at once. */
const BATCH = 50
const AT_ONCE = 4
/** A parent whose children cannot be read is tried again after an hour; this many in a row end the run. */
const POSTPONED_MS = 3_600_000
const MAX_FAILURES = 10
const PARENTS_AT_ONCE = 1_000
/** Children that are asked for one by one, to make sure that they are gone. */
const MAX_ASKED = 20

type Parent = RowParent & { readonly record: JsonObject }

interface Parents {
  readonly entity: SyncedEntity
  readonly copy: CopyState
}

/** Reads the children of every parent that is due. True: the copy is as complete as that of the parents. */
export async function readChildren(run: SyncRun): Promise<boolean> {
  let parents = await parentsOf(run)
  if (parents === null) return false
  run.record.phase = 'children'
  await enqueueAll(run, parents.copy)
  let failures = 0
  for (;;) {
    run.signal.throwIfAborted()
    // Their own run may be under way. Read before the queue: a queue that is empty after they were complete stays so.
    parents = (await parentsOf(run)) ?? parents
    const at: Parents = parents
    run.parentsAsOfMs = at.copy.syncedAtMs
    const items = await run.ports.index.todo(run.copy, run.nowMs, BATCH)
    if (items.length === 0) {
      withdrawDoubt(run)
      return at.copy.complete
    }
    const ids = items.map(({ parentId }) => parentId)
    const stored = await run.ports.index.records(at.copy, ids)
    const known = new Map(stored.map((parent) => [parent.recordId, parent]))
    await workOn(items, AT_ONCE, async (item) => {
      try {
        await readOne(run, at, item, known.get(item.parentId) ?? null)
        failures = 0
      } catch (error) {
        // Keys that no record has are no fault of a parent.
        const isOwn =
          isConnectorError(error) &&
          OWN.has(error.code) &&
          error.details?.['left_out'] === undefined
        if (!isOwn || run.signal.aborted || ++failures >= MAX_FAILURES) throw error
        await leaveUnread(run, item)
      }
    })
  }
}

/** Where a listing of this run turned a page after others had been doubted, the pointers are right after all. */
function withdrawDoubt(run: SyncRun): void {
  const { facts, turnedPage } = run
  if (turnedPage && facts.suspicious?.reason === 'unsaid_end')
    run.facts = { ...facts, suspicious: null }
}

/** Failures that are about one parent, not about the third party as a whole. */
const OWN: ReadonlySet<string> = new Set([
  'upstream_forbidden',
  'upstream_malformed',
  'upstream_rejected',
  'upstream_unexpected',
  'upstream_unprocessable',
  'upstream_response_too_large',
])

/** The copy of the parents that answers searches; null: there is none of these settings yet. */
async function parentsOf({ task, ports, copy }: SyncRun): Promise<Parents | null> {
  const entity = task.entities.get(task.entity.sync.parent?.entity ?? '')
  if (entity === undefined) return null
  const serving = await readServing(ports.index, { ...copy, entity: entity.name })
  return serving?.settings === task.settings ? { entity, copy: serving } : null
}

/** Every parent is due at first, and in every interval where nothing tells which of them changed. */
async function enqueueAll(run: SyncRun, parents: CopyState): Promise<void> {
  const { facts, task, record, ports } = run
  const { parent } = task.entity.sync
  const isFirst = facts.fullAtMs === null
  if (!isFirst && parent?.changedOnly === true) return
  if (facts.fullAtMs !== null && record.untilMs - facts.fullAtMs < 0.9 * task.intervalMs) return
  let after = 0
  for (;;) {
    const some = await ports.index.documents(parents, after, PARENTS_AT_ONCE)
    if (some.length > 0) await run.commit({ due: some.map(({ recordId }) => recordId) })
    after = some.at(-1)?.seq ?? after
    if (some.length < PARENTS_AT_ONCE) break
  }
  run.facts = { ...facts, fullAtMs: record.startedAtMs }
  await run.commit({ facts: JSON.stringify(run.facts) })
}

async function readOne(
  run: SyncRun,
  parents: Parents,
  item: TodoItem,
  stored: StoredDocument | null,
): Promise<void> {
  // The parent was removed, and took its children along.
  if (stored === null) {
    await run.commit({
      done: [item],
      entries: [{ name: ABSENT_PREFIX + item.parentId, value: null }],
    })
    return
  }
  const parent = { id: item.parentId, record: recordOf(parents.entity, stored) }
  const listed = await listChildren(run, parent).catch((error: unknown) => {
    if (isConnectorError(error, 'upstream_not_found')) return null
    throw error
  })
  if (listed === null) return await settleGone(run, parents, item)
  const { rows, doubt, bound } = listed
  const againMs = run.task.intervalMs
  if (bound !== null) {
    run.record.bound = bound
    suspect(run, 0, { reason: 'bound_met', bound: { ...bound, kind: 'children' } })
    return await write(run, item, { ...UNSURE, againMs }, listed)
  }
  const missing = await missingChildren(run, item.parentId, rows)
  const isDoubtful = doubt === 'truncated' || (doubt !== null && missing.length > 0)
  if (isDoubtful || !claim(run, missing.length)) {
    suspect(run, missing.length, isDoubtful ? { reason: 'unsaid_end' } : {})
    return await write(run, item, { ...UNSURE, againMs }, listed)
  }
  try {
    await write(run, item, await absentChildren(run, parent, missing, listed), listed)
  } finally {
    run.removing -= missing.length
  }
}

/** Whether so many more may go in this run. They are counted until they are gone, or were kept. */
function claim(run: SyncRun, count: number): boolean {
  const { record, copy, removing } = run
  const isWithin = removing + record.removed + count <= guardOf(copy.live)
  if (count > 0 && !isWithin && record.isApproved !== true) return false
  run.removing += count
  return true
}

/** Too much would go, or there may be more than was listed: that is for a second look, or for the operator. */
function suspect(
  run: SyncRun,
  missing: number,
  why: Pick<Suspicion, 'reason' | 'bound'> = {},
): void {
  const { record, facts } = run
  const before = facts.suspicious?.missing ?? 0
  // The operator approves what was first reported.
  const runId = (facts.suspicious ?? record.suspectedBefore)?.runId ?? record.runId
  // Any other reason is graver than an end that the answer did not say.
  const { reason, bound } = why.reason === 'unsaid_end' ? (facts.suspicious ?? why) : why
  const suspicious = {
    runId,
    missing: before + missing,
    atMs: run.nowMs,
    ...(reason !== undefined && { reason }),
    ...(bound !== undefined && { bound }),
  }
  run.facts = { ...facts, suspicious }
  record.suspicious = suspicious
}

/** Writes the children of a parent, and what became of those that its listing lacks. */
async function write(
  run: SyncRun,
  item: TodoItem,
  absent: Absent,
  { askedAtMs, rows, leftOut, pages }: Listed,
): Promise<void> {
  const { record } = run
  run.noteRead(rows.length, leftOut)
  record.pages += pages
  record.slicesDone += 1
  record.attempts = 0
  const name = ABSENT_PREFIX + item.parentId
  const { gone, unsure, sinceMs, listings, againMs } = absent
  const report = await commitRemoval(run, gone, {
    observedAtMs: askedAtMs,
    rows,
    childEntities: run.task.entity.children,
    ...(againMs === null && { done: [item] }),
    entries: [
      unsure.length === 0
        ? { name, value: null }
        : toEntry(name, { ids: unsure, atMs: sinceMs, listings }),
    ],
  })
  if (againMs !== null) await run.postpone(item, againMs)
  run.checkSize(report)
}

interface Listed extends MadeRows {
  readonly askedAtMs: number
  readonly pages: number
  /** What is to be thought of its end; null: nothing. */
  readonly doubt: EndDoubt | null
  /** The bound that it met before its end; null: it came to its end. */
  readonly bound: MetBound | null
}

async function listChildren(run: SyncRun, parent: Parent): Promise<Listed> {
  const { ports, task, record, nowMs: askedAtMs } = run
  const { name, paramsOf } = task.entity
  const params = paramsOf({
    config: ports.upstream.config(),
    value: null,
    sinceMs: null,
    untilMs: record.untilMs,
    parent: parent.record,
    reconcile: false,
  })
  const asked = { pages: 0, records: 0 }
  const rows: CopyRow[] = []
  const leftOut: LeftOutRecord[] = []
  let received = 0
  let doubt: EndDoubt | null = null
  let bound: MetBound | null = null
  try {
    for await (const page of listPages(run, { params, parent, asked })) {
      for (const row of page.rows) rows.push(row)
      for (const each of page.leftOut) leftOut.push(each)
      record.waitedMs += page.waitedMs
      const { received: length } = page
      received += length + (page.filteredOut ?? 0)
      if (page.nextParams !== null) {
        run.turnedPage = true
        run.fullPage = Math.max(run.fullPage ?? 0, length)
      } else if (page.total !== null && received < page.total)
        throw new ConnectorError(
          'upstream_malformed',
          `${name}: the listing ended after ${received} of ${page.total} records`,
        )
      else doubt = doubtOfChildren(run, page)
      run.largestPage = Math.max(run.largestPage ?? 0, length)
    }
  } catch (error) {
    if (!(error instanceof BoundMetError)) throw error
    ;({ bound } = error)
  }
  return { askedAtMs, rows, leftOut, pages: asked.pages, doubt, bound }
}

/** Once a listing of another parent has turned a page the pointers are right, and so is an end without them. */
function doubtOfChildren(
  { turnedPage, largestPage, fullPage, record }: SyncRun,
  { unsaidEnd, total }: Pick<UpstreamPage, 'unsaidEnd' | 'total'>,
): EndDoubt | null {
  if (unsaidEnd === null || turnedPage || record.isApproved === true) return null
  return doubtOf(unsaidEnd, { total, largestPage, fullPage })
}

interface Absent {
  readonly gone: readonly string[]
  readonly unsure: readonly string[]
  readonly sinceMs: number
  /** Complete listings that lack what is unsure. */
  readonly listings: number
  /** After so long the parent is read again; null: it is not. */
  readonly againMs: number | null
}

/** Nothing is proven, and nothing is remembered. */
const UNSURE: Absent = { gone: [], unsure: [], sinceMs: 0, listings: 1, againMs: null }

/** What the copy has of a parent and a complete listing lacks. */
async function missingChildren(
  { ports, copy }: SyncRun,
  parentId: string,
  rows: readonly CopyRow[],
): Promise<readonly string[]> {
  const listed = new Set(rows.map(({ recordId }) => recordId))
  return (await ports.index.children(copy, parentId))
    .map(({ recordId }) => recordId)
    .filter((id) => !listed.has(id))
}

async function absentChildren(
  run: SyncRun,
  parent: Parent,
  missing: readonly string[],
  { rows, leftOut, pages }: Listed,
): Promise<Absent> {
  const { task, nowMs } = run
  const none: Absent = { ...UNSURE, sinceMs: nowMs }
  if (missing.length === 0) return none
  // What is missing may be among the records whose keys are not known.
  if (countUnknown(withLeftOut(undefined, leftOut)) > 0) {
    const known = task.entity.parentParams(parent.record)
    const gone = await findGone(run, missing.slice(0, MAX_ASKED), known)
    return { ...none, gone, againMs: task.intervalMs }
  }
  // One answer that holds everything cannot have shifted; an empty one confirms nothing.
  if (pages === 1 && rows.length > 0) return { ...none, gone: missing }
  if (missing.length <= MAX_ASKED && task.entity.get !== null) {
    const gone = await findGone(run, missing, task.entity.parentParams(parent.record))
    if (gone.length === missing.length) return { ...none, gone }
  }
  const before = await absenceOf(run, parent.id)
  const { intervalMs } = task
  const again = missing.filter((id) => before?.ids.includes(id) === true)
  if (before === null || again.length === 0 || before.atMs > nowMs)
    return { ...none, unsure: missing, againMs: intervalMs }
  const sinceMs = before.atMs
  const listings = (before.listings ?? 1) + 1
  const isShifted =
    new Set(rows.map(({ recordId }) => recordId)).size < rows.length ||
    new Set([...missing, ...before.ids]).size > again.length
  const leftMs = sinceMs + intervalMs - nowMs
  if (!isIntervalAgo(sinceMs, nowMs, intervalMs))
    return { ...none, unsure: again, sinceMs, listings, againMs: leftMs }
  if (!isProven({ isShifted, listings }))
    return { ...none, unsure: again, sinceMs, listings, againMs: intervalMs }
  // What is missing since a later listing only is to be missed for as long.
  const later = missing.filter((id) => !again.includes(id))
  return { ...none, gone: again, unsure: later, againMs: later.length === 0 ? null : intervalMs }
}

async function absenceOf({ ports, copy }: SyncRun, parentId: string): Promise<ChildAbsence | null> {
  const name = ABSENT_PREFIX + parentId
  const entry = (await ports.index.entries(copy, name)).find((each) => each.name === name)
  return entry === undefined ? null : readAbsence(entry)
}

/** The records below the parent are not known until it is read again. */
async function leaveUnread(run: SyncRun, item: TodoItem, laterMs = POSTPONED_MS): Promise<void> {
  const known = (await absenceOf(run, item.parentId)) ?? { ids: [], atMs: run.nowMs }
  const entry = toEntry(ABSENT_PREFIX + item.parentId, { ...known, isUnread: true })
  await run.commit({ entries: [entry] })
  await run.postpone(item, laterMs)
}

/** Whether the third party finds one of three other parents, from here and there. */
async function isAnotherFound(
  run: SyncRun,
  { entity, copy }: Parents,
  parentId: string,
): Promise<boolean> {
  for (const share of [0.9, 0.5, 0]) {
    const some = await run.ports.index.documents(copy, Math.floor(share * copy.nextSeq), 2)
    const other = some.find(({ recordId }) => recordId !== parentId)
    if (other !== undefined && (await isFound(run, entity, other.recordId))) return true
  }
  return false
}

/** Without its listing, the parent's own `get` has the last word, where it finds another one: else nothing is believed. */
async function settleGone(run: SyncRun, { entity, copy }: Parents, item: TodoItem): Promise<void> {
  const { ports, signal, task, record } = run
  const { parentId } = item
  const found = await askOne(ports.upstream, entity, { id: parentId }, signal)
  if (found !== null || !(await isAnotherFound(run, { entity, copy }, parentId)))
    return await leaveUnread(run, item)
  const children = (await ports.index.children(run.copy, parentId)).length
  const isWithin = run.parentsGone < guardOf(copy.live) || record.isApproved === true
  if (!isWithin || !claim(run, children)) {
    suspect(run, children + 1)
    return await leaveUnread(run, item, task.intervalMs)
  }
  run.parentsGone += 1
  try {
    const removed = { runId: record.runId, atMs: run.nowMs }
    const counts = await removeChildren(ports, { ...task, entity }, [parentId], removed)
    record.removed += counts.get(run.copy.entity) ?? 0
    run.noteRemoved(counts)
    const report = await ports.index.write({
      copy,
      fence: null,
      observedAtMs: removed.atMs,
      remove: { ids: [parentId], ...removed },
    })
    run.noteRemoved([[entity.name, report.removed]])
    await run.commit({ done: [item], entries: [{ name: ABSENT_PREFIX + parentId, value: null }] })
  } finally {
    run.removing -= children
  }
}
