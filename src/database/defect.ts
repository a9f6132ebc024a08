// Mistakes of the program where a database was asked: no repetition mends them, so they must not look like a database that
// is away.
import { ConnectorError } from '../errors.ts'

const DEFECTS = [TypeError, ReferenceError, RangeError, SyntaxError, EvalError, URIError]

/** Node's codes for addresses that it cannot use: those come from settings. */
const OF_SETTINGS: ReadonlySet<unknown> = new Set(['ERR_INVALID_URL', 'ERR_SOCKET_BAD_PORT'])

/** Whether JavaScript itself threw it, and no database, disk or connection. */
export function isDefect(error: unknown): boolean {
  if (!DEFECTS.some((kind) => error instanceof kind)) return false
  return !(error instanceof Error && 'code' in error && OF_SETTINGS.has(error.code))
}

/** `internal_error`. What happened is its cause, for the log only; `where` begins the sentence that callers read. */
export function defect(where: string, cause: unknown): ConnectorError {
  return new ConnectorError('internal_error', `${where} failed for a reason of ours`, {
    outcome: 'uncertain',
    cause,
  })
}
