// How much of a database lies on which node, and which tenants are the largest.
import pg from 'pg'
import { isCitus } from './citus.ts'
import { databaseError } from './database-errors.ts'

export interface NodeSpread {
  /** `host:port`. */
  readonly node: string
  /** Tables, and on Citus the parts of tables. */
  readonly parts: number
  /** As the planner knows them; null: the node did not say. */
  readonly rows: number | null
  /** Indexes included. */
  readonly bytes: number
}

/** A connector instance: the rows of one lie together. */
export interface TenantSpread {
  readonly instance_id: string
  /** Null: it is being deleted. */
  readonly organization_id: string | null
  readonly connector_type: string | null
  readonly records: number
  /** Of the texts of its records, and the share of them in those of all instances, from 0 to 1. */
  readonly bytes: number
  readonly share: number
  /** The part of the tables that it lies in, and its node; null where there is no Citus. */
  readonly shard: number | null
  readonly node: string
}

interface Owner {
  readonly instance_id: string
  readonly organization_id: string
  readonly connector_type: string
}

export interface Spread {
  readonly citus: boolean
  readonly nodes: readonly NodeSpread[]
  /** The largest first. */
  readonly tenants: readonly TenantSpread[]
}

const CONNECT_MS = 10_000
const NODES = `SELECT n.nodename || ':' || n.nodeport AS node, count(s.shardid)::int AS parts,
  max(t.rows)::float8 AS rows, coalesce(sum(s.shard_size), 0)::float8 AS bytes
  FROM pg_dist_node n LEFT JOIN citus_shards s ON s.nodename = n.nodename AND s.nodeport = n.nodeport AND s.table_name::text = ANY($1)
  LEFT JOIN (SELECT nodeid, result::float8 AS rows FROM run_command_on_all_nodes(format($all$
    SELECT coalesce(sum(greatest(reltuples, 0)), 0) FROM pg_class WHERE relkind = 'r' AND relname ~ %L
  $all$, '^(' || array_to_string($1::text[], '|') || ')_[0-9]+$'), give_warning_for_connection_errors := true) WHERE success) t USING (nodeid)
  WHERE n.noderole = 'primary' GROUP BY 1 HAVING count(s.shardid) > 0 OR bool_or(n.shouldhaveshards) ORDER BY 1`
const ONE_NODE = `SELECT count(*)::int AS parts, coalesce(sum(greatest(reltuples, 0)), 0)::float8 AS rows,
  coalesce(sum(pg_total_relation_size(oid)), 0)::float8 AS bytes
  FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname = ANY($1)`
const TENANTS = `SELECT instance_id, sum(live)::float8 AS records, sum(bytes)::float8 AS bytes
  FROM replica_scope GROUP BY instance_id ORDER BY 3 DESC, 1 LIMIT $1`
const OWNERS =
  'SELECT instance_id, organization_id, connector_type FROM connector_instance WHERE instance_id = ANY($1)'
const PLACES = `SELECT t.id, t.shard::float8 AS shard, n.nodename || ':' || n.nodeport AS node
  FROM (SELECT id, get_shard_id_for_distribution_column('replica_scope', id) AS shard FROM unnest($1::text[]) AS id) t
  JOIN pg_dist_placement p ON p.shardid = t.shard JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'`

/** Asks every node once, for an operator. Throws `store_unavailable`. `tables`: those that are counted. `limit`: so many tenants at most. */
export async function readSpread(
  url: string,
  tables: readonly string[],
  limit: number,
): Promise<Spread> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tenon',
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', () => undefined)
  // Every statement names its columns as the types here do.
  const ask = async <Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows
  try {
    await client.connect()
    const citus = await isCitus(async (text) => await ask(text))
    const here = `${client.host}:${client.port}`
    const nodes = citus
      ? await ask<NodeSpread>(NODES, tables)
      : (await ask<Omit<NodeSpread, 'node'>>(ONE_NODE, tables)).map((one) => ({
          node: here,
          ...one,
        }))
    const has = async (table: string): Promise<boolean> =>
      (await ask('SELECT 1 WHERE to_regclass($1) IS NOT NULL', table)).length > 0
    if (!(await has('replica_scope'))) return { citus, nodes, tenants: [] }
    const largest = await ask<{ instance_id: string; records: number; bytes: number }>(
      TENANTS,
      limit,
    )
    const ids = largest.map(({ instance_id }) => instance_id)
    const [all] = await ask<{ bytes: number | null }>(
      'SELECT sum(bytes)::float8 AS bytes FROM replica_scope',
    )
    const owners = (await has('connector_instance')) ? await ask<Owner>(OWNERS, ids) : []
    const places = citus ? await ask<{ id: string; shard: number; node: string }>(PLACES, ids) : []
    const tenants = largest.map((tenant): TenantSpread => {
      const owner = owners.find(({ instance_id }) => instance_id === tenant.instance_id)
      const place = places.find(({ id }) => id === tenant.instance_id)
      return {
        ...tenant,
        organization_id: owner?.organization_id ?? null,
        connector_type: owner?.connector_type ?? null,
        share: tenant.bytes / Math.max(1, all?.bytes ?? 0),
        shard: place?.shard ?? null,
        node: place?.node ?? here,
      }
    })
    return { citus, nodes, tenants }
  } catch (error) {
    throw databaseError({ name: 'the store', damaged: 'is damaged', silent: 'busy' }, error)
  } finally {
    await client.end()
  }
}
