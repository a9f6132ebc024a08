// Whether a connection is a session of the server: a pooler that hands connections on by transaction keeps nothing of one.
import pg from 'pg'

/** Only a limit that was asked for has this value. */
const PROBED_MS = 98_765
/** PostgreSQL's "protocol violation": with it PgBouncer refuses parameters of a session. */
const PROTOCOL_VIOLATION = '08P01'

/**
 * What every session begins with: on Citus, a node that does not answer is given up long before the statement is. Where the
 * connection string has `options`, those hold. PostgreSQL takes the name without Citus, too.
 */
export const SESSION_OPTIONS = '-c citus.node_connection_timeout=2000'
/** The same within one transaction. */
export const SET_NODE_TIMEOUT = 'set local citus.node_connection_timeout = 2000'

/** By connection string. */
const known = new Map<string, boolean>()

/**
 * Whether time limits that a connection begins with hold for its statements. False behind PgBouncer in transaction mode,
 * which refuses them or, told to ignore them, drops them: then each transaction has to bring its own.
 *
 * Connects once for each connection string. Throws what the driver throws when the database cannot be reached.
 */
export async function keepsSessions(url: string, timeoutMs: number): Promise<boolean> {
  const found = known.get(url)
  if (found !== undefined) return found
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tenon',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: PROBED_MS,
    options: SESSION_OPTIONS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ readonly ms: string }>(
      "select setting as ms from pg_settings where name = 'statement_timeout'",
    )
    known.set(url, rows[0]?.ms === String(PROBED_MS))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code !== PROTOCOL_VIOLATION) throw error
    known.set(url, false)
  } finally {
    await client.end().catch(() => undefined)
  }
  return known.get(url) === true
}
