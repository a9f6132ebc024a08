// Every error code, its meaning for callers, and the one class that carries it.

/** Codes are public: never renamed, only added. */
export type ErrorCode =
  | 'request_malformed'
  | 'operation_unknown'
  | 'params_invalid'
  | 'credentials_invalid'
  | 'config_invalid'
  | 'connector_unknown'
  | 'cursor_invalid'
  | 'redirect_url_refused'
  | 'destination_refused'
  | 'token_invalid'
  | 'client_invalid'
  | 'scope_denied'
  | 'instance_unknown'
  | 'route_unknown'
  | 'oauth_secret_unknown'
  | 'event_unknown'
  | 'webhook_unknown'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'oauth_secret_used'
  | 'oauth_not_configured'
  | 'instance_disabled'
  | 'search_not_ready'
  | 'idempotency_in_flight'
  | 'body_too_large'
  | 'media_type_unsupported'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'upstream_rejected'
  | 'upstream_not_found'
  | 'download_unavailable'
  | 'upstream_conflict'
  | 'upstream_payload_too_large'
  | 'range_not_satisfiable'
  | 'upstream_unprocessable'
  | 'credentials_refused'
  | 'upstream_forbidden'
  | 'reauthorization_required'
  | 'refresh_unknown'
  | 'upstream_rate_limited'
  | 'refresh_failed'
  | 'upstream_unreachable'
  | 'upstream_failed'
  | 'upstream_unexpected'
  | 'upstream_malformed'
  | 'upstream_response_too_large'
  | 'download_empty'
  | 'download_link_refused'
  | 'upstream_suspended'
  | 'connector_version_unavailable'
  | 'overloaded'
  | 'shutting_down'
  | 'store_unavailable'
  | 'search_timeout'
  | 'upstream_timeout'
  | 'deadline_exceeded'
  | 'internal_error'
  | 'search_needs_hosted_mode'
  | 'credentials_not_saved'
  | 'download_interrupted'
  | 'aborted'
  | 'service_unreachable'
  | 'service_malformed'
  | 'error_unknown'
  | 'manifest_invalid'
  | 'webhook_refused'

/** Who has to act: the caller's input, our tokens, the instance or its credentials, the third party, us. */
export type ErrorOrigin = 'request' | 'auth' | 'connector' | 'upstream' | 'service'

/** What is known about the effect of a write. Reads are always `not_applied`. */
export type Outcome = 'not_applied' | 'applied' | 'uncertain'

/** What a code means. `retry`: can the same request succeed later; `reads` = yes unless a write may have happened. */
export interface ErrorRule {
  /** HTTP status of the answer; null where the code never leaves a process as an answer. */
  readonly status: number | null
  readonly origin: ErrorOrigin
  readonly retry: boolean | 'reads'
  readonly title: string
}

