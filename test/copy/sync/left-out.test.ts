// Records whose key cannot be used do not stop the sync of their entity: they are left out, counted and named by place.
import { afterAll, describe, expect, test } from 'vitest'
import type { SearchPage } from '../../../src/copy/search/search-index.ts'
import { countUnknown, isMistaken, withLeftOut } from '../../../src/copy/sync/left-out.ts'
import { readFacts, readRun, type LeftOutRecord } from '../../../src/copy/sync/run-record.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import {
  createNotesSync,
  createNotesVendor,
  idOf,
  type Note,
  noteOf,
  type NotesManifest,
  notesManifest,
  type NotesSync,
  type NotesVendor,
  openSharedCopies,
} from './notes-vendor.ts'

const copies = openSharedCopies()
afterAll(() => copies[Symbol.asyncDispose]())

/** A note as it came, with anything for an id. */
function oddNote(id: unknown, text = 'odd'): Note {
  // What a third party sends has no type.
  return { text, updated: noteOf(1).updated, ...(id !== undefined && { id }) } as Note
}

interface Opened extends AsyncDisposable {
  readonly vendor: NotesVendor
  readonly sync: NotesSync
  /** Ids of the vendor's good notes. */
  source(): readonly string[]
  facts(): Promise<ReturnType<typeof readFacts>>
  /** What searches are told of the copy. */
  searched(): Promise<SearchPage['copy']>
}

async function open(count: number, given: NotesManifest = {}): Promise<Opened> {
  const vendor = await createNotesVendor(count)
  const sync = await createNotesSync(vendor.http.url, await notesManifest(given), copies.place())
  const copyOf = async () => {
    const [copy] = await sync.index.copies({ instanceId: sync.instanceId, entity: 'notes' })
    if (copy === undefined) throw new TypeError('there is no copy')
    return copy
  }
  return {
    vendor,
    sync,
    source: () => [...vendor.notes.keys()].filter((id) => /^n\d{6}$/.test(id)).toSorted(),
    facts: async () => readFacts((await copyOf()).facts),
    async searched() {
      const copy = await copyOf()
      const query = readSearch(copy.layout, { query: {}, limit: 1 })
      const layoutHash = copy.layout.hash
      const reply = await sync.index.search({ ...copy, layoutHash, query, position: null })
      if (reply.kind !== 'page') throw new TypeError('the copy has moved')
      return reply.copy
    },
    async [Symbol.asyncDispose]() {
      await sync[Symbol.asyncDispose]()
      await vendor[Symbol.asyncDispose]()
    },
  }
}

test('records without a usable key are left out, named by place, and the copy is not called whole until all are back', async () => {
  await using opened = await open(20, { get: false })
  const { vendor, sync } = opened
  const odd = [undefined, null, '', {}, 1.5, 'a\u0000b', '\ud800', 'x'.repeat(1_001), true]
  for (const [at, id] of odd.entries()) vendor.notes.set(`odd ${at}`, oddNote(id))
  vendor.notes.set('same', { ...noteOf(20), text: 'another one of the same key' })
  expect(await sync.run()).toMatchObject({
    kind: 'done',
    leftOut: 9,
    gaps: {
      records: 9,
      reasons: {
        missing: 1,
        null: 1,
        empty: 1,
        not_scalar: 2,
        not_integer: 1,
        not_text: 2,
        too_long: 1,
      },
    },
  })
  expect(await sync.ids()).toEqual(opened.source())
  const { leftOut } = await opened.facts()
  expect(leftOut?.examples.slice(0, 3)).toEqual([
    { page: 3, index: 0, path: 'id', reason: 'missing' },
    { page: 3, index: 1, path: 'id', reason: 'null' },
    { page: 3, index: 2, path: 'id', reason: 'empty' },
  ])
  expect(await opened.searched()).toMatchObject({ complete: false, live: 20 })
  // The same number is no news.
  expect(await sync.run()).toMatchObject({ kind: 'done', leftOut: 9, gaps: null })
  for (const at of odd.keys()) vendor.notes.delete(`odd ${at}`)
  vendor.notes.delete('same')
  expect(await sync.run()).toMatchObject({ kind: 'done', leftOut: 0 })
  expect((await opened.facts()).leftOut).toBeUndefined()
  expect(await opened.searched()).toMatchObject({ complete: true, live: 20 })
})

test('of two records of a page with one key and other content the last one is kept, and the other named', async () => {
  await using opened = await open(5, { get: false })
  const { vendor, sync } = opened
  vendor.notes.set('again', noteOf(2))
  expect(await sync.run()).toMatchObject({ kind: 'done', leftOut: 0 })
  vendor.notes.set('again', noteOf(2, 'other'))
  vendor.notes.delete(idOf(4))
  expect(await sync.run('notes', { intervalMs: 1 })).toMatchObject({ kind: 'done', leftOut: 1 })
  expect((await opened.facts()).leftOut).toEqual({
    records: 1,
    reasons: { duplicate: 1 },
    examples: [{ page: 1, index: 1, path: 'id', reason: 'duplicate' }],
  })
  // Its key is known, so that it hides no record: what is gone goes, with one listing more.
  for (let turn = 0; turn < 2; turn++) await sync.run('notes', { intervalMs: 1 })
  expect(await sync.ids()).toEqual(opened.source())
})

