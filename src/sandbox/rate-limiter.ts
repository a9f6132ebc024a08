// The manifest's rate limits from the vendor's side.
import type { Limits } from '../language/manifest/manifest.ts'

/** Seconds to wait when a request comes too soon, else null. A refused request does not count. */
export type RateLimiter = () => number | null

/** Windows that begin with their first request; all rates hold. `now`: milliseconds that really pass. */
export function createRateLimiter(rates: Limits['rates'], now: () => number): RateLimiter {
  const windows = rates.map((rate) => ({ ...rate, startMs: -Infinity, used: 0 }))
  return () => {
    const at = now()
    for (const window of windows) {
      if (at - window.startMs < window.periodMs) continue
      window.startMs = at
      window.used = 0
    }
    const full = windows.filter(({ used, count }) => used >= count)
    if (full.length > 0) {
      const waitMs = Math.max(...full.map(({ startMs, periodMs }) => startMs + periodMs - at))
      return Math.max(1, Math.ceil(waitMs / 1000))
    }
    for (const window of windows) window.used++
    return null
  }
}
