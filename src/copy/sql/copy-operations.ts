// What both stores do with copies in the same statements: everything but writing rows.
import type {
  CopyEntry,
  CopyId,
  CopyName,
  CopyState,
  CopyWrite,
  SearchReply,
  SearchRequest,
  StoredDocument,
  StoredId,
  TodoItem,
  UnseenQuestion,
} from '../search/search-index.ts'
import type { SearchLayout } from '../search/layout.ts'
import type { Dialect, Scope } from './dialect.ts'
import type { PageResult } from './page.ts'
import { findPage } from './search-pages.ts'
import { type SeenBits, seenByChunk, unseenBetween, withSeen } from './seen-bits.ts'
import {
  joined,
  limitTo,
  named,
  numbered,
  plain,
  sql,
  type Sql,
  type SqlRow,
  type SqlSteps,
} from './sql.ts'
import type { Vocabularies } from './vocabulary.ts'

// --- copies

/** A copy with what the store keeps about it. */
export interface StoredCopy extends CopyState {
  readonly scope: Scope
}

/** The condition on tables that hold the instance and the entity. */
export function ofEntity({ instanceId, entity }: CopyName): Sql {
  return sql`instance_id = ${instanceId} AND entity = ${entity}`
}

/** The condition on `replica_scope` for one copy. */
export function ofCopy(copy: CopyId): Sql {
  return sql`${ofEntity(copy)} AND epoch = ${copy.epoch}`
}

export function* readCopies(name: {
  readonly instanceId: string
  readonly entity?: string
}): SqlSteps<readonly StoredCopy[]> {
  const { instanceId, entity } = name
  const condition =
    entity === undefined ? sql`instance_id = ${instanceId}` : ofEntity({ instanceId, entity })
  const rows = yield sql`SELECT * FROM replica_scope WHERE ${condition} ORDER BY entity, epoch`
  return rows.map(storedCopy)
}

/** The copy, or null when it is gone. */
export function* readCopy(copy: CopyId): SqlSteps<StoredCopy | null> {
  const [row] = yield named('tenon_copy', sql`SELECT * FROM replica_scope WHERE ${ofCopy(copy)}`)
  return row === undefined ? null : storedCopy(row)
}

/** Counts a write, which only the last lease may do; null without it, or without the copy. A fence of null needs none. */
export function* nextVersion(copy: CopyId, fence: number | null): SqlSteps<StoredCopy | null> {
  const fenced = fence === null ? plain('TRUE') : sql`fence = ${fence}`
  const [row] =
    yield sql`UPDATE replica_scope SET version = version + 1 WHERE ${ofCopy(copy)} AND ${fenced} RETURNING *`
  return row === undefined ? null : storedCopy(row)
}

/** What statements need of a copy; null when it is gone. */
function* scopeOf(copy: CopyId): SqlSteps<Scope | null> {
  return (yield* readCopy(copy))?.scope ?? null
}

function storedCopy(row: SqlRow): StoredCopy {
  const id = {
    instanceId: String(row['instance_id']),
    entity: String(row['entity']),
    epoch: Number(row['epoch']),
  }
  const state = {
    version: Number(row['version']),
    nextSeq: Number(row['next_seq']),
    live: Number(row['live']),
  }
  return {
    ...id,
    ...state,
    layout: parseLayout(String(row['layout'])),
    // The file of an earlier version, read before its owner has opened it.
    settings: typeof row['settings'] === 'string' ? row['settings'] : '',
    serving: Number(row['serving']) === 1,
    complete: Number(row['complete']) === 1,
    syncedAtMs: row['synced_at'] === null ? null : Number(row['synced_at']),
    facts: String(row['facts']),
    scope: {
      ...id,
      ...state,
      arrived: state.nextSeq,
      scopeNo: Number(row['scope_no']),
      bytes: Number(row['bytes']),
      mixed: Number(row['mixed']),
    },
  }
}

/** The state as callers see it. */
export function stateOf(copy: StoredCopy): CopyState {
  const { instanceId, entity, epoch, layout, serving, version, nextSeq, live, complete } = copy
  const { settings, syncedAtMs, facts } = copy
  return {
    instanceId,
    entity,
    epoch,
    layout,
    settings,
    serving,
    version,
    nextSeq,
    live,
    complete,
    syncedAtMs,
    facts,
  }
}

/** Layouts read last: parsing one takes longer than most searches. */
const layouts = new Map<string, SearchLayout>()
const MAX_LAYOUTS = 500

