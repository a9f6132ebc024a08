// What every store of copies does, in plain cases.
import { randomBytes } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { isConnectorError } from '../../../src/errors.ts'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import { ConnectorError } from '../../../src/errors.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import { type ChangesPlace, readChanges } from '../../../src/copy/search/changes.ts'
import { createCursorSeal, type WalkPosition } from '../../../src/copy/search/cursor.ts'
import { createSealer } from '../../../src/engine/run/seal.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import { createRowMaker, digestOf, type CopyRow } from '../../../src/copy/search/row.ts'
import { createSearch } from '../../../src/copy/search/search.ts'
import {
  type CopyState,
  type CopyWrite,
  LostLease,
  type SearchIndex,
} from '../../../src/copy/search/search-index.ts'
import { confirmListing, undoRemovals } from '../../../src/copy/sync/operator-word.ts'
import { bodyPath, makeEntity, makeLayout } from '../../copy/search/make-layout.ts'
import { searchLayout } from '../../../src/copy/search/layout.ts'
import { eventually } from '../../faults/resources.ts'

const options = {
  fields: { id: 'string', title: 'string', n: 'integer', updated: 'string', o: 'object' },
  order: ['o.status'],
  substring: ['title'],
} as const
const layout = makeLayout(options)
const make = createRowMaker({ layout, primaryKey: [bodyPath('id')] })
const row = (id: string, members: Readonly<Record<string, Json>> = {}, parent?: string): CopyRow =>
  make(
    { id, ...members },
    ...(parent === undefined ? [] : [{ id: parent, record: { id: parent } }]),
  )

/** The layout of an entity that advances by `updated`, which holds are compared by. */
function advancing(): ReturnType<typeof makeLayout> {
  const entity = makeEntity(options)
  const cursor = {
    field: bodyPath('updated'),
    since: null,
    until: null,
    format: 'iso',
    inclusive: false,
    start: null,
    windowMs: null,
    lookbackMs: null,
    newestFirst: false,
  }
  if (entity.sync === null) throw new TypeError('the entity has no sync')
  const advanced = searchLayout({ ...entity, sync: { ...entity.sync, cursor } })
  if (advanced === null) throw new TypeError('the entity has no search')
  return advanced
}

