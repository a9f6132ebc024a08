import { describe, expect, test } from 'vitest'

import type { CallOptions } from '../../../src/client/client.ts'
import { connect } from '../../../src/client/connect.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { type LoadResult, loadManifest } from '../../../src/language/manifest/load.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { scriptedUpstream } from '../../../src/sandbox/testing/scripted-upstream.ts'

interface Parts {
  readonly forEach?: JsonObject
  readonly response?: JsonObject
  readonly lines?: JsonObject
}

const EACH = { action: 'lines.list', params: { order: '{{ record.id }}' }, into: 'lines' }

function load({ forEach = EACH, response = {}, lines = {} }: Parts = {}): LoadResult {
  const text = { type: 'string' }
  const cursor = { type: 'cursor', param: 'cursor', next: '$.next' }
  const line = { type: 'object', properties: { id: text } }
  return loadManifest({
    file: 'acme.json',
    object: {
      manifest: 1,
      connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
      server: { url: 'https://api.acme.example' },
      auth: { none: { apply: 'none' } },
      entities: {
        orders: {
          record: {
            properties: {
              id: text,
              more: { type: 'boolean' },
              end: text,
              lines: { type: 'array', items: line },
            },
          },
          actions: {
            list: {
              params: { properties: { cursor: text } },
              request: { http: 'GET /orders', query: ['cursor'] },
              response: { records: '$.orders', ...response },
              pagination: cursor,
              for_each: forEach,
            },
            create: { request: { http: 'POST /orders' } },
          },
        },
        lines: {
          record: { properties: { id: text } },
          actions: {
            list: {
              params: { required: ['order'], properties: { order: text, cursor: text } },
              request: { http: 'GET /orders/{{ params.order }}/lines', query: ['cursor'] },
              response: { records: '$.lines' },
              pagination: cursor,
              ...lines,
            },
          },
        },
      },
    },
  })
}

function manifestOf(parts?: Parts): NonNullable<LoadResult['manifest']> {
  const { manifest, problems } = load(parts)
  if (manifest === null) throw new Error(JSON.stringify(problems))
  return manifest
}

const answer = (path: string, body: unknown, status = 200): object => ({
  expect: { send: `GET ${path}` },
  answer: { status, body },
})

/** The first page of the orders of a vendor that answers these requests, in any order. */
async function firstPage(
  parts: Parts,
  script: readonly object[],
  options: CallOptions = {},
): Promise<unknown> {
  await using upstream = await scriptedUpstream(
    script as unknown as Parameters<typeof scriptedUpstream>[0],
  )
  await using client = await connect(manifestOf(parts), {
    credentials: {},
    ...upstream.options(),
  })
  return (await client.execute('orders', 'list', {}, options)).data
}

