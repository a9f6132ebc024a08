// The thread that owns the SQLite file: the event loop of the program never waits for a disk.
// It imports modules of Node and types only: in the built package it is a file of its own.
import { statSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { errcodeOf, type ThreadCause, threadCauseOf } from '../../../database/thread-cause.ts'

/** `reader` sees what is committed and never waits for a change under way; `writer` does everything else. */
export type SqliteConnection = 'reader' | 'writer'

export type SqliteValue = null | number | bigint | string | Uint8Array

export interface SqliteStep {
  readonly on: SqliteConnection
  readonly sql: string
  readonly parameters: readonly SqliteValue[]
}

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
  /** By SQL text, the one used last at the end. */
  readonly statements: Map<string, Prepared>
}

function open(file: string, pragmas: readonly string[]): Connection {
  const database = new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true })
  for (const pragma of pragmas) patiently(() => database.exec(`pragma ${pragma}`))
  return { database, statements: new Map() }
}

/** Switching a new file to WAL fails at once where any other statement would wait for its turn. */
function patiently(run: () => void): void {
  const giveUpAt = performance.now() + OPENING_MS
  for (;;) {
    try {
      run()
      return
    } catch (error) {
      if (errcodeOf(error) === null || (Number(errcodeOf(error)) & 0xff) !== BUSY) throw error
      if (performance.now() > giveUpAt) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

function prepared({ database, statements }: Connection, sql: string): Prepared {
  const known = statements.get(sql)
  if (known !== undefined) {
    statements.delete(sql)
    statements.set(sql, known)
    return known
  }
  const statement = database.prepare(sql)
  const entry = { statement, givesRows: statement.columns().length > 0 }
  statements.set(sql, entry)
  const [oldest] = statements.keys()
  if (statements.size > STATEMENTS_KEPT && oldest !== undefined) statements.delete(oldest)
  return entry
}

const NOTHING: SqliteResult = { rows: [], changes: 0 }

function runStep(
  connections: Readonly<Record<SqliteConnection, Connection>>,
  { on, sql, parameters }: SqliteStep,
): SqliteResult {
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

function answer(
  connections: Readonly<Record<SqliteConnection, Connection>>,
  { id, steps }: SqliteRequest,
  requireFile: () => void,
): SqliteReply {
  let result = NOTHING
  try {
    requireFile()
    for (const step of steps) result = runStep(connections, step)
    return { id, ...result }
  } catch (error) {
    return { id, failure: threadCauseOf(error) }
  }
}

function identityOf(file: string): string | null {
  // The way to it may be gone, too.
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.dev} ${stats.ino}`
}

if (parentPort !== null) {
  const port = parentPort
  // The one who starts this thread gives it this.
  const { file, identity } = workerData as SqliteWorkerData
  // SQLite goes on with a file that was taken away, and what it acknowledges is lost with the last connection.
  const requireFile = (): void => {
    if (identityOf(file) === identity) return
    throw Object.assign(
      new Error(`${file} was removed or replaced while it was open: put it back, or start again`),
      { errcode: CANNOT_OPEN },
    )
  }
  try {
    // Opening would make another one.
    requireFile()
    const writer = open(file, [
      'journal_mode = wal',
      'synchronous = full',
      'secure_delete = on',
      'trusted_schema = off',
    ])
    const reader = open(file, ['query_only = on', 'trusted_schema = off'])
    const connections = { reader, writer }
    port.on('message', (requests: readonly SqliteRequest[] | 'close') => {
      if (requests !== 'close') {
        port.postMessage(requests.map((request) => answer(connections, request, requireFile)))
        return
      }
      reader.database.close()
      writer.database.close()
      port.close()
    })
    port.postMessage([{ id: 0, ...NOTHING }])
  } catch (error) {
    // No request has the id 0.
    port.postMessage([{ id: 0, failure: threadCauseOf(error) }])
    port.close()
  }
}
