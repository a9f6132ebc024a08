// Kysely over the SQLite thread: reads go to the connection that never waits, changes one after another to the other.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { DatabaseParts } from '../sql/database.ts'
import type { SqliteClient } from './sqlite-client.ts'
import type { SqliteConnection, SqliteStep, SqliteValue } from './sqlite-worker.ts'

/** Kysely's adapter lets one statement run at a time; here the driver decides. */
class ConcurrentAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

export function sqliteParts(
  client: SqliteClient,
): Required<Pick<DatabaseParts, 'dialect' | 'together'>> & Pick<DatabaseParts, 'kind'> {
  const turns = new Turns()
  return {
    kind: 'sqlite',
    dialect: {
      createDriver: () => threadDriver(client, turns),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new ConcurrentAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
    async together(queries) {
      const endTurn = await turns.next()
      const { thread } = client
      try {
        const steps = queries.map(({ sql, parameters }) => step('writer', sql, parameters))
        await client.run([step('writer', 'begin immediate'), ...steps, step('writer', 'commit')])
      } catch (error) {
        // A thread that has ended took its transaction along.
        await client.run([step('writer', 'rollback')], thread).catch(() => {})
        throw error
      } finally {
        endTurn()
      }
    },
  }
}

function threadDriver(client: SqliteClient, turns: Turns): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => new ThreadConnection(client, turns),
    beginTransaction: (connection: ThreadConnection) => connection.begin(),
    commitTransaction: (connection: ThreadConnection) => connection.finish('commit'),
    rollbackTransaction: (connection: ThreadConnection) => connection.finish('rollback'),
    releaseConnection: async (connection: ThreadConnection) => connection.release(),
    destroy: () => client.close(),
  }
}

class ThreadConnection implements DatabaseConnection {
  readonly #client: SqliteClient
  readonly #turns: Turns
  /** Ends this connection's turn to write; null: it has none. */
  #endTurn: (() => void) | null = null
  /** Whether the transaction is open. Its first statement opens it: one message less. */
  #open = false
  #thread: number | undefined

  constructor(client: SqliteClient, turns: Turns) {
    this.#client = client
    this.#turns = turns
  }

  async begin(): Promise<void> {
    this.#endTurn = await this.#turns.next()
    this.#thread = this.#client.thread
  }

  async finish(how: 'commit' | 'rollback'): Promise<void> {
    // Nothing was sent yet.
    if (!this.#open) return
    await this.#client.run([step('writer', how)], this.#thread)
    this.#open = false
  }

  release(): void {
    this.#endTurn?.()
    this.#endTurn = null
    this.#thread = undefined
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#endTurn !== null) {
      const opening = this.#open ? [] : [step('writer', 'begin immediate')]
      this.#open = true
      return await this.#send([...opening, step('writer', sql, parameters)])
    }
    if (query.kind === 'SelectQueryNode' || isRawSelect(query.kind, sql))
      return await this.#send([step('reader', sql, parameters)])
    const endTurn = await this.#turns.next()
    try {
      return await this.#send([step('writer', sql, parameters)])
    } finally {
      endTurn()
    }
  }

  async #send<R>(steps: readonly SqliteStep[]): Promise<QueryResult<R>> {
    const { rows, changes } = await this.#client.run(steps, this.#thread)
    return {
      // The schema says what the rows are.
      rows: rows as R[],
      ...(changes === null ? {} : { numAffectedRows: BigInt(changes) }),
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new TypeError('the SQLite thread does not stream')
  }
}

/** A select as text changes nothing either, and need not wait for its turn to write. */
function isRawSelect(kind: string, sql: string): boolean {
  return kind === 'RawNode' && /^\s*select\b/i.test(sql)
}

/** One writer at a time, in the order of asking. */
class Turns {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when it is the caller's turn, with what ends it. */
  async next(): Promise<() => void> {
    const before = this.#last
    const turn = Promise.withResolvers<void>()
    this.#last = turn.promise
    await before
    return turn.resolve
  }
}

function step(on: SqliteConnection, sql: string, parameters: readonly unknown[] = []): SqliteStep {
  return { on, sql, parameters: parameters.map(sqliteValue) }
}

/** What SQLite can store. Bytes are copied: a view would be sent with all of the buffer behind it. */
function sqliteValue(value: unknown): SqliteValue {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  if (value === null || value === undefined) return null
  throw new TypeError(`SQLite cannot store a ${typeof value}`)
}