function parseLayout(text: string): SearchLayout {
  const known = layouts.get(text)
  if (known !== undefined) return known
  const layout = readLayout(text)
  if (layouts.size >= MAX_LAYOUTS) layouts.clear()
  layouts.set(text, layout)
  return layout
}

/** Throws what SQLite throws of a damaged file: it finds no damage within a text. */
function readLayout(text: string): SearchLayout {
  try {
    // Written by `insertCopy`.
    return JSON.parse(text) as SearchLayout
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error))
    throw Object.assign(new Error(`the layout of a copy cannot be read: ${message}`), {
      errcode: SQLITE_CORRUPT,
    })
  }
}

const SQLITE_CORRUPT = 11

/** Inserts a copy; `scopeNo` is an expression for its number. The first copy of the entity serves. */
export function* insertCopy(
  name: CopyName,
  layout: SearchLayout,
  settings: string,
  scopeNo: Sql,
): SqlSteps<StoredCopy> {
  const copies = yield* readCopies(name)
  const found = copies.find(
    (copy) => copy.layout.hash === layout.hash && copy.settings === settings,
  )
  if (found !== undefined) return found
  const { instanceId, entity } = name
  const epoch = Math.max(0, ...copies.map((copy) => copy.epoch)) + 1
  yield sql`INSERT INTO replica_scope (instance_id, entity, epoch, scope_no, serving, layout_hash, layout, settings) VALUES (${instanceId}, ${entity}, ${epoch}, ${scopeNo}, ${copies.length === 0 ? 1 : 0}, ${layout.hash}, ${JSON.stringify(layout)}, ${settings})`
  const copy = yield* readCopy({ instanceId, entity, epoch })
  if (copy === null) throw new TypeError('a copy that was inserted is not there')
  return copy
}

/** Settings that no instance has: a copy that is being deleted is never gone on with, even if that is interrupted. */
const GONE = '\u2014'

export function* setServing(copy: CopyId): SqlSteps<void> {
  yield sql`UPDATE replica_scope SET serving = CASE WHEN epoch = ${copy.epoch} THEN 1 ELSE 0 END, settings = CASE WHEN epoch = ${copy.epoch} THEN settings ELSE ${GONE} END WHERE ${ofEntity(copy)}`
}

// --- leases

export function* takeLease(
  copy: CopyId,
  owner: string,
  ttlMs: number,
  now: Sql,
): SqlSteps<number | null> {
  const rows =
    yield sql`UPDATE replica_scope SET owner = ${owner}, fence = fence + 1, lease_until = ${now} + ${ttlMs} WHERE ${ofCopy(copy)} AND (lease_until <= ${now} OR owner = ${owner}) RETURNING fence`
  const [row] = rows
  return row === undefined ? null : Number(row['fence'])
}

/** Ends the leases on all copies of a file. */
export function* endLeases(): SqlSteps<void> {
  yield sql`UPDATE replica_scope SET owner = '', lease_until = 0 WHERE lease_until > 0`
}

export function* renewLease(
  copy: CopyId,
  fence: number,
  ttlMs: number,
  now: Sql,
): SqlSteps<boolean> {
  const rows =
    yield sql`UPDATE replica_scope SET lease_until = ${now} + ${ttlMs} WHERE ${ofCopy(copy)} AND fence = ${fence} RETURNING fence`
  return rows.length > 0
}

export function* releaseLease(copy: CopyId, fence: number): SqlSteps<void> {
  yield sql`UPDATE replica_scope SET owner = '', lease_until = 0 WHERE ${ofCopy(copy)} AND fence = ${fence}`
}

// --- what has been seen

export function* forgetRun(name: CopyName, runId: string): SqlSteps<void> {
  yield sql`DELETE FROM sync_seen WHERE ${ofEntity(name)} AND run_id = ${runId}`
}

export function* countSeen(name: CopyName, runId: string): SqlSteps<number> {
  const seen = yield* readSeen(name, runId)
  return [...seen.values()].reduce(
    (sum, bits) => sum + bits.reduce((all, byte) => all + ones(byte), 0),
    0,
  )
}

function ones(byte: number): number {
  let count = 0
  for (let rest = byte; rest > 0; rest &= rest - 1) count++
  return count
}

function* readSeen(name: CopyName, runId: string): SqlSteps<SeenBits> {
  const rows =
    yield sql`SELECT chunk_no, bits FROM sync_seen WHERE ${ofEntity(name)} AND run_id = ${runId}`
  // A column of bytes in both stores.
  return new Map(rows.map((row) => [Number(row['chunk_no']), row['bits'] as Uint8Array]))
}

