import { expect, test } from 'vitest'
import type { UpstreamRequest } from '../../src/engine/request/upstream-request.ts'
import { openTelemetry } from '../../src/hosting/open-telemetry.ts'
import { runService } from '../fixtures/running-service.ts'
import { runModule } from '../package/fresh-process.ts'
import { type RecordedSpan, recordingTracer } from './recording-tracer.ts'

const { tracer, spans } = recordingTracer()
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

function childrenOf(parent: RecordedSpan, all: readonly RecordedSpan[]): readonly RecordedSpan[] {
  return all.filter(({ parentId }) => parentId === parent.spanId)
}

test('one trace leads from the request of a caller to the store and to the third party', async () => {
  await using running = await runService({ tracer })
  const id = await running.connect('gong')
  spans.length = 0
  const answer = await running.call(
    'POST',
    `/api/v1/connectors/sources/${id}/execute`,
    { entity: 'users', action: 'list', params: {} },
    { headers: { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'request-7' } },
  )
  expect(answer.status).toBe(200)
  const seen = spans.filter(({ traceId }) => traceId === TRACE)
  const [request, ...more] = seen.filter(({ parentId }) => parentId === PARENT)
  expect(more).toEqual([])
  expect(request).toMatchObject({
    name: 'POST /api/v1/connectors/sources/{connector_id}/execute',
    kind: 'SERVER',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/v1/connectors/sources/{connector_id}/execute',
      'http.response.status_code': 200,
      'tenon.request_id': 'request-7',
    },
    status: 'unset',
  })
  if (request === undefined) return
  const below = childrenOf(request, seen)
  expect(below.map(({ name }) => name)).toContain('gong users.list')
  const operation = below.find(({ name }) => name === 'gong users.list')
  expect(operation).toMatchObject({
    kind: 'INTERNAL',
    attributes: {
      'tenon.connector_type': 'gong',
      'tenon.entity': 'users',
      'tenon.action': 'list',
      'tenon.request_id': 'request-7',
    },
  })
  if (operation === undefined) return
  const port = Number(new URL(running.vendor('gong').url).port)
  expect(childrenOf(operation, seen).filter(({ name }) => !name.startsWith('store'))).toMatchObject(
    [
      {
        name: 'GET',
        kind: 'CLIENT',
        attributes: {
          'http.request.method': 'GET',
          'server.address': '127.0.0.1',
          'server.port': port,
          'http.response.status_code': 200,
        },
      },
    ],
  )
  expect(seen.every(({ ended }) => ended === 1)).toBe(true)
  expect(
    running.lines.find(({ facts }) => facts['request_id'] === 'request-7')?.facts,
  ).toMatchObject({ trace_id: TRACE, route: 'execute' })
})

test('calls of the store are below the request that made them', async () => {
  await using running = await runService({ tracer })
  spans.length = 0
  await running.call('GET', '/v1/integrations/connectors')
  const request = spans.find(({ kind }) => kind === 'SERVER')
  const [listed] = spans.filter(({ name }) => name === 'store instances.list')
  expect(listed).toMatchObject({
    kind: 'CLIENT',
    parentId: request?.spanId,
    attributes: { 'db.system.name': 'sqlite', 'db.operation.name': 'instances.list' },
    ended: 1,
  })
})

test('K5 no parameter, address or secret is in a span', async () => {
  await using running = await runService({ tracer })
  spans.length = 0
  const id = await running.connect('jira')
  await running.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
    entity: 'issues',
    action: 'api_search',
    params: { jql: 'summary ~ canary' },
  })
  const text = JSON.stringify(spans)
  expect(text).toContain('jira issues.api_search')
  for (const secret of ['canary', 'demo-api-token', 'maren.osterloh', running.token, '/rest/api'])
    expect(text).not.toContain(secret)
})

test('K5 a request to a third party goes out as it was, without the trace', async () => {
  const sent: unknown[] = []
  const telemetry = await openTelemetry(tracer)
  const transport = telemetry.transport({
    async send(...given) {
      sent.push(given)
      return { status: 200, headers: {}, url: given[0].url, body: Buffer.alloc(0) }
    },
    stream: () => Promise.reject(new Error('not asked')),
    close: async () => {},
  })
  const request: UpstreamRequest = {
    method: 'GET',
    url: 'https://api.acme.example/v1/customers?key=canary',
    headers: { accept: 'application/json' },
    body: null,
    redirects: 0,
    timeoutMs: 1000,
    secretHeaders: [],
    secretQuery: ['key'],
  }
  await tracer.startActiveSpan('caller', {}, () => transport.send(request))
  expect(sent).toEqual([[request, undefined]])
  expect(spans.at(-1)?.attributes).toEqual({
    'http.request.method': 'GET',
    'server.address': 'api.acme.example',
    'http.response.status_code': 200,
  })
})

test('failures are marked by their codes; a mistake of the caller is no failure of the service', async () => {
  await using running = await runService({ tracer })
  const id = await running.connect('gong')
  spans.length = 0
  const path = `/api/v1/connectors/sources/${id}/execute`
  await running.call('POST', path, { entity: 'users', action: 'none' })
  await running.call('GET', '/v1/nothing')
  const [mistaken, lost] = spans.filter(({ kind }) => kind === 'SERVER')
  expect(mistaken).toMatchObject({
    status: 'unset',
    attributes: { 'http.response.status_code': 400, 'tenon.code': 'operation_unknown' },
  })
  expect(lost).toMatchObject({ name: 'GET', attributes: { 'tenon.code': 'route_unknown' } })
})

test('work without a request leaves no spans of its own', async () => {
  await using running = await runService({ tracer })
  spans.length = 0
  await running.service.store.applications.count()
  expect(spans).toEqual([])
})

test('a service without a destination loads no SDK, and nothing of its own for it', async () => {
  const { code, out, err } = await runModule(`
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load(url, context, next) {
      // The metrics bring the API along, which does nothing by itself.
      if (/@opentelemetry\\/(?!api\\/)/.test(url)) loaded.push(url)
      return next(url, context)
    } })
    const { startTelemetry } = await import('./src/hosting/start-telemetry.ts')
    console.log(JSON.stringify((await startTelemetry({ OTEL_SERVICE_NAME: 'x' }, '1')).options))
    await import('./src/hosting/index.ts')
    console.log(JSON.stringify(loaded))`)
  expect({ code, out, err }).toEqual({ code: 0, out: '{}\n[]\n', err: '' })
})
