// Each style of pagination end to end: a client reads the listing of a sandbox to its end.
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import { manifestOf } from '../../src/client/packaged.ts'
import type { JsonObject } from '../../src/language/json/json.ts'
import type { PaginationStyle } from '../../src/language/manifest/pagination-styles.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'

interface Listing {
  readonly pagination: JsonObject
  /** Schemas of its parameters. */
  readonly params?: JsonObject
  readonly request?: JsonObject
  readonly response?: JsonObject
}
const SIZE = { type: 'integer', minimum: 1, maximum: 100 }
const LISTINGS: Readonly<Record<PaginationStyle, Listing>> = {
  cursor: {
    pagination: { type: 'cursor', param: 'after', size: 'limit', next: '$.next' },
    params: { after: { type: 'string' }, limit: SIZE },
    request: { query: ['after', 'limit'] },
  },
  page: {
    pagination: { type: 'page', param: 'page', size: 'limit', pages: '$.pages' },
    params: { page: { type: 'integer' }, limit: SIZE },
    request: { query: ['page', 'limit'] },
  },
  offset: {
    pagination: { type: 'offset', param: 'from', size: 'limit', total: '$.total' },
    params: { from: { type: 'integer' }, limit: SIZE },
    request: { query: ['from', 'limit'] },
  },
  link: {
    pagination: { type: 'link', param: 'page_link', size: 'limit', next: '$link.next' },
    params: { page_link: { type: 'string' }, limit: SIZE },
    request: { query: ['limit'] },
  },
  none: { pagination: { type: 'none', reason: 'There are few.' } },
}

const CURSOR = LISTINGS.cursor
test.for<[string, Listing]>([
  ...Object.entries(LISTINGS),
  [
    'cursor, the id of the last record',
    { ...CURSOR, pagination: { ...CURSOR.pagination, next: '$.items[-1].id', more: '$.has_more' } },
  ],
  ['cursor, keyed', { ...CURSOR, response: { keyed: 'id' } }],
  ['cursor, grouped', { ...CURSOR, response: { grouped: 'name' } }],
  ['cursor, JSON in zip', { ...CURSOR, response: { unpack: ['zip'] } }],
  [
    'cursor, XML in gzip',
    {
      ...CURSOR,
      pagination: { type: 'cursor', param: 'after', size: 'limit', next: '$.Answer.Next' },
      response: { decode: 'xml', unpack: ['gzip'], records: '$.Answer.Items.Item' },
    },
  ],
])('a listing by $0', async ([style, given]) => {
  const { pagination, params = {}, request = {}, response = {} } = given
  const manifest = manifestOf(
    await loadManifest({
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
          record: { properties: { id: { type: 'string' }, name: { type: 'string' } } },
          actions: {
            list: {
              params: { properties: params },
              request: { http: 'GET /items', ...request },
              response: { records: '$.items', ...response },
              pagination,
            },
          },
        },
      },
    }),
  )
  await using vendor = await createSandbox(manifest, null, { sizes: { items: 45 } })
  const client = await connect(manifest, vendor.options())
  const turns = style !== 'none'
  const pages: (readonly unknown[])[] = []
  for await (const { records } of client
    .execute('items', 'list', turns ? { limit: 20 } : {})
    .pages()) {
    pages.push(records)
  }
  expect(pages.map(({ length }) => length)).toEqual(turns ? [20, 20, 5] : [45])
  const ids = pages.flat().map((record) => (record as JsonObject)['id'])
  // Records in lists by name come in the order of the lists.
  expect(new Set(ids)).toEqual(new Set(vendor.records('items').map(({ id }) => id)))
})

test('a first page without its number, and a path of several segments', async () => {
  const manifest = manifestOf(
    await loadManifest({
      manifest: 1,
      connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
      server: { url: 'https://api.acme.example/v1' },
      auth: { open: { apply: 'none' } },
      entities: {
        items: {
          record: { properties: { id: { type: 'string' }, name: { type: 'string' } } },
          actions: {
            list: {
              params: {
                required: ['path'],
                properties: { path: { type: 'string' }, page: { type: 'integer' }, limit: SIZE },
              },
              request: {
                http: 'GET /trees/{{ segments params.path }}/items',
                query: ['page', 'limit'],
              },
              response: { records: '$.items' },
              pagination: {
                type: 'page',
                param: 'page',
                omit_first: true,
                size: 'limit',
                pages: '$.pages',
              },
            },
          },
        },
      },
    }),
  )
  await using vendor = await createSandbox(manifest, null, { sizes: { items: 45 } })
  const client = await connect(manifest, vendor.options())
  const sizes: number[] = []
  const params = { path: 'src/a b/main', limit: 20 }
  for await (const { records } of client.execute('items', 'list', params).pages())
    sizes.push(records.length)
  await client.execute('items', 'list', { ...params, page: 1 })
  expect(sizes).toEqual([20, 20, 5])
  const path = '/v1/trees/src/a%20b/main/items'
  const sent = vendor.requests('items.list')
  expect(sent.map(({ target }) => target)).toEqual([
    `${path}?limit=20`,
    `${path}?page=2&limit=20`,
    `${path}?page=3&limit=20`,
    `${path}?limit=20`,
  ])
  expect(sent.map((request) => request.params['path'])).toEqual(Array(4).fill('src/a b/main'))
})
