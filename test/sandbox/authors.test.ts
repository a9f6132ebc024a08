// Small manifests as an author writes them, with no demo data at all: each style of the language gets a working vendor.
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/language/json/json.ts'
import { loadManifest, requireManifest } from '../../src/language/manifest/load.ts'
import type { Manifest } from '../../src/language/manifest/manifest.ts'
import { compileReader } from '../../src/engine/response/read-page.ts'
import { manifestCases } from '../../src/sandbox/testing/manifest-cases.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { textOf } from '../../src/sandbox/wire/same-scalar.ts'
import { createVendorClient, findAction } from './vendor-client.ts'
import type { Reply, VendorClient } from './vendor-client.ts'

const HEAD = `
manifest: 1
connector: { type: acme, title: Acme, version: 1.0.0 }
server: { url: https://api.acme.example/v2 }
auth:
  key:
    credentials: { required: [api_key], properties: { api_key: { type: string, writeOnly: true } } }
    apply: { headers: { X-Api-Key: "{{ credentials.api_key }}" } }
`
const RECORD = `
    record:
      properties:
        id: { type: string }
        name: { type: string }
        email: { type: [string, "null"] }
        status: { enum: [open, done] }
        created_at: { type: string, format: date-time }
        updated_at: { type: string, format: date-time }
`

function load(text: string): Manifest {
  return requireManifest(loadManifest({ file: 'acme.yaml', text }))
}

/** The records under one name of an answer. */
function listOf(reply: Reply | undefined, name: string): readonly JsonObject[] {
  // The assertions say what the records hold.
  return (reply?.body as Readonly<Record<string, readonly JsonObject[]>> | undefined)?.[name] ?? []
}

async function readAll(
  manifest: Manifest,
  client: VendorClient,
  operation: string,
  given: JsonObject = {},
) {
  const read = compileReader(findAction(manifest, operation))
  const records: string[] = []
  let params: JsonObject | null = given
  let pages = 0
  while (params !== null) {
    const reply = (await client.call(operation, params)).at(-1)
    expect([reply?.status, reply?.body]).toEqual([200, reply?.body])
    const page = read(
      { status: 200, headers: reply?.headers ?? {}, body: reply?.body, url: reply?.url ?? '' },
      { params },
    )
    records.push(...(page.records ?? []).map((record) => JSON.stringify(record)))
    params = page.next === null ? null : { ...params, ...page.next }
    pages++
  }
  return { records, pages }
}

test.for([
  {
    name: 'cursor in the body',
    params: '{ cursor: { type: string } }',
    query: '[cursor]',
    pagination: '{ type: cursor, param: cursor, next: $.meta.next_cursor }',
    pages: 3,
  },
  {
    name: 'cursor with a flag',
    params: '{ after: { type: string }, limit: { type: integer, minimum: 1, maximum: 50 } }',
    query: '[after, limit]',
    pagination:
      '{ type: cursor, param: after, size: limit, next: $.paging.cursors.after, more: $.paging.next }',
    pages: 3,
  },
  {
    name: 'page numbers with their count',
    params: '{ page: { type: integer }, per_page: { type: integer, maximum: 100 } }',
    query: '[page, per_page]',
    pagination:
      '{ type: page, param: page, size: per_page, pages: $.total_pages, meta: { total: $.total } }',
    pages: 3,
  },
  {
    name: 'page numbers until an empty page',
    params: '{ page: { type: integer } }',
    query: '[page]',
    pagination: '{ type: page, param: page }',
    pages: 4,
  },
  {
    name: 'offsets with a total',
    params: '{ offset: { type: integer }, limit: { type: integer, maximum: 30 } }',
    query: '[offset, limit]',
    pagination: '{ type: offset, param: offset, size: limit, total: $.count }',
    pages: 3,
  },
  {
    name: 'offsets with a flag in a test',
    params: '{ offset: { type: integer } }',
    query: '[offset]',
    pagination: '{ type: offset, param: offset, more: { $.has_more: true } }',
    pages: 3,
  },
  {
    name: 'a link in the body',
    params: '{ next: { type: string } }',
    query: '[]',
    pagination: '{ type: link, param: next, next: $.links.next }',
    pages: 1,
  },
  {
    name: 'everything at once',
    params: '{}',
    query: '[]',
    pagination: '{ type: none, reason: The vendor answers with everything. }',
    pages: 1,
  },
])('$name: every record comes once', async ({ params, query, pagination, pages }) => {
  const manifest = load(`${HEAD}
check: { entity: tickets, action: list }
entities:
  tickets:${RECORD}
    actions:
      list:
        params: { properties: ${params} }
        request: { http: GET /tickets, query: ${query} }
        response: { records: $.items }
        pagination: ${pagination}
`)
  await using vendor = await createSandbox(manifest)
  const client = createVendorClient(manifest, vendor)
  if (pagination.includes('type: link')) {
    const seen: string[] = []
    for (let path: string | null = '/v2/tickets'; path !== null;) {
      const { body } = await client.send('GET', path)
      const { items, links } = body as { items: unknown[]; links?: { next: string } }
      seen.push(...items.map((item) => JSON.stringify(item)))
      path = links === undefined ? null : links.next.slice(vendor.url.length)
    }
    expect([seen.length, new Set(seen).size]).toEqual([57, 57])
    return
  }
  const all = await readAll(manifest, client, 'tickets.list')
  expect([all.records.length, new Set(all.records).size, all.pages]).toEqual([57, 57, pages])
})

