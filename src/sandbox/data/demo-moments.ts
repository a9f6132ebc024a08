// Words of the demo data that speak of time. Demo data lies before the moment at which the sandbox began.
import { compileDuration, compileTimeFormat } from '../../language/expression/time.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import type { Json } from '../../language/json/json.ts'
import { textOf } from '../wire/same-scalar.ts'
import type { Directive, DirectivePlace } from './demo-directive.ts'
import { spotOf } from './demo-draws.ts'
import type { Making, MakeValue } from './world.ts'

/** The words that give times. */
export const MOMENTS: Readonly<Record<string, Directive>> = {
  /** Some time ago: `PT3H`, or between two durations; `step` further back for each element of a list. */
  $ago: {
    options: ['step', 'format'],
    compile: (argument, place) =>
      compileMoment(place, (draw) => {
        const span = readSpan(argument)
        const step = readSpan(place.option('step') ?? 'PT0S')
        if (span === null || step === null) return null
        return (making) =>
          making.world.startMs - between(span, draw(making)) - making.index * step[0]
      }),
  },
  /**
   * One step further back for each row of the set, less or more by up to a quarter of a step. With `from` one step
   * further on for each row of a parent, from that long ago, but not beyond the beginning of the sandbox. A larger set
   * walks in smaller steps, over the same time.
   */
  $walk: {
    options: ['from', 'format'],
    compile: (argument, place) =>
      compileMoment(place, (draw) => {
        const step = readSpan(argument)
        const from = readSpan(place.option('from') ?? 'PT0S')
        if (step === null || from === null) return null
        if (place.option('from') === undefined) {
          return (making) => back(making, walked(making, making.row?.position, draw) * step[0])
        }
        return (making) => back(making, from[0] - walked(making, making.row?.n, draw) * step[0])
      }),
  },
  /** Some time after another moment, but not after the sandbox began. */
  $after: {
    options: ['by', 'format'],
    compile: (argument, place) => {
      const from = place.compile(argument, '$after')
      return compileMoment(place, (draw) => {
        const span = readSpan(place.option('by') ?? ['PT0S', 'P1D'])
        return (
          span &&
          ((making) => {
            const base = readMs(from(making))
            if (base === undefined) return undefined
            return Math.max(
              base,
              Math.min(making.world.startMs, base + between(span, draw(making))),
            )
          })
        )
      })
    },
  },
  /** The sandbox's clock. */
  $now: {
    options: ['format'],
    compile: (_argument, place) => compileMoment(place, () => (making) => making.world.now()),
  },
}

/** Steps up to the row of this number. */
function walked(making: Making, number: number | undefined, draw: Draw): number {
  const density = making.row === null ? 1 : making.world.densityOf(making.row)
  return ((number ?? 0) + 0.75 + draw(making) / 2) / density
}

function back(making: Making, ms: number): number {
  return making.world.startMs - Math.max(0, Math.floor(ms))
}

type Draw = (making: Making) => number
type Moment = (making: Making) => number | undefined

function compileMoment(place: DirectivePlace, compile: (draw: Draw) => Moment | null): MakeValue {
  const format = place.option('format') ?? place.compiler.timeFormat
  try {
    if (typeof format !== 'string') return place.fail('format is a text')
    const write = compileTimeFormat(format)
    const moment = compile((making) => making.world.chance(spotOf(making, place)))
    if (moment === null) return place.fail('this takes a duration such as PT3H, or [least, most]')
    return (making) => {
      const ms = moment(making)
      return ms === undefined ? undefined : write(new Date(ms).toISOString())
    }
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    return place.fail(error.message)
  }
}

/** One duration, or the least and the most, in milliseconds. */
function readSpan(value: Json): readonly [number, number] | null {
  const pair: readonly unknown[] = Array.isArray(value) ? value : [value, value]
  const [least, most] = pair
  if (pair.length !== 2 || typeof least !== 'string' || typeof most !== 'string') return null
  return [durationMs(least), durationMs(most)]
}

/** Milliseconds of an ISO 8601 duration; months and years are counted from 1970. Throws ValueError. */
function durationMs(text: string): number {
  return Date.parse(textOf(compileDuration(text)('1970-01-01T00:00:00Z')))
}

function between([least, most]: readonly [number, number], draw: number): number {
  return Math.floor(least + (most - least) * draw)
}

/** Times of any vendor's spelling that JavaScript reads, also `+0000`. */
export function readMs(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined
  const ms = Date.parse(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2').replace(' ', 'T') + zone(value))
  return Number.isNaN(ms) ? undefined : ms
}

/** A time without an offset is UTC; a date has one already, by the rules of JavaScript. */
function zone(text: string): string {
  return /[Tt ]/.test(text) && !/([Zz]|[+-]\d\d:?\d\d)$/.test(text) ? 'Z' : ''
}
