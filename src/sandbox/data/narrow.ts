// Filters and order of a listing: which rows a request asks for, and in which order.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { sameScalar, scalarText } from '../wire/same-scalar.ts'
import { readMs } from './demo-moments.ts'
import type { MakeValue, Making } from './world.ts'

export type FilterTest = 'is' | 'not' | 'contains' | 'starts' | 'gt' | 'gte' | 'lt' | 'lte'

/** Takes a value out of a row. */
export type Pick = (fields: JsonObject) => Json | undefined

/** Rows stay when any of `at` passes. A filter whose value is absent does nothing. */
export interface Filter {
  readonly at: readonly Pick[]
  readonly value: MakeValue
  readonly test: FilterTest
  readonly ignoreCase: boolean
}

export interface Sort {
  /** Which of `fields` to sort by; absent or unknown: the order as it is. */
  readonly by: MakeValue
  readonly fields: ReadonlyMap<string, Pick>
  readonly descending: MakeValue
}

/** `seen`: what is answered for a row, and the values it has beside. */
interface Shown {
  readonly seen: JsonObject
}

/** The rows that pass every filter. */
export function filterRows<T extends Shown>(
  rows: readonly T[],
  filters: readonly Filter[],
  making: Making,
): readonly T[] {
  const tests = filters.flatMap((filter) => {
    const value = filter.value(making)
    return value === undefined || value === null ? [] : [{ filter, value }]
  })
  const nowMs = making.world.now()
  return rows.filter(({ seen }) =>
    tests.every(({ filter, value }) => passes(filter, value, seen, nowMs)),
  )
}

/** The rows in the order that the request asks for; equal ones stay as they were. */
export function sortRows<T extends Shown>(
  rows: readonly T[],
  sort: Sort | null,
  making: Making,
): readonly T[] {
  if (sort === null) return rows
  const by = scalarText(sort.by(making))
  const pick = by === undefined ? undefined : sort.fields.get(by)
  if (pick === undefined) return rows
  const direction = isGiven(sort.descending(making)) ? -1 : 1
  return [...rows].sort((a, b) => direction * compareValues(pick(a.seen), pick(b.seen)))
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== false
}

type Test = (value: Json | undefined, wanted: Json, ignoreCase: boolean) => boolean

/** The tests by name. `wanted` may be a list, of which one must fit. */
const TESTS: Readonly<Record<FilterTest, Test>> = {
  is: (value, wanted, ignoreCase) => anyOf(value, wanted, (a, b) => equal(a, b, ignoreCase)),
  not: (value, wanted, ignoreCase) => !anyOf(value, wanted, (a, b) => equal(a, b, ignoreCase)),
  contains: (value, wanted, ignoreCase) =>
    anyOf(value, wanted, (a, b) => fold(a, ignoreCase).includes(fold(b, ignoreCase))),
  starts: (value, wanted, ignoreCase) =>
    anyOf(value, wanted, (a, b) => fold(a, ignoreCase).startsWith(fold(b, ignoreCase))),
  gt: (value, wanted) => value !== undefined && value !== null && compareValues(value, wanted) > 0,
  gte: (value, wanted) =>
    value !== undefined && value !== null && compareValues(value, wanted) >= 0,
  lt: (value, wanted) => value !== undefined && value !== null && compareValues(value, wanted) < 0,
  lte: (value, wanted) =>
    value !== undefined && value !== null && compareValues(value, wanted) <= 0,
}

function passes(filter: Filter, wanted: Json, fields: JsonObject, nowMs: number): boolean {
  const test = TESTS[filter.test]
  const bound =
    filter.test.length <= 3 && filter.test !== 'not' ? withoutRelativeTime(wanted, nowMs) : wanted
  // "Not" must hold for every place, all other tests for one of them.
  const places = filter.at.map((pick) => test(pick(fields), bound, filter.ignoreCase))
  return filter.test === 'not' ? places.every(Boolean) : places.some(Boolean)
}

const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** `-7d` as the time of seven days ago; anything else as it is. */
function withoutRelativeTime(value: Json, nowMs: number): Json {
  const found = typeof value === 'string' ? /^([+-]?\d+)([mhdw])$/.exec(value) : null
  if (found === null) return value
  return new Date(nowMs + Number(found[1]) * (UNITS_MS[found[2] ?? ''] ?? 0)).toISOString()
}

function anyOf(
  value: Json | undefined,
  wanted: Json,
  test: (a: Json, b: Json) => boolean,
): boolean {
  const values: readonly Json[] = Array.isArray(value) ? value : [value ?? null]
  const choices: readonly Json[] = Array.isArray(wanted) ? wanted : [wanted]
  return values.some((item) => choices.some((choice) => test(item, choice)))
}

function equal(a: Json, b: Json, ignoreCase: boolean): boolean {
  return sameScalar(a, b) || (ignoreCase && fold(a, true) === fold(b, true) && fold(a, true) !== '')
}

function fold(value: Json, ignoreCase: boolean): string {
  const text = scalarText(value) ?? ''
  return ignoreCase ? text.toLowerCase() : text
}

/** Numbers by size, times by moment, texts by their letters; what is absent or null comes last. */
export function compareValues(a: Json | undefined, b: Json | undefined): number {
  const [left, right] = [scalarText(a), scalarText(b)]
  if (left === undefined || right === undefined) {
    return Number(left === undefined) - Number(right === undefined)
  }
  const times = [readMs(left), readMs(right)] as const
  if (times[0] !== undefined && times[1] !== undefined) return times[0] - times[1]
  if (/^-?\d+$/.test(left) && /^-?\d+$/.test(right))
    return compareIntegers(BigInt(left), BigInt(right))
  const numbers = [Number(left), Number(right)] as const
  if (!Number.isNaN(numbers[0]) && !Number.isNaN(numbers[1])) return numbers[0] - numbers[1]
  return left < right ? -1 : Number(left > right)
}

function compareIntegers(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b)
}
