// A request of the caller's own making on one instance: rights, state, places, the engine, and the entry in the audit log.
import { ConnectorError } from '../errors.ts'
import type { RawAnswer, RawRequest } from '../engine/run/raw-request.ts'
import { isReading } from '../engine/run/reading-methods.ts'
import { own } from '../language/json/own.ts'
import { isJsonObject } from '../language/json/members.ts'
import { runAudited } from './audited-run.ts'
import { bodyText } from './body-text.ts'
import type { ExecutePorts } from './execute.ts'
import { requireUsable } from './instances/states.ts'
import { instanceIdIn, type ServiceReply, type ServiceRequest } from './route.ts'
import { requireRequests } from './tokens/principal.ts'

/** The file of a form that is the body. */
export const BODY_PART = 'body'
const UPSTREAM_STATUS = 'tenon-upstream-status'
const UPSTREAM_HEADERS = 'tenon-upstream-headers'

/** Clients bound the head of an answer; what of the vendor's headers goes beyond this is left out. */
const MAX_HEADERS = 8192
const BODIES = ['json', 'text', 'base64'] as const

export type RawRequestPorts = Pick<
  ExecutePorts,
  'clock' | 'rows' | 'gate' | 'streams' | 'connections' | 'states' | 'store' | 'records' | 'observe'
>

/** Sends the request that a body describes. Source: docs/host-apps.md, "Send your own request". */
export async function sendRawRequest(
  ports: RawRequestPorts,
  request: ServiceRequest,
): Promise<ServiceReply> {
  const { clock, rows, connections, streams, states, records } = ports
  const { principal } = request
  const startedAt = clock.monotonic()
  // What somebody else has is unknown, whatever may be done with it.
  const row = await rows.get(principal, instanceIdIn(request))
  requireRequests(principal)
  request.note({ connector_id: row.id, connector_type: row.connectorType })
  request.about(row)
  const raw = rawRequestIn(request)
  requireUsable(row)
  const connection = await connections.of(row)
  const observe = (code: string | null, upstreamRequests: number): void =>
    ports.observe({
      connectorType: row.connectorType,
      entity: '*',
      action: 'request',
      code,
      tookMs: clock.monotonic() - startedAt,
      upstreamRequests,
    })
  const key = request.header('idempotency-key')
  return await runAudited(ports, request, {
    row,
    action: 'request',
    target: targetOf(raw),
    operation: 'request',
    isWrite: !isReading(raw.method),
    endsAtMs: startedAt + request.timeoutMs,
    async work(settings) {
      const leaveStreams = streams.enter(connection, row.organizationId)
      try {
        const answer = await connection.engine.raw(raw, {
          ...settings,
          ...(key === undefined ? {} : { idempotencyKey: key }),
        })
        answer.body.once('close', leaveStreams)
        request.note({ upstream_requests: answer.requests })
        observe(null, answer.requests)
        return { value: replyOf(answer), outcome: `status ${answer.status}` }
      } catch (error) {
        leaveStreams()
        throw error
      }
    },
    async onFailure(error, facts) {
      await records.attempt(facts, () => states.failed(row, connection, error, request.requestId))
      observe(error.code, 0)
    },
  })
}

/** What the body describes. Throws `request_malformed`. */
function rawRequestIn({ body, files: { given } }: ServiceRequest): RawRequest {
  const { query, headers } = body
  const method = own(body, 'method')
  return {
    method: typeof method === 'string' ? method : 'GET',
    path: bodyText(body, 'path'),
    // The schema of the route lets scalars and lists of them pass, and texts.
    ...(isJsonObject(query) ? { query: query as NonNullable<RawRequest['query']> } : {}),
    ...(isJsonObject(headers) ? { headers: headers as Readonly<Record<string, string>> } : {}),
    body: contentIn(body, given),
  }
}

function contentIn(
  body: ServiceRequest['body'],
  files: ServiceRequest['files']['given'],
): NonNullable<RawRequest['body']> | null {
  const names = [
    ...BODIES.filter((name) => own(body, name) !== undefined),
    ...Object.keys(files).map((name) => `the part ${name}`),
  ]
  if (names.length > 1) throw malformed(`${names.join(' and ')} exclude each other; give one`)
  const [part] = Object.keys(files)
  if (part !== undefined && part !== BODY_PART)
    throw malformed(`a form brings one part next to the operation, which is called ${BODY_PART}`)
  const file = files[BODY_PART]
  if (file !== undefined) return { type: file.type ?? 'application/octet-stream', content: file }
  const { json, text, base64 } = body
  if (json !== undefined) return { type: 'application/json', content: JSON.stringify(json) }
  if (typeof text === 'string') return { type: 'text/plain; charset=utf-8', content: text }
  if (typeof base64 !== 'string') return null
  return { type: 'application/octet-stream', content: Buffer.from(base64, 'base64') }
}

function malformed(message: string): ConnectorError {
  return new ConnectorError('request_malformed', message)
}

/**
 * The answer of the third party, whatever its status, as a file: status and headers stand apart, so that none of them means
 * anything to a browser or a proxy on the way, and none is taken for ours.
 */
function replyOf({ status, headers, body }: RawAnswer): ServiceReply {
  const type = headers['content-type'] ?? 'application/octet-stream'
  const length = headers['content-length']
  return {
    status: 200,
    headers: {
      'content-type': type,
      ...(length === undefined ? {} : { 'content-length': length }),
      'content-disposition': 'attachment',
      [UPSTREAM_STATUS]: String(status),
      [UPSTREAM_HEADERS]: headerText(headers),
    },
    content: body,
  }
}

/** One JSON object in ASCII. */
function headerText(headers: RawAnswer['headers']): string {
  const kept: Record<string, string> = {}
  let length = 2
  for (const [name, value] of Object.entries(headers)) {
    length += name.length + value.length + 6
    if (length > MAX_HEADERS) break
    kept[name] = value
  }
  return JSON.stringify(kept).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'),
  )
}

/** Method and path, without the query. */
function targetOf({ method, path }: RawRequest): string {
  const [front = ''] = path.split('?')
  return `${method.toUpperCase()} ${front}`
}
