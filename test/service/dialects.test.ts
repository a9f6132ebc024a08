// The requests of airbyte-agent-sdk 0.1.180, and of the clients of its origin before it, as they go over the wire: method,
// path, query and the members of bodies. Facts of that client, none of its code.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '../../src/service/tokens/applications.ts'
import { eventually } from '../faults/resources.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

const GONG = '32382e40-3b49-4b99-9c5c-4076501914e7'
const JIRA = '68e63de2-bb83-4c7e-93fa-a8a9051e3993'
const STRIPE = 'e094cb9a-26de-4645-8761-65c0c425d1de'
const COLLECTION = '/api/v1/integrations/connectors'

let world: RunningService
let client: { readonly client_id: string; readonly client_secret: string }
let as: string
let gong: string
let jira: string

interface Executed {
  readonly result: unknown
  readonly connector_metadata: Readonly<Record<string, unknown>> | null
}

beforeAll(async () => {
  world = await runService({ jobs: true })
  const { service } = world
  const made = await createApplication(
    { store: service.store, clock: service.clock },
    { name: 'agents', redirectUrls: [], compat: 'agent-sdk' },
  )
  client = { client_id: made.clientId, client_secret: made.clientSecret }
  as = await mint('/api/v1/account/applications/token', client)
  gong = await create('gong', { workspace_name: 'default', definition_id: GONG })
  jira = await create('jira', { customer_name: 'default', definition_id: JIRA })
})
afterAll(() => world[Symbol.asyncDispose]())

async function mint(path: string, body: object): Promise<string> {
  const { status, body: minted } = await world.call('POST', path, body, { as: null })
  expect(status).toBe(200)
  return (minted as { readonly access_token: string }).access_token
}

async function create(type: string, who: object): Promise<string> {
  const { credentials, config } = world.vendor(type).options()
  const { status, body } = await send('POST', COLLECTION, {
    ...who,
    name: type,
    credentials,
    config,
  })
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({
      external_user_id: 'default',
      connector_type: type,
      summarized_source_template: { name: type },
    }),
  ])
  return (body as { readonly id: string }).id
}

function send(method: string, path: string, body?: object) {
  const headers = { 'x-adp-agent-sdk': 'airbyte-agent-sdk' }
  return world.call(method, path, body, { as, headers })
}

async function execute(id: string, operation: object): Promise<Executed> {
  const { status, body } = await send('POST', `${COLLECTION}/${id}/execute`, operation)
  expect([status, Object.keys(body as object)]).toEqual([200, ['result', 'connector_metadata']])
  return body as Executed
}

test('a token comes from either address', async () => {
  const body = { ...client, grant_type: 'client_credentials' }
  expect(await mint('/api/v1/applications/token', body)).toMatch(/^tenon_/)
})

test.for([
  { at: `${COLLECTION}?workspace_name=default&definition_id=${GONG}`, member: 'data', want: 1 },
  { at: `${COLLECTION}?customer_name=default&connector_type=jira`, member: 'data', want: 1 },
  { at: `${COLLECTION}?workspace_name=default`, member: 'data', want: 2 },
  { at: `${COLLECTION}?workspace_name=nobody`, member: 'data', want: 0 },
  { at: `${COLLECTION}?workspace_name=default&definition_id=${STRIPE}`, member: 'data', want: 0 },
  {
    at: `/api/v1/connectors/connectors_for_user?external_user_id=default&definition_id=${GONG}`,
    member: 'connectors',
    want: 1,
  },
  {
    at: `/api/v1/connectors/instances_for_user?external_user_id=default&definition_id=${JIRA}`,
    member: 'instances',
    want: 1,
  },
])('GET $at lists $want in $member', async ({ at, member, want }) => {
  const { status, body } = await send('GET', at)
  const found = (body as Record<string, readonly { readonly id: string }[]>)[member]
  expect([status, found?.length, found?.every(({ id }) => [gong, jira].includes(id))]).toEqual([
    200,
    want,
    true,
  ])
})

test('a workspace is found by a part of its name', async () => {
  const { body } = await send('GET', '/api/v1/workspaces?name_contains=EFAU')
  expect(body).toEqual({
    data: [{ id: 'default', name: 'default' }],
    meta: { has_more: false, next_cursor: null },
  })
  expect((await send('GET', '/api/v1/workspaces?name_contains=%25')).body).toMatchObject({
    data: [],
  })
})

