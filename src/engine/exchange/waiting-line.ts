// Callers that wait for their turn, first come, first served.
import { type AbortWatcher, endWatch, watchAbort } from './abort-watch.ts'

interface Waiter extends AbortWatcher {
  readonly deadline: number
  /** Without a refusal it is granted its turn. */
  settle(refusal?: unknown): void
}

/** A queue that is left by a turn, by a refusal or by an abort. */
export class WaitingLine {
  readonly #waiters: Waiter[] = []
  readonly #onEmpty: () => void

  /** `onEmpty` is told whenever the last one has left. */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty
  }

  get length(): number {
    return this.#waiters.length
  }

  /** The nearest deadline; Infinity where nobody waits. */
  get nextDeadline(): number {
    return Math.min(...this.#waiters.map(({ deadline }) => deadline))
  }

  /** Resolves with the turn; rejects with what {@link refuse} gives, or with the signal's reason. */
  join(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        deadline,
        settle(refusal) {
          if (signal !== undefined) endWatch(signal, waiter)
          if (refusal === undefined) resolve()
          else reject(refusal)
        },
        onAbort: () => this.#remove(waiter, signal?.reason),
      }
      this.#waiters.push(waiter)
      if (signal !== undefined) watchAbort(signal, waiter)
    })
  }

  /** Grants the first one its turn. False: nobody waits. */
  grant(): boolean {
    const [first] = this.#waiters
    if (first !== undefined) this.#remove(first)
    return first !== undefined
  }

  /** Ends the waiting of those for whom `refusalOf` gives an error, by their deadline and their place in the line. */
  refuse(refusalOf: (deadline: number, place: number) => Error | null): void {
    for (const [place, waiter] of [...this.#waiters].entries()) {
      const refusal = refusalOf(waiter.deadline, place)
      if (refusal !== null) this.#remove(waiter, refusal)
    }
  }

  #remove(waiter: Waiter, refusal?: unknown): void {
    const at = this.#waiters.indexOf(waiter)
    if (at === -1) return
    this.#waiters.splice(at, 1)
    waiter.settle(refusal)
    if (this.#waiters.length === 0) this.#onEmpty()
  }
}
