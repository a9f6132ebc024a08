// Empty stores of copies for one measurement each, and pages of records written to them as a sync does.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openPostgresSearchIndex } from '../../src/copy/postgres/postgres-search-index.ts'
import { openSqliteSearchIndex } from '../../src/copy/sqlite/sqlite-search-index.ts'
import type { CopyState, SearchIndex } from '../../src/copy/search/search-index.ts'
import { createTestDatabase, type TestDatabase } from '../../test/fixtures/postgres.ts'
import { setup, teardown } from '../../test/fixtures/postgres-server.ts'
import { ISSUES } from './issues.ts'

export const INSTANCE = 'bench'
/** A store with an empty copy in it. */
export interface OpenStore extends AsyncDisposable {
  readonly index: SearchIndex
  readonly copy: CopyState
}

export interface SqliteStore extends OpenStore {
  readonly folder: string
  /** The file of the copy. */
  readonly path: string
}

export interface PostgresStore extends OpenStore {
  readonly database: TestDatabase
}

async function emptyCopy(index: SearchIndex): Promise<CopyState> {
  return await index.prepare({ instanceId: INSTANCE, entity: ISSUES.entity }, ISSUES)
}

export async function openSqlite(): Promise<SqliteStore> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'))
  const index = openSqliteSearchIndex({ folder })
  return {
    index,
    copy: await emptyCopy(index),
    folder,
    path: join(folder, `${INSTANCE}.sqlite`),
    async [Symbol.asyncDispose]() {
      await index.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server of its own, for as long as it is not disposed of. */
export function startPostgres(): Disposable {
  setup()
  return { [Symbol.dispose]: teardown }
}

/** Null where no PostgreSQL can be started. */
export async function openPostgres(): Promise<PostgresStore | null> {
  const database = await createTestDatabase()
  if (database === null) return null
  const index = await openPostgresSearchIndex({ url: database.url })
  return {
    index,
    copy: await emptyCopy(index),
    database,
    async [Symbol.asyncDispose]() {
      await index.close()
      await database.drop()
    },
  }
}
