// The right to work on one copy: taken, kept by a heartbeat, given back. Who loses it writes nothing more.
import { isConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import { type CopyId, LostLease, type SearchIndex } from '../search/search-index.ts'

export interface HeldLease {
  readonly fence: number
  /** Aborted when the lease is lost, or when the caller's signal is. */
  readonly signal: AbortSignal
  release(): Promise<void>
}

export interface LeaseTimes {
  readonly ttlMs: number
  readonly beatMs: number
}

const RELEASE_EVERY_MS = 1_000
/** Those of a job: a turn of another process must not wait for this lease when it has waited for the job. */
const TIMES: LeaseTimes = { ttlMs: 8_000, beatMs: 2_000 }

export interface WantedLease {
  readonly index: Pick<SearchIndex, 'takeLease' | 'renewLease' | 'releaseLease'>
  readonly clock: Clock
  readonly copy: CopyId
  readonly owner: string
  /** Ends the work of the owner. */
  readonly stop: AbortSignal
}

/** Acquires the lease; null: another owner works on the copy. */
export async function takeLease(
  { index, clock, copy, owner, stop }: WantedLease,
  { ttlMs, beatMs }: LeaseTimes = TIMES,
): Promise<HeldLease | null> {
  const fence = await index.takeLease(copy, owner, ttlMs)
  if (fence === null) return null
  const lost = new AbortController()
  const ended = new AbortController()
  const beating = beat(fence)

  async function beat(held: number): Promise<void> {
    let keptAt = clock.monotonic()
    while (!ended.signal.aborted) {
      await clock.sleep(beatMs, ended.signal).catch(() => {})
      if (ended.signal.aborted) return
      try {
        const before = clock.monotonic()
        if (!(await index.renewLease(copy, held, ttlMs))) break
        keptAt = before
      } catch {
        // A store that is away for a moment takes no lease away; one that stays away does.
        if (clock.monotonic() - keptAt > ttlMs - 2 * beatMs) break
      }
    }
    if (!ended.signal.aborted) lost.abort(new LostLease())
  }

  return {
    fence,
    signal: AbortSignal.any([stop, lost.signal]),
    async release() {
      ended.abort()
      await beating
      // A store that is away is asked again: until then no other owner can work on the copy. A lease that is not released expires.
      const giveUpAt = clock.monotonic() + ttlMs
      for (;;) {
        const released = index.releaseLease(copy, fence).then(() => null)
        const error = await released.catch((thrown: unknown) => thrown)
        const mayRepeat = isConnectorError(error, 'store_unavailable') && !stop.aborted
        if (!mayRepeat || clock.monotonic() + RELEASE_EVERY_MS > giveUpAt) return
        await clock.sleep(RELEASE_EVERY_MS, stop).catch(() => {})
      }
    },
  }
}
