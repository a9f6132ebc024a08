// When an attempt that failed is followed by another one.
import type { AttemptResult } from './attempt.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The waits after the first attempt, the second …: eight attempts over about 28 hours. */
const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
]
/** A receiver that asks for a longer wait is asked again after this one. */
const MAX_ASKED_MS = 10 * HOUR_MS

/**
 * How long to wait after an attempt, counted from 1; null: it was the last one. A tenth more or less by chance, so that a
 * receiver which was away is not met by everything at once; longer where it asks for that.
 */
export function waitAfter(
  attempt: number,
  { retryAfterMs }: Pick<AttemptResult, 'retryAfterMs'>,
  random: number,
): number | null {
  const wait = WAITS_MS[attempt - 1]
  if (wait === undefined) return null
  return Math.max(
    Math.round(wait * (0.9 + 0.2 * random)),
    Math.min(retryAfterMs ?? 0, MAX_ASKED_MS),
  )
}
