// Whose search is next: organisations take turns, the time that is promised includes the wait, and an organisation
// that has asked for more than fits into it is told at once.
import { ConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import { WaitingLine } from '../../engine/exchange/waiting-line.ts'
import { SEARCH_LIMITS } from '../../copy/search/filter.ts'

/** What is known of one organisation, and what waits for it. */
interface Share {
  running: number
  /** How long its searches took, the last ones weighing most; null: none has ended yet. */
  averageMs: number | null
  /** In the order of their turns. */
  readonly waiting: WaitingLine
}

/** Of one organisation. */
const MAX_WAITING = 128
const MAX_KNOWN = 1_000
/** The part that the last search has in the average. */
const LATEST = 0.5

/**
 * The gate of one process. So many searches run `atOnce`; of one organisation three quarters at most, and half of them
 * while another one waits.
 */
export class SearchGate {
  readonly #clock: Clock
  readonly #atOnce: number
  readonly #shares = new Map<string, Share>()
  /** Those for which something waits, the one whose turn is next in front. */
  readonly #line = new Set<Share>()
  #running = 0
  #sweep: AbortController | null = null

  constructor(clock: Clock, atOnce: number) {
    this.#clock = clock
    this.#atOnce = atOnce
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
    const share = this.#shareOf(organizationId)
    const askedAt = this.#clock.monotonic()
    if (share.waiting.length === 0 && this.#mayRun(share)) this.#begin(share)
    else await this.#waitForTurn(share, signal)
    const startedAt = this.#clock.monotonic()
    try {
      return await search(startedAt - askedAt)
    } finally {
      this.#end(share, this.#clock.monotonic() - startedAt)
    }
  }

  #shareOf(organizationId: string): Share {
    const known = this.#shares.get(organizationId)
    if (known !== undefined) return known
    for (const [id, share] of this.#shares) {
      if (this.#shares.size < MAX_KNOWN) break
      if (share.running === 0 && share.waiting.length === 0) this.#shares.delete(id)
    }
    const share: Share = {
      running: 0,
      averageMs: null,
      waiting: new WaitingLine(() => this.#leaveLine(share)),
    }
    this.#shares.set(organizationId, share)
    return share
  }

  #placesOf(share: Share): number {
    const ofOne = Math.max(1, Math.floor(this.#atOnce * 0.75))
    const othersWait = this.#line.size > (this.#line.has(share) ? 1 : 0)
    return othersWait ? Math.min(ofOne, Math.ceil(this.#atOnce / 2)) : ofOne
  }

  #mayRun(share: Share): boolean {
    return this.#running < this.#atOnce && share.running < this.#placesOf(share)
  }

  #begin(share: Share): void {
    this.#running++
    share.running++
  }

  #end(share: Share, tookMs: number): void {
    this.#running--
    share.running--
    this.#learn(share, tookMs)
    for (const next of this.#line) {
      if (!this.#mayRun(next)) continue
      this.#begin(next)
      next.waiting.grant()
      // To the end of the row: the others come first now.
      if (this.#line.delete(next)) this.#line.add(next)
    }
  }

  /** Whether a search that waits so long, and has waited already, would end in time. */
  #fits({ averageMs }: Share, ms: number, waitedMs: number): boolean {
    return waitedMs + ms + (averageMs ?? 0) <= SEARCH_LIMITS.storeMs
  }

  /** Those that wait may have less hope than it seemed. */
  #learn(share: Share, tookMs: number): void {
    const { averageMs: before } = share
    const averageMs = before === null ? tookMs : before + LATEST * (tookMs - before)
    share.averageMs = averageMs
    const now = this.#clock.monotonic()
    const places = this.#placesOf(share)
    share.waiting.refuse((deadline, ahead) => {
      // Those that run have done a part of it.
      const ms = averageMs * Math.floor(ahead / places)
      const waitedMs = now - deadline + SEARCH_LIMITS.storeMs
      return this.#fits(share, ms, waitedMs) ? null : beyondShare(ms)
    })
  }

  async #waitForTurn(share: Share, signal: AbortSignal): Promise<void> {
    const { waiting } = share
    const ms = (share.averageMs ?? 0) * Math.ceil((waiting.length + 1) / this.#placesOf(share))
    if (!this.#fits(share, ms, 0) || waiting.length >= MAX_WAITING) throw beyondShare(ms)
    signal.throwIfAborted()
    const turn = waiting.join(this.#clock.monotonic() + SEARCH_LIMITS.storeMs, signal)
    this.#line.add(share)
    if (this.#sweep === null) this.#beginSweep(SEARCH_LIMITS.storeMs)
    await turn
  }

  /** Nothing of an organisation waits any more. */
  #leaveLine(share: Share): void {
    this.#line.delete(share)
    if (this.#line.size > 0) return
    this.#sweep?.abort()
    this.#sweep = null
  }

  /** One timer watches over all that wait: one each would cost as much as a search. */
  #beginSweep(ms: number): void {
    const own = new AbortController()
    this.#sweep = own
    const endLate = (): void => {
      if (this.#sweep === own) this.#refuseLate()
    }
    void this.#clock.sleep(ms, own.signal).then(endLate, () => {})
  }

  #refuseLate(): void {
    this.#sweep = null
    const now = this.#clock.monotonic()
    let next = Number.POSITIVE_INFINITY
    for (const { waiting } of this.#line) {
      waiting.refuse((deadline) => (deadline <= now ? waitedTooLong() : null))
      next = Math.min(next, waiting.nextDeadline)
    }
    if (this.#line.size > 0) this.#beginSweep(next - now)
  }
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
