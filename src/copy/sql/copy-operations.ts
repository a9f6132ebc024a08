// What both databases do with copies in the same statements: everything but writing batches (`write-batch.ts`).
import { randomUUID } from 'node:crypto'

import type {
  CopyId,
  CopyName,
  InstanceCopies,
  SearchIndex,
  SearchPage,
  SearchReply,
  SearchRequest,
  StoredDocument,
  StoredId,
  UnseenQuestion,
} from '../search/search-index.ts'
import type { SearchLayout } from '../search/layout.ts'
import type { Dialect, Scope, StoredCopy } from './dialect.ts'
import { readChanges } from './changes-page.ts'
import type { PageResult, PageTask } from './page.ts'
import { findPage } from './search-pages.ts'
import { type SeenBits, unseenBetween } from './seen-bits.ts'
import {
  limitTo,
  listOf,
  partsOf,
  plain,
  sql,
  type Sql,
  type SqlRow,
  type SqlSteps,
} from './sql.ts'

export function ofEntity({ instanceId, entity }: CopyName): Sql {
  return sql`instance_id = ${instanceId} AND entity = ${entity}`
}

export function ofCopy(copy: CopyId): Sql {
  return sql`${ofEntity(copy)} AND epoch = ${copy.epoch}`
}

export function* readCopies({
  instanceId,
  entity,
}: InstanceCopies): SqlSteps<readonly StoredCopy[]> {
  const condition =
    entity === undefined ? sql`instance_id = ${instanceId}` : ofEntity({ instanceId, entity })
  const rows = yield sql`SELECT * FROM replica_scope WHERE ${condition} ORDER BY entity, epoch`
  return rows.map(storedCopy)
}

/** The copy, or null when it is gone. */
export function* readCopy(copy: CopyId): SqlSteps<StoredCopy | null> {
  const [row] = yield {
    ...sql`SELECT * FROM replica_scope WHERE ${ofCopy(copy)}`,
    name: 'tenon_copy',
  }
  return row === undefined ? null : storedCopy(row)
}

export function storedCopy(row: SqlRow): StoredCopy {
  const id = {
    instanceId: String(row['instance_id']),
    entity: String(row['entity']),
    epoch: Number(row['epoch']),
  }
  return {
    ...id,
    layout: layoutOf(id, String(row['layout_hash']), String(row['layout'])),
    // The file of an earlier version, read before its owner has opened it.
    settings: typeof row['settings'] === 'string' ? row['settings'] : '',
    generation: generationOf(row),
    forgotten: Number(row['forgotten'] ?? 0),
    serving: Number(row['serving']) === 1,
    version: Number(row['version']),
    nextSeq: Number(row['next_seq']),
    live: Number(row['live']),
    complete: Number(row['complete']) >= 1,
    hasGaps: Number(row['complete']) === WITH_GAPS,
    syncedAtMs: row['synced_at'] === null ? null : Number(row['synced_at']),
    facts: String(row['facts']),
    scopeNo: Number(row['scope_no']),
    bytes: Number(row['bytes']),
    mixed: Number(row['mixed']),
  }
}

/**
 * A process of an earlier version does not note which records it writes. What reads changes must begin again behind it:
 * the copy is another one for as long as its last write was such a one, and `beginBatch` makes that lasting.
 */
function generationOf({ generation, traced, version }: SqlRow): string {
  // In a file of an earlier version, read before its owner has opened it, there is neither.
  const made = typeof generation === 'string' ? generation : ''
  return Number(traced ?? 0) === Number(version) ? made : `${made}@${Number(version)}`
}

/** Layouts of the copies used last: their text is long, never changes, and takes longer to parse than most searches. */
const layouts = new Map<string, SearchLayout>()
const MAX_LAYOUTS = 500

function layoutKey({ instanceId, entity, epoch }: CopyId, hash: string): string {
  return JSON.stringify([instanceId, entity, epoch, hash])
}

