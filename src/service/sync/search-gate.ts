// Whose search is next: organisations take turns, the time that is promised includes the wait, and an organisation
// that has asked for more than fits into it is told at once.
import { ConnectorError } from '../../errors.ts'
import { type AbortWatcher, endWatch, watchAbort } from '../../engine/exchange/abort-watch.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import { SEARCH_LIMITS } from '../../copy/search/filter.ts'

export interface SearchGate {
  /**
   * Runs a search when it is its turn. `search` is told how long it has waited, in milliseconds, and takes its place until
   * it ends. Throws `rate_limited` for an organisation whose searches take longer than fits, `search_timeout`, and the
   * signal's reason.
   */
  run<T>(
    organizationId: string,
    signal: AbortSignal,
    search: (spentMs: number) => Promise<T>,
  ): Promise<T>
}

/** What is known of one organisation, and who waits for it. */
interface Share {
  running: number
  /** How long its searches took, the last ones most; null: none has ended yet. */
  averageMs: number | null
  /** In the order of their turns. */
  readonly waiting: Waiting[]
}

interface Waiting extends AbortWatcher {
  readonly sinceMs: number
  readonly grant: () => void
  readonly refuse: (error: ConnectorError) => void
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
export function createSearchGate(clock: Clock, atOnce: number): SearchGate {
  const ofOne = Math.max(1, Math.floor(atOnce * 0.75))
  const ofOneBesideOthers = Math.min(ofOne, Math.ceil(atOnce / 2))
  const shares = new Map<string, Share>()
  /** Those with somebody who waits, the one whose turn is next in front. */
  const line = new Set<Share>()
  let running = 0
  let sweep: AbortController | null = null

  function shareOf(organizationId: string): Share {
    const known = shares.get(organizationId)
    if (known !== undefined) return known
    for (const [id, share] of shares) {
      if (shares.size < MAX_KNOWN) break
      if (share.running === 0 && share.waiting.length === 0) shares.delete(id)
    }
    const share: Share = { running: 0, averageMs: null, waiting: [] }
    shares.set(organizationId, share)
    return share
  }

  /** Places that an organisation may have now. */
  function placesOf(share: Share): number {
    return line.size > (line.has(share) ? 1 : 0) ? ofOneBesideOthers : ofOne
  }

  function mayRun(share: Share): boolean {
    return running < atOnce && share.running < placesOf(share)
  }

  function begin(share: Share): void {
    running++
    share.running++
  }

  function end(share: Share, tookMs: number): void {
    running--
    share.running--
    learn(share, tookMs)
    for (const next of line) {
      if (!mayRun(next)) continue
      const [waiting] = next.waiting
      if (waiting === undefined) continue
      withdraw(next, waiting)
      // To the end of the row: the others come first now.
      if (line.delete(next)) line.add(next)
      begin(next)
      waiting.grant()
    }
  }

  /** Whether a search that waits so long, and has waited already, would end in time. */
  function fits({ averageMs }: Share, ms: number, waitedMs: number): boolean {
    return waitedMs + ms + (averageMs ?? 0) <= SEARCH_LIMITS.storeMs
  }

  /** Those that wait may have less hope than it seemed. */
  function learn(share: Share, tookMs: number): void {
    const { averageMs: before } = share
    const averageMs = before === null ? tookMs : before + LATEST * (tookMs - before)
    share.averageMs = averageMs
    const now = clock.monotonic()
    const places = placesOf(share)
    for (const [ahead, waiting] of [...share.waiting].entries()) {
      // Those that run have done a part of it.
      const ms = averageMs * Math.floor(ahead / places)
      if (fits(share, ms, now - waiting.sinceMs)) continue
      withdraw(share, waiting)
      waiting.refuse(beyondShare(ms))
    }
  }

  function waitForTurn(share: Share, signal: AbortSignal): Promise<void> {
    const { waiting } = share
    const ms = (share.averageMs ?? 0) * Math.ceil((waiting.length + 1) / placesOf(share))
    if (!fits(share, ms, 0) || waiting.length >= MAX_WAITING) throw beyondShare(ms)
    if (signal.aborted) throw signal.reason
    return new Promise((resolve, reject) => {
      const own: Waiting = {
        sinceMs: clock.monotonic(),
        grant() {
          endWatch(signal, own)
          resolve()
        },
        refuse(error) {
          endWatch(signal, own)
          reject(error)
        },
        onAbort() {
          withdraw(share, own)
          reject(signal.reason as Error)
        },
      }
      waiting.push(own)
      line.add(share)
      watchAbort(signal, own)
      if (sweep === null) beginSweep(SEARCH_LIMITS.storeMs)
    })
  }

  function withdraw(share: Share, waiting: Waiting): void {
    const at = share.waiting.indexOf(waiting)
    if (at !== -1) share.waiting.splice(at, 1)
    if (share.waiting.length === 0) line.delete(share)
    if (line.size > 0) return
    sweep?.abort()
    sweep = null
  }

  /** One timer watches over all who wait: one each would cost as much as a search. */
  function beginSweep(ms: number): void {
    const own = new AbortController()
    sweep = own
    const endLate = (): void => {
      if (sweep !== own) return
      sweep = null
      const now = clock.monotonic()
      const leftOf = ({ sinceMs }: Waiting): number => sinceMs + SEARCH_LIMITS.storeMs - now
      let nextMs = Number.POSITIVE_INFINITY
      for (const share of line) {
        let [first] = share.waiting
        for (; first !== undefined && leftOf(first) <= 0; [first] = share.waiting) {
          withdraw(share, first)
          first.refuse(waitedTooLong())
        }
        if (first !== undefined) nextMs = Math.min(nextMs, leftOf(first))
      }
      if (line.size > 0) beginSweep(nextMs)
    }
    void clock.sleep(ms, own.signal).then(endLate, () => {})
  }

  return {
    async run(organizationId, signal, search) {
      const share = shareOf(organizationId)
      const askedAt = clock.monotonic()
      if (share.waiting.length === 0 && mayRun(share)) begin(share)
      else await waitForTurn(share, signal)
      const startedAt = clock.monotonic()
      try {
        return await search(startedAt - askedAt)
      } finally {
        end(share, clock.monotonic() - startedAt)
      }
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
