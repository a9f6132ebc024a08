// What a line of the log says of an error.
import { isConnectorError } from '../errors.ts'

/** Its code and words; of a store that cannot be used also why, and what the database or the system said. */
export function failureFacts(error: unknown): object {
  const reason = error instanceof Error ? error.message : String(error)
  return isConnectorError(error)
    ? { code: error.code, reason, ...storeFacts(error) }
    : { code: 'internal_error', reason }
}

/** Nothing for other errors. */
export function storeFacts(error: unknown): object {
  if (!isConnectorError(error, 'store_unavailable')) return {}
  const { cause, details } = error
  return {
    ...(details['reason'] === undefined ? {} : { details: { reason: details['reason'] } }),
    ...(cause instanceof Error ? { cause: cause.message } : {}),
  }
}
