// Queries written as text, applied to rows: which fields they know, and what these take, is declared by the demo data.
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { VendorRefusal } from '../wire/refusal.ts'
import { scalarText, textOf } from '../wire/same-scalar.ts'
import { parseQuery, QuerySyntaxError } from './conditions.ts'
import type { Call, Comparison, Condition, Operator, Query } from './conditions.ts'
import { readMs } from './demo-moments.ts'
import { compareValues } from './narrow.ts'
import type { Pick } from './narrow.ts'
import { queryMoment } from './query-moments.ts'
import { compileWordSearch, leadingWildcard } from './word-search.ts'
import type { MakeValue, Making, Row } from './world.ts'

/** A parameter that holds such a query. */
export interface QueryRule {
  readonly text: MakeValue
  /** Names that queries may use, in lower case. */
  readonly fields: ReadonlyMap<string, QueryField>
  /** Values with a meaning of their own: `currentUser()`. Names in lower case. */
  readonly values: ReadonlyMap<string, MakeValue>
  /** What is said to a query without any condition; null: it finds everything. */
  readonly unbounded: MakeValue | null
  /** Characters that stand in quotes only. */
  readonly reserved: string
  /** How many fields an order may have. */
  readonly mostOrders: number
  /** The vendor's words; what is missing is said in the sandbox's own. */
  readonly says: ReadonlyMap<QueryFault, MakeValue>
}

/** What a name in a query means, and which values it takes. */
export interface QueryField {
  /** Members of the row; of several, any. */
  readonly at: readonly Pick[]
  /** A value or a list, made for each row; in place of members. */
  readonly value: MakeValue | null
  /** `words`: texts searched by `~`; `time`: compared as moments; `known`: one of the values that there are. */
  readonly kind: 'plain' | 'words' | 'time' | 'known'
  /** The values that there are, each a scalar, or all the names of one in a list or as the members of an object. */
  readonly known: MakeValue | null
  /** How the known values are ordered: as they are listed, the other way round, or by what they are. */
  readonly order: 'rising' | 'falling' | 'value' | null
  /** Values that mean "has none", in lower case. */
  readonly none: readonly string[]
  /** What is said to a value that there is not; null: what the rule says. */
  readonly unknown: MakeValue | null
}

/** What can be wrong with a query. */
export type QueryFault =
  'syntax' | 'field' | 'value' | 'operator' | 'time' | 'function' | 'wildcard' | 'blank' | 'orders'

/** What is wrong and where: what texts see as `record`. */
interface Fault {
  readonly fault: QueryFault
  readonly field?: string
  readonly value?: string
  readonly operator?: string
  readonly message?: string
  /** In place of the rule's text. */
  readonly text?: MakeValue | null
}

const OWN_WORDS: Readonly<Record<QueryFault, (fault: Fault) => string>> = {
  syntax: ({ message = '' }) => `Error in the query: ${message}`,
  field: ({ field }) => `There is no field "${field}"`,
  value: ({ field, value }) => `There is no value "${value}" of the field "${field}"`,
  operator: ({ field, operator }) => `The field "${field}" does not take the operator ${operator}`,
  time: ({ field, value }) => `"${value}" is no time for the field "${field}"`,
  function: ({ value }) => `There is no function "${value}"`,
  wildcard: ({ field }) => `Words searched in "${field}" cannot begin with a wildcard`,
  blank: ({ field }) => `There is no word to search for in "${field}"`,
  orders: () => 'The order has too many fields',
}

interface Shown {
  readonly row: Row
  readonly seen: JsonObject
}

/** The rows that the query finds, in its order. Throws a refusal for a query that cannot be understood. */
export function applyQuery<T extends Shown>(
  rows: readonly T[],
  rule: QueryRule | null,
  making: Making,
): readonly T[] {
  if (rule === null) return rows
  const applied = new QueryCompiler(rule, making).compile()
  return applied.sort(rows.filter((row) => applied.test(row)))
}

type Test = (shown: Shown) => boolean

const PASS: Test = () => true

class QueryCompiler {
  private readonly rule: QueryRule
  private readonly making: Making
  private readonly faults: Fault[] = []
  private readonly ranks = new Map<QueryField, ReadonlyMap<string, number>>()

  constructor(rule: QueryRule, making: Making) {
    this.rule = rule
    this.making = making
  }

  compile(): { readonly test: Test; sort<T extends Shown>(rows: readonly T[]): readonly T[] } {
    const { where, orderBy } = this.read()
    if (where === null && this.rule.unbounded !== null) {
      throw refused([textOf(this.rule.unbounded(this.making))])
    }
    const test = where === null ? PASS : this.condition(where, false)
    if (orderBy.length > this.rule.mostOrders) this.faults.push({ fault: 'orders' })
    const orders = orderBy.flatMap(({ field, descending }) => {
      const known = this.field(field)
      return known === null ? [] : [{ key: this.sortKey(known), direction: descending ? -1 : 1 }]
    })
    if (this.faults.length > 0) throw refused(this.faults.map((fault) => this.wording(fault)))
    return { test, sort: (rows) => sortBy(rows, orders) }
  }

