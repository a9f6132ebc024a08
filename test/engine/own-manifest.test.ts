// What the shipped connectors do not use: links, polls, smaller pages, idempotency keys.
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import type { Transport } from '../../src/engine/exchange/transport.ts'
import type { Json } from '../../src/language/json/json.ts'
import type { UpstreamRequest } from '../../src/engine/request/upstream-request.ts'
import { createTestClock, type TestClock } from '../fixtures/test-clock.ts'

const HEAD = {
  manifest: 1,
  connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
  server: { url: 'https://api.acme.example/v1' },
  auth: {
    key: {
      credentials: {
        required: ['api_key'],
        properties: { api_key: { type: 'string', writeOnly: true } },
      },
      apply: { headers: { 'X-Api-Key': '{{ credentials.api_key }}' } },
    },
  },
}

/** A third party that answers in order, and what it was asked. */
function scripted(
  ...answers: readonly (Json | { readonly status: number; readonly body: Json })[]
): { transport: Transport; asked: UpstreamRequest[] } {
  const left = [...answers]
  const asked: UpstreamRequest[] = []
  const transport: Transport = {
    send: (request) => {
      asked.push(request)
      const next = left.shift()
      if (next === undefined)
        throw new Error(`one request too many: ${request.method} ${request.url}`)
      const { status, body } =
        typeof next === 'object' && next !== null && 'status' in next
          ? (next as { status: number; body: Json })
          : { status: 200, body: next }
      return Promise.resolve({
        status,
        headers: { 'content-type': 'application/json' },
        url: request.url,
        body: Buffer.from(JSON.stringify(body)),
      })
    },
    stream: () => Promise.reject(new Error('no streams here')),
    close: () => Promise.resolve(),
  }
  return { transport, asked }
}

async function clientOf(
  entities: object,
  vendor: { transport: Transport },
  { clock = createTestClock(), check }: { clock?: TestClock; check?: object } = {},
) {
  const manifest = await loadManifest({ ...HEAD, ...(check && { check }), entities })
  return await connect(manifest, {
    credentials: { api_key: 'demo-key-1' },
    transport: vendor.transport,
    clock,
  })
}

const listing = (pagination: object, params: object = { next: { type: 'string' } }): object => ({
  items: {
    record: { properties: { id: { type: 'string' } } },
    actions: {
      list: {
        params: { properties: params },
        request: {
          http: 'GET /items',
          query: Object.keys(params).filter((name) => name !== 'next'),
        },
        response: { records: '$.items' },
        pagination,
      },
    },
  },
})

test('G4 a listing by links follows them, hands out none of them, and refuses altered ones', async () => {
  const next = 'https://api.acme.example/v1/items?page=2&token=very-secret'
  const vendor = scripted({ items: [{ id: '1' }], links: { next } }, { items: [{ id: '2' }] })
  await using client = await clientOf(
    listing({ type: 'link', param: 'next', next: '$.links.next' }),
    vendor,
  )
  const page = await client.execute('items', 'list')
  expect(JSON.stringify(page)).not.toContain('secret')
  const second = await page.next()
  expect(second?.records).toEqual([{ id: '2' }])
  expect(vendor.asked.map(({ url }) => url)).toEqual(['https://api.acme.example/v1/items', next])
  await expect(client.execute('items', 'list', { next: 'made-up' })).rejects.toMatchObject({
    code: 'cursor_invalid',
  })
})

test('G4 a link to another server is not followed', async () => {
  const vendor = scripted({
    items: [{ id: '1' }],
    links: { next: 'https://evil.example/v1/items?page=2' },
  })
  await using client = await clientOf(
    listing({ type: 'link', param: 'next', next: '$.links.next' }),
    vendor,
  )
  await expect(client.execute('items', 'list').toArray({ limit: 10 })).rejects.toMatchObject({
    code: 'upstream_malformed',
  })
  expect(vendor.asked).toHaveLength(1)
})

test('a page that is too large is asked for again with half the size, and the next one keeps it', async () => {
  const vendor = scripted(TOO_MUCH, TOO_MUCH, { items: [{ id: '1' }], next: 'c2' }, { items: [] })
  await using client = await clientOf(CURSORS, vendor)
  const page = await client.execute('items', 'list', { limit: 100 })
  expect(page.meta.next).toEqual({ cursor: 'c2', limit: 25 })
  await page.next()
  expect(vendor.asked.map(({ url }) => url.split('?')[1])).toEqual([
    'limit=100',
    'limit=50',
    'limit=25',
    'cursor=c2&limit=25',
  ])
})

test('smaller pages share the time of one call', async () => {
  const clock = createTestClock()
  const vendor = scripted(...Array.from({ length: 5 }, () => TOO_MUCH))
  const transport: Transport = {
    ...vendor.transport,
    send: async (request, options) => {
      const answer = await vendor.transport.send(request, options)
      clock.advance(25_000)
      return answer
    },
  }
  await using client = await clientOf(CURSORS, { transport }, { clock })
  await expect(
    client.execute('items', 'list', { limit: 100 }, { timeoutMs: 60_000 }),
  ).rejects.toMatchObject({ code: 'deadline_exceeded' })
  expect(vendor.asked.map(({ url }) => url.split('?')[1])).toEqual([
    'limit=100',
    'limit=50',
    'limit=25',
  ])
})

test('the first of numbered pages is asked for again with a smaller size, which the next one keeps', async () => {
  const vendor = scripted(TOO_MUCH, TOO_MUCH, { items: [{ id: '1' }] }, { items: [] })
  await using client = await clientOf(NUMBERED, vendor)
  expect(await client.execute('items', 'list').toArray({ limit: 10 })).toEqual([{ id: '1' }])
  expect(vendor.asked.map(({ url }) => url.split('?')[1])).toEqual([
    'page=1',
    'page=1&limit=10',
    'page=1&limit=5',
    'page=2&limit=5',
  ])
})