test('Link headers lead through a bare array', async () => {
  const manifest = load(`${HEAD}
check: { entity: tickets, action: list }
entities:
  tickets:${RECORD}
    actions:
      list:
        params: { properties: { cursor: { type: string } } }
        request: { http: GET /tickets, query: [cursor] }
        response: { records: $ }
        pagination: { type: link, param: cursor, next: $link.next }
`)
  await using vendor = await createSandbox(manifest)
  const client = createVendorClient(manifest, vendor)
  let count = 0
  for (let path: string | null = '/v2/tickets'; path !== null;) {
    const reply = await client.send('GET', path)
    count += (reply.body as unknown[]).length
    const link = /<([^>]+)>; rel="next"/.exec(reply.headers['link'] ?? '')?.[1]
    path = link === undefined ? null : link.slice(vendor.url.length)
  }
  expect(count).toBe(57)
})

const CRUD = `${HEAD}
check: { entity: lists, action: list }
entities:
  lists:
    record: { properties: { id: { type: integer }, name: { type: string }, updated_at: { type: string } } }
    actions:
      list: { request: { http: GET /lists }, response: { records: $.lists }, pagination: { type: none, reason: All at once. } }
      get: { params: { required: [id], properties: { id: { type: integer } } }, request: { http: "GET /lists/{{ params.id }}" }, response: { record: $.list } }
      create: { params: { required: [name], properties: { name: { type: string, minLength: 2 } } }, request: { http: POST /lists, body: [name] }, response: { record: $.list } }
      update: { params: { required: [id], properties: { id: { type: integer }, name: { type: string } } }, request: { http: "PATCH /lists/{{ params.id }}", body: [name] }, response: { record: $.list } }
      delete: { params: { required: [id], properties: { id: { type: integer } } }, request: { http: "DELETE /lists/{{ params.id }}" } }
  tasks:
    record: { properties: { id: { type: integer }, list_id: { type: integer }, title: { type: string }, status: { enum: [open, done] } } }
    actions:
      list:
        params: { required: [list_id], properties: { list_id: { type: integer }, status: { enum: [open, done] } } }
        request: { http: "GET /lists/{{ params.list_id }}/tasks", query: [status] }
        response: { records: $.tasks }
        pagination: { type: none, reason: All at once. }
`

test('what is written stays written, and what is deleted is gone', async () => {
  const manifest = load(CRUD)
  await using vendor = await createSandbox(manifest)
  const client = createVendorClient(manifest, vendor)
  const [created] = await client.call('lists.create', { name: 'Shopping' })
  expect(created).toMatchObject({ status: 201, body: { list: { id: 1057, name: 'Shopping' } } })
  const [updated] = await client.call('lists.update', { id: 1057, name: 'Garden' })
  expect(updated).toMatchObject({
    status: 200,
    body: { list: { id: 1057, name: 'Garden', updated_at: '2026-06-01T09:00:02.000Z' } },
  })
  expect((await client.call('lists.get', { id: 1057 }))[0]).toMatchObject({
    body: { list: { name: 'Garden' } },
  })
  expect(vendor.records('lists')).toHaveLength(58)
  expect((await client.call('lists.delete', { id: 1057 }))[0]?.status).toBe(204)
  expect((await client.call('lists.get', { id: 1057 }))[0]?.status).toBe(404)
  expect((await client.call('lists.delete', { id: 1057 }))[0]?.status).toBe(404)
})

