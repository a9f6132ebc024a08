// The same runs over copies in PostgreSQL, and several processes' worth of runners on one database.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresSearchIndex } from '../../../src/copy/postgres/postgres-search-index.ts'
import type { SearchIndex } from '../../../src/copy/search/search-index.ts'
import { createTestDatabase, type TestDatabase } from '../../fixtures/postgres.ts'
import { createNotesSync, createNotesVendor, idOf, notesManifest } from './notes-vendor.ts'

let database: TestDatabase | null
const indexes: SearchIndex[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  for (const index of indexes) await index.close()
  await database?.drop()
})

test('several runners fill one copy, one at a time, and remove what is gone', async (context) => {
  if (database === null) return context.skip()
  await using vendor = await createNotesVendor(95)
  const manifest = await notesManifest()
  const runners: Awaited<ReturnType<typeof createNotesSync>>[] = []
  for (let n = 0; n < 3; n++) {
    const index = await openPostgresSearchIndex({ url: database.url, poolSize: 3 })
    indexes.push(index)
    runners.push(await createNotesSync(vendor.http.url, manifest, { index }))
  }
  // The one that is first gets its answers once the others have been turned away.
  const turnedAway = Promise.withResolvers<void>()
  vendor.answersAfter = turnedAway.promise
  let busy = 0
  const outcomes = await Promise.all(
    runners.map(async (each) => {
      const { kind } = await each.run()
      if (kind === 'busy' && ++busy === 2) turnedAway.resolve()
      return kind
    }),
  )
  expect(outcomes.sort()).toEqual(['busy', 'busy', 'done'])
  expect(vendor.listings).toBe(1)
  vendor.notes.delete(idOf(7))
  const [first, second] = runners
  expect(await second?.run()).toMatchObject({ kind: 'done' })
  expect(await first?.ids()).toEqual([...vendor.notes.keys()].sort())
  for (let n = 1; n <= 4; n++) vendor.comments.set(idOf(n), [{ id: `c${n}`, body: 'one' }])
  expect(await first?.run('comments')).toMatchObject({ kind: 'done', changed: 4 })
  expect(await second?.ids('comments')).toEqual(['c1', 'c2', 'c3', 'c4'])
  for (const each of runners) await each[Symbol.asyncDispose]()
})
