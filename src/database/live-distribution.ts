// Tables that are distributed on Citus while a service uses them, over a connection without time limits.
import pg from 'pg'
import { ConnectorError } from '../errors.ts'
import { distributeOnline, type ForeignKey, type Placement } from './citus.ts'

/**
 * Distributes what is not distributed yet, and gives the names of the tables. Throws `store_unavailable`, not retryable,
 * with what Citus says and what it needs.
 */
export async function distributeLive(
  url: string,
  placements: Readonly<Record<string, Placement>>,
  without: ForeignKey,
): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'tenon' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const run = async (text: string) => (await client.query<object>(text)).rows
    return await distributeOnline(run, placements, without)
  } catch (error) {
    throw new ConnectorError(
      'store_unavailable',
      `tables could not be distributed while they are used (${error instanceof Error ? error.message : String(error)}): Citus needs wal_level = logical on every node, and its library in output_plugin_libraries where a server has this setting`,
      { retryable: false, cause: error },
    )
  } finally {
    await client.end()
  }
}
