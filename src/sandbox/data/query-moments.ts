// Times as queries write them: days, periods back from now, the beginning and end of a day, week, month or year.
import type { Call } from './conditions.ts'

/** Milliseconds of the units of fixed length. */
const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/**
 * The moment that a value of a query means, in milliseconds since 1970 (UTC); null when it means none. Texts:
 * `2026-05-20`, `2026/05/20 12:00`, `-7d`, `4w 2d`. Calls: `now()`, `startOfDay()`, `endOfMonth(-1)`, `startOfYear("+1M")`.
 */
export function queryMoment(value: string | Call, nowMs: number): number | null {
  if (typeof value !== 'string') return momentOfCall(value, nowMs)
  return momentOfDay(value) ?? momentOfPeriod(value, nowMs)
}

const DAY = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?: (\d{1,2}):(\d\d))?$/

function momentOfDay(text: string): number | null {
  const found = DAY.exec(text.trim())
  if (found === null) return null
  const [year, , month, day, hour = 0, minute = 0] = found
    .slice(1)
    .map((part: string | undefined) => (part === undefined ? undefined : Number(part)))
  const isDay = (day ?? 0) >= 1 && (day ?? 0) <= daysIn(year ?? 0, month ?? 0)
  if (!isDay || hour > 23 || minute > 59) return null
  return Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute)
}

/** 0 for a month that there is not. */
function daysIn(year: number, month: number): number {
  return month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0
}

function momentOfPeriod(text: string, nowMs: number): number | null {
  const found = /^([+-]?)((?:\d+[wdhm]\s*)+)$/.exec(text.trim())
  if (found === null) return null
  const [, sign, parts = ''] = found
  const ms = [...parts.matchAll(/(\d+)([wdhm])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNITS_MS[unit ?? ''] ?? 0),
    0,
  )
  return sign === '-' ? nowMs - ms : nowMs + ms
}

type Span = 'day' | 'week' | 'month' | 'year'

/** The unit of a number alone, and the beginning of the span that a moment lies in, some spans further. */
const SPANS: Readonly<
  Record<Span, { readonly unit: string; readonly begin: (at: Date, further: number) => number }>
> = {
  day: {
    unit: 'd',
    begin: (at, n) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + n),
  },
  week: {
    unit: 'w',
    begin: (at, n) =>
      // Weeks begin on Monday.
      Date.UTC(
        at.getUTCFullYear(),
        at.getUTCMonth(),
        at.getUTCDate() - ((at.getUTCDay() + 6) % 7) + 7 * n,
      ),
  },
  month: { unit: 'M', begin: (at, n) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + n, 1) },
  year: { unit: 'y', begin: (at, n) => Date.UTC(at.getUTCFullYear() + n, 0, 1) },
}

function momentOfCall({ call, args }: Call, nowMs: number): number | null {
  if (call.toLowerCase() === 'now') return args.length === 0 ? nowMs : null
  const [, edge, name = ''] = /^(start|end)of(day|week|month|year)$/.exec(call.toLowerCase()) ?? []
  const span = Object.hasOwn(SPANS, name) ? SPANS[name as Span] : undefined
  if (span === undefined || args.length > 1) return null
  const begin = span.begin(new Date(nowMs), edge === 'end' ? 1 : 0)
  const edgeMs = edge === 'end' ? begin - 1 : begin
  const [shift] = args
  return shift === undefined ? edgeMs : shifted(edgeMs, shift, span.unit)
}

/** `-1`, `+2w`: a moment that much later or earlier. */
function shifted(ms: number, shift: string, ownUnit: string): number | null {
  const found = /^([+-]?\d+)([yMwdhm]?)$/.exec(shift.trim())
  if (found === null) return null
  const count = Number(found[1])
  const unit = found[2] === '' ? ownUnit : (found[2] ?? ownUnit)
  const length = UNITS_MS[unit]
  if (length !== undefined) return ms + count * length
  const at = new Date(ms)
  const months = unit === 'y' ? 12 * count : count
  const day = at.getUTCDate()
  const isLastDay = day === daysIn(at.getUTCFullYear(), at.getUTCMonth() + 1)
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1)
  const month = new Date(first)
  const days = daysIn(month.getUTCFullYear(), month.getUTCMonth() + 1)
  // The end of a month stays the end of a month.
  const timeOfDay = ms - Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), day)
  return first + ((isLastDay ? days : Math.min(day, days)) - 1) * 86_400_000 + timeOfDay
}
