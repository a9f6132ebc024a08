// What the codes of databases mean for the caller.

/**
 * Why a statement failed, and whether to repeat it: `conflict` means that nothing happened and the same transaction may work
 * now, `damaged` that what is in the file makes no sense.
 */
export type Reason = 'away' | 'busy' | 'full' | 'read_only' | 'broken' | 'damaged' | 'conflict'

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
  '53100': 'full', // disk full
  '55P03': 'conflict', // lock not available
  '57014': 'busy', // statement time-out
}

/** Whether an error's code is one of PostgreSQL, and not one of the system (`EPIPE`). */
export function isSqlstate(code: unknown): code is string {
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)
}

/** Why PostgreSQL failed; null: it refused the statement, which is then a mistake of ours. */
export function sqlstateReason(code: string): Reason | null {
  return SQLSTATE_REASONS[code] ?? SQLSTATE_REASONS[code.slice(0, 2)] ?? null
}
