// PostgreSQL with the extension Citus: which tables are not distributed yet, and how they are.
import { LOCK_TIMEOUT } from './migrate.ts'

/** `reference`: a copy on every node. Otherwise by a column; equal values in tables of one group lie together. */
export type Placement = 'reference' | { readonly by: string; readonly group: string }

/** Runs one statement without parameters, within a transaction where it changes anything. */
export type RunSql = (statement: string) => Promise<readonly object[]>

/** Larger, and the requests that wait while a table is distributed would time out. */
const MAX_BLOCKING_BYTES = 16 * 1024 * 1024
/** Of a row of `pg_dist_partition`: known to Citus and not distributed, as an interrupted distribution leaves it. */
const IS_LOCAL = "p.partmethod = 'n' and p.repmodel = 's' and p.colocationid = 0"

export async function isCitus(run: RunSql): Promise<boolean> {
  return (await run("select 1 from pg_extension where extname = 'citus'")).length > 0
}

/** Where the shards of these tables lie, as one text: another one once a shard was moved or split. */
export async function placesOf(run: RunSql, tables: readonly string[]): Promise<string> {
  const ids = await run(
    `select p.placementid::text as name from pg_dist_placement p join pg_dist_shard s using (shardid)
      where s.logicalrelid::text in (${tables.map((name) => `'${name}'`).join(', ')})`,
  )
  return [...namesIn(ids)].toSorted().join()
}

/** Of the tables those that are there and not distributed; none where there is no Citus. */
export async function undistributed(
  run: RunSql,
  placements: Readonly<Record<string, Placement>>,
): Promise<readonly string[]> {
  if (!(await isCitus(run))) return []
  const local = namesIn(
    await run(
      `select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
        and not exists (select 1 from pg_dist_partition p where p.logicalrelid = c.oid and not (${IS_LOCAL}))`,
    ),
  )
  return Object.keys(placements).filter((name) => local.has(name))
}

/** Those of them whose rows are so many that their writers cannot wait until they are distributed. */
async function largeOf(run: RunSql, names: readonly string[]): Promise<ReadonlySet<string>> {
  const list = names.map((name) => `'${name}'`).join()
  return namesIn(
    await run(
      `select c.relname as name from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
        where c.relnamespace = current_schema()::regnamespace and c.relname in (${list})
        and (${IS_LOCAL} or pg_table_size(c.oid) > ${MAX_BLOCKING_BYTES})`,
    ),
  )
}

/** A foreign key between two distributed tables, which cannot be there while they are distributed. */
export interface ForeignKey {
  readonly drop: string
  readonly add: string
}

/**
 * Distributes the tables that are not, with the rows that they have, and gives their names; none where one has many rows,
 * which is for `distributeOnline`. It runs within the transaction of the migrations, which limits how long it waits for a
 * table.
 */
export async function distribute(
  run: RunSql,
  placements: Readonly<Record<string, Placement>>,
  without?: ForeignKey,
): Promise<readonly string[]> {
  const names = await undistributed(run, placements)
  if (names.length === 0 || (await largeOf(run, names)).size > 0) return []
  const statementOf = statements(placements, await leadsOf(run, placements))
  if (without !== undefined) await run(without.drop)
  for (const name of names) await run(statementOf(name))
  if (without !== undefined) await run(without.add)
  return names
}

/**
 * The same for tables that are read and written meanwhile, large ones included: one after the other, each in a transaction
 * of its own, which `run` must not be in. When it is interrupted, the next call does the rest.
 */
export async function distributeOnline(
  run: RunSql,
  placements: Readonly<Record<string, Placement>>,
  without: ForeignKey,
): Promise<readonly string[]> {
  const names = await undistributed(run, placements)
  if (names.length === 0) return []
  const large = await largeOf(run, names)
  const alone = async (statement: string): Promise<void> => {
    const limit = `set local lock_timeout = '${LOCK_TIMEOUT}'`
    for (const each of ['begin', limit, statement, 'commit']) await run(each)
  }
  const statementOf = statements(placements, await leadsOf(run, placements))
  const isReference = (name: string): boolean => placements[name] === 'reference'
  await alone(without.drop)
  for (const name of names.filter((each) => !isReference(each)))
    // This one cannot run in a transaction.
    if (large.has(name)) await run(statementOf(name, '_concurrently'))
    else await alone(statementOf(name))
  // Before the last of them: where it was interrupted, there are some left for the next call.
  await alone(without.add)
  for (const name of names.filter(isReference)) await alone(statementOf(name))
  return names
}

/** The statement that distributes a table; `leads` learns the first one of each group. */
function statements(
  placements: Readonly<Record<string, Placement>>,
  leads: Map<string, string>,
): (name: string, how?: '' | '_concurrently') => string {
  return (name, how = '') => {
    const placement = placements[name] ?? 'reference'
    if (placement === 'reference') return `select create_reference_table('${name}')`
    const { by, group } = placement
    const lead = leads.get(group) ?? 'none'
    if (lead === 'none') leads.set(group, name)
    return `select create_distributed_table${how}('${name}', '${by}', colocate_with => '${lead}')`
  }
}

/** A distributed table of each group: the others are put where it is. */
async function leadsOf(
  run: RunSql,
  placements: Readonly<Record<string, Placement>>,
): Promise<Map<string, string>> {
  const distributed = namesIn(
    await run("select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'"),
  )
  const leads = new Map<string, string>()
  for (const [name, placement] of Object.entries(placements))
    if (placement !== 'reference' && distributed.has(name) && !leads.has(placement.group))
      leads.set(placement.group, name)
  return leads
}

function namesIn(rows: readonly object[]): ReadonlySet<string> {
  return new Set(rows.map((row) => ('name' in row ? String(row.name) : '')))
}
