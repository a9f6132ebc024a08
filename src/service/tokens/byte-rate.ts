// How many bytes somebody may send in a second; kept in this process.
import type { Clock } from '../../engine/exchange/clock.ts'
import { dropOldest } from '../drop-oldest.ts'

export interface ByteRate {
  /** Milliseconds until the key may send again; 0: now. */
  wait(key: string): number
  take(key: string, bytes: number): void
}

/** So much may come at once: what a second allows. */
const BURST_MS = 1000
const MAX_KEYS = 10_000

/**
 * At most `bytesPerSecond` per key on average, and as many at once. What is larger than that passes when nothing was sent
 * for long enough, and is waited for afterwards. Forgets keys that rest.
 */
export function createByteRate(clock: Clock, bytesPerSecond: number): ByteRate {
  /** When what a key has sent so far would have been sent at that rate. */
  const paidAt = new Map<string, number>()
  return {
    wait(key) {
      const at = paidAt.get(key)
      return at === undefined ? 0 : Math.max(0, at - BURST_MS - clock.monotonic())
    },
    take(key, bytes) {
      const now = clock.monotonic()
      const from = Math.max(now, paidAt.get(key) ?? now)
      paidAt.delete(key)
      paidAt.set(key, from + (bytes / bytesPerSecond) * 1000)
      dropOldest(paidAt, MAX_KEYS)
    },
  }
}
