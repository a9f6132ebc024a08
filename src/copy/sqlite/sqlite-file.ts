// The copies of one instance in one SQLite file: a writer, and a reader with snapshots of its own.
import { chmodSync, statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

import type { CopyId, CopyName, WriteReport } from '../search/search-index.ts'
import type { SearchLayout } from '../search/layout.ts'
import { sqliteReason } from '../../database/database-errors.ts'
import { errcodeOf } from '../../database/thread-cause.ts'
import type { RowsPart } from './copy-call.ts'
import { endLeases, insertCopy, ofEntity, readCopies, setServing } from '../sql/copy-operations.ts'
import type { StoredCopy } from '../sql/dialect.ts'
import { BUSY_MS, SqliteConnection } from './sqlite-connection.ts'
import {
  SQLITE_ADDED_COLUMNS,
  SQLITE_INDEXES,
  SQLITE_TABLES,
  SQLITE_WORD_TABLES,
} from './sqlite-schema.ts'
import { SqliteSnapshots } from './sqlite-snapshots.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { plain, sql, type SqlSteps } from '../sql/sql.ts'
import type { BatchHead } from '../sql/write-batch.ts'

/** Bytes that the log keeps when it begins again, and beyond which it is made to. */
const LOG_KEPT = 64 * 1024 * 1024
const MAX_LOG_BYTES = 96 * 1024 * 1024
/** Waiting for searches that still read the log. */
const MAX_WAIT_MS = 250

/** An open file. Writes run one after the other; reads may come in between. */
export class SqliteFile {
  readonly #writer: SqliteConnection
  readonly #snapshots: SqliteSnapshots
  readonly #log: string
  readonly #rows: SqliteWriter
  #last: Promise<unknown> = Promise.resolve()
  #pending = 0
  #hasRested = true

  /** `endsLeases`: every process that holds one has ended. */
  constructor(path: string, { endsLeases = false }: { readonly endsLeases?: boolean } = {}) {
    this.#snapshots = new SqliteSnapshots(path)
    this.#log = `${path}-wal`
    this.#writer = SqliteConnection.toWrite(path)
    try {
      makeTables(this.#writer, path)
      if (endsLeases) this.#writer.run(endLeases())
      this.#rows = new SqliteWriter(this.#writer)
    } catch (error) {
      this.#writer.close()
      throw error
    }
  }

  get idle(): boolean {
    return this.#pending === 0 && this.#snapshots.idle
  }

  async read<T>(steps: SqlSteps<T>): Promise<T> {
    return await this.#snapshots.read(steps)
  }

  async change<T>(steps: () => SqlSteps<T>): Promise<T> {
    return await this.#alone(() => this.#writer.transaction(() => this.#writer.run(steps())))
  }

  async prepareCopy(name: CopyName, layout: SearchLayout, settings: string): Promise<StoredCopy> {
    return await this.change(() => insertCopy(name, layout, settings, newScopeNo))
  }

  async serve(copy: CopyId): Promise<void> {
    const others = await this.change(function* (): SqlSteps<readonly number[]> {
      yield* setServing(copy)
      const all = yield* readCopies(copy)
      return all.filter(({ epoch }) => epoch !== copy.epoch).map(({ scopeNo }) => scopeNo)
    })
    for (const scopeNo of others) await this.#dropScope(copy, scopeNo)
  }

  async write(head: BatchHead, parts: AsyncIterable<RowsPart>): Promise<WriteReport> {
    return await this.#alone(async () => {
      try {
        const report = await this.#rows.write(head, parts)
        this.#limitLog()
        return report
      } catch (error) {
        if (sqliteReason(errcodeOf(error) ?? 0) === 'full') this.#emptyLog()
        throw error
      }
    })
  }

  rest(): void {
    if (!this.idle || this.#hasRested) return
    this.#hasRested = true
    this.#snapshots.rest()
    this.#writer.database.exec('PRAGMA shrink_memory')
  }

  /** What cannot be written is not marked: the mark that is there still holds. */
  mark(mark: number, isFirst: boolean): void {
    const and = isFirst ? '; PRAGMA wal_checkpoint(PASSIVE)' : ''
    this.#alone(async () => {
      this.#writer.database.exec(`PRAGMA user_version = ${mark}${and}`)
    }).catch(() => {})
  }

  async close(): Promise<void> {
    while (!this.idle) await setImmediate()
    await this.#snapshots.close()
    this.#writer.close()
  }

  /** Waits for the last search that reads the log only: without a gap between searches it would never begin again. */
  #limitLog(): void {
    if ((statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0) <= MAX_LOG_BYTES) return
    this.#checkpoint('RESTART')
  }

  /** The log may hold more than the file lacks, and others need room as well. */
  #emptyLog(): void {
    try {
      this.#checkpoint('TRUNCATE')
    } catch {
      // There is no room for that either.
    }
  }

  #checkpoint(mode: 'RESTART' | 'TRUNCATE'): void {
    const { database } = this.#writer
    try {
      database.exec(`PRAGMA busy_timeout = ${MAX_WAIT_MS}; PRAGMA wal_checkpoint(${mode})`)
    } finally {
      database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    }
  }

  /** Deletes a copy in parts, so that nothing waits long for it. */
  async #dropScope(name: CopyName, scopeNo: number): Promise<void> {
    const part = plain(`SELECT row FROM replica_record WHERE scope_no = ${scopeNo} LIMIT 500`)
    for (;;) {
      const left = await this.change(function* (): SqlSteps<number> {
        const rows = yield sql`${part}`
        for (const table of ['words', 'parts'])
          for (const row of rows)
            yield sql`DELETE FROM ${plain(table)} WHERE rowid = ${Number(row['row'])}`
        yield sql`DELETE FROM replica_record WHERE row IN (${part})`
        return rows.length
      })
      if (left < 500) break
      await setImmediate()
    }
    this.#rows.forget()
    await this.change(function* (): SqlSteps<void> {
      for (const table of ['replica_removed', 'replica_term', 'replica_scope'])
        yield sql`DELETE FROM ${plain(table)} WHERE scope_no = ${scopeNo} AND ${table === 'replica_scope' ? ofEntity(name) : plain('TRUE')}`
    })
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#pending++
    this.#hasRested = false
    const run = this.#last.then(work)
    this.#last = run.catch(() => undefined)
    try {
      return await run
    } finally {
      this.#pending--
    }
  }
}

