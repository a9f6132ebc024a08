import { expect, test } from 'vitest'
import { parsePath } from '../../../src/language/expression/parse-path.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import type { Action, Pagination } from '../../../src/language/manifest/manifest.ts'
import { cutPage, CursorRefused } from '../../../src/sandbox/answer/page.ts'
import { writePage } from '../../../src/sandbox/answer/write-page.ts'
import type { Draft } from '../../../src/sandbox/wire/write-path.ts'

const rows = Array.from({ length: 25 }, (_, index) => index)
const SIZES = { size: 10, max: 12 }
const paged = { size: null, more: null, last: null, carry: [], meta: [], emptyMeta: [] }

function action(pagination: Pagination): Action {
  // Only what pages are cut by.
  return { entity: 'tickets', name: 'list', pagination } as unknown as Action
}
const cursor: Pagination = {
  ...paged,
  type: 'cursor',
  param: ['cursor'],
  next: parsePath('$.next'),
  first: '*',
}
const offset: Pagination = {
  ...paged,
  type: 'offset',
  param: ['startAt'],
  size: ['limit'],
  total: parsePath('$.total'),
  shortPage: false,
}
const page: Pagination = {
  ...paged,
  type: 'page',
  param: ['page'],
  first: 1,
  pages: parsePath('$.pages'),
  omitFirst: false,
  shortPage: false,
}

function cut(pagination: Pagination, params: JsonObject) {
  const { rows: found, isLast, next, offset } = cutPage(rows, action(pagination), params, SIZES)
  return { first: found[0], count: found.length, offset, isLast, next }
}

test.for([
  {
    name: 'offset: the first page',
    pagination: offset,
    params: {},
    want: { first: 0, count: 10, offset: 0, isLast: false, next: 10 },
  },
  {
    name: 'offset: a size of the caller',
    pagination: offset,
    params: { limit: 3, startAt: 3 },
    want: { first: 3, count: 3, offset: 3, isLast: false, next: 6 },
  },
  {
    name: 'offset: a size that is too great is lowered',
    pagination: offset,
    params: { limit: 500 },
    want: { first: 0, count: 12, offset: 0, isLast: false, next: 12 },
  },
  {
    name: 'offset: the last page',
    pagination: offset,
    params: { startAt: 20 },
    want: { first: 20, count: 5, offset: 20, isLast: true, next: null },
  },
  {
    name: 'offset: beyond the end',
    pagination: offset,
    params: { startAt: 99 },
    want: { first: undefined, count: 0, offset: 99, isLast: true, next: null },
  },
  {
    name: 'page: the second page',
    pagination: page,
    params: { page: 2 },
    want: { first: 10, count: 10, offset: 10, isLast: false, next: 3 },
  },
  {
    name: 'page: the last page',
    pagination: page,
    params: { page: 3 },
    want: { first: 20, count: 5, offset: 20, isLast: true, next: null },
  },
])('$name', ({ pagination, params, want }) => expect(cut(pagination, params)).toEqual(want))

test('cursor: each page names the next one, until the last', () => {
  const seen: number[] = []
  let params: JsonObject = { q: 'x', cursor: '*' }
  for (;;) {
    const { rows: found, next } = cutPage(rows, action(cursor), params, SIZES)
    seen.push(...found)
    if (next === null) break
    params = { q: 'x', cursor: next }
  }
  expect(seen).toEqual(rows)
})

test('cursor: one of another listing is refused', () => {
  const { next } = cutPage(rows, action(cursor), { q: 'x' }, SIZES)
  expect(() => cutPage(rows, action(cursor), { q: 'y', cursor: next ?? '' }, SIZES)).toThrow(
    CursorRefused,
  )
  expect(() => cutPage(rows, action(cursor), { q: 'x', cursor: 'abc' }, SIZES)).toThrow(
    CursorRefused,
  )
})

test('everything that pagination reads is written, consistently', () => {
  const gong: Pagination = {
    ...cursor,
    next: parsePath('$.records.cursor'),
    meta: [
      { name: 'pagination', optional: false, value: { kind: 'path', at: parsePath('$.records') } },
    ],
    emptyMeta: [
      {
        name: 'pagination',
        optional: false,
        value: {
          kind: 'object',
          members: ['totalRecords', 'currentPageSize', 'currentPageNumber'].map((name) => ({
            name,
            optional: false,
            value: { kind: 'constant', value: 0 },
          })),
        },
      },
    ],
  }
  const draft: Draft = { body: {}, headers: {} }
  const first = cutPage(rows, action(gong), {}, SIZES)
  const second = cutPage(rows, action(gong), { cursor: first.next ?? '' }, SIZES)
  writePage(draft, gong, second)
  expect(draft.body).toEqual({
    records: { totalRecords: 25, currentPageSize: 10, currentPageNumber: 1, cursor: second.next },
  })
})

test('flags are written so that their paths and tests say the truth', () => {
  const flags: Pagination = {
    ...offset,
    last: { kind: 'path', at: parsePath('$.isLast') },
    more: {
      kind: 'tests',
      tests: [{ at: parsePath('$link.next.results'), test: { equals: 'true' } }],
    },
  }
  const draft: Draft = { body: {}, headers: {} }
  writePage(draft, flags, cutPage(rows, action(flags), {}, SIZES))
  expect(draft).toEqual({
    body: { total: 25, isLast: false },
    headers: { link: '<>; rel="next"; results="true"' },
  })
})

test('where a flag tells the end, the last page has a cursor too, and behind it there is nothing', () => {
  const flagged: Pagination = {
    ...paged,
    type: 'cursor',
    param: ['after'],
    next: parsePath('$.paging.cursors.after'),
    more: { kind: 'path', at: parsePath('$.paging.next') },
    first: null,
  }
  const last = cutPage(rows.slice(0, 3), action(flagged), {}, SIZES)
  const draft: Draft = { body: {}, headers: {} }
  writePage(draft, flagged, last)
  expect(draft.body).toEqual({ paging: { cursors: { after: last.end } } })
  const behind = { after: last.end ?? '' }
  const empty = cutPage(rows.slice(0, 3), action(flagged), behind, SIZES)
  expect([empty.rows, empty.isLast, empty.next, empty.end]).toEqual([[], true, null, null])
})
