// From the first request to the last: what is let in, what is still running, and the order in which everything ends.
import { ConnectorError } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import { within } from './within.ts'

export class Lifecycle {
  readonly #clock: Clock
  readonly #isUnderPressure: () => boolean
  #phase: 'running' | 'draining' | 'stopping' = 'running'
  #running = 0
  #resolveIdle: (() => void) | null = null

  /** `isUnderPressure`: whether this process can hardly keep up. */
  constructor(clock: Clock, isUnderPressure: () => boolean) {
    this.#clock = clock
    this.#isUnderPressure = isUnderPressure
  }

  /** `draining`: works, and says that it will not for long. */
  get phase(): 'running' | 'draining' | 'stopping' {
    return this.#phase
  }

  get running(): number {
    return this.#running
  }

  /** Throws `shutting_down` or `overloaded`, before anything of a request is read. */
  admit(): void {
    if (this.#phase === 'stopping') {
      throw new ConnectorError('shutting_down', 'this process is shutting down; ask another', {
        retryAfterMs: 1000,
      })
    }
    if (this.#isUnderPressure()) {
      throw new ConnectorError('overloaded', 'the service has too much to do; nothing was sent', {
        retryAfterMs: 1000 + Math.floor(this.#clock.random() * 4000),
      })
    }
  }

  /** Counts a request as running until the returned function is called. */
  enter(): () => void {
    this.#running++
    let left = false
    return () => {
      if (left) return
      left = true
      this.#running--
      if (this.#running === 0) this.#resolveIdle?.()
    }
  }

  drain(): void {
    if (this.#phase === 'running') this.#phase = 'draining'
  }

  stop(): void {
    this.#phase = 'stopping'
  }

  /** Resolves when nothing runs any more, or after `ms`; true: nothing runs. */
  async settled(ms: number): Promise<boolean> {
    if (this.#running === 0) return true
    const { promise: idle, resolve } = Promise.withResolvers<void>()
    this.#resolveIdle = resolve
    await within(this.#clock, ms, idle)
    return this.#running === 0
  }
}
