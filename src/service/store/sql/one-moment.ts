// Reads a whole store as it was at one moment, while others write to it.
import { type ControlledTransaction, type Kysely, sql } from 'kysely'
import { isCitus, placesOf, type RunSql } from '../../../database/citus.ts'
import { ConnectorError } from '../../../errors.ts'
import type { StoreDatabase } from './database.ts'
import { PLACEMENTS, runIn } from './distribution.ts'
import type { Executor, Tables } from './schema.ts'
import { reasonOf } from './store-errors.ts'

/**
 * How long a first attempt waits for transactions under way, and so others for it; more with every attempt. At first less
 * than the `deadlock_timeout` of PostgreSQL (1 s): in a deadlock this side gives way.
 */
const LOCK_MS = 400
const MAX_LOCK_MS = 4_000
/** After so long without a statement the server ends the barrier, also where this process has vanished. */
const HELD_MS = 2_000
const PAUSE_SECONDS = 0.5
const ATTEMPTS = 20

const TABLES = Object.keys(PLACEMENTS)

/**
 * Runs `read` in a transaction that sees every table as of one moment; no plugin changes its rows. Writers do not wait,
 * but on Citus: there every node has a snapshot of its own, and no transaction may write while they are opened.
 *
 * Throws `store_unavailable`, on Citus also when a shard was moved to another node meanwhile.
 */
export async function readOneMoment<R>(
  source: StoreDatabase,
  read: (snapshot: Executor) => Promise<R>,
): Promise<R> {
  return await source.withoutLimits(async (unlimited) => {
    const db = unlimited.withoutPlugins()
    if (source.kind === 'sqlite') return await db.transaction().execute(read)
    if (await isCitus(runIn(db))) return await readNodes(source, db, read)
    const snapshot = db.transaction().setIsolationLevel('repeatable read')
    return await snapshot.setAccessMode('read only').execute(read)
  })
}

async function readNodes<R>(
  source: StoreDatabase,
  db: Kysely<Tables>,
  read: (snapshot: Executor) => Promise<R>,
): Promise<R> {
  const places = await placesOf(runIn(db), TABLES)
  const snapshot = await openSnapshots(source, db)
  try {
    const result = await read(snapshot)
    // The snapshot of the node that a shard was moved to is older than its rows there.
    if ((await placesOf(runIn(source.db), TABLES)) === places) return result
    throw new ConnectorError(
      'store_unavailable',
      'shards of the store were moved between nodes while it was read: repeat it after the move',
      { details: { reason: 'conflict' } },
    )
  } finally {
    await snapshot.rollback().execute()
  }
}

/** A transaction with one connection to each node, all of whose snapshots are of one moment. */
async function openSnapshots(
  source: StoreDatabase,
  db: Kysely<Tables>,
): Promise<ControlledTransaction<Tables>> {
  for (let attempt = 1; ; attempt++) {
    // The first statements of a session open its connections to the nodes: nobody has to wait for that.
    for (const each of [db, source.db]) await touchNodes(each)
    const reading = db.startTransaction().setIsolationLevel('repeatable read')
    const snapshot = await reading.setAccessMode('read only').execute()
    try {
      await sql`set local citus.max_adaptive_executor_pool_size = 1`.execute(snapshot)
      const lockMs = Math.min(attempt * LOCK_MS, MAX_LOCK_MS)
      await withoutWriters(source.db, lockMs, () => touchNodes(snapshot))
      return snapshot
    } catch (error) {
      await snapshot.rollback().execute()
      if (reasonOf(error) === null || attempt === ATTEMPTS) throw error
    }
    await sql`select pg_sleep(${sql.lit(PAUSE_SECONDS)})`.execute(db)
  }
}

/**
 * Runs `run` while no transaction that wrote is under way on any node: every statement that changes a table, or locks rows
 * of it, holds a lock on it where its process is connected until its commit is done everywhere, and this one excludes it.
 */
async function withoutWriters(
  db: Kysely<Tables>,
  lockMs: number,
  run: () => Promise<void>,
): Promise<void> {
  const barrier = await db.startTransaction().execute()
  try {
    await sql
      .raw(
        `set local statement_timeout = ${lockMs}; set local idle_in_transaction_session_timeout = ${HELD_MS}`,
      )
      .execute(barrier)
    await sql.raw(`lock table ${TABLES.join(', ')} in exclusive mode`).execute(barrier)
    await requireWholeCommits(runIn(barrier))
    await run()
    // Throws where the barrier has ended before.
    await sql`select 1`.execute(barrier)
  } finally {
    await barrier.rollback().execute()
  }
}

/**
 * Throws while a transaction of these tables is committed on some nodes only: a loss has cut it between its two phases, and
 * nobody who is connected holds a lock for it. Citus ends it within `citus.recover_2pc_interval`.
 */
async function requireWholeCommits(run: RunSql): Promise<void> {
  const prepared = `select count(*) from pg_locks held join pg_class on pg_class.oid = held.relation
    where held.pid is null and held.mode <> 'AccessShareLock'
    and held.database = (select oid from pg_database where datname = current_database())
    and relname ~ '^(${TABLES.join('|')})(_[0-9]+)?$'`
  const found = await run(
    `select 1 from run_command_on_all_nodes($all$${prepared}$all$) where not success or result <> '0'`,
  )
  if (found.length === 0) return
  throw new ConnectorError(
    'store_unavailable',
    'a transaction of the store is committed on some nodes only, and Citus has not ended it yet: repeat it in a minute',
    { details: { reason: 'conflict' } },
  )
}

/** Reads each reference table, and one table of each group: all nodes that have rows answer. */
async function touchNodes(db: Kysely<Tables>): Promise<void> {
  const groups = new Set<string>()
  for (const [table, placement] of Object.entries(PLACEMENTS)) {
    if (placement !== 'reference' && groups.has(placement.group)) continue
    if (placement !== 'reference') groups.add(placement.group)
    await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
  }
}
