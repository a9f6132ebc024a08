// The logs of a running service: what an operation leaves, who sees it, and how one goes through it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '../../../src/service/tokens/applications.ts'
import { type CallAnswer, type RunningService, runService } from '../../fixtures/running-service.ts'

interface Entry {
  readonly id: string
  readonly kind: string
  readonly request_id: string | null
}
interface Page {
  readonly data: readonly Entry[]
  readonly meta: {
    readonly has_more: boolean
    readonly next_cursor: string | null
    readonly tail_cursor: string
    readonly searched_to: string | null
  }
}

let world: RunningService
let jira: string

beforeAll(async () => {
  world = await runService({ logsContent: true })
  jira = await world.connect('jira')
  await run('first', { issueIdOrKey: 'OPS-1' })
  await run('second', { issueIdOrKey: 7 })
  await run('third', { issueIdOrKey: 'NONE-1' })
})
afterAll(() => world[Symbol.asyncDispose]())

async function run(requestId: string, params: object, as = world.token): Promise<CallAnswer> {
  const path = `/api/v1/connectors/sources/${jira}/execute`
  const body = { entity: 'issues', action: 'get', params }
  return await world.call('POST', path, body, { as, headers: { 'x-request-id': requestId } })
}

async function page(query = '', as = world.token): Promise<Page> {
  const answer = await world.call('GET', `/v1/logs?kind=operation${query}`, undefined, { as })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body as Page
}

async function ids(query = '', as = world.token): Promise<string> {
  return (await page(query, as)).data.map(({ request_id: id }) => id).join(' ')
}

test('an operation leaves an entry: who, what, when, with what result, and no parameters', async () => {
  const answer = await world.call('GET', '/v1/logs?kind=operation&limit=10')
  const common = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    kind: 'operation',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    connector_id: jira,
    connector_type: 'jira',
    external_user_id: 'user-1',
    client_id: 'default',
    entity: 'issues',
    action: 'get',
    took_ms: expect.any(Number),
  }
  expect(answer.body).toEqual({
    data: [
      {
        ...common,
        request_id: 'third',
        code: 'upstream_not_found',
        status: 404,
        upstream_status: 404,
        upstream_requests: 1,
        first_code: null,
        detail: expect.any(String),
      },
      {
        ...common,
        request_id: 'second',
        code: 'params_invalid',
        status: 400,
        upstream_status: null,
        upstream_requests: 0,
        first_code: null,
        detail: expect.any(String),
      },
      {
        ...common,
        request_id: 'first',
        code: null,
        status: 200,
        upstream_status: 200,
        upstream_requests: 1,
        first_code: null,
        detail: null,
      },
    ],
    meta: {
      has_more: false,
      next_cursor: null,
      tail_cursor: expect.any(String),
      searched_to: null,
      kept: { days: 7, contents: true },
    },
  })
  expect(answer.text).not.toContain('OPS-1')
})

test.for([
  ['&status=failed', 'third second'],
  ['&status=ok', 'first'],
  ['&code=params_invalid', 'second'],
  ['&upstream_status=404', 'third'],
  ['&request_id=first', 'first'],
  ['&external_user_id=user-1&connector_type=jira&entity=issues&action=get', 'third second first'],
  ['&external_user_id=somebody', ''],
  ['&text=ISSUES.get', 'third second first'],
  ['&text=not_found+third', 'third'],
  ['&text=%20second%20', 'second'],
  ['&text=jira+user-1+OPS-1', ''],
  ['&text=%20', 'third second first'],
  ['&text=100%25', ''],
  ['&text=_', 'third second'],
  ['&min_ms=600000', ''],
  ['&min_ms=999999999999999', ''],
  ['&from=2100-01-01T00:00:00Z', ''],
  ['&to=2000-01-01T00:00:00Z', ''],
  ['&from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z', 'third second first'],
] as const)('%s', async ([query, found]) => {
  expect(await ids(query)).toBe(found)
  expect(await ids(`${query}&connector_id=${jira}`)).toBe(found)
})

