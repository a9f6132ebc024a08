// Copies everything from one store into another, whatever databases they are.
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { isConnectorError } from '../../../errors.ts'
import type { Store } from '../../store/store.ts'
import type { StoreDatabase } from '../sql/database.ts'
import { databaseOf } from './open-store.ts'
import { type Executor, PRIMARY_KEYS, type TableName } from '../sql/schema.ts'
import { readOneMoment } from '../sql/one-moment.ts'
import { isUnreadable } from '../sql/row.ts'

type Row = Readonly<Record<string, unknown>>

/** A statement takes 32,766 values at most, and the widest table has 21 columns. */
const ROWS_AT_ONCE = 500

export interface CopyReport {
  readonly rows: Readonly<Record<TableName, number>>
  /** What was left out because it cannot be copied. */
  readonly skipped: readonly BadRow[]
}

export interface BadRow {
  readonly table: TableName
  /** The columns of its primary key. */
  readonly key: Readonly<Record<string, unknown>>
  /** Names the column, or what the target says; never a value. */
  readonly problem: string
}

export interface CopyOptions {
  /** Told how many rows were copied so far. */
  readonly onProgress?: (rows: number) => void
  /** Leaves rows out that cannot be copied, instead of ending at the first; default false. */
  readonly skip?: boolean
}

/** `rate_block (owner_id 0199…): blocked_until is out of range` */
export function describeBadRow({ table, key, problem }: BadRow): string {
  const names = Object.entries(key).map(([name, value]) => `${name} ${String(value)}`)
  return `${table} (${names.join(', ')}): ${problem}`
}

/** Nothing was copied. */
export class CopyError extends Error {
  override readonly name = 'CopyError'
  readonly table: TableName
  /** What cannot be copied; null: the target has rows already, in this table. */
  readonly row: BadRow | null

  constructor(table: TableName, row: BadRow | null) {
    super(
      row === null
        ? `the target store is not empty: its table ${table} has rows; copy into a new folder or a new database`
        : describeBadRow(row),
    )
    this.table = table
    this.row = row
  }
}

/**
 * Copies all rows of a store into an empty one: all of them, or none. What is sealed stays sealed by the same keys.
 * Syncs are due at once: copies of records do not come along, and nothing can be searched before they are filled.
 *
 * Reads one moment, also on Citus; what services write later is not in it.
 * Throws CopyError where the target has rows, and for a bad row unless rows may be skipped; `store_unavailable`.
 */
export async function copyStore(
  from: Store,
  to: Store,
  { onProgress = () => {}, skip = false }: CopyOptions = {},
): Promise<CopyReport> {
  const source = databaseOf(from)
  const target = databaseOf(to)
  return await target.withoutLimits((targetDb) =>
    targetDb.transaction().execute((write) =>
      readOneMoment(source, async (read) => {
        const skipped: BadRow[] = []
        const onBadRow = (row: BadRow): void => {
          if (!skip) throw new CopyError(row.table, row)
          skipped.push(row)
        }
        const pages = (table: TableName): Pages => PAGES[source.kind](read, table)
        const writing = { write, kind: target.kind, onBadRow }
        const rows = await copyTables(pages, writing, onProgress)
        return { rows, skipped }
      }),
    ),
  )
}

type Pages = AsyncGenerator<readonly Row[]>