/** Throws what SQLite throws of a damaged file: it finds no damage within a text. */
function layoutOf(copy: CopyId, hash: string, text: string): SearchLayout {
  const key = layoutKey(copy, hash)
  const known = layouts.get(key)
  if (known !== undefined) return known
  try {
    // Written by `insertCopy`.
    const layout = JSON.parse(text) as SearchLayout
    if (layouts.size >= MAX_LAYOUTS) layouts.clear()
    layouts.set(key, layout)
    return layout
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error))
    throw Object.assign(new Error(`the layout of a copy cannot be read: ${message}`), {
      errcode: SQLITE_CORRUPT,
    })
  }
}

const SQLITE_CORRUPT = 11

/**
 * Inserts a copy. `newScopeNo` gives its number. The first copy of the entity serves. Processes
 * that insert at the same time do not meet: the one that comes second finds the copy of the first.
 */
export function* insertCopy(
  name: CopyName,
  layout: SearchLayout,
  settings: string,
  newScopeNo: () => SqlSteps<number>,
): SqlSteps<StoredCopy> {
  const { instanceId, entity } = name
  let scopeNo: number | null = null
  for (;;) {
    const copies = yield* readCopies(name)
    const found = copies.find(
      (copy) => copy.layout.hash === layout.hash && copy.settings === settings,
    )
    if (found !== undefined) return found
    const epoch = Math.max(0, ...copies.map((copy) => copy.epoch)) + 1
    scopeNo ??= yield* newScopeNo()
    const [row] =
      yield sql`INSERT INTO replica_scope (instance_id, entity, epoch, scope_no, serving, layout_hash, layout, settings, generation) VALUES (${instanceId}, ${entity}, ${epoch}, ${scopeNo}, ${copies.length === 0 ? 1 : 0}, ${layout.hash}, ${JSON.stringify(layout)}, ${settings}, ${randomUUID()}) ON CONFLICT (instance_id, entity, epoch) DO NOTHING RETURNING *`
    if (row !== undefined) return storedCopy(row)
  }
}

/** Settings that no instance has: a copy that is being deleted is never gone on with, even if that is interrupted. */
const GONE = '\u2014'

export function* setServing(copy: CopyId): SqlSteps<void> {
  yield sql`UPDATE replica_scope SET serving = CASE WHEN epoch = ${copy.epoch} THEN 1 ELSE 0 END, settings = CASE WHEN epoch = ${copy.epoch} THEN settings ELSE ${GONE} END WHERE ${ofEntity(copy)}`
}

export function* endLeases(): SqlSteps<void> {
  yield sql`UPDATE replica_scope SET owner = '', lease_until = 0 WHERE lease_until > 0`
}

/** The methods of the port that are the same statements in both databases. */
export type CopyMethod = Exclude<
  keyof SearchIndex,
  'prepare' | 'serve' | 'write' | 'restore' | 'purge' | 'close' | 'copies' | 'search'
>

/** What a method does to a copy. `isOfAll`: it may take as long as all records of a copy need. */
export const COPY_METHODS: Readonly<
  Record<CopyMethod, { readonly changes?: true; readonly isOfAll?: true }>
> = {
  takeLease: { changes: true },
  renewLease: { changes: true },
  releaseLease: { changes: true },
  forgetRemoved: { changes: true, isOfAll: true },
  forgetRun: { changes: true, isOfAll: true },
  postpone: { changes: true },
  documents: {},
  records: {},
  unseen: { isOfAll: true },
  changesSince: {},
  children: {},
  countSeen: { isOfAll: true },
  todo: {},
  countTodo: { isOfAll: true },
  entries: {},
}

type StepsOf<Method> = Method extends (...args: infer Args) => Promise<infer Result>
  ? (...args: Args) => SqlSteps<Result>
  : never

export type CopyOperations = { readonly [M in CopyMethod]: StepsOf<SearchIndex[M]> }

/** Those methods of the port, each by what `run` gives for its arguments. */
export function copyMethods(
  run: (method: CopyMethod, args: readonly unknown[]) => Promise<unknown>,
): Pick<SearchIndex, CopyMethod> {
  const methods = Object.keys(COPY_METHODS) as readonly CopyMethod[]
  // Every method gives what its steps give.
  return Object.fromEntries(
    methods.map((method) => [method, (...args: readonly unknown[]) => run(method, args)]),
  ) as unknown as Pick<SearchIndex, CopyMethod>
}