describe('a call for each record', () => {
  test('puts the records of all its pages into the record', async () => {
    const found = await firstPage({ forEach: { ...EACH, if: "{{ not (eq record.id 'c') }}" } }, [
      answer('/orders', { orders: [{ id: 'a' }, { id: 'c' }], next: null }),
      answer('/orders/a/lines', { lines: [{ id: '1' }], next: 'x' }),
      answer('/orders/a/lines?cursor=x', { lines: [{ id: '2' }], next: null }),
    ])
    expect(found).toEqual([{ id: 'a', lines: [{ id: '1' }, { id: '2' }] }, { id: 'c' }])
  })

  test.for([
    { name: 'no id', record: { n: 1 } },
    { name: 'another kind of id', record: { id: 12 } },
  ])('blames the answer for a record with $name', async ({ record }) => {
    const found = await firstPage({}, [answer('/orders', { orders: [record], next: null })]).catch(
      (error: unknown) => error,
    )
    expect(found).toMatchObject({ code: 'upstream_malformed', errors: [] })
  })

  test('tells how many pages and records it has read', async () => {
    const told: unknown[] = []
    await firstPage(
      {},
      [
        answer('/orders', { orders: [{ id: 'a' }], next: null }),
        answer('/orders/a/lines', { lines: [{ id: '1' }, { id: '2' }], next: 'x' }),
        answer('/orders/a/lines?cursor=x', { lines: [{ id: '3' }], next: null }),
      ],
      { onProgress: (progress) => told.push(progress) },
    )
    expect(told).toEqual([
      { pages: 1, records: 2 },
      { pages: 2, records: 3 },
    ])
  })

  test('goes on where a list within a record stops', async () => {
    const forEach = {
      action: 'lines.list',
      if: '{{ record.more }}',
      params: { order: '{{ record.id }}', cursor: '{{ record.end }}' },
      into: 'lines',
      append: true,
    }
    const found = await firstPage({ forEach }, [
      answer('/orders', {
        orders: [
          { id: 'a', more: true, end: 'e1', lines: [{ id: '1' }] },
          { id: 'b', more: false, lines: [{ id: '9' }] },
        ],
        next: null,
      }),
      answer('/orders/a/lines?cursor=e1', { lines: [{ id: '2' }], next: null }),
    ])
    expect(found).toMatchObject([
      { id: 'a', lines: [{ id: '1' }, { id: '2' }] },
      { id: 'b', lines: [{ id: '9' }] },
    ])
  })

  test('puts completed records into a page object', async () => {
    const found = await firstPage({ response: { page: '$' } }, [
      answer('/orders', { orders: [{ id: 'a' }], total: 1, next: null }),
      answer('/orders/a/lines', { lines: [], next: null }),
    ])
    expect(found).toEqual({ orders: [{ id: 'a', lines: [] }], total: 1, next: null })
  })

  test('fails as the first call that fails', async () => {
    const failing = firstPage({}, [
      answer('/orders', { orders: [{ id: 'a' }], next: null }),
      answer('/orders/a/lines', { error: 'no' }, 403),
    ])
    await expect(failing).rejects.toMatchObject({
      code: 'upstream_forbidden',
      details: { entity: 'lines', action: 'list' },
    })
  })

  test.for([
    { name: 'records', orders: ['a', 'b', 'c'], more: [] },
    {
      name: 'pages',
      orders: ['a'],
      more: [
        answer('/orders/a/lines', { lines: [{ id: '1' }], next: 'x' }),
        answer('/orders/a/lines?cursor=x', { lines: [{ id: '2' }], next: 'y' }),
      ],
    },
  ])('is bounded: too many $name are refused', async ({ orders, more }) => {
    const failing = firstPage({ forEach: { ...EACH, max: 2 } }, [
      answer('/orders', { orders: orders.map((id) => ({ id })), next: null }),
      ...more,
    ])
    await expect(failing).rejects.toMatchObject({
      code: 'upstream_response_too_large',
      message:
        'orders.list calls lines.list for each record, 2 times at most for one answer; ask for fewer records per page',
    })
  })

  test('is previewed, and answered by the sandbox', async () => {
    const manifest = manifestOf()
    await using vendor = await createSandbox(manifest, null, { sizes: { orders: 3, lines: 30 } })
    await using client = await connect(manifest, vendor.options())
    const { requests } = await client.preview('orders', 'list', {})
    expect(requests.map(({ url, after }) => [new URL(url).pathname, after])).toEqual([
      ['/orders', null],
      [
        expect.stringMatching(/^\/orders\/.+record.+\/lines$/),
        'request 1 answered 2xx, once for each of its records',
      ],
    ])
    const { records } = (await client.execute('orders', 'list', {})) as unknown as {
      readonly records: readonly { readonly lines: readonly unknown[] }[]
    }
    expect(records.map(({ lines }) => lines.length)).toEqual([30, 30, 30])
  })
})

