import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { COPY_TABLES } from '../../../src/copy/postgres/copy-tables.ts'
import { openPostgresSearchIndex } from '../../../src/copy/postgres/postgres-search-index.ts'
import { type ChangesPlace, readChanges } from '../../../src/copy/search/changes.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import { createRowMaker } from '../../../src/copy/search/row.ts'
import type { CopyState, SearchIndex } from '../../../src/copy/search/search-index.ts'
import { createTestDatabase, type TestDatabase } from '../../fixtures/postgres.ts'
import { bodyPath, makeLayout } from '../search/make-layout.ts'
import { contractSuite } from '../../contracts/search-index/contract-suite.ts'
import { oracleSuite } from '../../contracts/search-index/oracle-suite.ts'

const database = await createTestDatabase()
const statements = new Set<string>()
let index: SearchIndex
/** Opened when the server had statistics of words. */
let informed: SearchIndex

const WORDS = makeLayout({ fields: { id: 'string', title: 'string' } })
const toWords = createRowMaker({ layout: WORDS, primaryKey: [bodyPath('id')] })

/** Records with a common word, of which the server knows, and one with a rare one, of which it does not. */
async function writeHinges(into: SearchIndex, server: TestDatabase | null): Promise<CopyState> {
  const copy = await into.prepare({ instanceId: 'words', entity: 'things' }, WORDS)
  const write = async (...titles: readonly string[]): Promise<void> => {
    const rows = titles.map((title) => toWords({ id: title, title }))
    await into.write({ copy, fence: null, observedAtMs: 1, rows })
  }
  await write(...Array.from({ length: 500 }, (_, at) => `hinge ${at}`))
  await server?.run('ANALYZE replica_record')
  await write('brass hinge')
  return copy
}

