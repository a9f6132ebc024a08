// Queries written as text, applied to rows: which fields they know, and what these take, is declared by the demo data.
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { VendorRefusal } from '../wire/refusal.ts'
import { scalarText, textOf } from '../wire/same-scalar.ts'
import {
  type Call,
  type Comparison,
  type Condition,
  type Operator,
  parseQuery,
  type Query,
  QuerySyntaxError,
} from './conditions.ts'
import { readMs } from './demo-moments.ts'
import { compareTexts, sortBy, type SortKey } from './narrow.ts'
import type { QueryRule } from './demo-types.ts'
import type { QueryField } from './read-demo.ts'
import { queryMoment } from './query-moments.ts'
import { compileWordSearch, leadingWildcard } from './word-search.ts'
import type { MakeValue, Context, Row } from './world.ts'

/** What is wrong and where: what texts see as `record`. */
interface Fault {
  readonly fault: keyof QueryRule['says']
  readonly field?: string
  readonly value?: string
  readonly operator?: string
  readonly message?: string
  /** In place of the rule's text. */
  readonly text?: MakeValue | undefined
}

/** The sandbox's own words, with the members of a fault in braces. */
const OWN_WORDS: Readonly<Record<Fault['fault'], string>> = {
  syntax: 'Error in the query: {message}',
  field: 'There is no field "{field}"',
  value: 'There is no value "{value}" of the field "{field}"',
  operator: 'The field "{field}" does not take the operator {operator}',
  time: '"{value}" is no time for the field "{field}"',
  function: 'There is no function "{value}"',
  wildcard: 'Words searched in "{field}" cannot begin with a wildcard',
  blank: 'There is no word to search for in "{field}"',
  orders: 'The order has too many fields',
}

interface Shown {
  readonly row: Row
  readonly seen: JsonObject
}

/** The rows that the query finds, in its order. Throws a refusal for a query that cannot be understood. */
export function applyQuery<T extends Shown>(
  rows: readonly T[],
  rule: QueryRule | undefined,
  context: Context,
): readonly T[] {
  if (rule === undefined) return rows
  const applied = new QueryCompiler(rule, context).compile()
  return applied.sort(rows.filter((row) => applied.test(row)))
}

type Test = (shown: Shown) => boolean

const PASS: Test = () => true

class QueryCompiler {
  readonly #rule: QueryRule
  readonly #context: Context
  readonly #faults: Fault[] = []
  readonly #ranks = new Map<QueryField, ReadonlyMap<string, number>>()

  constructor(rule: QueryRule, context: Context) {
    this.#rule = rule
    this.#context = context
  }

