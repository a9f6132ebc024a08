// How long somebody waits for work that goes on without them.
import type { Clock } from '../engine/exchange/clock.ts'

/** What the work gives, or throws; null where it takes longer than so many milliseconds. It goes on then. */
export async function within<T>(
  clock: Pick<Clock, 'sleep'>,
  ms: number,
  work: Promise<T>,
): Promise<T | null> {
  const timer = new AbortController()
  const late = clock.sleep(ms, timer.signal).then(
    () => null,
    () => work,
  )
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
  }
}
