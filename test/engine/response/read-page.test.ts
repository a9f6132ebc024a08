// When a listing ends and what fetches its next page, for every way to page; digits; records taken away and reshaped.
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../src/language/expression/pick.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import { loadManifest } from '../../../src/language/manifest/load.ts'
import { doubtOf } from '../../../src/engine/response/page-end.ts'
import { compileReader } from '../../../src/engine/response/read-page.ts'

interface Given {
  readonly pagination: object
  readonly params?: object
  readonly response?: object
  readonly record?: object
}

/** The reader of a listing whose manifest is made of these parts. */
function readerOf({
  pagination,
  params = {},
  response = {},
  record = { properties: { id: { type: 'string' } } },
}: Given) {
  const properties = {
    cursor: { type: 'string' },
    startAt: { type: 'integer' },
    page: { type: 'integer' },
    max: { type: 'integer' },
    ids: { type: 'array', items: { type: 'string' } },
    ...params,
  }
  const { manifest, problems } = loadManifest({
    file: 'acme.json',
    object: {
      manifest: 1,
      connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
      server: { url: 'https://api.acme.example' },
      auth: {
        key: {
          credentials: { properties: { api_key: { type: 'string', writeOnly: true } } },
          apply: { bearer: '{{ credentials.api_key }}' },
        },
      },
      entities: {
        items: {
          record,
          actions: {
            list: {
              params: { properties },
              request: { http: 'GET /items', query: Object.keys(properties) },
              response: { records: '$.items', ...response },
              pagination,
            },
          },
        },
      },
    },
  })
  const action = manifest?.entities[0]?.actions[0]
  if (manifest === null || action === undefined) throw new Error(JSON.stringify(problems))
  return compileReader(action, manifest.definitions)
}

function read(
  given: Given,
  body: string,
  params: JsonObject = {},
  headers: Record<string, string> = {},
) {
  const answer: Answer = {
    status: 200,
    headers,
    body: parseJson(body),
    url: 'https://api.acme.example/items?page=1',
  }
  return readerOf(given)(answer, { params })
}

const CURSOR = { type: 'cursor', param: 'cursor', next: '$.next' }
const OFFSET = { type: 'offset', param: 'startAt', size: 'max', last: '$.isLast', total: '$.total' }
const PAGE = { type: 'page', param: 'page', pages: '$.pages' }
const items = (count: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, index) => ({ id: String(index) })))