  private read(): Query {
    try {
      return parseQuery(textOf(this.rule.text(this.making)), this.rule.reserved)
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error
      throw refused([this.wording({ fault: 'syntax', message: error.message })])
    }
  }

  /** Conditions are negated where they stand: like a comparison, its opposite holds for no row without a value. */
  private condition(condition: Condition, negated: boolean): Test {
    switch (condition.kind) {
      case 'compare':
        return this.comparison(
          negated ? { ...condition, operator: OPPOSITES[condition.operator] } : condition,
          condition.operator,
        )
      case 'not':
        return this.condition(condition.part, !negated)
      case 'and':
      case 'or': {
        const tests = condition.parts.map((part) => this.condition(part, negated))
        return (condition.kind === 'and') !== negated
          ? (row) => tests.every((test) => test(row))
          : (row) => tests.some((test) => test(row))
      }
    }
  }

  private comparison(comparison: Comparison, written: Operator): Test {
    const { field: name, operator } = comparison
    const field = this.field(name)
    if (field === null) return PASS
    const isOrdered = field.kind !== 'known' || field.order !== null
    if (!OPERATORS_OF[field.kind].includes(operator) || (!isOrdered && isOrder(operator))) {
      const shown = written === 'empty' ? 'is' : written === 'not empty' ? 'is not' : written
      this.faults.push({ fault: 'operator', field: name, operator: shown })
      return PASS
    }
    if (operator === 'empty') return (row) => this.values(field, row).length === 0
    if (operator === 'not empty') return (row) => this.values(field, row).length > 0
    const wanted = comparison.values.map((value) => this.wanted(value, field, name))
    if (operator === '~' || operator === '!~') {
      return this.words(wanted[0] ?? '', field, name, operator === '!~')
    }
    if (isOrder(operator)) return this.ordered(wanted[0] ?? null, field, ORDER_TESTS[operator])
    const isNegated = operator === '!=' || operator === 'not in'
    const wantsNone = wanted.includes(null)
    const given = wanted.filter((value) => value !== null)
    const texts = given.map((value) => value.toLowerCase())
    const moments = new Set(given.map((value) => readMs(value)))
    const isWanted = (value: string): boolean =>
      field.kind === 'time'
        ? moments.has(readMs(value))
        : texts.includes(value.toLowerCase()) || texts.some((text) => sameNumber(text, value))
    return (row) => {
      const values = this.values(field, row)
      if (values.length === 0) return wantsNone && !isNegated
      return values.some(isWanted) !== isNegated
    }
  }

  private words(wanted: string, field: QueryField, name: string, isNegated: boolean): Test {
    const letter = leadingWildcard(wanted)
    const search = compileWordSearch(wanted)
    if (letter !== null || search === null) {
      const fault = letter === null ? 'blank' : 'wildcard'
      this.faults.push({ fault, field: name, value: wanted, message: letter ?? '' })
      return PASS
    }
    return (row) => {
      const values = this.values(field, row)
      return values.length > 0 && values.some((value) => search(value)) !== isNegated
    }
  }

  private ordered(
    wanted: string | null,
    field: QueryField,
    passes: (order: number) => boolean,
  ): Test {
    if (wanted === null) return () => false
    const compare = this.comparing(field)
    // Of several members the first one is what is ordered: a name, not the id beside it.
    const ordering = { ...field, at: field.at.slice(0, 1) }
    return (row) => this.values(ordering, row).some((value) => passes(compare(value, wanted)))
  }

  /** The values of a row, as text; those that are absent, null or blank are none. */
  private values(field: QueryField, { row, seen }: Shown): readonly string[] {
    if (field.value !== null) {
      const { world, scope } = this.making
      const about = { ...this.making, scope: world.scopeOf(row, scope, seen), row }
      return textsIn(field.value(about))
    }
    return field.at.flatMap((pick) => textsIn(pick(seen)))
  }

  /** A value of the query as it is compared; null: no value. Values that do not exist are faults. */
  private wanted(value: string | Call | null, field: QueryField, name: string): string | null {
    if (value === null) return null
    const shown = typeof value === 'string' ? value : `${value.call}(${value.args.join(', ')})`
    const special = this.rule.values.get(shown.toLowerCase())
    if (special !== undefined) return scalarText(special(this.making)) ?? null
    if (field.none.includes(shown.toLowerCase())) return null
    if (field.kind === 'time') {
      const ms = queryMoment(value, this.making.world.now())
      if (ms !== null) return new Date(ms).toISOString()
      const fault = typeof value === 'string' ? 'time' : 'function'
      this.faults.push({ fault, field: name, value: shown })
      return null
    }
    if (typeof value !== 'string') {
      this.faults.push({ fault: 'function', field: name, value: shown })
      return null
    }
    if (field.kind === 'known' && !this.ranksOf(field).has(value.toLowerCase())) {
      this.faults.push({ fault: 'value', field: name, value, text: field.unknown })
    }
    return value
  }

