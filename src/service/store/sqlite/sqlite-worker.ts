// The thread that owns the SQLite file: the event loop of the program never waits for a disk.
// It imports modules of Node and types only: in the built package it is a file of its own.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { RecentlyUsed } from '../../../database/recently-used.ts'
import { errcodeOf, type ThreadCause, threadCauseOf } from '../../../database/thread-cause.ts'
import { identityOf, WatchedFile } from '../../../database/watched-file.ts'

/** `reader` sees what is committed and never waits for a change under way; `writer` does everything else. */
export type SqliteConnection = 'reader' | 'writer'

export type SqliteValue = null | number | bigint | string | Uint8Array

export interface SqliteStatement {
  readonly on: SqliteConnection
  readonly sql: string
  readonly parameters: readonly SqliteValue[]
}

/** `rewrite`: writes the file once more; its row says whether that `is_done`. */
export type SqliteStep = SqliteStatement | { readonly on: 'rewrite' }

/** Steps that run in order until one fails. The result is that of the last. */
export interface SqliteRequest {
  readonly id: number
  readonly steps: readonly SqliteStep[]
}

export type SqliteRow = Readonly<Record<string, SqliteValue>>

export interface SqliteResult {
  readonly rows: readonly SqliteRow[]
  /** null: a statement that gives rows does not tell. */
  readonly changes: number | null
}

export type SqliteReply = { readonly id: number } & (
  SqliteResult | { readonly failure: ThreadCause }
)

export interface SqliteWorkerData {
  readonly file: string
  /** What tells the file from another one of the same name. */
  readonly identity: string
  /** Of the process that owns the file; null: another one's command. */
  readonly run: number | null
}

/** How long a statement waits for another process. */
const BUSY_MS = 2000
/** How long opening waits for other processes that open the same new file. */
const OPENING_MS = 10_000
const STATEMENTS_KEPT = 500
/** SQLITE_CANTOPEN */
const CANNOT_OPEN = 14
/** SQLITE_BUSY, also in its extended forms. */
const BUSY = 5

interface Prepared {
  readonly statement: StatementSync
  readonly givesRows: boolean
}

interface Connection {
  readonly database: DatabaseSync
  /** By SQL text. */
  readonly statements: RecentlyUsed<string, Prepared>
}

function open(file: string, pragmas: readonly string[], readOnly: boolean = false): Connection {
  const database = new DatabaseSync(file, {
    timeout: BUSY_MS,
    enableForeignKeyConstraints: true,
    readOnly,
  })
  for (const pragma of pragmas) patiently(() => database.exec(`pragma ${pragma}`))
  return { database, statements: new RecentlyUsed(STATEMENTS_KEPT) }
}

function isBusy(error: unknown): boolean {
  const code = errcodeOf(error)
  return code !== null && (code & 0xff) === BUSY
}

/** Switching a new file to WAL fails at once where any other statement would wait for its turn. */
function patiently(run: () => void): void {
  const giveUpAt = performance.now() + OPENING_MS
  for (;;) {
    try {
      run()
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > giveUpAt) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

function prepared({ database, statements }: Connection, sql: string): Prepared {
  return statements.of(sql, () => {
    const statement = database.prepare(sql)
    return { statement, givesRows: statement.columns().length > 0 }
  })
}

const NOTHING: SqliteResult = { rows: [], changes: 0 }

function runStep(connections: Connections, { on, sql, parameters }: SqliteStatement): SqliteResult {
  const connection = connections[on]
  // A full disk or a failing one may have ended the transaction already.
  if (sql === 'rollback' && !connection.database.isTransaction) return NOTHING
  const { statement, givesRows } = prepared(connection, sql)
  const values: readonly SQLInputValue[] = parameters
  if (!givesRows) return { rows: [], changes: Number(statement.run(...values).changes) }
  return { rows: readRows(statement, sql, values), changes: null }
}

/** One number that JavaScript cannot hold must not hide the other rows: it is given as a bigint. */
function readRows(
  statement: StatementSync,
  sql: string,
  values: readonly SQLInputValue[],
): readonly SqliteRow[] {
  try {
    return statement.all(...values)
  } catch (error) {
    // What changes something is not run again.
    const isTooLarge =
      error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'
    if (!isTooLarge || !sql.startsWith('select')) throw error
  }
  statement.setReadBigInts(true)
  try {
    return statement.all(...values).map(withNumbers)
  } finally {
    statement.setReadBigInts(false)
  }
}

function withNumbers(row: SqliteRow): SqliteRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const number = typeof value === 'bigint' ? Number(value) : value
      return [name, Number.isSafeInteger(number) ? number : value]
    }),
  )
}

type Connections = Readonly<Record<SqliteConnection, Connection>>

