// Words of the demo data that speak of time. Demo data lies before the moment at which the sandbox began.
import type { Json } from '../../language/json/json.ts'
import type { Place } from './demo-compiler.ts'
import type { MakeWord } from './demo-words.ts'
import type { Context } from './world.ts'

type Moment = '$ago' | '$walk' | '$after' | '$now'

export const MOMENTS: { readonly [K in Moment]: MakeWord<K> } = {
  $ago(context, { $ago: ago, step, format }, place) {
    const back = between(ago, draw(context, place)) + context.index * step[0]
    return format(context.world.startMs - back)
  },
  // Less or more by up to a quarter of a step.
  $walk(context, { $walk: [step], from, format }, place) {
    const { row, world } = context
    const number = (from === undefined ? row?.position : row?.n) ?? 0
    const density = row === null ? 1 : world.densityOf(row)
    const walked = ((number + 0.75 + draw(context, place) / 2) / density) * step
    const back = from === undefined ? walked : from[0] - walked
    return format(world.startMs - Math.max(0, Math.floor(back)))
  },
  $after(context, { $after: from, by, format }, place) {
    const base = readMs(from(context))
    if (base === undefined) return undefined
    const later = base + between(by, draw(context, place))
    return format(Math.max(base, Math.min(context.world.startMs, later)))
  },
  $now: ({ world }, { format }) => format(world.now()),
}

function draw(context: Context, place: Place): number {
  return context.world.chance(place.spot(context))
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