  private comparing(field: QueryField): (a: string, b: string) => number {
    if (field.order === null || field.order === 'value') return compareTexts
    const ranks = this.ranksOf(field)
    const rank = (text: string): number => ranks.get(text.toLowerCase()) ?? -1
    return field.order === 'rising' ? (a, b) => rank(a) - rank(b) : (a, b) => rank(b) - rank(a)
  }

  /** Every name of every known value, in lower case, with the number of the value. */
  private ranksOf(field: QueryField): ReadonlyMap<string, number> {
    const known = this.ranks.get(field)
    if (known !== undefined) return known
    const values = field.known?.(this.making)
    const ranks = new Map(
      (Array.isArray(values) ? values : []).flatMap((value: Json, index) =>
        textsIn(value).map((text) => [text.toLowerCase(), index] as const),
      ),
    )
    this.ranks.set(field, ranks)
    return ranks
  }

  private sortKey(field: QueryField): SortKey {
    const compare = this.comparing(field)
    return { of: (row) => this.values(field, row)[0], compare }
  }

  private field(name: string): QueryField | null {
    const field = this.rule.fields.get(name.toLowerCase())
    if (field === undefined) this.faults.push({ fault: 'field', field: name })
    return field ?? null
  }

  private wording(fault: Fault): string {
    const { text, ...record } = fault
    const says = text ?? this.rule.says.get(fault.fault)
    const scope = { ...this.making.scope, record }
    return scalarText(says?.({ ...this.making, scope })) ?? OWN_WORDS[fault.fault](fault)
  }
}

function refused(messages: readonly string[]): VendorRefusal {
  const unique = [...new Set(messages)]
  return new VendorRefusal('invalid', unique.join(' '), {
    status: 400,
    messages: unique,
    isWorded: true,
  })
}

type Order = '>' | '>=' | '<' | '<='

const ORDER_TESTS: Readonly<Record<Order, (order: number) => boolean>> = {
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
}

function isOrder(operator: Operator): operator is Order {
  return Object.hasOwn(ORDER_TESTS, operator)
}

const OPPOSITES: Readonly<Record<Operator, Operator>> = {
  '=': '!=',
  '!=': '=',
  '~': '!~',
  '!~': '~',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '<': '>=',
  in: 'not in',
  'not in': 'in',
  empty: 'not empty',
  'not empty': 'empty',
}

const EMPTINESS: readonly Operator[] = ['empty', 'not empty']
const EQUALITY: readonly Operator[] = ['=', '!=', 'in', 'not in', ...EMPTINESS]
const COMPARING: readonly Operator[] = [...EQUALITY, '>', '>=', '<', '<=']

const OPERATORS_OF: Readonly<Record<QueryField['kind'], readonly Operator[]>> = {
  plain: COMPARING,
  words: ['~', '!~', ...EMPTINESS],
  time: COMPARING,
  known: COMPARING,
}

/** The scalars in a value, in lists and objects too, but no blank texts. */
function textsIn(value: Json | undefined): readonly string[] {
  const text = scalarText(value)
  if (text !== undefined) return text === '' ? [] : [text]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  const isMap = typeof value === 'object' && value !== null && !isExactNumber(value)
  return isMap ? Object.values(value).flatMap(textsIn) : []
}

/** Letters without case, and the digits among them as numbers: OPS-9 stands before OPS-10. */
const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'accent' })

function compareTexts(a: string, b: string): number {
  const isMeasured = (isNumber(a) && isNumber(b)) || (isTime(a) && isTime(b))
  return isMeasured ? compareValues(a, b) : COLLATOR.compare(a, b)
}

function isTime(text: string): boolean {
  return readMs(text) !== undefined
}

function isNumber(text: string): boolean {
  return /^-?\d/.test(text) && !Number.isNaN(Number(text))
}

/** `5` and `5.0`. */
function sameNumber(a: string, b: string): boolean {
  return isNumber(a) && isNumber(b) && Number(a) === Number(b)
}

interface SortKey {
  readonly of: (row: Shown) => string | undefined
  readonly compare: (a: string, b: string) => number
}

/** Sorts by several keys; rows without a value come last, or first where the order is turned. */
function sortBy<T extends Shown>(
  rows: readonly T[],
  orders: readonly { readonly key: SortKey; readonly direction: number }[],
): readonly T[] {
  if (orders.length === 0) return rows
  return rows
    .map((row) => ({ row, keys: orders.map(({ key }) => key.of(row)) }))
    .sort((a, b) => {
      for (const [index, { key, direction }] of orders.entries()) {
        const [left, right] = [a.keys[index], b.keys[index]]
        const order =
          left === undefined || right === undefined
            ? Number(left === undefined) - Number(right === undefined)
            : key.compare(left, right)
        if (order !== 0) return direction * order
      }
      return 0
    })
    .map(({ row }) => row)
}