/** All rows of a table, so many at once. */
const PAGES: Readonly<Record<StoreDatabase['kind'], (read: Executor, table: TableName) => Pages>> =
  {
    async *sqlite(read, table) {
      const key = PRIMARY_KEYS[table]
      const columns = sql.join(key.map((column) => sql.ref(column)))
      let after: RawBuilder<SqlBool> = sql<SqlBool>`1 = 1`
      for (;;) {
        const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${after}
          order by ${columns} limit ${ROWS_AT_ONCE}`.execute(read)
        const last = rows.at(-1)
        if (last === undefined) return
        yield rows
        after = sql<SqlBool>`(${columns}) > (${sql.join(key.map((column) => last[column]))})`
      }
    },
    // On Citus every page of a sorted table would ask every shard for as many rows as the page has.
    async *postgres(read, table) {
      await sql`declare copied no scroll cursor for select * from ${sql.table(table)}`.execute(read)
      for (;;) {
        const page = sql<Row>`fetch forward ${sql.lit(ROWS_AT_ONCE)} from copied`
        const { rows } = await page.execute(read)
        if (rows.length === 0) break
        yield rows
      }
      await sql`close copied`.execute(read)
    },
  }

interface Writing {
  readonly write: Executor
  readonly kind: StoreDatabase['kind']
  /** Throws where nothing may be left out. */
  readonly onBadRow: (row: BadRow) => void
}

async function copyTables(
  pagesOf: (table: TableName) => Pages,
  writing: Writing,
  onProgress: (rows: number) => void,
): Promise<CopyReport['rows']> {
  const tables = Object.keys(PRIMARY_KEYS) as TableName[]
  for (const table of tables) {
    const row = await writing.write.selectFrom(table).selectAll().limit(1).executeTakeFirst()
    if (row !== undefined) throw new CopyError(table, null)
  }
  const counts: [TableName, number][] = []
  let total = 0
  for (const table of tables) {
    const before = total
    for await (const rows of pagesOf(table)) {
      total += await writeRows(writing, table, rows)
      onProgress(total)
    }
    counts.push([table, total - before])
  }
  // Every table has its count.
  return Object.fromEntries(counts) as CopyReport['rows']
}

/** Writes rows, and gives how many; those that cannot be written are told one by one. */
async function writeRows(
  writing: Writing,
  table: TableName,
  rows: readonly Row[],
): Promise<number> {
  const { write, kind, onBadRow } = writing
  const good = rows.filter((row) => {
    const problem = problemIn(row, kind)
    if (problem !== null) onBadRow({ table, key: keyOf(table, row), problem })
    return problem === null
  })
  if (good.length === 0) return 0
  const [first] = good
  const refusal = await tryWriting(write, table, good)
  if (refusal === null) return good.length
  if (good.length === 1 && first !== undefined) {
    onBadRow({ table, key: keyOf(table, first), problem: refusal })
    return 0
  }
  let written = 0
  for (const row of good) written += await writeRows(writing, table, [row])
  return written
}

/** Null: they are written. Otherwise why not, and nothing of them is. */
async function tryWriting(
  write: Executor,
  table: TableName,
  rows: readonly Row[],
): Promise<string | null> {
  // A statement that fails ends a transaction of PostgreSQL, but for a savepoint.
  await sql`savepoint batch`.execute(write)
  try {
    await write
      .insertInto(table)
      .values(table === 'job' ? rows.map(dueNow) : rows)
      .execute()
    await sql`release savepoint batch`.execute(write)
    return null
  } catch (error) {
    if (!isConnectorError(error, 'internal_error')) throw error
    await sql`rollback to savepoint batch`.execute(write)
    // Its message names a code of the database and no value.
    return error.message
  }
}

/** What keeps a row from being written as it is; null: nothing that is known. */
function problemIn(row: Row, kind: StoreDatabase['kind']): string | null {
  for (const [column, value] of Object.entries(row)) {
    if (isUnreadable(value)) return `${column} is out of range`
    if (kind === 'postgres' && typeof value === 'string' && value.includes('\0'))
      return `${column} holds a NUL, which PostgreSQL cannot store`
  }
  return null
}

function keyOf(table: TableName, row: Row): BadRow['key'] {
  return Object.fromEntries(PRIMARY_KEYS[table].map((column) => [column, row[column]]))
}

function dueNow(job: Row): Row {
  return job['kind'] === 'sync'
    ? { ...job, due_at: Math.min(Number(job['due_at']), Date.now()) }
    : job
}
