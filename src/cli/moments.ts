// Moments in sentences: to a person at a terminal in words and by the clock there, in files and pipes as they are.
import { clockLocal, exactLocal } from '../display/local-time.ts'
import { timeByClock } from '../display/relative-time.ts'

export interface Moments {
  readonly nowMs: number
  /** `in 42 seconds (00:01:12)`, where nothing but the moment is told. */
  away: (at: string) => string
  /** `00:01:12`, behind `since` and `until`; with its day where that is another one. */
  clock: (at: string) => string
}

export function momentsFor(
  { isTerminal }: { readonly isTerminal: boolean },
  nowMs: number,
): Moments {
  const clock = (at: string): string => {
    if (!isTerminal) return at
    const isToday = new Date(at).toDateString() === new Date(nowMs).toDateString()
    return isToday ? clockLocal(at) : exactLocal(at)
  }
  const away = (at: string): string =>
    isTerminal ? `${timeByClock(Date.parse(at) - nowMs)} (${clock(at)})` : at
  return { nowMs, away, clock }
}
