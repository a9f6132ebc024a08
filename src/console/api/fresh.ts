// What is shown is asked for again while somebody looks at it, in rounds for all of it: the parts of a screen tell of the
// same moment, and what somebody has just changed is seen in all of them.
import { useEffect, useReducer } from 'react'

/** `isForced`: an answer that is on its way may be from before the change, and does not do. */
type Ask = (isForced: boolean) => Promise<unknown>

/** Between two rounds, unless something that is shown wants them more often. */
const USUAL_MS = 15_000
const STEP_MS = 250
/**
 * An answer that takes long is asked for less often: it costs the service at most this part of the time, and is not put off
 * by more than a minute. What changes from second to second, because something runs, may cost more.
 */
const SHARE = 1 / 20
const BUSY_SHARE = 1 / 3
const BUSY_MS = 3_000
/** So often, and for so long, after a change. */
const LIVELY_MS = 1_500
const LIVELY_FOR_MS = 10_000
const MAX_WAIT_MS = 60_000
/** How often times that are told as "2 minutes ago" are told again. */
const TICK_MS = 5_000

/** When an answer was asked for last, and how long it took. */
interface Asked {
  begunMs: number
  tookMs: number
}

const shown = new Map<Ask, Asked>()
const rates = new Map<symbol, number>()
let lastRound = 0
let livelyUntil = 0
let timer: number | undefined

function round(isForced: boolean): void {
  const begun = performance.now()
  lastRound = begun
  // What is being tried since an answer came counts as well.
  const share = everyMs() <= BUSY_MS ? BUSY_SHARE : SHARE
  for (const [ask, state] of shown) {
    const notBefore = state.begunMs + Math.min(state.tookMs / share, MAX_WAIT_MS)
    if (!isForced && begun < notBefore) continue
    void ask(isForced).finally(() => {
      state.begunMs = begun
      state.tookMs = performance.now() - begun
    })
  }
}

/** Who comes back to a tab sees what holds now, whatever an answer took before. */
function comeBack(): void {
  if (document.visibilityState === 'hidden') return
  for (const state of shown.values()) state.tookMs = 0
  round(false)
}

function step(): void {
  if (document.visibilityState === 'hidden') return
  if (performance.now() - lastRound >= everyMs()) round(false)
}

function everyMs(): number {
  const usual = performance.now() < livelyUntil ? LIVELY_MS : USUAL_MS
  return Math.min(usual, ...rates.values())
}

/** Asks for all that is shown at once, after something was changed, and oftener for a while: what it sets going follows. */
export function refresh(): void {
  livelyUntil = performance.now() + LIVELY_FOR_MS
  round(true)
}

/** Takes part in the rounds as long as it is shown. Null: it does not. `ask` rejects never, and stays the same function. */
export function useFresh(ask: Ask | null): void {
  useEffect(() => {
    if (ask === null) return
    shown.set(ask, { begunMs: 0, tookMs: 0 })
    if (timer === undefined) document.addEventListener('visibilitychange', comeBack)
    timer ??= window.setInterval(step, STEP_MS)
    return () => {
      shown.delete(ask)
      if (shown.size > 0) return
      window.clearInterval(timer)
      timer = undefined
      document.removeEventListener('visibilitychange', comeBack)
    }
  }, [ask])
}

/** Wants the rounds so often while it is shown; the most frequent wish counts. Null: it has none. */
export function useRate(everyMs: number | null): void {
  useEffect(() => {
    if (everyMs === null) return
    const wish = Symbol('rate')
    rates.set(wish, everyMs)
    return () => void rates.delete(wish)
  }, [everyMs])
}

const ticked = new Set<() => void>()
let clock: number | undefined

/** Draws again every few seconds, because it tells how long ago something was. */
export function useTick(): void {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    ticked.add(draw)
    clock ??= window.setInterval(() => ticked.forEach((each) => each()), TICK_MS)
    return () => {
      ticked.delete(draw)
      if (ticked.size > 0) return
      window.clearInterval(clock)
      clock = undefined
    }
  }, [])
}
