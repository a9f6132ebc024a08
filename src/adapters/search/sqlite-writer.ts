// Batches into SQLite: one transaction each, written in parts with a pause between them, so that searches run meanwhile.
import {
  type CopyWrite,
  LostLease,
  type RowOutcome,
  type WriteReport,
} from '../../search/search-index.ts'
import { fieldPrefix, OpenedRow, type RowIndex } from '../../search/opened-row.ts'
import type { CopyRow } from '../../search/row.ts'
import { SLOTS } from '../../search/layout.ts'
import { nextVersion, ofCopy, ofEntity, type StoredCopy } from './copy-operations.ts'
import { cursorSlot, decideRow, isWritten, lastPlaces, type StoredFacts } from './row-decision.ts'
import { seenByChunk, withSeen } from './seen-bits.ts'
import { Turns } from './pause.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { rowNumber } from './sqlite-schema.ts'
import { plain, sql, type Sql, type SqlRow, type SqlValue } from './sql.ts'
import { isSpelled } from './vocabulary.ts'
import { scopePrefix } from './word-query.ts'

/** After so long a writer lets searches go first: a page of changed rows takes many times that. */
const TURN_MS = 5
/** Words remembered as known to a vocabulary, so that they are not inserted once more. */
const MOST_REMEMBERED = 200_000

const SLOT_COLUMNS = Array.from({ length: SLOTS }, (_, index) => `k${index + 1}`)
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
  'doc',
]
// Twelve times faster than INSERT OR REPLACE into a table with many indexes.
const INSERT = `INSERT INTO replica_record (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`
const UPDATE = `UPDATE replica_record SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE row = ?`
const LEARN = 'INSERT OR IGNORE INTO replica_term (scope_no, term, version) VALUES (?, ?, ?)'
const FIND_DOCUMENT = 'SELECT doc, doc_hash FROM replica_record WHERE row = ?'
const FIND_REMOVED =
  'SELECT seq, observed_at, held_until, NULL AS cursor_key FROM replica_removed WHERE scope_no = ? AND record_id = ?'

/** By the slot of the key the copy advances by. `same`: whether the document is the one that came, so that nothing else need be compared. */
const FIND_LIVE = new Map(
  [null, ...SLOT_COLUMNS.keys()].map((at) => {
    const slot = at === null ? null : at + 1
    return [
      slot,
      `SELECT row, doc = ? AS same, observed_at, held_until, ${slot === null ? 'NULL' : `k${slot}`} AS cursor_key, octet_length(doc) AS length FROM replica_record WHERE scope_no = ? AND record_id = ?`,
    ] as const
  }),
)

interface StoredRow extends StoredFacts {
  readonly seq: number
  /** Bytes of the document. */
  readonly length: number
  readonly same: boolean
}

/** In place of a digest: all of the document counts, and the digest is made when it is asked for. */
const WHOLE = new Uint8Array()

/** What a batch adds up to. */
interface Totals {
  nextSeq: number
  live: number
  bytes: number
  mixed: number
}

/** Writes batches through one connection. */
export class SqliteWriter {
  private readonly connection: SqliteConnection
  /** Words by copy. */
  private known = new Map<number, Set<string>>()

  constructor(connection: SqliteConnection) {
    this.connection = connection
  }

  /** Forgets which words the vocabularies have: some were deleted. */
  forget(): void {
    this.known = new Map()
  }

  async write(batch: CopyWrite): Promise<WriteReport> {
    const { database } = this.connection
    database.exec('BEGIN IMMEDIATE')
    try {
      const report = await this.writeAll(batch)
      database.exec('COMMIT')
      return report
    } catch (error) {
      this.known = new Map()
      this.connection.rollBack()
      throw error
    }
  }

