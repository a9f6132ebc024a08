// How many operations run at once, and whose turn is next: round robin between organisations once anybody waits.
import { ConnectorError } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import { WaitingLine } from '../engine/exchange/waiting-line.ts'

export interface GateLimits {
  readonly running: number
  readonly waiting: number
}

const DEFAULT_LIMITS: GateLimits = { running: 512, waiting: 256 }

/** The gate of one process. While anybody waits no organisation holds more than half of the places. */
export class Gate {
  readonly #clock: Clock
  readonly #limits: GateLimits
  /** Places by the organisation that holds them. */
  readonly #held = new Map<string, number>()
  /** By organisation, the one whose turn is next in front. */
  readonly #queues = new Map<string, WaitingLine>()
  #running = 0
  #waiting = 0

  constructor(clock: Clock, limits: GateLimits = DEFAULT_LIMITS) {
    this.#clock = clock
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /** A place that is free now, released like that of `enter`; null: `enter` waits for one. */
  take(organizationId: string): (() => void) | null {
    if (this.#running >= this.#limits.running || this.#queues.has(organizationId)) return null
    if (!this.#mayTake(organizationId)) return null
    this.#occupy(organizationId)
    return this.#releaseOf(organizationId)
  }

  /**
   * Waits for a place; the returned function releases it. Throws `overloaded` at once when the queue is full,
   * `deadline_exceeded` when no place comes free in time, and the signal's reason when aborted.
   */
  async enter(organizationId: string, waitMs: number, signal: AbortSignal): Promise<() => void> {
    const taken = this.take(organizationId)
    if (taken !== null) return taken
    if (this.#waiting >= this.#limits.waiting) {
      throw new ConnectorError('overloaded', 'the service has too much to do; nothing was sent', {
        retryAfterMs: 1000 + Math.floor(this.#clock.random() * 4000),
      })
    }
    return await this.#wait(organizationId, waitMs, signal)
  }

  #mayTake(organizationId: string): boolean {
    if (this.#queues.size === 0) return true
    const others = [...this.#queues.keys()].some((id) => id !== organizationId)
    return !others || (this.#held.get(organizationId) ?? 0) < Math.ceil(this.#limits.running / 2)
  }

  #occupy(organizationId: string): void {
    this.#running++
    this.#held.set(organizationId, (this.#held.get(organizationId) ?? 0) + 1)
  }

  #releaseOf(organizationId: string): () => void {
    let left = false
    return () => {
      if (left) return
      left = true
      this.#running--
      const rest = (this.#held.get(organizationId) ?? 1) - 1
      if (rest === 0) this.#held.delete(organizationId)
      else this.#held.set(organizationId, rest)
      this.#grantNext()
    }
  }

  #grantNext(): void {
    if (this.#running >= this.#limits.running) return
    for (const [organizationId, queue] of this.#queues) {
      if (!this.#mayTake(organizationId)) continue
      this.#occupy(organizationId)
      queue.grant()
      // To the end of the row: the others come first now.
      if (this.#queues.delete(organizationId)) this.#queues.set(organizationId, queue)
      return
    }
  }

  async #wait(organizationId: string, waitMs: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const queue =
      this.#queues.get(organizationId) ?? new WaitingLine(() => this.#queues.delete(organizationId))
    this.#queues.set(organizationId, queue)
    const deadline = this.#clock.monotonic() + waitMs
    const turn = queue.join(deadline, signal)
    const timer = new AbortController()
    const refuseLate = (): void => queue.refuse((each) => (each <= deadline ? tooLate() : null))
    void this.#clock.sleep(waitMs, timer.signal).then(refuseLate, () => {})
    this.#waiting++
    try {
      await turn
    } finally {
      timer.abort()
      this.#waiting--
    }
    const release = this.#releaseOf(organizationId)
    if (!signal.aborted) return release
    release()
    throw signal.reason
  }
}

function tooLate(): ConnectorError {
  return new ConnectorError(
    'deadline_exceeded',
    'the deadline passed while other operations were running; nothing was sent',
  )
}
