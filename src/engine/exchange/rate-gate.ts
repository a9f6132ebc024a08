// One rate of one third party in this process: a stock of granted requests, and the queue in front of it.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Clock } from './clock.ts'
import type { RateAsk, RateGrant, RateLedger } from './rate-ledger.ts'
import { freeIn, type Rate, waitIn } from './rate-use.ts'
import { WaitingLine } from './waiting-line.ts'

/** How much of a rate a process keeps in stock at most. */
const MAX_STOCK_SHARE = 0.01
/** Processes that wait for the same moment do not all ask in it. */
const JITTER_MS = 10

/** Grants the requests of one rate. All times are monotonic milliseconds. */
export class RateGate {
  readonly rate: Rate
  readonly #ledger: RateLedger
  readonly #clock: Clock
  readonly #isShared: boolean
  readonly #maxStock: number
  readonly #line = new WaitingLine(() => this.#pause?.ending.abort())
  #stock = { count: 0, slice: 0, until: Number.NEGATIVE_INFINITY }
  /** Doubles while a stock is used up in its time, so that a process that seldom asks keeps nothing from others. */
  #block = 1
  #seen: { readonly grant: RateGrant; readonly at: number } | null = null
  /** Requests that did not ask, since then. */
  #unasked = 0
  #isPumping = false
  /** The wait for the next look at the ledger; nobody can get anything before it is over. */
  #pause: { readonly until: number; readonly ending: AbortController } | null = null

  /** `isShared`: the ledger counts for other processes as well. */
  constructor(rate: Rate, ledger: RateLedger, clock: Clock, isShared: boolean) {
    this.rate = rate
    this.#ledger = ledger
    this.#clock = clock
    this.#isShared = isShared
    this.#maxStock = isShared ? Math.max(1, Math.floor(rate.count * MAX_STOCK_SHARE)) : 1
  }

  /** The right to send one request, where it can be had at once. */
  takeNow(): boolean {
    if (this.#line.length > 0) return false
    if (this.#takeFromStock()) return true
    if (this.#isPumping || this.#isShared) return false
    const grant = this.#ledger.take({ needed: 1, wanted: 1, back: this.#leftOver() })
    if (grant instanceof Promise) throw new TypeError('a ledger in memory answers at once')
    this.#receive(grant, this.#clock.monotonic())
    return this.#takeFromStock()
  }

  /**
   * The same, waited for; first come, first served. Throws `upstream_rate_limited` with `retryAfterMs` as soon as the wait
   * would pass `deadline`, and the signal's reason when aborted.
   */
  async take(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted === true) throw signal.reason
    if (this.takeNow()) return
    const turn = this.#line.join(deadline, signal)
    if (this.#pause !== null) this.#refuseLate(this.#pause.until - this.#clock.monotonic())
    if (!this.#isPumping) void this.#pump()
    await turn
  }

  giveBack(): void {
    this.#stock.count++
  }

  /** Counts a request that leaves in any case. */
  spend(): void {
    if (this.#takeFromStock()) return
    this.#unasked++
    this.#ledger.spend(1)
  }

  /** Requests that could leave at once, as far as this process knows. */
  free(): number {
    const free =
      this.#seen === null
        ? this.rate.count
        : freeIn(this.rate, this.#seen.grant.use, this.#ledgerTime(this.#seen))
    return Math.max(0, free - this.#unasked) + this.#inStock()
  }

  /** Milliseconds until more than `reserve` requests are free; 0: they are. */
  waitBeyond(reserve: number): number {
    if (this.#seen === null) return 0
    const wanted = reserve + 1 + this.#unasked - this.#inStock()
    return waitIn(this.rate, this.#seen.grant.use, this.#ledgerTime(this.#seen), wanted)
  }

  #takeFromStock(): boolean {
    if (this.#inStock() === 0) return false
    this.#stock.count--
    return true
  }

  #inStock(): number {
    const { count, until } = this.#stock
    return count > 0 && this.#clock.monotonic() < until ? count : 0
  }

  #ledgerTime({ grant, at }: { readonly grant: RateGrant; readonly at: number }): number {
    return grant.nowMs + (this.#clock.monotonic() - at)
  }

  async #pump(): Promise<void> {
    this.#isPumping = true
    try {
      for (;;) {
        while (this.#line.length > 0 && this.#takeFromStock()) this.#line.grant()
        const needed = this.#line.length
        if (needed === 0) return
        const askedAt = this.#clock.monotonic()
        const wanted = Math.max(needed, this.#block)
        const asked = this.#ledger.take({ needed, wanted, back: this.#leftOver() })
        const grant = asked instanceof Promise ? await asked : asked
        this.#receive(grant, askedAt)
        if (grant.granted === 0) await this.#rest(Math.max(1, grant.waitMs))
      }
    } catch (error) {
      this.#line.refuse(() => unknownRate(error))
    } finally {
      this.#isPumping = false
    }
  }

  /** Lets time pass while there is nothing to be had; ends when nobody waits any more. */
  async #rest(ms: number): Promise<void> {
    this.#refuseLate(ms)
    if (this.#line.length === 0) return
    const ending = new AbortController()
    this.#pause = { until: this.#clock.monotonic() + ms, ending }
    const jitterMs = this.#isShared ? this.#clock.random() * JITTER_MS : 0
    await this.#clock.sleep(ms + jitterMs, ending.signal).catch(() => {})
    this.#pause = null
  }

  #receive(grant: RateGrant, askedAt: number): void {
    this.#seen = { grant, at: this.#clock.monotonic() }
    this.#unasked = 0
    this.#stock = { count: grant.granted, slice: grant.slice, until: askedAt + grant.validMs }
    this.#block = Math.min(this.#maxStock, grant.granted > 0 ? this.#block * 2 : 1)
  }

  /** What is in stock and cannot be used any more. */
  #leftOver(): RateAsk['back'] {
    const { slice, count } = this.#stock
    this.#stock.count = 0
    if (count === 0) return null
    this.#block = 1
    return { slice, count }
  }

  /** Ends the waiting of those whose turn comes after their deadline. */
  #refuseLate(waitMs: number): void {
    if (waitMs <= 0) return
    const now = this.#clock.monotonic()
    this.#line.refuse((deadline, place) => {
      const turnMs = waitMs + Math.floor(place / this.rate.count) * this.rate.periodMs
      return now + turnMs <= deadline ? null : rateUsedUp(turnMs)
    })
  }
}

function unknownRate(error: unknown): ConnectorError {
  if (isConnectorError(error)) return error
  return new ConnectorError('internal_error', 'what is left of a rate is not known', {
    cause: error,
  })
}

/** The refusal of a call whose turn would come too late. */
export function rateUsedUp(ms: number): ConnectorError {
  const retryAfterMs = Math.ceil(ms)
  return new ConnectorError(
    'upstream_rate_limited',
    'the rate limit of the third party is used up, and the next call can start only later than this one may wait',
    { retryAfterMs },
  )
}
