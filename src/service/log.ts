// The service's log: JSON lines with the request's facts. Secrets, params and bodies are never handed to it.
import { type ErrorCode, isConnectorError } from '../errors.ts'

/** Facts may be read later than they are told: nobody changes them afterwards. */
export interface ServiceLog {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export const SILENT_LOG: ServiceLog = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
}

/** The code of an error; `internal_error` for what is no ConnectorError. */
export function codeOf(error: unknown): ErrorCode {
  return isConnectorError(error) ? error.code : 'internal_error'
}

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