describe('the end of a listing', () => {
  test.for<{
    name: string
    pagination: object
    body: string
    params?: JsonObject
    next: JsonObject | null
  }>([
    {
      name: 'cursor: a next value goes on',
      pagination: CURSOR,
      body: `{"items":${items(2)},"next":"c2"}`,
      next: { cursor: 'c2' },
    },
    { name: 'cursor: absent ends', pagination: CURSOR, body: `{"items":${items(2)}}`, next: null },
    {
      name: 'cursor: null ends',
      pagination: CURSOR,
      body: `{"items":${items(2)},"next":null}`,
      next: null,
    },
    {
      name: 'cursor: empty ends',
      pagination: CURSOR,
      body: `{"items":${items(2)},"next":""}`,
      next: null,
    },
    {
      name: 'X3 cursor: digits that nobody counts with are no number',
      pagination: { ...CURSOR, param: 'startAt' },
      body: `{"items":${items(2)},"next":"${'9'.repeat(401)}"}`,
      next: { startAt: '9'.repeat(401) },
    },
    {
      name: 'cursor: an empty page with a next value goes on',
      pagination: CURSOR,
      body: '{"items":[],"next":"c2"}',
      next: { cursor: 'c2' },
    },
    {
      name: 'cursor: more decides, absent = no, though the cursor is still there',
      pagination: { ...CURSOR, more: '$.paging.next' },
      body: `{"items":${items(2)},"next":"c2","paging":{}}`,
      next: null,
    },
    {
      name: 'cursor: more decides, present = yes',
      pagination: { ...CURSOR, more: '$.paging.next' },
      body: `{"items":[],"next":"c2","paging":{"next":"https://x"}}`,
      next: { cursor: 'c2' },
    },
    {
      name: 'cursor: last: true ends',
      pagination: { ...CURSOR, last: '$.isLast' },
      body: `{"items":${items(2)},"next":"c2","isLast":true}`,
      next: null,
    },
    {
      name: 'offset: by the records received, not by those asked for',
      pagination: OFFSET,
      body: `{"items":${items(3)},"total":10}`,
      params: { startAt: 4, max: 50 },
      next: { startAt: 7 },
    },
    {
      name: 'offset: the vendor lowered the page size, and the listing goes on',
      pagination: OFFSET,
      body: `{"items":${items(2)},"total":5}`,
      params: { max: 100 },
      next: { startAt: 2 },
    },
    {
      name: 'offset: total reached ends',
      pagination: OFFSET,
      body: `{"items":${items(3)},"total":7}`,
      params: { startAt: 4 },
      next: null,
    },
    {
      name: 'offset: isLast decides against total',
      pagination: OFFSET,
      body: `{"items":${items(3)},"total":100,"isLast":true}`,
      next: null,
    },
    {
      name: 'offset: isLast false goes on although total says the end',
      pagination: OFFSET,
      body: `{"items":${items(3)},"total":3,"isLast":false}`,
      next: { startAt: 3 },
    },
    {
      name: 'offset: an empty page ends whatever total says',
      pagination: OFFSET,
      body: '{"items":[],"total":100,"isLast":false}',
      next: null,
    },
    {
      name: 'offset: a short page is no end',
      pagination: { type: 'offset', param: 'startAt', size: 'max' },
      body: `{"items":${items(2)}}`,
      params: { max: 50 },
      next: { startAt: 2 },
    },
    {
      name: 'offset: unless the manifest says so',
      pagination: { type: 'offset', param: 'startAt', size: 'max', stop: 'short_page' },
      body: `{"items":${items(2)}}`,
      params: { max: 50 },
      next: null,
    },
    {
      name: 'page: one more',
      pagination: PAGE,
      body: `{"items":${items(2)},"pages":3}`,
      params: { page: 2 },
      next: { page: 3 },
    },
    {
      name: 'page: from 1 when none was given',
      pagination: PAGE,
      body: `{"items":${items(2)}}`,
      params: { page: 1 },
      next: { page: 2 },
    },
    {
      name: 'page: the last of them',
      pagination: PAGE,
      body: `{"items":${items(2)},"pages":3}`,
      params: { page: 3 },
      next: null,
    },
    {
      name: 'page: an empty page ends',
      pagination: { type: 'page', param: 'page' },
      body: '{"items":[]}',
      params: { page: 4 },
      next: null,
    },
  ])('$name', ({ pagination, body, params, next }) => {
    const page = read({ pagination }, body, params)
    expect([page.next, page.hasMore]).toEqual([next, next !== null])
  })

  test('link: the Link header, resolved against the request', () => {
    const page = read(
      { pagination: { type: 'link', param: 'cursor', next: '$link.next' }, params: {} },
      `{"items":${items(1)}}`,
      {},
      { link: '</items?page=2>; rel="next", </items?page=9>; rel="last"' },
    )
    expect([page.hasMore, page.link?.url]).toEqual([true, 'https://api.acme.example/items?page=2'])
  })
})

