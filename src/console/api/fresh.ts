// What is shown is asked for again while somebody looks at it, in rounds for all of it: the parts of a screen tell of the
// same moment, and what somebody has just changed is seen in all of them.
import { useEffect, useReducer } from 'react'
import { areDue, type Asked, type Pace, paceFor, paceOf, WATCHED } from './pace.ts'

/** `isForced`: an answer that is on its way may be from before the change, and does not do. */
type Ask = (isForced: boolean) => Promise<unknown>

const STEP_MS = 250
/** So long after a change. */
const LIVELY_FOR_MS = 10_000
/** How often times that are told as "2 minutes ago" are told again. */
const TICK_MS = 5_000

/** Why all that is shown is asked for: it is time; something has changed; or somebody has changed it here. */
type Cause = 'time' | 'change' | 'own change'

interface Shown {
  begunMs: number
  /** When a change was the cause. */
  changedMs: number
  tookMs: number
}

const shown = new Map<Ask, Shown>()
const rates = new Map<symbol, Pace>()
/** Moments of the clock for which something is planned that is shown. */
const dues = new Map<symbol, number>()
let lastRound = 0
let livelyUntil = 0
let timer: number | undefined

function round(cause: Cause): void {
  const begun = performance.now()
  lastRound = begun
  const isForced = cause === 'own change'
  const all = [...shown]
  // What is being tried since an answer came counts as well.
  const share = cause === 'change' ? WATCHED.share : pace().share
  const asked = all.map(([, { begunMs, changedMs, tookMs }]): Asked => {
    return { begunMs: cause === 'change' ? changedMs : begunMs, tookMs }
  })
  const due = areDue(asked, { nowMs: begun, share })
  all.forEach(([ask, state], at) => {
    if (!isForced && due[at] !== true) return
    if (cause === 'change') state.changedMs = begun
    void ask(isForced).finally(() => {
      state.begunMs = begun
      state.tookMs = performance.now() - begun
    })
  })
}

/** Who comes back to a tab sees what holds now, whatever an answer took before. */
function comeBack(): void {
  if (document.visibilityState === 'hidden') return
  for (const state of shown.values()) state.tookMs = 0
  round('time')
}

function step(): void {
  if (document.visibilityState === 'hidden') return
  if (performance.now() - lastRound >= pace().everyMs) round('time')
}

function pace(): Pace {
  const now = Date.now()
  return paceFor({
    isLively: performance.now() < livelyUntil,
    sinceDueMs: [...dues.values()].map((at) => now - at),
    wishes: [...rates.values()],
  })
}

/** Asks for all that is shown at once, after something was changed, and oftener for a while: what it sets going follows. */
export function refresh(): void {
  livelyUntil = performance.now() + LIVELY_FOR_MS
  round('own change')
}

/** Asks for all that is shown because it was heard that something has changed, as far as that may cost. */
export function tellChange(): void {
  round('change')
}

/** Whether all that is shown is asked for so often at present. */
export function isAskedWithin(ms: number): boolean {
  return pace().everyMs <= ms
}

/** Takes part in the rounds as long as it is shown. Null: it does not. `ask` rejects never, and stays the same function. */
export function useFresh(ask: Ask | null): void {
  useEffect(() => {
    if (ask === null) return
    shown.set(ask, { begunMs: 0, changedMs: -Infinity, tookMs: 0 })
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
export function useRate(wish: number | Pace | null): void {
  useEffect(() => {
    if (wish === null) return
    const name = Symbol('rate')
    rates.set(name, typeof wish === 'number' ? paceOf(wish) : wish)
    return () => void rates.delete(name)
  }, [wish])
}

/**
 * Wants the rounds often for a while once that moment has come, and draws again then. Null: nothing is planned. What is
 * planned is told only where it is asked for again soon after: it has happened by then, or is happening.
 */
export function useDue(at: string | null): void {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (at === null) return
    const plan = Symbol('due')
    const moment = Date.parse(at)
    dues.set(plan, moment)
    const ms = moment - Date.now()
    const timer = ms > 0 && ms < MAX_TIMER_MS ? window.setTimeout(draw, ms) : undefined
    return () => {
      dues.delete(plan)
      window.clearTimeout(timer)
    }
  }, [at])
}

/** A timer of the browser for a longer time is over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

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