describe('a copy is not called whole', () => {
  test('where the third party counts more than it listed, until a whole reading has them', async () => {
    await using opened = await open(20, { get: false })
    const { vendor, sync } = opened
    vendor.total = 30
    await sync.run()
    expect((await opened.facts()).gaps).toEqual(['count_unmet'])
    expect(await opened.searched()).toMatchObject({ complete: false, live: 20 })
    vendor.total = 20
    await sync.run()
    expect((await opened.facts()).gaps).toBeUndefined()
    expect(await opened.searched()).toMatchObject({ complete: true })
  })

  test('where its only page was as full as it could be', async () => {
    await using opened = await open(20, { get: false })
    const { vendor, sync } = opened
    vendor.pointer = 'moved'
    vendor.total = 20
    await sync.run()
    expect((await opened.facts()).gaps).toEqual(['unsaid_end', 'count_unmet'])
    expect(await opened.searched()).toMatchObject({ complete: false, live: 10 })
  })

  test('where the records below a parent could not be read, or parents were left out', async () => {
    await using opened = await open(3)
    const { vendor, sync } = opened
    const gapsOf = async () => {
      const name = { instanceId: sync.instanceId, entity: 'comments' }
      return readFacts((await sync.index.copies(name))[0]?.facts ?? '').gaps
    }
    await sync.run()
    // No list.
    vendor.comments.set(idOf(2), 'broken' as never)
    expect(await sync.run('comments')).toMatchObject({ kind: 'done' })
    expect(await gapsOf()).toEqual(['unread_parents'])
    vendor.comments.set(idOf(2), [{ id: 'c', body: 'text' }])
    await sync.run('comments', { mode: 'full' })
    expect(await gapsOf()).toBeUndefined()
    vendor.notes.set('odd', oddNote(null))
    await sync.run()
    await sync.run('comments')
    expect(await gapsOf()).toEqual(['parents'])
  })

  test('but where the manifest filters out what the third party counts, and what is gone goes', async () => {
    const vendor = { gone: 0 }
    await using sync = await createNotesSync(
      'http://127.0.0.1:9',
      await notesManifest({ get: false }),
      {
        ...copies.place(),
        list: () =>
          Promise.resolve({
            records: Array.from({ length: 15 - vendor.gone }, (_, n) => ({ ...noteOf(n + 1) })),
            next: null,
            mark: null,
            total: 25 - vendor.gone,
            filteredOut: 10,
            unsaidEnd: null,
            waitedMs: 0,
          }),
      },
    )
    await sync.run()
    const [copy] = await sync.index.copies({ instanceId: sync.instanceId, entity: 'notes' })
    expect(readFacts(copy?.facts ?? '').gaps).toBeUndefined()
    vendor.gone = 1
    for (let turn = 0; turn < 2; turn++) await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toHaveLength(14)
  })
})

describe('while records are left out', () => {
  test('no listing removes anything', async () => {
    await using opened = await open(15, { get: false })
    const { vendor, sync } = opened
    await sync.run()
    const all = opened.source()
    vendor.notes.delete(idOf(3))
    // It is there, but its key cannot be read.
    vendor.notes.set(idOf(7), oddNote(null))
    for (let turn = 0; turn < 4; turn++) await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toEqual(all)
    vendor.notes.set(idOf(7), noteOf(7))
    await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toEqual(all)
    await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toEqual(opened.source())
  })

  test('what its own get does not find goes, and a record whose key the listing spoils stays', async () => {
    await using opened = await open(15)
    const { vendor, sync } = opened
    await sync.run()
    vendor.notes.delete(idOf(3))
    const listed = [...vendor.notes.values()].map((note) =>
      note.id === idOf(7) ? oddNote(null) : note,
    )
    await using other = await createNotesSync(vendor.http.url, await notesManifest(), {
      index: sync.index,
      instanceId: sync.instanceId,
      list: () =>
        Promise.resolve({
          records: listed.map((note) => ({ ...note })),
          next: null,
          mark: null,
          total: null,
          unsaidEnd: null,
          waitedMs: 0,
        }),
    })
    expect(await other.run('notes', { intervalMs: 1 })).toMatchObject({ kind: 'done', leftOut: 1 })
    expect(await sync.ids()).toEqual(opened.source())
  })

  test('a get whose record has no key is no answer', async () => {
    await using opened = await open(15)
    const { vendor, sync } = opened
    await sync.run()
    const all = opened.source()
    // Of the first record, which is asked for to see whether get can be relied on.
    const [first] = all
    vendor.notes.set(first ?? '', oddNote(undefined))
    vendor.notes.delete(idOf(9))
    await sync.run('notes', { intervalMs: 1 })
    await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toContain(first)
  })

  test('nothing below their parent goes either', async () => {
    await using opened = await open(2)
    const { vendor, sync } = opened
    const comment = (id: unknown) => ({ id, body: 'text' }) as { id: string; body: string }
    vendor.comments.set(idOf(1), ['a', 'b', 'c'].map(comment))
    vendor.comments.set(idOf(2), ['d'].map(comment))
    await sync.run()
    await sync.run('comments')
    vendor.comments.set(idOf(1), ['a', null].map(comment))
    const outcome = await sync.run('comments', { mode: 'full' })
    expect(outcome).toMatchObject({ kind: 'done', leftOut: 1 })
    expect(await sync.ids('comments')).toEqual(['a', 'b', 'c', 'd'])
    vendor.comments.set(idOf(1), ['a', 'c'].map(comment))
    await sync.run('comments', { mode: 'full' })
    expect(await sync.ids('comments')).toEqual(['a', 'c', 'd'])
  })
})

