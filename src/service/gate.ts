// How many operations run at once, and whose turn is next.
import { ConnectorError } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import { FairPlaces, type Share } from './fair-places.ts'

export interface GateLimits {
  readonly running: number
  readonly waiting: number
}

const DEFAULT_LIMITS: GateLimits = { running: 512, waiting: 256 }

/** The gate of one process. While anybody waits no organisation holds more than half of the places. */
export class Gate {
  readonly #clock: Clock
  readonly #places: FairPlaces
  readonly #maxWaiting: number

  constructor(clock: Clock, { running, waiting }: GateLimits = DEFAULT_LIMITS) {
    this.#clock = clock
    this.#places = new FairPlaces(clock, { count: running, ofOne: running, tooLate })
    this.#maxWaiting = waiting
  }

  get running(): number {
    return this.#places.running
  }

  get waiting(): number {
    return this.#places.waiting
  }

  /** A place that is free now, released like that of `enter`; null: `enter` waits for one. */
  take(organizationId: string): (() => void) | null {
    const share = this.#places.shareOf(organizationId)
    return this.#places.take(share) ? this.#releaseOf(share) : null
  }

  /**
   * Waits for a place; the returned function releases it. Throws `overloaded` at once when the queue is full,
   * `deadline_exceeded` when no place comes free in time, and the signal's reason when aborted.
   */
  async enter(organizationId: string, waitMs: number, signal: AbortSignal): Promise<() => void> {
    const taken = this.take(organizationId)
    if (taken !== null) return taken
    if (this.waiting >= this.#maxWaiting) {
      throw new ConnectorError('overloaded', 'the service has too much to do; nothing was sent', {
        retryAfterMs: 1000 + Math.floor(this.#clock.random() * 4000),
      })
    }
    const share = this.#places.shareOf(organizationId)
    await this.#places.wait(share, this.#clock.monotonic() + waitMs, signal)
    const release = this.#releaseOf(share)
    if (!signal.aborted) return release
    release()
    throw signal.reason
  }

  #releaseOf(share: Share): () => void {
    let left = false
    return () => {
      if (left) return
      left = true
      this.#places.leave(share)
    }
  }
}

function tooLate(): ConnectorError {
  return new ConnectorError(
    'deadline_exceeded',
    'the deadline passed while other operations were running; nothing was sent',
  )
}
