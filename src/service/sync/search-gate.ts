// Whose search is next: organisations take turns, the time that is promised includes the wait, and an organisation
// that has asked for more than fits into it is told at once.
import { ConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import { SEARCH_LIMITS } from '../../copy/search/filter.ts'
import { FairPlaces, type Share } from '../fair-places.ts'

/** Of one organisation. */
const MAX_WAITING = 128
/** The part that the last search has in the average. */
const LATEST = 0.5

/** At most `atOnce` searches of a process; of one organisation three quarters, and half while another one waits. */
export class SearchGate {
  readonly #clock: Clock
  readonly #places: FairPlaces
  /** How long the searches of an organisation took, the last ones weighing most. */
  readonly #averagesMs = new WeakMap<Share, number>()

  constructor(clock: Clock, atOnce: number) {
    const ofOne = Math.max(1, Math.floor(atOnce * 0.75))
    this.#clock = clock
    this.#places = new FairPlaces(clock, { count: atOnce, ofOne, tooLate: waitedTooLong })
  }

  /**
   * Runs a search when it is its turn. `search` is told how long it has waited, in milliseconds, and holds its place until
   * it ends. Throws `rate_limited` for an organisation whose searches take longer than fits, `search_timeout`, and the
   * signal's reason.
   */
  async run<T>(
    organizationId: string,
    signal: AbortSignal,
    search: (spentMs: number) => Promise<T>,
  ): Promise<T> {
    const share = this.#places.shareOf(organizationId)
    const askedAt = this.#clock.monotonic()
    if (!this.#places.take(share)) await this.#waitForTurn(share, signal)
    const startedAt = this.#clock.monotonic()
    try {
      return await search(startedAt - askedAt)
    } finally {
      this.#learn(share, this.#clock.monotonic() - startedAt)
      this.#places.leave(share)
    }
  }

  async #waitForTurn(share: Share, signal: AbortSignal): Promise<void> {
    const { length } = share.waiting
    const averageMs = this.#averagesMs.get(share) ?? 0
    const ms = averageMs * Math.ceil((length + 1) / this.#places.placesOf(share))
    if (!fits(ms + averageMs) || length >= MAX_WAITING) throw beyondShare(ms)
    await this.#places.wait(share, this.#clock.monotonic() + SEARCH_LIMITS.storeMs, signal)
  }

  /** Those that wait may have less hope than it seemed. */
  #learn(share: Share, tookMs: number): void {
    const before = this.#averagesMs.get(share) ?? tookMs
    const averageMs = before + LATEST * (tookMs - before)
    this.#averagesMs.set(share, averageMs)
    const now = this.#clock.monotonic()
    const places = this.#places.placesOf(share)
    share.waiting.refuse((deadline, ahead) => {
      // Those that run have done a part of it.
      const ms = averageMs * Math.floor(ahead / places)
      const waitedMs = now - deadline + SEARCH_LIMITS.storeMs
      return fits(waitedMs + ms + averageMs) ? null : beyondShare(ms)
    })
  }
}

function fits(ms: number): boolean {
  return ms <= SEARCH_LIMITS.storeMs
}

function beyondShare(ms: number): ConnectorError {
  return new ConnectorError(
    'rate_limited',
    'this organisation asks for more searches at once than can be answered in time; send fewer, or lighter ones',
    { retryAfterMs: Math.max(1_000, Math.ceil(ms)) },
  )
}

function waitedTooLong(): ConnectorError {
  return new ConnectorError(
    'search_timeout',
    'the search could not be answered within 2 s, the wait for its turn included; ask for less, or later',
    { retryAfterMs: 1_000 },
  )
}
