// Brings a schema up to date: all pending steps in one transaction, one process at a time.
import { type Kysely, sql } from 'kysely'
import { ConnectorError } from '../../../errors.ts'
import type { StoreDatabase } from './database.ts'
import { distributeTables, undistributedTables } from './distribution.ts'
import type { Executor, Tables } from './schema.ts'
import { reasonOf } from './store-errors.ts'

export interface ColumnTypes {
  /** Compared byte by byte. */
  readonly text: string
  /** 64 bits. */
  readonly integer: string
  readonly bytes: string
  /** What follows the columns of a table. */
  readonly options: string
}

export interface Migration {
  readonly name: string
  /** SQL statements, run in order within the one transaction of all pending steps. */
  readonly statements: (types: ColumnTypes) => readonly string[]
}

const TYPES: Readonly<Record<StoreDatabase['kind'], ColumnTypes>> = {
  sqlite: { text: 'text', integer: 'integer', bytes: 'blob', options: 'strict' },
  postgres: { text: 'text collate "C"', integer: 'bigint', bytes: 'bytea', options: '' },
}

/** Any number, the same in every process that migrates. */
const LOCK = 7_308_332_162
/** How long another process may migrate before this one gives up. */
const WAIT_MS = 60_000

/** How many steps have not run. Throws `store_unavailable`, not retryable, when steps ran that are unknown here. */
export async function pendingMigrations(
  database: StoreDatabase,
  migrations: readonly Migration[],
): Promise<number> {
  return migrations.length - (await versionOf(database, database.db, migrations))
}

/**
 * Runs the pending steps, and distributes on Citus what is not: all of it, or nothing. The names of the steps that ran,
 * and `distribute <table>`.
 *
 * Safe when many processes start at once: one of them does the work, the others wait and find it done.
 * Throws like `pendingMigrations`.
 */
export async function runMigrations(
  database: StoreDatabase,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const pending = await pendingMigrations(database, migrations)
  if (pending === 0 && (await undistributedTables(database)).length === 0) return []
  return await database.withoutLimits(async (db) => {
    const giveUpAt = performance.now() + WAIT_MS
    for (;;) {
      try {
        return await migrate(database, db, migrations)
      } catch (error) {
        if (reasonOf(error) !== 'conflict' || performance.now() > giveUpAt) throw error
      }
    }
  })
}

async function migrate(
  database: StoreDatabase,
  db: Kysely<Tables>,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  return await db.transaction().execute(async (tx) => {
    if (database.kind === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    const version = await versionOf(database, tx, migrations)
    const types = TYPES[database.kind]
    await sql
      .raw(
        `create table if not exists schema_migration (version ${types.integer} not null primary key, name ${types.text} not null, applied_at ${types.integer} not null) ${types.options}`,
      )
      .execute(tx)
    const pending = migrations.slice(version)
    for (const [index, { name, statements }] of pending.entries()) {
      for (const statement of statements(types)) await sql.raw(statement).execute(tx)
      await sql`insert into schema_migration (version, name, applied_at)
        values (${version + index + 1}, ${name}, ${database.now()})`.execute(tx)
    }
    const distributed = await distributeTables(database, tx)
    return [...pending.map(({ name }) => name), ...distributed.map((name) => `distribute ${name}`)]
  })
}

async function versionOf(
  { kind }: StoreDatabase,
  db: Executor,
  migrations: readonly Migration[],
): Promise<number> {
  const known =
    kind === 'sqlite'
      ? sql`select 1 as found from sqlite_schema where name = 'schema_migration'`
      : sql`select 1 as found where to_regclass('schema_migration') is not null`
  if ((await known.execute(db)).rows.length === 0) return 0
  const { rows } = await sql<{
    readonly version: number
  }>`select coalesce(max(version), 0) as version from schema_migration`.execute(db)
  const version = rows[0]?.version ?? 0
  if (version > migrations.length) {
    throw new ConnectorError(
      'store_unavailable',
      `the store has schema ${version}, and this version of Tenon knows ${migrations.length} only: start the newer version that made it, or one after it`,
      { retryable: false, details: { schema: version, known: migrations.length } },
    )
  }
  return version
}
