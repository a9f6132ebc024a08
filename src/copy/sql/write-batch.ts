// What both databases do with a batch in the same statements: everything but writing its rows.
import { randomUUID } from 'node:crypto'

import type { CopyRow } from '../search/row.ts'
import {
  type CopyName,
  type CopyWrite,
  LostLease,
  type RowOutcome,
  type WriteReport,
} from '../search/search-index.ts'
import { ofCopy, ofEntity, readSeen, storedCopy, WITH_GAPS } from './copy-operations.ts'
import type { Dialect, StoredCopy } from './dialect.ts'
import { seenByChunk, withChunk, withSeen } from './seen-bits.ts'
import { allOf, joined, partsOf, plain, rowsOf, sql, type SqlSteps, TRUE } from './sql.ts'

export type BatchHead = Omit<CopyWrite, 'rows'>

export interface Writing {
  readonly batch: BatchHead
  /** As it was before, but for its version. */
  readonly copy: StoredCopy
  readonly nowMs: number
  readonly totals: Totals
  readonly outcomes: RowOutcome[]
  /** Numbers of the records that were seen, and ids of those that were written. */
  readonly seen: number[]
  readonly written: string[]
}

export type Totals = { -readonly [K in 'nextSeq' | 'live' | 'bytes' | 'mixed']: StoredCopy[K] }

/** Counts the write: writers take turns. Throws LostLease without the last lease, which a fence of null does not need. */
export function* beginBatch(batch: BatchHead, nowMs: number): SqlSteps<Writing> {
  const fenced = batch.fence === null ? TRUE : sql`fence = ${batch.fence}`
  const [row] =
    yield sql`UPDATE replica_scope SET version = version + 1, traced = version + 1, generation = CASE WHEN traced = version THEN generation ELSE ${randomUUID()} END WHERE ${ofCopy(batch.copy)} AND ${fenced} RETURNING *`
  if (row === undefined) throw new LostLease()
  const copy = storedCopy(row)
  const { nextSeq, live, bytes, mixed } = copy
  const totals = { nextSeq, live, bytes, mixed }
  return { batch, copy, nowMs, totals, outcomes: [], seen: [], written: [] }
}

/** Counts a row that is written, and gives its number. `bytes`: length of the live document that it replaces. */
export function countWritten(
  { totals, seen, written }: Writing,
  { recordId, doc }: CopyRow,
  stored: { readonly seq: number; readonly removed: boolean; readonly bytes: number } | null,
  mixed: number,
): number {
  const seq = stored?.seq ?? totals.nextSeq++
  const isLive = stored?.removed === false
  if (!isLive) totals.live++
  totals.bytes += Buffer.byteLength(doc) - (isLive ? stored.bytes : 0)
  totals.mixed |= mixed
  seen.push(seq)
  written.push(recordId)
  return seq
}

/** Writes all that goes along with the rows of a batch. */
export function* endBatch(dialect: Dialect, writing: Writing): SqlSteps<WriteReport> {
  const { batch, copy, totals, outcomes } = writing
  const unknownIds = yield* findUnknown(dialect, writing)
  const removed = yield* removeRecords(dialect, writing)
  yield* writeSeen(writing)
  yield* writeQueue(writing)
  yield* writeEntries(batch)
  yield* writeState(batch, totals)
  const report = { version: copy.version, outcomes, removed, bytes: totals.bytes }
  return batch.seenIds === undefined ? report : { ...report, unknownIds }
}

/** Of the ids that were seen without their records: those that are not there. The others are added to `seen`. */
function* findUnknown(
  dialect: Dialect,
  { batch: { seenIds = [] }, copy, seen }: Writing,
): SqlSteps<readonly string[]> {
  const known = new Set<string>()
  for (const part of partsOf(seenIds)) {
    const rows =
      yield sql`SELECT r.record_id AS id, ${dialect.seq} AS seq FROM ${dialect.records} WHERE ${dialect.inScope(copy, 'r')} AND ${dialect.isIn(plain('r.record_id'), part)}`
    for (const row of rows) {
      known.add(String(row['id']))
      seen.push(dialect.fromStored(copy, row['seq']))
    }
  }
  return seenIds.filter((id) => !known.has(id))
}

