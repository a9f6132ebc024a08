// What a database says went wrong → our errors. Values of statements never enter them.
import { ConnectorError, isConnectorError } from '../../../errors.ts'
import {
  isSqlstate,
  type Reason,
  sqliteReason,
  sqlstateReason,
  systemReason,
} from '../../../database/database-reasons.ts'
import { defect, isDefect } from '../../../database/defect.ts'
import { causeOf, type ThreadCause } from '../../../database/thread-cause.ts'

/** How long a caller is asked to wait before the store is tried again. */
const RETRY_AFTER_MS = 1000
/** Begins what callers read of a mistake of ours. */
const STORE = 'the store'

const MESSAGES: Readonly<Record<Reason, string>> = {
  away: 'the store cannot be reached',
  busy: 'the store did not answer in time',
  full: 'the disk of the store is full',
  read_only: 'the store can be read only',
  broken: 'the store cannot be read or written',
  damaged: 'the file of the store is damaged',
  conflict: 'the store was changed by too many at once',
}

function unavailable(reason: Reason, cause: unknown): ConnectorError {
  return new ConnectorError('store_unavailable', MESSAGES[reason], {
    retryAfterMs: RETRY_AFTER_MS,
    details: { reason },
    cause: bare(cause),
  })
}

/** The store was closed, or its worker has ended. */
export function storeClosed(cause?: unknown): ConnectorError {
  return unavailable('away', cause)
}

/** Why a database could not be asked; null for any other error. A transaction that met a `conflict` may be run again. */
export function reasonOf(error: unknown): unknown {
  return isConnectorError(error, 'store_unavailable') ? error.details['reason'] : null
}

/** What the worker tells of an error. `errcode` is SQLite's extended result code; null: SQLite had no part in it. */
export interface SqliteFailure extends ThreadCause {
  readonly errcode: number | null
}

export function sqliteError({ errcode, ...failure }: SqliteFailure): Error {
  const cause = causeOf(failure)
  if (errcode === null) return defect(STORE, cause)
  const reason = sqliteReason(errcode)
  return reason === null ? refused(`SQLite code ${errcode}`, cause) : unavailable(reason, cause)
}

/** Why the thread of SQLite, or its file, cannot be had. */
export function threadError(error: unknown): Error {
  return isDefect(error) ? defect(STORE, error) : unavailable(systemReason(codeOf(error)), error)
}

export function postgresError(error: unknown): Error {
  if (isConnectorError(error)) return error
  if (isDefect(error)) return defect(STORE, error)
  const code = codeOf(error)
  if (isSqlstate(code)) {
    const reason = sqlstateReason(code)
    return reason === null
      ? refused(`SQLSTATE ${code}`, new Error(messageOf(error)))
      : unavailable(reason, error)
  }
  // pg has no codes for its own: connection ended, pool wait and query time-outs.
  const isTimeout = /timeout|timed out/i.test(messageOf(error))
  return unavailable(isTimeout ? 'busy' : 'away', error)
}

/** A statement that the database does not take is a mistake of ours. */
function refused(what: string, cause: Error): ConnectorError {
  return new ConnectorError('internal_error', `the store refused a statement (${what})`, { cause })
}

function codeOf(error: unknown): string | null {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  return typeof code === 'string' ? code : null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** pg's errors carry the values of the row that was refused; message and code are enough. */
function bare(error: unknown): Error | undefined {
  if (error === undefined) return undefined
  const code = codeOf(error)
  const plain = new Error(messageOf(error))
  return code === null ? plain : Object.assign(plain, { code })
}
