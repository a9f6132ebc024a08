// Where the rows of each table lie on a PostgreSQL with the extension Citus, and how they come there.
import { sql } from 'kysely'
import type { StoreDatabase } from './database.ts'
import type { Executor, TableName } from './schema.ts'

/** `reference`: a copy on every node. Otherwise by a column, whose equal values of tables of one group lie together. */
export type Placement = 'reference' | { readonly by: string; readonly group: Group }
export type Group = 'instances' | 'organizations' | 'pending'

/**
 * Every table, so that processes may connect to any node. What is found by more than one value, or belongs to nobody yet,
 * is small and lies on all of them.
 */
const PLACEMENTS: Readonly<Record<TableName | 'schema_migration', Placement>> = {
  schema_migration: 'reference',
  application: 'reference',
  token: 'reference',
  oauth_state: 'reference',
  oauth_secret: 'reference',
  connect_session: 'reference',
  connector_instance: { by: 'instance_id', group: 'instances' },
  credential: { by: 'instance_id', group: 'instances' },
  lease: { by: 'instance_id', group: 'instances' },
  refresh_intent: { by: 'instance_id', group: 'instances' },
  data_key: { by: 'owner_id', group: 'instances' },
  idempotency_record: { by: 'scope_id', group: 'instances' },
  job: { by: 'instance_id', group: 'instances' },
  audit_head: { by: 'chain_id', group: 'instances' },
  audit_event: { by: 'chain_id', group: 'instances' },
  audit_pending: { by: 'pending_id', group: 'pending' },
  event_head: { by: 'organization_id', group: 'organizations' },
  event: { by: 'organization_id', group: 'organizations' },
  webhook: { by: 'organization_id', group: 'organizations' },
  webhook_delivery: { by: 'organization_id', group: 'organizations' },
  rate_use: { by: 'owner_id', group: 'organizations' },
  rate_block: { by: 'owner_id', group: 'organizations' },
}

/** The only key that refers to another table: it can be made again once both tables are distributed. */
const FOREIGN_KEY = 'credential_instance_id_fkey'
const DROP_KEY = `alter table credential drop constraint if exists ${FOREIGN_KEY}`
const ADD_KEY = `alter table credential add constraint ${FOREIGN_KEY} foreign key (instance_id) references connector_instance (instance_id)`

/** Longer, and the requests that wait behind this one would time out: the next start tries again. */
const LOCK_TIMEOUT = '5s'

/** Tables of the store that are not distributed yet; none where there is no Citus. */
export async function undistributedTables(
  database: StoreDatabase,
  db: Executor = database.db,
): Promise<readonly (keyof typeof PLACEMENTS)[]> {
  if (database.kind !== 'postgres') return []
  const citus = sql`select 1 from pg_extension where extname = 'citus'`
  if ((await citus.execute(db)).rows.length === 0) return []
  const { rows } = await sql<{
    readonly name: string
  }>`select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    and not exists (select 1 from pg_dist_partition p where p.logicalrelid = c.oid)`.execute(db)
  const local = new Set(rows.map(({ name }) => name))
  // The names of the table are its keys.
  const names = Object.keys(PLACEMENTS) as (keyof typeof PLACEMENTS)[]
  return names.filter((name) => local.has(name))
}

/**
 * Distributes the tables that are not, with the rows that they have, within a transaction that holds the lock of
 * migrations. Gives their names. Waits for a table for 5 seconds at most.
 */
export async function distributeTables(
  database: StoreDatabase,
  tx: Executor,
): Promise<readonly string[]> {
  const names = await undistributedTables(database, tx)
  if (names.length === 0) return []
  const run = async (statement: string): Promise<void> => {
    await sql.raw(statement).execute(tx)
  }
  await run(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
  // Tables that were made in this transaction, and a foreign key between them, need one connection to each node.
  await run("set local citus.multi_shard_modify_mode to 'sequential'")
  const leads = await distributedLeads(tx)
  const hasKey = names.includes('credential') || names.includes('connector_instance')
  if (hasKey) await run(DROP_KEY)
  for (const name of names) {
    const placement = PLACEMENTS[name]
    if (placement === 'reference') {
      await run(`select create_reference_table('${name}')`)
      continue
    }
    const lead = leads.get(placement.group) ?? 'none'
    await run(
      `select create_distributed_table('${name}', '${placement.by}', colocate_with => '${lead}')`,
    )
    if (lead === 'none') leads.set(placement.group, name)
  }
  if (hasKey) await run(ADD_KEY)
  return names
}

/** A table of each group that is distributed: the others are put where it is. */
async function distributedLeads(tx: Executor): Promise<Map<Group, string>> {
  const { rows } = await sql<{
    readonly name: string
  }>`select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'`.execute(tx)
  const distributed = new Set(rows.map(({ name }) => name))
  const leads = new Map<Group, string>()
  for (const [name, placement] of Object.entries(PLACEMENTS))
    if (placement !== 'reference' && distributed.has(name) && !leads.has(placement.group))
      leads.set(placement.group, name)
  return leads
}
