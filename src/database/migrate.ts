// Brings a group of tables up to date by numbered steps. Whoever runs them begins and ends the transaction.
import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectorError } from '../errors.ts'
import type { RunSql } from './citus.ts'

export interface SchemaStep {
  readonly name: string
  /** SQL statements, run in order within the one transaction of all pending steps. */
  readonly statements: readonly string[]
}

export interface Schema {
  readonly kind: 'sqlite' | 'postgres'
  /** What the tables are, for messages. */
  readonly name: string
  /** The table of the steps that ran. */
  readonly table: string
  readonly types: { readonly text: string; readonly integer: string; readonly options: string }
  /** Any number, the same in every process that runs these steps. */
  readonly lock: number
  /** How long a step waits for a table; default `LOCK_TIMEOUT`. */
  readonly lockTimeout?: string
  /** The oldest first; the version of a schema is how many of them ran. */
  readonly steps: readonly SchemaStep[]
}

/** Longer, and the requests that wait behind a step that waits for a table would time out: it is tried again later. */
export const LOCK_TIMEOUT = '5s'
/** How long others may be in the way before this process gives up. */
const WAIT_MS = 60_000
/** In between, those who waited behind a step go on. */
const PAUSE_MS = 250

/** How many steps have not run. Throws `store_unavailable`, not retryable, when steps ran that are unknown here. */
export async function pendingSteps(run: RunSql, schema: Schema): Promise<number> {
  return schema.steps.length - (await versionOf(run, schema))
}

/**
 * Runs the pending steps within a transaction, under a lock and with a limit for every wait for a table, and gives their
 * names. `nowMs`: the time that is noted, in milliseconds since 1970. Throws like `pendingSteps`.
 */
export async function runSteps(
  run: RunSql,
  schema: Schema,
  nowMs: () => Promise<number>,
): Promise<readonly string[]> {
  const { kind, table, types, lock, lockTimeout = LOCK_TIMEOUT, steps } = schema
  if (kind === 'postgres') {
    await run(`select pg_advisory_xact_lock(${lock})`)
    // On the nodes of a Citus, too: who writes by a worker holds nothing on the coordinator.
    await run("set local citus.propagate_set_commands to 'local'")
    await run(`set local lock_timeout = '${lockTimeout}'`)
    // With Citus steps make, read and distribute tables in one transaction: with one connection to each node.
    await run("set local citus.multi_shard_modify_mode to 'sequential'")
  }
  const version = await versionOf(run, schema)
  await run(
    `create table if not exists ${table} (version ${types.integer} not null primary key, name ${types.text} not null, applied_at ${types.integer} not null) ${types.options}`,
  )
  const pending = steps.slice(version)
  for (const [index, { name, statements }] of pending.entries()) {
    for (const statement of statements) await run(statement)
    await run(
      `insert into ${table} (version, name, applied_at) values (${version + index + 1}, '${name}', ${await nowMs()})`,
    )
  }
  return pending.map(({ name }) => name)
}

/** Runs a transaction; again for up to a minute while others hold what it needs. */
export async function untilFree<T>(
  transaction: () => Promise<T>,
  isHeld: (error: unknown) => boolean,
): Promise<T> {
  const giveUpAt = performance.now() + WAIT_MS
  for (;;) {
    try {
      return await transaction()
    } catch (error) {
      if (!isHeld(error) || performance.now() > giveUpAt) throw error
    }
    await sleep(PAUSE_MS)
  }
}

async function versionOf(run: RunSql, { kind, name, table, steps }: Schema): Promise<number> {
  const isThere =
    kind === 'sqlite'
      ? `select 1 from sqlite_schema where name = '${table}'`
      : `select 1 where to_regclass('${table}') is not null`
  if ((await run(isThere)).length === 0) return 0
  const [row] = await run(`select coalesce(max(version), 0) as version from ${table}`)
  const { version }: { readonly version?: unknown } = Object(row)
  if (Number(version) > steps.length) {
    throw new ConnectorError(
      'store_unavailable',
      `${name} has schema ${String(version)}, and this version of Tenon knows ${steps.length} only: start the newer version that made it, or one after it`,
      { retryable: false, details: { schema: Number(version), known: steps.length } },
    )
  }
  return Number(version)
}
