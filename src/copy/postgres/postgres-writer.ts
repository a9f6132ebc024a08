// Batches into PostgreSQL: one transaction each, with one statement per kind of change.
import { isWritten, type CopyWrite, type WriteReport } from '../search/search-index.ts'
import { CUT_WORDS, fieldPrefix, OpenedRow, type RowIndex } from '../search/opened-row.ts'
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
import { joined, partsOf, plain, sql, type Sql, type SqlSteps } from '../sql/sql.ts'
import { isSpelled, type KnownWords } from '../sql/vocabulary.ts'
import { scopePrefix, tsLexeme } from '../sql/word-query.ts'
import { beginBatch, countWritten, endBatch, type Writing } from '../sql/write-batch.ts'

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
export function* writeBatch(
  dialect: Dialect,
  batch: CopyWrite,
  known: KnownWords,
  nowMs: number,
): SqlSteps<Written> {
  const writing = yield* beginBatch(batch, nowMs)
  const { rows = [] } = batch
  const superseded = new Set(supersededPlaces(rows))
  for (const part of partsOf([...rows.entries()]))
    yield* writePart(writing, part, superseded, known)
  const report = yield* endBatch(dialect, writing)
  return { report, fromSeq: writing.copy.nextSeq, toSeq: writing.totals.nextSeq }
}

/** `part`: rows with their places in the batch. `superseded`: the places of those that a later one makes void. */
function* writePart(
  writing: Writing,
  part: readonly (readonly [place: number, row: CopyRow])[],
  superseded: ReadonlySet<number>,
  known: KnownWords,
): SqlSteps<void> {
  const { batch, copy, nowMs, outcomes, seen } = writing
  const { layout } = copy
  const ids = part.map(([, { recordId }]) => recordId)
  const stored = yield* readStored(copy, ids)
  const kept: KeptRow[] = []
  const restored: CopyRow[] = []
  const unchanged: CopyRow[] = []
  for (const [place, row] of part) {
    if (superseded.has(place)) {
      outcomes.push('stale')
      continue
    }
    const opened = new OpenedRow(layout, row)
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
  yield* storeRows(writing, kept, restored)
  yield* holdRows(writing, unchanged)
  // Always in one order, so that writers do not wait for each other in a circle.
  const words = [...known.take(copy.scopeNo, spelledIn(kept))].sort()
  if (words.length > 0)
    yield sql`INSERT INTO replica_term (instance_id, entity, epoch, term, version) SELECT ${copy.instanceId}, ${copy.entity}, ${copy.epoch}::integer, term, ${copy.version}::bigint FROM unnest(${words}::text[]) AS term ON CONFLICT DO NOTHING`
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

/** How columns are made of what is given for them, where that is no text or number already. */
const CONVERTED: Readonly<Record<string, string>> = {
  doc_hash: "decode(doc_hash, 'hex')",
  lift: 'lift::jsonb',
  folded: 'folded::jsonb',
  terms: 'terms::tsvector',
}

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
  const list = (read: (row: CopyRow, index: RowIndex) => string | null): Sql =>
    // Lists may hold nulls; the driver writes them as such.
    sql`${rows.map(({ opened }) => read(opened.row, opened.index)) as readonly string[]}::text[]`
  const slots = SLOT_COLUMNS.map((slot, at) => [slot, list((_, index) => index.slots[at] ?? null)])
  const given: Readonly<Record<string, Sql>> = {
    record_id: list(({ recordId }) => recordId),
    seq: sql`${rows.map(({ seq }) => String(seq))}::bigint[]`,
    doc_hash: sql`${rows.map(({ opened }) => Buffer.from(opened.digest).toString('hex'))}::text[]`,
    ...Object.fromEntries(slots),
    lift: list((_, { lift }) => lift),
    parent_id: list(({ parentId }) => parentId),
    observed_at: sql`${rows.map(({ opened }) => String(observedAt(batch, opened.row)))}::bigint[]`,
    folded: list((_, { folded }) => folded),
    sub: list((_, { sub }) => sub),
    terms: sql`${rows.map(({ opened }) => lexemesOf(opened, prefix))}::text[]`,
    doc: list(({ doc }) => doc),
  }
  const names = Object.keys(given)
  const columns = plain(names.join(', '))
  const values = plain(names.map((name) => CONVERTED[name] ?? name).join(', '))
  const changed = ['held_until', ...names.filter((name) => name !== 'record_id' && name !== 'seq')]
  const changes = plain(changed.map((name) => `${name} = excluded.${name}`).join(', '))
  yield sql`INSERT INTO replica_record (instance_id, entity, epoch, held_until, ${columns}) SELECT ${copy.instanceId}, ${copy.entity}, ${copy.epoch}::integer, ${batch.holdUntilMs ?? 0}::bigint, ${values} FROM unnest(${joined(Object.values(given), ', ')}) AS given (${columns}) ON CONFLICT (instance_id, entity, epoch, record_id) DO UPDATE SET ${changes}`
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