/** The steps of a method that was called with these arguments. */
export function stepsOf(
  operations: CopyOperations,
  method: CopyMethod,
  args: readonly unknown[],
): SqlSteps<unknown> {
  // The port's types stand where it was called.
  const steps = operations[method] as (...args: readonly unknown[]) => SqlSteps<unknown>
  return steps(...args)
}

const STORED_DOCUMENT = plain(
  'r.record_id AS id, r.doc AS doc, r.doc_hash AS doc_hash, r.parent_id AS parent_id',
)

/** `now`: the time of the database, as an expression. */
export function copyOperations(dialect: Dialect, now: Sql): CopyOperations {
  const { seq, records } = dialect
  return {
    *takeLease(copy, owner, ttlMs) {
      const [row] =
        yield sql`UPDATE replica_scope SET owner = ${owner}, fence = fence + 1, lease_until = ${now} + ${ttlMs} WHERE ${ofCopy(copy)} AND (lease_until <= ${now} OR owner = ${owner}) RETURNING fence`
      return row === undefined ? null : Number(row['fence'])
    },
    *renewLease(copy, fence, ttlMs) {
      const rows =
        yield sql`UPDATE replica_scope SET lease_until = ${now} + ${ttlMs} WHERE ${ofCopy(copy)} AND fence = ${fence} RETURNING fence`
      return rows.length > 0
    },
    *releaseLease(copy, fence) {
      yield sql`UPDATE replica_scope SET owner = '', lease_until = 0 WHERE ${ofCopy(copy)} AND fence = ${fence}`
    },

    *documents(copy, afterSeq, limit) {
      const scope = yield* readCopy(copy)
      if (scope === null) return []
      const rows =
        yield sql`SELECT ${seq} AS seq, ${STORED_DOCUMENT} FROM ${records} WHERE ${dialect.inWalkedScope(scope)} AND ${seq} > ${dialect.toStored(scope, afterSeq)} ORDER BY ${seq} ${limitTo(limit)}`
      return rows.map((row) => documentOf(row, dialect.fromStored(scope, row['seq'])))
    },
    records: (copy, ids) => readRecords(dialect, copy, ids),
    *changesSince(copy, position, limit) {
      const stored = yield* readCopy(copy)
      return stored?.serving === true && stored.generation === copy.generation
        ? yield* readChanges(dialect, stored, position, limit)
        : { kind: 'moved' }
    },
    *children(copy, parentId) {
      const scope = yield* readCopy(copy)
      if (scope === null) return []
      const rows =
        yield sql`SELECT ${seq} AS seq, r.record_id AS id FROM ${records} WHERE ${dialect.inScope(scope, 'r')} AND r.parent_id = ${parentId} ORDER BY ${seq}`
      return rows.map((row) => ({
        seq: dialect.fromStored(scope, row['seq']),
        recordId: String(row['id']),
      }))
    },
    forgetRemoved: (copy, beforeMs) => forgetRemoved(dialect, copy, beforeMs),

    unseen: (copy, question) => findUnseen(dialect, copy, question),
    *countSeen(name, runId) {
      const seen = yield* readSeen(name, runId)
      let count = 0
      for (const bits of seen.values())
        for (const byte of bits) for (let rest = byte; rest > 0; rest &= rest - 1) count++
      return count
    },
    *forgetRun(name, runId) {
      yield sql`DELETE FROM sync_seen WHERE ${ofEntity(name)} AND run_id = ${runId}`
    },

    *todo(name, nowMs, limit) {
      const rows =
        yield sql`SELECT parent_id, mark FROM sync_todo WHERE ${ofEntity(name)} AND not_before <= ${nowMs} ORDER BY not_before, mark, parent_id ${limitTo(limit)}`
      return rows.map((row) => ({ parentId: String(row['parent_id']), mark: Number(row['mark']) }))
    },
    *countTodo(name, nowMs) {
      const [row] =
        yield sql`SELECT count(*) AS due FROM sync_todo WHERE ${ofEntity(name)} AND not_before <= ${nowMs}`
      return Number(row?.['due'] ?? 0)
    },
    *postpone(name, parentIds, notBeforeMs) {
      for (const parentId of parentIds)
        yield sql`UPDATE sync_todo SET not_before = ${notBeforeMs} WHERE ${ofEntity(name)} AND parent_id = ${parentId}`
    },
    *entries(name, prefix) {
      const rows =
        yield sql`SELECT name, value FROM sync_entry WHERE ${ofEntity(name)} AND substr(name, 1, ${prefix.length}) = ${prefix} ORDER BY name`
      // A column of bytes in both stores.
      return rows.map((row) => ({ name: String(row['name']), value: row['value'] as Uint8Array }))
    },
  }
}

