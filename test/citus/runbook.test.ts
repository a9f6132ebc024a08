// The chapters of the runbook about Citus, walked as written on servers of their own, while callers use two processes.
// What callers saw is printed: the chapters say it.
import { describe, expect, test } from 'vitest'
import { problemsOf, startWalk, type Walk, type WalkOptions } from '../chaos/walk.ts'
import { bucketOf } from '../../src/service/store/jobs.ts'
import { createCitusDatabase, NO_CITUS } from '../fixtures/citus.ts'
import { createDatabaseAt, runSql, type TestDatabase } from '../fixtures/postgres.ts'
import { type CitusServers, startCitusServers } from './servers.ts'

/** Fewer than an operator takes: every shard that moves takes seconds. */
const SHARDS = 4
/** The block that finds what is lost. */
const DOCTOR = 'curl -s "$TENON_URL/readyz"\ntenon doctor'
const AWAY = '503 store_unavailable'

describe('the runbook on Citus', () => {
  if (process.env['TENON_TEST_CITUS'] === undefined) {
    test.skip(NO_CITUS)
    return
  }

  test('add a node to Citus', async () => {
    await using servers = await startCitusServers()
    const database = await citusDatabase(servers, 1)
    await database.run(`alter database ${nameOf(database)} set citus.shard_count = ${SHARDS}`)
    await using walk = await startCitusWalk(servers, database)
    const seen = await walk.chapter('Add a node to Citus')
    expect(problemsOf(seen)).toEqual([])
    const nodes = await database.run(
      "select count(*)::int as shards from citus_shards where citus_table_type = 'distributed' group by nodeport",
    )
    expect(nodes).toHaveLength(2)
    expect(nodes[0]).toEqual(nodes[1])
    await walk.load.end()
  })

  test('from one PostgreSQL to Citus', async () => {
    await using servers = await startCitusServers()
    const [port] = servers.ports
    // As it is before Citus: another library is loaded, and the log has no more than replicas need.
    await runSql(servers.url, "alter system set shared_preload_libraries = 'plpgsql'")
    await runSql(servers.url, "alter system set wal_level = 'replica'")
    await servers.restart(port)
    const database = await createDatabaseAt(servers.url)
    await using walk = await startCitusWalk(servers, database)
    // More than a start distributes.
    await database.run(
      `insert into audit_event (chain_id, seq, at, organization_id, actor, action, target, outcome, members, hash)
        select 'org:' || n % 100, n, 0, 'o', '{}', 'a', 't', 'ok', '{}', md5(n::text) from generate_series(1, 150000) n`,
    )
    const seen = await walk.chapter('From one PostgreSQL to Citus')
    const isRestart = ({ block }: { readonly block: string }): boolean => block.includes('restart')
    expect(problemsOf(seen.filter((step) => !isRestart(step)))).toEqual([])
    // Who calls while the server is away may be told so.
    const told = problemsOf(seen.filter(isRestart))
    expect(told.filter((problem) => problem !== '503 store_unavailable')).toEqual([])
    const left = await database.run(
      "select tablename from pg_tables where schemaname = 'public' and tablename not in (select table_name::text from citus_tables where citus_table_type in ('distributed', 'reference'))",
    )
    expect(left.map(({ tablename }) => tablename)).toEqual([])
    await walk.load.end()
  })

  test('upgrade', async () => {
    await using servers = await startCitusServers()
    const database = await citusDatabase(servers)
    // `TENON_TEST_EARLIER` names the program of an earlier version: its processes are replaced by those of this one.
    const before = process.env['TENON_TEST_EARLIER']
    await using walk = await startCitusWalk(
      servers,
      database,
      before === undefined ? {} : { before },
    )
    const problems = new Set(problemsOf(await walk.chapter('Upgrade')))
    // Where the schema changes, old processes are not ready before the new one is, and a balancer knows it later.
    for (const known of ['0 no process is ready', '500 internal_error'])
      if (before !== undefined) problems.delete(known)
    expect([...problems]).toEqual([])
    await walk.load.end()
  })

  test('back up, lose a worker for good, and restore on those that are left', async () => {
    await using servers = await startCitusServers()
    const database = await citusDatabase(servers)
    const target = await citusDatabase(servers, 1)
    await using walk = await startCitusWalk(servers, database, {
      settings: [{ DATABASE_URL: target.url }],
      after: {
        'kubectl scale deploy/tenon --replicas 0': () => servers.kill(servers.ports[2]),
      },
    })
    const seen = await walk.chapter('Back up and restore')
    expect(problemsOf(seen)).toEqual([])
    const list = seen.find(({ block }) => block.includes('instances list'))?.out ?? ''
    expect(walk.load.refreshing.filter((id) => list.includes(id))).not.toEqual([])
    for (const id of walk.load.others) expect(list).not.toContain(id)
  })

  test('lose a worker of Citus', async () => {
    await using servers = await startCitusServers()
    const database = await citusDatabase(servers)
    const ports = [...servers.ports]
    await using walk = await startCitusWalk(servers, database, { ports, complaining: [DOCTOR] })
    const lost = await chooseLost(database, walk, ports)
    await servers.kill(lost)
    const seen = await walk.chapter('Lose a worker of Citus')
    expect(new Set(problemsOf(seen))).toEqual(new Set([AWAY]))
    const [found, named, , doctor] = seen
    expect(found?.out).toMatch(/"nodes_away":1[^]*a node of it is away/)
    expect(named?.out).toMatch(new RegExp(`127.0.0.1 .* ${lost}\\n\\(1 row\\)`))
    expect(doctor?.out).toContain(' 0 failures')
    expect(problemsOf(seen.slice(3))).toEqual([])
    await walk.load.end()
  })

  test('replace a worker of Citus', async () => {
    await using servers = await startCitusServers()
    const database = await citusDatabase(servers)
    const ports = [...servers.ports]
    await using walk = await startCitusWalk(servers, database, { ports })
    const lost = await chooseLost(database, walk, ports)
    ports.push(await servers.addStandby(lost))
    await walk.load.round()
    await servers.kill(lost)
    const seen = await walk.chapter('Replace a worker of Citus')
    expect(problemsOf(seen.slice(0, 1)).filter((problem) => problem !== AWAY)).toEqual([])
    expect(problemsOf(seen.slice(1))).toEqual([])
    await walk.load.end()
  })
})

