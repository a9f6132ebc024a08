import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { onePart } from '../../../src/copy/sqlite/copy-call.ts'
import { readCopies } from '../../../src/copy/sql/copy-operations.ts'
import { packRows } from '../../../src/copy/sqlite/row-columns.ts'
import { findPage } from '../../../src/copy/sql/search-pages.ts'
import { SqliteConnection } from '../../../src/copy/sqlite/sqlite-connection.ts'
import { SqliteFile } from '../../../src/copy/sqlite/sqlite-file.ts'
import { SQLITE_DIALECT } from '../../../src/copy/sqlite/sqlite-schema.ts'
import { Vocabularies } from '../../../src/copy/sql/vocabulary.ts'
import type { WalkPosition } from '../../../src/copy/search/cursor.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import { createRowMaker } from '../../../src/copy/search/row.ts'
import { bodyPath, makeLayout } from '../search/make-layout.ts'

const COUNT = 2_000
const LIMIT = 30

const folder = mkdtempSync(join(tmpdir(), 'tenon-best-'))
const layout = makeLayout({ fields: { id: 'string', body: 'object' } })
const vocabularies = new Vocabularies()
let connection: SqliteConnection

/** One in ten has both words in its title; of the others one stands in the text. */
const isBest = (index: number): boolean => index % 10 === 0

beforeAll(async () => {
  const path = join(folder, 'one.sqlite')
  const file = new SqliteFile(path)
  const state = await file.prepareCopy({ instanceId: 'one', entity: 'things' }, layout, '')
  const make = createRowMaker({ layout, primaryKey: [bodyPath('id')] })
  const rows = Array.from({ length: COUNT }, (_, index) =>
    make({
      id: `r${index}`,
      body: isBest(index)
        ? { title: 'large customer', text: '' }
        : { title: 'large', text: 'customer' },
    }),
  )
  await file.write({ copy: state, fence: null, observedAtMs: 1 }, onePart(packRows(rows)))
  await file.close()
  connection = SqliteConnection.toWrite(path)
})

afterAll(() => {
  connection.close()
  rmSync(folder, { recursive: true })
})

interface Asked {
  readonly hits: readonly { readonly id: string; readonly score: number }[]
  readonly next: WalkPosition | null
  /** Rows that statements gave. */
  readonly rows: number
}

function ask(filter: object, position: WalkPosition | null, elapsedMs = 0): Asked {
  const [copy] = connection.run(readCopies({ instanceId: 'one' }))
  if (copy === undefined) throw new TypeError('no copy')
  const steps = findPage({
    dialect: SQLITE_DIALECT,
    scope: copy,
    vocabularies,
    query: readSearch(layout, { query: { filter: { ...filter } }, limit: LIMIT }),
    position,
    elapsedMs: () => elapsedMs,
    spentMs: 0,
  })
  let rows = 0
  let step = steps.next()
  while (step.done !== true) {
    const answer = connection.ask(step.value)
    rows += answer.length
    step = steps.next(answer)
  }
  const { hits, next } = step.value
  return { hits: JSON.parse(hits) as Asked['hits'], next, rows }
}

test.for([
  ['keyword', { keyword: { 'body.title': 'large customer' } }, [1, 0.5]],
  ['fuzzy', { fuzzy: { 'body.title': 'large custmer' } }, [0.875]],
] as const)(
  'of a place within a field, the pages of the best hits of %s read few records',
  ([, filter, scores]) => {
    const best = Array.from({ length: COUNT }, (_, index) => index)
      .filter(isBest)
      .reverse()
    const others = Array.from({ length: COUNT }, (_, index) => index)
      .filter((index) => !isBest(index))
      .reverse()
    const expected = [best, others].flatMap((some, tier) =>
      scores[tier] === undefined
        ? []
        : some.map((index) => ({ id: `r${index}`, score: scores[tier] })),
    )
    const found: object[] = []
    const read: number[] = []
    let position: WalkPosition | null = null
    do {
      const page: Asked = ask(filter, position)
      found.push(...page.hits.map(({ id, score }) => ({ id, score })))
      read.push(page.rows)
      position = page.next
    } while (position !== null)
    expect(found).toEqual(expected)
    // Six pages are full of the best, which stand among ten times as many candidates.
    expect(Math.max(...read.slice(0, 6))).toBeLessThan(COUNT / 2)
  },
)

test('ranked hits come page by page to the end, however slow each page is', () => {
  const filter = {
    or: [{ keyword: { 'body.title': 'customer none' } }, { keyword: { 'body.text': 'none gone' } }],
  }
  const found: string[] = []
  let position: WalkPosition | null = null
  do {
    const page: Asked = ask(filter, position, 501)
    found.push(...page.hits.map(({ id }) => id))
    position = page.next
  } while (position !== null)
  expect(found).toHaveLength(COUNT / 10)
})
