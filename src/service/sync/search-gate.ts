// Whose search is next: organisations take turns, the time that is promised includes the wait, and whoever has asked for
// more than fits into it is told at once.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Clock } from '../../exchange/clock.ts'
import { SEARCH_LIMITS } from '../../search/read-query.ts'
import { createGate } from '../gate.ts'

export interface SearchGate {
  /**
   * Runs a search when it is its turn. `search` is told how long it has waited, in milliseconds; its place is taken until
   * it ends, and nobody waits for it longer than promised. Throws `rate_limited` for an organisation whose searches take
   * longer than fits, `search_timeout`, `overloaded`, and the signal's reason.
   */
  run<T>(
    organizationId: string,
    signal: AbortSignal,
    search: (spentMs: number) => Promise<T>,
  ): Promise<T>
}

/** What is known of the searches of one organisation. */
interface Share {
  /** How long those that ended took, the last ones most; null: none has ended yet. */
  averageMs: number | null
  /** In the order of their turns. */
  readonly waiting: Waiting[]
}

interface Waiting {
  readonly sinceMs: number
  readonly refusal: AbortController
}

/** Of all organisations. */
const MAX_WAITING = 512
/** Of one: those of others find room whatever it asks for. */
const MAX_WAITING_OF_ONE = 128
const MAX_KNOWN = 1_000
/** The part that the last search has in the average. */
const LATEST = 0.5
/** Beyond the promised time: the store says itself what it gave up, where it can. */
const GRACE_MS = 500

/**
 * The gate of one process. So many searches run `atOnce`; of one organisation three quarters at most, and half of them
 * while another one waits.
 */
export function createSearchGate(clock: Clock, atOnce: number): SearchGate {
  const ofOne = Math.max(1, Math.floor(atOnce * 0.75))
  const ofOneBesideOthers = Math.min(ofOne, Math.ceil(atOnce / 2))
  const gate = createGate(clock, {
    running: atOnce,
    waiting: MAX_WAITING,
    runningOfOne: ofOne,
  })
  const shares = new Map<string, Share>()

  function shareOf(organizationId: string): Share {
    const share: Share = shares.get(organizationId) ?? { averageMs: null, waiting: [] }
    shares.delete(organizationId)
    shares.set(organizationId, share)
    for (const [id, { waiting }] of shares) {
      if (shares.size <= MAX_KNOWN) break
      if (waiting.length === 0) shares.delete(id)
    }
    return share
  }

  /** Places that the organisation may have now. */
  function placesOf({ waiting }: Share): number {
    return gate.waiting > waiting.length ? ofOneBesideOthers : ofOne
  }

  /** Whether a search that waits so long, and has waited already, would end in time. */
  function fits({ averageMs }: Share, ms: number, waitedMs: number): boolean {
    return waitedMs + ms + (averageMs ?? 0) <= SEARCH_LIMITS.storeMs
  }

  async function takeTurn(organizationId: string, signal: AbortSignal): Promise<() => void> {
    const taken = gate.take(organizationId)
    if (taken !== null) return taken
    const share = shareOf(organizationId)
    const { waiting } = share
    const ms = (share.averageMs ?? 0) * Math.ceil((waiting.length + 1) / placesOf(share))
    if (!fits(share, ms, 0) || waiting.length >= MAX_WAITING_OF_ONE) throw beyondShare(ms)
    const own: Waiting = { sinceMs: clock.monotonic(), refusal: new AbortController() }
    waiting.push(own)
    try {
      const given = AbortSignal.any([signal, own.refusal.signal])
      return await gate.enter(organizationId, SEARCH_LIMITS.storeMs, given)
    } catch (error) {
      throw isConnectorError(error, 'deadline_exceeded') ? waitedTooLong() : error
    } finally {
      waiting.splice(waiting.indexOf(own), 1)
    }
  }

  /** A search has ended: those that wait may have less hope than it seemed. */
  function learn(share: Share, tookMs: number): void {
    const { averageMs, waiting } = share
    share.averageMs = averageMs === null ? tookMs : averageMs + LATEST * (tookMs - averageMs)
    const now = clock.monotonic()
    for (const [before, { sinceMs, refusal }] of waiting.entries()) {
      // Those that run have done a part of it.
      const ms = share.averageMs * Math.floor(before / placesOf(share))
      if (!fits(share, ms, now - sinceMs)) refusal.abort(beyondShare(ms))
    }
  }

  async function within<T>(work: Promise<T>, ms: number): Promise<T> {
    const timer = new AbortController()
    const late = clock.sleep(ms, timer.signal).then(
      () => {
        throw waitedTooLong()
      },
      // The work has ended before.
      () => work,
    )
    try {
      return await Promise.race([work, late])
    } finally {
      timer.abort()
    }
  }

  return {
    async run(organizationId, signal, search) {
      const askedAt = clock.monotonic()
      const leave = await takeTurn(organizationId, signal)
      const startedAt = clock.monotonic()
      const spentMs = startedAt - askedAt
      const work = search(spentMs).finally(() => {
        learn(shareOf(organizationId), clock.monotonic() - startedAt)
        leave()
      })
      return await within(work, SEARCH_LIMITS.storeMs + GRACE_MS - spentMs)
    },
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
