// How many requests may leave: rates and concurrency of the manifest.
import type { Limits } from '../../language/manifest/manifest.ts'
import type { Clock } from './clock.ts'
import { Places } from './places.ts'
import { RateGate, rateUsedUp } from './rate-gate.ts'
import { createLocalLedger, type RateLedger } from './rate-ledger.ts'
import type { Rate } from './rate-use.ts'

/** How much of a rate is left. */
export interface RateLeft {
  readonly count: number
  readonly windowMs: number
  /** Requests that could leave at once. */
  readonly remaining: number
  /** Until another one could leave; 0 where some are left. */
  readonly waitMs: number
}

/** What a budget shares with others; without it everything is counted in this process. */
export interface BudgetSharing {
  /** Who counts a rate for all processes; null: this process alone. */
  ledgerOf(rate: Rate): RateLedger | null
  /** Is told that the third party asked for silence. */
  blocked(ms: number): void
}

/** Gives a place back, once. */
type Leave = () => void
type NarrowKeys = readonly { readonly key: string }[]

/** How long somebody waits for the right to send. */
interface Patience {
  readonly deadline: number
  readonly signal: AbortSignal | undefined
  readonly patienceMs: number
}

const NO_KEYS: NarrowKeys = []
const NEVER = Number.NEGATIVE_INFINITY
/** Waits under limits for less that are remembered; beyond them the oldest is forgotten, and told again by the vendor. */
const MAX_NARROW = 1_000

/**
 * Grants the right to send upstream requests within the limits of a manifest. In no span of a period more than `count`
 * requests leave, wherever the span begins; `concurrency` holds in this process.
 */
export class Budget {
  readonly #clock: Clock
  readonly #sharing: BudgetSharing | undefined
  readonly #gates: readonly RateGate[]
  /** What lasts longest first: it seldom makes anybody wait, and what it gave keeps while the others are waited for. */
  readonly #inTurn: readonly RateGate[]
  readonly #places: Places
  /** Until when requests under a limit for less wait, by its key. */
  readonly #narrowUntil = new Map<string, number>()
  #blockedUntil = NEVER