describe('a record in an envelope stays written', () => {
  test.for([
    { name: 'a parameter of its name', body: '[ticket]', record: '$.ticket' },
    {
      name: 'deeper',
      body: '{ data: { ticket: "{{ params.ticket }}" } }',
      record: '$.data.ticket',
    },
    { name: 'a parameter that is the body', body: '"{{ params.ticket }}"', record: '$' },
  ])('$name', async ({ body, record }) => {
    const response = `response: { record: ${record} }`
    const ticket = `ticket: { type: object, additionalProperties: false, properties: { name: { type: string }, email: { type: string } } }`
    const manifest = load(`${HEAD}
entities:
  tickets:${RECORD}
    actions:
      get: { params: { required: [id], properties: { id: { type: string } } }, request: { http: "GET /tickets/{{ params.id }}" }, ${response} }
      create: { params: { required: [ticket], properties: { ${ticket} } }, request: { http: POST /tickets, body: ${body} }, ${response} }
      update: { params: { required: [id, ticket], properties: { id: { type: string }, ${ticket} } }, request: { http: "PUT /tickets/{{ params.id }}", body: ${body} } }
`)
    await using vendor = await createSandbox(manifest)
    const client = createVendorClient(manifest, vendor)
    const read = compileReader(findAction(manifest, 'tickets.get'))
    const recordIn = (reply: Reply | undefined): unknown =>
      read({ status: 200, headers: {}, body: reply?.body, url: '' }, { params: {} }).data
    const [created] = await client.call('tickets.create', {
      ticket: { name: 'Leak', email: 'a@b.example' },
    })
    expect(recordIn(created)).toMatchObject({ name: 'Leak', email: 'a@b.example' })
    const { id } = recordIn(created) as { readonly id: string }
    await client.call('tickets.update', { id, ticket: { name: 'Mended' } })
    const [found] = await client.call('tickets.get', { id })
    expect(recordIn(found)).toMatchObject({ id, name: 'Mended', email: 'a@b.example' })
  })
})

test('records hang below the ones whose path begins theirs', async () => {
  const manifest = load(CRUD)
  await using vendor = await createSandbox(manifest)
  const client = createVendorClient(manifest, vendor)
  const parent = vendor.records('tasks')[0]?.['list_id'] ?? 0
  const [all] = await client.call('tasks.list', { list_id: parent })
  const tasks = listOf(all, 'tasks')
  expect(tasks.length).toBeGreaterThan(0)
  expect(tasks.every((task) => task['list_id'] === parent)).toBe(true)
  const [open] = await client.call('tasks.list', { list_id: parent, status: 'open' })
  const found = listOf(open, 'tasks')
  expect(found).toEqual(tasks.filter((task) => task['status'] === 'open'))
  expect((await client.call('tasks.list', { list_id: 5 }))[0]?.status).toBe(404)
})

test('what the schema of a parameter forbids is a 400 that names it', async () => {
  const manifest = load(CRUD)
  await using vendor = await createSandbox(manifest)
  const client = createVendorClient(manifest, vendor)
  expect((await client.send('POST', '/v2/lists', { name: 'x' })).body).toMatchObject({
    message: expect.stringContaining('name'),
  })
  expect(
    (await client.send('POST', '/v2/lists', { name: 'long enough', colour: 'red' })).status,
  ).toBe(400)
  expect((await client.send('POST', '/v2/lists', {})).body).toMatchObject({
    message: 'name is required',
  })
  expect((await client.send('GET', '/v2/lists/abc')).status).toBe(400)
})

