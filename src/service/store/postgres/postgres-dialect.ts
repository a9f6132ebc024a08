// Kysely over PostgreSQL: a pool with time limits at every place where a connection can hang.
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { isConnectorError } from '../../../errors.ts'
import { databaseClock, type DatabaseClock } from '../../../database/database-clock.ts'
import { keepsSessions, SESSION_OPTIONS, SET_NODE_TIMEOUT } from '../../../database/sessions.ts'
import type { DatabaseParts } from '../sql/database.ts'
import { storeError, reasonOf } from '../sql/store-errors.ts'

const ACQUIRE_MS = 2000
/** For the look at what a connection is, before anything is asked. */
const CONNECT_MS = 5_000
const STATEMENT_MS = 10_000
/** Where the server itself is silent, the statement's own limit is never reported. */
const SILENCE_MS = 12_000
const IDLE_IN_TRANSACTION_MS = 10_000
const KEEP_ALIVE_AFTER_MS = 10_000
const RECONNECT_PAUSE_MS = 100
const ATTEMPTS = 5
const ROLLED_BACK = { command: 'ROLLBACK', rowCount: 0, rows: [] }
const INT8: number = pg.types.builtins.INT8

/**
 * Who holds the time limits of statements: the session, or, where a pooler keeps none, each transaction, and this process
 * for what stands outside of one.
 */
type Limits = 'session' | 'transaction' | 'none'

const LIMITS = {
  statement_timeout: STATEMENT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
}
const SET_LIMITS = Object.entries(LIMITS)
  .map(([name, ms]) => `; set local ${name} = ${ms}`)
  .join('')
  .concat(`; ${SET_NODE_TIMEOUT}`)

/**
 * The database behind a connection string, with at most so many connections, and one more while it is migrated.
 * Throws `store_unavailable` when it cannot be reached.
 */
export async function postgresParts(url: string, poolSize: number): Promise<DatabaseParts> {
  const isSession = await keepsSessions(url, CONNECT_MS).catch((error: unknown) => {
    throw storeError(error)
  })
  return {
    kind: 'postgres',
    ...postgresDialect(url, poolSize, isSession ? 'session' : 'transaction'),
    unlimitedDialect: () => postgresDialect(url, 1, 'none').dialect,
  }
}

function postgresDialect(
  url: string,
  poolSize: number,
  limits: Limits,
): Required<Pick<DatabaseParts, 'dialect' | 'connections'>> {
  const clock = databaseClock(url)
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'tenon',
    max: poolSize,
    connectionTimeoutMillis: ACQUIRE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser: typeParser },
    ...(limits === 'none' ? {} : { query_timeout: SILENCE_MS }),
    ...(limits === 'session' ? { ...LIMITS, options: SESSION_OPTIONS } : {}),
  })
  // The pool drops a connection that breaks; without a listener its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const afterBegin = limits === 'transaction' ? SET_LIMITS : ''
  return {
    dialect: new PostgresDialect({
      pool: { connect: () => connect(pool, clock, afterBegin), end: () => pool.end(), options: {} },
    }),
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  }
}

/** While the server is away, it is tried again until the time for acquiring a connection is over. */
async function acquire(pool: pg.Pool): Promise<pg.PoolClient> {
  const giveUpAt = performance.now() + ACQUIRE_MS
  for (;;) {
    try {
      return await pool.connect()
    } catch (error) {
      const translated = storeError(error)
      const isOver = performance.now() + RECONNECT_PAUSE_MS > giveUpAt
      if (isOver || !isConnectorError(translated, 'store_unavailable')) throw translated
      await sleep(RECONNECT_PAUSE_MS)
    }
  }
}

/**
 * A connection with errors in our terms, that does not come back to the pool when it is broken.
 *
 * What changes nothing (a read outside a transaction, the begin of one) and meets a broken one is repeated on others:
 * after a restart of the server the pool is full of them.
 */
async function connect(
  pool: pg.Pool,
  clock: DatabaseClock,
  afterBegin: string,
): Promise<PostgresPoolClient> {
  let client: pg.PoolClient | null = await acquire(pool)
  let inTransaction = false

  async function query(given: string, values: readonly unknown[]): Promise<unknown> {
    // The transaction ended with its connection; what is left to do is nothing.
    if (client === null && inTransaction) return ROLLED_BACK
    const begins = /^(begin|start transaction)/.test(given)
    const text = begins ? given + afterBegin : given
    for (let attempt = 1; ; attempt++) {
      try {
        client ??= await acquire(pool)
        const result = await client.query({ text, values: [...(await clock.fill(client, values))] })
        inTransaction ||= begins
        return result
      } catch (error) {
        const translated = storeError(error)
        const reason = reasonOf(translated)
        // After these the connection cannot be used again.
        if (reason !== 'away' && reason !== 'busy') throw translated
        client?.release(true)
        client = null
        const mayRepeat = !inTransaction && (begins || text.startsWith('select'))
        if (!mayRepeat || reason === 'busy' || attempt === ATTEMPTS) throw translated
      }
    }
  }

  return {
    // Kysely's type also covers cursors, which are not used here.
    query: query as PostgresPoolClient['query'],
    release(destroy) {
      client?.release(destroy === true)
      client = null
    },
  }
}

/** 64-bit integers are times and counts here, far below 2^53; pg gives them as text. */
const typeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format)