/** The table of all codes. Source: the service's HTTP contract, "Errors". */
export const ERRORS: Readonly<Record<ErrorCode, ErrorRule>> = {
  request_malformed: {
    status: 400,
    origin: 'request',
    retry: false,
    title: 'Request is not well-formed',
  },
  operation_unknown: {
    status: 400,
    origin: 'request',
    retry: false,
    title: 'Unknown entity or action',
  },
  params_invalid: {
    status: 400,
    origin: 'request',
    retry: false,
    title: 'Parameters are not valid',
  },
  credentials_invalid: {
    status: 400,
    origin: 'request',
    retry: false,
    title: 'Credentials are not valid',
  },
  config_invalid: { status: 400, origin: 'request', retry: false, title: 'Settings are not valid' },
  connector_unknown: {
    status: 400,
    origin: 'request',
    retry: false,
    title: 'Unknown connector type',
  },
  cursor_invalid: { status: 400, origin: 'request', retry: false, title: 'Cursor is not valid' },
  redirect_url_refused: {
    status: 400,
    origin: 'request',
    retry: false,
    title: 'Redirect address refused',
  },
  destination_refused: {
    status: 400,
    origin: 'request',
    retry: false,
    title: 'Destination refused',
  },
  token_invalid: { status: 401, origin: 'auth', retry: false, title: 'Token is not valid' },
  client_invalid: { status: 401, origin: 'auth', retry: false, title: 'Client is not valid' },
  scope_denied: { status: 403, origin: 'auth', retry: false, title: 'Not allowed for this token' },
  instance_unknown: {
    status: 404,
    origin: 'request',
    retry: false,
    title: 'Unknown connector instance',
  },
  route_unknown: { status: 404, origin: 'request', retry: false, title: 'Unknown route' },
  oauth_secret_unknown: {
    status: 404,
    origin: 'request',
    retry: false,
    title: 'Unknown OAuth secret',
  },
  event_unknown: { status: 404, origin: 'request', retry: false, title: 'Unknown event' },
  webhook_unknown: { status: 404, origin: 'request', retry: false, title: 'Unknown webhook' },
  method_not_allowed: { status: 405, origin: 'request', retry: false, title: 'Method not allowed' },
  request_timeout: {
    status: 408,
    origin: 'request',
    retry: true,
    title: 'Request took too long to arrive',
  },
  oauth_secret_used: {
    status: 409,
    origin: 'request',
    retry: false,
    title: 'OAuth secret was used before',
  },
  oauth_not_configured: {
    status: 409,
    origin: 'service',
    retry: false,
    title: 'OAuth is not configured',
  },
  instance_disabled: {
    status: 409,
    origin: 'connector',
    retry: false,
    title: 'Connector instance is disabled',
  },
  search_not_ready: {
    status: 409,
    origin: 'connector',
    retry: true,
    title: 'Nothing is synchronized yet',
  },
  idempotency_in_flight: {
    status: 409,
    origin: 'request',
    retry: true,
    title: 'First request still runs',
  },
  body_too_large: { status: 413, origin: 'request', retry: false, title: 'Body is too large' },
  media_type_unsupported: {
    status: 415,
    origin: 'request',
    retry: false,
    title: 'Media type not supported',
  },
  idempotency_key_reused: {
    status: 422,
    origin: 'request',
    retry: false,
    title: 'Idempotency key used for another request',
  },
  rate_limited: { status: 429, origin: 'service', retry: true, title: 'Too many requests' },
  upstream_rejected: {
    status: 400,
    origin: 'upstream',
    retry: false,
    title: 'Third party rejected the request',
  },
  upstream_not_found: {
    status: 404,
    origin: 'upstream',
    retry: false,
    title: 'Not found at the third party',
  },
  download_unavailable: {
    status: 404,
    origin: 'upstream',
    retry: false,
    title: 'Nothing to download',
  },
  upstream_conflict: {
    status: 409,
    origin: 'upstream',
    retry: false,
    title: 'Conflict at the third party',
  },
  upstream_payload_too_large: {
    status: 413,
    origin: 'upstream',
    retry: false,
    title: 'Too large for the third party',
  },
  range_not_satisfiable: {
    status: 416,
    origin: 'upstream',
    retry: false,
    title: 'Range lies outside the file',
  },
  upstream_unprocessable: {
    status: 422,
    origin: 'upstream',
    retry: false,
    title: 'Third party cannot process the request',
  },
  credentials_refused: {
    status: 424,
    origin: 'connector',
    retry: false,
    title: 'Credentials were refused',
  },
  upstream_forbidden: {
    status: 424,
    origin: 'connector',
    retry: false,
    title: 'Permission missing at the third party',
  },
  reauthorization_required: {
    status: 424,
    origin: 'connector',
    retry: false,
    title: 'The user must connect again',
  },
  refresh_unknown: {
    status: 424,
    origin: 'connector',
    retry: true,
    title: 'The answer to a token refresh was lost',
  },
  upstream_rate_limited: {
    status: 429,
    origin: 'upstream',
    retry: true,
    title: 'Rate limit of the third party',
  },
  refresh_failed: {
    status: 502,
    origin: 'upstream',
    retry: true,
    title: 'Token could not be refreshed',
  },
  upstream_unreachable: {
    status: 502,
    origin: 'upstream',
    retry: 'reads',
    title: 'Third party not reachable',
  },
  upstream_failed: { status: 502, origin: 'upstream', retry: 'reads', title: 'Third party failed' },
  upstream_unexpected: {
    status: 502,
    origin: 'upstream',
    retry: false,
    title: 'Unexpected answer of the third party',
  },
  upstream_malformed: {
    status: 502,
    origin: 'upstream',
    retry: false,
    title: 'Unreadable answer of the third party',
  },
  upstream_response_too_large: {
    status: 502,
    origin: 'upstream',
    retry: false,
    title: 'Answer of the third party is too large',
  },
  download_empty: { status: 502, origin: 'upstream', retry: true, title: 'The file is empty' },
  download_link_refused: {
    status: 502,
    origin: 'upstream',
    retry: true,
    title: 'The link to the file was refused or has expired',
  },
  upstream_suspended: {
    status: 503,
    origin: 'upstream',
    retry: true,
    title: 'Third party is suspended after failures',
  },
  connector_version_unavailable: {
    status: 503,
    origin: 'service',
    retry: true,
    title: 'Connector version not loaded',
  },
  overloaded: { status: 503, origin: 'service', retry: true, title: 'Overloaded' },
  shutting_down: { status: 503, origin: 'service', retry: true, title: 'Shutting down' },
  store_unavailable: { status: 503, origin: 'service', retry: true, title: 'Store not available' },
  search_timeout: { status: 503, origin: 'service', retry: true, title: 'Search took too long' },
  upstream_timeout: {
    status: 504,
    origin: 'upstream',
    retry: 'reads',
    title: 'Third party took too long',
  },
  deadline_exceeded: {
    status: 504,
    origin: 'service',
    retry: true,
    title: 'Deadline passed before anything was sent',
  },
  internal_error: { status: 500, origin: 'service', retry: false, title: 'Internal error' },
  search_needs_hosted_mode: {
    status: 400,
    origin: 'request',
    retry: false,
    title: 'Search needs hosted mode',
  },
  credentials_not_saved: {
    status: 503,
    origin: 'connector',
    retry: false,
    title: 'New credentials could not be saved',
  },
  download_interrupted: {
    status: null,
    origin: 'upstream',
    retry: true,
    title: 'Download broke off',
  },
  aborted: { status: 499, origin: 'request', retry: true, title: 'Aborted by the caller' },
  service_unreachable: {
    status: null,
    origin: 'service',
    retry: 'reads',
    title: 'Service not reachable',
  },
  service_malformed: {
    status: null,
    origin: 'service',
    retry: 'reads',
    title: 'Unreadable answer of the service',
  },
  error_unknown: {
    status: null,
    origin: 'service',
    retry: false,
    title: 'Unknown error of a newer service',
  },
  manifest_invalid: {
    status: null,
    origin: 'connector',
    retry: false,
    title: 'Manifest is not valid',
  },
  webhook_refused: {
    status: null,
    origin: 'request',
    retry: false,
    title: 'Webhook is not from the sender it names',
  },
}

