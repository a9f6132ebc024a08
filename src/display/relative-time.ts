// How long ago something was, and how long until it will be, in words.

const STEPS: readonly (readonly [
  unit: Intl.RelativeTimeFormatUnit,
  seconds: number,
  short: string,
])[] = [
  ['year', 365 * 86_400, 'y'],
  ['month', 30 * 86_400, 'mo'],
  ['day', 86_400, 'd'],
  ['hour', 3600, 'h'],
  ['minute', 60, 'min'],
]

/**
 * A moment that lies `ms` ahead, or behind where negative: "3 days ago", "in 2 hours". The last minute is "just now", and
 * up to five seconds ahead are "now".
 */
export function relativeTime(ms: number): string {
  if (ms <= 0 && ms > -60_000) return 'just now'
  if (ms > 0 && ms < NOW_MS) return 'now'
  const { count, unit } = stepOf(ms)
  return WORDS.format(count, unit)
}

/** The same, where a clock stands next to it: what is four seconds ahead is not now. */
export function timeByClock(ms: number): string {
  if (ms < 1000 || ms >= NOW_MS) return relativeTime(ms)
  const { count, unit } = stepOf(ms)
  return WORDS.format(count, unit)
}

/** How long something lasts: "for 3 hours", "for less than a minute". */
export function lastingWords(ms: number): string {
  if (ms < 60_000) return 'for less than a minute'
  const { count, unit } = stepOf(ms)
  return `for ${new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)}`
}

/** When this date-time of ISO 8601 was, in few letters: "3d ago", "in 2h"; null for any other text, and for a date alone. */
export function relativeTo(nowMs: number, text: string): string | null {
  if (!MOMENT.test(text)) return null
  const ms = Date.parse(text) - nowMs
  if (Number.isNaN(ms)) return null
  if (Math.abs(ms) < NOW_MS) return 'now'
  const { count, short } = stepOf(ms)
  return count < 0 ? `${-count}${short} ago` : `in ${count}${short}`
}

/** A time in few letters: "15min"; null: there is none. */
export function spanOf(seconds: number | null): string | null {
  if (seconds === null) return null
  const { count, short } = stepOf(seconds * 1000)
  return `${count}${short}`
}

/** When what a copy has was so at the third party, in few letters: "7min ago"; null: it was never read as a whole. */
export function asOf(lagSeconds: number | null): string | null {
  const span = spanOf(lagSeconds)
  return span === null ? null : `${span} ago`
}

const NOW_MS = 5500
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/
const WORDS = new Intl.RelativeTimeFormat('en')

function stepOf(ms: number): {
  readonly count: number
  readonly unit: Intl.RelativeTimeFormatUnit
  readonly short: string
} {
  const seconds = Math.round(ms / 1000)
  const [unit, size, short] = STEPS.find(([, each]) => Math.abs(seconds) >= each) ?? [
    'second',
    1,
    's',
  ]
  return { count: Math.trunc(seconds / size), unit, short }
}
