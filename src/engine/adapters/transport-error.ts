// Socket, TLS and HTTP failures as the errors of the transport port.
import type { ErrorCode } from '../../errors.ts'
import { ConnectorError, isConnectorError } from '../../errors.ts'

export type Phase = 'connect' | 'head' | 'body'

/** Where an exchange stood when it failed. */
export interface Standing {
  readonly host: string
  readonly phase: Phase
  /** Whether a byte of the request may have reached the third party. */
  readonly sent: boolean
  /** Of the answer whose head had come, else null. */
  readonly status: number | null
}

/** The text follows the host's name. */
type Failure = readonly [code: ErrorCode, text: string]

const CERTIFICATE_HINT =
  'a private certificate authority is trusted through a file named in NODE_EXTRA_CA_CERTS'
const UNKNOWN_AUTHORITY = `shows a certificate of an unknown authority (${CERTIFICATE_HINT})`

/** By what `reasonOf` reads from Node's or undici's error; one that is meant for a single phase carries its name. */
const FAILURES: Readonly<Record<string, Failure>> = {
  // Before a body has begun, undici says so of lengths that contradict each other.
  'head UND_ERR_RES_CONTENT_LENGTH_MISMATCH': [
    'upstream_malformed',
    'announced its answer in a way that contradicts itself',
  ],
  HTTPParserError: ['upstream_malformed', 'does not speak proper HTTP'],
  UND_ERR_HEADERS_OVERFLOW: ['upstream_response_too_large', 'sent a head that is too large'],
  UND_ERR_INVALID_ARG: ['internal_error', 'cannot be called with this request'],
}

/** The texts of `upstream_unreachable`. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'has no address',
  EAI_AGAIN: 'could not be resolved just now',
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke the connection',
  EPIPE: 'broke the connection',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  ETIMEDOUT: 'did not answer the connection attempt',
  UND_ERR_CONNECT_TIMEOUT: 'did not answer the connection attempt',
  UND_ERR_SOCKET: 'closed the connection',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'ended its answer before the announced length',
  HTTP_EOF: 'closed the connection in the middle of its answer',
  CERT_HAS_EXPIRED: 'shows a certificate that has expired',
  CERT_NOT_YET_VALID: 'shows a certificate that is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate made for other names',
  DEPTH_ZERO_SELF_SIGNED_CERT: `shows a certificate signed by nobody else (${CERTIFICATE_HINT})`,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
}

/** No word about the third party. A module that cannot be opened is told of as its package's faulty configuration. */
const OF_THIS_PROCESS: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ERR_INVALID_PACKAGE_CONFIG',
])
const RETRY_AFTER_MS = 1_000

/** Whether a failure to connect is this process's own: it has too many files and sockets open. */
export function isOfThisProcess(cause: unknown): boolean {
  return OF_THIS_PROCESS.has(reasonOf(cause))
}

/** Alerts about the certificate of a client. */
const CERTIFICATE_ALERT =
  /^ERR_SSL_.+_ALERT_(?:CERTIFICATE_(?:REQUIRED|UNKNOWN|EXPIRED|REVOKED)|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|NO_CERTIFICATE)$/

/** Whether the other side says that it does not like the certificate of the client, or that it misses one. */
export function isCertificateAlert(cause: unknown): boolean {
  return CERTIFICATE_ALERT.test(reasonOf(cause))
}

function failureOf(phase: Phase, reason: string): Failure {
  const known = FAILURES[`${phase} ${reason}`] ?? FAILURES[reason]
  if (known !== undefined) return known
  return ['upstream_unreachable', unreachableFor(reason)]
}

/** What stands behind the name of a host that a failure was met at. */
export function unreachable(cause: unknown): string {
  return unreachableFor(reasonOf(cause))
}

function unreachableFor(reason: string): string {
  const isTls = /^ERR_(?:SSL|TLS)_/.test(reason)
  return UNREACHABLE[reason] ?? (isTls ? 'failed to agree on TLS' : 'could not be called')
}

/** An error of the transport with `details` { host, phase, sent, status where known, reason where one is given }. */
export function transportError(
  code: ErrorCode,
  message: string,
  standing: Standing,
  options: { readonly reason?: string; readonly cause?: unknown } = {},
): ConnectorError {
  const { reason, cause } = options
  return new ConnectorError(code, message, {
    details: { ...detailsOf(standing), ...(reason !== undefined && { reason }) },
    cause,
  })
}

/** What a failure below means to the caller. An error that is ours already keeps its code and learns where it stood. */
export function translateFailure(cause: unknown, standing: Standing): ConnectorError {
  if (isConnectorError(cause)) {
    const { code, message, retryAfterMs, errors } = cause
    const details = { ...cause.details, ...detailsOf(standing) }
    return new ConnectorError(code, message, { details, retryAfterMs, errors, cause: cause.cause })
  }
  dropAnswer(cause)
  const reason = reasonOf(cause)
  if (standing.phase === 'connect' && isOfThisProcess(cause))
    return new ConnectorError('overloaded', 'this process has too many files and sockets open', {
      retryAfterMs: RETRY_AFTER_MS,
      details: { ...detailsOf(standing), reason },
      cause,
    })
  // Told before the request is looked at; in TLS 1.3 behind the handshake, when its bytes may have left (RFC 8446 section 6.2).
  if (isCertificateAlert(cause))
    return transportError(
      'credentials_refused',
      `${standing.host} asks for a client certificate, and refuses the one that it is shown, or none`,
      { ...standing, sent: false },
      { reason, cause },
    )
  const [code, text] = failureOf(standing.phase, reason)
  return transportError(code, `${standing.host} ${text}`, standing, { reason, cause })
}

/** The error's code; undici's parser errors have none, and only their text tells an early end from broken bytes. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown'
  if (cause.name === 'HTTPParserError') return /EOF/.test(cause.message) ? 'HTTP_EOF' : cause.name
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : 'unknown'
}

/** undici's parser errors carry what could not be read: bytes of somebody else, which may repeat the request and its secrets. */
function dropAnswer(cause: unknown): void {
  if (cause instanceof Error && cause.name === 'HTTPParserError')
    Reflect.deleteProperty(cause, 'data')
}

function detailsOf({ host, phase, sent, status }: Standing): Record<string, unknown> {
  return { host, phase, sent, ...(status === null ? {} : { status }) }
}
