// How many calls may be under way at once, and the queue of those that must wait.
import { ConnectorError } from '../../errors.ts'
import type { Clock } from './clock.ts'
import { Sweep } from './sweep.ts'
import { WaitingLine } from './waiting-line.ts'

/** The places for concurrent calls in this process. */
export class Places {
  readonly #count: number
  readonly #line = new WaitingLine(() => this.#sweep.end())
  readonly #sweep: Sweep
  #taken = 0

  constructor(count: number, clock: Clock) {
    this.#count = count
    this.#sweep = new Sweep(clock, (now) => {
      this.#line.refuse((deadline) => (deadline <= now ? this.#noPlace() : null))
      return this.#line.nextDeadline
    })
  }

  takeNow(): boolean {
    if (this.#taken >= this.#count) return false
    this.#taken++
    return true
  }

  /** Waits for a place. Throws `upstream_rate_limited` at the deadline, and the signal's reason when aborted. */
  async wait(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    const turn = this.#line.join(deadline, signal)
    if (this.#line.length > 0) this.#sweep.by(deadline)
    await turn
  }

  /** Gives a place back. It goes to the first in the queue, so that a newcomer never overtakes one. */
  leave(): void {
    if (!this.#line.grant()) this.#taken--
  }

  #noPlace(): ConnectorError {
    return new ConnectorError(
      'upstream_rate_limited',
      `all ${this.#count} places for concurrent calls stayed taken until the deadline; call less at once or allow more time`,
    )
  }
}
