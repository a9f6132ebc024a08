// Batches into PostgreSQL: one transaction each, with one statement per kind of change.
import {
  type CopyWrite,
  LostLease,
  type RowOutcome,
  type WriteReport,
} from '../search/search-index.ts'
import { CUT_WORDS, fieldPrefix, OpenedRow, type RowIndex } from '../search/opened-row.ts'
import type { CopyRow } from '../search/row.ts'
import {
  finishBatch,
  nextVersion,
  ofCopy,
  ofEntity,
  type StoredCopy,
  type Totals,
  writeSeen,
} from '../sql/copy-operations.ts'
import { SLOT_COLUMNS } from '../sql/dialect.ts'
import {
  cursorSlot,
  decideRow,
  isWritten,
  lastPlaces,
  observedAt,
  type StoredFacts,
} from '../sql/row-decision.ts'
import { joined, plain, sql, type Sql, type SqlRow, type SqlSteps } from '../sql/sql.ts'
import { isSpelled } from '../sql/vocabulary.ts'
import { scopePrefix, tsLexeme } from '../sql/word-query.ts'

/** Rows per statement. */
const PART = 250
/** Words remembered as known to a vocabulary, so that they are not sent once more. */
const MAX_REMEMBERED = 200_000

/** Words that are surely in the vocabularies, for one process. */
export class KnownWords {
  /** By number of the copy. */
  private words = new Map<number, Set<string>>()

  /** The words of rows that are not known yet; they are from now on. */
  take(scopeNo: number, rows: readonly OpenedRow[]): readonly string[] {
    const fresh = new Set<string>()
    const known = this.words.get(scopeNo) ?? new Set<string>()
    this.words.set(scopeNo, known)
    for (const { terms } of rows) {
      for (const words of terms.byField.values()) {
        for (const word of words) {
          if (known.has(word)) continue
          known.add(word)
          if (isSpelled(word)) fresh.add(word)
        }
      }
    }
    // Always in one order, so that writers do not wait for each other in a circle.
    return [...fresh].sort()
  }

  /** Forgets all when too many are known, or when what was taken was not written. */
  trim(always: boolean): void {
    const size = [...this.words.values()].reduce((sum, words) => sum + words.size, 0)
    if (always || size > MAX_REMEMBERED) this.words = new Map()
  }
}

/** What is stored under an id. */
interface Stored extends StoredFacts {
  readonly seq: number
  readonly docHash: Uint8Array
  readonly bytes: number
}

export interface Written {
  readonly report: WriteReport
  /** The next record's number before and after. */
  readonly fromSeq: number
  readonly toSeq: number
}

/** Writes a batch; to be run in a transaction. Throws LostLease. */
export function* writeBatch(batch: CopyWrite, known: KnownWords, nowMs: number): SqlSteps<Written> {
  const { copy: id, fence } = batch
  // The row lock makes the writers of a copy take turns.
  const copy = yield* nextVersion(id, fence)
  if (copy === null) throw new LostLease()
  const { scope } = copy
  const { nextSeq, live, bytes, mixed } = scope
  const totals: Totals = { nextSeq, live, bytes, mixed }
  const rows = batch.rows ?? []
  const outcomes: RowOutcome[] = []
  const seen: number[] = []
  const written: string[] = []
  const last = lastPlaces(rows)
  const decide = (opened: OpenedRow, found: Stored | null): RowOutcome => {
    const same = found !== null && Buffer.compare(opened.digest, found.docHash) === 0
    return decideRow(batch, opened, found, { layout: copy.layout, nowMs, same })
  }
  for (let start = 0; start < rows.length; start += PART) {
    const part = rows.slice(start, start + PART)
    const opened = part.map((row) => new OpenedRow(copy.layout, row))
    const stored = yield* readStored(copy, part)
    const decided = opened.map((one, offset) =>
      last.get(one.row.recordId) === start + offset
        ? decide(one, stored.get(one.row.recordId) ?? null)
        : 'stale',
    )
    outcomes.push(...decided)
    const kept: KeptRow[] = []
    for (const [offset, one] of opened.entries()) {
      const { row } = one
      if (last.get(row.recordId) !== start + offset) continue
      const found = stored.get(row.recordId)
      const outcome = decided[offset]
      if (outcome === undefined || !isWritten(outcome)) {
        if (found?.removed === false) seen.push(found.seq)
        continue
      }
      const seq = found?.seq ?? totals.nextSeq++
      const live = found !== undefined && !found.removed
      if (!live) totals.live++
      totals.bytes += Buffer.byteLength(row.doc) - (live ? found.bytes : 0)
      totals.mixed |= one.index.mixed | (one.terms.isCut ? CUT_WORDS : 0)
      seen.push(seq)
      written.push(row.recordId)
      kept.push({ opened: one, seq })
    }
    const restored = part.filter((_, offset) => decided[offset] === 'restored')
    yield* storeRows(batch, copy, kept, restored)
    if (batch.holdUntilMs !== undefined)
      yield* holdRows(
        batch,
        copy,
        part.filter((_, offset) => decided[offset] === 'unchanged'),
      )
    const words = known.take(
      scope.scopeNo,
      kept.map((one) => one.opened),
    )
    if (words.length > 0)
      yield sql`INSERT INTO replica_term (instance_id, entity, epoch, term, version) SELECT ${id.instanceId}, ${id.entity}, ${id.epoch}::integer, term, ${scope.version}::bigint FROM unnest(${words}::text[]) AS term ON CONFLICT DO NOTHING`
  }
  const unknownIds = yield* findUnknown(batch, seen)
  const removed = yield* removeRows(batch, copy, totals, nowMs)
  yield* writeSeen(batch, seen)
  yield* writeQueue(batch, written, scope.version)
  yield* finishBatch(batch, totals)
  const report: WriteReport = {
    version: scope.version,
    outcomes,
    removed,
    bytes: totals.bytes,
    ...(batch.seenIds === undefined ? {} : { unknownIds }),
  }
  return { report, fromSeq: scope.nextSeq, toSeq: totals.nextSeq }
}

