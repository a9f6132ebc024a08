// Failures on demand as a client meets them, before and after the effect.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadManifest, requireManifest } from '../../src/language/manifest/load.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { textOf } from '../../src/sandbox/wire/same-scalar.ts'

const manifest = requireManifest(
  loadManifest({
    file: 'acme.yaml',
    text: `
manifest: 1
connector: { type: acme, title: Acme, version: 1.0.0 }
server: { url: https://api.acme.example }
auth:
  key:
    credentials: { required: [api_key], properties: { api_key: { type: string, writeOnly: true } } }
    apply: { bearer: "{{ credentials.api_key }}" }
check: { request: { http: GET /me } }
limits: { rate: 2/s }
defaults: { error_body: { message: "{{ response.body.error.text }}" } }
entities:
  lists:
    record: { properties: { id: { type: integer }, name: { type: string } } }
    actions:
      list: { request: { http: GET /lists }, response: { records: $.lists }, pagination: { type: none, reason: All at once. } }
      create: { params: { required: [name], properties: { name: { type: string } } }, request: { http: POST /lists, body: [name] } }
`,
  }),
)

let vendor: Sandbox
beforeEach(async () => {
  vendor = await createSandbox(manifest)
})
afterEach(() => vendor.close())

function create(signal?: AbortSignal): Promise<Response> {
  return fetch(`${vendor.url}/lists`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${textOf(vendor.options().credentials['api_key'])}`,
      'content-type': 'application/json',
    },
    body: '{"name":"Shopping"}',
    ...(signal === undefined ? {} : { signal }),
  })
}
type Response = Awaited<ReturnType<typeof fetch>>

test.for([
  { mode: 'status', applied: 0, status: 503, body: '{"error":{"text":"The service failed"}}' },
  {
    mode: 'status-after-apply',
    applied: 1,
    status: 503,
    body: '{"error":{"text":"The service failed"}}',
  },
  { mode: 'rate-limited', applied: 0, status: 429, body: '{"error":{"text":"Too many requests"}}' },
  { mode: 'malformed', applied: 1, status: 201, body: '{"id":1057,"na' },
] as const)(
  '$mode answers $status; the effect happened $applied times',
  async ({ mode, applied, status, body }) => {
    vendor.fail('lists.create', { mode })
    const response = await create()
    expect([response.status, await response.text()]).toEqual([status, body])
    expect(vendor.records('lists')).toHaveLength(57 + applied)
    expect((await create()).status).toBe(201)
  },
)

test('a page of HTML comes instead of the answer', async () => {
  vendor.fail('lists.create', { mode: 'html' })
  const response = await create()
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ])
  expect(vendor.records('lists')).toHaveLength(57)
})

test.for([
  { mode: 'reset', applied: 0 },
  { mode: 'reset-after-apply', applied: 1 },
] as const)(
  '$mode breaks the connection; the effect happened $applied times',
  async ({ mode, applied }) => {
    vendor.fail('lists.create', { mode })
    await expect(create()).rejects.toThrow('fetch failed')
    expect(vendor.records('lists')).toHaveLength(57 + applied)
    expect(vendor.requests('lists.create').map(({ status }) => status)).toEqual([null])
  },
)

test.for([
  { mode: 'hang', applied: 0 },
  { mode: 'hang-after-apply', applied: 1 },
] as const)(
  '$mode never answers; the effect happened $applied times',
  async ({ mode, applied }) => {
    vendor.fail('lists.create', { mode })
    const leaving = new AbortController()
    const hanging = create(leaving.signal)
    hanging.catch(() => {}) // Seen below.
    await expect.poll(() => vendor.requests('lists.create')).toHaveLength(1)
    leaving.abort()
    await expect(hanging).rejects.toThrow(/aborted/)
    expect(vendor.records('lists')).toHaveLength(57 + applied)
  },
)

test('a body may end early, and an answer come late', async () => {
  vendor.fail('lists.create', { mode: 'cut', bytes: 5 })
  const response = await create()
  expect(response.status).toBe(201)
  await expect(response.text()).rejects.toThrow(/terminated|aborted/)
  vendor.fail('lists.create', { mode: 'delay', delayMs: 80 })
  const before = performance.now()
  expect((await create()).status).toBe(201)
  expect(performance.now() - before).toBeGreaterThan(70)
})

test('a fault brings its own status, headers and body', async () => {
  vendor.fail('lists.create', {
    mode: 'status',
    status: 500,
    body: '{"x":1}',
    headers: { 'x-reason': 'test' },
    times: 2,
  })
  for (const _ of [1, 2]) {
    const response = await create()
    expect([response.status, response.headers.get('x-reason'), await response.text()]).toEqual([
      500,
      'test',
      '{"x":1}',
    ])
  }
  vendor.fail('lists.create', { mode: 'rate-limited', retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT' })
  expect((await create()).headers.get('retry-after')).toBe('Wed, 21 Oct 2026 07:28:00 GMT')
})

test('rate limits of the manifest are enforced when asked for', async () => {
  await vendor.close()
  vendor = await createSandbox(manifest, null, { rateLimits: true })
  const replies = [await create(), await create(), await create()]
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 429])
  expect(replies[2]?.headers.get('retry-after')).toBe('1')
  expect(vendor.records('lists')).toHaveLength(59)
})

test('closing ends what hangs', async () => {
  vendor.fail('*', { mode: 'hang' })
  const hanging = create()
  hanging.catch(() => {}) // Seen below.
  await expect.poll(() => vendor.requests('lists.create')).toHaveLength(1)
  await vendor.close()
  await expect(hanging).rejects.toThrow()
})