describe('an end that nothing in the answer said', () => {
  const TWO = `"items":${items(2)}`
  const MORE = { ...CURSOR, more: '$.more' }
  const FIRST = { received: 2, size: null, total: null }
  test.for<{
    name: string
    pagination: object
    body: string
    params?: JsonObject
    want: object | null
  }>([
    {
      name: 'cursor: absent',
      pagination: CURSOR,
      body: `{${TWO}}`,
      want: { pointers: ['$.next'], ...FIRST },
    },
    {
      name: 'cursor: absent, with the size that was asked for',
      pagination: { ...CURSOR, size: 'max' },
      body: `{${TWO}}`,
      params: { max: 2 },
      want: { pointers: ['$.next'], ...FIRST, size: 2 },
    },
    {
      name: 'cursor: null is an end',
      pagination: CURSOR,
      body: `{${TWO},"next":null}`,
      want: null,
    },
    { name: 'cursor: empty is an end', pagination: CURSOR, body: `{${TWO},"next":""}`, want: null },
    {
      name: 'cursor: a later page was led to by it',
      pagination: CURSOR,
      body: `{${TWO}}`,
      params: { cursor: 'c2' },
      want: null,
    },
    {
      name: 'cursor: the value of the first page is no later page',
      pagination: { ...CURSOR, first: '*' },
      body: `{${TWO}}`,
      params: { cursor: '*' },
      want: { pointers: ['$.next'], ...FIRST },
    },
    {
      name: 'cursor: more is absent, though the cursor is there',
      pagination: MORE,
      body: `{${TWO},"next":"c2"}`,
      want: { pointers: ['$.more'], ...FIRST },
    },
    {
      name: 'cursor: more is absent, and last says it',
      pagination: { ...MORE, last: '$.last' },
      body: `{${TWO},"next":"c2","last":true}`,
      want: null,
    },
    { name: 'cursor: more is false', pagination: MORE, body: `{${TWO},"more":false}`, want: null },
    {
      name: 'cursor: none of the tests of more has a value',
      pagination: { ...CURSOR, more: { '$.state': 'open' } },
      body: `{${TWO},"next":"c2"}`,
      want: { pointers: ['$.state'], ...FIRST },
    },
    {
      name: 'cursor: a test of more does not hold',
      pagination: { ...CURSOR, more: { '$.state': 'open' } },
      body: `{${TWO},"next":"c2","state":"done"}`,
      want: null,
    },
    {
      name: 'cursor: the manifest states it',
      pagination: { ...MORE, silent_end: true },
      body: `{${TWO},"next":"c2"}`,
      want: null,
    },
    {
      name: 'link: absent',
      pagination: { type: 'link', param: 'cursor', next: '$.next' },
      body: `{${TWO}}`,
      want: { pointers: ['$.next'], ...FIRST },
    },
    {
      name: 'offset: more is absent, and total counts more',
      pagination: { ...OFFSET, more: '$.more' },
      body: `{${TWO},"total":5}`,
      params: { max: 2 },
      want: { pointers: ['$.more', '$.isLast'], received: 2, size: 2, total: 5 },
    },
    {
      name: 'offset: more is absent, and total is reached',
      pagination: { ...OFFSET, more: '$.more' },
      body: `{${TWO},"total":2}`,
      want: null,
    },
    {
      name: 'page: more is absent, and pages counts more',
      pagination: { ...PAGE, more: '$.more' },
      body: `{${TWO},"pages":3}`,
      params: { page: 1 },
      want: { pointers: ['$.more'], received: 2, size: null, total: 6 },
    },
    {
      name: 'page: a later page was led to by more',
      pagination: { ...PAGE, more: '$.more' },
      body: `{${TWO}}`,
      params: { page: 2 },
      want: null,
    },
    { name: 'page: an empty page is an end', pagination: PAGE, body: '{"items":[]}', want: null },
  ])('$name', ({ pagination, body, params, want }) => {
    const page = read({ pagination }, body, params)
    expect([page.next, page.unsaidEnd]).toEqual([null, want])
  })

  test.for([
    { received: 100, size: 100, total: null, largest: null, want: 'truncated' },
    { received: 99, size: 100, total: null, largest: null, want: null },
    { received: 100, size: 100, total: 100, largest: null, want: null },
    { received: 37, size: 100, total: 230, largest: null, want: 'truncated' },
    { received: 100, size: null, total: null, largest: null, want: 'unknown' },
    { received: 100, size: null, total: null, largest: 100, want: 'unknown' },
    { received: 99, size: null, total: null, largest: 100, want: null },
    { received: 0, size: null, total: 5, largest: null, want: null },
    { received: 50, size: 100, total: null, largest: 50, full: 50, want: 'truncated' },
    { received: 49, size: 100, total: null, largest: 50, full: 50, want: null },
    { received: 50, size: 100, total: null, largest: 50, full: null, want: null },
    { received: 50, size: 100, total: 50, largest: 50, full: 50, want: null },
  ])(
    '$received records, $size asked for, of $total, largest page $largest, with one behind it $full: $want',
    ({ received, size, total, largest, full = null, want }) => {
      const end = { pointers: ['$.next'], received, size, total: null }
      expect(doubtOf(end, { total, largestPage: largest, fullPage: full })).toBe(want)
    },
  )
})

describe('an answer that says that there is more, without a way to it, is a failure', () => {
  test.for<{ name: string; pagination: object; body: string }>([
    {
      name: 'cursor: more',
      pagination: { ...CURSOR, more: '$.more' },
      body: `{"items":${items(2)},"more":true}`,
    },
    {
      name: 'cursor: more by a test',
      pagination: { ...CURSOR, more: { '$.state': 'open' } },
      body: `{"items":${items(2)},"state":"open","next":null}`,
    },
    {
      name: 'cursor: last',
      pagination: { ...CURSOR, last: '$.last' },
      body: `{"items":${items(2)},"last":false}`,
    },
    {
      name: 'link: more',
      pagination: { type: 'link', param: 'cursor', next: '$.next', more: '$.more' },
      body: `{"items":${items(2)},"more":true}`,
    },
    {
      name: 'offset: more on an empty page',
      pagination: { ...OFFSET, more: '$.more' },
      body: '{"items":[],"more":true}',
    },
    {
      name: 'page: more on an empty page',
      pagination: { ...PAGE, more: '$.more' },
      body: '{"items":[],"more":true}',
    },
  ])('$name', ({ pagination, body }) => {
    expect(() => read({ pagination }, body)).toThrow(
      expect.objectContaining({ code: 'upstream_malformed' }),
    )
  })
})

