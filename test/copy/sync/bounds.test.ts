// A third party that always has another page is not read for ever.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  boundsOf,
  DEFAULT_BOUNDS,
  metBound,
  PagesWithoutNew,
} from '../../../src/copy/sync/bounds.ts'
import { HISTORY_PREFIX, readFacts, readRun } from '../../../src/copy/sync/run-record.ts'
import {
  createNotesSync,
  createNotesVendor,
  idOf,
  notesManifest,
  type NotesSync,
  type NotesVendor,
} from './notes-vendor.ts'

let vendor: NotesVendor
let sync: NotesSync
beforeEach(async () => {
  vendor = await createNotesVendor(45)
  sync = await createNotesSync(vendor.http.url, await notesManifest())
})
afterEach(async () => {
  await sync[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

async function copy(entity = 'notes') {
  const [found] = await sync.index.copies({ instanceId: sync.instanceId, entity })
  return { complete: found?.complete, ...readFacts(found?.facts ?? '') }
}

describe('a listing without an end', () => {
  test.for([
    {
      name: 'pages',
      bounds: { pages: 12 },
      met: { name: 'pages', limit: 12 },
      calls: 12,
    },
    {
      name: 'records',
      bounds: { records: 115 },
      met: { name: 'records', limit: 115 },
      calls: 12,
    },
  ] as const)('ends at the bound on $name', async ({ bounds, met, calls }) => {
    vendor.isEndless = true
    const outcome = await sync.run('notes', { bounds })
    expect(outcome).toMatchObject({
      kind: 'done',
      changed: 120,
      runs: [],
      suspicion: { reason: 'bound_met', bound: { ...met, kind: 'initial' } },
    })
    expect(vendor.http.requests).toHaveLength(calls)
    expect(await copy()).toMatchObject({ complete: false, failures: 0 })
    const place = { instanceId: sync.instanceId, entity: 'notes' }
    const [past] = await sync.index.entries(place, HISTORY_PREFIX)
    expect(past === undefined ? null : readRun(past)).toMatchObject({ pages: calls, bound: met })
    expect(await sync.ids()).toHaveLength(120)
  })

  test('of more pages than a caller goes through is read as far as the bounds allow', async () => {
    let asked = 0
    const own = await createNotesSync(vendor.http.url, await notesManifest(), {
      list: () =>
        Promise.resolve({
          records: [],
          next: { cursor: String(++asked) },
          mark: String(asked),
          total: null,
          unsaidEnd: null,
          waitedMs: 0,
        }),
    })
    const bounds = { pages: 100_002, pagesWithoutNew: 1_000_000 }
    expect(await own.run('notes', { bounds })).toMatchObject({
      kind: 'done',
      suspicion: { reason: 'bound_met', bound: { name: 'pages', limit: 100_002 } },
    })
    expect(asked).toBe(100_002)
    await own[Symbol.asyncDispose]()
  })

  test('ends when the copy is as large as it may be, and adds one batch with every run after that', async () => {
    vendor.isEndless = true
    const bounds = { bytes: 5_000 }
    const met = { reason: 'bound_met', bound: { name: 'bytes', limit: 5_000, kind: 'initial' } }
    const outcome = await sync.run('notes', { bounds })
    expect(outcome).toMatchObject({ kind: 'done', suspicion: met })
    const asked = vendor.http.requests.length
    const again = await sync.run('notes', { bounds })
    // It was told already.
    expect(again).toMatchObject({ kind: 'done', suspicion: null })
    expect((await copy()).suspicious).toMatchObject(met)
    // What is read ahead while a batch is written is all that comes on top.
    expect(vendor.http.requests.length - asked).toBeLessThan(asked)
  })

  test('ends when page after page brings nothing new, and removes nothing', async () => {
    await sync.run()
    vendor.notes.delete(idOf(3))
    vendor.fault = { page: 5, kind: 'always another cursor', once: false }
    const bounds = { pagesWithoutNew: 7 }
    const before = vendor.http.requests.length
    for (let turn = 1; turn <= 2; turn++) {
      const outcome = await sync.run('notes', { bounds, intervalMs: 1 })
      expect(outcome).toMatchObject({ kind: 'done', removed: new Map(), runs: [] })
      // Five pages, seven once more, and one that was on its way.
      expect(vendor.http.requests.length - before).toBeLessThanOrEqual(13 * turn)
    }
    expect(await copy()).toMatchObject({
      complete: true,
      suspicious: {
        missing: 0,
        reason: 'bound_met',
        bound: { name: 'pages_without_new', limit: 7, kind: 'full' },
      },
    })
    expect(await sync.ids()).toContain(idOf(3))

    vendor.fault = null
    expect(await sync.run('notes', { bounds, intervalMs: 1 })).toMatchObject({ runs: ['full'] })
    expect((await copy()).suspicious).toBe(null)
    expect(await sync.ids()).not.toContain(idOf(3))
  })

  test('is as long as it likes with other pages in between', async () => {
    vendor.pageSize = 1
    expect(await sync.run('notes', { bounds: { pagesWithoutNew: 2 } })).toMatchObject({
      kind: 'done',
      runs: ['initial'],
      suspicion: null,
    })
  })

  test('that met no bound before its last page is whole', async () => {
    const bounds = { pages: 5, records: 45 }
    expect(await sync.run('notes', { bounds })).toMatchObject({
      runs: ['initial'],
      suspicion: null,
    })
    expect((await copy()).complete).toBe(true)
  })
})

describe('a listing without an end where a cursor exists', () => {
  test('does not hold up the changes, nor move the time up to which they are known', async () => {
    const cursor = { field: 'updated', since: 'since' }
    const own = await createNotesSync(vendor.http.url, await notesManifest({ sync: { cursor } }))
    const facts = async () => {
      const [found] = await own.index.copies({ instanceId: own.instanceId, entity: 'notes' })
      return readFacts(found?.facts ?? '')
    }
    await own.run()
    const known = (await facts()).highWaterMs
    vendor.fault = { page: 5, kind: 'always another cursor', once: false }
    const bounds = { pagesWithoutNew: 7 }
    expect(await own.run('notes', { bounds, mode: 'full' })).toMatchObject({ runs: [] })
    expect((await facts()).highWaterMs).toEqual(known)
    // The complete reading was cut; the next turn reads what changed, and the suspicion stays.
    expect(await own.run('notes', { bounds })).toMatchObject({ runs: ['incremental'] })
    expect((await facts()).suspicious).toMatchObject({ bound: { kind: 'full' } })
    vendor.fault = null
    expect(await own.run('notes', { bounds, mode: 'full' })).toMatchObject({ runs: ['full'] })
    expect((await facts()).suspicious).toBe(null)
    await own[Symbol.asyncDispose]()
  })
})

test('a parent whose listing has no end is suspicious and tried again later, and the others are read', async () => {
  const commentPages = { type: 'cursor', param: 'cursor', next: '$.next' }
  const own = await createNotesSync(vendor.http.url, await notesManifest({ commentPages }))
  for (const n of [1, 2, 3]) vendor.comments.set(idOf(n), [{ id: `c${n}`, body: 'one' }])
  await own.run()
  expect(await own.run('comments')).toMatchObject({ runs: ['children'], suspicion: null })
  vendor.neverEnds = idOf(2)
  vendor.comments.set(idOf(2), [{ id: 'c4', body: 'another' }])
  vendor.comments.set(idOf(3), [
    { id: 'c3', body: 'one' },
    { id: 'c5', body: 'five' },
  ])
  const bounds = { pagesWithoutNew: 3 }
  const asked = vendor.http.requests.length
  const outcome = await own.run('comments', { bounds, intervalMs: 1 })
  expect(outcome).toMatchObject({
    kind: 'done',
    removed: new Map(),
    suspicion: {
      reason: 'bound_met',
      bound: { name: 'pages_without_new', limit: 3, kind: 'children' },
    },
  })
  // One page for each of the others.
  expect(vendor.http.requests.length - asked).toBeGreaterThanOrEqual(44 + 4)
  expect(await own.ids('comments')).toEqual(['c1', 'c2', 'c3', 'c4', 'c5'])
  await own[Symbol.asyncDispose]()
})

describe('the bounds of a run', () => {
  const sync = { bounds: { pages: 7, records: 9 }, parent: null }
  test.for([
    { name: 'nobody says', of: { parent: null }, operator: {}, want: DEFAULT_BOUNDS },
    {
      name: 'the manifest says',
      of: sync,
      operator: {},
      want: { ...DEFAULT_BOUNDS, pages: 7, records: 9 },
    },
    {
      name: 'the operator says otherwise',
      of: sync,
      operator: { pages: 100, records: null },
      want: { ...DEFAULT_BOUNDS, pages: 100, records: 9 },
    },
    {
      name: 'the records hang on parents',
      of: { parent: { entity: 'notes', bind: [], changedOnly: false } },
      operator: {},
      want: { ...DEFAULT_BOUNDS, pages: 10_000, records: 100_000 },
    },
  ])('where $name', ({ of, operator, want }) => expect(boundsOf(of, operator)).toEqual(want))

  test.for([
    [{ pages: 6, records: 8 }, null],
    [
      { pages: 7, records: 8 },
      { name: 'pages', limit: 7 },
    ],
    [
      { pages: 6, records: 9 },
      { name: 'records', limit: 9 },
    ],
  ] as const)('%o', ([read, met]) =>
    expect(metBound({ ...DEFAULT_BOUNDS, pages: 7, records: 9 }, read)).toEqual(met),
  )

  test('a page is without new records where it is empty, too, and one new record begins the count again', () => {
    const pages = new PagesWithoutNew({ pagesWithoutNew: 2 })
    const met = { name: 'pages_without_new', limit: 2 }
    expect(
      [['a'], ['a'], ['a', 'b'], [], ['b'], ['c'], [], ['c']].map((ids) => pages.add(ids)),
    ).toEqual([null, null, null, null, met, null, null, met])
  })
})
