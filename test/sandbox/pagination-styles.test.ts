// Each style of pagination end to end: a client reads the listing of a sandbox to its end.
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import type { JsonObject } from '../../src/language/json/json.ts'
import type { PaginationStyle } from '../../src/language/manifest/pagination-styles.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'

interface Listing {
  readonly pagination: JsonObject
  /** Schemas of its parameters. */
  readonly params?: JsonObject
  readonly request?: JsonObject
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

test.for(Object.entries(LISTINGS))('a listing by $0', async ([style, given]) => {
  const { pagination, params = {}, request = {} } = given
  const manifest = await loadManifest({
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
            response: { records: '$.items' },
            pagination,
          },
        },
      },
    },
  })
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
  expect(ids).toEqual(vendor.records('items').map(({ id }) => id))
})