test('goes on in a GraphQL connection within a connection', async () => {
  const text = { type: 'string' }
  const page = 'pageInfo { endCursor hasNextPage }'
  const orders = `query ($after: String) { orders(first: 2, after: $after) { nodes { id lines(first: 2) { nodes { id } ${page} } } ${page} } }`
  const lines = `query ($order: ID!, $after: String) { order(id: $order) { lines(first: 2, after: $after) { nodes { id } ${page} } } }`
  const actionOf = (query: string, at: string, more: object): object => ({
    request: { http: 'POST /graphql', graphql: { query, variables: more } },
    response: { records: `$.data.${at}.nodes` },
    pagination: {
      type: 'cursor',
      param: 'after',
      next: `$.data.${at}.pageInfo.endCursor`,
      more: `$.data.${at}.pageInfo.hasNextPage`,
    },
  })
  const { manifest, problems } = loadManifest({
    file: 'shop.json',
    object: {
      manifest: 1,
      connector: { type: 'shop', title: 'Shop', version: '1.0.0' },
      server: { url: 'https://shop.example' },
      auth: { none: { apply: 'none' } },
      entities: {
        orders: {
          record: {
            properties: {
              id: text,
              lines: {
                type: 'object',
                properties: {
                  nodes: { type: 'array', items: { type: 'object', properties: { id: text } } },
                  pageInfo: {
                    type: 'object',
                    properties: {
                      endCursor: { type: ['string', 'null'] },
                      hasNextPage: { type: 'boolean' },
                    },
                  },
                },
              },
            },
          },
          actions: {
            list: {
              params: { properties: { after: text } },
              ...actionOf(orders, 'orders', { after: '{{ params.after }}' }),
              for_each: {
                action: 'order_lines.list',
                if: '{{ record.lines.pageInfo.hasNextPage }}',
                params: {
                  order: '{{ record.id }}',
                  after: '{{ record.lines.pageInfo.endCursor }}',
                },
                into: 'lines.nodes',
                append: true,
              },
            },
          },
        },
        order_lines: {
          record: { properties: { id: text } },
          actions: {
            list: {
              params: { required: ['order'], properties: { order: text, after: text } },
              ...actionOf(lines, 'order.lines', {
                order: '{{ params.order }}',
                after: '{{ params.after }}',
              }),
            },
          },
        },
      },
    },
  })
  expect(problems).toEqual([])
  if (manifest === null) return
  const info = (endCursor: string | null): object => ({
    endCursor,
    hasNextPage: endCursor !== null,
  })
  const asked = (query: string, variables: object, data: object): object => ({
    expect: { send: 'POST /graphql', body: { query, variables } },
    answer: { body: { data } },
  })
  const linesOf = (ids: readonly string[], end: string | null): object => ({
    nodes: ids.map((id) => ({ id })),
    pageInfo: info(end),
  })
  await using upstream = await scriptedUpstream([
    asked(
      orders,
      {},
      {
        orders: {
          nodes: [
            { id: 'a', lines: linesOf(['1', '2'], 'c2') },
            { id: 'b', lines: linesOf(['8'], null) },
          ],
          pageInfo: info('o2'),
        },
      },
    ),
    asked(lines, { order: 'a', after: 'c2' }, { order: { lines: linesOf(['3', '4'], 'c4') } }),
    asked(lines, { order: 'a', after: 'c4' }, { order: { lines: linesOf(['5'], null) } }),
    asked(orders, { after: 'o2' }, { orders: { nodes: [], pageInfo: info(null) } }),
  ] as unknown as Parameters<typeof scriptedUpstream>[0])
  await using client = await connect(manifest, { credentials: {}, ...upstream.options() })
  const first = (await client.execute('orders', 'list', {})).data
  const { data: second } = await client.execute('orders', 'list', { after: 'o2' })
  expect([first, second]).toMatchObject([
    [
      { id: 'a', lines: { nodes: ['1', '2', '3', '4', '5'].map((id) => ({ id })) } },
      { id: 'b', lines: { nodes: [{ id: '8' }] } },
    ],
    [],
  ])
})

test.for<{ name: string; parts: Parts; rule: string; path: string }>([
  {
    name: 'an action that is not there',
    parts: { forEach: { ...EACH, action: 'lines.lst' } },
    rule: 'steps/unknown-action',
    path: 'action',
  },
  {
    name: 'an action that writes',
    parts: { forEach: { ...EACH, action: 'orders.create', params: {} } },
    rule: 'steps/each-writes',
    path: 'action',
  },
  {
    name: 'itself',
    parts: { forEach: { ...EACH, action: 'orders.list', params: {} } },
    rule: 'steps/each-in-each',
    path: 'action',
  },
  {
    name: 'a parameter that it does not have',
    parts: { forEach: { ...EACH, params: { order: '{{ record.id }}', ordr: 1 } } },
    rule: 'steps/each-unknown-param',
    path: 'params.ordr',
  },
  {
    name: 'without a required parameter',
    parts: { forEach: { action: 'lines.list', into: 'lines' } },
    rule: 'steps/each-required-param',
    path: '',
  },
  {
    name: 'a member that the record does not declare',
    parts: { forEach: { ...EACH, into: 'line' } },
    rule: 'steps/each-into',
    path: 'into',
  },
  {
    name: 'something to append to that is no list',
    parts: { forEach: { ...EACH, into: 'end', append: true } },
    rule: 'steps/each-into',
    path: 'into',
  },
])('$name is refused', ({ parts, rule, path }) => {
  const base = 'entities.orders.actions.list.for_each'
  expect(load(parts).problems).toMatchObject([
    { rule, path: path === '' ? base : `${base}.${path}` },
  ])
})