/** Numbers that are looked through at once. */
const UNSEEN_CHUNK = 5_000
/** So many are looked up one by one; more of them cost as much as all that lie between them. */
const UNSEEN_LOOKED_UP = 500
const RECORDS_AT_ONCE = 200

/** Only numbers that were not seen are looked for: after most listings, there are none. */
export function* findUnseen(
  dialect: Dialect,
  copy: CopyId,
  question: UnseenQuestion,
): SqlSteps<readonly StoredId[]> {
  const scope = yield* scopeOf(copy)
  if (scope === null) return []
  const { runIds, nowMs, limit } = question
  const seen: SeenBits[] = []
  for (const runId of runIds) seen.push(yield* readSeen(scope, runId))
  const before = Math.min(question.beforeSeq, scope.nextSeq)
  const found: StoredId[] = []
  for (let from = question.afterSeq + 1; from < before; from += UNSEEN_CHUNK) {
    const end = Math.min(before, from + UNSEEN_CHUNK)
    const unseen = unseenBetween(seen, from, end)
    if (unseen.length === 0) continue
    const given = unseen.map((seq) => sql`${dialect.toStored(scope, seq)}`)
    const condition =
      unseen.length <= UNSEEN_LOOKED_UP
        ? sql`${dialect.seq} IN (${joined(given, ', ')})`
        : sql`${dialect.seq} >= ${dialect.toStored(scope, from)} AND ${dialect.seq} < ${dialect.toStored(scope, end)}`
    const rows =
      yield sql`SELECT ${dialect.seq} AS seq, r.record_id AS id, r.held_until AS held FROM ${dialect.records} WHERE ${dialect.besideWalk(scope)} AND ${condition} ORDER BY ${dialect.seq}`
    const wanted = new Set(unseen)
    for (const row of rows) {
      const seq = dialect.fromStored(scope, row['seq'])
      if (Number(row['held']) > nowMs || !wanted.has(seq)) continue
      found.push({ seq, recordId: String(row['id']) })
      if (found.length === limit) return found
    }
  }
  return found
}

// --- what goes along with the rows of a batch

/** What a batch adds up to. */
export interface Totals {
  nextSeq: number
  live: number
  bytes: number
  mixed: number
}

/** Marks the records as seen by the run of the batch. */
export function* writeSeen(
  { copy, seenBy }: Pick<CopyWrite, 'copy' | 'seenBy'>,
  seqs: readonly number[],
): SqlSteps<void> {
  if (seenBy === undefined) return
  for (const [chunkNo, members] of seenByChunk(seqs)) {
    const [row] =
      yield sql`SELECT bits FROM sync_seen WHERE ${ofEntity(copy)} AND run_id = ${seenBy} AND chunk_no = ${chunkNo}`
    // A column of bytes.
    const bits = withSeen((row?.['bits'] as Uint8Array | undefined) ?? null, members)
    if (bits !== null)
      yield sql`INSERT INTO sync_seen (instance_id, entity, run_id, chunk_no, bits) VALUES (${copy.instanceId}, ${copy.entity}, ${seenBy}, ${chunkNo}, ${bits}) ON CONFLICT (instance_id, entity, run_id, chunk_no) DO UPDATE SET bits = excluded.bits`
  }
}

/** Writes what the sync keeps by name, and the state of the copy behind the batch. */
export function* finishBatch(
  { copy, entries = [], complete, syncedAtMs, facts }: Omit<CopyWrite, 'rows'>,
  { nextSeq, live, bytes, mixed }: Totals,
): SqlSteps<void> {
  for (const { name, value } of entries) {
    if (value === null) yield sql`DELETE FROM sync_entry WHERE ${ofEntity(copy)} AND name = ${name}`
    else
      yield sql`INSERT INTO sync_entry (instance_id, entity, name, value) VALUES (${copy.instanceId}, ${copy.entity}, ${name}, ${value}) ON CONFLICT (instance_id, entity, name) DO UPDATE SET value = excluded.value`
  }
  const changes = [
    sql`next_seq = ${nextSeq}, live = ${live}, bytes = ${bytes}, mixed = ${mixed}`,
    ...(complete === undefined ? [] : [sql`complete = ${Number(complete)}`]),
    ...(syncedAtMs === undefined ? [] : [sql`synced_at = ${syncedAtMs}`]),
    ...(facts === undefined ? [] : [sql`facts = ${facts}`]),
  ]
  yield sql`UPDATE replica_scope SET ${joined(changes, ', ')} WHERE ${ofCopy(copy)}`
}

// --- records

