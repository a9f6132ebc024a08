// Filters and order of a listing: which rows a request asks for, and in which order.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { sameScalar, scalarText, textOf } from '../wire/same-scalar.ts'
import { readMs } from './demo-moments.ts'
import type { Filter, Sort } from './demo-types.ts'
import type { Context } from './world.ts'

/** `seen`: what is answered for a row, and its columns. */
interface Shown {
  readonly seen: JsonObject
}

export function filterRows<T extends Shown>(
  rows: readonly T[],
  filters: readonly Filter[],
  context: Context,
): readonly T[] {
  const tests = filters.flatMap((filter) => {
    const value = filter.value(context)
    return value === undefined || value === null ? [] : [{ filter, value }]
  })
  return rows.filter(({ seen }) => tests.every(({ filter, value }) => passes(filter, value, seen)))
}

/** The rows in the order that the request asks for; equal ones stay as they were. */
export function sortRows<T extends Shown>(
  rows: readonly T[],
  sort: Sort | undefined,
  context: Context,
): readonly T[] {
  if (sort === undefined) return rows
  const by = scalarText(sort.by(context))
  const pick = by === undefined ? undefined : sort.fields.get(by)
  if (pick === undefined) return rows
  const descending = isGiven(sort.descending?.(context))
  const of = ({ seen }: Shown): string | undefined => scalarText(pick(seen))
  return sortBy(rows, [{ of, compare: compareTexts, descending }])
}

/** What rows are sorted by; undefined: the row has no value. */
export interface SortKey<T> {
  readonly of: (row: T) => string | undefined
  readonly compare: (a: string, b: string) => number
  readonly descending: boolean
}

/** Sorts by several keys; rows without a value come last, or first where the order is descending. */
export function sortBy<T extends S, S>(
  rows: readonly T[],
  keys: readonly SortKey<S>[],
): readonly T[] {
  if (keys.length === 0) return rows
  return rows
    .map((row) => ({ row, values: keys.map(({ of }) => of(row)) }))
    .sort((a, b) => {
      for (const [index, { compare, descending }] of keys.entries()) {
        const [left, right] = [a.values[index], b.values[index]]
        const order =
          left === undefined || right === undefined
            ? Number(left === undefined) - Number(right === undefined)
            : compare(left, right)
        if (order !== 0) return descending ? -order : order
      }
      return 0
    })
    .map(({ row }) => row)
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== false
}

type Test = (value: Json, wanted: Json) => boolean

/** The tests of one value by name; `not` holds where this one fails. */
const TESTS: Readonly<Record<Filter['test'], Test>> = {
  is: sameScalar,
  not: sameScalar,
  contains: (value, wanted) => textOf(value).includes(textOf(wanted)),
  starts: (value, wanted) => textOf(value).startsWith(textOf(wanted)),
  gt: ordered((order) => order > 0),
  gte: ordered((order) => order >= 0),
  lt: ordered((order) => order < 0),
  lte: ordered((order) => order <= 0),
}

function ordered(passes: (order: number) => boolean): Test {
  return (value, wanted) => {
    const [a, b] = [scalarText(value), scalarText(wanted)]
    return a !== undefined && b !== undefined && passes(compareTexts(a, b))
  }
}

function passes(filter: Filter, wanted: Json, fields: JsonObject): boolean {
  const { at, ignore_case: ignoresCase, test } = filter
  const shown = (value: Json): Json => (ignoresCase ? textOf(value).toLowerCase() : value)
  const choices = valuesOf(wanted).map(shown)
  const isFound = at.some((pick) =>
    valuesOf(pick(fields) ?? null).some((value) =>
      choices.some((choice) => TESTS[test](shown(value), choice)),
    ),
  )
  return isFound !== (test === 'not')
}

function valuesOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value]
}

/** Letters without case, and the digits among them as numbers: OPS-9 stands before OPS-10. */
const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'accent' })

/** Times by moment, numbers by size, texts by their letters. */
export function compareTexts(a: string, b: string): number {
  const times = [readMs(a), readMs(b)] as const
  if (times[0] !== undefined && times[1] !== undefined) return times[0] - times[1]
  if (INTEGER.test(a) && INTEGER.test(b)) return Number(BigInt(a) - BigInt(b))
  const numbers = [Number(a), Number(b)] as const
  const areNumbers = a !== '' && b !== '' && !numbers.some(Number.isNaN)
  return areNumbers ? numbers[0] - numbers[1] : COLLATOR.compare(a, b)
}

const INTEGER = /^-?\d+$/
