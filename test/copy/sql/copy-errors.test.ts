// Mistakes of the program do not look like a store that is away, also when they come from another thread.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { copyError, errorOf, failureOf } from '../../../src/copy/sql/copy-errors.ts'
import { openPostgresSearchIndex } from '../../../src/copy/postgres/postgres-search-index.ts'
import { openSqliteSearchIndex } from '../../../src/copy/sqlite/sqlite-search-index.ts'
import { ConnectorError } from '../../../src/errors.ts'
import { createRowMaker } from '../../../src/copy/search/row.ts'
import {
  type CopyState,
  LostLease,
  type SearchIndex,
} from '../../../src/copy/search/search-index.ts'
import { createTestDatabase } from '../../fixtures/postgres.ts'
import { bodyPath, makeLayout } from '../search/make-layout.ts'

const layout = makeLayout({ fields: { id: 'string', title: 'string' } })
const toRow = createRowMaker({ layout, primaryKey: [bodyPath('id')] })
const folder = mkdtempSync(join(tmpdir(), 'tenon-copy-errors-'))
const database = await createTestDatabase()

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database?.drop()
})

test.for([
  {
    name: 'a failing disk under SQLite',
    error: Object.assign(new Error('disk I/O error'), { errcode: 10 }),
    told: { code: 'store_unavailable', retryable: true, details: { reason: 'broken' } },
  },
  {
    name: 'a folder that cannot be written',
    error: Object.assign(new Error('EACCES'), { code: 'EACCES' }),
    told: { code: 'store_unavailable', retryable: true, details: { reason: 'read_only' } },
  },
  {
    name: 'a connection to PostgreSQL that ended',
    error: Object.assign(new Error('terminating connection'), { code: '57P01' }),
    told: { code: 'store_unavailable', retryable: true, details: { reason: 'away' } },
  },
  {
    name: 'a node that Citus cannot reach',
    error: Object.assign(new Error('connection to the remote node failed'), {
      code: '08006',
      severity: 'ERROR',
    }),
    told: { code: 'store_unavailable', retryable: true, details: { reason: 'node_away' } },
  },
  {
    name: 'a node that ended before a commit of Citus reached it',
    error: Object.assign(new Error('could not commit transaction for shard 1 on at least one'), {
      code: 'XX000',
      severity: 'ERROR',
    }),
    told: { code: 'store_unavailable', retryable: true, details: { reason: 'node_away' } },
  },
  {
    name: 'a server that ends the connection',
    error: Object.assign(new Error('shutting down'), { code: '57P01', severity: 'FATAL' }),
    told: { code: 'store_unavailable', retryable: true, details: { reason: 'away' } },
  },
  {
    name: 'a search that took too long in PostgreSQL',
    error: Object.assign(new Error('canceling statement'), { code: '57014' }),
    told: { code: 'search_timeout', retryable: true, retryAfterMs: 1000 },
  },
  {
    name: 'a statement that SQLite refuses',
    error: Object.assign(new Error('no such column: k99'), { errcode: 1 }),
    told: { code: 'internal_error', retryable: false },
  },
  {
    name: 'a statement that PostgreSQL refuses',
    error: Object.assign(new Error('syntax error at or near "k99"'), { code: '42601' }),
    told: { code: 'internal_error', retryable: false },
  },
  {
    name: 'tables that another version of Tenon changed',
    error: Object.assign(new Error('column "k99" does not exist'), { code: '42703' }),
    told: { code: 'store_unavailable', retryable: true, details: { reason: 'schema' } },
  },
  {
    name: 'a mistake of the program',
    error: new TypeError("reading 'scope' of null"),
    told: { code: 'internal_error', retryable: false, outcome: 'uncertain' },
  },
])('$name: $told.code, here and in another thread', ({ error, told }) => {
  expect(copyError(error)).toMatchObject(told)
  // What is posted to another thread is copied in this way.
  const crossed = errorOf(structuredClone(failureOf(error)))
  expect(crossed).toMatchObject(told)
  if (told.code === 'search_timeout') return
  expect(crossed.cause).toMatchObject({ message: error.message, stack: error.stack })
})

test('a lost lease and errors of ours stay what they are in another thread', () => {
  expect(errorOf(failureOf(new LostLease()))).toBeInstanceOf(LostLease)
  const error = new ConnectorError('params_invalid', 'too much', { details: { most: 5 } })
  const crossed = errorOf(failureOf(error))
  expect(crossed).toMatchObject({
    code: 'params_invalid',
    message: 'too much',
    details: { most: 5 },
  })
  expect(crossed.cause).toBeUndefined()
})

const STORES = [
  { store: 'SQLite', open: async () => openSqliteSearchIndex({ folder }), isHere: true },
  {
    store: 'PostgreSQL',
    open: async () => await openPostgresSearchIndex({ url: database?.url ?? '' }),
    isHere: database !== null,
  },
]

describe.for(STORES.filter(({ isHere }) => isHere))('$store', ({ open }) => {
  let index: SearchIndex
  let copy: CopyState

  beforeAll(async () => {
    index = await open()
    copy = await index.prepare({ instanceId: 'one', entity: 'things' }, layout)
  })

  afterAll(async () => await index.close())

  test('a mistake in a search is a defect with its place, and the next search works', async () => {
    const request = { ...copy, layoutHash: layout.hash, query: null, position: null }
    // No query: as if a room before it had forgotten one.
    await expect(index.search(request as never)).rejects.toMatchObject({
      code: 'internal_error',
      retryable: false,
      cause: { stack: expect.stringMatching(/^TypeError: [^]*\/src\/copy\//) },
    })
    expect(await index.copies({ instanceId: 'one' })).toHaveLength(1)
  })

  test('a mistake in a batch is a defect with its place, whoever reads its rows', async () => {
    for (const size of [1, 50]) {
      const rows = Array.from({ length: size }, (_, at) => ({
        ...toRow({ id: `t${at}`, title: 'brass' }),
        doc: 7 as never,
      }))
      await expect(index.write({ copy, fence: null, observedAtMs: 1, rows })).rejects.toMatchObject(
        {
          code: 'internal_error',
          retryable: false,
          cause: { stack: expect.stringMatching(/^TypeError: [^]*\/src\/copy\//) },
        },
      )
    }
    const rows = [toRow({ id: 't1', title: 'brass' })]
    expect(await index.write({ copy, fence: null, observedAtMs: 1, rows })).toMatchObject({
      outcomes: ['inserted'],
    })
  })
})
