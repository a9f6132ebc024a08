// What a database says went wrong → our errors. Values of statements never enter them.
import { ConnectorError, isConnectorError } from '../../errors.ts'

/** How long a caller is asked to wait before the store is tried again. */
const RETRY_AFTER_MS = 1000

/** Why a statement failed, for whoever repeats it: `conflict` means that nothing happened and the same transaction may work now. */
type Reason = 'away' | 'busy' | 'full' | 'read_only' | 'broken' | 'conflict'

const MESSAGES: Readonly<Record<Reason, string>> = {
  away: 'the store cannot be reached',
  busy: 'the store did not answer in time',
  full: 'the disk of the store is full',
  read_only: 'the store can be read only',
  broken: 'the store cannot be read or written',
  conflict: 'the store was changed by too many at once',
}

function unavailable(reason: Reason, cause: unknown): ConnectorError {
  return new ConnectorError('store_unavailable', MESSAGES[reason], {
    retryAfterMs: RETRY_AFTER_MS,
    details: { reason },
    cause: bare(cause),
  })
}

/** Whether the same transaction may simply be run again: it lost against another one. */
export function isConflict(error: unknown): boolean {
  return reasonOf(error) === 'conflict'
}

/** The store was closed, or its worker has ended. */
export function storeClosed(cause?: unknown): ConnectorError {
  return unavailable('away', cause)
}

/** Whether a connection that met this error must not be used again. */
export function isAway(error: unknown): boolean {
  return isGone(error) || reasonOf(error) === 'busy'
}

/** Whether there is no connection any more. */
export function isGone(error: unknown): boolean {
  return reasonOf(error) === 'away'
}

function reasonOf(error: unknown): unknown {
  return isConnectorError(error, 'store_unavailable') ? error.details['reason'] : null
}

/** What the worker tells of an error of SQLite. `errcode` is the extended result code. */
export interface SqliteFailure {
  readonly message: string
  readonly errcode: number | null
}

/** Source: sqlite.org/rescode.html, the primary result codes. */
const SQLITE_REASONS: Readonly<Record<number, Reason>> = {
  5: 'conflict', // SQLITE_BUSY, after the whole busy_timeout
  6: 'conflict', // SQLITE_LOCKED
  8: 'read_only', // SQLITE_READONLY
  10: 'broken', // SQLITE_IOERR
  11: 'broken', // SQLITE_CORRUPT
  13: 'full', // SQLITE_FULL
  14: 'away', // SQLITE_CANTOPEN
  26: 'broken', // SQLITE_NOTADB
}

export function sqliteError({ message, errcode }: SqliteFailure): Error {
  const reason = errcode === null ? undefined : SQLITE_REASONS[errcode & 0xff]
  const cause = new Error(message)
  return reason === undefined
    ? refused(`SQLite code ${errcode}`, cause)
    : unavailable(reason, cause)
}

/** Source: PostgreSQL documentation, appendix A: SQLSTATE classes first, then single codes. */
const SQLSTATE_REASONS: Readonly<Record<string, Reason>> = {
  '08': 'away', // connection exception
  '28': 'away', // invalid authorization
  '53': 'busy', // insufficient resources
  '57': 'away', // operator intervention
  '58': 'broken', // system error
  '3D000': 'away', // the database does not exist
  '25006': 'read_only', // read-only transaction
  '25P03': 'away', // idle in transaction for too long
  '40001': 'conflict', // serialization failure
  '40P01': 'conflict', // deadlock
  '53100': 'full', // disk full
  '55P03': 'conflict', // lock not available
  '57014': 'busy', // statement time-out
}

export function postgresError(error: unknown): Error {
  if (isConnectorError(error)) return error
  const code = codeOf(error)
  if (code !== null && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)) {
    const reason = SQLSTATE_REASONS[code] ?? SQLSTATE_REASONS[code.slice(0, 2)]
    return reason === undefined
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
