import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { readCopies } from '../../../src/copy/sql/copy-operations.ts'
import type { PageTask } from '../../../src/copy/sql/page.ts'
import { findPage } from '../../../src/copy/sql/search-pages.ts'
import { onePart } from '../../../src/copy/sqlite/copy-call.ts'
import { packRows } from '../../../src/copy/sqlite/row-columns.ts'
import { SqliteConnection } from '../../../src/copy/sqlite/sqlite-connection.ts'
import { SqliteFile } from '../../../src/copy/sqlite/sqlite-file.ts'
import { SQLITE_DIALECT } from '../../../src/copy/sqlite/sqlite-schema.ts'
import { sql, type Sql, sqlText } from '../../../src/copy/sql/sql.ts'
import { Vocabularies } from '../../../src/copy/sql/vocabulary.ts'
import { isConnectorError } from '../../../src/errors.ts'
import type { Json } from '../../../src/language/json/json.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import { createRowMaker } from '../../../src/copy/search/row.ts'
import { bodyPath, makeLayout } from '../search/make-layout.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-plans-'))
const path = join(folder, 'one.sqlite')
const layout = makeLayout({
  fields: { id: 'string', n: 'integer', title: 'string' },
  substring: ['title'],
})
let connection: SqliteConnection

beforeAll(async () => {
  const file = new SqliteFile(path)
  const state = await file.prepareCopy({ instanceId: 'one', entity: 'things' }, layout, '')
  const make = createRowMaker({ layout, primaryKey: [bodyPath('id')] })
  const rows = Array.from({ length: 50 }, (_, index) =>
    make({ id: `r${index}`, n: index % 5, title: 'acme renewal' }),
  )
  await file.write({ copy: state, fence: null, observedAtMs: 1 }, onePart(packRows(rows)))
  await file.close()
  connection = SqliteConnection.toWrite(path)
})

afterAll(() => {
  connection.close()
  rmSync(folder, { recursive: true })
})

function taskOf(query: Json, elapsedMs = 0, spentMs = 0): PageTask {
  const [copy] = connection.run(readCopies({ instanceId: 'one' }))
  if (copy === undefined) throw new TypeError('no copy')
  return {
    dialect: SQLITE_DIALECT,
    scope: copy,
    vocabularies: new Vocabularies(),
    query: readSearch(layout, { query, limit: 10 }),
    position: null,
    elapsedMs: () => elapsedMs,
    spentMs,
  }
}

/** The statements of a page that read records. */
function statementsOf(query: Json): readonly Sql[] {
  const steps = findPage(taskOf(query))
  const statements: Sql[] = []
  let step = steps.next()
  while (step.done !== true) {
    if (textOf(step.value).includes('replica_record')) statements.push(step.value)
    step = steps.next(connection.ask(step.value))
  }
  return statements
}

const textOf = (statement: Sql): string => sqlText(statement, () => '?')

function planOf({ texts: [first = '', ...others], values }: Sql): string {
  const explained = { values, texts: [`EXPLAIN QUERY PLAN ${first}`, ...others] }
  return connection
    .ask(explained)
    .map((row) => row['detail'] as string)
    .join('\n')
}

test.for<{ name: string; query: Json; uses: RegExp; sorts: boolean }>([
  { name: 'everything', query: {}, uses: /r USING INTEGER PRIMARY KEY/, sorts: false },
  {
    name: 'eq',
    query: { filter: { eq: { n: 1 } } },
    uses: /replica_k2 \(scope_no=\? AND k2=\?/,
    sorts: false,
  },
  {
    name: 'in',
    query: { filter: { in: { n: [1, 2] } } },
    uses: /replica_k2 \(scope_no=\? AND k2=\?/,
    sorts: true,
  },
  {
    name: 'range',
    query: { filter: { gt: { n: 3 } } },
    uses: /replica_k2 \(scope_no=\? AND k2>\?/,
    sorts: true,
  },
  {
    name: 'keyword',
    query: { filter: { keyword: { title: 'acme' } } },
    uses: /words VIRTUAL TABLE INDEX/,
    sorts: false,
  },
  {
    name: 'fuzzy',
    query: { filter: { fuzzy: { title: 'acne' } } },
    uses: /words VIRTUAL TABLE INDEX/,
    sorts: false,
  },
  {
    name: 'like',
    query: { filter: { like: { title: '%newal' } } },
    uses: /parts VIRTUAL TABLE INDEX/,
    sorts: false,
  },
  { name: 'a sort', query: { sort: ['n'] }, uses: /replica_k2 \(scope_no=\?/, sorts: true },
  {
    name: 'an or',
    query: { filter: { or: [{ eq: { n: 1 } }, { keyword: { title: 'acme' } }] } },
    uses: /replica_k2[^]*words VIRTUAL TABLE INDEX/,
    sorts: true,
  },
])('$name is led by its index', ({ query, uses, sorts }) => {
  const statements = statementsOf(query)
  const plans = statements.map(planOf).join('\n')
  expect(plans).toMatch(uses)
  // SQLite would plan the statement anew for every limit and every pattern that is bound.
  expect(statements.map(textOf).join('\n')).not.toMatch(/(LIMIT|LIKE) \?/)
  // Numbers may be sorted, documents never are.
  if (!sorts) expect(plans).not.toMatch(/TEMP B-TREE/)
})

test.for([
  { elapsedMs: 2_001, spentMs: 0 },
  { elapsedMs: 1, spentMs: 2_000 },
])(
  'a search that took more than two seconds ends as search_timeout: $elapsedMs ms of the store after a wait of $spentMs',
  ({ elapsedMs, spentMs }) => {
    const steps = findPage(taskOf({ filter: { eq: { title: 'nothing' } } }, elapsedMs, spentMs))
    const first = steps.next()
    expect(first.done).toBe(false)
    expect.assertions(2)
    try {
      steps.next(first.done === true ? [] : connection.ask(first.value))
    } catch (error) {
      expect(isConnectorError(error, 'search_timeout')).toBe(true)
    }
  },
)

test('a page that grows slow ends early and says where to go on', () => {
  const { count, next } = connection.run(
    findPage(taskOf({ filter: { not: { eq: { id: 'x' } } } }, 501)),
  )
  expect([count > 0, next?.mode]).toEqual([true, 'seq'])
})

test('a wait before it makes no page shorter', () => {
  const filter = { not: { eq: { id: 'x' } } }
  const [waited, atOnce] = [1_900, 0].map((spentMs) =>
    connection.run(findPage(taskOf({ filter }, 0, spentMs))),
  )
  expect(waited).toEqual(atOnce)
})

test('values never become part of a statement', () => {
  const hostile = "'; DROP TABLE replica_record;--"
  expect(sqlText(sql`SELECT ${hostile}`, (number) => `$${number}`)).toBe('SELECT $1')
})
