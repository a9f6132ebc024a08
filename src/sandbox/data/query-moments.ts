// Times as queries write them: days, periods back from now, the beginning and end of a day, week, month or year.
import { compileDuration } from '../../language/expression/time.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import { textOf } from '../wire/same-scalar.ts'
import type { Call } from './conditions.ts'

/** The moment that a value of a query means, in milliseconds since 1970 (UTC); null when it means none. */
export function queryMoment(value: string | Call, nowMs: number): number | null {
  if (typeof value !== 'string') return momentOfCall(value, nowMs)
  return momentOfDay(value) ?? shifted(nowMs, value, PERIOD)
}

const DAY = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?: (\d{1,2}):(\d\d))?$/

function momentOfDay(text: string): number | null {
  const [, year, , month = '', day = '', hour = '0', minute = '0'] = DAY.exec(text.trim()) ?? []
  if (year === undefined || Number(hour) > 23 || Number(minute) > 59) return null
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute))
  // A day that there is not would be counted on into another month.
  return new Date(ms).getUTCMonth() === Number(month) - 1 ? ms : null
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
  const isEnd = edge === 'end'
  const begin = span.begin(new Date(nowMs), isEnd ? 1 : 0)
  const [shift] = args
  const moved = shift === undefined ? begin : shifted(begin, shift, SHIFT, span.unit)
  // The end of a month stays the end of a month, as what is moved is the beginning of the next one.
  return moved === null || !isEnd ? moved : moved - 1
}

/** `-7d`, `4w 2d`. */
const PERIOD = /^([+-]?)((?:\d+[wdhm]\s*)+)$/
/** `-1`, `+2w`. */
const SHIFT = /^([+-]?)(\d+[yMwdhm]?)$/

/** A moment that much later or earlier; null beyond the years that a time can have. `ownUnit`: of a number alone. */
function shifted(ms: number, shift: string, form: RegExp, ownUnit = ''): number | null {
  const [, sign = '', parts] = form.exec(shift.trim()) ?? []
  if (parts === undefined) return null
  let time = new Date(ms).toISOString()
  for (const [, count = '', given = ''] of parts.matchAll(/0*(\d+)([yMwdhm]?)/g)) {
    const unit = given === '' ? ownUnit : given
    const period = `${/[hm]/.test(unit) ? 'PT' : 'P'}${count}${unit.toUpperCase()}`
    try {
      time = textOf(compileDuration(sign === '-' ? `-${period}` : period)(time))
    } catch (error) {
      if (error instanceof ValueError) return null
      throw error
    }
  }
  return Date.parse(time)
}
