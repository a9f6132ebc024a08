// What a database, its driver, its disk or its thread says went wrong → our errors. Values of statements never enter them.
import { ConnectorError, isConnectorError } from '../errors.ts'
import {
  isSqlstate,
  type Reason,
  sqliteReason,
  sqlstateReason,
  systemReason,
} from './database-reasons.ts'
import { causeOf, errcodeOf, threadCauseOf } from './thread-cause.ts'

/** How long a caller is asked to wait before the database is tried again. */
const RETRY_AFTER_MS = 1_000
const MESSAGES: Readonly<Record<Exclude<Reason, 'damaged'>, string>> = {
  away: 'cannot be reached',
  busy: 'did not answer in time',
  full: 'cannot be written: the disk is full',
  read_only: 'can be read only',
  broken: 'cannot be read or written',
  conflict: 'was changed by too many at once',
}
export interface DatabaseWords {
  /** Begins the sentences that callers read. */
  readonly name: string
  /** What they are told of a damaged file. */
  readonly damaged: string
  /** What they are told where the driver waited in vain. */
  readonly silent: Reason
}

const DEFECTS = [TypeError, ReferenceError, RangeError, SyntaxError, EvalError, URIError]
/** Node's codes for addresses that it cannot use: those come from settings. */
const OF_SETTINGS: ReadonlySet<unknown> = new Set(['ERR_INVALID_URL', 'ERR_SOCKET_BAD_PORT'])

/**
 * `store_unavailable` for what is the database's own, `internal_error` for statements that it refuses and for what
 * JavaScript itself threw: no repetition mends those. Errors of ours stay as they are.
 */
export function databaseError(words: DatabaseWords, error: unknown): ConnectorError {
  if (isConnectorError(error)) return error
  const { code }: { readonly code?: unknown } = Object(error)
  if (DEFECTS.some((kind) => error instanceof kind) && !OF_SETTINGS.has(code))
    return defect(words.name, error)
  const errcode = errcodeOf(error)
  if (errcode === null && !isSqlstate(code)) {
    // pg has no codes for its own: connection ended, pool wait and query time-outs.
    const isTimeout = code === undefined && /timeout|timed out/i.test(String(error))
    return unavailable(words, isTimeout ? words.silent : systemReason(code), error)
  }
  const reason = errcode === null ? sqlstateReason(String(code)) : sqliteReason(errcode)
  if (reason !== null) return unavailable(words, reason, error)
  const said = errcode === null ? `SQLSTATE ${String(code)}` : `SQLite code ${errcode}`
  return new ConnectorError('internal_error', `${words.name} refused a statement (${said})`, {
    cause: bare(error),
  })
}

export function unavailable(
  { name, damaged }: DatabaseWords,
  reason: Reason,
  cause?: unknown,
): ConnectorError {
  const message = reason === 'damaged' ? damaged : MESSAGES[reason]
  return new ConnectorError('store_unavailable', `${name} ${message}`, {
    retryAfterMs: RETRY_AFTER_MS,
    details: { reason },
    ...(cause !== undefined && { cause: bare(cause) }),
  })
}

/** `internal_error` for a mistake of the program. What happened is its cause, for the log only. */
export function defect(where: string, cause: unknown): ConnectorError {
  return new ConnectorError('internal_error', `${where} failed for a reason of ours`, {
    outcome: 'uncertain',
    cause,
  })
}

/** pg's errors carry the values of the row that was refused; message, place and code are enough. */
function bare(error: unknown): Error {
  const { code }: { readonly code?: unknown } = Object(error)
  return Object.assign(causeOf(threadCauseOf(error)), typeof code === 'string' ? { code } : {})
}
