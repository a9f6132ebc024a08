// Batches into PostgreSQL: one transaction each, with one statement per kind of change.
import { isWritten, type CopyWrite, type WriteReport } from '../search/search-index.ts'
import { CUT_WORDS, fieldPrefix, OpenedRow } from '../search/opened-row.ts'
import type { CopyRow } from '../search/row.ts'
import { ofCopy } from '../sql/copy-operations.ts'
import { type Dialect, SLOT_COLUMNS, type StoredCopy } from '../sql/dialect.ts'
import {
  cursorSlot,
  decideRow,
  observedAt,
  type StoredFacts,
  supersededPlaces,
} from '../sql/row-decision.ts'
import { textOrNull } from '../sql/page.ts'
import { partsOf, plain, rowsOf, sql, type SqlSteps } from '../sql/sql.ts'
import { isSpelled, type KnownWords } from '../sql/vocabulary.ts'
import { scopePrefix, tsLexeme } from '../sql/word-query.ts'
import { beginBatch, countWritten, endBatch, type Writing } from '../sql/write-batch.ts'

interface Stored extends StoredFacts {
  readonly seq: number
  readonly docHash: Uint8Array
  readonly bytes: number
}

/** A statement has 65,535 values at most, five for each word. */
const WORDS_AT_ONCE = 2_000

/** Writes a batch; to be run in a transaction. Throws LostLease. */
export function* writeBatch(
  dialect: Dialect,
  batch: CopyWrite,
  known: KnownWords,
  nowMs: number,
): SqlSteps<WriteReport> {
  const writing = yield* beginBatch(batch, nowMs)
  const { rows = [] } = batch
  const superseded = new Set(supersededPlaces(rows))
  const { layout } = writing.copy
  const open = (part: readonly (readonly [number, CopyRow])[] = []): readonly PlacedRow[] =>
    part.map(([place, row]) => ({ place, opened: new OpenedRow(layout, row) }))
  const parts = [...partsOf([...rows.entries()])]
  // What is made of rows is let go of with their part.
  let part = open(parts[0])
  for (let at = 0; at < parts.length; at++) {
    const next = open(parts[at + 1])
    yield* writePart(writing, part, { next, superseded, known })
    part = next
  }
  return yield* endBatch(dialect, writing)
}

interface PlacedRow {
  /** In the batch. */
  readonly place: number
  readonly opened: OpenedRow
}

interface Around {
  /** The part that follows. */
  readonly next: readonly PlacedRow[]
  /** The places of rows that a later one of the batch makes void. */
  readonly superseded: ReadonlySet<number>
  readonly known: KnownWords
}

function* writePart(
  writing: Writing,
  part: readonly PlacedRow[],
  { next, superseded, known }: Around,
): SqlSteps<void> {
  const { batch, copy, nowMs, outcomes, seen } = writing
  const { layout } = copy
  const ids = part.map(({ opened }) => opened.row.recordId)
  const stored = yield* readStored(copy, ids)
  const kept: KeptRow[] = []
  const restored: CopyRow[] = []
  const unchanged: CopyRow[] = []
  for (const { place, opened } of part) {
    const { row } = opened
    if (superseded.has(place)) {
      outcomes.push('stale')
      continue
    }
    const found = stored.get(row.recordId) ?? null
    const same = found !== null && Buffer.compare(opened.digest, found.docHash) === 0
    const outcome = decideRow(batch, opened, found, { layout, nowMs, same })
    outcomes.push(outcome)
    if (outcome === 'restored') restored.push(row)
    if (outcome === 'unchanged') unchanged.push(row)
    if (isWritten(outcome)) {
      const mixed = opened.index.mixed | (opened.terms.isCut ? CUT_WORDS : 0)
      kept.push({ opened, seq: countWritten(writing, row, found, mixed) })
    } else if (found?.removed === false) seen.push(found.seq)
  }
  // Where most are new, so are the next ones, which are prepared while the database writes these.
  if (2 * kept.length >= part.length) prepareSoon(next)
  yield* storeRows(writing, kept, restored)
  yield* holdRows(writing, unchanged)
  // Always in one order, so that writers do not wait for each other in a circle.
  const words = [...known.take(copy.scopeNo, spelledIn(kept))].sort()
  for (const some of partsOf(words, WORDS_AT_ONCE)) {
    const { instanceId, entity, epoch, version } = copy
    const values = some.map((word) => [instanceId, entity, epoch, word, version])
    yield sql`INSERT INTO replica_term (instance_id, entity, epoch, term, version) ${rowsOf(values)} ON CONFLICT DO NOTHING`
  }
}

/** Rows that are prepared in one go: between them the process does what else there is. */
const PREPARED_AT_ONCE = 25

