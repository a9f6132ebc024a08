import { expect, test } from 'vitest'
import { openPostgresSearchIndex } from '../../src/copy/postgres/postgres-search-index.ts'
import { createRowMaker } from '../../src/copy/search/row.ts'
import { bodyPath, makeLayout } from '../copy/search/make-layout.ts'
import { createTestDatabase } from '../fixtures/postgres.ts'
import { tenonHere } from './run-here.ts'

const LAYOUT = makeLayout({ fields: { id: 'string' } })
const toRow = createRowMaker({ layout: LAYOUT, primaryKey: [bodyPath('id')] })
const database = await createTestDatabase()

test.skipIf(database === null)(
  'tenon store spread says that PostgreSQL is one node, and which instances are the largest',
  async () => {
    const env = {
      DATABASE_URL: database?.url ?? '',
      TENON_MASTER_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    }
    expect(await tenonHere(['migrate'], { env })).toMatchObject({ code: 0 })
    const empty = await tenonHere(['store', 'spread'], { env })
    expect(empty).toMatchObject({ code: 0, err: '' })
    expect(empty.out).toMatch(/^There is one node: [^]*There are no copies yet\.\n$/)
    const index = await openPostgresSearchIndex({ url: env.DATABASE_URL })
    for (const [instanceId, count] of [
      ['small', 1],
      ['large', 3],
    ] as const) {
      const copy = await index.prepare({ instanceId, entity: 'things' }, LAYOUT)
      const rows = Array.from({ length: count }, (_, at) => toRow({ id: `${at}` }))
      await index.write({ copy, fence: null, observedAtMs: 1, rows })
    }
    await index.close()
    const { out } = await tenonHere(['store', 'spread', '--json', '--limit', '1'], { env })
    const { port } = new URL(env.DATABASE_URL)
    const node = `127.0.0.1:${port}`
    expect(JSON.parse(out)).toMatchObject({
      citus: false,
      nodes: [{ node, bytes: expect.any(Number) as unknown }],
      tenants: [
        { instance_id: 'large', organization_id: null, records: 3, share: 0.75, shard: null, node },
      ],
    })
    await database?.drop()
  },
)

test('tenon store spread has nothing to say of an embedded store', async () => {
  const { code, err } = await tenonHere(['store', 'spread'])
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining('DATABASE_URL') as unknown,
  })
})
