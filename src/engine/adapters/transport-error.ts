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

interface Failure {
  readonly code: ErrorCode
  /** Follows the host's name. */
  readonly text: string
}

const CERTIFICATE_HINT =
  'a private certificate authority is trusted through a file named in NODE_EXTRA_CA_CERTS'

/** By what `reasonOf` reads from Node's or undici's error; one that is meant for a single phase carries its name. */
const FAILURES: Readonly<Record<string, Failure>> = {
  ENOTFOUND: { code: 'upstream_unreachable', text: 'has no address' },
  EAI_AGAIN: { code: 'upstream_unreachable', text: 'could not be resolved just now' },
  ECONNREFUSED: { code: 'upstream_unreachable', text: 'refused the connection' },
  ECONNRESET: { code: 'upstream_unreachable', text: 'broke the connection' },
  EPIPE: { code: 'upstream_unreachable', text: 'broke the connection' },
  EHOSTUNREACH: { code: 'upstream_unreachable', text: 'cannot be reached from here' },
  ENETUNREACH: { code: 'upstream_unreachable', text: 'cannot be reached from here' },
  ETIMEDOUT: { code: 'upstream_unreachable', text: 'did not answer the connection attempt' },
  UND_ERR_CONNECT_TIMEOUT: {
    code: 'upstream_unreachable',
    text: 'did not answer the connection attempt',
  },
  UND_ERR_SOCKET: { code: 'upstream_unreachable', text: 'closed the connection' },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: {
    code: 'upstream_unreachable',
    text: 'ended its answer before the announced length',
  },
  // Before a body has begun, undici says so of lengths that contradict each other.
  'head UND_ERR_RES_CONTENT_LENGTH_MISMATCH': {
    code: 'upstream_malformed',
    text: 'announced its answer in a way that contradicts itself',
  },
  HTTP_EOF: {
    code: 'upstream_unreachable',
    text: 'closed the connection in the middle of its answer',
  },
  HTTPParserError: { code: 'upstream_malformed', text: 'does not speak proper HTTP' },
  UND_ERR_HEADERS_OVERFLOW: {
    code: 'upstream_response_too_large',
    text: 'sent a head that is too large',
  },
  UND_ERR_INVALID_ARG: { code: 'internal_error', text: 'cannot be called with this request' },
  CERT_HAS_EXPIRED: { code: 'upstream_unreachable', text: 'shows a certificate that has expired' },
  CERT_NOT_YET_VALID: {
    code: 'upstream_unreachable',
    text: 'shows a certificate that is not valid yet',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    code: 'upstream_unreachable',
    text: 'shows a certificate made for other names',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    code: 'upstream_unreachable',
    text: `shows a certificate signed by nobody else (${CERTIFICATE_HINT})`,
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    code: 'upstream_unreachable',
    text: `shows a certificate of an unknown authority (${CERTIFICATE_HINT})`,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    code: 'upstream_unreachable',
    text: `shows a certificate of an unknown authority (${CERTIFICATE_HINT})`,
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    code: 'upstream_unreachable',
    text: `shows a certificate of an unknown authority (${CERTIFICATE_HINT})`,
  },
}

/** Codes that come in families, by their prefix. */
const FAMILIES: readonly { readonly prefix: string; readonly failure: Failure }[] = [
  { prefix: 'ERR_SSL_', failure: { code: 'upstream_unreachable', text: 'failed to agree on TLS' } },
  { prefix: 'ERR_TLS_', failure: { code: 'upstream_unreachable', text: 'failed to agree on TLS' } },
]

const OTHER: Failure = { code: 'upstream_unreachable', text: 'could not be called' }

/** An error of the transport with `details` { host, phase, sent, status where known, reason where one is given }. */
export function transportError(
  code: ErrorCode,
  message: string,
  standing: Standing,
  options: { readonly reason?: string; readonly cause?: unknown } = {},
): ConnectorError {
  return new ConnectorError(code, message, {
    details: {
      ...detailsOf(standing),
      ...(options.reason === undefined ? {} : { reason: options.reason }),
    },
    ...(options.cause === undefined ? {} : { cause: options.cause }),
  })
}

/** What a failure below means to the caller. An error that is ours already keeps its code and learns where it stood. */
export function translateFailure(cause: unknown, standing: Standing): ConnectorError {
  if (isConnectorError(cause)) {
    return new ConnectorError(cause.code, cause.message, {
      details: { ...cause.details, ...detailsOf(standing) },
      ...(cause.retryAfterMs === null ? {} : { retryAfterMs: cause.retryAfterMs }),
      ...(cause.cause === undefined ? {} : { cause: cause.cause }),
    })
  }
  const reason = reasonOf(cause)
  const failure =
    FAILURES[`${standing.phase} ${reason}`] ??
    FAILURES[reason] ??
    FAMILIES.find(({ prefix }) => reason.startsWith(prefix))?.failure ??
    OTHER
  return transportError(failure.code, `${standing.host} ${failure.text}`, standing, {
    reason,
    cause,
  })
}

/** The error's code; undici's parser errors have none, and only their text tells an early end from broken bytes. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown'
  if (cause.name === 'HTTPParserError') return /EOF/.test(cause.message) ? 'HTTP_EOF' : cause.name
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : 'unknown'
}

function detailsOf({ host, phase, sent, status }: Standing): Record<string, unknown> {
  return { host, phase, sent, ...(status === null ? {} : { status }) }
}
