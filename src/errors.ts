// Every error code, its meaning for callers, and the one class that carries it.

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

type Row = readonly [ErrorRule['status'], ErrorOrigin, ErrorRule['retry'], string]

/** The rows of the table: status, origin, retry, title. Codes are public: never renamed, only added. */
const ROWS = {
  request_malformed: [400, 'request', false, 'Request is not well-formed'],
  operation_unknown: [400, 'request', false, 'Unknown entity or action'],
  params_invalid: [400, 'request', false, 'Parameters are not valid'],
  credentials_invalid: [400, 'request', false, 'Credentials are not valid'],
  config_invalid: [400, 'request', false, 'Settings are not valid'],
  connector_unknown: [400, 'request', false, 'Unknown connector type'],
  cursor_invalid: [400, 'request', false, 'Cursor is not valid'],
  upload_interrupted: [400, 'request', true, 'Upload broke off'],
  redirect_url_refused: [400, 'request', false, 'Redirect address refused'],
  destination_refused: [400, 'request', false, 'Destination refused'],
  token_invalid: [401, 'auth', false, 'Token is not valid'],
  webhook_unverified: [401, 'auth', false, 'Webhook is not proved to be from the vendor'],
  webhook_expired: [401, 'auth', false, 'Webhook is too old'],
  client_invalid: [401, 'auth', false, 'Client is not valid'],
  scope_denied: [403, 'auth', false, 'Not allowed for this token'],
  address_denied: [403, 'auth', false, 'Not allowed from this address'],
  instance_unknown: [404, 'request', false, 'Unknown connector instance'],
  route_unknown: [404, 'request', false, 'Unknown route'],
  oauth_secret_unknown: [404, 'request', false, 'Unknown OAuth secret'],
  event_unknown: [404, 'request', false, 'Unknown event'],
  webhook_unknown: [404, 'request', false, 'Unknown webhook'],
  manifest_unknown: [404, 'request', false, 'Unknown version of a manifest'],
  log_entry_unknown: [404, 'request', false, 'Unknown log entry'],
  method_not_allowed: [405, 'request', false, 'Method not allowed'],
  request_timeout: [408, 'request', true, 'Request took too long to arrive'],
  oauth_secret_used: [409, 'request', false, 'OAuth secret was used before'],
  oauth_not_configured: [409, 'service', false, 'OAuth is not configured'],
  instance_disabled: [409, 'connector', false, 'Connector instance is disabled'],
  search_not_ready: [409, 'connector', true, 'Nothing is synchronized yet'],
  idempotency_in_flight: [409, 'request', true, 'First request still runs'],
  precondition_failed: [412, 'request', false, 'Changed since it was read'],
  body_too_large: [413, 'request', false, 'Body is too large'],
  media_type_unsupported: [415, 'request', false, 'Media type not supported'],
  idempotency_key_reused: [422, 'request', false, 'Idempotency key used for another request'],
  manifest_refused: [422, 'request', false, 'Manifest cannot be published'],
  rate_limited: [429, 'service', true, 'Too many requests'],
  upstream_rejected: [400, 'upstream', false, 'Third party rejected the request'],
  upstream_not_found: [404, 'upstream', false, 'Not found at the third party'],
  download_unavailable: [404, 'upstream', false, 'Nothing to download'],
  upstream_conflict: [409, 'upstream', false, 'Conflict at the third party'],
  upstream_payload_too_large: [413, 'upstream', false, 'Too large for the third party'],
  range_not_satisfiable: [416, 'upstream', false, 'Range lies outside the file'],
  upstream_unprocessable: [422, 'upstream', false, 'Third party cannot process the request'],
  credentials_refused: [424, 'connector', false, 'Credentials were refused'],
  upstream_forbidden: [424, 'connector', false, 'Permission missing at the third party'],
  reauthorization_required: [424, 'connector', false, 'The user must connect again'],
  refresh_unknown: [424, 'connector', true, 'The answer to a token refresh was lost'],
  upstream_rate_limited: [429, 'upstream', true, 'Rate limit of the third party'],
  refresh_failed: [502, 'upstream', true, 'Token could not be refreshed'],
  upstream_unreachable: [502, 'upstream', 'reads', 'Third party not reachable'],
  upstream_failed: [502, 'upstream', 'reads', 'Third party failed'],
  upstream_unexpected: [502, 'upstream', false, 'Unexpected answer of the third party'],
  upstream_malformed: [502, 'upstream', false, 'Unreadable answer of the third party'],
  upstream_response_too_large: [502, 'upstream', false, 'Answer of the third party is too large'],
  download_empty: [502, 'upstream', true, 'The file is empty'],
  download_link_refused: [502, 'upstream', true, 'The link to the file was refused or has expired'],
  upload_session_refused: [
    502,
    'upstream',
    true,
    'The address that the file is sent to was refused or has ended',
  ],
  upstream_suspended: [503, 'upstream', true, 'Third party is left alone after failures'],
  connector_version_unavailable: [503, 'service', true, 'Connector version not loaded'],
  overloaded: [503, 'service', true, 'Overloaded'],
  shutting_down: [503, 'service', true, 'Shutting down'],
  store_unavailable: [503, 'service', true, 'Store not available'],
  search_timeout: [503, 'service', true, 'Search took too long'],
  upstream_timeout: [504, 'upstream', 'reads', 'Third party took too long'],
  deadline_exceeded: [504, 'service', true, 'Deadline passed before anything was sent'],
  body_already_read: [500, 'service', false, 'Body was read before the service'],
  internal_error: [500, 'service', false, 'Internal error'],
  search_needs_hosted_mode: [400, 'request', false, 'Search needs hosted mode'],
  credentials_not_saved: [503, 'connector', false, 'New credentials could not be saved'],
  download_interrupted: [null, 'upstream', true, 'Download broke off'],
  aborted: [499, 'request', true, 'Aborted by the caller'],
  service_unreachable: [null, 'service', 'reads', 'Service not reachable'],
  service_malformed: [null, 'service', 'reads', 'Unreadable answer of the service'],
  error_unknown: [null, 'service', false, 'Unknown error of a newer service'],
  manifest_invalid: [null, 'connector', false, 'Manifest is not valid'],
  webhook_refused: [null, 'request', false, 'Webhook is not from the sender it names'],
} as const

