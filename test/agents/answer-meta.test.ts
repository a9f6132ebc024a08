import { expect, test } from 'vitest'
import { metaWithoutMarks } from '../../src/agents/answer-meta.ts'
import type { JsonObject } from '../../src/language/json/json.ts'

test.for<{
  name: string
  meta: JsonObject
  next: JsonObject | null
  hasMore: boolean
  want: JsonObject
}>([
  {
    name: "a token of the third party, which would skip what a cut page holds, by the param's name",
    meta: { nextPageToken: 'abc', isLast: false, total: null },
    next: { nextPageToken: 'abc' },
    hasMore: true,
    want: {},
  },
  {
    name: 'one of another name by its value, also one level down',
    meta: { pagination: { cursor: 'abc', totalRecords: 138 }, paging: { after: 'abc' } },
    next: { page_token: 'abc' },
    hasMore: true,
    want: { pagination: { totalRecords: 138 } },
  },
  {
    name: 'an address that asks for the next page, and the place of this one',
    meta: { nextPage: 'https://a.example/search?startAt=50&maxResults=50', startAt: 0, total: 50 },
    next: { startAt: 50 },
    hasMore: true,
    want: { total: 50 },
  },
  {
    name: 'that this is the last page, while more of it is to come',
    meta: { isLast: true, total: 138 },
    next: null,
    hasMore: true,
    want: { total: 138 },
  },
  {
    name: 'nothing of the last answer but nulls',
    meta: { isLast: true, total: null, names: { id: null, done: true } },
    next: null,
    hasMore: false,
    want: { isLast: true, names: { done: true } },
  },
])('left out of meta is $name', ({ meta, next, hasMore, want }) =>
  expect(metaWithoutMarks(meta, next, hasMore)).toEqual(want),
)
