// How many requests may leave: rates and concurrency of the manifest, kept in this process.
import { ConnectorError } from '../errors.ts'
import type { Limits } from '../manifest/manifest.ts'
import type { Clock } from './clock.ts'

/** Grants the right to send one upstream request. Hosted mode shares rates over processes behind the same port. */
export interface Budget {
  /**
   * The right to send, waited for where it must be; the returned function gives the place back and must be called once.
   *
   * Throws `upstream_rate_limited` with `retryAfterMs` at once when the wait would pass `deadline` (monotonic
   * milliseconds), and the signal's reason when aborted.
   */
  enter(deadline: number, signal: AbortSignal | undefined): (() => void) | Promise<() => void>
  /** Nobody sends before `ms` have passed: the third party asked for it. */
  block(ms: number): void
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

interface Waiter {
  readonly deadline: number
  settle: (end: WaitEnd) => void
}

/** The look at the queue that is due at the nearest deadline. */
interface Sweep {
  readonly at: number
  readonly timer: AbortController
}

const NEVER = Number.NEGATIVE_INFINITY

/** A budget that lives in memory. Rates are enforced by the generic cell rate algorithm with a burst of `count`. */
export function createBudget(limits: Limits, clock: Clock): Budget {
  const rates = limits.rates.map((rate) => ({
    stepMs: rate.periodMs / rate.count,
    toleranceMs: rate.periodMs - rate.periodMs / rate.count,
    dueAt: NEVER,
  }))
  const concurrency = limits.concurrency ?? Number.POSITIVE_INFINITY
  const waiting: Waiter[] = []
  let sweep: Sweep | null = null
  let running = 0
  let blockedUntil = NEVER

  function enter(
    deadline: number,
    signal: AbortSignal | undefined,
  ): (() => void) | Promise<() => void> {
    const isFree = running < concurrency
    if (isFree) running++
    if (isFree && rates.length === 0 && blockedUntil === NEVER) return place()
    return waitForTurn(isFree, deadline, signal)
  }

  async function waitForTurn(
    hasPlace: boolean,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<() => void> {
    if (!hasPlace) await placeInQueue(deadline, signal)
    try {
      await takeRate(deadline, signal)
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
    const result = await new Promise<WaitEnd>((settle) => {
      const waiter: Waiter = { deadline, settle }
      const stop = (): void => withdraw(waiter, 'aborted')
      waiting.push(waiter)
      if (signal !== undefined) {
        signal.addEventListener('abort', stop)
        waiter.settle = (end) => {
          signal.removeEventListener('abort', stop)
          settle(end)
        }
      }
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

  async function takeRate(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    const now = clock.monotonic()
    const ownTurn = Math.max(0, ...rates.map((rate) => rate.dueAt - rate.toleranceMs - now))
    refuseBeyond(deadline, Math.max(ownTurn, blockedUntil - now))
    // The turn is reserved before waiting for it: first come, first served, and nobody wakes in vain.
    for (const rate of rates) rate.dueAt = Math.max(rate.dueAt, now) + rate.stepMs
    if (ownTurn > 0) await clock.sleep(ownTurn, signal)
    for (;;) {
      const ms = blockedUntil - clock.monotonic()
      if (ms <= 0) return
      refuseBeyond(deadline, ms)
      await clock.sleep(ms, signal)
    }
  }

  function refuseBeyond(deadline: number, ms: number): void {
    if (clock.monotonic() + ms <= deadline) return
    throw new ConnectorError(
      'upstream_rate_limited',
      `the rate limit of the third party is used up; the next call can start in ${Math.ceil(ms)} ms, after the deadline of this one`,
      { retryAfterMs: Math.ceil(ms) },
    )
  }

  return {
    enter,
    block(ms) {
      blockedUntil = Math.max(blockedUntil, clock.monotonic() + ms)
    },
    left() {
      const now = clock.monotonic()
      const blocked = Math.max(0, blockedUntil - now)
      return limits.rates.map(({ count, periodMs }, index) => {
        const { dueAt = NEVER, stepMs = 0, toleranceMs = 0 } = rates[index] ?? {}
        const used = Math.max(0, dueAt - now)
        const remaining = blocked > 0 ? 0 : Math.floor((toleranceMs - used) / stepMs) + 1
        return {
          count,
          windowMs: periodMs,
          remaining: Math.min(count, Math.max(0, remaining)),
          waitMs: Math.max(blocked, used - toleranceMs, 0),
        }
      })
    },
  }
}
