import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll } from 'vitest'

import { openSqliteSearchIndex } from '../../../src/copy/sqlite/sqlite-search-index.ts'
import type { SearchIndex } from '../../../src/copy/search/search-index.ts'
import { contractSuite } from '../../contracts/search-index/contract-suite.ts'
import { oracleSuite } from '../../contracts/search-index/oracle-suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-copies-'))
let index: SearchIndex

beforeAll(() => {
  index = openSqliteSearchIndex({ folder })
})

afterAll(async () => {
  await index.close()
  rmSync(folder, { recursive: true })
})

contractSuite('SQLite', () => index)
oracleSuite('SQLite', () => index)