  private async writeAll(batch: CopyWrite): Promise<WriteReport> {
    const { copy: id, fence } = batch
    const copy = this.connection.run(nextVersion(id, fence))
    if (copy === null) throw new LostLease()
    const nowMs = Date.now()
    const { scope } = copy
    const totals: Totals = {
      nextSeq: scope.nextSeq,
      live: scope.live,
      bytes: scope.bytes,
      mixed: scope.mixed,
    }
    const outcomes: RowOutcome[] = []
    const seen: number[] = []
    const written: string[] = []
    const rows = batch.rows ?? []
    const last = lastPlaces(rows)
    const turns = new Turns(TURN_MS)
    for (const [index, row] of rows.entries()) {
      if (turns.isOver) await turns.next()
      if (last.get(row.recordId) !== index) {
        outcomes.push('stale')
        continue
      }
      const { outcome, seq } = this.writeRow(batch, row, copy, totals, nowMs)
      outcomes.push(outcome)
      if (seq !== null) seen.push(seq)
      if (isWritten(outcome)) written.push(row.recordId)
    }
    const unknownIds: string[] = []
    for (const id of batch.seenIds ?? []) {
      if (turns.isOver) await turns.next()
      const live = this.findLive(copy, id)
      if (live === null) unknownIds.push(id)
      else seen.push(live.seq)
    }
    const removed = this.remove(batch, copy, totals, nowMs)
    this.writeSeen(batch, seen)
    this.writeQueue(batch, written, scope.version)
    this.finish(batch, totals)
    const report = { version: scope.version, outcomes, removed }
    return batch.seenIds === undefined ? report : { ...report, unknownIds }
  }

  private ask(question: Sql): ReturnType<SqliteConnection['ask']> {
    return this.connection.ask(question)
  }

  private execute(text: string, ...values: readonly (string | number | null | Uint8Array)[]): void {
    this.connection.prepare(text).run(...values)
  }

  private first(text: string, ...values: readonly (string | number)[]): SqlRow | undefined {
    return this.connection.prepare(text).get(...values)
  }

  // --- rows

  private writeRow(
    batch: CopyWrite,
    row: CopyRow,
    copy: StoredCopy,
    totals: Totals,
    nowMs: number,
  ): { readonly outcome: RowOutcome; readonly seq: number | null } {
    const { scopeNo } = copy.scope
    const opened = new OpenedRow(copy.layout, row)
    const live = this.findLive(copy, row.recordId, row.doc)
    const stored = live ?? this.findRemoved(scopeNo, row.recordId)
    const same = live !== null && (live.same || this.saysSame(copy, live, opened))
    const outcome = decideRow(batch, opened, stored, { layout: copy.layout, nowMs, same })
    if (!isWritten(outcome)) {
      if (outcome === 'unchanged' && batch.holdUntilMs !== undefined && live !== null)
        this.execute(
          'UPDATE replica_record SET observed_at = max(observed_at, ?), held_until = ? WHERE row = ?',
          batch.observedAtMs,
          batch.holdUntilMs,
          rowNumber(scopeNo, live.seq),
        )
      return { outcome, seq: live?.seq ?? null }
    }
    const seq = stored?.seq ?? totals.nextSeq++
    if (outcome === 'restored')
      this.execute(
        'DELETE FROM replica_removed WHERE scope_no = ? AND record_id = ?',
        scopeNo,
        row.recordId,
      )
    if (live === null) totals.live++
    totals.bytes += Buffer.byteLength(row.doc) - (live?.length ?? 0)
    totals.mixed |= opened.index.mixed
    this.store(batch, opened, copy, seq, live !== null)
    return { outcome, seq }
  }

