// Time and chance of the machine.
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../exchange/clock.ts'

/** Longest wait one Node timer can hold; longer ones are waited in turns. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** The Clock port over the system's clocks and `Math.random`. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    random: () => Math.random(),
    sleep,
  }
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = ms; ; left -= MAX_TIMER_MS) {
    // It rejects with an error of its own, which has the signal's reason as its cause.
    await setTimeout(Math.max(0, Math.min(left, MAX_TIMER_MS)), undefined, { signal }).catch(() =>
      signal?.throwIfAborted(),
    )
    if (left <= MAX_TIMER_MS) return
  }
}
