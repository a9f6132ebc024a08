// One rate of one third party in this process: a stock of granted requests, and the queue in front of it.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Clock } from './clock.ts'
import type { RateGrant, RateLedger } from './rate-ledger.ts'
import { freeIn, type Rate, waitIn } from './rate-use.ts'

export interface RateGate {
  readonly rate: Rate
  /** The right to send one request, where it can be had at once. */
  takeNow(): boolean
  /**
   * The same, waited for; first come, first served. Throws `upstream_rate_limited` with `retryAfterMs` as soon as the wait
   * would pass `deadline` (monotonic milliseconds), and the signal's reason when aborted.
   */
  take(deadline: number, signal: AbortSignal | undefined): Promise<void>
  /** The right was not used. */
  giveBack(): void
  /** Counts a request that leaves in any case. */
  spend(): void
  /** Requests that could leave at once, as far as this process knows. */
  free(): number
  /** Milliseconds until more than `reserve` requests are free; 0: they are. */
  waitBeyond(reserve: number): number
}

interface Waiter {
  readonly deadline: number
  readonly settle: (outcome: 'granted' | ConnectorError) => void
}

/** How much of a rate a process keeps in stock at most. */
const MOST_IN_STOCK = 0.01
/** Processes that wait for the same moment do not all ask in it. */
const JITTER_MS = 10

export function createRateGate(
  rate: Rate,
  ledger: RateLedger,
  clock: Clock,
  { isShared }: { readonly isShared: boolean },
): RateGate {
  const mostInStock = isShared ? Math.max(1, Math.floor(rate.count * MOST_IN_STOCK)) : 1
  const waiting: Waiter[] = []
  let stock = { count: 0, slice: 0, until: Number.NEGATIVE_INFINITY }
  /** Doubles while a stock is used up in its time, so that who seldom asks keeps nothing from others. */
  let block = 1
  let seen: { readonly grant: RateGrant; readonly at: number } | null = null
  /** Requests that did not ask, since then. */
  let unasked = 0
  let pumping = false
  /** The wait for the next look at the ledger; nobody can get anything before it is over. */
  let pause: { readonly until: number; readonly ending: AbortController } | null = null

  function takeNow(): boolean {
    if (waiting.length > 0) return false
    if (takeFromStock()) return true
    if (pumping || isShared) return false
    const grant = ledger.take({ needed: 1, wanted: 1, back: leftOver() })
    if (grant instanceof Promise) throw new TypeError('a ledger in memory answers at once')
    receive(grant, clock.monotonic())
    return takeFromStock()
  }

  function takeFromStock(): boolean {
    if (stock.count === 0 || clock.monotonic() >= stock.until) return false
    stock.count--
    return true
  }

  async function take(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted === true) throw signal.reason
    if (takeNow()) return
    const outcome = await new Promise<'granted' | 'aborted' | ConnectorError>((resolve) => {
      const stop = (): void => {
        const at = waiting.indexOf(waiter)
        if (at !== -1) waiting.splice(at, 1)
        resolve('aborted')
        if (waiting.length === 0) pause?.ending.abort()
      }
      const waiter: Waiter = {
        deadline,
        settle: (end) => {
          signal?.removeEventListener('abort', stop)
          resolve(end)
        },
      }
      signal?.addEventListener('abort', stop)
      waiting.push(waiter)
      if (pause !== null) refuseLate(pause.until - clock.monotonic())
      if (!pumping) void pump()
    })
    if (outcome === 'granted') return
    throw outcome === 'aborted' ? signal?.reason : outcome
  }

  /** Asks until nobody waits. */
  async function pump(): Promise<void> {
    pumping = true
    try {
      for (;;) {
        while (waiting.length > 0 && takeFromStock()) waiting.shift()?.settle('granted')
        if (waiting.length === 0) return
        const askedAt = clock.monotonic()
        const asked = ledger.take({
          needed: waiting.length,
          wanted: Math.max(waiting.length, block),
          back: leftOver(),
        })
        const grant = asked instanceof Promise ? await asked : asked
        receive(grant, askedAt)
        if (grant.granted === 0) await rest(Math.max(1, grant.waitMs))
      }
    } catch (error) {
      for (const waiter of waiting.splice(0)) waiter.settle(unknownRate(error))
    } finally {
      pumping = false
    }
  }

  /** Lets time pass while there is nothing to be had; ends when nobody waits any more. */
  async function rest(ms: number): Promise<void> {
    refuseLate(ms)
    if (waiting.length === 0) return
    const ending = new AbortController()
    pause = { until: clock.monotonic() + ms, ending }
    const jitterMs = isShared ? clock.random() * JITTER_MS : 0
    await clock.sleep(ms + jitterMs, ending.signal).catch(() => {})
    pause = null
  }

  function receive(grant: RateGrant, askedAt: number): void {
    seen = { grant, at: clock.monotonic() }
    unasked = 0
    stock = { count: grant.granted, slice: grant.slice, until: askedAt + grant.validMs }
    block = Math.min(mostInStock, grant.granted > 0 ? block * 2 : 1)
  }

  /** What is in stock and cannot be used any more. */
  function leftOver(): { readonly slice: number; readonly count: number } | null {
    const { slice, count } = stock
    stock.count = 0
    if (count === 0) return null
    block = 1
    return { slice, count }
  }

  /** Ends the waiting of those whose turn comes after their deadline. */
  function refuseLate(waitMs: number): void {
    if (waitMs <= 0) return
    const now = clock.monotonic()
    for (const [place, waiter] of [...waiting].entries()) {
      const turnMs = waitMs + Math.floor(place / rate.count) * rate.periodMs
      if (now + turnMs <= waiter.deadline) continue
      waiting.splice(waiting.indexOf(waiter), 1)
      waiter.settle(rateUsedUp(turnMs))
    }
  }

  /** What is used by now in the ledger's time, as far as this process has seen. */
  function view(): { readonly grant: RateGrant; readonly nowMs: number } | null {
    if (seen === null) return null
    return { grant: seen.grant, nowMs: seen.grant.nowMs + (clock.monotonic() - seen.at) }
  }

  function inStock(): number {
    return clock.monotonic() < stock.until ? stock.count : 0
  }

  return {
    rate,
    takeNow,
    take,
    giveBack() {
      stock.count++
    },
    spend() {
      if (takeFromStock()) return
      unasked++
      ledger.spend(1)
    },
    free() {
      const known = view()
      const free = known === null ? rate.count : freeIn(rate, known.grant.use, known.nowMs)
      return Math.max(0, free - unasked) + inStock()
    },
    waitBeyond(reserve) {
      const known = view()
      if (known === null) return 0
      return waitIn(rate, known.grant.use, known.nowMs, reserve + 1 + unasked - inStock())
    },
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
    `the rate limit of the third party is used up; the next call can start in ${retryAfterMs} ms, after the deadline of this one`,
    { retryAfterMs },
  )
}