describe('where more than half of the records have no usable key', () => {
  const unusable = { name: 'upstream_malformed', left: { details: { entity: 'notes' } } }

  test('a whole reading fails, and removes nothing', async () => {
    await using opened = await open(15, { get: false })
    const { vendor, sync } = opened
    await sync.run()
    const all = opened.source()
    for (const [id, { text }] of vendor.notes) vendor.notes.set(id, oddNote(undefined, text))
    for (let turn = 0; turn < 3; turn++)
      expect(await sync.run('notes', { intervalMs: 1 })).toMatchObject({
        kind: 'failed',
        error: { code: unusable.name, details: { ...unusable.left.details, left_out: 15 } },
      })
    expect(await sync.ids()).toEqual(all)
  })

  test('a run fails at its first hundred, and stays at that page', async () => {
    await using opened = await open(0, { get: false })
    const { vendor, sync } = opened
    for (let n = 0; n < 500; n++) vendor.notes.set(`odd ${n}`, oddNote(null, `odd ${n}`))
    vendor.pageSize = 50
    for (let turn = 0; turn < 2; turn++) {
      const outcome = await sync.run()
      if (outcome.kind !== 'failed') throw new TypeError('the run did not fail')
      expect(outcome.error.code).toBe(unusable.name)
      // Pages that came faster than they were written are judged together.
      expect(outcome.error.details?.['left_out']).toBeGreaterThanOrEqual(100)
    }
    const [run] = await sync.index.entries({ instanceId: sync.instanceId, entity: 'notes' }, 'run')
    expect(run === undefined ? null : (readRun(run).leftOut?.records ?? 0)).toBeLessThan(100)
  })

  test('a few changed records that are all without one do not stop what comes after them', async () => {
    const cursor = { field: 'updated', since: 'since' }
    await using opened = await open(15, { sync: { cursor } })
    const { vendor, sync } = opened
    await sync.run()
    vendor.notes.set('odd', { ...oddNote(null), updated: noteOf(60).updated })
    expect(await sync.run()).toMatchObject({ kind: 'done', leftOut: 1, runs: ['incremental'] })
    vendor.notes.set(idOf(70), noteOf(70))
    expect(await sync.run()).toMatchObject({ kind: 'done', changed: 1 })
    expect(await opened.searched()).toMatchObject({ complete: false })
    vendor.notes.delete('odd')
    await sync.run('notes', { mode: 'full' })
    expect(await opened.searched()).toMatchObject({ complete: true })
  })
})

test.for([
  ['none', 0, 0, true, false],
  ['half of a whole reading', 5, 5, true, false],
  ['more than half of a whole reading', 6, 5, true, true],
  ['all of what has changed', 99, 0, false, false],
  ['a hundred of them', 100, 0, false, true],
  ['a hundred, and as many others', 100, 100, false, false],
] as const)('a mistake of the manifest or not: %s', ([, unknown, kept, isWhole, want]) => {
  const one = { page: 1, index: 0, path: '$.id', reason: 'null' } as const
  const leftOut = withLeftOut(
    undefined,
    Array.from({ length: unknown }, () => one),
  )
  expect(isMistaken(leftOut, kept, { isWhole })).toBe(want)
})

test('ten places are kept, however many records are left out, and keys that come twice are known', () => {
  const many = Array.from({ length: 15 }, (_, index): LeftOutRecord => {
    const reason = index % 3 === 0 ? 'duplicate' : 'null'
    return { page: 1, index, path: '$.id', reason }
  })
  const leftOut = withLeftOut(withLeftOut(undefined, many.slice(0, 4)), many.slice(4))
  expect(leftOut).toEqual({
    records: 15,
    reasons: { duplicate: 5, null: 10 },
    examples: many.slice(0, 10),
  })
  expect(countUnknown(leftOut)).toBe(10)
})