test('words that are no words are answered, and too many letters', async () => {
  for (const text of ['%00', 'a'.repeat(10_000)]) {
    const { status, body } = await world.call('GET', `/v1/logs?text=${text}`)
    expect([status, (body as { code: string }).code]).toEqual([400, 'request_malformed'])
  }
  expect(await ids(`&text=${'%25_%27%22%5C(*'.repeat(12)}`)).toBe('')
})

test('pages go back by a cursor, and forward by another', async () => {
  const first = await page('&limit=2')
  const { next_cursor: next, tail_cursor: tail } = first.meta
  expect(first.data.map((entry) => entry.request_id)).toEqual(['third', 'second'])
  expect(await ids(`&limit=2&cursor=${next}`)).toBe('first')
  await run('fourth', { issueIdOrKey: 'OPS-1' })
  await run('fifth', { issueIdOrKey: 'OPS-1' })
  const since = await page(`&after=${tail}&limit=1`)
  expect([since.data.map((entry) => entry.request_id), since.meta.has_more]).toEqual([
    ['fourth'],
    true,
  ])
  const rest = await page(`&after=${since.meta.tail_cursor}`)
  expect([rest.data.map((entry) => entry.request_id), rest.meta.has_more]).toEqual([
    ['fifth'],
    false,
  ])
  expect((await page(`&after=${rest.meta.tail_cursor}`)).data).toEqual([])
  // What comes is found by words, too.
  expect(await ids(`&after=${tail}&text=fifth`)).toBe('fifth')
  const both = await world.call('GET', `/v1/logs?after=${tail}&cursor=${next}`)
  expect(both.status).toBe(400)
  const forged = await world.call('GET', `/v1/logs?after=${next}`)
  expect([forged.status, (forged.body as { code: string }).code]).toEqual([400, 'cursor_invalid'])
})

test('an entry in detail has its steps, and what was said with every credential masked', async () => {
  const { data } = await page('&request_id=first')
  const answer = await world.call('GET', `/v1/logs/${data[0]?.id}`)
  expect(answer.body).toMatchObject({
    request_id: 'first',
    outcome: null,
    steps: [
      {
        method: 'GET',
        host: expect.stringMatching(/^127\.0\.0\.1:/),
        path: '/rest/api/3/issue/{}',
        attempt: 1,
        began_ms: expect.any(Number),
        took_ms: expect.any(Number),
        status: 200,
        code: null,
      },
    ],
    facts: {},
    said: { params: { issueIdOrKey: 'OPS-1' }, answer: expect.stringContaining('OPS-1') },
  })
  const unknown = await world.call('GET', '/v1/logs/01a221ab-6d7e-7f8a-9b0c-2d3e4f5a6b7c')
  expect([unknown.status, (unknown.body as { code: string }).code]).toEqual([
    404,
    'log_entry_unknown',
  ])
})

test('a scoped token sees the entries of its user and of its actions, and not what was said', async () => {
  const own = await world.scoped({ external_user_id: 'user-1' })
  expect(await ids('&request_id=first', own)).toBe('first')
  const { data } = await page('&request_id=first')
  const detail = await world.call('GET', `/v1/logs/${data[0]?.id}`, undefined, { as: own })
  expect(detail.body).toMatchObject({ request_id: 'first', said: null })
  const foreign = await world.scoped({ external_user_id: 'somebody' })
  const narrow = await world.scoped({ external_user_id: 'user-1', actions: ['users.list'] })
  for (const as of [foreign, narrow]) {
    expect(await ids('', as)).toBe('')
    const hidden = await world.call('GET', `/v1/logs/${data[0]?.id}`, undefined, { as })
    expect(hidden.status).toBe(404)
    const figures = await world.call('GET', '/v1/logs/summary', undefined, { as })
    const { buckets } = figures.body as { buckets: readonly { operations: number }[] }
    expect(buckets.reduce((sum, { operations }) => sum + operations, 0)).toBe(0)
    const file = await world.call('GET', '/v1/logs/export?kind=operation', undefined, { as })
    expect(file.text).toBe('')
  }
})

