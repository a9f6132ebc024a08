// One open database with what all groups of the store share: its clock, transactions, locks.
import { type Dialect, Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Clock } from '../../../engine/exchange/clock.ts'
import { DatabaseTime } from '../../../database/database-clock.ts'
import type { StoreConnections } from '../../store/store.ts'
import type { Tables } from './schema.ts'
import { isConflict } from './store-errors.ts'
import { requireDistance } from './stored-number.ts'

/** What a database brings along. */
export interface DatabaseParts {
  readonly kind: 'sqlite' | 'postgres'
  readonly dialect: Dialect
  /** For work that may take long: without time limits on statements. */
  readonly unlimitedDialect?: () => Dialect
  /** How its pool stands. */
  readonly connections?: () => StoreConnections
  /** Takes what was just deleted off the disk, where that is not the database's own business. */
  readonly scrub?: () => Promise<void>
}

export interface DatabaseOptions {
  /** Instead of the database's clock. */
  readonly clock?: Pick<Clock, 'now'>
  /** Is told every statement. */
  readonly onStatement?: (sql: string) => void
}

export interface StoreDatabase {
  readonly kind: 'sqlite' | 'postgres'
  readonly db: Kysely<Tables>
  /** Milliseconds since 1970, as an expression. */
  readonly now: () => RawBuilder<number>
  /** That time, and so many milliseconds. */
  readonly in: (ms: number) => RawBuilder<number>
  /**
   * Runs a transaction; again, from its beginning, when it lost against another one. `undo` ends it without a trace and
   * gives its value.
   */
  transaction<R>(run: (tx: Transaction<Tables>) => Promise<R>): Promise<R>
  /** Locks the rows of a query until the transaction ends. SQLite has one writer at a time anyway. */
  lock<Q extends Lockable<Q>>(query: Q): Q
  withoutLimits<R>(run: (db: Kysely<Tables>) => Promise<R>): Promise<R>
  scrub(): Promise<void>
}

interface Lockable<Q> {
  forUpdate(): Q
}

const ATTEMPTS = 5

/** What ends a transaction without a trace, and with a value. */
class Undone extends Error {
  readonly value: unknown

  constructor(value: unknown) {
    super('undone')
    this.value = value
  }
}

/** To be thrown within a transaction: nothing of it happens, and `value` is what it gives. */
export function undo(value: unknown): Error {
  return new Undone(value)
}

export function createDatabase(parts: DatabaseParts, options: DatabaseOptions): StoreDatabase {
  const { kind } = parts
  const { clock, onStatement } = options
  const db = kyselyOf(parts.dialect, onStatement)

  function later(ms: number): RawBuilder<number> {
    requireDistance(ms)
    if (clock !== undefined) return sql<number>`cast(${clock.now() + ms} as bigint)`
    return CLOCKS[kind](ms)
  }

  return {
    kind,
    db,
    now: () => later(0),
    in: (ms) => later(Math.round(ms)),
    async transaction(run) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await db.transaction().execute(run)
        } catch (error) {
          // The one who throws it and the one who waits for it agree on its type: both are the same function.
          if (error instanceof Undone) return error.value as Awaited<ReturnType<typeof run>>
          if (!isConflict(error) || attempt === ATTEMPTS) throw error
        }
      }
    },
    lock: (query) => (kind === 'postgres' ? query.forUpdate() : query),
    async withoutLimits(run) {
      if (parts.unlimitedDialect === undefined) return await run(db)
      const unlimited = kyselyOf(parts.unlimitedDialect(), onStatement)
      try {
        return await run(unlimited)
      } finally {
        await unlimited.destroy()
      }
    },
    scrub: async () => await parts.scrub?.(),
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

function kyselyOf(
  dialect: Dialect,
  onStatement: ((sql: string) => void) | undefined,
): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect,
    ...(onStatement === undefined
      ? {}
      : {
          log: ({ query }: { readonly query: { readonly sql: string } }) => onStatement(query.sql),
        }),
  })
}
