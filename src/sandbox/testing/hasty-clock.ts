// A clock for tests whose waits take no time: it moves on by what was to be waited for.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../engine/exchange/clock.ts'

export function createHastyClock(): Clock {
  let skippedMs = 0
  return {
    now: () => Date.now() + skippedMs,
    monotonic: () => performance.now() + skippedMs,
    random: () => 0.5,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      skippedMs += ms
      // Other waiting code gets a turn.
      await setImmediate()
      signal?.throwIfAborted()
    },
  }
}
