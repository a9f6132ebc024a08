// A rate of a third party that all processes keep together: counted in a row of the store, compared before it is set.
import { isNodeAway } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import {
  createLocalLedger,
  decideGrant,
  type RateAsk,
  type RateGrant,
  type RateLedger,
} from '../../engine/exchange/rate-ledger.ts'
import { type Rate, UNUSED, withUse } from '../../engine/exchange/rate-use.ts'
import type { RateStore } from '../store/rates.ts'

export interface SharedLedgerPorts {
  readonly rates: RateStore
  readonly clock: Clock
  /** Does work that nobody waits for. */
  readonly aside: (work: () => Promise<void>) => void
}

/** Others may be quicker so often; then a grant is asked for a little later. */
const ATTEMPTS = 8
const MAX_PAUSE_MS = 30
/** How long a process counts alone before it asks again for a row that lies on a node that is away. */
const ALONE_MS = 5_000

/**
 * The ledger of one rate. Processes ask it when their stock is used up, so that it costs a call nothing where a rate is
 * large, and two statements where one allows a few calls per second.
 *
 * While the row lies on a node that is away, each process counts on its own: more may leave than the rate allows, and the
 * third party refuses those itself, which is better than that no call leaves.
 */
export function createSharedLedger(
  { rates, clock, aside }: SharedLedgerPorts,
  ownerId: string,
  rate: Rate,
): RateLedger {
  const place = { ownerId, periodMs: rate.periodMs }
  const keepMs = 2 * rate.periodMs

  const local = createLocalLedger(rate, () => clock.monotonic())
  let aloneUntil = Number.NEGATIVE_INFINITY
  let wasAlone = false

  async function take(ask: RateAsk): Promise<RateGrant> {
    if (clock.monotonic() >= aloneUntil) {
      try {
        const grant = await takeShared(backTo(ask, false))
        wasAlone = false
        return grant
      } catch (error) {
        if (!isNodeAway(error)) throw error
        aloneUntil = clock.monotonic() + ALONE_MS
      }
    }
    const alone = backTo(ask, true)
    wasAlone = true
    return await local.take(alone)
  }

  /** What the other ledger granted cannot be given back to this one: its slices are of another clock. */
  function backTo(ask: RateAsk, isAlone: boolean): RateAsk {
    return isAlone === wasAlone ? ask : { ...ask, back: null }
  }

  async function takeShared(ask: RateAsk): Promise<RateGrant> {
    for (let attempt = 1; ; attempt++) {
      const { use, version, nowMs } = await rates.read(place)
      const before = use ?? UNUSED
      const grant = decideGrant(rate, before, nowMs, ask)
      if (grant.use === before) return grant
      if (await rates.write(place, version, grant.use, keepMs)) return grant
      if (attempt === ATTEMPTS) {
        const waitMs = 1 + clock.random() * MAX_PAUSE_MS
        return { ...grant, granted: 0, waitMs, use: before }
      }
    }
  }

  async function spend(count: number): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { use, version, nowMs } = await rates.read(place)
      const next = withUse(rate, use ?? UNUSED, nowMs, count)
      if (await rates.write(place, version, next, keepMs)) return
    }
  }

  return { take, spend: (count) => aside(() => spend(count)) }
}