/** The file, open in this thread. */
class OpenStore {
  readonly #file: string
  readonly #connections: Connections
  readonly #watched: WatchedFile
  readonly #isOwner: boolean
  #isOverwritten = false

  constructor({ file, run, identity }: SqliteWorkerData) {
    this.#file = file
    // Opening would make another one.
    if (identityOf(file) !== identity) throw moved(file)
    const writer = open(file, [
      'journal_mode = wal',
      'synchronous = full',
      'secure_delete = on',
      // The entries of many accounts go to as many pages of an index: 2 MB of them would be read again and again.
      'cache_size = -16384',
      'trusted_schema = off',
    ])
    // The last connection empties the log into the file, unless it can only read.
    const reader = open(file, ['query_only = on', 'trusted_schema = off'], true)
    this.#connections = { reader, writer }
    this.#watched = new WatchedFile(file, run ?? 0)
    this.#isOwner = run !== null
    if (this.#isOwner) this.#mark('; pragma wal_checkpoint(passive)')
  }

  answer({ id, steps }: SqliteRequest): SqliteReply {
    let result = NOTHING
    try {
      this.#requireFile()
      for (const step of steps)
        result = step.on === 'rewrite' ? this.#rewrite() : runStep(this.#connections, step)
      // What was read meanwhile may be of another one.
      this.#requireFile()
      return { id, ...result }
    } catch (error) {
      return { id, failure: threadCauseOf(error) }
    }
  }

  #rewrite(): SqliteResult {
    const { database } = this.#connections.writer
    let isDone = false
    if (!database.isTransaction) {
      this.#watched.mayShrink(true)
      try {
        database.exec('vacuum')
        isDone = database.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0
      } catch (error) {
        if (!isBusy(error)) throw error
      }
      this.#requireFile()
      // Else it becomes smaller with the next checkpoint.
      if (isDone) this.#watched.mayShrink(false)
    }
    return { rows: [{ is_done: isDone ? 1 : 0 }], changes: null }
  }

  close(): void {
    if (this.#isOverwritten) return
    this.#connections.reader.database.close()
    this.#connections.writer.database.close()
  }

  /** SQLite goes on with a file that was taken away or written over, and what it acknowledges is lost or mixed into it. */
  #requireFile(): void {
    if (this.#isOverwritten) throw overwritten(this.#file)
    if (!this.#isOwner) {
      if (identityOf(this.#file) !== this.#watched.identity) throw moved(this.#file)
      return
    }
    const state = this.#watched.look()
    if (state === 'gone') throw moved(this.#file)
    if (state === 'overwritten') this.#letGo()
    this.#mark()
  }

  /** Whatever cannot be written is not marked. */
  #mark(and: string = ''): void {
    const { database } = this.#connections.writer
    if (database.isTransaction) return
    const mark = this.#watched.nextMark()
    if (mark === null) return
    try {
      database.exec(`pragma user_version = ${mark}${and}`)
    } catch {
      // The disk may be full; the mark that is there still holds.
    }
  }

  /** Nothing of the old content may come into the new one, now or at the next start: the log is put aside. */
  #letGo(): never {
    this.#isOverwritten = true
    this.#connections.writer.database.close()
    this.#connections.reader.database.close()
    if (existsSync(`${this.#file}-wal`))
      renameSync(`${this.#file}-wal`, `${this.#file}${LOG_ASIDE}`)
    rmSync(`${this.#file}-shm`, { force: true })
    throw overwritten(this.#file)
  }
}

/** What hangs on the name of a log whose file was written over. */
const LOG_ASIDE = '-wal.overwritten'

function moved(file: string): Error {
  return Object.assign(
    new Error(`${file} was removed or replaced while it was open: put it back, or start again`),
    { errcode: CANNOT_OPEN },
  )
}

function overwritten(file: string): Error {
  return Object.assign(
    new Error(
      `${file} was written over while it was open: start again to work with what is in it now; changes that were not in it yet are kept as ${file}${LOG_ASIDE}`,
    ),
    { errcode: CANNOT_OPEN },
  )
}

if (parentPort !== null) {
  const port = parentPort
  try {
    // The one who starts this thread gives it this.
    const store = new OpenStore(workerData as SqliteWorkerData)
    port.on('message', (requests: readonly SqliteRequest[] | 'close') => {
      if (requests !== 'close') {
        port.postMessage(requests.map((request) => store.answer(request)))
        return
      }
      store.close()
      port.close()
    })
    port.postMessage([{ id: 0, ...NOTHING }])
  } catch (error) {
    // No request has the id 0.
    port.postMessage([{ id: 0, failure: threadCauseOf(error) }])
    port.close()
  }
}
