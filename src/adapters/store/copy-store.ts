// Copies everything from one store into another, whatever databases they are.
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Store } from '../../store/store.ts'
import { databaseOf } from './open-store.ts'
import { type Executor, PRIMARY_KEYS, type TableName } from './schema.ts'

type Row = Readonly<Record<string, unknown>>

/** A statement takes 32,766 values at most, and the widest table has 21 columns. */
const ROWS_AT_ONCE = 500

export interface CopyReport {
  /** Rows by table. */
  readonly rows: Readonly<Record<TableName, number>>
}

/** The target has rows already; nothing was copied. */
export class TargetNotEmptyError extends Error {
  override readonly name = 'TargetNotEmptyError'
  readonly table: TableName

  constructor(table: TableName) {
    super(
      `the target store is not empty: its table ${table} has rows; copy into a new folder or a new database`,
    )
    this.table = table
  }
}

/**
 * Copies all rows of a store into an empty one: all of them, or none. What is sealed stays sealed by the same keys.
 * Syncs are due at once: copies of records do not come along, and nothing can be searched before they are filled.
 *
 * `onProgress` is told how many rows were copied so far. Reads a snapshot; services should be stopped all the same, because what they write later is not in it.
 * Throws TargetNotEmptyError, and `store_unavailable`.
 */
export async function copyStore(
  from: Store,
  to: Store,
  onProgress: (rows: number) => void = () => {},
): Promise<CopyReport> {
  const source = databaseOf(from)
  const target = databaseOf(to)
  const tables = Object.keys(PRIMARY_KEYS) as TableName[]
  return await source.withoutLimits((sourceDb) =>
    target.withoutLimits(async (targetDb) => {
      const reading = sourceDb.transaction()
      const snapshot =
        source.kind === 'postgres'
          ? reading.setIsolationLevel('repeatable read').setAccessMode('read only')
          : reading
      return await snapshot.execute((read) =>
        targetDb.transaction().execute(async (write) => {
          for (const table of tables) {
            const row = await write.selectFrom(table).selectAll().limit(1).executeTakeFirst()
            if (row !== undefined) throw new TargetNotEmptyError(table)
          }
          const counts: Partial<Record<TableName, number>> = {}
          let total = 0
          for (const table of tables)
            counts[table] = await copyTable(read, write, table, (rows) => {
              total += rows
              onProgress(total)
            })
          // Every table has its count by now.
          return { rows: counts as Record<TableName, number> }
        }),
      )
    }),
  )
}

async function copyTable(
  read: Executor,
  write: Executor,
  table: TableName,
  onRows: (rows: number) => void,
): Promise<number> {
  const key = PRIMARY_KEYS[table]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let count = 0
  let after: RawBuilder<SqlBool> = sql<SqlBool>`1 = 1`
  for (;;) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${after}
      order by ${columns} limit ${ROWS_AT_ONCE}`.execute(read)
    const last = rows.at(-1)
    if (last === undefined) return count
    await write
      .insertInto(table)
      .values(table === 'job' ? rows.map(dueNow) : rows)
      .execute()
    count += rows.length
    onRows(rows.length)
    after = sql<SqlBool>`(${columns}) > (${sql.join(key.map((column) => last[column]))})`
  }
}

function dueNow(job: Row): Row {
  return job['kind'] === 'sync'
    ? { ...job, due_at: Math.min(Number(job['due_at']), Date.now()) }
    : job
}
