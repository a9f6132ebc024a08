// One open database with what all groups of the store share: its clock, transactions, locks.
import {
  CompiledQuery,
  type Dialect,
  Kysely,
  type LogEvent,
  type RawBuilder,
  sql,
  type Transaction,
  type UnknownRow,
} from 'kysely'
import { isNodeAway } from '../../../errors.ts'
import type { Clock } from '../../../engine/exchange/clock.ts'
import { overParts, type PartsAnswer } from '../../../database/citus-parts.ts'
import { DatabaseTime } from '../../../database/database-clock.ts'
import type { StoreConnections } from '../../store/store.ts'
import { readRow, requireDistance, ROW_READER, withMembers } from './row.ts'
import type { TableName, Tables } from './schema.ts'
import { reasonOf } from './store-errors.ts'

/** `all`: nothing of it may be left anywhere when this resolves, which takes as long as it takes to copy the database. */
export type Scrubbed = 'rows' | 'all'

export interface DatabaseParts {
  readonly kind: 'sqlite' | 'postgres'
  readonly dialect: Dialect
  /** For work that may take long: without time limits on statements. */
  readonly unlimitedDialect?: () => Dialect
  readonly connections?: () => StoreConnections
  /** Runs statements in one transaction, without a wait between them; left out: one after another. */
  readonly together?: (queries: readonly CompiledQuery[]) => Promise<void>
  /** Takes what was just deleted off the disk, where that is not the database's own business. */
  readonly scrub?: (what: Scrubbed) => Promise<void>
}

export interface DatabaseOptions {
  /** Instead of the database's clock. */
  readonly clock?: Pick<Clock, 'now'>
  /** Is told every statement. */
  readonly onStatement?: (sql: string) => void
  /** Is told whenever another number of the database's nodes cannot be reached, as statements over all of them find it. */
  readonly onNodesAway?: (count: number) => void
}

/** What a statement over all nodes of a database gives. */
export interface Wide<Row> {
  readonly rows: readonly Row[]
  /** How many rows it removed. */
  readonly removed: number
  /** False: a node is away, and what lies there is missing. */
  readonly isWhole: boolean
}

const ATTEMPTS = 5

/** To be thrown within a transaction: nothing of it happens, and `value` is what it gives. */
export class Undone extends Error {
  readonly value: unknown

  constructor(value: unknown) {
    super('undone')
    this.value = value
  }
}

export class StoreDatabase {
  readonly kind: DatabaseParts['kind']
  readonly db: Kysely<Tables>
  /** As the last statement over all nodes found it. */
  nodesAway = 0
  readonly #parts: DatabaseParts
  readonly #options: DatabaseOptions

  constructor(parts: DatabaseParts, options: DatabaseOptions) {
    this.kind = parts.kind
    this.db = createKysely(parts.dialect, options)
    this.#parts = parts
    this.#options = options
  }

  /** Milliseconds since 1970, as an expression; `ms` later where given. */
  now(ms = 0): RawBuilder<number> {
    const distance = Math.round(ms)
    requireDistance(distance)
    const { clock } = this.#options
    if (clock !== undefined) return sql<number>`cast(${clock.now() + distance} as bigint)`
    return CLOCKS[this.kind](distance)
  }

  /** Runs a transaction; again when it lost against another. `Undone` ends it without a trace and gives its value. */
  async transaction<R>(run: (tx: Transaction<Tables>) => Promise<R>): Promise<R> {
    return await again(async () => {
      try {
        return await this.db.transaction().execute(run)
      } catch (error) {
        // The one who throws it and the one who waits for it agree on its type: both are the same function.
        if (error instanceof Undone) return error.value as R
        throw error
      }
    })
  }

  /** Runs a transaction of statements whose results nobody asks for. */
  async together(queries: readonly CompiledQuery[]): Promise<void> {
    const { together } = this.#parts
    if (together === undefined) {
      await this.transaction(async (tx) => {
        for (const query of queries) await tx.executeQuery(query)
      })
      return
    }
    const { onStatement } = this.#options
    if (onStatement !== undefined) for (const { sql: text } of queries) onStatement(text)
    await again(() => together(queries))
  }

  /**
   * Runs a statement that asks every part of its tables, for lists and jobs. While a node is away, it runs on the parts
   * that answer, each with its own order and limit; throws `store_unavailable` when none does. See `overParts` for what
   * the statement may be.
   */
  async wide<Row>(
    query: CompiledQuery<Row>,
    ...tables: readonly [TableName, ...(readonly TableName[])]
  ): Promise<Wide<Row>> {
    try {
      const { rows, numAffectedRows } = await this.db.executeQuery(query)
      this.#noteNodesAway(0)
      return { rows, removed: Number(numAffectedRows ?? 0), isWhole: true }
    } catch (error) {
      if (!isNodeAway(error)) throw error
      const text = query.sql.startsWith('delete') ? `${query.sql} returning 1 as one` : query.sql
      const asked = overParts({ text, parameters: query.parameters }, tables)
      const { rows: nodes } = await this.db.executeQuery<PartsAnswer>(
        CompiledQuery.raw(asked.text, [...asked.parameters]),
      )
      const answers = nodes.filter(({ success }) => success)
      if (answers.length === 0) throw error
      this.#noteNodesAway(nodes.length - answers.length)
      // Read as the rows of a statement are; the caller says what they are.
      const rows = answers.flatMap(({ result }) =>
        (JSON.parse(result) as UnknownRow[]).map(readRow),
      )
      return { rows: rows as Row[], removed: rows.length, isWhole: answers.length === nodes.length }
    }
  }

  #noteNodesAway(count: number): void {
    if (count !== this.nodesAway) this.#options.onNodesAway?.(count)
    this.nodesAway = count
  }

  async withoutLimits<R>(run: (db: Kysely<Tables>) => Promise<R>): Promise<R> {
    const { unlimitedDialect } = this.#parts
    if (unlimitedDialect === undefined) return await run(this.db)
    const unlimited = createKysely(unlimitedDialect(), this.#options)
    try {
      return await run(unlimited)
    } finally {
      await unlimited.destroy()
    }
  }

  async scrub(what: Scrubbed = 'rows'): Promise<void> {
    await this.#parts.scrub?.(what)
  }
}

/** Runs what may lose against another transaction. */
async function again<R>(run: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (reasonOf(error) !== 'conflict' || attempt === ATTEMPTS) throw error
    }
  }
}

/** The time of the database when a statement is sent, and so many milliseconds. */
const CLOCKS: Readonly<Record<StoreDatabase['kind'], (ms: number) => RawBuilder<number>>> = {
  sqlite: (ms) =>
    ms === 0
      ? sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`
      : sql<number>`(cast(round(unixepoch('subsec') * 1000) as integer) + cast(${ms} as integer))`,
  postgres: (ms) => sql<number>`cast(${new DatabaseTime(ms)} as bigint)`,
}

function createKysely(dialect: Dialect, { onStatement }: DatabaseOptions): Kysely<Tables> {
  const log = onStatement === undefined ? [] : ({ query }: LogEvent) => onStatement(query.sql)
  return new Kysely<Tables>({ dialect: withMembers(dialect), plugins: [ROW_READER], log })
}
