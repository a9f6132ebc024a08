// Brings the tables of copies up to date: numbered steps in one transaction, then the indexes, which no sync waits for.
import pg from 'pg'
import { distribute, type RunSql, undistributed } from '../../database/citus.ts'
import { pendingSteps, runSteps, untilFree } from '../../database/migrate.ts'
import { ConnectorError } from '../../errors.ts'
import { copyError } from '../sql/copy-errors.ts'
import {
  COPY_INDEXES,
  COPY_PLACEMENTS,
  COPY_SCHEMA,
  PARTS_EXTENSIONS,
  PARTS_INDEXES,
} from './copy-tables.ts'

/** What there is, and what is left to do. */
export interface CopiesSchema {
  /** Steps that have not run; all of them where there are no copies yet. */
  readonly steps: number
  /** Indexes that are missing, or whose making was interrupted. */
  readonly indexes: readonly string[]
  /** Whether parts of texts can have an index. */
  readonly hasParts: boolean
  readonly isCitus: boolean
}

/** Held while indexes are made: one process makes them, and the others go on without. */
const INDEX_LOCK = 7_205_401_118
const CONNECT_MS = 10_000
/** Codes of PostgreSQL: what a step waited for was not to be had. */
const HELD: readonly unknown[] = ['55P03', '40P01']
const EXTENSIONS = PARTS_EXTENSIONS.map((name) => `'${name}'`).join(', ')

/** Looks only. Throws `store_unavailable`, and `config_invalid` when the database's encoding is not UTF8. */
export async function lookAtCopies(url: string): Promise<CopiesSchema> {
  return await connected(url, look)
}

/**
 * Runs the steps that have not run and distributes the tables on Citus: `done` has the names of both. The tables of an
 * empty database get their indexes at once. Safe when many processes start together, and when one of them is killed.
 * Throws like `lookAtCopies`.
 */
export async function migrateCopies(
  url: string,
): Promise<CopiesSchema & { readonly done: readonly string[] }> {
  return await connected(url, async (client) => {
    const before = await look(client)
    const run = runIn(client)
    const isWhole = before.hasParts || !(await canHaveParts(run))
    if (before.steps === 0 && isWhole && (await undistributed(run, COPY_PLACEMENTS)).length === 0)
      return { ...before, done: [] }
    const done = await untilFree(
      () => migrate(client, run),
      (error) => HELD.includes(Object(error).code),
    )
    return { ...(await look(client)), done }
  })
}

async function migrate(client: pg.Client, run: RunSql): Promise<readonly string[]> {
  await run('BEGIN')
  try {
    await run(`SELECT pg_advisory_xact_lock(${COPY_SCHEMA.lock})`)
    const isNew = await isTrue(run, "to_regclass('replica_record') IS NULL")
    const steps = await runSteps(run, COPY_SCHEMA, async () =>
      Number(await valueOf(run, 'round(extract(epoch FROM clock_timestamp()) * 1000)')),
    )
    await run('SAVEPOINT parts')
    for (const name of PARTS_EXTENSIONS) {
      // Not installed, or not ours to create: searches do without.
      const isMade = await run(`CREATE EXTENSION IF NOT EXISTS ${name}`).then(
        () => true,
        () => false,
      )
      if (isMade) continue
      await run('ROLLBACK TO parts')
      break
    }
    if (isNew)
      for (const [name, on] of Object.entries(indexesOf(await hasPartsIn(run))))
        await run(`CREATE INDEX ${name} ON ${on}`)
    const distributed = await distribute(run, COPY_PLACEMENTS)
    await run('COMMIT')
    return [...steps, ...distributed.map((name) => `distribute ${name}`)]
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** The making of indexes: the names of those that were made, none where another process is at it. */
export interface IndexWork {
  readonly made: Promise<readonly string[]>
  /** Leaves the rest to the next one. What the server has begun, it finishes. */
  stop(): Promise<void>
}

/** Makes the indexes that are missing while others write. One that was interrupted is dropped and made again. */
export function makeIndexes(url: string): IndexWork {
  // The lock is that of a transaction, and no index can be made within one.
  const [holder, maker] = [clientOf(url), clientOf(url)]
  const stop = async (): Promise<void> => {
    await Promise.all([holder.end(), maker.end()])
  }
  const make = async (): Promise<readonly string[]> => {
    await Promise.all([holder.connect(), maker.connect()])
    await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0')
    if (!(await isTrue(runIn(holder), `pg_try_advisory_xact_lock(${INDEX_LOCK})`))) return []
    const run = runIn(maker)
    // Begun for a process that has ended since.
    if (
      await isTrue(
        run,
        'EXISTS (SELECT FROM pg_stat_progress_create_index WHERE datname = current_database())',
      )
    )
      return []
    const { indexes, hasParts } = await look(maker)
    const definitions = indexesOf(hasParts)
    for (const name of indexes) {
      await run(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
      await run(`CREATE INDEX CONCURRENTLY ${name} ON ${definitions[name]}`)
    }
    return indexes
  }
  const ending = async (): Promise<readonly string[]> => {
    try {
      return await make()
    } catch (error) {
      throw copyError(error)
    } finally {
      await stop()
    }
  }
  return { made: ending(), stop }
}

async function look(client: pg.Client): Promise<CopiesSchema> {
  const run = runIn(client)
  const encoding = await valueOf(run, "current_setting('server_encoding')")
  if (encoding !== 'UTF8')
    throw new ConnectorError(
      'config_invalid',
      `the database's encoding is ${String(encoding)}, not UTF8`,
    )
  const hasParts = await hasPartsIn(run)
  const valid = await run(
    'SELECT c.relname AS name FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relnamespace = current_schema()::regnamespace AND i.indisvalid',
  )
  const names = new Set(valid.map((row) => ('name' in row ? row.name : null)))
  return {
    steps: await pendingSteps(run, COPY_SCHEMA),
    indexes: Object.keys(indexesOf(hasParts)).filter((name) => !names.has(name)),
    hasParts,
    isCitus: await isTrue(run, "EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"),
  }
}

function indexesOf(hasParts: boolean): Readonly<Record<string, string>> {
  return hasParts ? { ...COPY_INDEXES, ...PARTS_INDEXES } : COPY_INDEXES
}

async function hasPartsIn(run: RunSql): Promise<boolean> {
  return await isTrue(
    run,
    `(SELECT count(*) = ${PARTS_EXTENSIONS.length} FROM pg_extension WHERE extname IN (${EXTENSIONS})) AND EXISTS (SELECT FROM pg_opclass WHERE opcname = 'gin_trgm_ops' AND pg_opclass_is_visible(oid))`,
  )
}

async function canHaveParts(run: RunSql): Promise<boolean> {
  return await isTrue(
    run,
    `(SELECT count(*) = ${PARTS_EXTENSIONS.length} FROM pg_available_extensions WHERE name IN (${EXTENSIONS})) AND NOT (SELECT count(*) = ${PARTS_EXTENSIONS.length} FROM pg_extension WHERE extname IN (${EXTENSIONS}))`,
  )
}

async function valueOf(run: RunSql, expression: string): Promise<unknown> {
  const [row] = await run(`SELECT ${expression} AS value`)
  return row !== undefined && 'value' in row ? row.value : null
}

async function isTrue(run: RunSql, condition: string): Promise<boolean> {
  return (await valueOf(run, condition)) === true
}

function runIn(client: pg.Client): RunSql {
  return async (text) => (await client.query<object>(text)).rows
}

function clientOf(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tenon-search',
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', () => undefined)
  return client
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = clientOf(url)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw copyError(error)
  } finally {
    await client.end()
  }
}