/** Remembers up to which write removals are forgotten: readers of changes from before it would miss them. */
function* forgetRemoved(dialect: Dialect, copy: CopyId, beforeMs: number): SqlSteps<number> {
  // Locked first, as every write does.
  yield sql`UPDATE replica_scope SET forgotten = forgotten WHERE ${ofCopy(copy)}`
  const scope = yield* readCopy(copy)
  if (scope === null) return 0
  const rows =
    yield sql`DELETE FROM replica_removed WHERE ${dialect.inScope(scope, 'replica_removed')} AND removed_at < ${beforeMs} RETURNING changed`
  const forgotten = rows.reduce(
    (last, { changed }) => Math.max(last, Number(changed)),
    scope.forgotten,
  )
  if (forgotten > scope.forgotten)
    yield sql`UPDATE replica_scope SET forgotten = ${forgotten} WHERE ${ofCopy(copy)}`
  return rows.length
}

function* readRecords(
  dialect: Dialect,
  copy: CopyId,
  ids: readonly string[],
): SqlSteps<readonly StoredDocument[]> {
  const scope = yield* readCopy(copy)
  if (scope === null) return []
  const found: StoredDocument[] = []
  for (const part of partsOf(ids)) {
    const rows =
      yield sql`SELECT ${dialect.seq} AS seq, ${STORED_DOCUMENT} FROM ${dialect.records} WHERE ${dialect.inScope(scope, 'r')} AND ${dialect.isIn(plain('r.record_id'), part)}`
    for (const row of rows) found.push(documentOf(row, dialect.fromStored(scope, row['seq'])))
  }
  return found
}

export function* readRemoved(
  dialect: Dialect,
  copy: CopyId,
  runId: string,
): SqlSteps<readonly StoredDocument[]> {
  const scope = yield* readCopy(copy)
  if (scope === null) return []
  const rows =
    yield sql`SELECT r.seq AS seq, ${STORED_DOCUMENT} FROM replica_removed r WHERE ${dialect.inScope(scope, 'r')} AND r.removed_run = ${runId} ORDER BY r.seq ${limitTo(RESTORED_AT_ONCE)}`
  return rows.map((row) => documentOf(row, Number(row['seq'])))
}

/** In place of 1 of a complete copy: records that could not be kept are missing from it. */
export const WITH_GAPS = 2

const RESTORED_AT_ONCE = 500

/** Undoes the removals of a run, as `removed` (`readRemoved`) gives them part by part; gives the number of records. */
export async function restoreRemoved(
  index: Pick<SearchIndex, 'write'>,
  copy: CopyId,
  removed: () => Promise<readonly StoredDocument[]>,
): Promise<number> {
  let restored = 0
  for (;;) {
    const documents = await removed()
    const rows = documents.map((document) => {
      const { seq: _, ...row } = document
      return row
    })
    // As a write of our own that is held no longer: neither an older reading nor a held removal stands against it.
    const nowMs = Date.now()
    if (rows.length > 0)
      await index.write({ copy, fence: null, observedAtMs: nowMs, holdUntilMs: nowMs, rows })
    restored += rows.length
    if (documents.length < RESTORED_AT_ONCE) return restored
  }
}

