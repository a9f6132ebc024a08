// What keepers and homes of credentials tell their operator.
import { isConnectorError } from '../../errors.ts'

/** Takes an object of facts and a sentence. Facts never hold secrets. */
export type LogLine = (facts: Readonly<Record<string, unknown>>, message: string) => void

export interface CredentialLog {
  readonly info: LogLine
  readonly warn: LogLine
  readonly error: LogLine
}

/** A log whose lines all carry `always`. */
export function logWith(
  log: CredentialLog,
  always: Readonly<Record<string, unknown>>,
): CredentialLog {
  const line =
    (level: keyof CredentialLog): LogLine =>
    (facts, message) =>
      log[level]({ ...always, ...facts }, message)
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

/** Warns of something that failed. */
export function warnOf(log: CredentialLog, error: unknown, message: string): void {
  // Anything else is a defect, and its message could hold anything.
  const facts = isConnectorError(error)
    ? { code: error.code, ...error.details }
    : { code: 'internal_error', error: error instanceof Error ? error.name : typeof error }
  log.warn(facts, message)
}
