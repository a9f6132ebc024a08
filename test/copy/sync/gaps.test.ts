// What keeps a copy from being called complete stays until it was read again, whoever reads it.
import { afterAll, expect, test } from 'vitest'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import type { Gap } from '../../../src/copy/sync/run-record.ts'
import { readFacts } from '../../../src/copy/sync/run-record.ts'
import type { Upstream, UpstreamPage } from '../../../src/copy/sync/sync-run.ts'
import {
  createNotesSync,
  idOf,
  noteOf,
  type NotesManifest,
  notesManifest,
  type NotesSync,
  openSharedCopies,
} from './notes-vendor.ts'

const copies = openSharedCopies()
afterAll(() => copies[Symbol.asyncDispose]())

const PAGE: UpstreamPage = {
  records: [],
  next: null,
  mark: null,
  total: null,
  unsaidEnd: null,
  waitedMs: 0,
}
/** As large as was asked for, and nothing says that it is the last. */
const FULL: UpstreamPage['unsaidEnd'] = { pointers: ['$.next'], received: 1, size: 1, total: null }
const HOUR = 3_600_000

async function open(
  list: Upstream['list'],
  given: NotesManifest = {},
): Promise<NotesSync & { gaps(entity: string): Promise<readonly Gap[]>; pass(ms: number): void }> {
  let nowMs = Date.UTC(2026, 5, 1)
  const clock = { ...createSystemClock(), now: () => nowMs }
  const place = { ...copies.place(), clock, list }
  const sync = await createNotesSync('http://127.0.0.1:9', await notesManifest(given), place)
  return {
    ...sync,
    pass: (ms) => void (nowMs += ms),
    async gaps(entity) {
      const [copy] = await sync.index.copies({ instanceId: sync.instanceId, entity })
      const { gaps = [] } = readFacts(copy?.facts ?? '')
      expect(copy).toMatchObject({ complete: true, hasGaps: gaps.length > 0 })
      return gaps
    },
  }
}

const notes = (...numbers: readonly number[]) => numbers.map((n) => ({ ...noteOf(n) }))

test('records that came twice while pages shifted do not stand for those that were not listed', async () => {
  const pages = [
    [1, 2, 3, 4, 5],
    [4, 5, 6, 7, 8],
  ]
  await using sync = await open(({ params }) => {
    const at = Number(params['cursor'] ?? 0)
    const next = at + 1 < pages.length ? { cursor: String(at + 1) } : null
    return Promise.resolve({ ...PAGE, records: notes(...(pages[at] ?? [])), next, total: 10 })
  })
  await sync.run()
  expect(await sync.gaps('notes')).toEqual(['count_unmet'])
  pages.splice(1, 1, [6, 7, 8, 9, 10])
  await sync.run()
  expect(await sync.gaps('notes')).toEqual([])
})

const CHANGED_ONLY = {
  sync: { cursor: { field: 'updated', since: 'since' } },
  parent: { changed_only: true },
  commentPages: { type: 'cursor', param: 'cursor', next: '$.next', size: 'limit' },
}

test('a parent whose records may go on is read again, also where only changed ones are', async () => {
  const vendor: { end: UpstreamPage['unsaidEnd']; asked: number } = { end: FULL, asked: 0 }
  await using sync = await open(({ entity }) => {
    if (entity === 'notes') return Promise.resolve({ ...PAGE, records: notes(1) })
    vendor.asked += 1
    return Promise.resolve({ ...PAGE, records: [{ id: 'a', body: 'a' }], unsaidEnd: vendor.end })
  }, CHANGED_ONLY)
  await sync.run()
  await sync.run('comments', { intervalMs: HOUR })
  expect(await sync.gaps('comments')).toEqual(['unsaid_end'])
  sync.pass(2 * HOUR)
  await sync.run('comments', { intervalMs: HOUR })
  expect(await sync.gaps('comments')).toEqual(['unsaid_end'])
  vendor.end = null
  sync.pass(2 * HOUR)
  await sync.run('comments', { intervalMs: HOUR })
  expect(await sync.gaps('comments')).toEqual([])
})

test('what a run found suspicious below parents stays so where another process goes on with it', async () => {
  const stop = new AbortController()
  await using sync = await open(({ entity, params }) => {
    if (entity === 'notes')
      return Promise.resolve({
        ...PAGE,
        records: notes(...Array.from({ length: 60 }, (_, n) => n + 1)),
      })
    // The process is stopped behind the first parents.
    if (params['note'] === idOf(55)) stop.abort()
    const isFirst = params['note'] === idOf(1)
    const records = [{ id: `of ${JSON.stringify(params['note'])}`, body: '' }]
    return Promise.resolve({ ...PAGE, records, unsaidEnd: isFirst ? FULL : null })
  }, CHANGED_ONLY)
  await sync.run()
  const some = await sync.run('comments', { intervalMs: HOUR, signal: stop.signal })
  expect(some).toEqual({ kind: 'stopped' })
  expect(await sync.run('comments', { intervalMs: HOUR })).toMatchObject({
    kind: 'done',
    suspicion: { reason: 'unsaid_end' },
  })
  expect(await sync.ids('comments')).toHaveLength(60)
  expect(await sync.gaps('comments')).toEqual(['unsaid_end'])
})

test('below parents, records that the manifest filters out count as listed, too', async () => {
  await using sync = await open(({ entity }) =>
    Promise.resolve(
      entity === 'notes'
        ? { ...PAGE, records: notes(1) }
        : { ...PAGE, records: [{ id: 'a', body: 'a' }], total: 3, filteredOut: 2 },
    ),
  )
  await sync.run()
  await sync.run('comments')
  expect(await sync.gaps('comments')).toEqual([])
})

test('a record that moved from one listing to another while both were read is not removed at once', async () => {
  const vendor = { moved: false }
  await using sync = await open(
    ({ params: { since } }) =>
      Promise.resolve({
        ...PAGE,
        records: JSON.stringify(since)?.includes('2026-01-01')
          ? notes(1, 2)
          : notes(3, ...(vendor.moved ? [] : [4])),
      }),
    {
      get: false,
      pagination: { type: 'none', reason: 'all of a time come at once' },
      commentPages: { type: 'cursor', param: 'cursor', next: '$.next' },
      sync: {
        cursor: {
          field: 'updated',
          since: 'since',
          until: 'until',
          window: 'P100D',
          start: '2026-01-01',
        },
      },
    },
  )
  await sync.run()
  vendor.moved = true
  await sync.run('notes', { mode: 'full', intervalMs: HOUR })
  expect(await sync.ids()).toHaveLength(4)
})
