// Operations over HTTP: the envelope, problems, downloads, idempotency, limits.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'

let world: RunningService
let gong: string
let jira: string

beforeAll(async () => {
  world = await runService()
  gong = await world.connect('gong')
  jira = await world.connect('jira')
})
afterAll(() => world[Symbol.asyncDispose]())

const run = (id: string, entity: string, action: string, params?: object, options?: object) =>
  world.call(
    'POST',
    `/api/v1/connectors/sources/${id}/execute`,
    { entity, action, ...(params === undefined ? {} : { params }) },
    options,
  )

test('a listing answers data, meta and execution, under every spelling of the path', async () => {
  const bodies: { readonly data: unknown[]; readonly meta: object }[] = []
  for (const path of [
    `/api/v1/connectors/sources/${gong}/execute`,
    `/v1/connectors/sources/${gong}/execute`,
    `/v1/integrations/connectors/${gong}/execute`,
    `/api/v1/integrations/connectors/${gong}/execute`,
  ]) {
    const answer = await world.call('POST', path, { entity: 'users', action: 'list' })
    expect(answer.status).toBe(200)
    bodies.push(answer.body as { data: unknown[]; meta: object })
  }
  expect(bodies[0]).toEqual({
    data: expect.any(Array),
    meta: expect.objectContaining({ has_more: expect.any(Boolean) }),
    execution: {
      request_id: expect.any(String),
      connector_id: gong,
      connector_type: 'gong',
      connector_version: '1.0.0',
      upstream_requests: 1,
      took_ms: expect.any(Number),
    },
  })
  expect(new Set(bodies.map(({ data }) => JSON.stringify(data))).size).toBe(1)
})

test('the budget that the third party leaves is on every answer', async () => {
  await using limited = await runService({ upstreamRates: true })
  const id = await limited.connect('gong')
  const answer = await limited.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
    entity: 'users',
    action: 'list',
  })
  expect([answer.headers.get('ratelimit-policy'), answer.headers.get('ratelimit')]).toEqual([
    '"upstream";q=3;w=1, "upstream-2";q=10000;w=86400',
    expect.stringMatching(/^"upstream";r=[0-3];t=1, "upstream-2";r=\d{4};t=\d+$/),
  ])
})

test('a request id of the caller is kept, and one that cannot be is replaced', async () => {
  const kept = await run(gong, 'users', 'list', undefined, { headers: { 'x-request-id': 'my-1' } })
  const replaced = await run(gong, 'users', 'list', undefined, {
    headers: { 'x-request-id': 'has blank' },
  })
  expect([kept.headers.get('x-request-id'), kept.body]).toEqual([
    'my-1',
    expect.objectContaining({ execution: expect.objectContaining({ request_id: 'my-1' }) }),
  ])
  expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('every problem of the params at once, with pointers and the near name', async () => {
  const answer = await run(jira, 'issues', 'api_search', { maxResults: 5001, expnd: 'x' })
  expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([
    400,
    'application/problem+json; charset=utf-8',
    {
      type: 'urn:tenon:problem:params_invalid',
      title: 'Parameters are not valid',
      status: 400,
      detail: expect.any(String),
      code: 'params_invalid',
      origin: 'request',
      retryable: false,
      retry_after_ms: null,
      outcome: 'not_applied',
      errors: expect.arrayContaining([
        expect.objectContaining({ pointer: '/params/maxResults' }),
        expect.objectContaining({
          pointer: '/params/expnd',
          detail: expect.stringContaining('did you mean "expand"'),
        }),
      ]),
      upstream: null,
      request_id: expect.any(String),
    },
  ])
})

test('an unknown entity or action lists those there are', async () => {
  const answer = await run(jira, 'issue', 'get')
  expect([answer.status, answer.body]).toEqual([
    400,
    expect.objectContaining({
      code: 'operation_unknown',
      errors: [expect.objectContaining({ allowed: expect.arrayContaining(['issues']) })],
    }),
  ])
})

test('search waits for the copy', async () => {
  const answer = await run(gong, 'calls', 'search', { query: {} })
  expect([answer.status, answer.headers.get('retry-after'), answer.body]).toEqual([
    409,
    '5',
    expect.objectContaining({ code: 'search_not_ready', retryable: true, retry_after_ms: 5_000 }),
  ])
})

test('P9 numbers beyond 2^53 keep their digits on the way in and out', async () => {
  const text = `{"entity":"calls","action":"list","params":{"callIds":["7782342274025937895"]}}`
  const answer = await world.call('POST', `/api/v1/connectors/sources/${gong}/execute`, text)
  expect(answer.status === 200 || answer.status === 400).toBe(true)
})

describe('preview and describe', () => {
  test('preview of a search reads its parameters, and shows that nothing would be sent', async () => {
    const preview = async (params: object) =>
      await world.call('POST', `/v1/integrations/connectors/${gong}/preview`, {
        entity: 'calls',
        action: 'search',
        params,
      })
    const right = await preview({ query: { filter: { gte: { duration: 600 } } } })
    expect([right.status, right.body]).toEqual([200, { requests: [] }])
    const wrong = await preview({ query: { filter: { eq: { titel: 'x' } } } })
    expect([wrong.status, wrong.body]).toEqual([
      400,
      expect.objectContaining({
        code: 'params_invalid',
        errors: [expect.objectContaining({ pointer: '/params/query/filter/eq/titel' })],
      }),
    ])
  })

  test('preview shows the request with secrets masked and sends nothing', async () => {
    const before = world.vendor('gong').requests().length
    const answer = await world.call('POST', `/v1/integrations/connectors/${gong}/preview`, {
      entity: 'users',
      action: 'list',
    })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        requests: [
          expect.objectContaining({
            method: 'GET',
            url: expect.stringContaining('/v2/users'),
            curl: expect.stringContaining('***'),
          }),
        ],
      },
    ])
    expect(world.vendor('gong').requests()).toHaveLength(before)
  })

  test('describe is narrowed to what the token may do', async () => {
    const token = await world.scoped({ external_user_id: 'user-1', actions: ['users.list'] })
    const answer = await world.call(
      'GET',
      `/v1/integrations/connectors/${gong}/describe`,
      undefined,
      {
        as: token,
      },
    )
    const { entities, named_records } = answer.body as {
      named_records: object
      entities: { entity: string; actions: { action: string }[] }[]
    }
    expect(
      entities.map(({ entity, actions }) => [entity, actions.map(({ action }) => action)]),
    ).toEqual([['users', ['list']]])
    // Nothing is told of operations that it may not call.
    expect(named_records).toEqual({})
    const whole = await world.call('GET', `/v1/integrations/connectors/${gong}/describe`)
    expect(whole.body).toMatchObject({
      named_records: { 'users.get': { id: { entity: 'users', field: 'id' } } },
    })
  })
})