  compile(): { readonly test: Test; sort<T extends Shown>(rows: readonly T[]): readonly T[] } {
    const { where, orderBy } = this.#read()
    if (where === null && this.#rule.unbounded !== undefined) {
      throw refused([textOf(this.#rule.unbounded(this.#context))])
    }
    const test = where === null ? PASS : this.#condition(where, false)
    if (orderBy.length > (this.#rule.most_orders ?? Infinity))
      this.#faults.push({ fault: 'orders' })
    const orders = orderBy.flatMap(({ field, descending }) => {
      const known = this.#field(field)
      return known === null ? [] : [this.#sortKey(known, descending)]
    })
    if (this.#faults.length > 0) throw refused(this.#faults.map((fault) => this.#wording(fault)))
    return { test, sort: (rows) => sortBy(rows, orders) }
  }

  #read(): Query {
    try {
      return parseQuery(textOf(this.#rule.text(this.#context)), this.#rule.reserved)
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error
      throw refused([this.#wording({ fault: 'syntax', message: error.message })])
    }
  }

  /** Conditions are negated where they stand: like a comparison, its opposite holds for no row without a value. */
  #condition(condition: Condition, negated: boolean): Test {
    switch (condition.kind) {
      case 'compare':
        return this.#comparison(condition, negated)
      case 'not':
        return this.#condition(condition.part, !negated)
      case 'and':
      case 'or': {
        const tests = condition.parts.map((part) => this.#condition(part, negated))
        return (condition.kind === 'and') !== negated
          ? (row) => tests.every((test) => test(row))
          : (row) => tests.some((test) => test(row))
      }
    }
  }

  #comparison({ field: name, operator, values: given }: Comparison, negated: boolean): Test {
    const field = this.#field(name)
    if (field === null) return PASS
    const { kind, isOpposite = false, passes, shown = operator } = OPERATORS[operator]
    const isNegated = isOpposite !== negated
    const takesIt =
      kind === 'order'
        ? field.kind !== 'words' && (field.kind !== 'known' || field.order !== undefined)
        : kind === 'emptiness' || (kind === 'words') === (field.kind === 'words')
    if (!takesIt) return this.#wrong({ fault: 'operator', field: name, operator: shown })
    if (kind === 'emptiness') return (row) => (this.#values(field, row).length === 0) !== isNegated
    const wanted = given.map((value) => this.#wanted(value, field, name))
    if (kind === 'words') return this.#words(wanted[0] ?? '', field, name, isNegated)
    if (passes !== undefined)
      return this.#ordered(wanted[0] ?? null, field, (order) => passes(order) !== isNegated)
    const there = wanted.filter((value) => value !== null)
    const isWanted = field.kind === 'time' ? oneOfTimes(there) : oneOfTexts(there)
    const takesNone = there.length < wanted.length && !isNegated
    return (row) => {
      const values = this.#values(field, row)
      return values.length === 0 ? takesNone : values.some(isWanted) !== isNegated
    }
  }

  #words(wanted: string, field: QueryField, name: string, isNegated: boolean): Test {
    const letter = leadingWildcard(wanted)
    const search = compileWordSearch(wanted)
    if (letter !== null)
      return this.#wrong({ fault: 'wildcard', field: name, value: wanted, message: letter })
    if (search === null) return this.#wrong({ fault: 'blank', field: name, value: wanted })
    return (row) => {
      const values = this.#values(field, row)
      return values.length > 0 && values.some((value) => search(value)) !== isNegated
    }
  }

  #ordered(wanted: string | null, field: QueryField, passes: (order: number) => boolean): Test {
    if (wanted === null) return () => false
    const compare = this.#comparing(field)
    // Of several members the first one is what is ordered: a name, not the id next to it.
    const ordering = { ...field, at: field.at.slice(0, 1) }
    return (row) => this.#values(ordering, row).some((value) => passes(compare(value, wanted)))
  }

  /** The values of a row, as text; those that are absent, null or blank are none. */
  #values(field: QueryField, { row, seen }: Shown): readonly string[] {
    if (field.value !== undefined) {
      const { world, scope } = this.#context
      const about = { ...this.#context, scope: world.scopeOf(row, scope, seen), row }
      return textsIn(field.value(about))
    }
    return field.at.flatMap((pick) => textsIn(pick(seen)))
  }

  /** A value of the query as it is compared; null: no value. Values that do not exist are faults. */
  #wanted(value: string | Call | null, field: QueryField, name: string): string | null {
    if (value === null) return null
    const shown = typeof value === 'string' ? value : `${value.call}(${value.args.join(', ')})`
    const special = this.#rule.values.get(shown.toLowerCase())
    if (special !== undefined) return scalarText(special(this.#context)) ?? null
    if (field.none.some((none) => none.toLowerCase() === shown.toLowerCase())) return null
    if (field.kind === 'time') {
      const ms = queryMoment(value, this.#context.world.now())
      if (ms !== null) return new Date(ms).toISOString()
      const fault = typeof value === 'string' ? 'time' : 'function'
      this.#faults.push({ fault, field: name, value: shown })
      return null
    }
    if (typeof value !== 'string') {
      this.#faults.push({ fault: 'function', field: name, value: shown })
      return null
    }
    if (field.kind === 'known' && !this.#ranksOf(field).has(value.toLowerCase())) {
      this.#faults.push({ fault: 'value', field: name, value, text: field.unknown })
    }
    return value
  }

  #comparing(field: QueryField): (a: string, b: string) => number {
    if (field.order === undefined || field.order === 'value') return compareTexts
    const ranks = this.#ranksOf(field)
    const rank = (text: string): number => ranks.get(text.toLowerCase()) ?? -1
    return field.order === 'rising' ? (a, b) => rank(a) - rank(b) : (a, b) => rank(b) - rank(a)
  }

  /** Every name of every known value, in lower case, with the number of the value. */
  #ranksOf(field: QueryField): ReadonlyMap<string, number> {
    const known = this.#ranks.get(field)
    if (known !== undefined) return known
    const values = field.known?.(this.#context)
    const ranks = new Map(
      (Array.isArray(values) ? values : []).flatMap((value: Json, index) =>
        textsIn(value).map((text) => [text.toLowerCase(), index] as const),
      ),
    )
    this.#ranks.set(field, ranks)
    return ranks
  }

  #sortKey(field: QueryField, descending: boolean): SortKey<Shown> {
    const compare = this.#comparing(field)
    return { of: (row) => this.#values(field, row)[0], compare, descending }
  }

  #field(name: string): QueryField | null {
    const field = this.#rule.fields.get(name.toLowerCase())
    if (field === undefined) this.#faults.push({ fault: 'field', field: name })
    return field ?? null
  }

  #wrong(fault: Fault): Test {
    this.#faults.push(fault)
    return PASS
  }

  #wording({ text, ...record }: Fault): string {
    const says = text ?? this.#rule.says[record.fault]
    const said = says?.({ ...this.#context, scope: { ...this.#context.scope, record } })
    const members: Readonly<Record<string, string>> = record
    const ownWords = OWN_WORDS[record.fault].replace(
      /\{(\w+)\}/g,
      (_, name: string) => members[name] ?? '',
    )
    return scalarText(said) ?? ownWords
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

interface OperatorRule {
  readonly kind: 'equality' | 'order' | 'words' | 'emptiness'
  /** No value may pass, where others need one. */
  readonly isOpposite?: true
  /** How a value stands to the wanted one: greater than 0, it is the larger one. */
  readonly passes?: (order: number) => boolean
  /** As it is written, where it has another name. */
  readonly shown?: string
}

const OPERATORS: Readonly<Record<Operator, OperatorRule>> = {
  '=': { kind: 'equality' },
  '!=': { kind: 'equality', isOpposite: true },
  in: { kind: 'equality' },
  'not in': { kind: 'equality', isOpposite: true },
  '~': { kind: 'words' },
  '!~': { kind: 'words', isOpposite: true },
  '>': { kind: 'order', passes: (order) => order > 0 },
  '<=': { kind: 'order', passes: (order) => order <= 0 },
  '<': { kind: 'order', passes: (order) => order < 0 },
  '>=': { kind: 'order', passes: (order) => order >= 0 },
  empty: { kind: 'emptiness', shown: 'is' },
  'not empty': { kind: 'emptiness', isOpposite: true, shown: 'is not' },
}

function oneOfTexts(given: readonly string[]): (value: string) => boolean {
  const texts = given.map((text) => text.toLowerCase())
  return (value) =>
    texts.includes(value.toLowerCase()) || given.some((text) => sameNumber(text, value))
}

function oneOfTimes(given: readonly string[]): (value: string) => boolean {
  const moments = new Set(given.map((text) => readMs(text)))
  return (value) => moments.has(readMs(value))
}

/** The scalars in a value, in lists and objects too, but no blank texts. */
function textsIn(value: Json | undefined): readonly string[] {
  const text = scalarText(value)
  if (text !== undefined) return text === '' ? [] : [text]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  const isMap = typeof value === 'object' && value !== null && !isExactNumber(value)
  return isMap ? Object.values(value).flatMap(textsIn) : []
}

/** `5` and `5.0`. */
function sameNumber(a: string, b: string): boolean {
  return isNumber(a) && isNumber(b) && Number(a) === Number(b)
}

function isNumber(text: string): boolean {
  return /^-?\d/.test(text) && !Number.isNaN(Number(text))
}
