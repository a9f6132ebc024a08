// A clock that moves only when told to.
import type { Clock } from '../../../src/engine/exchange/clock.ts'

export interface StoppedClock extends Clock {
  /** Lets time pass, waking sleepers on the way, and everything that follows from it run. */
  advance(ms: number): Promise<void>
  /** Moves the time of day without time passing: somebody set the clock. */
  setForward(ms: number): void
  /** How many sleepers there are. */
  sleeping(): number
}

interface Sleeper {
  readonly at: number
  wake(): void
}

/** Begins at a fixed time. `random` is the one number chance gives. */
export function createStoppedClock(random = 0.5): StoppedClock {
  const sleepers = new Set<Sleeper>()
  let passed = 1000
  let offset = Date.UTC(2026, 0, 1)
  return {
    now: () => offset + passed,
    monotonic: () => passed,
    random: () => random,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          sleepers.delete(sleeper)
          reject(signal?.reason)
        }
        const sleeper: Sleeper = {
          at: passed + ms,
          wake() {
            signal?.removeEventListener('abort', stop)
            sleepers.delete(sleeper)
            resolve()
          },
        }
        if (signal?.aborted === true) return stop()
        signal?.addEventListener('abort', stop, { once: true })
        sleepers.add(sleeper)
      }),
    async advance(ms) {
      const end = passed + ms
      for (;;) {
        await settled()
        const [next] = [...sleepers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
        if (next === undefined) break
        passed = Math.max(passed, next.at)
        next.wake()
      }
      passed = end
      await settled()
    },
    setForward(ms) {
      offset += ms
    },
    sleeping: () => sleepers.size,
  }
}

/** Everything that can run without time passing has run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
