// The contract of the copies on a real Citus, which distribute their tables when they are opened. Citus refuses every
// statement that would have to ask more than one node's part of a table: each is about one instance.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresSearchIndex } from '../../src/copy/postgres/postgres-search-index.ts'
import type { SearchIndex } from '../../src/copy/search/search-index.ts'
import { COPY_TABLES } from '../../src/copy/postgres/postgres-schema.ts'
import { contractSuite } from '../contracts/search-index/contract-suite.ts'
import { oracleSuite } from '../contracts/search-index/oracle-suite.ts'
import { createCitusDatabase, NO_CITUS } from '../fixtures/citus.ts'
import { runSql } from '../fixtures/postgres.ts'

const database = await createCitusDatabase()
let index: SearchIndex

describe('the copies on Citus', () => {
  if (database === null) {
    test.skip(NO_CITUS)
    return
  }
  beforeAll(async () => {
    await (await openPostgresSearchIndex({ url: database.url })).close()
    const byInstance = COPY_TABLES.map((table) => [table, 'instance_id'])
    expect(await database.placements()).toEqual(Object.fromEntries(byInstance))
    // As after a restart: the tables are there already, and distributed.
    const url = new URL(database.url)
    url.searchParams.set('options', '-c citus.multi_task_query_log_level=error')
    index = await openPostgresSearchIndex({ url: url.href })
    const overAll = runSql(url.href, 'select count(*) from replica_record')
    await expect(overAll).rejects.toThrow('multi-task')
  })
  afterAll(async () => {
    await index.close()
    await database.drop()
  })

  contractSuite('Citus', () => index)
  oracleSuite('Citus', () => index, 0.1)
})
