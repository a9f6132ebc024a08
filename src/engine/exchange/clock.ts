// The port to time and chance. The rooms read both through it only.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that never jump. */
  monotonic(): number
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. Leaves no timer behind. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** A number from 0 up to, not including, 1. */
  random(): number
}