export function* readDocuments(
  dialect: Dialect,
  copy: CopyId,
  afterSeq: number,
  limit: number,
): SqlSteps<readonly StoredDocument[]> {
  const scope = yield* scopeOf(copy)
  if (scope === null) return []
  const rows =
    yield sql`SELECT ${dialect.seq} AS seq, r.record_id AS id, r.doc AS doc, r.doc_hash AS doc_hash, r.parent_id AS parent_id FROM ${dialect.records} WHERE ${dialect.besideWalk(scope)} AND ${dialect.seq} > ${dialect.toStored(scope, afterSeq)} ORDER BY ${dialect.seq} ${limitTo(limit)}`
  return rows.map((row) => ({ ...documentOf(row), seq: dialect.fromStored(scope, row['seq']) }))
}

export function* readRecords(
  dialect: Dialect,
  copy: CopyId,
  ids: readonly string[],
): SqlSteps<readonly StoredDocument[]> {
  const scope = yield* scopeOf(copy)
  if (scope === null) return []
  const found: StoredDocument[] = []
  for (let start = 0; start < ids.length; start += RECORDS_AT_ONCE) {
    const some = ids.slice(start, start + RECORDS_AT_ONCE)
    const rows =
      yield sql`SELECT ${dialect.seq} AS seq, r.record_id AS id, r.doc AS doc, r.doc_hash AS doc_hash, r.parent_id AS parent_id FROM ${dialect.records} WHERE ${dialect.inScope(scope, 'r')} AND ${dialect.isIn(plain('r.record_id'), some)}`
    for (const row of rows)
      found.push({ ...documentOf(row), seq: dialect.fromStored(scope, row['seq']) })
  }
  return found
}

function documentOf(row: SqlRow): Omit<StoredDocument, 'seq'> {
  // A column of bytes in both stores; without any where the digest was not kept.
  const digest = row['doc_hash'] as Uint8Array
  return {
    recordId: String(row['id']),
    doc: String(row['doc']),
    compared: digest.length === 0 ? null : digest,
    parentId: typeof row['parent_id'] === 'string' ? row['parent_id'] : null,
  }
}

/** Documents that a run removed. */
export function* readRemoved(
  dialect: Dialect,
  copy: CopyId,
  runId: string,
  limit: number,
): SqlSteps<readonly StoredDocument[]> {
  const scope = yield* scopeOf(copy)
  if (scope === null) return []
  const rows =
    yield sql`SELECT t.seq AS seq, t.record_id AS id, t.doc AS doc, t.doc_hash AS doc_hash, t.parent_id AS parent_id FROM replica_removed t WHERE ${dialect.inScope(scope, 't')} AND t.removed_run = ${runId} ORDER BY t.seq ${limitTo(limit)}`
  return rows.map((row) => ({ ...documentOf(row), seq: Number(row['seq']) }))
}

export function* forgetRemoved(dialect: Dialect, copy: CopyId, beforeMs: number): SqlSteps<number> {
  const scope = yield* scopeOf(copy)
  if (scope === null) return 0
  const rows =
    yield sql`DELETE FROM replica_removed WHERE ${dialect.inScope(scope, 'replica_removed')} AND removed_at < ${beforeMs} RETURNING seq`
  return rows.length
}

export function* readChildren(
  dialect: Dialect,
  copy: CopyId,
  parentId: string,
): SqlSteps<readonly StoredId[]> {
  const scope = yield* scopeOf(copy)
  if (scope === null) return []
  const rows =
    yield sql`SELECT ${dialect.seq} AS seq, r.record_id AS id FROM ${dialect.records} WHERE ${dialect.inScope(scope, 'r')} AND r.parent_id = ${parentId} ORDER BY ${dialect.seq}`
  return rows.map((row) => ({
    seq: dialect.fromStored(scope, row['seq']),
    recordId: String(row['id']),
  }))
}

// --- what the sync keeps

export function* readTodo(
  name: CopyName,
  nowMs: number,
  limit: number,
): SqlSteps<readonly TodoItem[]> {
  const rows =
    yield sql`SELECT parent_id, mark FROM sync_todo WHERE ${ofEntity(name)} AND not_before <= ${nowMs} ORDER BY not_before, mark, parent_id ${limitTo(limit)}`
  return rows.map((row) => ({ parentId: String(row['parent_id']), mark: Number(row['mark']) }))
}

export function* countTodo(name: CopyName, nowMs: number): SqlSteps<number> {
  const [row] =
    yield sql`SELECT count(*) AS due FROM sync_todo WHERE ${ofEntity(name)} AND not_before <= ${nowMs}`
  return Number(row?.['due'] ?? 0)
}