/** Puts the worker that is to be lost last, and moves what one call of every kind needs away from it. */
async function chooseLost(
  database: TestDatabase,
  { load }: Walk,
  ports: number[],
): Promise<number> {
  const [coordinator = 0, lost = 0, other = 0] = ports
  const moveAway = async (table: string, value: string | number): Promise<void> => {
    const shard = `get_shard_id_for_distribution_column('${table}', '${value}')`
    const [row] = await database.run(`select nodeport from citus_shards where shardid = ${shard}`)
    if (Number(row?.['nodeport']) !== lost) return
    await database.run(
      `select citus_move_shard_placement(${shard}, '127.0.0.1', ${lost}, '127.0.0.1', ${other})`,
    )
  }
  // What all calls of the organisation need.
  const [row] = await database.run('select organization_id as id from connector_instance limit 1')
  await moveAway('event', String(row?.['id']))
  await moveAway('audit_head', `org:${String(row?.['id'])}`)
  for (const [id] of [load.refreshing, load.others.slice(0, 8), load.others.slice(8)]) {
    if (id === undefined) throw new Error('the load has no account of this kind')
    await moveAway('connector_instance', id)
    await moveAway('job', bucketOf(id))
  }
  ports.splice(0, ports.length, coordinator, other, lost)
  return lost
}

function nameOf({ url }: TestDatabase): string {
  return new URL(url).pathname.slice(1)
}

async function citusDatabase({ url }: CitusServers, maxWorkers?: number): Promise<TestDatabase> {
  const database = await createCitusDatabase({ at: url, ...(maxWorkers && { maxWorkers }) })
  if (database === null) throw new TypeError('there is no Citus')
  // It goes with its servers, of which one may be lost by then.
  return { ...database, drop: async () => {} }
}

/** A walk in which the names of the document are those of this machine. */
async function startCitusWalk(
  servers: CitusServers,
  database: TestDatabase,
  {
    ports = servers.ports,
    ...options
  }: Pick<WalkOptions, 'before' | 'settings' | 'complaining' | 'after'> & {
    /** Of the hosts in the document. */
    readonly ports?: readonly number[]
  } = {},
): Promise<Walk> {
  const hosts = ['db', 'worker1', 'worker2', 'standby'].map((name) => `${name}.example.com`)
  function here(block: string): string {
    let said = block
      .replaceAll(/\b(DATABASE |:\d+\/)tenon\b/g, `$1${nameOf(database)}`)
      .replaceAll('/backups/', '')
      .replace('shard_count = 32', `shard_count = ${SHARDS}`)
    for (const [n, host] of hosts.entries())
      said = said
        .replaceAll(`${host}:5432`, `127.0.0.1:${ports[n]}`)
        .replaceAll(`'${host}', 5432`, `'127.0.0.1', ${ports[n]}`)
        .replaceAll(`'${host}' AND nodeport = 5432`, `'127.0.0.1' AND nodeport = ${ports[n]}`)
    return said
  }
  return await startWalk(database, {
    ...options,
    here,
    instead: {
      'systemctl restart postgresql': () => servers.restart(servers.ports[0]),
      'systemctl start postgresql@worker2': () => servers.start(ports[2] ?? 0),
    },
  })
}
