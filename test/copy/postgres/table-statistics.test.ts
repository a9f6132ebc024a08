// When the server looks at the tables of copies, and what it finds records by afterwards.
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { openPostgresSearchIndex } from '../../../src/copy/postgres/postgres-search-index.ts'
import { CommonTerms, postgresDialect } from '../../../src/copy/postgres/postgres-schema.ts'
import { PLANNING, TableStatistics } from '../../../src/copy/postgres/table-statistics.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import { createRowMaker } from '../../../src/copy/search/row.ts'
import { readCopies } from '../../../src/copy/sql/copy-operations.ts'
import { findPage } from '../../../src/copy/sql/search-pages.ts'
import { type Sql, type SqlRow, type SqlSteps, sqlText } from '../../../src/copy/sql/sql.ts'
import { Vocabularies } from '../../../src/copy/sql/vocabulary.ts'
import { eventually } from '../../faults/resources.ts'
import { createTestDatabase, type TestDatabase } from '../../fixtures/postgres.ts'
import { bodyPath, makeLayout } from '../search/make-layout.ts'

const LAYOUT = makeLayout({ fields: { id: 'string', title: 'string' } })
const toRow = createRowMaker({ layout: LAYOUT, primaryKey: [bodyPath('id')] })
/** Every record has `hinge`, and as many words as do not fit next to its keys: PostgreSQL keeps them apart. */
const textOf = (at: number): string =>
  `hinge ${Array.from({ length: 150 }, (_, place) => `word${(at * (place + 7) + place * place) % 6_000}`).join(' ')}`
const [database, other] = [await createTestDatabase(), await createTestDatabase()]

describe.skipIf(database === null)('the statistics of the tables of copies', () => {
  afterAll(async () => {
    await database?.drop()
    await other?.drop()
  })

  /** Records of a copy, from one number to another, by a process that ends; how many records the planner knows of afterwards. */
  async function fill(
    into: TestDatabase | null,
    instanceId: string,
    [from, to]: readonly [number, number],
    titleOf: (at: number) => string = (at) => `${at} ${'title '.repeat(40)}`,
  ): Promise<unknown> {
    const index = await openPostgresSearchIndex({ url: into?.url ?? '' })
    const copy = await index.prepare({ instanceId, entity: 'things' }, LAYOUT)
    const rows = Array.from({ length: to - from }, (_, place) => place + from).map((at) =>
      toRow({ id: `${at}`, title: titleOf(at) }),
    )
    await index.write({ copy, fence: null, observedAtMs: 1, rows })
    await index.close()
    // What its connections counted is noted when they end.
    await eventually(async () => {
      const left = await into?.run(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'tenon-search' AND datname = current_database()",
      )
      return left?.length === 0
    })
    const [row] =
      (await into?.run(
        "SELECT reltuples::int AS known FROM pg_class WHERE relname = 'replica_record'",
      )) ?? []
    return row?.['known']
  }

  test('the server looks at a table when it has grown by a quarter, or does not know a copy', async () => {
    await (await openPostgresSearchIndex({ url: database?.url ?? '' })).close()
    // The server's own looks come when they come.
    await database?.run('ALTER TABLE replica_record SET (autovacuum_enabled = off)')
    expect(await fill(database, 'one', [0, 5_000])).toBe(5_000)
    await database?.run('ANALYZE replica_record')
    expect(await fill(database, 'one', [5_000, 6_000])).toBe(5_000)
    expect(await fill(database, 'one', [6_000, 7_000])).toBe(7_000)
    // It knows no other copy, and would suppose one record of this one.
    expect(await fill(database, 'two', [0, 1_000])).toBe(8_000)
    await database?.run('ANALYZE replica_record')
    expect(await fill(database, 'two', [1_000, 2_000])).toBe(8_000)
  })

  test('after a first sync a keyword of several words is found without looking at every record', async () => {
    await fill(other, 'words', [0, 1_200], textOf)
    const client = new pg.Client({ connectionString: other?.url ?? '' })
    await client.connect()
    await client.query(`SET ${PLANNING}`)
    const run = async ({ values, numbered, ...statement }: Sql): Promise<readonly SqlRow[]> => {
      const asked = { text: sqlText({ ...statement, values }, (number) => `$${number}`), values }
      const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>({
        text: `EXPLAIN ${asked.text}`,
        values: [...values],
      })
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      const mode = numbered === true ? { rowMode: 'array' } : {}
      return (await client.query<SqlRow>({ ...asked, values: [...values], ...mode })).rows
    }
    async function finish<T>(steps: SqlSteps<T>): Promise<T> {
      let step = steps.next()
      while (step.done !== true) step = steps.next(await run(step.value))
      return step.value
    }
    const plans: string[] = []
    const statistics = new TableStatistics(async (text) => (await client.query(text)).rows, false)
    const terms = new CommonTerms(() => statistics.commonTerms(), Date.now)
    await terms.refresh()
    const [scope] = await finish(readCopies({ instanceId: 'words' }))
    if (scope === undefined) throw new TypeError('no copy')
    plans.length = 0
    for (const keyword of ['word7 word8', 'word7 hinge', 'word7 word8 word9', 'missing word7']) {
      const page = await finish(
        findPage({
          dialect: postgresDialect(true, terms),
          scope,
          vocabularies: new Vocabularies(),
          query: readSearch(LAYOUT, {
            query: { filter: { keyword: { title: keyword } } },
            limit: 50,
          }),
          position: null,
          elapsedMs: () => 0,
          spentMs: 0,
        }),
      )
      expect(page.hits).toContain('word7')
    }
    await client.end()
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.filter((plan) => plan.includes('Seq Scan'))).toEqual([])
  })
})
