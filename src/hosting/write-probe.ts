// Whether the store takes changes, for callers that ask whether this process is ready.
import type { Clock } from '../engine/exchange/clock.ts'
import { within } from '../service/within.ts'

/** Anybody may ask, and each look is a change of the store. */
const KNOWN_MS = 2_000
/** A store that takes longer for a change takes none. */
const PATIENCE_MS = 1_000

/** Tells whether `writable` succeeds within a second, by one look every two seconds; one that hangs is not joined. */
export function createWriteProbe(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  writable: () => Promise<unknown>,
): () => Promise<boolean> {
  let known: { readonly value: boolean; readonly until: number } | null = null
  let looking: Promise<boolean> | null = null

  async function look(): Promise<boolean> {
    const value = await writable().then(
      () => true,
      () => false,
    )
    known = { value, until: clock.monotonic() + KNOWN_MS }
    looking = null
    return value
  }

  return async () => {
    if (known !== null && clock.monotonic() < known.until) return known.value
    looking ??= look()
    return (await within(clock, PATIENCE_MS, looking)) ?? false
  }
}
