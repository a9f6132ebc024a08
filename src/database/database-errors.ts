// What a database, its driver, its disk or its thread says went wrong → our errors. Values of statements never enter them.
import { ConnectorError, isConnectorError } from '../errors.ts'
import { causeOf, errcodeOf, threadCauseOf } from './thread-cause.ts'

/**
 * Why a statement failed, and whether to repeat it: `conflict` means that nothing happened and the same transaction may work
 * now, `damaged` that what is in the file makes no sense, `schema` that its tables are those of another version, `node_away`
 * that the database answers, but not for this: what was asked for lies on another node, which it cannot reach.
 */
export type Reason =
  | 'away'
  | 'node_away'
  | 'busy'
  | 'full'
  | 'read_only'
  | 'broken'
  | 'damaged'
  | 'schema'
  | 'conflict'

/** How long a caller is asked to wait before the database is tried again. */
const RETRY_AFTER_MS = 1_000
const MESSAGES: Readonly<Record<Exclude<Reason, 'damaged'>, string>> = {
  away: 'cannot be reached',
  node_away: 'cannot be reached in part: a node of it is away',
  busy: 'did not answer in time',
  full: 'cannot be written: the disk is full',
  read_only: 'can be read only',
  broken: 'cannot be read or written',
  schema:
    'has tables of another version of Tenon: a process of that version answers, replace this one',
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
    const { syscall }: { readonly syscall?: unknown } = Object(error)
    // What the system says of a socket is no word about a disk.
    const reason = syscall === 'connect' ? 'away' : systemReason(code)
    return unavailable(words, isTimeout ? words.silent : reason, error)
  }
  const reason =
    errcode !== null
      ? sqliteReason(errcode)
      : isOfNode(error)
        ? 'node_away'
        : sqlstateReason(String(code))
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

/** Source: sqlite.org/rescode.html, the primary result codes. */
const SQLITE_REASONS: Readonly<Record<number, Reason>> = {
  3: 'away', // SQLITE_PERM
  5: 'conflict', // SQLITE_BUSY, after the whole busy_timeout
  6: 'conflict', // SQLITE_LOCKED
  7: 'broken', // SQLITE_NOMEM
  8: 'read_only', // SQLITE_READONLY
  10: 'broken', // SQLITE_IOERR
  11: 'damaged', // SQLITE_CORRUPT
  13: 'full', // SQLITE_FULL
  14: 'away', // SQLITE_CANTOPEN
  15: 'conflict', // SQLITE_PROTOCOL: others had the log locked for too long
  26: 'damaged', // SQLITE_NOTADB
}

/** Why SQLite failed; null: it refused the statement, which is then a mistake of ours. Takes extended codes as well. */
export function sqliteReason(errcode: number): Reason | null {
  return SQLITE_REASONS[errcode & 0xff] ?? null
}

/** Source: errno(3). */
const SYSTEM_REASONS: Readonly<Record<string, Reason>> = {
  EACCES: 'read_only',
  EDQUOT: 'full',
  EIO: 'broken',
  EMFILE: 'busy',
  ENFILE: 'busy',
  ENOSPC: 'full',
  EPERM: 'read_only',
  EROFS: 'read_only',
}

/** Why the system refused a file or folder; `away` for all that says nothing more. */
export function systemReason(code: unknown): Reason {
  return (typeof code === 'string' ? SYSTEM_REASONS[code] : undefined) ?? 'away'
}

/** Source: PostgreSQL documentation, appendix A: SQLSTATE classes first, then single codes. */
const SQLSTATE_REASONS: Readonly<Record<string, Reason>> = {
  '08': 'away', // connection exception
  '28': 'away', // invalid authorization
  '53': 'busy', // insufficient resources
  '57': 'away', // operator intervention
  '58': 'broken', // system error
  XX: 'broken', // internal error, corrupted data
  '3D000': 'away', // the database does not exist
  '25006': 'read_only', // read-only transaction
  '25P03': 'away', // idle in transaction for too long
  '40001': 'conflict', // serialization failure
  '40P01': 'conflict', // deadlock
  // The program knows its own tables: those were changed during an upgrade, and a process of the new version answers.
  '42703': 'schema', // the column does not exist
  '42P01': 'schema', // the table does not exist
  '42P10': 'schema', // no such constraint
  '53100': 'full', // disk full
  '55P03': 'conflict', // lock not available
  '57014': 'busy', // statement time-out
}

/** Whether an error's code is one of PostgreSQL, and not one of the system (`EPIPE`). */
function isSqlstate(code: unknown): code is string {
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)
}

/**
 * Whether a server that goes on tells of a node that it cannot reach, or that ended while it was asked, as Citus does. A
 * server that ends the connection itself says that this is fatal.
 */
function isOfNode(error: unknown): boolean {
  const { code, severity, where, message }: Readonly<Record<string, unknown>> = Object(error)
  if (typeof severity !== 'string' || severity === 'FATAL') return false
  // What libpq found has no code of its own; Citus names the node in its context, and a commit by its shard.
  const isLost = code === 'XX000' && NODE_LOST.test(`${String(where)} ${String(message)}`)
  return isLost || /^(08|57P)/.test(String(code))
}

const NODE_LOST = /while executing command on|could not commit transaction for shard/

/** Why PostgreSQL failed; null: it refused the statement, which is then a mistake of ours. */
function sqlstateReason(code: string): Reason | null {
  return SQLSTATE_REASONS[code] ?? SQLSTATE_REASONS[code.slice(0, 2)] ?? null
}
