// One connection to a SQLite file, with its prepared statements.
import { existsSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'

import { DatabaseTime } from '../../database/database-clock.ts'
import { RecentlyUsed } from '../../database/recently-used.ts'
import { errcodeOf } from '../../database/thread-cause.ts'
import { type Sql, type SqlRow, type SqlSteps, sqlText, type SqlValue } from '../sql/sql.ts'

const MAX_STATEMENTS = 200

/** Answers remembered per connection, and the maximum length of their statements. */
const MAX_REMEMBERED = 500
const MAX_REMEMBERED_LENGTH = 2_000

/** How long a statement waits for another connection. */
export const BUSY_MS = 5_000

/** SQLITE_CANTOPEN */
const CANNOT_OPEN = 14
/** So often a file that is there is opened before it is given up. */
const MAX_OPENINGS = 20

/** Work in turns of so many milliseconds: `if (turns.isOver) await turns.next()`. */
export class Turns {
  readonly #ms: number
  #since: number = performance.now()

  constructor(ms: number) {
    this.#ms = ms
  }

  get isOver(): boolean {
    return performance.now() - this.#since > this.#ms
  }

  /** Lets other work of the thread go first. */
  async next(): Promise<void> {
    await setImmediate()
    this.#since = performance.now()
  }
}

export class SqliteConnection {
  readonly database: DatabaseSync
  /** By their text; the others are those whose rows are arrays. */
  readonly #named = new RecentlyUsed<string, StatementSync>(MAX_STATEMENTS)
  readonly #numbered = new RecentlyUsed<string, StatementSync>(MAX_STATEMENTS)
  /** Answers that hold until another connection writes, and the state of the file they are of. */
  readonly #remembered = new Map<string, readonly SqlRow[]>()
  #dataVersion = 0
  /** Whether it is known that they hold in this transaction. */
  #isSure = false

  private constructor(database: DatabaseSync) {
    this.database = database
  }

  /** Opens a file, and makes it where there is none. */
  static toWrite(path: string): SqliteConnection {
    return new SqliteConnection(
      opened(
        new DatabaseSync(path),
        `PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON`,
      ),
    )
  }

  /** Opens a file to read it; null where there is none. Tried again for a file that comes into being meanwhile. */
  static toRead(path: string): SqliteConnection | null {
    for (let attempt = 1; ; attempt++)
      try {
        const database = new DatabaseSync(path, { readOnly: true })
        return new SqliteConnection(opened(database, `PRAGMA busy_timeout = ${BUSY_MS}`))
      } catch (error) {
        if (errcodeOf(error) !== CANNOT_OPEN) throw error
        if (!existsSync(path)) return null
        if (attempt === MAX_OPENINGS) throw error
      }
  }

  prepare(text: string, isNumbered: boolean = false): StatementSync {
    return (isNumbered ? this.#numbered : this.#named).of(text, () => {
      const statement = this.database.prepare(text)
      if (isNumbered) statement.setReturnArrays(true)
      return statement
    })
  }

  ask(question: Sql): readonly SqlRow[] {
    const text = sqlText(question, () => '?')
    const statement = this.prepare(text, question.numbered)
    return statement.all(...question.values.map(sqliteValue))
  }

  /** Runs steps to their end in one snapshot; pauses between statements once `turnMs` have passed. */
  async read<T>(steps: SqlSteps<T>, turnMs: number): Promise<T> {
    this.prepare('BEGIN').run()
    this.#isSure = false
    try {
      return await this.runInTurns(steps, new Turns(turnMs))
    } finally {
      this.rollBack()
    }
  }

  /** Runs steps to their end, and lets others go first between statements. Answers may be remembered ones. */
  async runInTurns<T>(steps: SqlSteps<T>, turns: Turns): Promise<T> {
    let step = steps.next()
    while (step.done !== true) {
      step = steps.next(this.#recall(step.value) ?? this.ask(step.value))
      if (turns.isOver) await turns.next()
    }
    return step.value
  }

  /** Within a transaction, so that the answers are of what it sees. */
  #forgetOutdated(): void {
    if (this.#isSure) return
    const [row] = this.prepare('PRAGMA data_version', true).all()
    const version = Number(row?.[0])
    if (version !== this.#dataVersion || this.#remembered.size > MAX_REMEMBERED)
      this.#remembered.clear()
    this.#dataVersion = version
    this.#isSure = true
  }

  #recall(question: Sql): readonly SqlRow[] | null {
    if (question.remembered !== true) return null
    this.#forgetOutdated()
    const key = sqlText(question, () => '?') + JSON.stringify(question.values)
    const known = this.#remembered.get(key)
    if (known !== undefined) return known
    const rows = this.ask(question)
    if (key.length <= MAX_REMEMBERED_LENGTH) this.#remembered.set(key, rows)
    return rows
  }

  run<T>(steps: SqlSteps<T>): T {
    let step = steps.next()
    while (step.done !== true) step = steps.next(this.ask(step.value))
    return step.value
  }

  /** Nothing else may be asked of the connection meanwhile. */
  async transaction<T>(work: () => T | Promise<T>): Promise<T> {
    this.database.exec('BEGIN IMMEDIATE')
    try {
      const result = await work()
      this.database.exec('COMMIT')
      return result
    } catch (error) {
      this.rollBack()
      throw error
    }
  }

  rollBack(): void {
    // A full disk may have ended the transaction already; the first error is the one to tell.
    if (this.database.isOpen && this.database.isTransaction) this.prepare('ROLLBACK').run()
  }

  close(): void {
    this.#named.clear()
    this.#numbered.clear()
    this.database.close()
  }
}

/** A file that is no database is opened first and found out then. */
function opened(database: DatabaseSync, pragmas: string): DatabaseSync {
  try {
    database.exec(pragmas)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function sqliteValue(value: SqlValue): string | number | null | Uint8Array {
  // Lists are written out by the dialect, and the time is an expression here.
  if (Array.isArray(value) || value instanceof DatabaseTime)
    throw new TypeError('SQLite takes neither lists nor the time of a server')
  return value as string | number | null | Uint8Array
}