describe.skipIf(database === null)('PostgreSQL', () => {
  beforeAll(async () => {
    index = await openPostgresSearchIndex({
      url: database?.url ?? '',
      onStatement: (text) => statements.add(text),
    })
    await writeHinges(index, database)
    informed = await openPostgresSearchIndex({
      url: database?.url ?? '',
      onStatement: (text) => statements.add(text),
    })
  })

  afterAll(async () => {
    await informed.close()
    await index.close()
    await database?.drop()
  })

  contractSuite('PostgreSQL', () => index)
  oracleSuite('PostgreSQL', () => index, 0.5)
  oracleSuite('PostgreSQL that knows common words', () => informed, 0.5)

  test('every key begins with the instance, and nothing refers beyond it', async () => {
    const keys =
      (await database?.run(
        "SELECT conrelid::regclass::text AS name, pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE contype IN ('p', 'u', 'f') AND conrelid::regclass::text ~ '^(replica|sync)_' AND conrelid <> 'replica_migration'::regclass ORDER BY 1",
      )) ?? []
    expect(keys.length).toBe(COPY_TABLES.length + 1)
    expect(
      keys.filter(({ key }) => !(key as string).startsWith('PRIMARY KEY (instance_id')),
    ).toEqual([])
  })

  test('a part of a text is looked for among the newest records before a planner guesses', async () => {
    const layout = makeLayout({ fields: { id: 'string', title: 'string' }, substring: ['title'] })
    const copy = await index.prepare({ instanceId: 'parts', entity: 'things' }, layout)
    const toRow = createRowMaker({ layout, primaryKey: [bodyPath('id')] })
    const write = async (from: number, to: number): Promise<void> => {
      const rows = Array.from({ length: to - from }, (_, at) =>
        toRow({ id: `t${from + at}`, title: `Brass hinge ${from + at}` }),
      )
      await index.write({ copy, fence: null, observedAtMs: 1, rows })
    }
    const query = readSearch(layout, {
      query: { filter: { like: { title: '%hinge%' } } },
      limit: 5,
    })
    const search = async (): Promise<readonly string[]> => {
      const reply = await index.search({ ...copy, layoutHash: layout.hash, query, position: null })
      if (reply.kind !== 'page') throw new TypeError('the copy is not served')
      return (JSON.parse(reply.hits) as readonly { readonly id: string }[]).map(({ id }) => id)
    }
    await write(0, 1_000)
    expect(await search()).toEqual(['t999', 't998', 't997', 't996', 't995'])
    // Asked as if the copy were as it was; what has arrived since is found as well.
    await write(1_000, 1_003)
    const before = new Set(statements)
    statements.clear()
    expect(await search()).toEqual(['t1002', 't1001', 't1000', 't999', 't998'])
    expect([...statements].filter((text) => text.includes('r.sub LIKE'))).toEqual([])
    for (const text of before) statements.add(text)
  })

  test('behind a write of a process of an earlier version, changes begin again', async () => {
    const copy = await index.prepare({ instanceId: 'mixed', entity: 'things' }, WORDS)
    const write = async (title: string): Promise<unknown> => {
      const rows = [toWords({ id: title, title })]
      return await index.write({ copy, fence: null, observedAtMs: 1, rows })
    }
    const read = async (place: ChangesPlace | null) => {
      const { changes, reset, next } = await readChanges(index, copy, place, 9)
      const ids = (JSON.parse(changes) as readonly { readonly id: string }[]).map(({ id }) => id)
      return { ids, reset, next }
    }
    const asBefore = async (): Promise<unknown> =>
      await database?.run(
        "UPDATE replica_scope SET version = version + 1, complete = 1 WHERE instance_id = 'mixed'",
      )
    await write('a')
    const first = await read(null)
    await asBefore()
    const second = await read(first.next)
    expect(second).toMatchObject({ ids: ['a'], reset: true })
    expect(await read(second.next)).toMatchObject({ ids: [], reset: false })
    await asBefore()
    expect(await read(second.next)).toMatchObject({ ids: ['a'], reset: true })
    await write('b')
    const third = await read(second.next)
    expect(third).toMatchObject({ ids: ['a', 'b'], reset: true })
    await write('c')
    expect(await read(third.next)).toMatchObject({ ids: ['c'], reset: false })
  })

  test('tables that are there already are taken as they are', async () => {
    const again = await openPostgresSearchIndex({ url: database?.url ?? '' })
    const copies = await again.copies({ instanceId: 'words' })
    expect(copies).toEqual(await index.copies({ instanceId: 'words' }))
    expect(copies).toHaveLength(1)
    await again.close()
  })
})

// A database of their own: the server looks at its tables again by itself, and statistics are read again each minute.
describe.skipIf(database === null)('PostgreSQL that knows how common words are', () => {
  test.for([
    { word: 'hinge', byIndex: false, ids: ['brass hinge', 'hinge 499', 'hinge 498'] },
    { word: 'brass', byIndex: true, ids: ['brass hinge'] },
  ])(
    'records with $word are found by the index of words alone: $byIndex',
    async ({ word, byIndex, ids }) => {
      const own = await createTestDatabase()
      const url = own?.url ?? ''
      const writer = await openPostgresSearchIndex({ url })
      const copy = await writeHinges(writer, own)
      const texts: string[] = []
      const reader = await openPostgresSearchIndex({ url, onStatement: (text) => texts.push(text) })
      try {
        const filter = { keyword: { title: word } }
        const query = readSearch(WORDS, { query: { filter }, limit: 3 })
        const reply = await reader.search({
          ...copy,
          layoutHash: WORDS.hash,
          query,
          position: null,
        })
        const hits = reply.kind === 'page' ? JSON.parse(reply.hits) : []
        expect((hits as readonly { readonly id: string }[]).map(({ id }) => id)).toEqual(ids)
        expect(texts.some((text) => text.includes('OFFSET 0'))).toBe(byIndex)
      } finally {
        await Promise.all([writer.close(), reader.close()])
        await own?.drop()
      }
    },
  )
})
