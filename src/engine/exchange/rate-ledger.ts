// Who counts what is used of a rate: this process alone, or a store for all of them.
import {
  freeIn,
  type Rate,
  type RateUse,
  sliceAt,
  sliceLeftMs,
  UNUSED,
  waitIn,
  withUse,
  withoutUse,
} from './rate-use.ts'

/** What is asked for at once. */
export interface RateAsk {
  /** Requests that wait. */
  readonly needed: number
  /** With some in stock, where there are plenty; at least `needed`. */
  readonly wanted: number
  /** Requests that were granted in a slice and never left. */
  readonly back: { readonly slice: number; readonly count: number } | null
}

export interface RateGrant {
  /** Requests that may leave; 0: none yet. */
  readonly granted: number
  /** The slice they are counted in, for what is given back. */
  readonly slice: number
  /** For so long after they were asked for. */
  readonly validMs: number
  /** Until another one may leave; 0 where some are left. */
  readonly waitMs: number
  /** What is used by now, these included, and the time that counts in. */
  readonly use: RateUse
  readonly nowMs: number
}

export interface RateLedger {
  take(ask: RateAsk): RateGrant | Promise<RateGrant>
  /** Counts requests that leave in any case, such as the exchange of a token. */
  spend(count: number): void
}

/** What an ask comes to, by what is used so far. */
export function decideGrant(rate: Rate, before: RateUse, nowMs: number, ask: RateAsk): RateGrant {
  const known = ask.back === null ? before : withoutUse(before, ask.back.slice, ask.back.count)
  const free = Math.max(0, freeIn(rate, known, nowMs))
  // A stock is taken of what is plenty, so that the last ones go to who needs them, in whatever process.
  const granted = Math.min(free, Math.max(ask.needed, Math.min(ask.wanted, Math.floor(free / 4))))
  const use = granted === 0 ? known : withUse(rate, known, nowMs, granted)
  return {
    granted,
    slice: sliceAt(rate, nowMs),
    validMs: sliceLeftMs(rate, nowMs),
    waitMs: waitIn(rate, use, nowMs, 1),
    use,
    nowMs,
  }
}

/** A ledger in memory. */
export function createLocalLedger(rate: Rate, monotonic: () => number): RateLedger {
  let use = UNUSED
  return {
    take(ask) {
      const grant = decideGrant(rate, use, monotonic(), ask)
      use = grant.use
      return grant
    },
    spend(count) {
      use = withUse(rate, use, monotonic(), count)
    },
  }
}
