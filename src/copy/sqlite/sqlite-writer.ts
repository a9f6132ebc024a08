// Batches into SQLite: one transaction each, written in parts with a pause between them, so that searches run meanwhile.
import type { StatementSync } from 'node:sqlite'

import { isWritten, type WriteReport } from '../search/search-index.ts'
import { OpenedRow } from '../search/opened-row.ts'
import type { CopyRow } from '../search/row.ts'
import type { RowsPart } from './copy-call.ts'
import { SLOT_COLUMNS, type StoredCopy } from '../sql/dialect.ts'
import { cursorSlot, decideRow, observedAt, type StoredFacts } from '../sql/row-decision.ts'
import { columnsOf, type RowColumns, toRows } from './row-columns.ts'
import { type SqliteConnection, Turns } from './sqlite-connection.ts'
import { rowNumber, SQLITE_DIALECT } from './sqlite-schema.ts'
import type { SqlRow } from '../sql/sql.ts'
import { KnownWords } from '../sql/vocabulary.ts'
import { type TermTable, TermTables } from './term-table.ts'
import {
  beginBatch,
  type BatchHead,
  countWritten,
  endBatch,
  type Writing,
} from '../sql/write-batch.ts'

/** After so long a writer lets searches go first: a page of changed rows takes many times that. */
const TURN_MS = 5
/** Rows that are looked up at once, and characters of documents. */
const LOOKED_UP = 250
const LOOKED_UP_LENGTH = 1_000_000

const COLUMNS = [
  'row',
  'scope_no',
  'record_id',
  'doc_hash',
  ...SLOT_COLUMNS,
  'lift',
  'parent_id',
  'observed_at',
  'held_until',
  'folded',
  'changed',
  'doc',
]
// Two statements: INSERT OR REPLACE deletes the row first, and writes each of its indexes again.
const INSERT = `INSERT INTO replica_record (${COLUMNS.join(', ')}, added) VALUES (${COLUMNS.map(() => '?').join(', ')}, ?)`
const UPDATE = `UPDATE replica_record SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE row = ?`
const LEARN = 'INSERT OR IGNORE INTO replica_term (scope_no, term, version) VALUES (?, ?, ?)'
const HOLD =
  'UPDATE replica_record SET observed_at = max(observed_at, ?), held_until = ? WHERE row = ?'
const HAS_REMOVED = 'SELECT 1 FROM replica_removed WHERE scope_no = ? LIMIT 1'
const DELETE_REMOVED = 'DELETE FROM replica_removed WHERE scope_no = ? AND record_id = ?'
const FIND_REMOVED =
  'SELECT seq, observed_at, held_until FROM replica_removed WHERE scope_no = ? AND record_id = ?'

/** Finds the live records of many ids. `slot`: of the key the copy advances by. */
function findAll(slot: number | null): string {
  return `SELECT r.record_id, r.row, r.doc, r.doc_hash, r.observed_at, r.held_until, ${slot === null ? 'NULL' : `r.k${slot}`} FROM json_each(?) given CROSS JOIN replica_record r ON r.scope_no = ? AND r.record_id = given.value`
}

interface StoredRow extends StoredFacts {
  readonly seq: number
  readonly doc: string
  /** Without any bytes where it can be made of the document. */
  readonly digest: Uint8Array
}

/** In place of a digest: all of the document counts, and the digest is made when it is asked for. */
const WHOLE = new Uint8Array()

const tables = new TermTables()

/** What the full-text tables are still to be told of a row that was stored. */
interface Untold extends Pick<RowColumns, 'terms' | 'sub'> {
  readonly number: number
  readonly replaces: boolean
}

/** A full-text table: what it has of a row (null: nothing), and how it is told. */
interface TextTable {
  readonly textOf: (row: Untold) => string | null
  readonly add: string
  readonly remove: string
}

const TEXT_TABLES: readonly TextTable[] = [
  {
    textOf: ({ terms }) => (terms === '' ? null : terms),
    add: 'INSERT INTO words (rowid, terms) VALUES (?, ?)',
    remove: 'DELETE FROM words WHERE rowid = ?',
  },
  {
    textOf: ({ sub }) => sub,
    add: 'INSERT INTO parts (rowid, sub) VALUES (?, ?)',
    remove: 'DELETE FROM parts WHERE rowid = ?',
  },
]

