// Mirrors of copies in both databases.
import { afterAll, describe } from 'vitest'
import { openPostgresSearchIndex } from '../../../src/copy/postgres/postgres-search-index.ts'
import { createTestDatabase } from '../../fixtures/postgres.ts'
import { sized } from '../../fixtures/sizes.ts'
import { openSharedCopies } from './notes-vendor.ts'
import { mirrorSuite } from './mirror-suite.ts'

const copies = openSharedCopies()
const { index } = copies.place()
afterAll(() => copies[Symbol.asyncDispose]())

mirrorSuite('SQLite', () => index, { courses: sized(4, 300) })

const database = await createTestDatabase()

describe.skipIf(database === null)('mirrors of copies in PostgreSQL', async () => {
  const stored = await openPostgresSearchIndex({ url: database?.url ?? '', poolSize: 4 })
  afterAll(async () => {
    await stored.close()
    await database?.drop()
  })
  mirrorSuite('PostgreSQL', () => stored, { courses: sized(2, 200) })
})
