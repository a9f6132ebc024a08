// A failure of a copy as answers have it.
import type { SyncFailure } from '../../copy/sync/run-record.ts'
import { timeOrNull, timeText } from '../store/instance-view.ts'

/** A type and no interface: it is JSON. */
export type ShownFailure = {
  readonly code: string
  readonly detail: string
  readonly at: string
  readonly suspended_until: string | null
  readonly cause: { readonly code: string; readonly detail: string } | null
}

export function showFailure(error: SyncFailure): ShownFailure {
  const { code, message, atMs, suspendedUntilMs, cause } = error
  return {
    code,
    detail: message,
    at: timeText(atMs),
    suspended_until: timeOrNull(suspendedUntilMs ?? null),
    cause: cause === undefined ? null : { code: cause.code, detail: cause.message },
  }
}
