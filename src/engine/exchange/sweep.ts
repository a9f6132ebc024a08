// One timer for all that wait: one each would cost as much as what they wait for.
import type { Clock } from './clock.ts'

export class Sweep {
  readonly #clock: Clock
  readonly #look: (now: number) => number
  #next: { readonly at: number; readonly timer: AbortController } | null = null

  /**
   * `look` ends the waiting of those whose deadline has come, and gives the nearest of the others; Infinity: nobody waits
   * any more. All times are in monotonic milliseconds.
   */
  constructor(clock: Clock, look: (now: number) => number) {
    this.#clock = clock
    this.#look = look
  }

  /** Looks at this deadline at the latest. */
  by(at: number): void {
    if (at >= (this.#next?.at ?? Infinity)) return
    this.end()
    const next = { at, timer: new AbortController() }
    this.#next = next
    const look = (): void => {
      if (this.#next !== next) return
      this.#next = null
      this.by(this.#look(this.#clock.monotonic()))
    }
    const ms = Math.max(0, at - this.#clock.monotonic())
    void this.#clock.sleep(ms, next.timer.signal).then(look, () => {})
  }

  end(): void {
    this.#next?.timer.abort()
    this.#next = null
  }
}
