import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'

import { openPostgresSearchIndex } from '../../../src/copy/postgres/postgres-search-index.ts'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { createSealer } from '../../../src/engine/run/seal.ts'
import { createCursorSeal } from '../../../src/copy/search/cursor.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import { createRowMaker } from '../../../src/copy/search/row.ts'
import { createSearch, type SearchCall } from '../../../src/copy/search/search.ts'
import { createTestDatabase } from '../../fixtures/postgres.ts'
import { openTcpGate } from '../../fixtures/tcp-gate.ts'
import { bodyPath, makeLayout } from '../search/make-layout.ts'

const database = await createTestDatabase()

describe('copies in a server that says nothing', async () => {
  if (database === null) {
    test.skip('there is none')
    return
  }
  const url = new URL(database.url)
  const gate = await openTcpGate(Number(url.port))
  url.port = String(gate.port)
  let asked = 0
  const index = await openPostgresSearchIndex({ url: url.href, onStatement: () => asked++ })
  afterAll(async () => {
    await index.close()
    await gate[Symbol.asyncDispose]()
    await database.drop()
  })

  const layout = makeLayout({ fields: { id: 'string' } })
  const copy = await index.prepare({ instanceId: 'one', entity: 'things' }, layout)
  const row = createRowMaker({ layout, primaryKey: [bodyPath('id')] })({ id: 'r1' })
  await index.write({ copy, fence: null, observedAtMs: 1, rows: [row] })
  const search = async (): Promise<string> => {
    const query = readSearch(layout, { query: { filter: { eq: { id: 'r1' } } } })
    const reply = await index.search({
      instanceId: 'one',
      entity: 'things',
      epoch: copy.epoch,
      layoutHash: layout.hash,
      query,
      position: null,
    })
    return reply.kind === 'page' ? reply.hits : reply.kind
  }
  const HITS = '[{"id":"r1","score":1,"data":{"id":"r1"}}]'

  test('D3 a search gives up, and the next one behind the silence has a new connection', async () => {
    expect(await search()).toBe(HITS)
    gate.silence()
    const startedAt = performance.now()
    await expect(search()).rejects.toMatchObject({
      code: 'store_unavailable',
      details: { reason: 'away' },
    })
    expect(performance.now() - startedAt).toBeLessThan(60_000)
    gate.mend()
    expect(await search()).toBe(HITS)
  })

  test('D3 what is asked of a copy beside a search gives up as well', async () => {
    const known = { instanceId: 'one', entity: 'things' }
    expect(await index.copies(known)).toHaveLength(1)
    gate.silence()
    const startedAt = performance.now()
    await expect(index.copies(known)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(performance.now() - startedAt).toBeLessThan(60_000)
    gate.mend()
    expect(await index.copies(known)).toHaveLength(1)
  })

  test('D3 a search of a copy that is known gives up once, and asks nothing more', async () => {
    await index.serve(copy)
    const cursors = createCursorSeal(createSealer(randomBytes(32)), Date.now)
    const clock = createSystemClock()
    const ask = createSearch({ index, cursors, clock })
    const call: SearchCall = {
      organizationId: 'org',
      instanceId: 'one',
      entity: 'things',
      params: { query: {} },
      intervalMs: 60_000,
      active: true,
    }
    asked = 0
    expect((await ask(call)).count).toBe(1)
    const once = asked
    gate.silence()
    asked = 0
    await expect(ask(call)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(asked).toBeLessThanOrEqual(once)
    gate.mend()
    expect((await ask(call)).count).toBe(1)
  })

  test('D2 a connection that breaks under a search is told to whoever searches, and to nobody else', async () => {
    for (let round = 0; round < 20; round++) {
      const searching = search().catch((error: unknown) => error)
      gate.cut()
      expect(await searching).toMatchObject({ code: 'store_unavailable' })
      gate.mend()
      expect(await search()).toBe(HITS)
    }
  })

  test('D2 what is asked while connections break, and new ones can be had, is answered all the same', async () => {
    const known = { instanceId: 'one', entity: 'things' }
    for (let round = 0; round < 20; round++) {
      const [searching, copies] = [search(), index.copies(known)]
      // Both are on their way by then.
      await new Promise((resolve) => setImmediate(resolve))
      gate.cut()
      gate.mend()
      expect([await searching, (await copies).length]).toEqual([HITS, 1])
    }
  })

  test('D3 a search waits for a connection no longer than it may take, its wait before included', async () => {
    const narrow = await openPostgresSearchIndex({ url: url.href, poolSize: 1 })
    const searchAfter = async (spentMs: number): Promise<unknown> =>
      await narrow.search({
        instanceId: 'one',
        entity: 'things',
        epoch: copy.epoch,
        layoutHash: layout.hash,
        query: readSearch(layout, { query: { filter: { eq: { id: 'r1' } } } }),
        position: null,
        spentMs,
      })
    await narrow.serve(copy)
    await searchAfter(0)
    gate.silence()
    const [first, second] = await Promise.allSettled([searchAfter(0), searchAfter(1_900)])
    gate.mend()
    expect([first, second]).toMatchObject([
      { reason: { code: 'store_unavailable' } },
      { reason: { code: 'search_timeout' } },
    ])
    expect(await searchAfter(0)).toMatchObject({ kind: 'page' })
    await narrow.close()
  })
})
