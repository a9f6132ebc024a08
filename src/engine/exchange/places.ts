// How many calls may be under way at once, and the queue of those that must wait.
import { ConnectorError } from '../../errors.ts'
import type { Clock } from './clock.ts'
import { WaitingLine } from './waiting-line.ts'

/** The look at the queue that is due at the nearest deadline. */
interface Sweep {
  readonly at: number
  readonly timer: AbortController
}

/** The places for concurrent calls in this process. */
export class Places {
  readonly #count: number
  readonly #clock: Clock
  readonly #line = new WaitingLine(() => this.#endSweep())
  #taken = 0
  #sweep: Sweep | null = null

  constructor(count: number, clock: Clock) {
    this.#count = count
    this.#clock = clock
  }

  /** Takes a place where one is free. */
  takeNow(): boolean {
    if (this.#taken >= this.#count) return false
    this.#taken++
    return true
  }

  /** Waits for a place. Throws `upstream_rate_limited` at the deadline, and the signal's reason when aborted. */
  async wait(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    const turn = this.#line.join(deadline, signal)
    if (this.#line.length > 0 && deadline < (this.#sweep?.at ?? Infinity)) this.#beginSweep()
    await turn
  }

  /** Gives a place back. It goes to the first in the queue, so that a newcomer never overtakes one. */
  leave(): void {
    if (!this.#line.grant()) this.#taken--
  }

  /** One timer watches over everybody in the queue: one each would cost as much as the call itself. */
  #beginSweep(): void {
    this.#endSweep()
    const at = this.#line.nextDeadline
    const sweep: Sweep = { at, timer: new AbortController() }
    this.#sweep = sweep
    const refuseLate = (): void => {
      if (this.#sweep !== sweep) return
      this.#sweep = null
      const now = this.#clock.monotonic()
      this.#line.refuse((deadline) => (deadline <= now ? this.#noPlace() : null))
      if (this.#line.length > 0) this.#beginSweep()
    }
    const ms = Math.max(0, at - this.#clock.monotonic())
    void this.#clock.sleep(ms, sweep.timer.signal).then(refuseLate, () => {})
  }

  #endSweep(): void {
    this.#sweep?.timer.abort()
    this.#sweep = null
  }

  #noPlace(): ConnectorError {
    return new ConnectorError(
      'upstream_rate_limited',
      `all ${this.#count} places for concurrent calls stayed taken until the deadline; call less at once or allow more time`,
    )
  }
}