test('a listing is result, and connector_metadata under both spellings of its members', async () => {
  const { result, connector_metadata: meta } = await execute(gong, {
    entity: 'calls',
    action: 'list',
    params: { fromDateTime: '2020-01-01T00:00:00Z', toDateTime: '2027-01-01T00:00:00Z' },
  })
  expect(Array.isArray(result)).toBe(true)
  expect(meta).toMatchObject({
    pagination: { totalRecords: 260, cursor: meta?.['cursor'] },
    total_records: 260,
    current_page_size: 100,
    cursor: expect.any(String),
  })
})

test('the path before this one and params null are taken', async () => {
  const body = { entity: 'users', action: 'list', params: null }
  const { status, body: answer } = await send(
    'POST',
    `/api/v1/connectors/instances/${gong}/execute`,
    body,
  )
  expect([status, (answer as { result: unknown[] }).result.length]).toEqual([200, 30])
})

test('a health check asks for one record of a listing, whatever the third party calls that', async () => {
  const ofGong = await execute(gong, { entity: 'users', action: 'list', params: { limit: 1 } })
  expect(ofGong.result).toHaveLength(30)
  const ofJira = await execute(jira, { entity: 'users', action: 'list', params: { limit: 1 } })
  expect(ofJira.result).toHaveLength(1)
})

test('a record is result, and connector_metadata null', async () => {
  const created = await execute(jira, {
    entity: 'issues',
    action: 'create',
    params: {
      fields: { project: { key: 'ACME' }, issuetype: { name: 'Task' }, summary: 'From a client' },
    },
  })
  const { key } = created.result as { readonly key: string }
  expect(created.connector_metadata).toBe(null)
  expect(
    await execute(jira, { entity: 'issues', action: 'get', params: { issueIdOrKey: key } }),
  ).toMatchObject({ result: { key, fields: { summary: 'From a client' } } })
})

test('context_store_search reads fields in snake_case and answers rows without nulls', async () => {
  const operation = {
    entity: 'users',
    action: 'context_store_search',
    params: {
      query: {
        filter: {
          and: [{ eq: { active: true } }, { like: { email_address: '%@tallow.example' } }],
        },
        sort: [{ email_address: 'asc' }],
      },
      limit: 2,
      fields: [['id'], ['email_address'], ['manager_id']],
    },
  }
  await eventually(
    async () => (await send('POST', `${COLLECTION}/${gong}/execute`, operation)).status === 200,
  )
  const { result, connector_metadata: meta } = await execute(gong, operation)
  const { data, meta: page } = result as {
    readonly data: readonly Readonly<Record<string, unknown>>[]
    readonly meta: object
  }
  expect([meta, page]).toEqual([
    null,
    { has_more: true, cursor: expect.any(String), took_ms: expect.any(Number) },
  ])
  expect(data).toHaveLength(2)
  for (const row of data) {
    expect(row['email_address']).toBe(row['emailAddress'])
    expect(Object.values(row)).not.toContain(null)
  }
  const before = await execute(gong, { ...operation, action: 'search' })
  expect(before.result).toMatchObject({
    hits: data.map((row) => ({ id: row['id'], data: { email_address: row['email_address'] } })),
    next_cursor: expect.any(String),
  })
})

test('two names of one thing that differ are refused', async () => {
  const { status, body } = await send(
    'GET',
    `${COLLECTION}?workspace_name=one&external_user_id=other`,
  )
  expect([status, body]).toMatchObject([
    400,
    { code: 'request_malformed', errors: [{ pointer: '/workspace_name', code: 'alias' }] },
  ])
})

test('an application of this service gets the answers of this service', async () => {
  const id = await world.connect('gong')
  const path = `${COLLECTION}/${id}/execute`
  const { body } = await world.call('POST', path, { entity: 'users', action: 'list', params: null })
  expect(Object.keys(body as object)).toEqual(['data', 'meta', 'execution'])
})

test('an instance is deleted', async () => {
  const { status } = await send('DELETE', `${COLLECTION}/${jira}`)
  expect(status).toBe(204)
})
