// Searches of SQLite copies have a thread of their own.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { openSqliteSearchIndex } from '../../../src/copy/sqlite/sqlite-search-index.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import { createRowMaker } from '../../../src/copy/search/row.ts'
import type { CopyState, SearchIndex, SearchReply } from '../../../src/copy/search/search-index.ts'
import { bodyPath, makeLayout } from '../search/make-layout.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-search-worker-'))
const layout = makeLayout({ fields: { id: 'string', title: 'string' } })
const toRow = createRowMaker({ layout, primaryKey: [bodyPath('id')] })
let index: SearchIndex

beforeAll(() => {
  index = openSqliteSearchIndex({ folder })
})

afterAll(async () => {
  await index.close()
  rmSync(folder, { recursive: true })
})

async function search(copy: CopyState): Promise<SearchReply> {
  const query = readSearch(layout, { query: { filter: { keyword: { title: 'brass' } } } })
  return await index.search({ ...copy, layoutHash: layout.hash, query, position: null })
}

test('a search does not wait for what is being written, and finds it once it is', async () => {
  const copy = await index.prepare({ instanceId: 'one', entity: 'things' }, layout)
  const rows = Array.from({ length: 5_000 }, (_, at) =>
    toRow({ id: `t${at}`, title: `brass hinge number ${at}` }),
  )
  expect(await search(copy)).toMatchObject({ kind: 'page', count: 0 })
  const order: string[] = []
  const writing = index
    .write({ copy, fence: null, observedAtMs: 1, rows })
    .then(() => order.push('written'))
  const before = await search(copy)
  order.push('searched')
  await writing
  expect(order).toEqual(['searched', 'written'])
  expect(before).toMatchObject({ kind: 'page', count: 0 })
  expect(await search(copy)).toMatchObject({ kind: 'page', count: 1_000, copy: { live: 5_000 } })
})

test('to ask for the copies of an instance that has none makes no file', async () => {
  expect(await index.copies({ instanceId: 'nobody' })).toEqual([])
  expect(existsSync(join(folder, 'nobody.sqlite'))).toBe(false)
})

test('a search of a copy whose instance was deleted has nothing to ask', async () => {
  const copy = await index.prepare({ instanceId: 'gone', entity: 'things' }, layout)
  expect(await search(copy)).toMatchObject({ kind: 'page' })
  await index.purge('gone')
  expect(await search(copy)).toEqual({ kind: 'moved' })
  expect(existsSync(join(folder, 'gone.sqlite'))).toBe(false)
})