/** Of the ids that were seen without their records: those that are not there. The others are added to `seen`. */
function* findUnknown(
  { copy, seenIds = [] }: CopyWrite,
  seen: number[],
): SqlSteps<readonly string[]> {
  const known = new Set<string>()
  for (let start = 0; start < seenIds.length; start += PART) {
    const part = seenIds.slice(start, start + PART)
    const rows =
      yield sql`SELECT record_id, seq FROM replica_record WHERE ${ofCopy(copy)} AND record_id = ANY(${part}::text[])`
    for (const row of rows) {
      known.add(String(row['record_id']))
      seen.push(Number(row['seq']))
    }
  }
  return seenIds.filter((id) => !known.has(id))
}

function* readStored(
  { layout, ...copy }: StoredCopy,
  rows: readonly CopyRow[],
): SqlSteps<ReadonlyMap<string, Stored>> {
  const ids = rows.map(({ recordId }) => recordId)
  const slot = cursorSlot(layout)
  const key = slot === null ? plain('NULL::text') : plain(`k${slot}`)
  const found =
    yield sql`SELECT FALSE AS removed, record_id, seq, doc_hash, observed_at, held_until, ${key} AS cursor_key, octet_length(doc) AS bytes FROM replica_record WHERE ${ofCopy(copy)} AND record_id = ANY(${ids}::text[]) UNION ALL SELECT TRUE, record_id, seq, doc_hash, observed_at, held_until, NULL AS cursor_key, 0 AS bytes FROM replica_removed WHERE ${ofCopy(copy)} AND record_id = ANY(${ids}::text[])`
  // A record is live or removed, never both.
  return new Map(found.map(storedOf))
}

function storedOf(row: SqlRow): readonly [string, Stored] {
  return [
    String(row['record_id']),
    {
      removed: row['removed'] === true,
      seq: Number(row['seq']),
      // A column of bytes.
      docHash: row['doc_hash'] as Uint8Array,
      observedAtMs: Number(row['observed_at']),
      heldUntilMs: Number(row['held_until']),
      cursorKey: typeof row['cursor_key'] === 'string' ? row['cursor_key'] : null,
      bytes: Number(row['bytes']),
    },
  ]
}

const CHANGED = [
  'doc_hash',
  ...SLOT_COLUMNS,
  'lift',
  'parent_id',
  'observed_at',
  'held_until',
  'folded',
  'sub',
  'terms',
  'doc',
]
const ON_CONFLICT = plain(
  `ON CONFLICT (instance_id, entity, epoch, record_id) DO UPDATE SET ${CHANGED.map((column) => `${column} = excluded.${column}`).join(', ')}`,
)

interface KeptRow {
  readonly opened: OpenedRow
  readonly seq: number
}