test.for([
  {
    name: 'a cursor',
    pagination: CURSOR,
    body: `{"items":${items(1)},"next":"same"}`,
    params: { cursor: 'same' },
  },
])(
  'U9 $name that comes back is a failure, and its page is not delivered',
  ({ pagination, body, params }) => {
    expect(() => read({ pagination }, body, params)).toThrow(
      expect.objectContaining({ code: 'upstream_malformed' }),
    )
  },
)

test.for(['{}', '{"items":null}', '{"items":{}}', '{"items":"x"}', '[]'])(
  'a record list that is missing is a failure: %s',
  (body) => {
    expect(() => read({ pagination: CURSOR }, body)).toThrow(
      expect.objectContaining({ code: 'upstream_malformed' }),
    )
  },
)

test('unless the manifest says that it may be', () => {
  expect(
    read({ pagination: CURSOR, response: { missing: 'empty' } }, '{"items":null}').data,
  ).toEqual([])
})

describe('U6 digits', () => {
  const record = {
    properties: {
      id: { type: 'string', format: 'int64' },
      text: { type: 'string' },
      size: { type: 'integer' },
      parts: {
        type: 'array',
        items: { type: 'object', properties: { id: { type: 'string', format: 'int64' } } },
      },
    },
  }
  test.for([
    { name: 'an int64 text is always text', given: '{"id":7}', want: '{"id":"7"}' },
    {
      name: 'with every digit',
      given: '{"id":6843152929075440037}',
      want: '{"id":"6843152929075440037"}',
    },
    {
      name: 'nested ones too',
      given: '{"parts":[{"id":6843152929075440037},{"id":"1"}]}',
      want: '{"parts":[{"id":"6843152929075440037"},{"id":"1"}]}',
    },
    {
      name: 'a large integer where the schema says text is text',
      given: '{"text":6843152929075440037}',
      want: '{"text":"6843152929075440037"}',
    },
    { name: 'a small one stays a number', given: '{"text":7}', want: '{"text":7}' },
    {
      name: 'an integer keeps its digits as a number',
      given: '{"size":6843152929075440037}',
      want: '{"size":6843152929075440037}',
    },
    {
      name: 'so does a member nobody declared',
      given: '{"other":6843152929075440037}',
      want: '{"other":6843152929075440037}',
    },
    { name: 'text of digits is left alone', given: '{"id":"007"}', want: '{"id":"007"}' },
  ])('$name', ({ given, want }) => {
    expect(JSON.stringify(read({ pagination: CURSOR, record }, `{"items":[${given}]}`).data)).toBe(
      `[${want}]`,
    )
  })
})

describe('records taken away and reshaped', () => {
  const body =
    '{"items":[{"id":"1","kind":"a","secret":"s"},{"id":"2","kind":"b"},{"id":"3","kind":"a"}]}'
  const record = {
    properties: { id: { type: 'string' }, kind: { type: 'string' }, name: { type: 'string' } },
  }

  test('where keeps those of a given list, counts the rest, and paging counts what came', () => {
    const given = {
      pagination: { type: 'offset', param: 'startAt' },
      record,
      response: { where: { id: 'ids' } },
    }
    const page = read(given, body, { ids: ['1', '3'] })
    expect([page.data, page.filteredOut, page.received, page.next]).toEqual([
      [
        { id: '1', kind: 'a', secret: 's' },
        { id: '3', kind: 'a' },
      ],
      1,
      3,
      { startAt: 3 },
    ])
  })

  test('where does nothing when its parameter was not given', () => {
    expect(
      read({ pagination: CURSOR, record, response: { where: { id: 'ids' } } }, body).records,
    ).toHaveLength(3)
  })

  test('keep, set and drop', () => {
    const response = {
      keep: "{{ eq record.kind 'a' }}",
      set: { name: 'item {{ record.id }}' },
      drop: ['secret'],
    }
    expect(read({ pagination: CURSOR, record, response }, body).data).toEqual([
      { id: '1', kind: 'a', name: 'item 1' },
      { id: '3', kind: 'a', name: 'item 3' },
    ])
  })

  test('what needs no change is not copied', () => {
    const answer: Answer = { status: 200, headers: {}, body: parseJson(body), url: '' }
    const page = readerOf({ pagination: CURSOR, record })(answer, { params: {} })
    expect(page.data).toBe((answer.body as { items: unknown }).items)
  })
})

