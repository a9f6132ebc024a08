// Where the synchronized copies lie: beside the rows of the service.
import { join } from 'node:path'
import { openSqliteSearchIndex } from '../adapters/search/sqlite-search-index.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { ServiceSettings } from '../service/settings.ts'

/** Opens the copies: a file per instance in the data folder, or tables in PostgreSQL. */
export async function openCopies(
  settings: Pick<ServiceSettings, 'data' | 'databaseUrl' | 'databasePool'>,
): Promise<SearchIndex> {
  const { databaseUrl, databasePool, data } = settings
  if (databaseUrl === null) return openSqliteSearchIndex({ folder: join(data, 'copies') })
  // pg is loaded by who uses it.
  const { openPostgresSearchIndex } = await import('../adapters/search/postgres-search-index.ts')
  return await openPostgresSearchIndex({ url: databaseUrl, poolSize: databasePool })
}