  private store(
    batch: CopyWrite,
    { row, stored, index }: OpenedRow,
    { scope }: StoredCopy,
    seq: number,
    replaces: boolean,
  ): void {
    const number = rowNumber(scope.scopeNo, seq)
    const values = [
      number,
      scope.scopeNo,
      row.recordId,
      stored ?? WHOLE,
      ...index.slots,
      index.lift,
      row.parentId,
      batch.observedAtMs,
      batch.holdUntilMs ?? 0,
      index.folded,
      row.doc,
    ]
    if (replaces) this.execute(UPDATE, ...values, number)
    else this.execute(INSERT, ...values)
    if (replaces) this.forgetWords(number)
    const terms = this.readTerms(index, scope)
    if (terms !== '') this.execute('INSERT INTO words (rowid, terms) VALUES (?, ?)', number, terms)
    if (index.sub !== null)
      this.execute('INSERT INTO parts (rowid, sub) VALUES (?, ?)', number, index.sub)
  }

  /** The terms of a record, with blanks between them; their words are in the vocabulary from now on. */
  private readTerms({ terms }: RowIndex, { scopeNo, version }: StoredCopy['scope']): string {
    const fields: string[] = []
    const known = this.knownWords(scopeNo)
    for (const [field, words] of terms) {
      const prefix = scopePrefix(scopeNo) + fieldPrefix(field)
      fields.push(prefix + [...words].join(` ${prefix}`))
      for (const word of words) {
        if (known.has(word)) continue
        known.add(word)
        if (isSpelled(word)) this.execute(LEARN, scopeNo, word, version)
      }
    }
    return fields.join(' ')
  }

  private knownWords(scopeNo: number): Set<string> {
    const found = this.known.get(scopeNo)
    if (found !== undefined && found.size < MOST_REMEMBERED) return found
    const known = new Set<string>()
    this.known.set(scopeNo, known)
    return known
  }

  private forgetWords(number: number): void {
    this.execute('DELETE FROM words WHERE rowid = ?', number)
    this.execute('DELETE FROM parts WHERE rowid = ?', number)
  }

  private findLive({ layout, scope }: StoredCopy, recordId: string, doc = ''): StoredRow | null {
    const text = FIND_LIVE.get(cursorSlot(layout)) ?? ''
    const row = this.first(text, doc, scope.scopeNo, recordId)
    if (row === undefined) return null
    return {
      ...factsOf(row, false),
      seq: Number(row['row']) - rowNumber(scope.scopeNo, 0),
      length: Number(row['length']),
      same: row['same'] === 1,
    }
  }

  private findRemoved(
    scopeNo: number,
    recordId: string,
  ): (StoredFacts & { readonly seq: number }) | null {
    const row = this.first(FIND_REMOVED, scopeNo, recordId)
    return row === undefined ? null : { ...factsOf(row, true), seq: Number(row['seq']) }
  }

  /** Whether the live record, whose text is another one, says the same. */
  private saysSame({ layout, scope }: StoredCopy, { seq }: StoredRow, opened: OpenedRow): boolean {
    const row = this.first(FIND_DOCUMENT, rowNumber(scope.scopeNo, seq))
    if (row === undefined) return false
    // A column of bytes.
    const digest = row['doc_hash'] as Uint8Array
    const compared = digest.length === 0 ? null : digest
    const { recordId, parentId } = opened.row
    const doc = String(row['doc'])
    return new OpenedRow(layout, { recordId, parentId, doc, compared }).says(opened)
  }

  // --- removal

  private remove(batch: CopyWrite, copy: StoredCopy, totals: Totals, nowMs: number): number {
    const { remove, holdUntilMs } = batch
    if (remove === undefined) return 0
    const { scopeNo } = copy.scope
    let removed = 0
    for (const recordId of new Set(remove.ids)) {
      const live = this.findLive(copy, recordId)
      if (live === null || (holdUntilMs === undefined && live.heldUntilMs > nowMs)) continue
      const number = rowNumber(scopeNo, live.seq)
      this.execute(
        'INSERT INTO replica_removed (scope_no, record_id, seq, doc_hash, parent_id, observed_at, held_until, removed_run, removed_at, doc) SELECT scope_no, record_id, ?, doc_hash, parent_id, ?, ?, ?, ?, doc FROM replica_record WHERE row = ?',
        live.seq,
        batch.observedAtMs,
        holdUntilMs ?? 0,
        remove.runId,
        remove.atMs,
        number,
      )
      this.execute('DELETE FROM replica_record WHERE row = ?', number)
      this.forgetWords(number)
      totals.live--
      totals.bytes -= live.length
      removed++
    }
    return removed
  }

