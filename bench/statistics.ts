// Medians, and how far the middle half of the values lies apart.

export interface Spread {
  readonly median: number
  /** A quarter of the values lies below, a quarter above. */
  readonly low: number
  readonly high: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
  }
}

/** Of two lists of values that belong together in pairs: measured in the same round, equally disturbed. */
export function ratioOf(values: readonly number[], to: readonly number[]): Spread {
  return spreadOf(values.map((value, index) => value / (to[index] ?? Number.NaN)))
}

function quantile(sorted: readonly number[], part: number): number {
  const at = (sorted.length - 1) * part
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}
