// Moments of syncs that fail: whether what was to last until one of them still does, and when the next attempt is.

/** `the third party was left alone until`; the moment follows, as the reader has it. */
export function leftAloneUntil(nowMs: number, until: string): string {
  return `the third party ${Date.parse(until) > nowMs ? 'is' : 'was'} left alone until`
}

/** A copy, as `GET …/sync` shows it. */
interface Due {
  readonly late: boolean
  readonly failures: number
  readonly waits_for: object | null
  readonly limited_until: string | null
}

/** Whether nothing but its turn is what a late copy waits for, as far as that is known. */
export function waitsForTurn(copy: Due): boolean {
  const { late, failures, waits_for: on, limited_until: until } = copy
  return late && failures === 0 && on === null && until === null
}

/**
 * When something is sent again for copies that fail, of which the first is due then: what is due while the third party is
 * left alone sends nothing before that ends.
 */
export function nextSentAt(nowMs: number, due: string | null, until: string | null): string | null {
  if (until === null) return due
  const dueMs = due === null ? null : Date.parse(due)
  return nextSentMs(nowMs, dueMs, Date.parse(until)) === dueMs ? due : until
}

/** The same of moments in milliseconds since 1970. */
export function nextSentMs(nowMs: number, due: number | null, until: number): number | null {
  return until <= nowMs ? due : Math.max(due ?? until, until)
}

/** When a sync is tried again, by its entry in the logs; null: it is not, or waits for its user. */
export function nextAttemptAt(entry: {
  readonly at: string
  readonly code: string | null
  readonly facts: { readonly [name: string]: unknown }
}): string | null {
  const { tried_again_in_s: seconds } = entry.facts
  if (typeof seconds !== 'number' || entry.code === 'credentials_refused') return null
  return new Date(Date.parse(entry.at) + seconds * 1000).toISOString()
}