interface RowsWriting extends Writing {
  /** Whether removed records are kept, which may come back. */
  readonly hasRemoved: boolean
  readonly turns: Turns
  readonly untold: Untold[]
  /** Once rows are read here. */
  table: TermTable | null
}

export class SqliteWriter {
  readonly #connection: SqliteConnection
  readonly #known = new KnownWords()

  /** Run for every row. */
  readonly #insert: StatementSync
  readonly #texts: readonly (TextTable & { readonly insert: StatementSync })[]

  /** The tables must be there. */
  constructor(connection: SqliteConnection) {
    const { database } = connection
    this.#connection = connection
    this.#insert = database.prepare(INSERT)
    this.#texts = TEXT_TABLES.map((table) => ({ ...table, insert: database.prepare(table.add) }))
  }

  /** Forgets which words the vocabularies have: some were deleted. */
  forget(): void {
    this.#known.forget()
  }

  async write(head: BatchHead, parts: AsyncIterable<RowsPart>): Promise<WriteReport> {
    try {
      return await this.#connection.transaction(() => this.#writeAll(head, parts))
    } catch (error) {
      this.#known.forget()
      throw error
    }
  }

  async #writeAll(batch: BatchHead, parts: AsyncIterable<RowsPart>): Promise<WriteReport> {
    const begun = this.#connection.run(beginBatch(batch, Date.now()))
    const hasRemoved = this.#first(HAS_REMOVED, begun.copy.scopeNo) !== undefined
    const turns = new Turns(TURN_MS)
    const writing: RowsWriting = { ...begun, hasRemoved, turns, untold: [], table: null }
    for await (const part of parts) await this.#writePart(writing, part)
    return await this.#connection.runInTurns(endBatch(SQLITE_DIALECT, writing), turns)
  }

  #execute(text: string, ...values: readonly (string | number | null | Uint8Array)[]): void {
    this.#connection.prepare(text).run(...values)
  }

  #first(text: string, ...values: readonly (string | number)[]): SqlRow | undefined {
    return this.#connection.prepare(text).get(...values)
  }

  async #writePart(writing: RowsWriting, part: RowsPart): Promise<void> {
    const { copy, turns } = writing
    // What was made for a copy that is gone, or is laid out otherwise by now, is made again.
    const isOurs =
      part.indexed?.scopeNo === copy.scopeNo && part.indexed.layoutHash === copy.layout.hash
    const indexed = isOurs ? toRows(part.indexed.columns) : []
    if (isOurs) this.#learn(copy, part.indexed.words)
    const superseded = new Set(part.superseded)
    const rows = toRows(part.rows)
    for (let start = 0; start < rows.length;) {
      const end = endOfLookUp(rows, start)
      const stored = this.#readStored(copy, rows.slice(start, end))
      for (let at = start; at < end; at++) {
        if (turns.isOver) await turns.next()
        // There is a row at every place before the end.
        const row = rows[at] as CopyRow
        if (superseded.has(at)) writing.outcomes.push('stale')
        else this.#writeRow(writing, row, stored.get(row.recordId) ?? null, indexed[at])
      }
      await this.#writeTexts(writing)
      start = end
    }
  }

  #writeRow(
    writing: RowsWriting,
    row: CopyRow,
    live: StoredRow | null,
    indexed: RowColumns | undefined,
  ): void {
    const { batch, copy, nowMs } = writing
    const { layout, scopeNo } = copy
    const opened = new OpenedRow(layout, row)
    const stored = live ?? (writing.hasRemoved ? this.#findRemoved(scopeNo, row.recordId) : null)
    const same = live !== null && (live.doc === row.doc || saysSame(copy, live, opened))
    const outcome = decideRow(batch, opened, stored, { layout, nowMs, same })
    writing.outcomes.push(outcome)
    if (isWritten(outcome)) {
      if (outcome === 'restored') this.#execute(DELETE_REMOVED, scopeNo, row.recordId)
      const columns = indexed ?? this.#readColumns(writing, opened)
      const bytes = live === null ? 0 : Buffer.byteLength(live.doc)
      const seq = countWritten(writing, row, stored && { ...stored, bytes }, columns.mixed)
      this.#store(writing, row, columns, { seq, replaces: live !== null })
    } else if (live !== null) {
      writing.seen.push(live.seq)
      if (outcome === 'unchanged' && batch.holdUntilMs !== undefined)
        this.#execute(HOLD, observedAt(batch, row), batch.holdUntilMs, rowNumber(scopeNo, live.seq))
    }
  }

  #store(
    { batch, copy: { scopeNo, version }, untold }: RowsWriting,
    row: CopyRow,
    { slots, lift, folded, sub, digest, terms }: RowColumns,
    { seq, replaces }: { readonly seq: number; readonly replaces: boolean },
  ): void {
    const number = rowNumber(scopeNo, seq)
    const values = [
      number,
      scopeNo,
      row.recordId,
      digest ?? WHOLE,
      ...slots,
      lift,
      row.parentId,
      observedAt(batch, row),
      batch.holdUntilMs ?? 0,
      folded,
      version,
      row.doc,
    ]
    if (replaces) this.#execute(UPDATE, ...values, number)
    else this.#insert.run(...values, version)
    untold.push({ number, replaces, terms, sub })
  }

  /** Table by table, so that what one works with stays in the processor's cache: bench/README.md, "First syncs". */
  async #writeTexts({ untold, turns }: RowsWriting): Promise<void> {
    for (const { textOf, remove, insert } of this.#texts)
      for (const row of untold) {
        if (turns.isOver) await turns.next()
        if (row.replaces) this.#execute(remove, row.number)
        const text = textOf(row)
        if (text !== null) insert.run(row.number, text)
      }
    untold.length = 0
  }

  #readColumns(writing: RowsWriting, row: OpenedRow): RowColumns {
    const { copy } = writing
    writing.table ??= tables.begin(copy, copy.layout, copy.scopeNo)
    const columns = columnsOf(row, writing.table)
    this.#learn(copy, writing.table.takeMet())
    return columns
  }

  #learn({ scopeNo, version }: StoredCopy, words: readonly string[]): void {
    for (const word of this.#known.take(scopeNo, words))
      this.#execute(LEARN, scopeNo, word, version)
  }

  #readStored(
    { layout, scopeNo }: StoredCopy,
    rows: readonly CopyRow[],
  ): ReadonlyMap<string, StoredRow> {
    const statement = this.#connection.prepare(findAll(cursorSlot(layout)), true)
    const ids = JSON.stringify(rows.map(({ recordId }) => recordId))
    const first = rowNumber(scopeNo, 0)
    // In the order of the columns asked for.
    const found = statement.all(ids, scopeNo) as unknown as readonly (readonly [
      id: string,
      row: number,
      doc: string,
      digest: Uint8Array,
      observedAtMs: number,
      heldUntilMs: number,
      cursorKey: string | null,
    ])[]
    return new Map(
      found.map(([id, row, doc, digest, observedAtMs, heldUntilMs, cursorKey]) => [
        id,
        { removed: false, seq: row - first, doc, digest, observedAtMs, heldUntilMs, cursorKey },
      ]),
    )
  }

  #findRemoved(scopeNo: number, recordId: string): (StoredFacts & { readonly seq: number }) | null {
    const row = this.#first(FIND_REMOVED, scopeNo, recordId)
    if (row === undefined) return null
    return {
      removed: true,
      seq: Number(row['seq']),
      observedAtMs: Number(row['observed_at']),
      heldUntilMs: Number(row['held_until']),
      cursorKey: null,
    }
  }
}

/** Whether the live record, whose text is another one, says the same. */
function saysSame({ layout }: StoredCopy, live: StoredRow, opened: OpenedRow): boolean {
  const { recordId, parentId } = opened.row
  const compared = live.digest.length === 0 ? null : live.digest
  const { digest } = new OpenedRow(layout, { recordId, parentId, doc: live.doc, compared })
  return Buffer.compare(digest, opened.digest) === 0
}

/** Behind the last row that is looked up together with the first one. */
function endOfLookUp(rows: readonly CopyRow[], start: number): number {
  const most = Math.min(rows.length, start + LOOKED_UP)
  let length = 0
  let end = start
  while (end < most && (end === start || length < LOOKED_UP_LENGTH))
    length += rows[end++]?.doc.length ?? 0
  return end
}
