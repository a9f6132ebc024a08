// PostgreSQL with the extension Citus: which tables are not distributed yet, and how they are.

/** `reference`: a copy on every node. Otherwise by a column; equal values in tables of one group lie together. */
export type Placement = 'reference' | { readonly by: string; readonly group: string }

/** Runs one statement without parameters, within a transaction where it changes anything. */
export type RunSql = (statement: string) => Promise<readonly object[]>

/** Longer, and the requests that wait behind this one would time out: the next start tries again. */
const LOCK_TIMEOUT = '5s'

/** Of the tables those that are there and not distributed; none where there is no Citus. */
export async function undistributed(
  run: RunSql,
  placements: Readonly<Record<string, Placement>>,
): Promise<readonly string[]> {
  if ((await run("select 1 from pg_extension where extname = 'citus'")).length === 0) return []
  const local = namesIn(
    await run(
      `select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
        and not exists (select 1 from pg_dist_partition p where p.logicalrelid = c.oid)`,
    ),
  )
  return Object.keys(placements).filter((name) => local.has(name))
}

/**
 * Distributes the tables that are not, with the rows that they have, and gives their names. Waits for a table for 5
 * seconds at most. `without`: a foreign key between them, that is made again afterwards.
 */
export async function distribute(
  run: RunSql,
  placements: Readonly<Record<string, Placement>>,
  without?: { readonly drop: string; readonly add: string },
): Promise<readonly string[]> {
  const names = await undistributed(run, placements)
  if (names.length === 0) return []
  await run(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
  // Tables that were made in this transaction need one connection to each node.
  await run("set local citus.multi_shard_modify_mode to 'sequential'")
  const leads = await leadsOf(run, placements)
  if (without !== undefined) await run(without.drop)
  for (const name of names) {
    const placement = placements[name]
    if (placement === undefined || placement === 'reference') {
      await run(`select create_reference_table('${name}')`)
      continue
    }
    const { by, group } = placement
    const lead = leads.get(group) ?? 'none'
    await run(`select create_distributed_table('${name}', '${by}', colocate_with => '${lead}')`)
    if (lead === 'none') leads.set(group, name)
  }
  if (without !== undefined) await run(without.add)
  return names
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
