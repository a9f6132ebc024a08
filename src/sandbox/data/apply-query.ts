// Queries written as text, applied to rows: which fields they know is declared by the demo data.
import type { Json, JsonObject } from '../../json/json.ts'
import { VendorRefusal } from '../wire/refusal.ts'
import { textOf } from '../wire/same-scalar.ts'
import { parseQuery, QuerySyntaxError } from './conditions.ts'
import type { Comparison, Condition, Operator, Query } from './conditions.ts'
import { compareValues, TESTS, withoutRelativeTime } from './narrow.ts'
import type { FilterTest, Pick } from './narrow.ts'
import type { MakeValue, Making } from './world.ts'

/** A parameter that holds such a query. */
export interface QueryRule {
  readonly text: MakeValue
  /** Names that queries may use, in lower case, and the members they mean; of several, any. */
  readonly fields: ReadonlyMap<string, readonly Pick[]>
  /** Values with a meaning of their own: `currentUser()`. Names in lower case. */
  readonly values: ReadonlyMap<string, MakeValue>
  /** What is said to a query without any condition; null: it finds everything. */
  readonly unbounded: MakeValue | null
}

interface Shown {
  readonly seen: JsonObject
}

/** The rows that the query finds, in its order. Throws a refusal for a query that cannot be understood. */
export function applyQuery<T extends Shown>(
  rows: readonly T[],
  rule: QueryRule | null,
  making: Making,
): readonly T[] {
  if (rule === null) return rows
  const query = read(textOf(rule.text(making)))
  const { where } = query
  if (where === null && rule.unbounded !== null) {
    throw refused(textOf(rule.unbounded(making)))
  }
  const test = where === null ? () => true : compile(where, rule, making)
  const orders = query.orderBy.map(({ field, descending }) => ({
    pick: picksOf(field, rule)[0],
    direction: descending ? -1 : 1,
  }))
  const found = rows.filter(({ seen }) => test(seen))
  return orders.length === 0 ? found : found.sort((a, b) => compareBy(orders, a.seen, b.seen))
}

type Test = (fields: JsonObject) => boolean

function read(text: string): Query {
  try {
    return parseQuery(text)
  } catch (error) {
    if (error instanceof QuerySyntaxError) throw refused(error.message)
    throw error
  }
}

function refused(message: string): VendorRefusal {
  return new VendorRefusal('invalid', message, { status: 400, isWorded: true })
}

function compile(condition: Condition, rule: QueryRule, making: Making): Test {
  switch (condition.kind) {
    case 'compare':
      return compileComparison(condition, rule, making)
    case 'not': {
      const test = compile(condition.part, rule, making)
      return (fields) => !test(fields)
    }
    case 'and':
    case 'or': {
      const tests = condition.parts.map((part) => compile(part, rule, making))
      return condition.kind === 'and'
        ? (fields) => tests.every((test) => test(fields))
        : (fields) => tests.some((test) => test(fields))
    }
  }
}

/** The test of an operator, and whether it must fail for the rows that stay. */
const OPERATORS: Readonly<
  Record<Exclude<Operator, 'empty' | 'not empty'>, readonly [test: FilterTest, negated: boolean]>
> = {
  '=': ['is', false],
  '!=': ['is', true],
  in: ['is', false],
  'not in': ['is', true],
  '~': ['contains', false],
  '!~': ['contains', true],
  '>': ['gt', false],
  '>=': ['gte', false],
  '<': ['lt', false],
  '<=': ['lte', false],
}

function compileComparison(comparison: Comparison, rule: QueryRule, making: Making): Test {
  const picks = picksOf(comparison.field, rule)
  const { operator } = comparison
  if (operator === 'empty' || operator === 'not empty') {
    return (fields) => picks.every((pick) => isEmpty(pick(fields))) === (operator === 'empty')
  }
  const [name, negated] = OPERATORS[operator]
  const values = comparison.values.map((value) => valueOf(value, rule, making))
  const wanted = name === 'is' ? values : (values[0] ?? null)
  const test = TESTS[name]
  return (fields) => picks.some((pick) => test(pick(fields), wanted, true)) !== negated
}

function valueOf(value: string, rule: QueryRule, making: Making): Json {
  const special = rule.values.get(value.toLowerCase())?.(making)
  return special ?? withoutRelativeTime(value, making.world.now())
}

function picksOf(field: string, rule: QueryRule): readonly Pick[] {
  const picks = rule.fields.get(field.toLowerCase())
  if (picks === undefined) throw refused(`The field "${field}" does not exist`)
  return picks
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

function compareBy(
  orders: readonly { readonly pick: Pick | undefined; readonly direction: number }[],
  a: JsonObject,
  b: JsonObject,
): number {
  for (const { pick, direction } of orders) {
    const order = direction * compareValues(pick?.(a), pick?.(b))
    if (order !== 0) return order
  }
  return 0
}
