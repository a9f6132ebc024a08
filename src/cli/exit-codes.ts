// What the exit code of every command says.
import { type ErrorCode, isConnectorError } from '../errors.ts'

/** Exit codes of the command line. Source: the command line's contract, printed in `--help`. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  credentials: 3,
  upstream: 4,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The codes in words, for the end of every help text. */
export const EXIT_HELP: string = `
Exit codes:
  0    done
  1    findings, stale files, or the operation failed
  2    wrong use
  3    credentials or token refused
  4    upstream or service unreachable or failing
  130  interrupted`

/** A command that was called in a way it does not understand; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What a command cannot do as things are; the message says why, and what would help. */
export class FailedError extends Error {
  override readonly name = 'FailedError'
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return EXIT.usage
  if (!isConnectorError(error)) return EXIT.failed
  const groups = Object.keys(CODES) as (keyof typeof CODES)[]
  return EXIT[groups.find((group) => CODES[group].includes(error.code)) ?? 'failed']
}

const CODES: Readonly<
  Record<'usage' | 'credentials' | 'upstream' | 'interrupted', readonly ErrorCode[]>
> = {
  usage: [
    'operation_unknown',
    'params_invalid',
    'config_invalid',
    'connector_unknown',
    'cursor_invalid',
    'search_needs_hosted_mode',
  ],
  credentials: [
    'credentials_invalid',
    'credentials_refused',
    'upstream_forbidden',
    'reauthorization_required',
    'refresh_failed',
    'refresh_unknown',
    'token_invalid',
    'client_invalid',
    'scope_denied',
    'address_denied',
  ],
  upstream: [
    'upstream_rate_limited',
    'upstream_unreachable',
    'upstream_failed',
    'upstream_unexpected',
    'upstream_malformed',
    'upstream_response_too_large',
    'upstream_suspended',
    'upstream_timeout',
    'deadline_exceeded',
    'download_interrupted',
    'download_link_refused',
    'service_unreachable',
    'service_malformed',
    'store_unavailable',
    'overloaded',
    'shutting_down',
  ],
  interrupted: ['aborted'],
}