test('examples of the manifest are the first records', async () => {
  const manifest = load(`${HEAD}
check: { entity: tickets, action: list }
entities:
  tickets:${RECORD}
    examples: [{ id: T-1, name: The first one, tags: [a] }, { id: T-2, name: The second one }]
    actions:
      list: { request: { http: GET /tickets }, response: { records: $ }, pagination: { type: none, reason: All. } }
`)
  await using vendor = await createSandbox(manifest)
  expect(vendor.records('tickets').slice(0, 2)).toMatchObject([
    { id: 'T-1', name: 'The first one', tags: ['a'] },
    { id: 'T-2', name: 'The second one' },
  ])
})

test('a report is started, awaited and read', async () => {
  const manifest = load(`${HEAD}
check: { entity: reports, action: list, params: { name: x } }
entities:
  reports:${RECORD}
    actions:
      list:
        params: { required: [name], properties: { name: { type: string }, run: { type: string } } }
        steps:
          - { name: start, if: "{{ not params.run }}", request: { http: POST /reports, form: [name] } }
          - name: wait
            request: { http: "GET /reports/{{ default params.run steps.start.body.job.id }}", query: { fields: state } }
            poll: { until: { $.state: done }, failed: { $.state: broken }, every: 1s, timeout: 1m, progress: $.percent }
          - { name: read, request: { http: "GET /reports/{{ default params.run steps.start.body.job.id }}/rows" } }
        response: { records: $.rows }
        pagination: { type: none, reason: All at once. }
`)
  await using vendor = await createSandbox(manifest)
  const client = createVendorClient(manifest, vendor)
  const replies = await client.call('reports.list', { name: 'May' })
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(listOf(replies[2], 'rows')).toHaveLength(57)
  const states = vendor
    .requests()
    .map(({ method, target }) => `${method} ${target.replace(/\d{7}/, 'ID')}`)
  expect(states).toEqual([
    'POST /v2/reports',
    'GET /v2/reports/ID?fields=state',
    'GET /v2/reports/ID?fields=state',
    'GET /v2/reports/ID?fields=state',
    'GET /v2/reports/ID/rows',
  ])
  expect((await client.send('GET', '/v2/reports/5?fields=state')).status).toBe(404)
})

test('a file may be the answer itself', async () => {
  const manifest = load(`${HEAD}
check: { entity: files, action: list }
entities:
  files:
    record: { properties: { id: { type: string }, name: { type: string } } }
    actions:
      list: { request: { http: GET /files }, response: { records: $ }, pagination: { type: none, reason: All. } }
      download:
        params: { required: [id], properties: { id: { type: string }, range: { type: string } } }
        request: { http: "GET /files/{{ params.id }}/content" }
        download: { range: range, types: [application/pdf] }
`)
  await using vendor = await createSandbox(manifest, null, { fileBytes: 5_000 })
  const { credentials } = vendor.options()
  const headers = { 'x-api-key': textOf(credentials['api_key']), range: 'bytes=10-19' }
  const id = vendor.records('files')[0]?.['id'] as string
  const response = await fetch(`${vendor.url}/v2/files/${id}/content`, { headers })
  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('content-range'),
  ]).toEqual([206, 'application/pdf', 'bytes 10-19/5000'])
  expect((await fetch(`${vendor.url}/v2/files/none/content`, { headers })).status).toBe(404)
})

test('several actions share one address: what they hold tells them apart', async () => {
  const manifest = load(`${HEAD}
check: { entity: issues, action: list }
entities:
  issues:
    record: { properties: { id: { type: string }, title: { type: string } } }
    actions:
      list:
        params: { properties: { first: { type: integer } } }
        request: { http: POST /graphql, graphql: { query: "query { issues(first: $first) { nodes { id title } } }", variables: [first] } }
        response: { records: $.data.issues.nodes }
        pagination: { type: none, reason: One page. }
  teams:
    record: { properties: { id: { type: string }, name: { type: string } } }
    actions:
      list:
        request: { http: POST /graphql, graphql: { query: "query { teams { nodes { id name } } }" } }
        response: { records: $.data.teams.nodes }
        pagination: { type: none, reason: One page. }
      create:
        params: { required: [name], properties: { name: { type: string } } }
        request: { http: POST /graphql, graphql: { query: "mutation { teamCreate(name: $name) { team { id name } } }", variables: [name] } }
        response: { record: $.data.teamCreate.team }
`)
  await using vendor = await createSandbox(manifest)
  const client = createVendorClient(manifest, vendor)
  expect((await client.call('issues.list', { first: 2 }))[0]?.body).toHaveProperty(
    'data.issues.nodes',
  )
  expect((await client.call('teams.list'))[0]?.body).toHaveProperty('data.teams.nodes')
  expect((await client.call('teams.create', { name: 'North' }))[0]?.body).toMatchObject({
    data: { teamCreate: { team: { name: 'North' } } },
  })
  expect(vendor.requests('teams.create')).toHaveLength(1)
  const strange = { query: 'query { users { id } }', variables: {} }
  expect((await client.send('POST', '/v2/graphql', strange)).status).toBe(400)
})

