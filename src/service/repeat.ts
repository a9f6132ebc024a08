// Work that a process does again and again, without being asked.
import type { Clock } from '../engine/exchange/clock.ts'
import { failureFacts, type ServiceLog } from './log.ts'

export interface Jobs {
  readonly running: boolean
  /** Lets the step under way come to its end. */
  close(): Promise<void>
}

export interface Repeated {
  /** Between the end of a step and the next one, give or take a tenth. */
  readonly everyMs: number
  /** Resolves with the time until the next step, where that is another one. */
  readonly step: (stopped: AbortSignal) => Promise<number | void>
  /** What the log says of a step that fails. */
  readonly failure: string
}

/** Starts it. A step that fails is told and done again. */
export function repeat(
  { clock, log }: { readonly clock: Clock; readonly log: Pick<ServiceLog, 'warn'> },
  { everyMs, step, failure }: Repeated,
): Jobs {
  const stopped = new AbortController()
  const { signal } = stopped

  async function work(): Promise<void> {
    while (!signal.aborted) {
      let ms = everyMs
      try {
        ms = (await step(signal)) ?? everyMs
      } catch (error) {
        log.warn(failureFacts(error), failure)
      }
      await clock.sleep(ms * (0.9 + 0.2 * clock.random()), signal).catch(() => {})
    }
  }

  const working = work()
  return {
    get running() {
      return !signal.aborted
    },
    async close() {
      stopped.abort()
      await working
    },
  }
}
