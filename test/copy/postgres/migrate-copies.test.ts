// How the tables of copies in PostgreSQL come up to date while others write to them.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  lookAtCopies,
  makeIndexes,
  migrateCopies,
} from '../../../src/copy/postgres/migrate-copies.ts'
import { openPostgresSearchIndex } from '../../../src/copy/postgres/postgres-search-index.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import { createRowMaker } from '../../../src/copy/search/row.ts'
import type { CopyState } from '../../../src/copy/search/search-index.ts'
import { tenonHere } from '../../cli/run-here.ts'
import { eventually } from '../../faults/resources.ts'
import { createTestDatabase, runSql, type TestDatabase } from '../../fixtures/postgres.ts'
import { bodyPath, makeLayout } from '../search/make-layout.ts'

const LAYOUT = makeLayout({ fields: { id: 'string', title: 'string' } })
const toRow = createRowMaker({ layout: LAYOUT, primaryKey: [bodyPath('id')] })
const NAME = { instanceId: 'one', entity: 'things' }
const database = await createTestDatabase()

describe.skipIf(database === null)('the tables of copies in PostgreSQL', () => {
  // Skipped without one.
  const { url } = database as TestDatabase
  const run = async (text: string): ReturnType<TestDatabase['run']> => await runSql(url, text)
  let copy: CopyState
  /** A batch that is being written, as the table sees it. */
  let writer: pg.Client

  beforeAll(async () => {
    await migrateCopies(url)
    const index = await openPostgresSearchIndex({ url })
    copy = await index.prepare(NAME, LAYOUT)
    await index.write({ copy, fence: null, observedAtMs: 1, rows: [toRow({ id: 'a' })] })
    await index.close()
    writer = new pg.Client({ connectionString: url })
    await writer.connect()
  })
  afterAll(async () => {
    await writer.end()
    await database?.drop()
  })
  const beginBatch = async (): Promise<unknown> =>
    await writer.query("BEGIN; UPDATE replica_record SET held_until = 1 WHERE record_id = 'a'")

  async function writeRecord(id: string): Promise<void> {
    const index = await openPostgresSearchIndex({ url, migrate: false })
    await index.write({ copy, fence: null, observedAtMs: 1, rows: [toRow({ id })] })
    await index.close()
  }
  const stateOf = async (index: string): Promise<unknown> =>
    (await run(`SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('${index}')`))[0]?.[
      'indisvalid'
    ]

  test('those of the version before are taken with their copies once no batch is written, and searches go on', async () => {
    const searcher = await openPostgresSearchIndex({ url })
    await run(
      'DROP TABLE replica_migration, replica_number; CREATE SEQUENCE replica_scope_no; ALTER TABLE replica_scope DROP generation, DROP traced, DROP forgotten; ALTER TABLE replica_record DROP changed, DROP added; ALTER TABLE replica_removed DROP changed',
    )
    await beginBatch()
    const opening = openPostgresSearchIndex({ url })
    await eventually(async () => {
      const waiting = await run(
        "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      )
      return waiting.length > 0
    })
    const query = readSearch(LAYOUT, { query: {}, limit: 1 })
    const asked = { ...copy, layoutHash: LAYOUT.hash, query, position: null }
    expect(await searcher.search(asked)).toMatchObject({ kind: 'page', count: 1 })
    await searcher.close()
    await writer.query('COMMIT')
    const index = await opening
    expect(await index.copies(NAME)).toMatchObject([{ epoch: copy.epoch, nextSeq: 2 }])
    await index.prepare({ ...NAME, entity: 'others' }, LAYOUT)
    await eventually(async () => (await lookAtCopies(url)).indexes.length === 0)
    await index.close()
    // The numbers between are left to processes of that version.
    expect(await run('SELECT scope_no FROM replica_scope ORDER BY scope_no')).toEqual([
      { scope_no: '1' },
      { scope_no: '102' },
    ])
  })

  test('a start makes an index that is missing, and no batch waits for it', async () => {
    await run('DROP INDEX replica_k1')
    expect(await lookAtCopies(url)).toMatchObject({ steps: 0, indexes: ['replica_k1'] })
    await beginBatch()
    const index = await openPostgresSearchIndex({ url })
    // It waits for the batch that was there before it.
    await eventually(async () => (await stateOf('replica_k1')) === false)
    await writeRecord('b')
    await writer.query('COMMIT')
    await eventually(async () => (await stateOf('replica_k1')) === true)
    await index.close()
  })

  test('an index is made again where the one who made it was ended by the server', async () => {
    await run('DROP INDEX replica_terms')
    await beginBatch()
    const work = makeIndexes(url)
    const ended = work.made.catch((error: unknown) => error)
    await eventually(async () => (await stateOf('replica_terms')) === false)
    // Another process goes on without.
    expect(await makeIndexes(url).made).toEqual([])
    await run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%' AND datname = current_database()",
    )
    expect(await ended).toMatchObject({ code: 'store_unavailable' })
    await writer.query('COMMIT')
    expect(await stateOf('replica_terms')).toBe(false)

    const env = {
      DATABASE_URL: url,
      TENON_MASTER_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    }
    expect(await tenonHere(['migrate'], { env })).toMatchObject({
      code: 0,
      out: expect.stringContaining('copies: index replica_terms\n') as unknown,
    })
    expect(await stateOf('replica_terms')).toBe(true)
    const check = async (): Promise<object> => await tenonHere(['migrate', '--check'], { env })
    expect(await check()).toEqual({ code: 0, out: 'up to date\n', err: '' })
    await run('DROP INDEX replica_seq')
    expect(await check()).toEqual({ code: 1, out: '1 steps behind\n', err: '' })
  })

  test('three processes that start at once make the tables of an empty database once', async () => {
    const empty = await createTestDatabase()
    const at = empty?.url ?? ''
    await expect(openPostgresSearchIndex({ url: at, migrate: false })).rejects.toMatchObject({
      code: 'config_invalid',
    })
    const all = await Promise.all([1, 2, 3].map(() => migrateCopies(at)))
    const done = all.map((each) => each.done.join(' ')).toSorted()
    expect(done).toEqual(['', '', 'first-tables copy-numbers changes'])
    expect(await lookAtCopies(at)).toMatchObject({ steps: 0, indexes: [] })
    await empty?.drop()
  })

  test('steps of a newer version are not touched', async () => {
    await run("INSERT INTO replica_migration VALUES (1000, 'later', 0)")
    await expect(openPostgresSearchIndex({ url })).rejects.toMatchObject({
      code: 'store_unavailable',
      details: { schema: 1000 },
    })
  })
})
