// A store as one SQLite file, whatever database it lies in.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Store } from '../../store/store.ts'
import { type BadRow, copyStore } from './copy-store.ts'
import { databaseOf, openStore } from './open-store.ts'
import { PRIMARY_KEYS, type TableName } from '../sql/schema.ts'
import { isUnreadable } from '../sql/row.ts'

export interface BackupContents {
  /** How many steps of the schema it has. */
  readonly schema: number
  readonly rows: Readonly<Record<string, number>>
  readonly bytes: number
  /** Of the file, hex. */
  readonly sha256: string
  /** Ids of the master keys that its data keys are wrapped under. They are not in it. */
  readonly master_keys: readonly string[]
}

/**
 * Writes everything a store holds into a new file, readable by this user only. What it reads is one moment: services may
 * go on writing, and what they write later is not in it; on Citus they wait for a moment. Erased rows are not in it either.
 *
 * The file is read back whole before it counts: given are the rows that cannot be restored, those that are in the file
 * and those that could not be written into it.
 *
 * Throws `store_unavailable`, and EEXIST when the file is there.
 */
export async function writeBackup(
  store: Store,
  file: string,
  onProgress?: (rows: number) => void,
): Promise<readonly BadRow[]> {
  // SQLite would make it with the rights of any new file; it takes an empty one as it is.
  await (await open(file, 'wx', 0o600)).close()
  try {
    const skipped =
      databaseOf(store).kind === 'sqlite'
        ? await vacuumInto(store, file)
        : await throughSqlite(store, file, onProgress)
    const handle = await open(file, 'r+')
    await handle.sync()
    await handle.close()
    return [...skipped, ...readBack(file)]
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

async function vacuumInto(store: Store, file: string): Promise<readonly BadRow[]> {
  await sql`vacuum into ${file}`.execute(databaseOf(store).db)
  return []
}

/** The rows with numbers that do not come back as they were written. Throws where SQLite finds the file damaged. */
function readBack(file: string): readonly BadRow[] {
  using database = new DatabaseSync(file, { readOnly: true })
  const [health] = database.prepare('pragma integrity_check(1)').all()
  if (health?.['integrity_check'] !== 'ok')
    throw new Error(`the backup cannot be read back: ${String(health?.['integrity_check'])}`)
  const bad: BadRow[] = []
  for (const table of tablesIn(database)) {
    const statement = database.prepare(`select * from "${table}"`)
    statement.setReadBigInts(true)
    for (const row of statement.iterate()) {
      const column = Object.keys(row).find((name) => isUnreadable(numberOf(row[name])))
      if (column === undefined) continue
      const key = Object.fromEntries(PRIMARY_KEYS[table].map((name) => [name, row[name]]))
      bad.push({ table, key, problem: `${column} is out of range` })
    }
  }
  return bad
}

function numberOf(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

/** Tables that a backup of any version has. */
function tablesIn(database: DatabaseSync): readonly TableName[] {
  const known = new Set(
    database
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map(({ name }) => name),
  )
  return (Object.keys(PRIMARY_KEYS) as TableName[]).filter((table) => known.has(table))
}

async function throughSqlite(
  store: Store,
  file: string,
  onProgress?: (rows: number) => void,
): Promise<readonly BadRow[]> {
  await using opened = new AsyncDisposableStack()
  // In the folder of the file: there is room for one, so there may be room for two, unlike in a small /tmp.
  const prefix = join(dirname(file), '.tenon-backup-')
  const folder = opened.adopt(await mkdtemp(prefix), (path) =>
    rm(path, { recursive: true, force: true }),
  )
  const copy = opened.adopt(await openStore({ folder }), (open) => open.close())
  const progress = onProgress === undefined ? {} : { onProgress }
  const { skipped } = await copyStore(store, copy, { skip: true, ...progress })
  await vacuumInto(copy, file)
  return skipped
}

/** What is in a backup. Throws what SQLite throws when the file is none of its own. */
export async function contentsOf(file: string): Promise<BackupContents> {
  const { bytes, sha256 } = await digestOf(file)
  using database = new DatabaseSync(file, { readOnly: true })
  const number = (text: string): number => Number(database.prepare(text).get()?.['value'] ?? 0)
  const rows = tablesIn(database).map(
    (table) => [table, number(`select count(*) as value from "${table}"`)] as const,
  )
  const keys = database.prepare('select distinct key_id from data_key order by key_id').all()
  return {
    schema: number('select max(version) as value from schema_migration'),
    rows: Object.fromEntries(rows),
    bytes,
    sha256,
    master_keys: keys.map((row) => String(row['key_id'])),
  }
}

export async function digestOf(file: string): Promise<Pick<BackupContents, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
