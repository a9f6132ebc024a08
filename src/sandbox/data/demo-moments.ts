// Words of the demo data that speak of time. Demo data lies before the moment at which the sandbox began.
import { compileDuration, compileTimeFormat } from '../../language/expression/time.ts'
import type { Json } from '../../language/json/json.ts'
import { textOf } from '../wire/same-scalar.ts'
import {
  BadWord,
  made,
  orElse,
  type Place,
  raw,
  type Reader,
  value,
  type Word,
  word,
} from './demo-compiler.ts'
import type { Context, MakeValue } from './world.ts'

/** One duration such as PT3H, or the least and the most, in milliseconds. */
const span: Reader<readonly [number, number]> = (given) => {
  const [least, most]: readonly unknown[] = Array.isArray(given) ? given : [given, given]
  if (typeof least === 'string' && typeof most === 'string')
    return [durationMs(least), durationMs(most)]
  throw new BadWord('this takes a duration such as PT3H, or [least, most]')
}

/** How the time is written. */
const format: Reader<(ms: number | undefined) => Json | undefined> = (
  given,
  _at,
  { timeFormat },
) => {
  const write = compileTimeFormat(textOf(given ?? timeFormat))
  return (ms) => (ms === undefined ? undefined : write(new Date(ms).toISOString()))
}

export const MOMENTS: Readonly<Record<string, Word>> = {
  $ago: made(span, { step: orElse(span, 'PT0S'), format }, (context, ago, more, place) => {
    const back = between(ago, draw(context, place)) + context.index * more.step[0]
    return more.format(context.world.startMs - back)
  }),
  // Less or more by up to a quarter of a step.
  $walk: word(span, { from: raw, format }, ([step], { from, format: write }, place): MakeValue => {
    const start = from === undefined ? null : span(from, place.at, place.compiler)[0]
    return (context) => {
      const { row, world } = context
      const number = (start === null ? row?.position : row?.n) ?? 0
      const density = row === null ? 1 : world.densityOf(row)
      const walked = ((number + 0.75 + draw(context, place) / 2) / density) * step
      const back = start === null ? walked : start - walked
      return write(world.startMs - Math.max(0, Math.floor(back)))
    }
  }),
  $after: made(
    value,
    { by: orElse(span, ['PT0S', 'P1D']), format },
    (context, from, more, place) => {
      const base = readMs(from(context))
      if (base === undefined) return undefined
      const later = base + between(more.by, draw(context, place))
      return more.format(Math.max(base, Math.min(context.world.startMs, later)))
    },
  ),
  $now: made(raw, { format }, ({ world }, _, more) => more.format(world.now())),
}

function draw(context: Context, place: Place): number {
  return context.world.chance(place.spot(context))
}

/** Milliseconds of an ISO 8601 duration; months and years are counted from 1970. Throws ValueError. */
function durationMs(source: string): number {
  return Date.parse(textOf(compileDuration(source)('1970-01-01T00:00:00Z')))
}

function between([least, most]: readonly [number, number], part: number): number {
  return Math.floor(least + (most - least) * part)
}

/** Times of any vendor's spelling that JavaScript reads, also `+0000`. */
export function readMs(time: Json | undefined): number | undefined {
  if (typeof time === 'number') return time < 1e11 ? time * 1000 : time
  if (typeof time !== 'string' || !/^\d{4}-\d\d-\d\d/.test(time)) return undefined
  // A time without an offset is UTC; a date has one already, by the rules of JavaScript.
  const zone = /[Tt ]/.test(time) && !/([Zz]|[+-]\d\d:?\d\d)$/.test(time) ? 'Z' : ''
  const ms = Date.parse(time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2').replace(' ', 'T') + zone)
  return Number.isNaN(ms) ? undefined : ms
}
