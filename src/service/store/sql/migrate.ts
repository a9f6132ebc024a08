// Brings the schema of a store up to date: all pending steps in one transaction, one process at a time.
import type { Kysely } from 'kysely'
import { pendingSteps, runSteps, type Schema, untilFree } from '../../../database/migrate.ts'
import type { StoreDatabase } from './database.ts'
import { distributeTables, runIn, undistributedTables } from './distribution.ts'
import type { Tables } from './schema.ts'
import { reasonOf } from './store-errors.ts'

export interface ColumnTypes {
  /** Compared byte by byte. */
  readonly text: string
  /** 64 bits. */
  readonly integer: string
  readonly bytes: string
  /** What follows the columns of a table. */
  readonly options: string
  /** The same for a table of many rows that are read in the order of its key: they lie in it. */
  readonly inOrder: string
  /** The function that finds a text in another one: its place, from 1; 0: it is not there. */
  readonly find: string
}

export interface Migration {
  readonly name: string
  /** SQL statements, run in order within the one transaction of all pending steps. */
  readonly statements: (types: ColumnTypes) => readonly string[]
}

const TYPES: Readonly<Record<StoreDatabase['kind'], ColumnTypes>> = {
  sqlite: {
    text: 'text',
    integer: 'integer',
    bytes: 'blob',
    options: 'strict',
    inOrder: 'strict, without rowid',
    find: 'instr',
  },
  postgres: {
    text: 'text collate "C"',
    integer: 'bigint',
    bytes: 'bytea',
    options: '',
    inOrder: '',
    find: 'strpos',
  },
}

/** Any number, the same in every process that migrates. */
const LOCK = 7_308_332_162

function schemaOf({ kind }: StoreDatabase, migrations: readonly Migration[]): Schema {
  const types = TYPES[kind]
  const steps = migrations.map(({ name, statements }) => ({
    name,
    get statements() {
      return statements(types)
    },
  }))
  return { kind, name: 'the store', table: 'schema_migration', types, lock: LOCK, steps }
}

/** How many steps have not run. Throws `store_unavailable`, not retryable, when steps ran that are unknown here. */
export async function pendingMigrations(
  database: StoreDatabase,
  migrations: readonly Migration[],
): Promise<number> {
  return await pendingSteps(runIn(database.db), schemaOf(database, migrations))
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
  return await database.withoutLimits((db) =>
    untilFree(
      () => migrate(database, db, migrations),
      (error) => reasonOf(error) === 'conflict',
    ),
  )
}

async function migrate(
  database: StoreDatabase,
  db: Kysely<Tables>,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  return await db.transaction().execute(async (tx) => {
    const nowMs = async (): Promise<number> =>
      (await tx.selectNoFrom(database.now().as('now')).executeTakeFirstOrThrow()).now
    const steps = await runSteps(runIn(tx), schemaOf(database, migrations), nowMs)
    const distributed = await distributeTables(database, tx)
    return [...steps, ...distributed.map((name) => `distribute ${name}`)]
  })
}
