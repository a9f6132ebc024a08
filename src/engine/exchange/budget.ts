// How many requests may leave: rates and concurrency of the manifest.
import { ConnectorError } from '../../errors.ts'
import type { Limits } from '../../language/manifest/manifest.ts'
import { type AbortWatcher, endWatch, watchAbort } from './abort-watch.ts'
import type { Clock } from './clock.ts'
import { createRateGate, type RateGate, rateUsedUp } from './rate-gate.ts'
import { createLocalLedger, type RateLedger } from './rate-ledger.ts'
import type { Rate } from './rate-use.ts'

/** Grants the right to send one upstream request. */
export interface Budget {
  /**
   * The right to send, waited for where it must be; the returned function gives the place back and must be called once.
   *
   * Throws `upstream_rate_limited` with `retryAfterMs` at once when the wait would pass `deadline` (monotonic
   * milliseconds), and the signal's reason when aborted. `narrow` names the limits for less that the request falls under.
   */
  enter(
    deadline: number,
    signal: AbortSignal | undefined,
    narrow?: readonly { readonly key: string }[],
  ): (() => void) | Promise<() => void>
  /** Counts a request that leaves in any case, such as the exchange of a token. It waits for nothing. */
  spend(): void
  /**
   * Nobody sends before `ms` have passed: the third party asked for it. With the key of a limit for less, only requests
   * under that limit wait, in this process; others are told by the third party themselves.
   */
  block(ms: number, key?: string | null): void
  /** The same, as another process was told it. */
  blockedElsewhere(ms: number): void
  /** Milliseconds until more than a part of every rate is free, as far as this process knows; 0: it is. */
  waitBeyond(reserveOf: (rate: Rate) => number): number
  /** What is left of each declared rate, in the order of the manifest; empty where none is declared. */
  left(): readonly RateLeft[]
}

/** How much of a rate is left. */
export interface RateLeft {
  readonly count: number
  readonly windowMs: number
  /** Requests that could leave at once. */
  readonly remaining: number
  /** Until another one could leave; 0 where some are left. */
  readonly waitMs: number
}

type WaitEnd = 'granted' | 'late' | 'aborted'

interface Waiter extends AbortWatcher {
  readonly deadline: number
  readonly settle: (end: WaitEnd) => void
}

/** The look at the queue that is due at the nearest deadline. */
interface Sweep {
  readonly at: number
  readonly timer: AbortController
}

const NEVER = Number.NEGATIVE_INFINITY
/** Waits under limits for less that are remembered; beyond them the oldest is forgotten, and told again by the vendor. */
const MAX_NARROW = 1_000

/** What a budget shares with others; without it everything is counted in this process. */
export interface BudgetSharing {
  /** Who counts a rate for all processes; null: this process alone. */
  ledgerOf(rate: Rate): RateLedger | null
  /** Is told that the third party asked for silence. */
  blocked(ms: number): void
}

/**
 * The limits of a manifest, kept. In no span of a period more than `count` requests leave, wherever the span begins;
 * `concurrency` holds in this process.
 */