  constructor(limits: Limits, clock: Clock, sharing?: BudgetSharing) {
    this.#clock = clock
    this.#sharing = sharing
    this.#gates = limits.rates.map((rate) => {
      const shared = sharing?.ledgerOf(rate) ?? null
      const ledger = shared ?? createLocalLedger(rate, () => clock.monotonic())
      return new RateGate(rate, ledger, clock, shared !== null)
    })
    this.#inTurn = this.#gates.toSorted((a, b) => b.rate.periodMs - a.rate.periodMs)
    this.#places = new Places(limits.concurrency ?? Number.POSITIVE_INFINITY, clock)
  }

  /**
   * The right to send, waited for where it must be; the returned function gives the place back and must be called.
   *
   * Throws `upstream_rate_limited` with `retryAfterMs` at once when the wait would pass `deadline` (monotonic
   * milliseconds), and the signal's reason when aborted. `narrow` names the limits for less that the request falls under;
   * `patienceMs` bounds a wait that the third party has asked for.
   */
  enter(
    deadline: number,
    signal: AbortSignal | undefined,
    narrow: NarrowKeys = NO_KEYS,
    patienceMs: number = Number.POSITIVE_INFINITY,
  ): Leave | Promise<Leave> {
    if (this.#narrowMs(narrow) > 0)
      return this.#waitNarrow({ deadline, signal, patienceMs }, narrow)
    const hasPlace = this.#places.takeNow()
    if (hasPlace && !this.#isBlocked() && this.#takeRatesNow()) return this.#place()
    return this.#waitForTurn(hasPlace, { deadline, signal, patienceMs })
  }

  /** Counts a request that leaves in any case, such as the exchange of a token. It waits for nothing. */
  spend(): void {
    for (const gate of this.#gates) gate.spend()
  }

  /**
   * Nobody sends before `ms` have passed: the third party asked for it. With the key of a limit for less, only requests
   * under that limit wait, in this process; others are told by the third party themselves.
   */
  block(ms: number, key: string | null = null): void {
    if (key !== null) return this.#blockNarrow(key, ms)
    this.blockedElsewhere(ms)
    this.#sharing?.blocked(ms)
  }

  /** The same, as another process was told it. */
  blockedElsewhere(ms: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.#clock.monotonic() + ms)
  }

  /** Milliseconds until more than a part of every rate is free, as far as this process knows; 0: it is. */
  waitBeyond(reserveOf: (rate: Rate) => number): number {
    const waits = this.#gates.map((gate) => gate.waitBeyond(reserveOf(gate.rate)))
    return Math.max(this.#blockedMs(), ...waits)
  }

  /** Throws `upstream_rate_limited` with `retryAfterMs` where the third party asks for a wait of more than `patienceMs`. */
  refuseBlocked(patienceMs: number): void {
    if (this.#blockedMs() > patienceMs) throw rateUsedUp(this.#blockedMs())
  }

  #blockedMs(): number {
    return Math.max(0, this.#blockedUntil - this.#clock.monotonic())
  }

  /** What is left of each declared rate, in the order of the manifest; empty where none is declared. */
  left(): readonly RateLeft[] {
    const blockedMs = this.#blockedMs()
    return this.#gates.map((gate) => ({
      count: gate.rate.count,
      windowMs: gate.rate.periodMs,
      remaining: blockedMs > 0 ? 0 : gate.free(),
      waitMs: Math.max(blockedMs, gate.waitBeyond(0)),
    }))
  }

  /** Milliseconds that the third party asked requests under these limits to wait; 0: none. */
  #narrowMs(narrow: NarrowKeys): number {
    if (this.#narrowUntil.size === 0 || narrow.length === 0) return 0
    const now = this.#clock.monotonic()
    return Math.max(0, ...narrow.map(({ key }) => (this.#narrowUntil.get(key) ?? now) - now))
  }

  /** Waits without a place, so that it keeps no other call from sending. */
  async #waitNarrow(patience: Patience, narrow: NarrowKeys): Promise<Leave> {
    await this.#sleep(this.#narrowMs(narrow), patience)
    const { deadline, signal, patienceMs } = patience
    return this.enter(deadline, signal, narrow, patienceMs)
  }

  #blockNarrow(key: string, ms: number): void {
    const now = this.#clock.monotonic()
    for (const [known, until] of this.#narrowUntil) {
      if (until <= now || this.#narrowUntil.size >= MAX_NARROW) this.#narrowUntil.delete(known)
    }
    this.#narrowUntil.set(key, Math.max(this.#narrowUntil.get(key) ?? NEVER, now + ms))
  }

  async #waitForTurn(hasPlace: boolean, patience: Patience): Promise<Leave> {
    if (!hasPlace) await this.#places.wait(patience.deadline, patience.signal)
    try {
      await this.#waitForRates(patience)
    } catch (error) {
      this.#places.leave()
      throw error
    }
    return this.#place()
  }

  #place(): Leave {
    let hasLeft = false
    return () => {
      if (!hasLeft) this.#places.leave()
      hasLeft = true
    }
  }

  #isBlocked(): boolean {
    return this.#blockedUntil !== NEVER && this.#blockedUntil > this.#clock.monotonic()
  }

  /** All rates, or none. */
  #takeRatesNow(): boolean {
    for (const [index, gate] of this.#inTurn.entries()) {
      if (gate.takeNow()) continue
      giveBack(this.#inTurn.slice(0, index))
      return false
    }
    return true
  }

  async #waitForRates(patience: Patience): Promise<void> {
    for (;;) {
      while (this.#isBlocked()) await this.#sleep(this.#blockedMs(), patience)
      await this.#takeRates(patience)
      if (!this.#isBlocked()) return
      // While a turn was waited for, the third party asked for silence.
      giveBack(this.#inTurn)
    }
  }

  async #takeRates({ deadline, signal }: Patience): Promise<void> {
    for (const [index, gate] of this.#inTurn.entries()) {
      try {
        await gate.take(deadline, signal)
      } catch (error) {
        giveBack(this.#inTurn.slice(0, index))
        throw error
      }
    }
  }

  /** A wait that the third party has asked for. */
  async #sleep(ms: number, { deadline, signal, patienceMs }: Patience): Promise<void> {
    if (ms > patienceMs || this.#clock.monotonic() + ms > deadline) throw rateUsedUp(ms)
    await this.#clock.sleep(ms, signal)
  }
}

function giveBack(taken: readonly RateGate[]): void {
  for (const gate of taken) gate.giveBack()
}
