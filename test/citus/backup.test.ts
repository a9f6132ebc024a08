// Backups of a real Citus while processes write through each of its nodes.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backUp, restore } from '../../src/hosting/backup.ts'
import { copyStore } from '../../src/service/store/open/copy-store.ts'
import {
  databaseOf,
  openStore,
  type StoreLocation,
} from '../../src/service/store/open/open-store.ts'
import { type Executor, PRIMARY_KEYS, type TableName } from '../../src/service/store/sql/schema.ts'
import type { Store } from '../../src/service/store/store.ts'
import { tamper } from '../contracts/store/subject.ts'
import { brokenIn, startWriting, type WritingLoad } from '../contracts/store/writing-load.ts'
import { createCitusDatabase, NO_CITUS } from '../fixtures/citus.ts'
import { createTestDatabase, runSql } from '../fixtures/postgres.ts'
import { sized } from '../fixtures/sizes.ts'

const BACKUPS = sized(4, 12)
/** A statement takes 32,766 values at most. */
const ROWS_AT_ONCE = 500
const database = await createCitusDatabase()

describe('a backup of Citus', () => {
  if (database === null) {
    test.skip(NO_CITUS)
    return
  }
  let folder: string
  let source: Store
  let load: WritingLoad
  const stores: Store[] = []
  let files = 0

  async function open(location: StoreLocation): Promise<Store> {
    const store = await openStore(location)
    stores.push(store)
    return store
  }

  const newFolder = (): StoreLocation => ({ folder: join(folder, `data ${++files}`) })

  async function newBackup(): Promise<string> {
    const file = join(folder, `${++files}.backup`)
    await backUp(source, file, { now: Date.now(), version: 'test' })
    return file
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-citus-backup-'))
    source = await open({ url: database.url })
    const writers = [source]
    for (const url of database.workerUrls) writers.push(await open({ url }))
    load = await startWriting(writers, 2)
  })
  afterAll(async () => {
    await load.stop()
    for (const store of stores) await store.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  test('is of one moment, again and again, while processes write through every node', async () => {
    let written = 0
    const longest: string[] = []
    for (let round = 0; round < BACKUPS; round++) {
      load.longestMs()
      const begun = load.count()
      await expect.poll(() => load.count() - begun).toBeGreaterThan(200)
      const quietMs = Math.round(load.longestMs())
      const before = load.count()
      const file = await newBackup()
      written += load.count() - before
      longest.push(`${quietMs} → ${Math.round(load.longestMs())}`)
      const place = newFolder()
      await restore(file, place)
      const copy = await openStore(place)
      expect(await brokenIn(copy)).toEqual([])
      await copy.close()
    }
    // The writers go on while it is read.
    expect(written).toBeGreaterThan(0)
    console.info(`longest operation, in ms, before and during each backup: ${longest.join(', ')}`)
  }, 600_000)

  test('would not be of one moment without the barrier: the same checks find it', async () => {
    const found = await database.run('select instance_id as id from connector_instance')
    const broken: string[] = []
    // Each begins with the node of another instance: where what belongs together lies on one node, nothing is seen.
    for (const { id } of found) {
      if (broken.length > 0) break
      const copy = await open(newFolder())
      await copyWithoutBarrier(source, copy, async (tx) => {
        await sql`select name from connector_instance where instance_id = ${id}`.execute(tx)
        const begun = load.count()
        await expect.poll(() => load.count() - begun, { timeout: 60_000 }).toBeGreaterThan(50)
      })
      broken.push(...(await brokenIn(copy)))
    }
    expect(broken).not.toEqual([])
  }, 300_000)

  test('gives way to a transaction that lasts long, and has what it wrote once it is over', async () => {
    const target = await open(newFolder())
    const held = await databaseOf(source).db.startTransaction().execute()
    const block = { ownerId: 'connector:acme', blockedUntil: 1 }
    await held.insertInto('rate_block').values(block).execute()
    const copying = copyStore(source, target)
    const waiting = "select pid from pg_locks where not granted and mode = 'ExclusiveLock'"
    const pids = async (): Promise<readonly object[]> => await database.run(waiting)
    await expect.poll(pids, { timeout: 30_000 }).not.toEqual([])
    const before = load.count()
    await expect.poll(() => load.count() - before, { timeout: 30_000 }).toBeGreaterThan(50)
    await held.commit().execute()
    await copying
    expect(await tamper(target, 'select * from rate_block')).toEqual([
      { owner_id: block.ownerId, blocked_until: block.blockedUntil },
    ])
    expect(await brokenIn(target)).toEqual([])
  }, 120_000)

  test('waits for a transaction that a loss has cut between its two phases', async () => {
    let locks = 0
    const onStatement = (text: string): void => {
      if (text.startsWith('lock table')) locks++
    }
    const reader = await openStore({ url: database.url }, { onStatement })
    stores.push(reader)
    const target = await open(newFolder())
    const ownerId = 'connector:cut'
    const [shard] = await database.run(
      `select s.shard_name, s.nodeport from citus_shards s
        where s.shardid = get_shard_id_for_distribution_column('rate_block', '${ownerId}')`,
    )
    const node = database.workerUrls.find(
      (url) => new URL(url).port === String(shard?.['nodeport']),
    )
    // Of a node that is none here, so that the test ends it, and not the server.
    const gid = 'citus_99_1_1_1'
    await runSql(
      String(node),
      `begin; insert into ${String(shard?.['shard_name'])} values ('${ownerId}', 1); prepare transaction '${gid}'`,
    )
    let isCopied = false
    const copying = copyStore(reader, target).finally(() => {
      isCopied = true
    })
    await expect.poll(() => isCopied || locks > 1).toBe(true)
    await runSql(String(node), `commit prepared '${gid}'`)
    await copying
    expect(
      await tamper(target, `select 1 from rate_block where owner_id = '${ownerId}'`),
    ).toHaveLength(1)
    expect(await brokenIn(target)).toEqual([])
  }, 120_000)

  test('is restored into Citus and PostgreSQL, and both are copied out again', async ({ skip }) => {
    const [citus, ordinary] = [await createCitusDatabase(), await createTestDatabase()]
    if (citus === null || ordinary === null) return skip('there is no PostgreSQL')
    const file = await newBackup()
    await load.stop()
    for (const place of [citus, ordinary]) {
      const { url } = place
      const { rows } = await restore(file, { url })
      const [restored, copy] = [await openStore({ url }), await open(newFolder())]
      expect((await copyStore(restored, copy)).rows).toEqual(rows)
      expect(await brokenIn(copy)).toEqual([])
      await restored.close()
      await place.drop()
    }
  }, 240_000)

  test('is refused when a shard was moved while it was read, and copies nothing', async () => {
    await load.stop()
    const target = await open(newFolder())
    let isMoved = false
    const onProgress = (): void => {
      if (!isMoved) moveShard(database.url)
      isMoved = true
    }
    await expect(copyStore(source, target, { onProgress })).rejects.toMatchObject({
      code: 'store_unavailable',
      details: { reason: 'conflict' },
    })
    expect(await target.applications.count()).toBe(0)
    expect(await tamper(target, 'select 1 from event_head')).toEqual([])
    // The next one is made.
    expect((await copyStore(source, target)).skipped).toEqual([])
    expect(await brokenIn(target)).toEqual([])
  }, 120_000)
})

/**
 * As copies were made before: each node opens its snapshot when it is asked first. `begin` is run in the transaction before
 * anything else is read.
 */
async function copyWithoutBarrier(
  from: Store,
  to: Store,
  begin: (tx: Executor) => Promise<void>,
): Promise<void> {
  const tables = Object.keys(PRIMARY_KEYS) as TableName[]
  const reading = databaseOf(from).db.withoutPlugins().transaction()
  const read = await reading.setIsolationLevel('repeatable read').execute(async (tx) => {
    await begin(tx)
    const found: [TableName, readonly object[]][] = []
    for (const table of tables)
      found.push([table, (await sql<object>`select * from ${sql.table(table)}`.execute(tx)).rows])
    return found
  })
  await databaseOf(to).transaction(async (tx) => {
    for (const [table, rows] of read)
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
        await tx
          .insertInto(table)
          .values(rows.slice(at, at + ROWS_AT_ONCE))
          .execute()
  })
}

/** Moves a shard to another node, and returns when it is there. */
function moveShard(url: string): void {
  const statement = `select citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, 'block_writes')
    from citus_shards s, pg_dist_node n where s.table_name = 'event_head'::regclass
    and n.shouldhaveshards and n.nodeport <> s.nodeport limit 1`
  // Nothing else of this process may go on meanwhile.
  const program = `import pg from 'pg'
    const client = new pg.Client({ connectionString: process.argv[1], statement_timeout: 30000 })
    await client.connect()
    await client.query(process.argv[2])
    await client.end()`
  execFileSync(process.execPath, ['--input-type=module', '-e', program, url, statement])
}