export function contractSuite(store: string, open: () => SearchIndex): void {
  let instances = 0
  const newInstance = (): string => `contract-${process.pid}-${++instances}`

  async function newCopy(instanceId = newInstance(), entity = 'things'): Promise<CopyState> {
    return await open().prepare({ instanceId, entity }, layout)
  }

  const write = async (
    copy: CopyState,
    batch: Partial<CopyWrite>,
  ): Promise<ReturnType<SearchIndex['write']>> =>
    await open().write({ copy, fence: null, observedAtMs: 1, ...batch })

  async function page(
    copy: CopyState,
    query: Json,
    limit = 1_000,
    position: WalkPosition | null = null,
  ): Promise<{
    hits: readonly { readonly id: string; readonly score: number; readonly data: Json }[]
    next: WalkPosition | null
    ranked: boolean
  }> {
    const checked = readSearch(copy.layout, { query, limit })
    const reply = await open().search({
      ...copy,
      layoutHash: copy.layout.hash,
      query: checked,
      position,
    })
    if (reply.kind !== 'page') throw new TypeError('the copy has moved')
    return { hits: parseJson(reply.hits) as never, next: reply.next, ranked: reply.ranked }
  }

  const ids = async (copy: CopyState, query: Json = {}): Promise<readonly string[]> =>
    (await page(copy, query)).hits.map(({ id }) => id)

  const state = async (copy: CopyState): Promise<CopyState | undefined> =>
    (await open().copies(copy)).find(({ epoch }) => epoch === copy.epoch)

  describe(`${store}: records`, () => {
    test('what is written is found, by every kind of index', async () => {
      const copy = await newCopy()
      const report = await write(copy, {
        rows: [
          row('a', { title: 'Renewal of ACME', n: 5, o: { status: 'Done', note: 'call back' } }),
          row('b', {
            title: 'Kick-off',
            n: 12345678901234567890n.toString(),
            o: { status: 'Open' },
          }),
        ],
      })
      // The documents are as large in every store.
      expect(report).toEqual({
        version: 1,
        outcomes: ['inserted', 'inserted'],
        removed: 0,
        bytes: 191,
      })
      const found = async (filter: Json): Promise<readonly string[]> => await ids(copy, { filter })
      expect(await ids(copy)).toEqual(['b', 'a'])
      expect(await found({ eq: { n: '12345678901234567890' } })).toEqual(['b'])
      expect(await found({ gt: { n: 5 } })).toEqual(['b'])
      expect(await found({ like: { title: '%newal%' } })).toEqual(['a'])
      expect(await found({ keyword: { title: 'acme kick' } })).toEqual(['b', 'a'])
      expect(await found({ fuzzy: { title: 'renewl acme' } })).toEqual(['a'])
      expect(await found({ eq: { 'o.status': 'Done' } })).toEqual(['a'])
      expect(await found({ keyword: { 'o.note': 'back' } })).toEqual(['a'])
      expect((await page(copy, { filter: { eq: { id: 'a' } } })).hits).toEqual([
        {
          id: 'a',
          score: 1,
          data: {
            id: 'a',
            title: 'Renewal of ACME',
            n: 5,
            o: { status: 'Done', note: 'call back' },
            updated: null,
          },
        },
      ])
    })

    test('a changed record is found by its new words and no longer by its old ones', async () => {
      const copy = await newCopy()
      await write(copy, {
        rows: [row('a', { title: 'old words', n: 1 }), row('b', { title: 'other' })],
      })
      const { outcomes } = await write(copy, {
        rows: [row('a', { title: 'new text', n: 2 }), row('b', { title: 'other' })],
      })
      expect(outcomes).toEqual(['changed', 'unchanged'])
      expect(await ids(copy, { filter: { keyword: { title: 'old words' } } })).toEqual([])
      expect(await ids(copy, { filter: { like: { title: '%words%' } } })).toEqual([])
      expect(await ids(copy, { filter: { eq: { n: 1 } } })).toEqual([])
      expect(await ids(copy, { filter: { keyword: { title: 'text' } } })).toEqual(['a'])
      // Its number of arrival stays.
      expect(await ids(copy)).toEqual(['b', 'a'])
      expect(await state(copy)).toMatchObject({ live: 2, version: 2, nextSeq: 3 })
    })

    test('of several rows with one id the last counts', async () => {
      const copy = await newCopy()
      const { outcomes } = await write(copy, {
        rows: [row('a', { n: 1 }), row('b'), row('a', { n: 2 })],
      })
      expect(outcomes).toEqual(['stale', 'inserted', 'inserted'])
      expect(await ids(copy, { filter: { eq: { n: 2 } } })).toEqual(['a'])
    })

    test('of a row that is given twice the second place counts', async () => {
      const copy = await newCopy()
      const given = row('a', { n: 1 })
      const { outcomes } = await write(copy, { rows: [given, row('b'), given] })
      expect(outcomes).toEqual(['stale', 'inserted', 'inserted'])
      expect(await ids(copy)).toEqual(['a', 'b'])
    })

    test('large batches are as small ones: words, repeated ids, what is there already', async () => {
      const copy = await newCopy()
      const word = (n: number): string =>
        `w${'abcdefghij'.charAt(n % 10)}${'klmnopqrst'.charAt(n % 7)}x`
      const some = (from: number, to: number, more = ''): readonly CopyRow[] =>
        Array.from({ length: to - from }, (_, at) =>
          row(`r${from + at}`, { n: from + at, title: `Größe ${word(from + at)} ${more}` }),
        )
      const counts = (outcomes: readonly string[]): object =>
        Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([k, v]) => [k, v.length]))
      const first = await write(copy, { rows: [...some(0, 350), ...some(0, 10, 'later')] })
      expect(counts(first.outcomes)).toEqual({ stale: 10, inserted: 350 })
      const second = await write(copy, { rows: [...some(10, 350), ...some(350, 500, 'newer')] })
      expect(counts(second.outcomes)).toEqual({ unchanged: 340, inserted: 150 })
      const third = await write(copy, { rows: some(300, 360, 'third') })
      expect(counts(third.outcomes)).toEqual({ changed: 60 })
      expect(await state(copy)).toMatchObject({ live: 500, nextSeq: 501 })
      const count = async (filter: Json): Promise<number> => (await ids(copy, { filter })).length
      expect(await count({ keyword: { title: 'grosse later' } })).toBe(500)
      expect(await count({ keyword: { title: 'later' } })).toBe(10)
      expect(await count({ fuzzy: { title: 'newir' } })).toBe(140)
      expect(await count({ fuzzy: { title: 'thrid' } })).toBe(60)
      expect(await count({ like: { title: '%größe wak%' } })).toBe(8)
      expect(await ids(copy, { filter: { eq: { n: 7 } } })).toEqual(['r7'])
    })

    test('a row may have been read later than the batch', async () => {
      const copy = await newCopy()
      await write(copy, { observedAtMs: 20, rows: [row('a', { n: 2 }), row('b', { n: 2 })] })
      const { outcomes } = await write(copy, {
        observedAtMs: 10,
        rows: [row('a', { n: 3 }), { ...row('b', { n: 3 }), observedAtMs: 30 }],
      })
      expect(outcomes).toEqual(['stale', 'changed'])
      expect((await write(copy, { observedAtMs: 29, rows: [row('b')] })).outcomes).toEqual([
        'stale',
      ])
      expect(await ids(copy, { filter: { eq: { n: 3 } } })).toEqual(['b'])
    })

    test('copies of other entities and instances are not seen', async () => {
      const instanceId = newInstance()
      const [one, two, other] = [
        await newCopy(instanceId),
        await newCopy(instanceId, 'others'),
        await newCopy(),
      ]
      await write(one, { rows: [row('a', { title: 'acme', n: 1 })] })
      await write(two, { rows: [row('b', { title: 'acme', n: 1 })] })
      await write(other, { rows: [row('c', { title: 'acme', n: 1 })] })
      const queries: readonly Json[] = [
        {},
        { filter: { keyword: { title: 'acme' } } },
        { filter: { fuzzy: { title: 'acne' } } },
        { filter: { eq: { n: 1 } } },
        { filter: { like: { title: '%acme%' } } },
        { filter: { neq: { n: 2 } }, sort: ['n'] },
      ]
      for (const query of queries) {
        expect(await ids(one, query)).toEqual(['a'])
        expect(await ids(two, query)).toEqual(['b'])
        expect(await ids(other, query)).toEqual(['c'])
      }
    })

    test('a path that reaches several values is decided by the document', async () => {
      const copy = await newCopy()
      await write(copy, {
        rows: [
          row('a', { o: { status: 'Done' } }),
          row('b', { o: [{ status: 'Done' }, { status: 'Open' }] }),
          row('c', { o: { status: 5 } }),
        ],
      })
      expect(await ids(copy, { filter: { eq: { 'o.status': 'Done' } } })).toEqual(['b', 'a'])
      expect(await ids(copy, { filter: { gt: { 'o.status': 4 } } })).toEqual(['c'])
      expect(await ids(copy, { sort: ['o.status'] })).toEqual(['c', 'a', 'b'])
    })

    test('P7 a word with thousands of neighbours is no trouble', async () => {
      const copy = await newCopy()
      const letters = 'abcdefghijklmnopqrstuvwxyz'
      const near = Array.from(letters, (one) =>
        Array.from(letters, (two) =>
          Array.from('abcdefghij', (three) => `ne${one}gh${two}bour${three}`),
        ),
      ).flat(2)
      await write(copy, {
        rows: [
          row('a', { title: near.join(' ') }),
          row('b', { title: 'neighbour' }),
          row('c', { title: 'other' }),
        ],
      })
      expect(await ids(copy, { filter: { fuzzy: { title: 'neighbour' } } })).toEqual(['b', 'a'])
      expect(await ids(copy, { filter: { not: { fuzzy: { title: 'neighbour' } } } })).toEqual(['c'])
    })

    test('a search that asks counts all hits and the values of their fields, with its first page', async () => {
      const copy = await newCopy()
      const records = Array.from({ length: 60 }, (_, n) => ({
        n,
        title: `Renewal ${n % 5 === 0 ? 'early' : 'late'}`,
        o: { status: n % 3 === 0 ? 'Open' : 'Closed', note: n === 7 ? 'x'.repeat(200) : null },
      }))
      await write(copy, { rows: records.map((record) => row(String(record.n), record)) })
      const ask = async (params: JsonObject, position: WalkPosition | null = null) => {
        const query = readSearch(copy.layout, { limit: 5, ...params })
        const layoutHash = copy.layout.hash
        const reply = await open().search({ ...copy, layoutHash, query, position })
        if (reply.kind !== 'page') throw new TypeError('the copy has moved')
        const { facets, next, count } = reply
        return { facets: facets === undefined ? undefined : parseJson(facets), next, count }
      }
      type Written = (typeof records)[number]
      const counted = (those: readonly Written[], valueOf: (record: Written) => string) => ({
        values: [...Map.groupBy(those, valueOf)]
          .map(([value, { length }]) => ({ value, count: length }))
          .toSorted((left, right) => right.count - left.count),
        more: false,
      })
      const cases: readonly (readonly [filter: JsonObject, is: (record: Written) => boolean])[] = [
        [{}, () => true],
        [{ gte: { n: 40 } }, ({ n }) => n >= 40],
        [{ keyword: { title: 'early' } }, ({ n }) => n % 5 === 0],
        [{ eq: { 'o.status': 'Closed' } }, ({ n }) => n % 3 !== 0],
        [
          { and: [{ keyword: { title: 'late' } }, { lt: { n: 10 } }] },
          ({ n }) => n % 5 !== 0 && n < 10,
        ],
        [
          { or: [{ like: { title: '%early%' } }, { eq: { n: 1 } }] },
          ({ n }) => n % 5 === 0 || n === 1,
        ],
        [{ not: { eq: { 'o.status': 'Closed' } } }, ({ n }) => n % 3 === 0],
        [{ eq: { n: -1 } }, () => false],
      ]
      for (const [filter, is] of cases) {
        const those = records.filter(is)
        const { facets, count } = await ask({ query: { filter }, facets: ['title', 'o.status'] })
        const fields = {
          title: counted(those, ({ title }) => title),
          'o.status': counted(those, ({ o }) => o.status),
        }
        expect({ filter, facets }).toEqual({
          filter,
          facets: { counted: those.length, whole: true, fields },
        })
        expect(count).toBe(Math.min(5, those.length))
      }
      const sorted = { sort: [{ n: 'asc' }] }
      const { facets, next } = await ask({ query: sorted, facets: ['n', 'o.note'] })
      // Of many the most frequent, and what is too long is none; either way there are others.
      expect(facets).toMatchObject({
        fields: { n: { more: true }, 'o.note': { values: [], more: true } },
      })
      expect(next).not.toBeNull()
      expect(await ask({ query: sorted, facets: ['n'] }, next)).toMatchObject({
        facets: undefined,
        count: 5,
      })
      // No fields: the number of hits alone. Nothing: what was not asked for is not counted.
      expect((await ask({ query: {}, facets: [] })).facets).toEqual({
        counted: 60,
        whole: true,
        fields: {},
      })
      expect((await ask({ query: {} })).facets).toBeUndefined()
    })

    test('a search that asks says how it was found, and no other does', async () => {
      const copy = await newCopy()
      await write(copy, {
        rows: ['a', 'b', 'c'].map((id, n) =>
          row(id, { title: `Renewal ${id}`, n, o: { status: 'Open', note: `call ${id}` } }),
        ),
      })
      const planOf = async (query: Json, explain = true) => {
        const checked = readSearch(copy.layout, { query, explain })
        const layoutHash = copy.layout.hash
        const reply = await open().search({ ...copy, layoutHash, query: checked, position: null })
        if (reply.kind !== 'page') throw new TypeError('the copy has moved')
        const { plan } = reply
        return plan === undefined ? undefined : { ...plan, chosen: undefined }
      }
      expect(await planOf({ filter: { eq: { n: 1 } } }, false)).toBeUndefined()
      const none = { fields: [], chosen: undefined, compared: 0 }
      expect(await planOf({})).toEqual({ ...none, by: 'nothing', order: 'newest' })
      expect(await planOf({ filter: { gt: { n: 0 } }, sort: [{ n: 'asc' }] })).toEqual({
        ...none,
        by: 'fields',
        fields: ['n'],
        order: 'sort',
      })
      expect(await planOf({ filter: { keyword: { 'o.note': 'call other' } } })).toMatchObject({
        by: 'words',
        order: 'score',
      })
      // Nothing has an index on what it is not.
      expect(await planOf({ filter: { neq: { 'o.note': 'call a' } } })).toMatchObject({
        by: 'nothing',
        compared: 3,
      })
    })

    test('more hits than one statement gives come in pages', async () => {
      const copy = await newCopy()
      const all = Array.from({ length: 2_500 }, (_, index) =>
        row(`r${index}`, { n: index % 7, title: index % 2 === 0 ? 'even' : 'odd' }),
      )
      await write(copy, { rows: all })
      expect(
        await ids(copy, { filter: { or: [{ keyword: { title: 'even' } }, { eq: { n: 3 } }] } }),
      ).toHaveLength(1_000)
      const found: string[] = []
      let next: WalkPosition | null = null
      let pages = 0
      // A page ends sooner where the machine is slow; the next one goes on behind it.
      do {
        const walked = await page(copy, { filter: { not: { eq: { 'o.x': 1 } } } }, 2_499, next)
        found.push(...walked.hits.map(({ id }) => id))
        next = walked.next
        pages++
      } while (next !== null)
      expect(found).toEqual(all.map(({ recordId }) => recordId).toReversed())
      expect(pages).toBeGreaterThan(1)
    })
  })

  describe(`${store}: writes of our own`, () => {
    test.for([50, 150, 299])(
      'a batch whose row %i cannot be read fails as a whole, and holds nothing up',
      async (wrong) => {
        const copy = await newCopy()
        const rows = Array.from({ length: 300 }, (_, index) => row(`r${index}`))
        const broken = rows.map((each, index) =>
          index === wrong ? { ...each, doc: '{broken' } : each,
        )
        await expect(write(copy, { rows: broken })).rejects.toBeInstanceOf(ConnectorError)
        expect(await ids(copy)).toEqual([])
        expect((await write(copy, { rows })).outcomes).toHaveLength(300)
      },
    )

    test('an older reading replaces nothing', async () => {
      const copy = await newCopy()
      await write(copy, { observedAtMs: 20, rows: [row('a', { n: 2 })] })
      expect(
        (await write(copy, { observedAtMs: 10, rows: [row('a', { n: 1 })] })).outcomes,
      ).toEqual(['stale'])
      expect(await ids(copy, { filter: { eq: { n: 2 } } })).toEqual(['a'])
    })

    test('a held record is replaced only by an equal or later time of its own', async () => {
      const instanceId = newInstance()
      const copy = await open().prepare({ instanceId, entity: 'things' }, advancing())
      const makeRow = createRowMaker({ layout: copy.layout, primaryKey: [bodyPath('id')] })
      const at = (updated: string, n: number): CopyRow => makeRow({ id: 'a', updated, n })
      await write(copy, { holdUntilMs: Date.now() + 60_000, rows: [at('2026-01-02T00:00:00Z', 2)] })
      const reading = async (one: CopyRow): Promise<readonly string[]> =>
        (await write(copy, { observedAtMs: 5, rows: [one] })).outcomes
      expect(await reading(at('2026-01-01T00:00:00Z', 1))).toEqual(['held'])
      expect(await reading(at('2026-01-02T01:00:00+01:00', 3))).toEqual(['changed'])
    })

    test('a held record is not removed, and a held removal is not undone by a listing', async () => {
      const copy = await newCopy()
      const holdUntilMs = Date.now() + 60_000
      await write(copy, { holdUntilMs, rows: [row('a'), row('b')] })
      expect((await write(copy, { remove: { ids: ['a'], runId: 'r', atMs: 1 } })).removed).toBe(0)
      expect(
        (await write(copy, { holdUntilMs, remove: { ids: ['a'], runId: 'w', atMs: 1 } })).removed,
      ).toBe(1)
      expect((await write(copy, { observedAtMs: 9, rows: [row('a')] })).outcomes).toEqual(['held'])
      expect(await ids(copy)).toEqual(['b'])
    })
  })

  describe(`${store}: changes`, () => {
    interface Read {
      readonly changes: readonly string[]
      readonly next: ChangesPlace
      readonly hasMore: boolean
      readonly reset: boolean
    }
    const read = async (
      copy: CopyState,
      place: ChangesPlace | null,
      limit = 100,
    ): Promise<Read> => {
      const { changes, next, hasMore, reset } = await readChanges(open(), copy, place, limit)
      const all = JSON.parse(changes) as readonly { readonly change: string; readonly id: string }[]
      return { changes: all.map(({ change, id }) => `${change} ${id}`), next, hasMore, reset }
    }

    test('up to a version, no later change is told, and the end stays the end', async () => {
      const copy = await newCopy()
      await write(copy, { rows: [row('a', { n: 1 }), row('b'), row('c')] })
      const { next } = await read(copy, null)
      await write(copy, { rows: [row('a', { n: 2 }), row('d')] })
      await write(copy, { remove: { ids: ['c'], runId: 'r', atMs: 1 } })
      const until = next.base + 2
      await write(copy, { rows: [row('e'), row('d', { n: 9 })] })
      const first = await read(copy, { ...next, until }, 1)
      expect([first.changes, first.hasMore]).toEqual([['updated a'], true])
      const second = await read(copy, first.next)
      expect([second.changes, second.hasMore]).toEqual([['removed c'], false])
      expect((await read(copy, second.next)).changes).toEqual([])
      expect((await read(copy, next)).changes).toEqual([
        'updated a',
        'removed c',
        'added d',
        'added e',
      ])
    })

    test('each record comes with its last change, in the order of the writes', async () => {
      const copy = await newCopy()
      await write(copy, { rows: [row('a', { n: 1 }), row('b'), row('c')] })
      const first = await read(copy, null)
      expect(first).toMatchObject({ reset: true, hasMore: false })
      expect(first.changes).toEqual(['added a', 'added b', 'added c'])
      await write(copy, { rows: [row('d'), row('b', { n: 2 })] })
      await write(copy, { rows: [row('a', { n: 2 }), row('c')], entries: [] })
      await write(copy, { rows: [row('a', { n: 3 })], remove: { ids: ['c'], runId: 'r', atMs: 1 } })
      const second = await read(copy, first.next)
      expect(second).toMatchObject({ reset: false, hasMore: false })
      expect(second.changes).toEqual(['updated b', 'added d', 'updated a', 'removed c'])
      expect((await read(copy, second.next)).changes).toEqual([])
      expect(JSON.parse((await readChanges(open(), copy, first.next, 1)).changes)).toEqual([
        {
          change: 'updated',
          id: 'b',
          data: { id: 'b', n: 2, o: null, title: null, updated: null },
        },
      ])
    })

    test('what was removed and is back is added, by a listing and by an undo', async () => {
      const copy = await newCopy()
      await write(copy, { rows: [row('a'), row('b'), row('c')] })
      await write(copy, { remove: { ids: ['a', 'b'], runId: 'r', atMs: 1 } })
      const first = await read(copy, null)
      // What was gone before is no concern of whoever begins.
      expect(first.changes).toEqual(['added c'])
      await write(copy, { observedAtMs: 2, rows: [row('b')] })
      await open().restore(copy, 'r')
      expect((await read(copy, first.next)).changes).toEqual(['added b', 'added a'])
    })

    test('pages of any length give every change, whatever is written between them', async () => {
      const copy = await newCopy()
      const some = (n: number): readonly CopyRow[] =>
        Array.from({ length: 30 }, (_, at) => row(`r${at}`, { n }))
      await write(copy, { rows: some(1) })
      const kept = new Set<string>()
      let place: ChangesPlace | null = null
      for (let page = 0; ; page++) {
        const { changes, next, hasMore }: Read = await read(copy, place, 7)
        for (const [change, id = ''] of changes.map((text) => text.split(' ')))
          if (change === 'removed') kept.delete(id)
          else kept.add(id)
        place = next
        if (page === 1) await write(copy, { rows: some(2).slice(5, 12) })
        if (page === 2)
          await write(copy, {
            remove: { ids: ['r2', 'r29'], runId: 'r', atMs: 1 },
            rows: [row('new')],
          })
        if (!hasMore) break
      }
      expect([...kept].sort()).toEqual((await ids(copy)).toSorted())
      expect((await read(copy, place)).changes).toEqual([])
    })

    test('a place behind which removals are forgotten is refused, and no other', async () => {
      const copy = await newCopy()
      await write(copy, { rows: [row('a'), row('b'), row('c')] })
      const before = (await read(copy, null)).next
      const begun = (await read(copy, null, 1)).next
      await write(copy, { remove: { ids: ['a'], runId: 'r', atMs: 100 } })
      const behind = (await read(copy, before)).next
      await write(copy, { remove: { ids: ['b'], runId: 'r', atMs: 200 } })
      expect(await open().forgetRemoved(copy, 150)).toBe(1)
      for (const place of [before, begun])
        await expect(read(copy, place)).rejects.toMatchObject({
          code: 'cursor_invalid',
          errors: [{ pointer: '/since', code: 'cursor' }],
        })
      expect((await read(copy, behind)).changes).toEqual(['removed b'])
      const anew = await read(copy, null)
      expect(anew.changes).toEqual(['added c'])
      expect(await open().forgetRemoved(copy, 250)).toBe(1)
      expect((await read(copy, anew.next)).changes).toEqual([])
    })

    test('of a copy that took over they begin with nothing, once it is whole', async () => {
      const copy = await newCopy()
      await write(copy, { rows: [row('a'), row('b')], complete: true })
      const { next } = await read(copy, null)
      const other = await open().prepare(copy, layout, 'other settings')
      await write(other, { rows: [row('b'), row('c')] })
      expect((await read(copy, next)).changes).toEqual([])
      await open().serve(other)
      await expect(read(copy, next)).rejects.toMatchObject({ code: 'search_not_ready' })
      await write(other, { complete: true, hasGaps: true })
      const taken = await read(copy, next)
      expect([taken.changes, taken.reset]).toEqual([['added b', 'added c'], true])
      // It was read as a whole, and is known to lack records.
      expect((await readChanges(open(), other, taken.next, 9)).copy.complete).toBe(false)
      await write(other, { complete: true })
      expect((await readChanges(open(), other, taken.next, 9)).copy.complete).toBe(true)
      await open().purge(copy.instanceId)
      await expect(read(copy, taken.next)).rejects.toMatchObject({ code: 'search_not_ready' })
      // The same epoch, and another copy.
      const again = await newCopy(copy.instanceId)
      await write(again, { rows: [row('d')], complete: true })
      for (const place of [next, taken.next])
        expect(await read(again, place)).toMatchObject({ changes: ['added d'], reset: true })
    })
  })

  describe(`${store}: removal`, () => {
    test('removed records are found no more, and come back as they were', async () => {
      const copy = await newCopy()
      await write(copy, {
        rows: [row('a', { title: 'acme renewal', n: 1 }), row('b', { n: 1 }), row('c')],
      })
      const { removed } = await write(copy, {
        remove: { ids: ['a', 'b', 'nobody', 'a'], runId: 'run-1', atMs: 100 },
      })
      expect(removed).toBe(2)
      expect(await ids(copy)).toEqual(['c'])
      expect(await ids(copy, { filter: { keyword: { title: 'acme' } } })).toEqual([])
      expect(await ids(copy, { filter: { like: { title: '%newal' } } })).toEqual([])
      expect(await state(copy)).toMatchObject({ live: 1 })
      // Seen again: restored by itself, under its old number.
      expect((await write(copy, { observedAtMs: 2, rows: [row('b', { n: 1 })] })).outcomes).toEqual(
        ['restored'],
      )
      expect(await open().restore(copy, 'run-1')).toBe(1)
      expect(await ids(copy)).toEqual(['c', 'b', 'a'])
      expect(await ids(copy, { filter: { fuzzy: { title: 'acme renewl' } } })).toEqual(['a'])
      expect(await open().restore(copy, 'run-1')).toBe(0)
    })

    test('the word of an operator is kept with a copy, and reaches every copy of an instance', async () => {
      const copy = await newCopy()
      const other = await newCopy(copy.instanceId, 'others')
      for (const each of [copy, other]) {
        await write(each, { rows: [row('a'), row('b')] })
        await write(each, { remove: { ids: ['a'], runId: 'run-1', atMs: 2 } })
      }
      expect(await undoRemovals(open(), copy.instanceId, 'run-2')).toBe(0)
      expect(await undoRemovals(open(), copy.instanceId, 'run-1')).toBe(2)
      expect([await ids(copy), await ids(other)]).toEqual([
        ['b', 'a'],
        ['b', 'a'],
      ])
      expect(await confirmListing(open(), copy, 3)).toEqual({ kind: 'nothing' })
      const suspicious = { runId: 'run-3', missing: 7, atMs: 3 }
      await write(copy, { facts: JSON.stringify({ suspicious, failures: 2 }) })
      expect(await confirmListing(open(), copy, 4)).toEqual({ kind: 'confirmed', missing: 7 })
      expect(JSON.parse((await state(copy))?.facts ?? '')).toMatchObject({
        suspicious,
        confirmed: 'run-3',
        failures: 2,
      })
    })

    test('what was removed long ago is forgotten', async () => {
      const copy = await newCopy()
      await write(copy, { rows: [row('a'), row('b')] })
      await write(copy, { remove: { ids: ['a'], runId: 'r1', atMs: 100 } })
      await write(copy, { remove: { ids: ['b'], runId: 'r2', atMs: 200 } })
      expect(await open().forgetRemoved(copy, 150)).toBe(1)
      expect([await open().restore(copy, 'r1'), await open().restore(copy, 'r2')]).toEqual([0, 1])
    })

    test('purging an instance leaves nothing of it', async () => {
      const [copy, other] = [await newCopy(), await newCopy()]
      for (const one of [copy, other])
        await write(one, {
          rows: [row('a', { title: 'acme' })],
          seenBy: 'r',
          entries: [{ name: 'x', value: new Uint8Array([1]) }],
        })
      await open().purge(copy.instanceId)
      await open().purge(copy.instanceId)
      expect(await open().copies({ instanceId: copy.instanceId })).toEqual([])
      expect(await open().entries(copy, '')).toEqual([])
      const again = await newCopy(copy.instanceId)
      expect(await ids(again, { filter: { fuzzy: { title: 'acne' } } })).toEqual([])
      expect(await ids(other, { filter: { fuzzy: { title: 'acne' } } })).toEqual(['a'])
      await write(again, { rows: [row('b', { title: 'acme' })] })
      expect(await ids(again, { filter: { fuzzy: { title: 'acne' } } })).toEqual(['b'])
    })
  })

  describe(`${store}: what the sync keeps`, () => {
    test('a run remembers what it has seen, over chunks and batches', async () => {
      const copy = await newCopy()
      const rows = Array.from({ length: 300 }, (_, index) => row(`r${index}`))
      await write(copy, { rows })
      await write(copy, { rows: rows.slice(0, 100), seenBy: 'one' })
      await write(copy, { rows: rows.slice(100, 298), seenBy: 'one' })
      await write(copy, { rows: rows.slice(50, 299), seenBy: 'two' })
      await write(copy, { holdUntilMs: Date.now() + 60_000, rows: [row('r299')] })
      const unseen = async (...runIds: readonly string[]): Promise<readonly string[]> =>
        (
          await open().unseen(copy, {
            runIds,
            beforeSeq: 1_000,
            afterSeq: 0,
            nowMs: Date.now(),
            limit: 1_000,
          })
        ).map(({ recordId }) => recordId)
      expect(await open().countSeen(copy, 'one')).toBe(298)
      expect(await unseen('one')).toEqual(['r298'])
      expect(await unseen('one', 'two')).toEqual([])
      expect(
        await open().unseen(copy, {
          runIds: ['two'],
          beforeSeq: 6,
          afterSeq: 2,
          nowMs: 0,
          limit: 2,
        }),
      ).toEqual([
        { seq: 3, recordId: 'r2' },
        { seq: 4, recordId: 'r3' },
      ])
      // What one run has seen is added to another, which may have seen nothing itself.
      for (const to of ['two', 'three']) await write(copy, { addSeen: { of: 'one', to } })
      expect(await unseen('two')).toEqual([])
      expect(await open().countSeen(copy, 'three')).toBe(298)
      await open().forgetRun(copy, 'one')
      expect(await open().countSeen(copy, 'one')).toBe(0)
    })

    test('what a run has not seen is found among thousands, many or few', async () => {
      const copy = await newCopy()
      const rows = Array.from({ length: 6_000 }, (_, index) => row(`r${index}`))
      await write(copy, { rows })
      await write(copy, { remove: { ids: ['r100', 'r5100'], runId: 'before', atMs: 1 } })
      await write(copy, {
        seenBy: 'most',
        rows: rows.filter((_, index) => index % 1_000 !== 100 || index > 5_000),
      })
      await write(copy, { seenBy: 'some', rows: rows.filter((_, index) => index % 3 === 0) })
      const unseen = async (runId: string, limit: number): Promise<readonly string[]> =>
        (
          await open().unseen(copy, {
            runIds: [runId],
            beforeSeq: 1_000_000,
            afterSeq: 0,
            nowMs: Date.now(),
            limit,
          })
        ).map(({ recordId }) => recordId)
      expect(await unseen('most', 10)).toEqual(['r1100', 'r2100', 'r3100', 'r4100'])
      const others = rows
        .map(({ recordId }) => recordId)
        .filter((id, index) => index % 3 !== 0 && id !== 'r100' && id !== 'r5100')
      expect(await unseen('some', 10_000)).toEqual(others)
      expect(await unseen('some', 3_500)).toEqual(others.slice(0, 3_500))
    })

    test('children of what is new or changed are due, until done', async () => {
      const copy = await newCopy()
      const child = { instanceId: copy.instanceId, entity: 'children' }
      await write(copy, { rows: [row('a'), row('b')], childEntities: ['children'] })
      const due = await open().todo(child, 0, 10)
      expect(due.map(({ parentId }) => parentId)).toEqual(['a', 'b'])
      // Changed again while its children are read.
      await write(copy, { rows: [row('a', { n: 1 }), row('b')], childEntities: ['children'] })
      const childCopy = await newCopy(copy.instanceId, 'children')
      await write(childCopy, {
        rows: [row('x', {}, 'a'), row('y', {}, 'b'), row('z', {}, 'a')],
        done: due,
      })
      expect((await open().todo(child, 0, 10)).map(({ parentId }) => parentId)).toEqual(['a'])
      await open().postpone(child, ['a'], 500)
      expect(await open().todo(child, 499, 10)).toEqual([])
      expect([await open().countTodo(child, 499), await open().countTodo(child, 500)]).toEqual([
        0, 1,
      ])
      expect(await open().todo(child, 500, 10)).toHaveLength(1)
      expect((await open().children(childCopy, 'a')).map(({ recordId }) => recordId)).toEqual([
        'x',
        'z',
      ])
    })

    test('entries and facts are written along', async () => {
      const copy = await newCopy()
      const value = new Uint8Array([0, 1, 255])
      await write(copy, {
        entries: [
          { name: 'slice/1', value },
          { name: 'slice/2', value },
          { name: 'run', value },
        ],
        facts: '{"a":1}',
        complete: true,
        syncedAtMs: 7,
      })
      await write(copy, {
        entries: [
          { name: 'slice/1', value: null },
          { name: 'slice/2', value: new Uint8Array([2]) },
        ],
      })
      const entries = await open().entries(copy, 'slice/')
      expect(entries.map(({ name, value: bytes }) => [name, [...bytes]])).toEqual([
        ['slice/2', [2]],
      ])
      expect(await state(copy)).toMatchObject({
        facts: '{"a":1}',
        complete: true,
        syncedAtMs: 7,
        version: 2,
      })
    })

    test('records are read by id, and ids alone count as seen', async () => {
      const copy = await newCopy()
      const name = { instanceId: copy.instanceId, entity: copy.entity }
      await write(copy, { rows: ['a', 'b', 'c'].map((id) => row(id)) })
      const records = await open().records(copy, ['c', 'x', 'a'])
      expect(records.map(({ recordId }) => recordId).sort()).toEqual(['a', 'c'])
      const report = await write(copy, { seenBy: 'keys', seenIds: ['b', 'x', 'c'] })
      expect(report.unknownIds).toEqual(['x'])
      expect(await open().countSeen(name, 'keys')).toBe(2)
      const missing = { runIds: ['keys'], beforeSeq: 99, afterSeq: 0, nowMs: 1, limit: 9 }
      expect((await open().unseen(copy, missing)).map(({ recordId }) => recordId)).toEqual(['a'])
    })

    test('a mark of the children themselves is never one of their parents', async () => {
      const instanceId = newInstance()
      const children = await newCopy(instanceId, 'children')
      await write(children, { due: ['p', 'q'] })
      const before = await open().todo(children, Date.now(), 10)
      expect(before.map(({ parentId }) => parentId)).toEqual(['p', 'q'])
      const parents = await newCopy(instanceId, 'parents')
      await write(parents, { rows: [row('p')], childEntities: ['children'] })
      await write(children, { done: before })
      const left = await open().todo(children, Date.now(), 10)
      expect(left.map(({ parentId }) => parentId)).toEqual(['p'])
    })

    test('documents are read in parts, in the order of arrival', async () => {
      const copy = await newCopy()
      await write(copy, { rows: ['a', 'b', 'c'].map((id) => row(id)) })
      const documents = await open().documents(copy, 1, 5)
      expect(documents.map(({ seq, recordId, doc }) => [seq, recordId, doc])).toEqual([
        [2, 'b', '{"id":"b","title":null,"n":null,"updated":null,"o":null}'],
        [3, 'c', '{"id":"c","title":null,"n":null,"updated":null,"o":null}'],
      ])
      expect(documents[0] && Buffer.compare(digestOf(documents[0]), digestOf(row('b')))).toBe(0)
      expect(await open().documents(copy, 0, 1)).toHaveLength(1)
    })
  })

  describe(`${store}: leases and copies`, () => {
    test('one owner at a time; who lost the lease writes nothing', async () => {
      const copy = await newCopy()
      const index = open()
      const first = await index.takeLease(copy, 'one', 60_000)
      expect(await index.takeLease(copy, 'two', 60_000)).toBeNull()
      expect(await index.renewLease(copy, first ?? 0, 1)).toBe(true)
      let second: number | null = null
      await eventually(async () => {
        second = await index.takeLease(copy, 'two', 60_000)
        return second !== null
      })
      expect([first, second]).toEqual([1, 2])
      expect(await index.renewLease(copy, first ?? 0, 60_000)).toBe(false)
      await expect(write(copy, { fence: first, rows: [row('a')] })).rejects.toBeInstanceOf(
        LostLease,
      )
      expect(await state(copy)).toMatchObject({ live: 0, version: 0 })
      await write(copy, { fence: second, rows: [row('a')] })
      await index.releaseLease(copy, second ?? 0)
      expect(await index.takeLease(copy, 'three', 1)).toBe(3)
    })

    test('a new layout is filled beside the serving copy, and takes over at once', async () => {
      const index = open()
      const copy = await newCopy()
      await write(copy, { rows: [row('a', { title: 'acme' })] })
      expect(await index.prepare(copy, layout)).toMatchObject({ epoch: 1, serving: true, live: 1 })
      const other = makeLayout({ ...options, fields: { ...options.fields, more: 'string' } })
      const next = await index.prepare(copy, other)
      expect(next).toMatchObject({ epoch: 2, serving: false, live: 0 })
      const makeOther = createRowMaker({ layout: other, primaryKey: [bodyPath('id')] })
      await write(next, { rows: [makeOther({ id: 'a', title: 'acme', more: 'x' })] })
      expect(await ids(copy)).toEqual(['a'])
      const question = {
        ...next,
        layoutHash: other.hash,
        query: readSearch(other, { query: {} }),
        position: null,
      }
      expect(await index.search(question)).toEqual({ kind: 'moved' })
      await index.serve(next)
      expect(
        await ids({ ...next }, { filter: { fuzzy: { more: 'x' }, keyword: { title: 'acme' } } }),
      ).toEqual(['a'])
      expect((await index.copies(copy)).map(({ epoch, serving }) => [epoch, serving])).toEqual([
        [2, true],
      ])
      expect(await index.search({ ...question, ...copy, layoutHash: layout.hash })).toEqual({
        kind: 'moved',
      })
    })

    test('a copy that is searched while another takes over gives all of its records or none', async () => {
      const index = open()
      const COUNT = 300
      const instanceId = newInstance()
      const rows = Array.from({ length: COUNT }, (_, at) => row(`r${at}`))
      const searchUntilMoved = async (
        copy: CopyState,
        onFound: () => void,
      ): Promise<ReadonlySet<number>> => {
        const query = readSearch(layout, { query: {} })
        const counts = new Set<number>()
        for (;;) {
          const reply = await index.search({
            ...copy,
            layoutHash: layout.hash,
            query,
            position: null,
          })
          if (reply.kind === 'moved') return counts
          counts.add(reply.count)
          onFound()
        }
      }
      let serving = await index.prepare({ instanceId, entity: 'things' }, layout, '0')
      await write(serving, { rows })
      for (const settings of ['1', '2', '3', '4', '5']) {
        const next = await index.prepare({ instanceId, entity: 'things' }, layout, settings)
        await write(next, { rows })
        const found = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        const searches = found.map(({ resolve }) => searchUntilMoved(serving, resolve))
        // Each of them is under way when the other copy takes over.
        await Promise.race([Promise.all(found.map(({ promise }) => promise)), ...searches])
        await index.serve(next)
        for (const counts of await Promise.all(searches)) expect([...counts]).toEqual([COUNT])
        serving = next
      }
    })

    test('writes at once are one after the other', async () => {
      const copy = await newCopy()
      const batches = Array.from({ length: 20 }, (_, batch) =>
        Array.from({ length: 20 }, (__, index) =>
          row(`r${batch}-${index}`, { title: `word${batch}` }),
        ),
      )
      const reports = await Promise.all(batches.map(async (rows) => await write(copy, { rows })))
      expect(reports.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
        batches.map((_, index) => index + 1),
      )
      expect(await state(copy)).toMatchObject({ live: 400, nextSeq: 401, version: 20 })
    })
  })

  describe(`${store}: walks`, () => {
    test.for<{ name: string; query: Json }>([
      { name: 'newest first', query: { filter: { keyword: { title: 'stays' } } } },
      {
        name: 'by a key with ties and nulls',
        query: { filter: { keyword: { title: 'stays' } }, sort: ['n', { updated: 'desc' }] },
      },
      { name: 'by score', query: { filter: { keyword: { title: 'stays often' } } } },
      {
        name: 'by several scores',
        query: {
          filter: { or: [{ keyword: { title: 'stays often' } }, { fuzzy: { title: 'sometmes' } }] },
        },
      },
      { name: 'by documents', query: { filter: { eq: { 'o.deep': 'yes' } }, sort: ['-n'] } },
    ])('while others are written, a record that stays comes once: $name', async ({ query }) => {
      const copy = await newCopy()
      const stays = (index: number): CopyRow =>
        row(`s${index}`, {
          title: `stays ${index % 3 === 0 ? 'often' : 'sometimes'}`,
          updated: `u${index % 5}`,
          o: { deep: 'yes' },
          ...(index % 4 === 0 ? {} : { n: index % 4 }),
        })
      const moves = (index: number, round: number): CopyRow =>
        row(`m${index}`, {
          title: `stays ${round % 2 === 0 ? 'often' : 'never'}`,
          n: (index + round) % 6,
          updated: `u${round % 7}`,
          o: { deep: round % 3 === 0 ? 'yes' : 'no' },
        })
      await write(copy, {
        rows: Array.from({ length: 120 }, (_, index) =>
          index % 2 === 0 ? stays(index / 2) : moves(index, 0),
        ),
      })
      const seen: string[] = []
      let position: WalkPosition | null = null
      let round = 0
      do {
        const { hits, next } = await page(copy, query, 7, position)
        seen.push(...hits.map(({ id }) => id))
        position = next
        round++
        const changed = Array.from({ length: 10 }, (_, index) =>
          moves(((index * 7 + round) % 60) * 2 + 1, round),
        )
        await write(copy, {
          observedAtMs: round,
          rows: [
            ...changed,
            row(`new${round}`, { title: 'stays often', n: round % 5, o: { deep: 'yes' } }),
          ],
          remove: { ids: [`m${round * 2 + 1}`], runId: 'r', atMs: 1 },
        })
      } while (position !== null && round < 200)
      const staying = seen.filter((id) => id.startsWith('s'))
      expect([...staying].sort()).toEqual(
        Array.from({ length: 60 }, (_, index) => `s${index}`).sort(),
      )
    })
  })

  describe(`${store}: the whole search`, () => {
    const cursors = createCursorSeal(createSealer(randomBytes(32)), Date.now)
    const search = createSearch({
      index: { copies: (name) => open().copies(name), search: (request) => open().search(request) },
      cursors,
      clock: { now: () => 100_000, monotonic: () => performance.now() },
    })
    const call = (copy: CopyState, params: Json): Parameters<typeof search>[0] => ({
      organizationId: 'org',
      instanceId: copy.instanceId,
      entity: copy.entity,
      params,
      intervalMs: 10_000,
      active: true,
    })

    test('a search that has waited too long is given up at once, and nothing more is asked', async () => {
      const copy = await newCopy()
      await write(copy, { rows: [row('a', { title: 'acme' })], complete: true, syncedAtMs: 1 })
      let asked = 0
      const counted = createSearch({
        index: {
          copies: (name) => open().copies(name),
          search: (request) => {
            asked++
            return open().search(request)
          },
        },
        cursors,
        clock: { now: () => 100_000, monotonic: () => performance.now() },
      })
      const params = { query: { filter: { eq: { title: 'nothing' } } } }
      expect((await counted(call(copy, params))).count).toBe(0)
      await expect(counted({ ...call(copy, params), spentMs: 2_001 })).rejects.toMatchObject({
        code: 'search_timeout',
      })
      expect(asked).toBe(2)
    })

    test('an answer says how fresh it is, and where to go on', async () => {
      const copy = await newCopy()
      await write(copy, {
        rows: ['a', 'b', 'c'].map((id) => row(id, { title: 'acme', o: { x: [1, 2] } })),
        complete: true,
        syncedAtMs: 59_500,
      })
      const answer = await search(
        call(copy, {
          query: { filter: { keyword: { title: 'acme' } } },
          limit: 2,
          fields: ['id', 'o.x'],
        }),
      )
      expect(JSON.parse(answer.hits)).toEqual([
        { id: 'c', score: 1, data: { id: 'c', o: { x: [1, 2] } } },
        { id: 'b', score: 1, data: { id: 'b', o: { x: [1, 2] } } },
      ])
      expect(answer.replica).toEqual({
        synced_at: '1970-01-01T00:00:59.500Z',
        lag_seconds: 40,
        complete: true,
        stale: true,
        records: 3,
        ranked: true,
      })
      expect(answer.tookMs).toBeGreaterThanOrEqual(0)
      const next = await search(
        call(copy, {
          query: { filter: { keyword: { title: 'acme' } } },
          cursor: answer.nextCursor,
        }),
      )
      expect(JSON.parse(next.hits)).toMatchObject([{ id: 'a' }])
      expect([next.nextCursor, next.count]).toEqual([null, 1])
    })

    test('T5 a cursor fits its own query, entity and instance only', async () => {
      const [copy, other] = [await newCopy(), await newCopy()]
      for (const one of [copy, other]) await write(one, { rows: ['a', 'b'].map((id) => row(id)) })
      const { nextCursor: cursor } = await search(call(copy, { query: {}, limit: 1 }))
      const refused = async (
        one: CopyState,
        query: Json,
        organizationId = 'org',
      ): Promise<boolean> => {
        try {
          await search({ ...call(one, { query, cursor }), organizationId })
          return false
        } catch (error) {
          return isConnectorError(error, 'cursor_invalid')
        }
      }
      expect(await refused(copy, {})).toBe(false)
      expect(await refused(copy, { sort: ['id'] })).toBe(true)
      expect(await refused(other, {})).toBe(true)
      expect(await refused(copy, {}, 'another')).toBe(true)
    })

    test('before the first records there is nothing to search', async () => {
      const copy = await newCopy()
      await expect(search(call(copy, { query: {} }))).rejects.toMatchObject({
        code: 'search_not_ready',
      })
      await expect(
        search({ ...call(copy, { query: {} }), entity: 'nothing' }),
      ).rejects.toMatchObject({ code: 'search_not_ready' })
      await write(copy, { complete: true })
      expect((await search(call(copy, { query: {} }))).hits).toBe('[]')
    })

    test('a layout that took over is used at once', async () => {
      const copy = await newCopy()
      await write(copy, { rows: [row('a')] })
      await search(call(copy, { query: {} }))
      const other = makeLayout({ ...options, fields: { ...options.fields, more: 'string' } })
      const next = await open().prepare(copy, other)
      await write(next, {
        rows: [
          createRowMaker({ layout: other, primaryKey: [bodyPath('id')] })({ id: 'z', more: 'x' }),
        ],
      })
      const params = { query: { filter: { eq: { more: 'x' } } } }
      await expect(search(call(copy, params))).rejects.toMatchObject({ code: 'params_invalid' })
      await open().serve(next)
      expect(JSON.parse((await search(call(copy, params))).hits)).toMatchObject([{ id: 'z' }])
    })
  })
}
