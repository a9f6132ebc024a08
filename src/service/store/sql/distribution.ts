// Where the rows of each table lie on a PostgreSQL with the extension Citus, and how they come there.
import { sql } from 'kysely'
import {
  distribute,
  type ForeignKey,
  type Placement,
  type RunSql,
  undistributed,
} from '../../../database/citus.ts'
import type { StoreDatabase } from './database.ts'
import type { Executor, TableName } from './schema.ts'

/**
 * Every table, so that processes may connect to any node. What is found by more than one value, or belongs to nobody yet,
 * is small and lies on all of them.
 *
 * In the order in which transactions first change them or lock their rows: a backup locks them in it, and would wait in a
 * deadlock with a transaction of another order until it gives way.
 */
export const PLACEMENTS: Readonly<Record<TableName | 'schema_migration', Placement>> = {
  schema_migration: 'reference',
  application: 'reference',
  application_secret: 'reference',
  application_logo: 'reference',
  token: 'reference',
  oauth_state: 'reference',
  oauth_secret: 'reference',
  connect_session: 'reference',
  console_person: 'reference',
  console_session: 'reference',
  manifest_version: 'reference',
  manifest_current: 'reference',
  oauth_client: 'reference',
  connector_instance: { by: 'instance_id', group: 'instances' },
  credential: { by: 'instance_id', group: 'instances' },
  lease: { by: 'instance_id', group: 'instances' },
  refresh_intent: { by: 'instance_id', group: 'instances' },
  webhook_subscription: { by: 'instance_id', group: 'instances' },
  sync_failure: { by: 'instance_id', group: 'instances' },
  data_key: { by: 'owner_id', group: 'instances' },
  log_content: { by: 'instance_id', group: 'instances' },
  idempotency_record: { by: 'scope_id', group: 'instances' },
  rate_use: { by: 'owner_id', group: 'organizations' },
  rate_block: { by: 'owner_id', group: 'organizations' },
  webhook_route: { by: 'organization_id', group: 'organizations' },
  webhook_receipt: { by: 'organization_id', group: 'organizations' },
  job: { by: 'bucket', group: 'jobs' },
  webhook: { by: 'organization_id', group: 'organizations' },
  audit_pending: { by: 'pending_id', group: 'pending' },
  audit_head: { by: 'chain_id', group: 'instances' },
  audit_event: { by: 'chain_id', group: 'instances' },
  event_head: { by: 'organization_id', group: 'organizations' },
  event: { by: 'organization_id', group: 'organizations' },
  webhook_delivery: { by: 'organization_id', group: 'organizations' },
  job_bucket: { by: 'queue_id', group: 'instances' },
  log_entry: { by: 'organization_id', group: 'organizations' },
  log_count: { by: 'organization_id', group: 'organizations' },
  log_head: { by: 'organization_id', group: 'organizations' },
}

/** The only key that refers to another table: it is made again once both tables are distributed. */
const FOREIGN_KEY = 'credential_instance_id_fkey'
export const WITHOUT_KEY: ForeignKey = {
  drop: `alter table credential drop constraint if exists ${FOREIGN_KEY}`,
  add: `alter table credential add constraint ${FOREIGN_KEY} foreign key (instance_id) references connector_instance (instance_id)`,
}

/** Tables of the store that are not distributed yet; none where there is no Citus. */
export async function undistributedTables({ kind, db }: StoreDatabase): Promise<readonly string[]> {
  return kind === 'postgres' ? await undistributed(runIn(db), PLACEMENTS) : []
}

/** Distributes them, within a transaction that holds the lock of migrations. Gives their names. */
export async function distributeTables(
  { kind }: StoreDatabase,
  tx: Executor,
): Promise<readonly string[]> {
  return kind === 'postgres' ? await distribute(runIn(tx), PLACEMENTS, WITHOUT_KEY) : []
}

/** Runs statements of fixed text. */
export function runIn(db: Executor): RunSql {
  return async (statement) => (await sql.raw<object>(statement).execute(db)).rows
}