export type ErrorCode = keyof typeof ROWS

/** The table of all codes. Source: the service's HTTP contract, "Errors". */
export const ERRORS: Readonly<Record<ErrorCode, ErrorRule>> = Object.fromEntries(
  Object.entries<Row>(ROWS).map(([code, [status, origin, retry, title]]) => [
    code,
    { status, origin, retry, title },
  ]),
) as Record<ErrorCode, ErrorRule>

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
  readonly retryable?: boolean | undefined
  /** How long to wait before the same request can succeed, in milliseconds. */
  readonly retryAfterMs?: number | null
  readonly errors?: readonly Problem[]
  readonly upstream?: UpstreamExcerpt | null
  readonly steps?: readonly StepReport[] | null
  readonly requestId?: string | null
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

/** The members that are safe to print and to send, in the order of JSON. */
const SHOWN = [
  'code',
  'message',
  'status',
  'origin',
  'retryable',
  'retryAfterMs',
  'outcome',
  'errors',
  'upstream',
  'steps',
  'requestId',
  'details',
] as const

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
    super(message, options.cause == null ? undefined : { cause: options.cause })
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
    const facts = SHOWN.map((name) => [name, this[name]])
    return Object.fromEntries(facts) as Record<string, unknown>
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

/** The codes of a check that was refused. */
export type RefusingCode = Extract<
  ErrorCode,
  'credentials_refused' | 'credentials_invalid' | 'upstream_forbidden' | 'reauthorization_required'
>

/** A record, so that none is forgotten. */
const REFUSING: Readonly<Record<RefusingCode, true>> = {
  credentials_refused: true,
  credentials_invalid: true,
  upstream_forbidden: true,
  reauthorization_required: true,
}

/** Whether a check that failed with this code says that the credentials do not work, or may not do this. */
export function refusesCredentials(code: string): boolean {
  return Object.hasOwn(REFUSING, code)
}

/**
 * What a call met itself. One whose own attempt failed just before the third party was left alone was not held back: it
 * failed with what that attempt met.
 */
export function metByCall(error: ConnectorError): ConnectorError {
  const { code, details, cause } = error
  const wasSent = code === 'upstream_suspended' && details['attempts'] !== undefined
  return wasSent && isConnectorError(cause) ? cause : error
}

/** Whether a store that answers lacks what was asked for, because that lies on a node of its database that is away. */
export function isNodeAway(error: unknown): boolean {
  return isConnectorError(error, 'store_unavailable') && error.details['reason'] === 'node_away'
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

/** The same error with some of its facts replaced, where more is known than at the place that threw it. */
export function amendError(
  error: ConnectorError,
  changes: ConnectorErrorOptions & { readonly message?: string },
): ConnectorError {
  const { retryAfterMs, errors, upstream, steps, requestId, cause } = error
  const outcome = changes.outcome ?? error.outcome
  const amended = new ConnectorError(error.code, changes.message ?? error.message, {
    // Another outcome decides it again.
    retryable: outcome === error.outcome ? error.retryable : undefined,
    outcome,
    retryAfterMs,
    errors,
    upstream,
    steps,
    requestId,
    cause,
    ...(error.credentials === undefined
      ? {}
      : { unsaved: { credentials: error.credentials, config: error.config ?? {} } }),
    ...changes,
    details: { ...error.details, ...changes.details },
  })
  if (error.stack !== undefined) amended.stack = error.stack
  return amended
}

/** An error about one place of a request. Its message is the detail of its problem, unless one is given. */
export function problemError(
  code: ErrorCode,
  problem: Problem,
  message: string = problem.detail,
): ConnectorError {
  return new ConnectorError(code, message, { errors: [problem] })
}