export function createBudget(limits: Limits, clock: Clock, sharing?: BudgetSharing): Budget {
  const gates = limits.rates.map((rate) => {
    const shared = sharing?.ledgerOf(rate) ?? null
    const ledger = shared ?? createLocalLedger(rate, () => clock.monotonic())
    return createRateGate(rate, ledger, clock, { isShared: shared !== null })
  })
  // What lasts longest is asked first: it seldom makes anybody wait, and what it gave keeps while the others are waited for.
  const inTurn = gates.toSorted((a, b) => b.rate.periodMs - a.rate.periodMs)
  const concurrency = limits.concurrency ?? Number.POSITIVE_INFINITY
  const waiting: Waiter[] = []
  let sweep: Sweep | null = null
  let running = 0
  let blockedUntil = NEVER
  /** Until when requests under a limit for less wait, by its key. */
  const narrowUntil = new Map<string, number>()

  function enter(
    deadline: number,
    signal: AbortSignal | undefined,
    narrow: readonly { readonly key: string }[] = [],
  ): (() => void) | Promise<() => void> {
    if (narrowMs(narrow) > 0) return waitNarrow(deadline, signal, narrow)
    const isFree = running < concurrency
    if (isFree) running++
    if (isFree && !isBlocked() && takeRatesNow()) return place()
    return waitForTurn(isFree, deadline, signal)
  }

  /** Milliseconds that the third party asked requests under these limits to wait; 0: none. */
  function narrowMs(narrow: readonly { readonly key: string }[]): number {
    if (narrowUntil.size === 0 || narrow.length === 0) return 0
    const now = clock.monotonic()
    return Math.max(0, ...narrow.map(({ key }) => (narrowUntil.get(key) ?? now) - now))
  }

  /** Without a place, so that it keeps nobody else from sending. */
  async function waitNarrow(
    deadline: number,
    signal: AbortSignal | undefined,
    narrow: readonly { readonly key: string }[],
  ): Promise<() => void> {
    const ms = narrowMs(narrow)
    if (clock.monotonic() + ms > deadline) throw rateUsedUp(ms)
    await clock.sleep(ms, signal)
    return enter(deadline, signal, narrow)
  }

  function blockNarrow(key: string, ms: number): void {
    const now = clock.monotonic()
    for (const [known, until] of narrowUntil) {
      if (until <= now || narrowUntil.size >= MAX_NARROW) narrowUntil.delete(known)
    }
    narrowUntil.set(key, Math.max(narrowUntil.get(key) ?? NEVER, now + ms))
  }

  async function waitForTurn(
    hasPlace: boolean,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<() => void> {
    if (!hasPlace) await placeInQueue(deadline, signal)
    try {
      await waitForRates(deadline, signal)
    } catch (error) {
      leave()
      throw error
    }
    return place()
  }

  function place(): () => void {
    let left = false
    return () => {
      if (left) return
      left = true
      leave()
    }
  }

  function leave(): void {
    const next = waiting.shift()
    // The place goes from hand to hand, so that a newcomer never overtakes the queue.
    if (next === undefined) running--
    else next.settle('granted')
    if (waiting.length === 0) endSweep()
  }

  async function placeInQueue(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted === true) throw signal.reason
    const result = await new Promise<WaitEnd>((resolve) => {
      const waiter: Waiter = {
        deadline,
        settle(end) {
          if (signal !== undefined) endWatch(signal, waiter)
          resolve(end)
        },
        onAbort: () => withdraw(waiter, 'aborted'),
      }
      waiting.push(waiter)
      if (signal !== undefined) watchAbort(signal, waiter)
      if (sweep === null || deadline < sweep.at) beginSweep()
    })
    if (result === 'granted') return
    if (result === 'aborted') throw signal?.reason
    throw new ConnectorError(
      'upstream_rate_limited',
      `all ${limits.concurrency} places for concurrent calls stayed taken until the deadline; call less at once or allow more time`,
    )
  }

  function withdraw(waiter: Waiter, end: WaitEnd): void {
    const at = waiting.indexOf(waiter)
    if (at === -1) return
    waiting.splice(at, 1)
    waiter.settle(end)
    if (waiting.length === 0) endSweep()
  }

  /** One timer watches over everybody in the queue: one each would cost as much as the call itself. */
  function beginSweep(): void {
    endSweep()
    const at = Math.min(...waiting.map(({ deadline }) => deadline))
    const own: Sweep = { at, timer: new AbortController() }
    sweep = own
    const endLate = (): void => {
      if (sweep !== own) return
      sweep = null
      const now = clock.monotonic()
      for (const waiter of waiting.filter(({ deadline }) => deadline <= now))
        withdraw(waiter, 'late')
      if (waiting.length > 0) beginSweep()
    }
    const ms = Math.max(0, at - clock.monotonic())
    void clock.sleep(ms, own.timer.signal).then(endLate, () => {})
  }

  function endSweep(): void {
    const ended = sweep
    sweep = null
    ended?.timer.abort()
  }

  function isBlocked(): boolean {
    return blockedUntil !== NEVER && blockedUntil > clock.monotonic()
  }

  /** All rates, or none. */
  function takeRatesNow(): boolean {
    for (const [index, gate] of inTurn.entries()) {
      if (gate.takeNow()) continue
      giveBack(inTurn.slice(0, index))
      return false
    }
    return true
  }

  async function waitForRates(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      await waitForSilence(deadline, signal)
      await takeRates(deadline, signal)
      if (!isBlocked()) return
      // While a turn was waited for, the third party asked for silence.
      giveBack(inTurn)
    }
  }

  async function takeRates(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    for (const [index, gate] of inTurn.entries()) {
      try {
        await gate.take(deadline, signal)
      } catch (error) {
        giveBack(inTurn.slice(0, index))
        throw error
      }
    }
  }

  function giveBack(taken: readonly RateGate[]): void {
    for (const gate of taken) gate.giveBack()
  }

  async function waitForSilence(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    while (isBlocked()) {
      const ms = blockedUntil - clock.monotonic()
      if (clock.monotonic() + ms > deadline) throw rateUsedUp(ms)
      await clock.sleep(ms, signal)
    }
  }

  function blockedElsewhere(ms: number): void {
    blockedUntil = Math.max(blockedUntil, clock.monotonic() + ms)
  }

  return {
    enter,
    spend() {
      for (const gate of gates) gate.spend()
    },
    block(ms, key = null) {
      if (key !== null) return blockNarrow(key, ms)
      blockedElsewhere(ms)
      sharing?.blocked(ms)
    },
    blockedElsewhere,
    waitBeyond(reserveOf) {
      const waits = gates.map((gate) => gate.waitBeyond(reserveOf(gate.rate)))
      return Math.max(0, blockedUntil - clock.monotonic(), ...waits)
    },
    left() {
      const blocked = Math.max(0, blockedUntil - clock.monotonic())
      return gates.map((gate) => ({
        count: gate.rate.count,
        windowMs: gate.rate.periodMs,
        remaining: blocked > 0 ? 0 : gate.free(),
        waitMs: Math.max(blocked, gate.waitBeyond(0)),
      }))
    },
  }
}