test('a check by a listing asks for its first page as every other call does', async () => {
  const vendor = scripted({ items: [{ id: '1' }] })
  await using client = await clientOf(NUMBERED, vendor, {
    check: { entity: 'items', action: 'list', params: { limit: 1 } },
  })
  expect(await client.check()).toMatchObject({ result: 'ok' })
  expect(vendor.asked.map(({ url }) => url.split('?')[1])).toEqual(['page=1&limit=1'])
})

test('a numbered page behind the first is not made smaller: its number would point at other records', async () => {
  const vendor = scripted({ items: [{ id: '1' }] }, TOO_MUCH, { items: [{ id: '1' }] })
  await using client = await clientOf(NUMBERED, vendor)
  await expect(client.execute('items', 'list').toArray({ limit: 10 })).rejects.toMatchObject({
    code: 'upstream_failed',
  })
  expect(vendor.asked.map(({ url }) => url.split('?')[1])).toEqual(['page=1', 'page=2'])
})

const TOO_MUCH = { status: 400, body: { error: 'too much' } }

/** A listing of a vendor that asks for smaller pages. */
function shrinking(pagination: object, params: object): object {
  const entities = listing(pagination, params) as { items: { actions: { list: object } } }
  Object.assign(entities.items.actions.list, {
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the manifest language
    errors: [{ when: { status: 400, body: { '$.error': 'too much' } }, then: 'shrink_page' }],
  })
  return entities
}

const CURSORS = shrinking(
  { type: 'cursor', param: 'cursor', size: 'limit', next: '$.next' },
  { cursor: { type: 'string' }, limit: { type: 'integer' } },
)

const NUMBERED = shrinking(
  { type: 'page', param: 'page', size: 'limit' },
  { page: { type: 'integer' }, limit: { type: 'integer' } },
)

const REPORTS = {
  reports: {
    record: { properties: { id: { type: 'string' } } },
    actions: {
      list: {
        params: { properties: { job: { type: 'string' }, after: { type: 'string' } } },
        steps: [
          { name: 'start', if: '{{ not params.job }}', request: { http: 'POST /reports' } },
          {
            name: 'wait',
            request: { http: 'GET /reports/{{ default params.job steps.start.body.id }}' },
            poll: {
              until: { '$.state': 'done' },
              failed: { '$.state': 'failed' },
              every: '5s',
              timeout: '20s',
              progress: '$.percent',
            },
          },
          {
            name: 'read',
            request: {
              http: 'GET /reports/{{ default params.job steps.start.body.id }}/rows',
              query: ['after'],
            },
          },
        ],
        response: { records: '$.rows' },
        pagination: {
          type: 'cursor',
          param: 'after',
          next: '$.next',
          carry: { job: '{{ default params.job steps.start.body.id }}' },
        },
      },
    },
  },
}

test('a report is started, awaited and read; its next page reads the same report', async () => {
  const vendor = scripted(
    { id: 'j1' },
    { state: 'running', percent: 40 },
    { state: 'done', percent: 100 },
    { rows: [{ id: '1' }], next: 'p2' },
  )
  await using client = await clientOf(REPORTS, vendor)
  const progress: Json[] = []
  const page = await client.execute(
    'reports',
    'list',
    {},
    { onProgress: (percent) => void progress.push(percent) },
  )
  expect(progress).toEqual([40, 100])
  expect(page.meta.next).toEqual({ job: 'j1', after: 'p2' })
  expect(vendor.asked.map(({ method, url }) => `${method} ${url.slice(27)}`)).toEqual([
    'POST /reports',
    'GET /reports/j1',
    'GET /reports/j1',
    'GET /reports/j1/rows',
  ])
})

test('a report that takes too long tells how to come back to it', async () => {
  const vendor = scripted({ id: 'j1' }, ...Array.from({ length: 10 }, () => ({ state: 'running' })))
  await using client = await clientOf(REPORTS, vendor)
  await expect(client.execute('reports', 'list')).rejects.toMatchObject({
    code: 'upstream_timeout',
    details: { next: { job: 'j1' } },
  })
})

test('a report that failed is a failure of the third party', async () => {
  const vendor = scripted({ id: 'j1' }, { state: 'failed' })
  await using client = await clientOf(REPORTS, vendor)
  await expect(client.execute('reports', 'list')).rejects.toMatchObject({ code: 'upstream_failed' })
})

test('a preview names what only an earlier answer can give', async () => {
  await using client = await clientOf(REPORTS, scripted())
  const { requests } = await client.preview('reports', 'list')
  expect(requests.map(({ method, url, after }) => [method, url, after])).toEqual([
    ['POST', 'https://api.acme.example/v1/reports', null],
    ['GET', 'https://api.acme.example/v1/reports/<id of request 1>', 'request 1 answered 2xx'],
    ['GET', 'https://api.acme.example/v1/reports/<id of request 1>/rows', 'request 2 answered 2xx'],
  ])
})

test('a vendor with idempotency keys gets one per operation, and the write is repeated under it', async () => {
  const entities = {
    orders: {
      record: { properties: { id: { type: 'string' } } },
      actions: {
        create: {
          params: { properties: { name: { type: 'string' } } },
          request: { http: 'POST /orders', body: ['name'] },
          retry: { idempotency_key: 'Idempotency-Key' },
        },
      },
    },
  }
  const vendor = scripted({ status: 503, body: {} }, { id: '1' })
  await using client = await clientOf(entities, vendor)
  await client.execute('orders', 'create', { name: 'x' })
  const keys = vendor.asked.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toHaveLength(2)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
})