/** Prepares rows behind this turn, in which the statement that is asked for next leaves. */
function prepareSoon(rows: readonly PlacedRow[], from = 0): void {
  if (from >= rows.length) return
  setImmediate(() => {
    try {
      for (const { opened } of rows.slice(from, from + PREPARED_AT_ONCE)) opened.prepare()
    } catch {
      // It is met once more, and told, when the row is written.
      return
    }
    prepareSoon(rows, from + PREPARED_AT_ONCE)
  })
}

function* spelledIn(rows: readonly KeptRow[]): Generator<string, void, undefined> {
  for (const { opened } of rows)
    for (const words of opened.terms.byField.values())
      for (const word of words) if (isSpelled(word)) yield word
}

function* readStored(
  copy: StoredCopy,
  ids: readonly string[],
): SqlSteps<ReadonlyMap<string, Stored>> {
  const slot = cursorSlot(copy.layout)
  const key = slot === null ? plain('NULL::text') : plain(`k${slot}`)
  const found =
    yield sql`SELECT FALSE AS removed, record_id, seq, doc_hash, observed_at, held_until, ${key} AS cursor_key, octet_length(doc) AS bytes FROM replica_record WHERE ${ofCopy(copy)} AND record_id = ANY(${ids}::text[]) UNION ALL SELECT TRUE, record_id, seq, doc_hash, observed_at, held_until, NULL AS cursor_key, 0 AS bytes FROM replica_removed WHERE ${ofCopy(copy)} AND record_id = ANY(${ids}::text[])`
  // A record is live or removed, never both.
  return new Map(
    found.map((row) => [
      String(row['record_id']),
      {
        removed: row['removed'] === true,
        seq: Number(row['seq']),
        // A column of bytes.
        docHash: row['doc_hash'] as Uint8Array,
        observedAtMs: Number(row['observed_at']),
        heldUntilMs: Number(row['held_until']),
        cursorKey: textOrNull(row['cursor_key']),
        bytes: Number(row['bytes']),
      },
    ]),
  )
}

/** The columns that a record which is written again gets, in their order. */
const CHANGED = `changed, held_until, doc_hash, ${SLOT_COLUMNS.join(', ')}, lift, parent_id, observed_at, folded, sub, terms, doc`
const COLUMNS = plain(`instance_id, entity, epoch, record_id, seq, added, ${CHANGED}`)
const CHANGES = plain(CHANGED.replace(/\w+/g, '$& = excluded.$&'))

interface KeptRow {
  readonly opened: OpenedRow
  readonly seq: number
}

function* storeRows(
  { batch, copy }: Writing,
  rows: readonly KeptRow[],
  restored: readonly CopyRow[],
): SqlSteps<void> {
  if (restored.length > 0)
    yield sql`DELETE FROM replica_removed WHERE ${ofCopy(copy)} AND record_id = ANY(${restored.map(({ recordId }) => recordId)}::text[])`
  if (rows.length === 0) return
  const prefix = scopePrefix(copy.scopeNo)
  const values = rows.map(({ opened, seq }) => {
    const { row, index } = opened
    return [
      copy.instanceId,
      copy.entity,
      copy.epoch,
      row.recordId,
      seq,
      copy.version,
      copy.version,
      batch.holdUntilMs ?? 0,
      opened.digest,
      ...SLOT_COLUMNS.map((_, at) => index.slots[at] ?? null),
      index.lift,
      row.parentId,
      observedAt(batch, row),
      index.folded,
      index.sub,
      lexemesOf(opened, prefix),
      row.doc,
    ]
  })
  yield sql`INSERT INTO replica_record (${COLUMNS}) ${rowsOf(values)} ON CONFLICT (instance_id, entity, epoch, record_id) DO UPDATE SET ${CHANGES}`
}

function lexemesOf({ terms }: OpenedRow, prefix: string): string {
  const lexemes: string[] = []
  for (const [field, words] of terms.byField)
    for (const word of words) lexemes.push(tsLexeme(prefix + fieldPrefix(field) + word))
  return lexemes.join(' ')
}

/** Holds records that are as a write of our own says. */
function* holdRows(
  { batch: { holdUntilMs, observedAtMs }, copy }: Writing,
  rows: readonly CopyRow[],
): SqlSteps<void> {
  if (rows.length === 0 || holdUntilMs === undefined) return
  yield sql`UPDATE replica_record SET observed_at = greatest(observed_at, ${observedAtMs}::bigint), held_until = ${holdUntilMs}::bigint WHERE ${ofCopy(copy)} AND record_id = ANY(${rows.map(({ recordId }) => recordId)}::text[])`
}
