// How often something may happen per key in a span of time; kept in this process.
import type { Clock } from '../../engine/exchange/clock.ts'
import { dropOldest } from '../drop-oldest.ts'

export interface Window {
  /** Milliseconds until the key has room again; 0: now. */
  wait(key: string): number
  /** Counts an event; what it gives takes it back. */
  take(key: string): () => void
  /** How much room a key has left. */
  left(key: string): number
}

const MAX_KEYS = 10_000

/** A sliding window of `count` events in `ms` milliseconds per key. Forgets keys that rest. */
export function createWindow(
  clock: Clock,
  limit: { readonly count: number; readonly ms: number },
): Window {
  const taken = new Map<string, number[]>()

  function recent(key: string): number[] {
    const times = taken.get(key)
    if (times === undefined) return []
    const from = clock.monotonic() - limit.ms
    while (times[0] !== undefined && times[0] <= from) times.shift()
    if (times.length === 0) taken.delete(key)
    return times
  }

  return {
    wait(key) {
      const times = recent(key)
      const [first] = times
      return times.length < limit.count || first === undefined
        ? 0
        : first + limit.ms - clock.monotonic()
    },
    take(key) {
      const times = recent(key)
      const at = clock.monotonic()
      times.push(at)
      taken.delete(key)
      taken.set(key, times)
      dropOldest(taken, MAX_KEYS)
      return () => {
        const index = times.lastIndexOf(at)
        if (index >= 0) times.splice(index, 1)
      }
    },
    left: (key) => Math.max(0, limit.count - recent(key).length),
  }
}
