// A third party that plays prepared answers and keeps what it was sent, and a clock that never waits.
import { Readable } from 'node:stream'
import { ConnectorError } from '../../src/errors.ts'
import type { Clock } from '../../src/engine/exchange/clock.ts'
import type { Transport, UpstreamHead } from '../../src/engine/exchange/transport.ts'
import type { UpstreamRequest } from '../../src/engine/request/upstream-request.ts'
import type { ExpectedRequest, ScriptedAnswer } from './case-file.ts'
import { bytesIn } from '../fixtures/sent-bytes.ts'

/** Headers that decide what a request means; the others (user agent, encodings) are the transport's affair. */
const HEADERS_THAT_MATTER = ['accept', 'authorization', 'content-type', 'range']

/** One request as the cases write it, with nothing left out. */
export interface ComparableRequest {
  readonly send: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** How many redirects it may follow; left out for none. */
  readonly redirects?: number
}

export interface ScriptedUpstream {
  readonly transport: Transport
  readonly requests: readonly ComparableRequest[]
  /** How many answers were not asked for. */
  left(): number
}

/**
 * A transport that answers from `answers`, in order. `repeat` answers everything once they are used up; without it a
 * further request is an error.
 */
export function scriptUpstream(
  answers: readonly ScriptedAnswer[],
  repeat?: ScriptedAnswer,
): ScriptedUpstream {
  const waiting = [...answers]
  const requests: ComparableRequest[] = []

  function answer(request: UpstreamRequest): UpstreamHead & { readonly body: Buffer } {
    requests.push(comparable(request))
    const next = waiting.shift() ?? repeat
    if (next === undefined) throw new Error(`one request too many: ${requests.at(-1)?.send}`)
    if (next.fails !== undefined) throw failure(next.fails)
    const { status = 200, headers = {} } = next
    const json = next.text === undefined && next.body !== undefined
    return {
      status,
      headers: { ...(json || next.text !== undefined ? JSON_TYPE : {}), ...headers },
      url: request.url,
      body: Buffer.from(json ? JSON.stringify(next.body) : (next.text ?? '')),
    }
  }

  return {
    requests,
    left: () => waiting.length,
    transport: {
      send: async (request) => answer(request),
      stream: async (request) => {
        const { body, ...head } = answer(request)
        return { ...head, body: Readable.from(body.length === 0 ? [] : [body]) }
      },
      close: async () => {},
    },
  }
}

const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

function failure(kind: 'connect' | 'reset' | 'timeout'): ConnectorError {
  const code = kind === 'timeout' ? 'upstream_timeout' : 'upstream_unreachable'
  const sent = kind !== 'connect'
  return new ConnectorError(code, `scripted ${kind}`, {
    details: { sent, phase: sent ? 'head' : 'connect' },
  })
}

function comparable(sent: UpstreamRequest): ComparableRequest {
  const { method, url, headers, body, redirects } = sent
  const request = {
    send: `${method} ${url}`,
    ...(redirects === 0 ? {} : { redirects }),
    headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => HEADERS_THAT_MATTER.includes(name)),
    ),
  }
  if (body === null) return request
  const text = typeof body === 'string' ? body : bytesIn(body).toString('utf8')
  const type = headers['content-type'] ?? ''
  const form = formIn(text, type)
  if (form === null) return { ...request, body: JSON.parse(text) as unknown }
  // Boundaries are made of what stands between them.
  const plain = { ...request.headers, 'content-type': type.replace(/;.*$/, '') }
  return { ...request, headers: plain, form }
}

/** The members of a form, or the parts of a multipart one; null: the content type is neither. */
export function formIn(text: string, type: string): Readonly<Record<string, string>> | null {
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text))
  if (!type.startsWith('multipart/form-data')) return null
  const parts = text.matchAll(/name="([^"]*)"[^]*?\r\n\r\n([^]*?)\r\n--/g)
  return Object.fromEntries([...parts].map(([, name = '', value = '']) => [name, value]))
}

/** Fills in what a case leaves out: the headers of its connection, and the content type beside a body. */
export function completeRequest(
  expected: ExpectedRequest,
  headers: Readonly<Record<string, string>>,
): ComparableRequest {
  if (typeof expected === 'string') return { send: expected, headers }
  const type =
    expected.form !== undefined ? FORM_TYPE : expected.body === undefined ? {} : JSON_TYPE
  return { ...expected, headers: expected.headers ?? { ...headers, ...type } }
}

/** A clock on which waits take no time, and deadlines (anything over half a minute) never come. */
export function createPatientClock(): Clock {
  let now = Date.UTC(2026, 3, 1)
  return {
    now: () => now,
    monotonic: () => now,
    sleep: async (ms, signal) => {
      if (ms > 30_000) return await untilAborted(signal)
      now += ms
    },
    random: () => 0.5,
  }
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