describe('records whose names stand in the answer', () => {
  const TEXT = { type: 'string' }
  const record = { properties: { id: TEXT, kind: TEXT, code: TEXT, value: TEXT } }
  test.for<{ name: string; response: object; items: string; want: readonly unknown[] | string }>([
    {
      name: 'keyed: the name of each member is kept in its record, in the place of its own member',
      response: { keyed: 'id' },
      items: '{"u1":{"name":"A"},"u2":{"name":"B","id":7}}',
      want: [
        { name: 'A', id: 'u1' },
        { name: 'B', id: 'u2' },
      ],
    },
    {
      name: 'keyed: a record that is no object is kept as value, with its digits',
      response: { keyed: 'code' },
      items: '{"EUR":1.1,"JPY":12345678901234567890,"X":null}',
      want: [
        { value: 1.1, code: 'EUR' },
        { value: '12345678901234567890', code: 'JPY' },
        { value: null, code: 'X' },
      ],
    },
    {
      name: 'keyed: names of prototypes are names',
      response: { keyed: 'id' },
      items: '{"constructor":{},"toString":{"a":1}}',
      want: [{ id: 'constructor' }, { a: 1, id: 'toString' }],
    },
    { name: 'keyed: an empty object', response: { keyed: 'id' }, items: '{}', want: [] },
    { name: 'keyed: an empty list', response: { keyed: 'id' }, items: '[]', want: [] },
    {
      name: 'keyed: a list is something else',
      response: { keyed: 'id' },
      items: '[{"id":"u1"}]',
      want: 'upstream_malformed',
    },
    {
      name: 'keyed: the value of a record has no place next to its name',
      response: { keyed: 'value' },
      items: '{"EUR":1.1}',
      want: 'upstream_malformed',
    },
    {
      name: 'keyed: absent',
      response: { keyed: 'id' },
      items: 'null',
      want: 'upstream_malformed',
    },
    {
      name: 'keyed: absent, and empty by the manifest',
      response: { keyed: 'id', missing: 'empty' },
      items: 'null',
      want: [],
    },
    {
      name: 'keyed: keep, set and drop see the name',
      response: { keyed: 'id', keep: "{{ eq record.id 'b' }}", set: { kind: '{{ record.id }}' } },
      items: '{"a":{},"b":{}}',
      want: [{ id: 'b', kind: 'b' }],
    },
    {
      name: 'grouped: the records of all lists, each with the name of its list',
      response: { grouped: 'kind' },
      items: '{"refunds":[{"id":"1"},{"id":"2"}],"fees":[],"none":null,"tips":[{"id":"3"}]}',
      want: [
        { id: '1', kind: 'refunds' },
        { id: '2', kind: 'refunds' },
        { id: '3', kind: 'tips' },
      ],
    },
    {
      name: 'grouped: a member that is no list',
      response: { grouped: 'kind' },
      items: '{"refunds":[],"total":3}',
      want: 'upstream_malformed',
    },
  ])('$name', ({ response, items: given, want }) => {
    const page = (): unknown =>
      read({ pagination: CURSOR, record, response }, `{"items":${given},"next":null}`).records
    if (typeof want !== 'string') return expect(page()).toEqual(want)
    expect(page).toThrow(
      expect.objectContaining({ code: want, details: { entity: 'items', action: 'list' } }),
    )
  })

  test('grouped: the page goes on as a whole, and counts the records of all lists', () => {
    const body = '{"items":{"a":[{},{}],"b":[{}]}}'
    const offset = { type: 'offset', param: 'startAt' }
    const given = { pagination: offset, record, response: { grouped: 'kind' } }
    expect(read(given, body, { startAt: 2 })).toMatchObject({ received: 3, next: { startAt: 5 } })
  })

  test('grouped: a page object has the list in the place of the object', () => {
    const given = { pagination: CURSOR, record, response: { grouped: 'kind', page: '$' } }
    expect(read(given, '{"items":{"a":[{}]},"next":null}').data).toEqual({
      items: [{ kind: 'a' }],
      next: null,
    })
  })
})

test('meta: what is there, null for what is not, nothing for names with a question mark', () => {
  const pagination = {
    ...CURSOR,
    meta: {
      total: '$.total',
      missing: '$.missing',
      'maybe?': '$.missing',
      kind: 'list',
      page: { cursor: '$next' },
    },
  }
  expect(read({ pagination }, '{"items":[],"total":7,"next":"c2"}').meta).toEqual({
    total: 7,
    missing: null,
    kind: 'list',
    page: { cursor: 'c2' },
  })
})