function makeTables(writer: SqliteConnection, path: string): void {
  const { database } = writer
  // The log is copied into the file every 32 MiB: batches write the same pages of the indexes again and again. A power
  // cut may lose the last batches (`synchronous = NORMAL`), but rows and the place to go on from are lost together.
  database.exec(
    `PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = ${LOG_KEPT}; PRAGMA cache_size = -32768`,
  )
  chmodSync(path, 0o600)
  database.exec(SQLITE_TABLES)
  for (const [table, column, type] of SQLITE_ADDED_COLUMNS) {
    const [found] = writer.ask(
      sql`SELECT 1 FROM pragma_table_info(${table}) WHERE name = ${column}`,
    )
    if (found === undefined) database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`)
  }
  database.exec(SQLITE_INDEXES)
  const [words] = writer.ask(sql`SELECT 1 FROM sqlite_schema WHERE name = 'words'`)
  if (words === undefined) database.exec(SQLITE_WORD_TABLES)
}

/** The smallest free number: it must stay small, because it is a part of row numbers. */
function* newScopeNo(): SqlSteps<number> {
  const [row] = yield plain(
    'SELECT coalesce(min(n), 1) AS n FROM (SELECT 1 AS n UNION SELECT scope_no + 1 FROM replica_scope) WHERE n NOT IN (SELECT scope_no FROM replica_scope)',
  )
  return Number(row?.['n'])
}