  // --- what goes along

  private writeSeen({ copy, seenBy }: CopyWrite, seqs: readonly number[]): void {
    if (seenBy === undefined) return
    for (const [chunkNo, members] of seenByChunk(seqs)) {
      const [row] = this.ask(
        sql`SELECT bits FROM sync_seen WHERE ${ofEntity(copy)} AND run_id = ${seenBy} AND chunk_no = ${chunkNo}`,
      )
      // A column of bytes.
      const bits = withSeen((row?.['bits'] as Uint8Array | undefined) ?? null, members)
      if (bits !== null)
        this.execute(
          'INSERT OR REPLACE INTO sync_seen (instance_id, entity, run_id, chunk_no, bits) VALUES (?, ?, ?, ?, ?)',
          copy.instanceId,
          copy.entity,
          seenBy,
          chunkNo,
          bits,
        )
    }
  }

  private writeQueue(
    { copy, childEntities = [], due = [], done = [], entries = [] }: CopyWrite,
    written: readonly string[],
    version: number,
  ): void {
    const { instanceId, entity } = copy
    const enqueue = (child: string, id: string, mark: number): void => {
      this.execute(
        'INSERT OR REPLACE INTO sync_todo (instance_id, entity, parent_id, mark, not_before) VALUES (?, ?, ?, ?, 0)',
        instanceId,
        child,
        id,
        mark,
      )
    }
    for (const child of childEntities) for (const id of written) enqueue(child, id, version)
    // Marks of this copy are below zero, so that they never equal one that the copy of the parents gave.
    for (const id of due) enqueue(entity, id, -version)
    for (const { parentId, mark } of done)
      this.execute(
        'DELETE FROM sync_todo WHERE instance_id = ? AND entity = ? AND parent_id = ? AND mark = ?',
        instanceId,
        entity,
        parentId,
        mark,
      )
    for (const { name, value } of entries) {
      if (value === null)
        this.execute(
          'DELETE FROM sync_entry WHERE instance_id = ? AND entity = ? AND name = ?',
          instanceId,
          entity,
          name,
        )
      else
        this.execute(
          'INSERT OR REPLACE INTO sync_entry (instance_id, entity, name, value) VALUES (?, ?, ?, ?)',
          instanceId,
          entity,
          name,
          value,
        )
    }
  }

  private finish({ copy, complete, syncedAtMs, facts }: CopyWrite, totals: Totals): void {
    const { nextSeq, live, bytes, mixed } = totals
    const changes: Sql[] = [
      sql`next_seq = ${nextSeq}, live = ${live}, bytes = ${bytes}, mixed = ${mixed}`,
      ...optional('complete', complete === undefined ? undefined : Number(complete)),
      ...optional('synced_at', syncedAtMs),
      ...optional('facts', facts),
    ]
    const set = changes.reduce((all, change) => sql`${all}, ${change}`)
    this.ask(sql`UPDATE replica_scope SET ${set} WHERE ${ofCopy(copy)}`)
  }
}

function optional(column: string, value: SqlValue | undefined): readonly Sql[] {
  return value === undefined ? [] : [sql`${plain(column)} = ${value}`]
}

function factsOf(row: Readonly<Record<string, unknown>>, removed: boolean): StoredFacts {
  return {
    removed,
    observedAtMs: Number(row['observed_at']),
    heldUntilMs: Number(row['held_until']),
    cursorKey: typeof row['cursor_key'] === 'string' ? row['cursor_key'] : null,
  }
}
