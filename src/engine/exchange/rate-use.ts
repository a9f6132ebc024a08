// What was used of a rate, by slices of its period: pure counting, shared by memory and stores.
//
// No window of a whole period ever holds more than `count`, wherever it begins: the slices that can touch one are counted
// whole. That is stricter than a bucket that fills steadily, which lets nearly two counts go within one period.

/** So many requests in any span of so many milliseconds. */
export interface Rate {
  readonly count: number
  readonly periodMs: number
}

/** Requests by slice, the newest last; earlier slices than these do not matter any more. */
export interface RateUse {
  /** Which slice the newest is: whole slices since the beginning of the time that is counted in. */
  readonly slice: number
  /** At most 21 counts. */
  readonly used: readonly number[]
}

/** A period is cut into so many slices; what is used leaves one of them late, which costs a twentieth of the rate. */
const SLICES = 20

export const UNUSED: RateUse = { slice: 0, used: [] }

/** The slice that a moment lies in. */
export function sliceAt(rate: Rate, nowMs: number): number {
  return Math.floor(nowMs / sliceMs(rate))
}

/** How long a slice still lasts, in milliseconds. */
export function sliceLeftMs(rate: Rate, nowMs: number): number {
  return (sliceAt(rate, nowMs) + 1) * sliceMs(rate) - nowMs
}

/** Requests that may leave now; negative after some that did not ask. */
export function freeIn(rate: Rate, use: RateUse, nowMs: number): number {
  let free = rate.count
  const oldest = sliceAt(rate, nowMs) - SLICES
  for (let index = 0; index < use.used.length; index++)
    if (sliceOf(use, index) >= oldest) free -= use.used[index] ?? 0
  return free
}

/** Milliseconds until so many requests may leave; 0: now. More than `count` are never free: then as for `count`. */
export function waitIn(rate: Rate, use: RateUse, nowMs: number, wanted: number): number {
  let missing = Math.min(wanted, rate.count) - freeIn(rate, use, nowMs)
  const oldest = sliceAt(rate, nowMs) - SLICES
  for (let index = 0; missing > 0 && index < use.used.length; index++) {
    const slice = sliceOf(use, index)
    if (slice < oldest) continue
    missing -= use.used[index] ?? 0
    if (missing <= 0) return (slice + SLICES + 1) * sliceMs(rate) - nowMs
  }
  return 0
}

/** With `count` more requests in the slice of now; a negative count takes some back. */
export function withUse(rate: Rate, use: RateUse, nowMs: number, count: number): RateUse {
  const slice = sliceAt(rate, nowMs)
  if (use.used.length === 0) return { slice, used: [count] }
  // A clock that was put back: what is counted stays where it is, which is the careful side.
  const moved = Math.max(0, slice - use.slice)
  if (moved === 0)
    return { slice: use.slice, used: [...use.used.slice(0, -1), (use.used.at(-1) ?? 0) + count] }
  const kept = moved > SLICES ? [] : [...use.used, ...Array<number>(moved - 1).fill(0)]
  return { slice, used: [...kept, count].slice(-(SLICES + 1)) }
}

/** Without requests that were counted in a slice and never left. */
export function withoutUse(use: RateUse, slice: number, count: number): RateUse {
  const index = use.used.length - 1 - (use.slice - slice)
  const counted = use.used[index]
  // Older than anybody counts.
  if (counted === undefined) return use
  return { slice: use.slice, used: use.used.with(index, Math.max(0, counted - count)) }
}

function sliceOf(use: RateUse, index: number): number {
  return use.slice - (use.used.length - 1 - index)
}

function sliceMs({ periodMs }: Rate): number {
  return periodMs / SLICES
}
