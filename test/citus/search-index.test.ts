// The contract of the copies on a real Citus, which distribute their tables when they are opened. Citus refuses every
// statement that would have to ask more than one node's part of a table: each is about one instance.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeIndexes } from '../../src/copy/postgres/migrate-copies.ts'
import { openPostgresSearchIndex } from '../../src/copy/postgres/postgres-search-index.ts'
import type { SearchIndex } from '../../src/copy/search/search-index.ts'
import { COPY_SCHEMA, COPY_TABLES } from '../../src/copy/postgres/copy-tables.ts'
import { readSearch } from '../../src/copy/search/read-query.ts'
import { createRowMaker } from '../../src/copy/search/row.ts'
import { bodyPath, makeLayout } from '../copy/search/make-layout.ts'
import { contractSuite } from '../contracts/search-index/contract-suite.ts'
import { oracleSuite } from '../contracts/search-index/oracle-suite.ts'
import { mirrorSuite } from '../copy/sync/mirror-suite.ts'
import { runSteps } from '../../src/database/migrate.ts'
import { readSpread } from '../../src/database/spread.ts'
import { createCitusDatabase, NO_CITUS } from '../fixtures/citus.ts'
import { runSql } from '../fixtures/postgres.ts'
import { sized } from '../fixtures/sizes.ts'

const database = await createCitusDatabase()
let index: SearchIndex

describe('the copies on Citus', () => {
  if (database === null) {
    test.skip(NO_CITUS)
    return
  }
  beforeAll(async () => {
    await (await openPostgresSearchIndex({ url: database.url })).close()
    const byInstance = [...COPY_TABLES, 'replica_number'].map((table) => [table, 'instance_id'])
    expect(await database.placements()).toEqual({
      ...Object.fromEntries(byInstance),
      replica_migration: 'reference',
    })
    // As after a restart: the tables are there already, and distributed.
    const url = new URL(database.url)
    url.searchParams.set('options', '-c citus.multi_task_query_log_level=error')
    index = await openPostgresSearchIndex({ url: url.href })
    const overAll = runSql(url.href, 'select count(*) from replica_record')
    await expect(overAll).rejects.toThrow('multi-task')
  })
  afterAll(async () => {
    await index.close()
    await database.drop()
  })

  test('an index that is missing is made on all nodes, and again where that was interrupted', async () => {
    const onShards = async (): Promise<unknown> =>
      await database.run(
        `select sum(result::int)::int as valid from run_command_on_all_nodes($$select count(*) from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname ~ '^replica_k1_[0-9]+$' and i.indisvalid$$)`,
      )
    const all = await onShards()
    await database.run('drop index replica_k1')
    expect(await onShards()).toEqual([{ valid: 0 }])
    expect(await makeIndexes(database.url).made).toEqual(['replica_k1'])
    expect(await onShards()).toEqual(all)
    // As Citus leaves it where a node fails in between.
    await database.run(
      "update pg_index set indisvalid = false where indexrelid = 'replica_k1'::regclass",
    )
    expect(await makeIndexes(database.url).made).toEqual(['replica_k1'])
    expect(await onShards()).toEqual(all)
    expect(await makeIndexes(database.url).made).toEqual([])
  })

  test('a step gives way to who writes by a worker as well', async () => {
    const writer = new pg.Client({ connectionString: await database.workerUrl() })
    const migrator = new pg.Client({ connectionString: database.url })
    await Promise.all([writer.connect(), migrator.connect()])
    await writer.query('BEGIN')
    await writer.query("UPDATE replica_record SET held_until = 1 WHERE instance_id = 'one'")
    await migrator.query('BEGIN')
    const statements = ['ALTER TABLE replica_record ADD COLUMN late bigint']
    const steps = runSteps(
      async (text) => (await migrator.query<object>(text)).rows,
      { ...COPY_SCHEMA, table: 'late_step', steps: [{ name: 'late', statements }] },
      () => Promise.resolve(0),
    )
    await expect(steps).rejects.toMatchObject({ code: '55P03' })
    await Promise.all([writer.end(), migrator.end()])
  })

  test('the parts of a table are looked at by their nodes, which tell the common words', async () => {
    const layout = makeLayout({ fields: { id: 'string', title: 'string' } })
    const toRow = createRowMaker({ layout, primaryKey: [bodyPath('id')] })
    const writer = await openPostgresSearchIndex({ url: database.url })
    const copy = await writer.prepare({ instanceId: 'words', entity: 'things' }, layout)
    const titles = ['brass hinge', ...Array.from({ length: 4_999 }, (_, at) => `hinge ${at}`)]
    const rows = titles.map((title) => toRow({ id: title, title }))
    await writer.write({ copy, fence: null, observedAtMs: 1, rows })
    await writer.close()
    const texts: string[] = []
    const onStatement = (text: string): void => void texts.push(text)
    // By a worker, which knows as much as the coordinator.
    const reader = await openPostgresSearchIndex({ url: await database.workerUrl(), onStatement })
    async function isLedByWord(word: string): Promise<boolean> {
      texts.length = 0
      const query = readSearch(layout, {
        query: { filter: { keyword: { title: word } } },
        limit: 3,
      })
      const reply = await reader.search({
        ...copy,
        layoutHash: layout.hash,
        query,
        position: null,
      })
      expect(reply.kind).toBe('page')
      return texts.some((text) => text.includes('OFFSET 0'))
    }
    expect([await isLedByWord('brass'), await isLedByWord('hinge')]).toEqual([true, false])

    // As the document says, the largest instance gets a part of its own.
    const before = await readSpread(database.url, ['replica_record'], 1)
    const [place] = before.tenants
    expect(before).toMatchObject({
      citus: true,
      nodes: [{ rows: expect.any(Number) as unknown }, {}],
      tenants: [{ instance_id: 'words', records: 5_000 }],
    })
    expect(before.nodes.map(({ node }) => node)).toContain(place?.node)
    await database.run(
      "select isolate_tenant_to_new_shard('replica_scope', 'words', 'CASCADE', shard_transfer_mode := 'block_writes')",
    )
    const after = await readSpread(database.url, ['replica_record'], 1)
    expect(after.tenants[0]?.shard).not.toBe(place?.shard)
    const parts = ({ nodes }: typeof after): number =>
      nodes.reduce((sum, each) => sum + each.parts, 0)
    expect(parts(after)).toBeGreaterThan(parts(before))
    expect(await isLedByWord('brass')).toBe(true)
    await reader.purge('words')
    await reader.close()
  })

  contractSuite('Citus', () => index)
  oracleSuite('Citus', () => index, 0.1)
  mirrorSuite('Citus', () => index, { courses: sized(10, 100) })
})
