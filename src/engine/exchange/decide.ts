// Whether a failed attempt is repeated. Pure: the table of docs/security.md, section 9, in code.
import type { ErrorClass, RetryPolicy } from '../../language/manifest/manifest.ts'
import type { Wait } from './waits.ts'

/** What went wrong with one attempt. */
export interface Failure {
  readonly kind: 'status' | 'network' | 'timeout'
  /** HTTP status, null when no answer came. */
  readonly status: number | null
  /** The class of the failure; null when no answer came. */
  readonly as: ErrorClass | null
  /** What an error rule said: `retry` repeats whatever `policy.on` says, `fail` never does. */
  readonly rule: 'retry' | 'fail' | null
  /** True when it is certain that the third party did nothing. */
  readonly nothingDone: boolean
}

export interface Situation {
  readonly failure: Failure
  readonly policy: Pick<RetryPolicy, 'on' | 'maxWaitMs'>
  /** The attempt that failed, from 1. */
  readonly attempt: number
  /** The first included. */
  readonly maxAttempts: number
  /** True when a repetition can do no harm although the outcome of the attempt is unknown. */
  readonly repeatable: boolean
  readonly wait: Wait
  /** Milliseconds until the caller's deadline. */
  readonly remainingMs: number
}

export type Decision =
  | { readonly kind: 'repeat'; readonly afterMs: number }
  /** `retryAfterMs`: the wait that was not made because it is too long; null when waiting would not help us. */
  | { readonly kind: 'give_up'; readonly retryAfterMs: number | null }

/** Repeat after a wait, or give up. */
export function decideRetry(situation: Situation): Decision {
  const { failure, policy, attempt, maxAttempts, repeatable, wait, remainingMs } = situation
  if (!isTransient(failure, policy)) return { kind: 'give_up', retryAfterMs: null }
  const retryAfterMs = wait.asked || failure.as === 'rate_limited' ? wait.ms : null
  if (!repeatable && !failure.nothingDone) return { kind: 'give_up', retryAfterMs }
  if (attempt >= maxAttempts) return { kind: 'give_up', retryAfterMs }
  if (policy.maxWaitMs !== null && wait.ms > policy.maxWaitMs)
    return { kind: 'give_up', retryAfterMs }
  if (wait.ms >= remainingMs) return { kind: 'give_up', retryAfterMs }
  return { kind: 'repeat', afterMs: wait.ms }
}

function isTransient(failure: Failure, policy: Situation['policy']): boolean {
  if (failure.rule === 'retry') return true
  if (failure.rule === 'fail') return false
  return policy.on.includes(failure.kind === 'status' ? (failure.status ?? 0) : failure.kind)
}