/** One of several problems of one request or document. `pointer` is a JSON pointer into the request (`/params/maxResults`). */
export interface Problem {
  readonly pointer: string
  readonly code: string
  readonly detail: string
  /** The values or names that would have been accepted. */
  readonly allowed?: readonly unknown[]
}

/** What the third party answered: never more than 2 KiB of body, secrets masked. */
export interface UpstreamExcerpt {
  readonly status: number | null
  readonly requestId: string | null
  readonly body: string | null
}

/** One upstream call of an operation that consists of several. */
export interface StepReport {
  readonly step: number
  readonly name: string
  readonly outcome: Outcome
  readonly upstream?: UpstreamExcerpt
}

export interface ConnectorErrorOptions {
  readonly outcome?: Outcome
  /** Overrides what the code says, for a failure that is known to be different. */
  readonly retryable?: boolean
  /** How long to wait before the same request can succeed, in milliseconds. */
  readonly retryAfterMs?: number
  readonly errors?: readonly Problem[]
  readonly upstream?: UpstreamExcerpt
  readonly steps?: readonly StepReport[]
  readonly requestId?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
  /** What could not be saved, for `credentials_not_saved`. */
  readonly unsaved?: UnsavedCredentials
}

/** New credentials, and the settings to give with them. */
export interface UnsavedCredentials {
  readonly credentials: Readonly<Record<string, unknown>>
  readonly config: Readonly<Record<string, unknown>>
}

const BRAND: unique symbol = Symbol.for('tenon.ConnectorError') as never

/**
 * The one error class of Tenon: `code` for machines, `message` for people, `details` for data.
 *
 * Neither message nor details ever hold credentials. `retryable` says whether the same call can succeed later;
 * `outcome` what is known about a write.
 */
