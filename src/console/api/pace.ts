// How often what is shown is asked for again, and for how much of the service's time.

/**
 * How often the rounds are. An answer that takes long is asked for less often: it costs the service at most this share of
 * the time, and is not put off by more than a minute.
 */
export interface Pace {
  readonly everyMs: number
  readonly share: number
}

/** Unless something that is shown wants them more often. */
const USUAL: Pace = { everyMs: 15_000, share: 1 / 20 }
/** What changes from second to second, because something runs, may cost more. */
const BUSY_SHARE = 1 / 3
const BUSY_MS = 3_000
/** After a change. */
const LIVELY: Pace = { everyMs: 1_500, share: BUSY_SHARE }
/**
 * What was planned is looked for as often once it is due, for so long, and for less of the service: a screen may tell of
 * many accounts, of which one is due at every moment.
 */
const DUE: Pace = { everyMs: 1_500, share: 1 / 10 }
export const DUE_FOR_MS = 30_000
/** What is wrong, for which somebody waits to be over. */
export const WRONG: Pace = { everyMs: 2_500, share: 1 / 10 }
/** Whether anything has changed; what that sets going may cost as much again. */
export const WATCHED: Pace = { everyMs: 3_000, share: 1 / 20 }
const MAX_WAIT_MS = 60_000
/** Answers that take no longer than this tell of one moment: they are asked for together, or not at all. */
const TOGETHER_MS = 500

/** When an answer was asked for last, and how long it took. */
export interface Asked {
  readonly begunMs: number
  readonly tookMs: number
}

/** `sinceDueMs`: of what is planned, how long ago it was due; below 0: it is ahead. The most frequent one counts. */
export function paceFor(told: {
  readonly isLively: boolean
  readonly sinceDueMs: readonly number[]
  readonly wishes: readonly Pace[]
}): Pace {
  const isDue = told.sinceDueMs.some((ms) => ms >= 0 && ms < DUE_FOR_MS)
  const wishes = [
    USUAL,
    ...(told.isLively ? [LIVELY] : []),
    ...(isDue ? [DUE] : []),
    ...told.wishes,
  ]
  return {
    everyMs: Math.min(...wishes.map(({ everyMs }) => everyMs)),
    share: Math.max(...wishes.map(({ share }) => share)),
  }
}

/** How long an answer that took so long is not asked for again. */
export function restMs(tookMs: number, share: number): number {
  return Math.min(tookMs / share, MAX_WAIT_MS)
}

/** Which of these may be asked for again: the quick ones all at once, each of the others by what it costs. */
export function areDue(
  asked: readonly Asked[],
  { nowMs, share }: { readonly nowMs: number; readonly share: number },
): readonly boolean[] {
  const quick = asked.filter(({ tookMs }) => tookMs <= TOGETHER_MS)
  const together = {
    begunMs: Math.max(...quick.map(({ begunMs }) => begunMs)),
    tookMs: Math.max(...quick.map(({ tookMs }) => tookMs)),
  }
  return asked.map((each) => {
    const { begunMs, tookMs } = each.tookMs <= TOGETHER_MS ? together : each
    return nowMs >= begunMs + restMs(tookMs, share)
  })
}

/** Of a screen that says only how often. */
export function paceOf(everyMs: number): Pace {
  return { everyMs, share: everyMs <= BUSY_MS ? BUSY_SHARE : USUAL.share }
}
