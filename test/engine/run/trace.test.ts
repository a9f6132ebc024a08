// Spans as a host's tracer sees them.
import { expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import type { Tracer } from '../../../src/engine/run/trace.ts'
import { sandbox } from '../../../src/sandbox/open-sandbox.ts'

interface Seen {
  readonly name: string
  readonly attributes: Record<string, string | number>
  status: string
  ended: number
}

function recordingTracer(): { readonly tracer: Tracer; readonly spans: Seen[] } {
  const spans: Seen[] = []
  const start = (name: string, attributes: Record<string, string | number> = {}) => {
    const seen: Seen = { name, attributes: { ...attributes }, status: 'ok', ended: 0 }
    spans.push(seen)
    return {
      setAttribute: (key: string, value: string | number) => void (seen.attributes[key] = value),
      setStatus: ({ message }: { message?: string }) => void (seen.status = message ?? ''),
      end: () => void seen.ended++,
    }
  }
  return {
    spans,
    tracer: {
      startSpan: (name, options) => start(name, options?.attributes),
      // A real tracer makes the span the active one meanwhile.
      startActiveSpan: (name, options, run) =>
        run(start(name, options.attributes)) as ReturnType<typeof run>,
    },
  }
}

test('one span per operation, one per attempt, each ended once, no address beyond the host', async () => {
  await using vendor = await sandbox('jira')
  const { tracer, spans } = recordingTracer()
  await using jira = await connect('jira', { ...vendor.options(), tracer })
  vendor.fail('issues.get', { mode: 'status', status: 503 })
  await jira.issues.get({ issueIdOrKey: 'OPS-1' }, { requestId: 'r-1' })
  const attempt = {
    'http.request.method': 'GET',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(vendor.url).port),
    'url.template': '/rest/api/3/issue/{}',
  }
  expect(spans).toEqual([
    {
      name: 'jira issues.get',
      attributes: {
        'tenon.connector_type': 'jira',
        'tenon.entity': 'issues',
        'tenon.action': 'get',
        'tenon.request_id': 'r-1',
      },
      status: 'ok',
      ended: 1,
    },
    {
      name: 'GET /rest/api/3/issue/{}',
      attributes: { ...attempt, 'http.response.status_code': 503, 'error.type': '503' },
      status: '503',
      ended: 1,
    },
    {
      name: 'GET /rest/api/3/issue/{}',
      attributes: { ...attempt, 'http.request.resend_count': 1, 'http.response.status_code': 200 },
      status: 'ok',
      ended: 1,
    },
  ])
})

test('a failed operation carries its code', async () => {
  await using vendor = await sandbox('jira')
  const { tracer, spans } = recordingTracer()
  await using jira = await connect('jira', { ...vendor.options(), tracer })
  await expect(jira.issues.get({ issueIdOrKey: 'NONE-1' })).rejects.toThrow()
  expect(spans[0]).toMatchObject({
    name: 'jira issues.get',
    status: 'upstream_not_found',
    attributes: { 'error.type': 'upstream_not_found' },
    ended: 1,
  })
})