export class ConnectorError extends Error {
  readonly code: ErrorCode
  readonly status: number | null
  readonly origin: ErrorOrigin
  readonly retryable: boolean
  readonly retryAfterMs: number | null
  readonly outcome: Outcome
  readonly errors: readonly Problem[]
  readonly upstream: UpstreamExcerpt | null
  readonly steps: readonly StepReport[] | null
  readonly requestId: string | null
  readonly details: Readonly<Record<string, unknown>>
  /** On `credentials_not_saved`: the new credentials, to be saved by hand. In no log: neither JSON nor inspect shows them. */
  declare readonly credentials?: Readonly<Record<string, unknown>>
  /** On `credentials_not_saved`: the settings to give with them. As hidden as they are. */
  declare readonly config?: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, options: ConnectorErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    const rule = ERRORS[code]
    this.name = 'ConnectorError'
    this.code = code
    this.status = rule.status
    this.origin = rule.origin
    this.outcome = options.outcome ?? 'not_applied'
    // Repeating what may have been done can do it twice, whatever the code is.
    this.retryable = options.retryable ?? (rule.retry !== false && this.outcome === 'not_applied')
    this.retryAfterMs = options.retryAfterMs ?? null
    this.errors = options.errors ?? []
    this.upstream = options.upstream ?? null
    this.steps = options.steps ?? null
    this.requestId = options.requestId ?? null
    this.details = options.details ?? {}
    Object.defineProperty(this, BRAND, { value: true })
    const { unsaved } = options
    if (unsaved !== undefined) {
      Object.defineProperties(this, {
        credentials: { get: () => unsaved.credentials },
        config: { get: () => unsaved.config },
      })
    }
  }

  /** The error as plain data, without stack and cause: safe to print and to send. */
  toJSON(): Record<string, unknown> {
    const {
      code,
      message,
      status,
      origin,
      retryable,
      retryAfterMs,
      outcome,
      errors,
      upstream,
      steps,
      requestId,
      details,
    } = this
    return {
      code,
      message,
      status,
      origin,
      retryable,
      retryAfterMs,
      outcome,
      errors,
      upstream,
      steps,
      requestId,
      details,
    }
  }
}

/** Tells a ConnectorError from other values, also one of another copy of this package; with a code, that code only. */
export function isConnectorError<C extends ErrorCode>(
  value: unknown,
  code?: C,
): value is ConnectorError & { readonly code: C } {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { [BRAND]?: unknown })[BRAND] === true &&
    (code === undefined || (value as ConnectorError).code === code)
  )
}

/** What is known of a write by two reports of it: what was applied or may have been stays so. */
export function combineOutcomes(first: Outcome, second: Outcome): Outcome {
  if (first === 'applied' || second === 'applied') return 'applied'
  return first === 'uncertain' ? first : second
}

/** The error with an outcome that is not milder than `outcome`: for a failure behind a request that may have left. */
export function raiseOutcome(error: ConnectorError, outcome: Outcome): ConnectorError {
  const combined = combineOutcomes(error.outcome, outcome)
  return combined === error.outcome ? error : amendError(error, { outcome: combined })
}

/** The same error with some of its facts replaced: for whoever knows more than the place that threw it. */
export function amendError(
  error: ConnectorError,
  changes: ConnectorErrorOptions & { readonly message?: string },
): ConnectorError {
  const amended = new ConnectorError(error.code, changes.message ?? error.message, {
    outcome: changes.outcome ?? error.outcome,
    // Another outcome decides it again.
    ...(changes.outcome === undefined || changes.outcome === error.outcome
      ? { retryable: error.retryable }
      : {}),
    ...(error.retryAfterMs === null ? {} : { retryAfterMs: error.retryAfterMs }),
    errors: error.errors,
    ...(error.upstream === null ? {} : { upstream: error.upstream }),
    ...(error.steps === null ? {} : { steps: error.steps }),
    ...(error.requestId === null ? {} : { requestId: error.requestId }),
    cause: error.cause,
    ...(error.credentials === undefined
      ? {}
      : { unsaved: { credentials: error.credentials, config: error.config ?? {} } }),
    ...changes,
    details: { ...error.details, ...changes.details },
  })
  if (error.stack !== undefined) amended.stack = error.stack
  return amended
}
