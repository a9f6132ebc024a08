// The contract of the copies through PgBouncer in transaction mode.
import { afterAll, beforeAll, describe, test } from 'vitest'
import { openPostgresSearchIndex } from '../../src/copy/postgres/postgres-search-index.ts'
import type { SearchIndex } from '../../src/copy/search/search-index.ts'
import { contractSuite } from '../contracts/search-index/contract-suite.ts'
import { oracleSuite } from '../contracts/search-index/oracle-suite.ts'
import { createPooledDatabase, NO_PGBOUNCER, POOLERS } from '../fixtures/pgbouncer.ts'

if (POOLERS.length === 0) test.skip(NO_PGBOUNCER)

for (const pooler of POOLERS) {
  const database = await createPooledDatabase(pooler)
  describe.skipIf(database === null)(`the copies through ${pooler.name}`, () => {
    let index: SearchIndex
    beforeAll(async () => {
      index = await openPostgresSearchIndex({ url: database?.url ?? '' })
    })
    afterAll(async () => {
      await index.close()
      await database?.drop()
    })

    contractSuite(pooler.name, () => index)
    oracleSuite(pooler.name, () => index, 0.1)
  })
}
