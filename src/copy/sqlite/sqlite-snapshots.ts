// Reading a SQLite file of copies: each of its connections sees one state of the file, whatever is written meanwhile.
import { setImmediate } from 'node:timers/promises'

import { fileShare } from '../../database/descriptors.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { sql, type SqlSteps } from '../sql/sql.ts'

/** A read that takes longer lets others go first. */
const TURN_MS = 5
const MAX_FREE = fileShare().readers

/** There is no file, or it has no tables yet. */
export class NoCopies extends Error {
  override readonly name = 'NoCopies'
}

export class SqliteSnapshots {
  readonly #path: string
  readonly #free: SqliteConnection[] = []
  #reading = 0

  constructor(path: string) {
    this.#path = path
  }

  get idle(): boolean {
    return this.#reading === 0
  }

  /** Runs steps to their end, in one snapshot. Throws `NoCopies`. */
  async read<T>(steps: SqlSteps<T>): Promise<T> {
    const connection = this.#free.pop() ?? openReader(this.#path)
    this.#reading++
    try {
      return await connection.read(steps, TURN_MS)
    } finally {
      this.#reading--
      if (this.#free.length < MAX_FREE) this.#free.push(connection)
      else connection.close()
    }
  }

  /** One reader stays, and remembers nothing of the pages. */
  rest(): void {
    for (const connection of this.#free.splice(1)) connection.close()
    this.#free[0]?.database.exec('PRAGMA shrink_memory')
  }

  async close(): Promise<void> {
    while (!this.idle) await setImmediate()
    for (const connection of this.#free.splice(0)) connection.close()
  }
}

function openReader(path: string): SqliteConnection {
  const connection = SqliteConnection.toRead(path)
  if (connection === null) throw new NoCopies()
  try {
    const [table] = connection.ask(sql`SELECT 1 FROM sqlite_schema WHERE name = 'replica_scope'`)
    if (table !== undefined) return connection
    throw new NoCopies()
  } catch (error) {
    connection.close()
    throw error
  }
}