function* storeRows(
  batch: CopyWrite,
  { scope }: StoredCopy,
  rows: readonly KeptRow[],
  restored: readonly CopyRow[],
): SqlSteps<void> {
  if (restored.length > 0)
    yield sql`DELETE FROM replica_removed WHERE ${ofCopy(scope)} AND record_id = ANY(${restored.map(({ recordId }) => recordId)}::text[])`
  if (rows.length === 0) return
  const prefix = scopePrefix(scope.scopeNo)
  const list = (read: (row: CopyRow, index: RowIndex) => string | null): Sql =>
    // Lists may hold nulls; the driver writes them as such.
    sql`${rows.map(({ opened }) => read(opened.row, opened.index)) as readonly string[]}::text[]`
  const lists = [
    list(({ recordId }) => recordId),
    sql`${rows.map(({ seq }) => String(seq))}::bigint[]`,
    sql`${rows.map(({ opened }) => Buffer.from(opened.digest).toString('hex'))}::text[]`,
    ...SLOT_COLUMNS.map((_, at) => list((_row, { slots }) => slots[at] ?? null)),
    list((_, { lift }) => lift),
    list(({ parentId }) => parentId),
    sql`${rows.map(({ opened }) => String(observedAt(batch, opened.row)))}::bigint[]`,
    list((_, { folded }) => folded),
    list((_, { sub }) => sub),
    sql`${rows.map(({ opened }) => lexemesOf(opened, prefix))}::text[]`,
    list(({ doc }) => doc),
  ]
  const names = plain(
    [
      'record_id',
      'seq',
      'hash',
      ...SLOT_COLUMNS,
      'lift',
      'parent_id',
      'observed_at',
      'folded',
      'sub',
      'terms',
      'doc',
    ].join(', '),
  )
  const slots = plain(SLOT_COLUMNS.join(', '))
  yield sql`INSERT INTO replica_record (instance_id, entity, epoch, record_id, seq, doc_hash, ${slots}, lift, parent_id, observed_at, held_until, folded, sub, terms, doc) SELECT ${scope.instanceId}, ${scope.entity}, ${scope.epoch}::integer, record_id, seq, decode(hash, 'hex'), ${slots}, lift::jsonb, parent_id, observed_at, ${batch.holdUntilMs ?? 0}::bigint, folded::jsonb, sub, terms::tsvector, doc FROM unnest(${joined(lists, ', ')}) AS given (${names}) ${ON_CONFLICT}`
}

/** The words of a record in the notation of tsvector. */
function lexemesOf({ terms }: OpenedRow, prefix: string): string {
  const lexemes: string[] = []
  for (const [field, words] of terms.byField)
    for (const word of words) lexemes.push(tsLexeme(prefix + fieldPrefix(field) + word))
  return lexemes.join(' ')
}

function* holdRows(
  batch: CopyWrite,
  { scope }: StoredCopy,
  rows: readonly CopyRow[],
): SqlSteps<void> {
  if (rows.length === 0) return
  yield sql`UPDATE replica_record SET observed_at = greatest(observed_at, ${batch.observedAtMs}::bigint), held_until = ${batch.holdUntilMs ?? 0}::bigint WHERE ${ofCopy(scope)} AND record_id = ANY(${rows.map(({ recordId }) => recordId)}::text[])`
}

function* removeRows(
  batch: CopyWrite,
  { scope }: StoredCopy,
  totals: Totals,
  nowMs: number,
): SqlSteps<number> {
  const { remove, holdUntilMs, observedAtMs } = batch
  if (remove === undefined || remove.ids.length === 0) return 0
  const free = holdUntilMs === undefined ? sql`held_until <= ${nowMs}` : plain('TRUE')
  const gone =
    yield sql`WITH gone AS (DELETE FROM replica_record WHERE ${ofCopy(scope)} AND record_id = ANY(${[...new Set(remove.ids)]}::text[]) AND ${free} RETURNING instance_id, entity, epoch, record_id, seq, doc_hash, parent_id, doc) INSERT INTO replica_removed (instance_id, entity, epoch, record_id, seq, doc_hash, parent_id, observed_at, held_until, removed_run, removed_at, doc) SELECT instance_id, entity, epoch, record_id, seq, doc_hash, parent_id, ${observedAtMs}::bigint, ${holdUntilMs ?? 0}::bigint, ${remove.runId}, ${remove.atMs}::bigint, doc FROM gone RETURNING octet_length(doc) AS bytes`
  totals.live -= gone.length
  for (const row of gone) totals.bytes -= Number(row['bytes'])
  return gone.length
}

function* writeQueue(
  { copy, childEntities = [], due = [], done = [] }: CopyWrite,
  written: readonly string[],
  version: number,
): SqlSteps<void> {
  const { instanceId, entity } = copy
  for (const child of written.length === 0 ? [] : childEntities)
    yield sql`INSERT INTO sync_todo (instance_id, entity, parent_id, mark, not_before) SELECT ${instanceId}, ${child}, parent_id, ${version}::bigint, 0 FROM unnest(${written}::text[]) AS parent_id ON CONFLICT (instance_id, entity, parent_id) DO UPDATE SET mark = excluded.mark, not_before = 0`
  // Marks of this copy are below zero, so that they never equal one that the copy of the parents gave.
  if (due.length > 0)
    yield sql`INSERT INTO sync_todo (instance_id, entity, parent_id, mark, not_before) SELECT ${instanceId}, ${entity}, parent_id, ${-version}::bigint, 0 FROM unnest(${[...new Set(due)]}::text[]) AS parent_id ON CONFLICT (instance_id, entity, parent_id) DO UPDATE SET mark = excluded.mark, not_before = 0`
  if (done.length > 0)
    yield sql`DELETE FROM sync_todo WHERE ${ofEntity(copy)} AND (parent_id, mark) IN (SELECT * FROM unnest(${done.map(({ parentId }) => parentId)}::text[], ${done.map(({ mark }) => String(mark))}::bigint[]))`
}
