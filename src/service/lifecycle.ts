// From the first request to the last: what is let in, what is still running, and the order in which everything ends.
import { ConnectorError } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'

export interface Lifecycle {
  /** `draining`: works, and says that it will not for long. */
  readonly phase: 'running' | 'draining' | 'stopping'
  /** Throws `shutting_down` or `overloaded`, before anything of a request is read. */
  admit(): void
  /** Counts a request as running until the returned function is called. */
  enter(): () => void
  readonly running: number
  drain(): void
  stop(): void
  /** Resolves when nothing runs any more, or after `ms`; true: nothing runs. */
  settled(ms: number): Promise<boolean>
}

/** `isUnderPressure`: whether this process can hardly keep up. */
export function createLifecycle(clock: Clock, isUnderPressure: () => boolean): Lifecycle {
  let phase: Lifecycle['phase'] = 'running'
  let running = 0
  let resolveIdle: (() => void) | null = null
  return {
    get phase() {
      return phase
    },
    get running() {
      return running
    },
    admit() {
      if (phase === 'stopping') {
        throw new ConnectorError('shutting_down', 'this process is shutting down; ask another', {
          retryAfterMs: 1000,
        })
      }
      if (isUnderPressure()) {
        throw new ConnectorError('overloaded', 'the service has too much to do; nothing was sent', {
          retryAfterMs: 1000 + Math.floor(clock.random() * 4000),
        })
      }
    },
    enter() {
      running++
      let left = false
      return () => {
        if (left) return
        left = true
        running--
        if (running === 0) resolveIdle?.()
      }
    },
    drain() {
      if (phase === 'running') phase = 'draining'
    },
    stop() {
      phase = 'stopping'
    },
    async settled(ms) {
      if (running === 0) return true
      const timer = new AbortController()
      const idle = new Promise<void>((resolve) => {
        resolveIdle = resolve
      })
      await Promise.race([idle, clock.sleep(ms, timer.signal).catch(() => {})])
      timer.abort()
      return running === 0
    },
  }
}
