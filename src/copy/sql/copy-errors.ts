// What goes wrong with copies → our errors, in both databases alike, and across threads.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import { LostLease } from '../search/search-index.ts'
import {
  isSqlstate,
  type Reason,
  sqliteReason,
  sqlstateReason,
  systemReason,
} from '../../database/database-reasons.ts'
import { defect, isDefect } from '../../database/defect.ts'
import { causeOf, type ThreadCause, threadCauseOf } from '../../database/thread-cause.ts'
import { timedOut } from './page.ts'

/** How long a caller is asked to wait before the copies are tried again. */
const RETRY_AFTER_MS = 1_000
/** Begins what callers read of a mistake of ours. */
const COPIES = 'the synchronized copy'
const MESSAGES: Readonly<Record<Reason, string>> = {
  away: 'cannot be reached',
  busy: 'did not answer in time',
  full: 'cannot be written: the disk is full',
  read_only: 'can be read only',
  broken: 'cannot be read or written',
  damaged: 'was damaged, and is made again',
  conflict: 'was changed by too many at once',
}
/** The code of a statement that ran into its time limit. */
const QUERY_CANCELED = '57014'

/**
 * What a caller of the port is told: `store_unavailable` for what is the database's own, `internal_error` for statements
 * that it refuses and for mistakes of the program. A lost lease and errors of ours stay as they are.
 */
export function copyError(error: unknown): LostLease | ConnectorError {
  if (error instanceof LostLease || isConnectorError(error)) return error
  if (isDefect(error)) return defect(COPIES, error)
  const { code, errcode }: { readonly code?: unknown; readonly errcode?: unknown } = Object(error)
  if (code === QUERY_CANCELED) return timedOut()
  if (typeof errcode === 'number')
    return databaseError(sqliteReason(errcode), `SQLite code ${errcode}`, error)
  return isSqlstate(code)
    ? databaseError(sqlstateReason(code), `SQLSTATE ${code}`, error)
    : unavailable(systemReason(code), error)
}

/** `reason` null: the statement was refused. */
function databaseError(reason: Reason | null, code: string, cause: unknown): ConnectorError {
  return reason === null
    ? new ConnectorError('internal_error', `${COPIES} refused a statement (${code})`, { cause })
    : unavailable(reason, cause)
}

function unavailable(reason: Reason, cause: unknown): ConnectorError {
  return new ConnectorError('store_unavailable', `${COPIES} ${MESSAGES[reason]}`, {
    retryAfterMs: RETRY_AFTER_MS,
    details: { reason },
    cause,
  })
}

export type CopyFailure =
  | 'lost_lease'
  | (Pick<ConnectorError, 'code' | 'message' | 'outcome' | 'retryAfterMs' | 'details'> & {
      readonly cause: ThreadCause | null
    })

export function failureOf(thrown: unknown): CopyFailure {
  const error = copyError(thrown)
  if (error instanceof LostLease) return 'lost_lease'
  const { code, message, outcome, retryAfterMs, details } = error
  const cause = error.cause === undefined ? null : threadCauseOf(error.cause)
  return { code, message, outcome, retryAfterMs, details, cause }
}

/** What `failureOf` was told, on the other side. */
export function errorOf(failure: CopyFailure): LostLease | ConnectorError {
  if (failure === 'lost_lease') return new LostLease()
  const { code, message, outcome, retryAfterMs, details, cause } = failure
  return new ConnectorError(code, message, {
    outcome,
    details,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    ...(cause === null ? {} : { cause: causeOf(cause) }),
  })
}