test('another organisation sees none of it', async () => {
  const { store, clock, tokens } = world.service
  const other = await createApplication(
    { store, clock },
    { name: 'other', redirectUrls: [], organizationId: 'other' },
  )
  const { token } = await tokens.mintApplication(other.clientId, other.clientSecret)
  expect(await ids('', token)).toBe('')
  const figures = await world.call('GET', '/v1/logs/summary', undefined, { as: token })
  expect(figures.body).toMatchObject({ kinds: [], slowest: [], failing: [] })
})

test('figures say what was called, what failed, and what takes long', async () => {
  for (const query of ['', `?connector_id=${jira}`]) {
    const { body } = await world.call('GET', `/v1/logs/summary${query}`)
    const figures = body as {
      readonly buckets: readonly { readonly operations: number; readonly failures: number }[]
    }
    expect(figures).toMatchObject({ bucket_seconds: 600, counted_from: null })
    const sum = (name: 'operations' | 'failures'): number =>
      figures.buckets.reduce((total, bucket) => total + bucket[name], 0)
    expect([sum('operations'), sum('failures')]).toEqual([5, 2])
    const issues = { kind: 'operation', connector_type: 'jira', entity: 'issues', action: 'get' }
    expect(body).toMatchObject({
      kinds: expect.arrayContaining([{ kind: 'operation', calls: 5, failures: 2 }]),
      slowest: [{ ...issues, calls: 5, failures: 2 }],
      failing: [
        {
          ...issues,
          codes: expect.arrayContaining([
            { code: 'params_invalid', calls: 1 },
            { code: 'upstream_not_found', calls: 1 },
          ]),
        },
      ],
    })
  }
  const shortest = await world.call('GET', '/v1/logs/summary?buckets=5')
  expect(shortest.body).toMatchObject({ bucket_seconds: 6 * 3600 })
  const wrong = await world.call('GET', '/v1/logs/summary?from=2100-01-01T00:00:00Z')
  expect(wrong.status).toBe(400)
})

test.for([
  ['', 5, 2],
  ['&status=failed', 2, 2],
  ['&kind=refresh', 0, 0],
  ['&code=params_invalid', 1, 1],
  ['&entity=issues&action=get', 5, 2],
  ['&external_user_id=user-1', 5, 2],
  ['&external_user_id=somebody', 0, 0],
  ['&upstream_status=404', 1, 1],
  ['&text=NOT_found', 1, 1],
  ['&request_id=first', 1, 0],
  ['&min_ms=600000', 0, 0],
  ['&text=nothing-like-it', 0, 0],
] as const)('figures of %s are those of the list', async ([filter, entries, failed]) => {
  const hour = new Date(world.service.clock.now() - 3_600_000).toISOString()
  for (const span of ['', `&from=${hour}&buckets=60`, '&from=2020-01-01T00:00:00Z&buckets=7']) {
    const kind = filter.includes('kind') ? '' : 'kind=operation'
    const { body } = await world.call('GET', `/v1/logs/summary?${kind}${filter}${span}`)
    const { buckets, counted_from: since } = body as {
      readonly counted_from: string | null
      readonly buckets: readonly {
        readonly entries: number
        readonly failed_entries: number
      }[]
    }
    const sum = (name: 'entries' | 'failed_entries'): number =>
      buckets.reduce((total, bucket) => total + bucket[name], 0)
    expect([since, sum('entries'), sum('failed_entries')]).toEqual([null, entries, failed])
  }
})

test('entries are exported as lines of JSON, and as a table that runs no formula', async () => {
  await run('=1+1', { issueIdOrKey: 'OPS-1' })
  const lines = await world.call('GET', '/v1/logs/export?kind=operation&status=ok')
  const entries = lines.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)
  expect(entries.map((entry) => entry.request_id)).toEqual(['=1+1', 'fifth', 'fourth', 'first'])
  expect(lines.headers.get('content-type')).toBe('application/x-ndjson')
  const table = await world.call('GET', '/v1/logs/export?kind=operation&status=ok&form=csv')
  const [head, row] = table.text.split('\r\n')
  expect(head?.split(',')).toEqual(Object.keys(entries[0] ?? {}))
  expect(row).toContain(",'=1+1,")
  expect(table.headers.get('content-disposition')).toBe('attachment; filename="tenon-logs.csv"')
})

