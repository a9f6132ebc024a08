// What goes wrong with copies → our errors, in both databases alike, and across threads.
import { databaseError, type DatabaseWords } from '../../database/database-errors.ts'
import { causeOf, type ThreadCause, threadCauseOf } from '../../database/thread-cause.ts'
import { ConnectorError } from '../../errors.ts'
import { LostLease } from '../search/search-index.ts'
import { timedOut } from './page.ts'

const COPIES: DatabaseWords = {
  name: 'the synchronized copy',
  damaged: 'was damaged, and is made again',
  silent: 'away',
}
/** The code of a statement that ran into its time limit. */
const QUERY_CANCELED = '57014'

/** What a caller of the port is told. A lost lease and errors of ours stay as they are. */
export function copyError(error: unknown): LostLease | ConnectorError {
  if (error instanceof LostLease) return error
  const { code }: { readonly code?: unknown } = Object(error)
  return code === QUERY_CANCELED ? timedOut() : databaseError(COPIES, error)
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
