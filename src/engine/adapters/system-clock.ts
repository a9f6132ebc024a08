// Time and chance of the machine, by what every platform has.
import type { Clock } from '../exchange/clock.ts'

/** Longest wait one timer can hold; longer ones are waited in turns. */
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
    const stop = (): void => {
      clearTimeout(timer)
      // The reason is the caller's, whatever it is.
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
