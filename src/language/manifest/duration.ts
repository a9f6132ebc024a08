// Durations of manifests: ISO 8601, or a number with ms, s, m, h or d.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Units = Readonly<Record<string, number>>

// A month or a year of an interval is no calendar month: only `sync.cursor.start` counts back in the calendar.
const DATE_UNITS: Units = { Y: 365 * DAY, M: 30 * DAY, W: 7 * DAY, D: DAY }
const TIME_UNITS: Units = { H: HOUR, M: MINUTE, S: SECOND }
const SHORT_UNITS: Units = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY }

/** Milliseconds of `P1DT2H`, `30s`, `500ms`, which the schema has checked; a month is 30 days, a year 365. */
export function parseDuration(text: string): number {
  const short = /^(\d+)(ms|s|m|h|d)$/.exec(text)
  if (short !== null) return Number(short[1]) * (SHORT_UNITS[short[2] ?? ''] ?? 0)
  const [date = '', time = ''] = text.slice(1).split('T')
  return sum(date, DATE_UNITS) + sum(time, TIME_UNITS)
}

function sum(text: string, units: Units): number {
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)([A-Z])/g)) {
    total += Number(amount) * (units[unit ?? ''] ?? 0)
  }
  return Math.round(total)
}
