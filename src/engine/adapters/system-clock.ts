// Time and chance of the machine.
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
    await wait(Math.max(0, Math.min(left, MAX_TIMER_MS)), signal)
    if (left <= MAX_TIMER_MS) return
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