test('K7 what was said goes with its instance', async () => {
  const { store } = world.service
  const gone = await world.connect('gong', { external_user_id: 'gone' })
  const path = `/api/v1/connectors/sources/${gone}/execute`
  await world.call('POST', path, { entity: 'users', action: 'list', params: {} })
  const { data } = await page(`&connector_id=${gone}`)
  const id = data[0]?.id ?? ''
  expect(await store.logs.content(gone, id)).toBeInstanceOf(Uint8Array)
  await world.call('DELETE', `/v1/integrations/connectors/${gone}`)
  expect(await store.logs.content(gone, id)).toBe(null)
  expect((await world.call('GET', `/v1/logs/${id}`)).body).toMatchObject({ id, said: null })
})

test('a failure has the words of the third party and its request id; its answer where that is kept', async () => {
  const gong = await world.connect('gong')
  world.vendor('gong').fail('*', { mode: 'status', status: 500, times: 10 })
  const path = `/api/v1/connectors/sources/${gong}/execute`
  await world.call('POST', path, { entity: 'users', action: 'list', params: {} })
  const { data } = await page(`&connector_id=${gong}`)
  expect((await world.call('GET', `/v1/logs/${data[0]?.id}`)).body).toMatchObject({
    code: 'upstream_failed',
    detail: expect.stringMatching(/ \(status 500\)\. The third party said: ".+"$/),
    facts: { upstream_request_id: expect.any(String) },
    said: { params: {}, answer: expect.stringContaining('errors') },
  })
})

test('a preview, which sends nothing, leaves no entry', async () => {
  const path = `/v1/integrations/connectors/${jira}/preview`
  const headers = { 'x-request-id': 'preview' }
  for (const params of [{ issueIdOrKey: 'OPS-1' }, { issueIdOrKey: 7 }])
    await world.call('POST', path, { entity: 'issues', action: 'get', params }, { headers })
  expect((await world.call('GET', '/v1/logs?request_id=preview')).body).toMatchObject({ data: [] })
})

test('without logs nothing is kept', async () => {
  await using quiet = await runService({ logsDays: 0, logsContent: true })
  const id = await quiet.connect('jira')
  const path = `/api/v1/connectors/sources/${id}/execute`
  await quiet.call('POST', path, { entity: 'issues', action: 'get', params: {} })
  expect((await quiet.call('GET', '/v1/logs')).body).toMatchObject({
    data: [],
    meta: { kept: { days: 0, contents: false } },
  })
})

test('a check leaves an entry, whether somebody asked for it or a refused call made it', async () => {
  const stripe = await world.connect('stripe')
  const entries = async () =>
    (await world.call('GET', `/v1/logs?kind=check&connector_id=${stripe}`)).body as Page
  const refused = { mode: 'status', status: 401, times: 1_000 } as const
  const headers = { 'x-request-id': 'asked-for' }
  await world.call('POST', `/v1/integrations/connectors/${stripe}/check`, {}, { headers })
  world.vendor('stripe').fail('*', refused)
  const body = { entity: 'customers', action: 'list', params: {} }
  const call = `/v1/connectors/sources/${stripe}/execute`
  await world.call('POST', call, body, { headers: { 'x-request-id': 'refused-call' } })
  await expect.poll(async () => (await entries()).data.length).toBe(3)
  const common = { kind: 'check', connector_id: stripe, entity: null, upstream_requests: 1 }
  expect((await entries()).data).toMatchObject([
    {
      ...common,
      action: 'after_refusal',
      client_id: null,
      request_id: 'refused-call',
      code: 'credentials_refused',
      upstream_status: 401,
      detail: expect.stringMatching(/401/),
    },
    {
      ...common,
      action: 'asked',
      client_id: 'default',
      request_id: 'asked-for',
      code: null,
      upstream_status: 200,
      detail: null,
    },
    { ...common, action: 'connected', client_id: 'default', code: null, upstream_status: 200 },
  ])
})
