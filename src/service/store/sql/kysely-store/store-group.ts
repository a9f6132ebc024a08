// What all groups of the store's functions share: their database, its clock, and the removal of what is old.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { StoreDatabase } from '../database.ts'
import type { TableName, Tables } from '../schema.ts'
import { Rows } from '../statements.ts'

const SEQUENCES_AT_ONCE = 500

/** One group of functions over a database. They are own members, so that what wraps a store can copy them. */
export abstract class StoreGroup {
  protected readonly database: StoreDatabase
  protected readonly rows: Rows
  protected readonly db: Kysely<Tables>

  constructor(database: StoreDatabase) {
    this.database = database
    this.rows = new Rows(database)
    this.db = database.db
  }

  /** Milliseconds since 1970 by the database's clock, as an expression; `ms` later where given. */
  protected now(ms = 0): RawBuilder<number> {
    return this.database.now(ms)
  }

  /** Removes old rows of numbered sequences: each up to its newest row before a time. How many. */
  protected async removeOld(
    beforeMs: number,
    [table, column]: readonly [table: TableName, column: string],
    removeUpTo: (id: string, last: number) => Promise<number>,
  ): Promise<number> {
    let removed = 0
    for (;;) {
      const query = sql<{
        readonly id: string
        readonly last: number
      }>`select ${sql.ref(column)} as id,
        max(seq) as last from ${sql.table(table)} where at < ${beforeMs}
        group by ${sql.ref(column)} limit ${SEQUENCES_AT_ONCE}`
      const { rows } = await this.database.wide(query.compile(this.db), table)
      for (const { id, last } of rows) removed += await removeUpTo(id, last)
      if (rows.length < SEQUENCES_AT_ONCE) return removed
    }
  }
}
