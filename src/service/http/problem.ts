// Errors as the wire shows them: application/problem+json (RFC 9457) with our members.
import {
  amendError,
  ConnectorError,
  ERRORS,
  isConnectorError,
  type UpstreamExcerpt,
} from '../../errors.ts'

export interface ProblemReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * The answer for an error. Anything that is no ConnectorError is a fault of ours and says nothing more than that.
 * Source: docs/reference/errors.md.
 */
export function problemOf(thrown: unknown, requestId: string): ProblemReply {
  const error = publicError(thrown)
  const rule = ERRORS[error.code]
  const status = rule.status ?? 500
  const retryAfterMs = error.retryAfterMs
  const { upstream } = error
  return {
    status,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(retryAfterMs === null ? {} : { 'retry-after': String(secondsUp(retryAfterMs)) }),
      ...headersIn(error),
    },
    body: {
      type: `urn:tenon:problem:${error.code}`,
      title: rule.title,
      status,
      detail: error.message,
      code: error.code,
      origin: error.origin,
      retryable: error.retryable,
      retry_after_ms: retryAfterMs,
      outcome: error.outcome,
      errors: error.errors,
      ...(error.steps === null
        ? {}
        : {
            steps: error.steps.map(({ step, name, outcome, upstream: answered }) => ({
              step,
              name,
              outcome,
              ...(answered === undefined ? {} : { upstream: excerptOf(answered) }),
            })),
          }),
      upstream: upstream === null ? null : excerptOf(upstream),
      request_id: requestId,
    },
  }
}

/** Whole seconds, rounded up, at least one: a client that waits exactly so long never comes too early. */
export function secondsUp(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}

/** Always have a Retry-After, also where the place that threw knew no time. */
export const WAITS: ReadonlySet<string> = new Set([
  'rate_limited',
  'upstream_rate_limited',
  'overloaded',
  'shutting_down',
  'store_unavailable',
  'upstream_suspended',
  'connector_version_unavailable',
  'search_timeout',
  'search_not_ready',
  'idempotency_in_flight',
  'refresh_unknown',
])

function publicError(thrown: unknown): ConnectorError {
  if (!isConnectorError(thrown) || ERRORS[thrown.code].status === null) {
    return new ConnectorError(
      'internal_error',
      'the service failed; the request id finds the reason in its log',
      { outcome: 'uncertain', cause: thrown },
    )
  }
  if (thrown.retryAfterMs !== null || !WAITS.has(thrown.code)) return thrown
  return amendError(thrown, { retryAfterMs: 1000 })
}

function headersIn({ code, details }: ConnectorError): Record<string, string> {
  const allow = details['allow']
  if (code === 'method_not_allowed' && typeof allow === 'string') return { allow }
  const range = details['contentRange']
  if (code === 'range_not_satisfiable' && typeof range === 'string')
    return { 'content-range': range }
  return {}
}

function excerptOf({ status, requestId, body }: UpstreamExcerpt): object {
  return { status, request_id: requestId, body }
}
