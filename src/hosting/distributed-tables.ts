// The tables of the store and of the copies on Citus.
import type { Spread } from '../database/spread.ts'
import { ConnectorError } from '../errors.ts'
import { COPY_PLACEMENTS } from '../copy/postgres/copy-tables.ts'
import type { ServiceSettings } from '../service/settings.ts'
import { PLACEMENTS, WITHOUT_KEY } from '../service/store/sql/distribution.ts'

const TABLES = { ...PLACEMENTS, ...COPY_PLACEMENTS }

/**
 * Distributes the tables that are there and not distributed yet, while services use them: `distribute <table>` for each,
 * none where there is no Citus.
 */
export async function distributeWhileServing({
  databaseUrl,
}: ServiceSettings): Promise<readonly string[]> {
  if (databaseUrl === null) return []
  // pg is loaded by who uses it.
  const { distributeLive } = await import('../database/live-distribution.ts')
  const names = await distributeLive(databaseUrl, TABLES, WITHOUT_KEY)
  return names.map((name) => `distribute ${name}`)
}

/**
 * How the tables and the largest tenants, so many at most, lie on the nodes of the database. Throws `config_invalid` where
 * the store is embedded, and `store_unavailable`.
 */
export async function spreadOf({ databaseUrl }: ServiceSettings, limit: number): Promise<Spread> {
  if (databaseUrl === null)
    throw new ConnectorError(
      'config_invalid',
      'an embedded store lies in one folder; DATABASE_URL names a PostgreSQL, whose nodes can be looked at',
    )
  const { readSpread } = await import('../database/spread.ts')
  return await readSpread(databaseUrl, Object.keys(TABLES), limit)
}