describe('downloads', () => {
  const file = async (headers: Readonly<Record<string, string>> = {}, params: object = {}) => {
    const example = world.vendor('gong').example('call_audio.download')
    return await fetch(`${world.url}/api/v1/connectors/sources/${gong}/execute`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({
        entity: 'call_audio',
        action: 'download',
        params: { ...example, ...params },
      }),
    })
  }

  test('M2 bytes come with type, length and a safe name, and nothing else of the media host', async () => {
    const response = await file()
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      connection: 'keep-alive',
      'content-disposition': 'attachment; filename="gong-call_audio"',
      'content-length': String(bytes.length),
      'content-security-policy': "default-src 'none'",
      'content-type': 'audio/mpeg',
      date: expect.any(String),
      etag: expect.any(String),
      'keep-alive': expect.any(String),
      'last-modified': expect.any(String),
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
  })

  test('a range is 206, by header or by parameter, and both alike', async () => {
    const whole = Buffer.from(await (await file()).arrayBuffer())
    const byHeader = await file({ range: 'bytes=10-19' })
    const byParameter = await file({}, { range_header: 'bytes=10-19' })
    const both = await file({ range: 'bytes=0-1' }, { range_header: 'bytes=10-19' })
    const beyond = await file({ range: `bytes=${whole.length + 10}-` })
    expect([
      byHeader.status,
      byHeader.headers.get('content-range'),
      Buffer.from(await byHeader.arrayBuffer()),
      byParameter.status,
      Buffer.from(await byParameter.arrayBuffer()),
      both.status,
      beyond.status,
      beyond.headers.get('content-range'),
    ]).toEqual([
      206,
      `bytes 10-19/${whole.length}`,
      whole.subarray(10, 20),
      206,
      whole.subarray(10, 20),
      400,
      416,
      `bytes */${whole.length}`,
    ])
  })

  test('M1 a file that breaks off never ends cleanly', async () => {
    world.vendor('gong').fail('file', { mode: 'cut', times: 1 })
    const response = await file()
    await expect(response.arrayBuffer()).rejects.toThrow()
  })

  test('a file that cannot be had is a problem, not bytes', async () => {
    world.vendor('gong').fail('file', { mode: 'status', status: 500, times: 10 })
    const response = await file()
    const text = await response.text()
    expect([response.status, response.headers.get('content-type'), text]).toEqual([
      502,
      'application/problem+json; charset=utf-8',
      expect.stringContaining('"code":"upstream_failed"'),
    ])
    expect(createHash('sha256').update(text).digest('hex')).toHaveLength(64)
  })
})

describe('Idempotency-Key on writes', () => {
  const create = (key: string, summary: string) => {
    const params = world.vendor('jira').example('issues.create')
    return run(
      jira,
      'issues',
      'create',
      { ...params, fields: { ...(params['fields'] as object), summary } },
      { headers: { 'idempotency-key': key } },
    )
  }
  const created = () => world.vendor('jira').requests('issues.create').length

  test('the second use gets the stored answer, and nothing is sent', async () => {
    const before = created()
    const first = await create('write-1', 'once')
    const second = await create('write-1', 'once')
    expect([first.status, second.status, created() - before]).toEqual([200, 200, 1])
    expect(second.body).toEqual(first.body)
    expect([
      first.headers.get('idempotent-replayed'),
      second.headers.get('idempotent-replayed'),
    ]).toEqual([null, 'true'])
  })

  test('another body under the same key is 422', async () => {
    await create('write-2', 'one')
    const other = await create('write-2', 'two')
    expect([other.status, other.body]).toEqual([
      422,
      expect.objectContaining({ code: 'idempotency_key_reused' }),
    ])
  })

  test('U10 of 30 equal requests at once one is sent', async () => {
    const before = created()
    const answers = await Promise.all(Array.from({ length: 30 }, () => create('write-3', 'many')))
    const statuses = new Set(answers.map(({ status }) => status))
    expect(created() - before).toBe(1)
    expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true)
  })

  test('an uncertain write is stored as uncertain and never sent again', async () => {
    const before = created()
    world.vendor('jira').fail('issues.create', { mode: 'reset-after-apply', times: 1 })
    const first = await create('write-4', 'lost')
    const second = await create('write-4', 'lost')
    expect([first.status, first.body, second.status, second.body]).toEqual([
      502,
      expect.objectContaining({ outcome: 'uncertain', code: 'upstream_unreachable' }),
      502,
      first.body,
    ])
    expect(created() - before).toBe(1)
  })
})