test('a login gives a session, which ends', async () => {
  const manifest = load(`
manifest: 1
connector: { type: acme, title: Acme, version: 1.0.0 }
server: { url: https://api.acme.example }
auth:
  login:
    credentials: { required: [user, password], properties: { user: { type: string }, password: { type: string, writeOnly: true } } }
    session: { request: { http: POST /login, body: { user: "{{ credentials.user }}", password: "{{ credentials.password }}" } }, store: { session.token: $.data.token }, ttl: 10m }
    apply: { headers: { X-Session: "{{ session.token }}" } }
check: { entity: tickets, action: list }
entities:
  tickets:${RECORD}
    actions:
      list: { request: { http: GET /tickets }, response: { records: $ }, pagination: { type: none, reason: All. } }
`)
  await using vendor = await createSandbox(manifest)
  const { credentials } = vendor.options()
  const login = (body: unknown) =>
    fetch(`${vendor.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await login({ ...credentials, password: 'wrong' })).status).toBe(401)
  const { data } = (await (await login(credentials)).json()) as { data: { token: string } }
  const list = () => fetch(`${vendor.url}/tickets`, { headers: { 'x-session': data.token } })
  expect((await list()).status).toBe(200)
  vendor.advance(600_000)
  expect((await list()).status).toBe(401)
})

test('credentials in the query, and lists as text of other kinds', async () => {
  const manifest = load(`
manifest: 1
connector: { type: acme, title: Acme, version: 1.0.0 }
server: { url: https://api.acme.example }
auth:
  key:
    credentials: { required: [key], properties: { key: { type: string } } }
    apply: { query: { api_key: "{{ credentials.key }}" } }
check: { entity: lines, action: list }
entities:
  lines:
    record: { properties: { id: { type: string }, name: { type: string } } }
    actions:
      list: { request: { http: GET /lines }, response: { decode: jsonl, records: $ }, pagination: { type: none, reason: All. } }
  rows:
    record: { properties: { id: { type: string }, name: { type: string } } }
    actions:
      list: { request: { http: GET /rows }, response: { decode: csv, records: $ }, pagination: { type: none, reason: All. } }
`)
  await using vendor = await createSandbox(manifest)
  const key = textOf(vendor.options().credentials['key'])
  const lines = await fetch(`${vendor.url}/lines?api_key=${key}`)
  expect([lines.status, (await lines.text()).trim().split('\n').length]).toEqual([200, 57])
  const rows = await fetch(`${vendor.url}/rows?api_key=${key}`)
  expect((await rows.text()).split('\r\n')[0]).toBe('id,name')
  expect((await fetch(`${vendor.url}/rows?api_key=wrong`)).status).toBe(401)
})

test.for([
  {
    name: 'JSON',
    body: 'body: [name]',
    request: { 'content-type': 'application/json', body: '{}' },
  },
  {
    name: 'a form',
    body: 'form: [name]',
    request: { 'content-type': 'application/x-www-form-urlencoded', body: '' },
  },
  {
    name: 'the variables of GraphQL',
    body: 'graphql: { query: "mutation { add }", variables: [name] }',
    request: {
      'content-type': 'application/json',
      body: '{"query":"mutation { add }","variables":{}}',
    },
  },
  {
    name: 'the fields of a multipart body',
    body: 'multipart: { name: "{{ params.name }}" }',
    request: { 'content-type': 'multipart/form-data; boundary=b', body: '--b--\r\n' },
  },
])('a required parameter that is missing in $name is a 400 that names it', async (row) => {
  const { body, ...headers } = row.request
  await using vendor = await createSandbox(
    load(`${HEAD}
check: { entity: tickets, action: list }
entities:
  tickets:${RECORD}
    actions:
      list: { request: { http: GET /tickets }, response: { records: $ }, pagination: { type: none, reason: All. } }
      create:
        params: { required: [name], properties: { name: { type: string } } }
        request: { http: POST /tickets, ${row.body} }
`),
  )
  const { credentials, serverUrl } = vendor.options()
  const answer = await fetch(`${serverUrl}/v2/tickets`, {
    method: 'POST',
    headers: { ...headers, 'x-api-key': textOf(credentials['api_key']) },
    body,
  })
  expect([answer.status, await answer.json()]).toEqual([400, { message: 'name is required' }])
})

test('a check at a literal address is no record of that id', async () => {
  const manifest = load(`${HEAD}
check: { request: { http: GET /users/me } }
entities:
  users:
    record: { properties: { id: { type: integer }, name: { type: string } } }
    actions:
      get:
        params: { required: [id], properties: { id: { type: integer } } }
        request: { http: "GET /users/{{ params.id }}" }
`)
  await using vendor = await createSandbox(manifest)
  const client = createVendorClient(manifest, vendor)
  expect((await client.send('GET', '/v2/users/me')).status).toBe(200)
  expect(vendor.requests('check')).toHaveLength(1)
  expect((await client.send('GET', '/v2/users/you')).status).toBe(400)
})

test('a listing goes on where the records of another one say', async () => {
  const manifest = load(`${HEAD}
check: { entity: orders, action: list }
entities:
  orders:
    record: { properties: { id: { type: string }, lines: { type: array, items: { type: object } }, rest: { type: string } } }
    actions:
      list:
        request: { http: GET /orders }
        response: { records: $.orders }
        pagination: { type: none, reason: One page. }
        for_each: { action: lines.list, params: { order: "{{ record.id }}", after: "{{ record.rest }}" }, into: lines, append: true, max: 1000 }
  lines:
    record: { properties: { id: { type: string } } }
    actions:
      list:
        params: { required: [order], properties: { order: { type: string }, after: { type: string } } }
        request: { http: "GET /orders/{{ params.order }}/lines", query: [after] }
        response: { records: $.lines }
        pagination: { type: cursor, param: after, next: $.next }
`)
  const failed = await Promise.all(
    manifestCases(manifest).map(async ({ name, run }) => {
      try {
        await run()
        return []
      } catch (error) {
        return [`${name}: ${String(error)}`]
      }
    }),
  )
  expect(failed.flat()).toEqual([])
})

test('what is written to one sandbox is not in the next one of the same manifest', async () => {
  const manifest = load(`${HEAD}
check: { entity: users, action: list }
entities:
  users:
    record: { properties: { id: { type: string }, name: { type: string } } }
    actions:
      list:
        request: { http: GET /users }
        response: { records: $.users }
        pagination: { type: none, reason: One page. }
      delete:
        params: { required: [id], properties: { id: { type: string } } }
        request: { http: "DELETE /users/{{ params.id }}" }
    sync: { primary_key: id, action: list }
  notes:
    record: { properties: { id: { type: string }, text: { type: string } } }
    actions:
      list:
        params: { required: [user_id], properties: { user_id: { type: string } } }
        request: { http: "GET /users/{{ params.user_id }}/notes" }
        response: { records: $.notes }
        pagination: { type: none, reason: One page. }
    sync: { primary_key: id, action: list, parent: { entity: users, bind: { user_id: $.id } } }
`)
  const recordsOf = async (change: boolean): Promise<readonly (readonly unknown[])[]> => {
    await using vendor = await createSandbox(manifest)
    const first = { users: vendor.records('users'), notes: vendor.records('notes') }
    if (change) {
      const id = (first.users[0] as { readonly id: string }).id
      await createVendorClient(manifest, vendor).call('users.delete', { id })
      expect(vendor.records('users')).toHaveLength(first.users.length - 1)
    }
    return [first.users, first.notes]
  }
  const before = await recordsOf(true)
  expect(await recordsOf(false)).toEqual(before)
  await using other = await createSandbox(manifest, null, { seed: 7 })
  expect(other.records('users')).not.toEqual(before[0])
})
