// Kysely over PostgreSQL: a pool with time limits at every place where a connection can hang.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { isConnectorError } from '../../errors.ts'
import { isAway, postgresError } from './store-errors.ts'

const ACQUIRE_MS = 2000
const STATEMENT_MS = 10_000
/** Where the server itself is silent, the statement's own limit is never reported. */
const SILENCE_MS = 12_000
const IDLE_IN_TRANSACTION_MS = 10_000
const KEEP_ALIVE_AFTER_MS = 10_000
const RECONNECT_PAUSE_MS = 100
/** PostgreSQL's number of the type bigint. */
const INT8: number = pg.types.builtins.INT8

export interface PostgresOptions {
  /** At most so many connections. */
  readonly poolSize: number
  /** Whether statements have time limits. */
  readonly limited: boolean
}

export function postgresDialect(url: string, { poolSize, limited }: PostgresOptions): Dialect {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'tenon',
    max: poolSize,
    connectionTimeoutMillis: ACQUIRE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser: typeParser },
    ...(limited
      ? {
          statement_timeout: STATEMENT_MS,
          query_timeout: SILENCE_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
        }
      : {}),
  })
  // An idle connection that breaks leaves the pool by itself; without a listener it would end the process.
  pool.on('error', () => {})
  return new PostgresDialect({
    pool: { connect: () => connect(pool), end: () => pool.end(), options: {} },
  })
}

/** A connection. While the server is away it is tried again until the time for acquiring one is over. */
async function connect(pool: pg.Pool): Promise<PostgresPoolClient> {
  const giveUpAt = performance.now() + ACQUIRE_MS
  for (;;) {
    try {
      return guarded(await pool.connect())
    } catch (error) {
      const translated = postgresError(error)
      const isOver = performance.now() + RECONNECT_PAUSE_MS > giveUpAt
      if (isOver || !isConnectorError(translated, 'store_unavailable')) throw translated
      await sleep(RECONNECT_PAUSE_MS)
    }
  }
}

/** Errors in our terms, and no broken connection back in the pool. */
function guarded(client: pg.PoolClient): PostgresPoolClient {
  let isBroken = false
  async function query(text: string, values: readonly unknown[]): Promise<unknown> {
    try {
      return await client.query({ text, values: [...values] })
    } catch (error) {
      const translated = postgresError(error)
      isBroken ||= isAway(translated)
      throw translated
    }
  }
  return {
    // Kysely's type also covers cursors, which are not used here.
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy === true || isBroken),
  }
}

/** 64-bit integers are times and counts here, far below 2^53; pg gives them as text. */
const typeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format)
