import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  openPostgresSearchIndex,
  type PostgresSearchIndex,
} from '../../../src/adapters/search/postgres-search-index.ts'
import { createTestDatabase } from '../../fixtures/postgres.ts'
import { contractSuite } from './contract-suite.ts'
import { oracleSuite } from './oracle-suite.ts'

const database = await createTestDatabase()
const statements = new Set<string>()
let index: PostgresSearchIndex

describe.skipIf(database === null)('PostgreSQL', () => {
  beforeAll(async () => {
    index = await openPostgresSearchIndex({
      url: database?.url ?? '',
      onStatement: (text) => statements.add(text),
    })
  })

  afterAll(async () => {
    await index.close()
    await database?.drop()
  })

  contractSuite('PostgreSQL', () => index)
  oracleSuite('PostgreSQL', () => index)

  test('every statement of the suites is about one instance', () => {
    expect(statements.size).toBeGreaterThan(50)
    expect([...statements].filter((text) => !/\binstance_id\b/.test(text))).toEqual([])
  })

  test('every key begins with the instance, and nothing refers beyond it', async () => {
    const keys =
      (await database?.run(
        "SELECT conrelid::regclass::text AS name, pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE contype IN ('p', 'u', 'f') AND conrelid::regclass::text ~ '^(replica|sync)_' ORDER BY 1",
      )) ?? []
    expect(keys.length).toBe(7)
    expect(
      keys.filter(({ key }) => !(key as string).startsWith('PRIMARY KEY (instance_id')),
    ).toEqual([])
  })

  test('tables that are there already are taken as they are', async () => {
    const again = await openPostgresSearchIndex({ url: database?.url ?? '' })
    expect(again.hasParts).toBe(index.hasParts)
    await again.close()
  })
})