function documentOf(row: SqlRow, seq: number): StoredDocument {
  // A column of bytes in both stores; without any where the digest was not kept.
  const digest = row['doc_hash'] as Uint8Array
  return {
    seq,
    recordId: String(row['id']),
    doc: String(row['doc']),
    compared: digest.length === 0 ? null : digest,
    parentId: typeof row['parent_id'] === 'string' ? row['parent_id'] : null,
  }
}

export function* readSeen(name: CopyName, runId: string): SqlSteps<SeenBits> {
  const rows =
    yield sql`SELECT chunk_no, bits FROM sync_seen WHERE ${ofEntity(name)} AND run_id = ${runId}`
  // A column of bytes in both stores.
  return new Map(rows.map((row) => [Number(row['chunk_no']), row['bits'] as Uint8Array]))
}

/** Numbers that are looked through at once. */
const UNSEEN_CHUNK = 5_000
/** So many are looked up one by one; more of them cost as much as all that lie between them. */
const UNSEEN_LOOKED_UP = 500

/** Only numbers that were not seen are looked for: after most listings, there are none. */
function* findUnseen(
  dialect: Dialect,
  copy: CopyId,
  question: UnseenQuestion,
): SqlSteps<readonly StoredId[]> {
  const scope = yield* readCopy(copy)
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
    const given = unseen.map((seq) => dialect.toStored(scope, seq))
    const condition =
      unseen.length <= UNSEEN_LOOKED_UP
        ? sql`${dialect.seq} IN (${listOf(given)})`
        : sql`${dialect.seq} >= ${dialect.toStored(scope, from)} AND ${dialect.seq} < ${dialect.toStored(scope, end)}`
    const rows =
      yield sql`SELECT ${dialect.seq} AS seq, r.record_id AS id, r.held_until AS held FROM ${dialect.records} WHERE ${dialect.inWalkedScope(scope)} AND ${condition} ORDER BY ${dialect.seq}`
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

/** The copy of the request, or null when another one serves, or serves under another layout. */
export function* readServing(
  request: CopyId & Pick<SearchRequest, 'layoutHash'>,
): SqlSteps<Scope | null> {
  // One column, because pg reads nine in a tenth more time (bench/README.md, "Searching copies"). No time is -1.
  const [row] = yield {
    ...sql`SELECT layout_hash || ' ' || scope_no || ' ' || version || ' ' || next_seq || ' ' || live || ' ' || bytes || ' ' || mixed || ' ' || complete || ' ' || coalesce(synced_at, -1) FROM replica_scope WHERE ${ofCopy(request)} AND serving = 1`,
    name: 'tenon_serving',
    numbered: true,
  }
  const { instanceId, entity, epoch, layoutHash } = request
  const state = row?.[0]
  if (typeof state !== 'string') return null
  const [hash, ...numbers] = state.split(' ')
  if (hash !== layoutHash) return null
  const layout = layouts.get(layoutKey(request, layoutHash)) ?? (yield* readCopy(request))?.layout
  if (layout === undefined) return null
  const [
    scopeNo = 0,
    version = 0,
    nextSeq = 0,
    live = 0,
    bytes = 0,
    mixed = 0,
    complete,
    syncedAt = -1,
  ] = numbers.map(Number)
  const syncedAtMs = syncedAt === -1 ? null : syncedAt
  const of = { instanceId, entity, epoch, scopeNo, version, nextSeq, live, bytes, mixed }
  return { ...of, layout, complete: complete === 1, syncedAtMs }
}

/** A search, and what it is answered with. */
export type SearchTask = SearchRequest & Omit<PageTask, 'scope'>

/** Answers a search, within one snapshot of the store. */
export function* answerSearch(task: SearchTask): SqlSteps<SearchReply> {
  const scope = yield* readServing(task)
  return scope === null ? { kind: 'moved' } : replyOf(yield* findPage({ ...task, scope }), scope)
}

/** `copy`: as it was when the page was found. */
export function replyOf(
  page: PageResult,
  { live, complete, syncedAtMs }: SearchPage['copy'],
): SearchReply {
  return { kind: 'page', ...page, copy: { live, complete, syncedAtMs } }
}