/** Moves records to the removed ones. Those that a write of ours still holds stay; gives the number of the others. */
function* removeRecords(
  dialect: Dialect,
  { batch, copy, totals, nowMs }: Writing,
): SqlSteps<number> {
  const { remove, holdUntilMs, observedAtMs } = batch
  if (remove === undefined) return 0
  const { seq, records, scopeColumns } = dialect
  const isFree = holdUntilMs === undefined ? sql`r.held_until <= ${nowMs}` : TRUE
  let removed = 0
  for (const part of partsOf([...new Set(remove.ids)])) {
    const found =
      yield sql`SELECT r.record_id AS id, ${seq} AS seq, octet_length(r.doc) AS bytes FROM ${records} WHERE ${allOf([dialect.inScope(copy, 'r'), dialect.isIn(plain('r.record_id'), part), isFree])}`
    if (found.length === 0) continue
    const ids = found.map((row) => String(row['id']))
    const areThese = sql`${dialect.inScope(copy, 'r')} AND ${dialect.isIn(plain('r.record_id'), ids)}`
    yield sql`INSERT INTO replica_removed (${scopeColumns}, record_id, seq, doc_hash, parent_id, observed_at, held_until, removed_run, removed_at, changed, doc) SELECT ${scopeColumns}, record_id, ${seq} - ${dialect.toStored(copy, 0)}, doc_hash, parent_id, CAST(${observedAtMs} AS bigint), CAST(${holdUntilMs ?? 0} AS bigint), ${remove.runId}, CAST(${remove.atMs} AS bigint), CAST(${copy.version} AS bigint), doc FROM ${records} WHERE ${areThese}`
    for (const row of found) {
      totals.bytes -= Number(row['bytes'])
      for (const table of dialect.wordTables)
        yield sql`DELETE FROM ${table} WHERE rowid = ${Number(row['seq'])}`
    }
    yield sql`DELETE FROM replica_record AS r WHERE ${areThese}`
    totals.live -= found.length
    removed += found.length
  }
  return removed
}

function* writeSeen({ batch: { copy, seenBy, addSeen }, seen }: Writing): SqlSteps<void> {
  if (seenBy !== undefined)
    for (const [chunkNo, members] of seenByChunk(seen))
      yield* writeChunk(copy, seenBy, chunkNo, (chunk) => withSeen(chunk, members))
  if (addSeen !== undefined)
    for (const [chunkNo, more] of yield* readSeen(copy, addSeen.of))
      yield* writeChunk(copy, addSeen.to, chunkNo, (chunk) => withChunk(chunk, more))
}

/** Changes what a run has seen; null: nothing is to be changed. */
function* writeChunk(
  copy: CopyName,
  runId: string,
  chunkNo: number,
  change: (chunk: Uint8Array | null) => Uint8Array | null,
): SqlSteps<void> {
  const [row] =
    yield sql`SELECT bits FROM sync_seen WHERE ${ofEntity(copy)} AND run_id = ${runId} AND chunk_no = ${chunkNo}`
  // A column of bytes.
  const bits = change((row?.['bits'] as Uint8Array | undefined) ?? null)
  if (bits !== null)
    yield sql`INSERT INTO sync_seen (instance_id, entity, run_id, chunk_no, bits) VALUES (${copy.instanceId}, ${copy.entity}, ${runId}, ${chunkNo}, ${bits}) ON CONFLICT (instance_id, entity, run_id, chunk_no) DO UPDATE SET bits = excluded.bits`
}

/** Writes which parents are to be read, and deletes those that were. */
function* writeQueue({ batch, copy, written }: Writing): SqlSteps<void> {
  const { childEntities = [], due = [], done = [] } = batch
  const { instanceId, entity, version } = copy
  // Marks of this copy are below zero, so that they never equal one that the copy of the parents gave.
  const waiting = [
    ...childEntities.map((child) => ({ child, ids: written, mark: version })),
    { child: entity, ids: due, mark: -version },
  ]
  for (const { child, ids, mark } of waiting) {
    for (const part of partsOf([...new Set(ids)])) {
      const rows = part.map((id) => [instanceId, child, id, mark, 0])
      yield sql`INSERT INTO sync_todo (instance_id, entity, parent_id, mark, not_before) ${rowsOf(rows)} ON CONFLICT (instance_id, entity, parent_id) DO UPDATE SET mark = excluded.mark, not_before = 0`
    }
  }
  for (const { parentId, mark } of done)
    yield sql`DELETE FROM sync_todo WHERE ${ofEntity(copy)} AND parent_id = ${parentId} AND mark = ${mark}`
}

function* writeEntries({ copy, entries = [] }: BatchHead): SqlSteps<void> {
  for (const { name, value } of entries) {
    if (value === null) yield sql`DELETE FROM sync_entry WHERE ${ofEntity(copy)} AND name = ${name}`
    else
      yield sql`INSERT INTO sync_entry (instance_id, entity, name, value) VALUES (${copy.instanceId}, ${copy.entity}, ${name}, ${value}) ON CONFLICT (instance_id, entity, name) DO UPDATE SET value = excluded.value`
  }
}

function* writeState(
  { copy, complete, hasGaps = false, syncedAtMs, facts }: BatchHead,
  { nextSeq, live, bytes, mixed }: Totals,
): SqlSteps<void> {
  const changes = [
    sql`next_seq = ${nextSeq}, live = ${live}, bytes = ${bytes}, mixed = ${mixed}`,
    ...(complete === undefined
      ? []
      : [sql`complete = ${complete && hasGaps ? WITH_GAPS : Number(complete)}`]),
    ...(syncedAtMs === undefined ? [] : [sql`synced_at = ${syncedAtMs}`]),
    ...(facts === undefined ? [] : [sql`facts = ${facts}`]),
  ]
  yield sql`UPDATE replica_scope SET ${joined(changes, ', ')} WHERE ${ofCopy(copy)}`
}