export function* postpone(
  name: CopyName,
  parentIds: readonly string[],
  notBeforeMs: number,
): SqlSteps<void> {
  for (const parentId of parentIds)
    yield sql`UPDATE sync_todo SET not_before = ${notBeforeMs} WHERE ${ofEntity(name)} AND parent_id = ${parentId}`
}

export function* readEntries(name: CopyName, prefix: string): SqlSteps<readonly CopyEntry[]> {
  const rows =
    yield sql`SELECT name, value FROM sync_entry WHERE ${ofEntity(name)} AND substr(name, 1, ${prefix.length}) = ${prefix} ORDER BY name`
  // A column of bytes in both stores.
  return rows.map((row) => ({ name: String(row['name']), value: row['value'] as Uint8Array }))
}

// --- search

/** A serving copy with what searches need of it. */
export interface ServingCopy {
  readonly layout: SearchLayout
  readonly scope: Scope
  readonly facts: Pick<CopyState, 'live' | 'complete' | 'syncedAtMs'>
}

/** Layouts of the copies searched last, by copy: their text is long, and never changes. */
const servedLayouts = new Map<string, SearchLayout>()

/** In the order of `servingStatement`; no time is -1. */
type ServingNumbers = readonly [
  scopeNo: number,
  version: number,
  nextSeq: number,
  live: number,
  bytes: number,
  mixed: number,
  complete: number,
  syncedAtMs: number,
]

/** The copy of the request, or null when another one serves, or serves under another layout. */
export function* readServing(request: SearchRequest): SqlSteps<ServingCopy | null> {
  const [row] = yield servingStatement(request)
  if (row === undefined) return null
  const [served, ...numbers] = String(row[0]).split(' ')
  const { instanceId, entity, epoch, layoutHash } = request
  if (served !== `1${layoutHash}`) return null
  const key = JSON.stringify([instanceId, entity, epoch, layoutHash])
  let layout = servedLayouts.get(key)
  if (layout === undefined) {
    layout = (yield* readCopy(request))?.layout
    if (layout === undefined) return null
    if (servedLayouts.size >= MAX_LAYOUTS) servedLayouts.clear()
    servedLayouts.set(key, layout)
  }
  // The statement gives as many.
  const facts = numbers.map(Number) as unknown as ServingNumbers
  return servingCopy(request, layout, facts)
}

/** The statement that `readServing` begins with. One column: each costs a driver more than what is in it. */
export function servingStatement(copy: CopyId): Sql {
  return named(
    'tenon_serving',
    numbered(
      sql`SELECT serving || layout_hash || ' ' || scope_no || ' ' || version || ' ' || next_seq || ' ' || live || ' ' || bytes || ' ' || mixed || ' ' || complete || ' ' || coalesce(synced_at, -1) FROM replica_scope WHERE ${ofCopy(copy)}`,
    ),
  )
}

function servingCopy(
  { instanceId, entity, epoch }: CopyId,
  layout: SearchLayout,
  [scopeNo, version, nextSeq, live, bytes, mixed, complete, syncedAtMs]: ServingNumbers,
): ServingCopy {
  return {
    layout,
    scope: {
      instanceId,
      entity,
      epoch,
      scopeNo,
      version,
      nextSeq,
      arrived: nextSeq,
      live,
      bytes,
      mixed,
    },
    facts: {
      live,
      complete: complete === 1,
      syncedAtMs: syncedAtMs === -1 ? null : syncedAtMs,
    },
  }
}

/** What a search is answered with. */
export interface SearchTask {
  readonly request: SearchRequest
  readonly dialect: Dialect
  readonly vocabularies: Vocabularies
  /** Milliseconds since the search began. */
  readonly elapsedMs: () => number
}

/** Answers a search, within one snapshot of the store. */
export function* answerSearch(task: SearchTask): SqlSteps<SearchReply> {
  const copy = yield* readServing(task.request)
  if (copy === null) return { kind: 'moved' }
  return { kind: 'page', ...(yield* findPageOf(task, copy)), copy: copy.facts }
}

/** One page of a copy. */
export function findPageOf(
  { request: { query, position, spentMs = 0 }, dialect, vocabularies, elapsedMs }: SearchTask,
  { scope, layout }: ServingCopy,
): SqlSteps<PageResult> {
  return findPage({
    dialect,
    scope,
    layout,
    vocabularies,
    termsInScope: dialect.inScope(scope, 'replica_term'),
    query,
    position,
    elapsedMs,
    spentMs,
  })
}
