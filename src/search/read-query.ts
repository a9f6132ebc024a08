// The parameters of a search: checked against the layout, all problems at once, and turned into a tree of conditions.
// Source of the request's shape: service specification, "Common search action". Meanings: docs/search.md.
import { hash } from 'node:crypto'

import { ConnectorError, type Problem } from '../errors.ts'
import { isExactNumber } from '../json/exact-number.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { isJsonObject } from '../json/members.ts'
import type { FieldType } from '../manifest/manifest.ts'
import { canonical } from './canonical.ts'
import {
  combine,
  type Condition,
  EVERYTHING,
  type Filter,
  type Operand,
  type SearchQuery,
  type SortKey,
} from './filter.ts'
import { isNumberText, numberKey, scalarKey, textKey } from './key.ts'
import { findPlace, isScalarType, liftAt, type Place, type SearchLayout } from './layout.ts'
import { countWildcards, readPattern } from './like.ts'
import { codePoints, editDistance, words } from './text.ts'

/** What bounds a query. `textLength` and `wordsLength` count code points. */
export const SEARCH_LIMITS = {
  depth: 10,
  conditions: 100,
  values: 1_000,
  textLength: 4_096,
  /** Of the operands of like, keyword and fuzzy. */
  wordsLength: 256,
  words: 16,
  wildcards: 8,
  fields: 200,
  /** Parts of a dotted path. */
  path: 32,
  sort: 4,
  page: 10_000,
  defaultPage: 1_000,
  /** Store time that a search may take in all, milliseconds. */
  storeMs: 2_000,
} as const

/** Problems beyond this many are not looked for. */
const MOST_PROBLEMS = 20

type Operator = 'eq' | 'neq' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'keyword' | 'fuzzy'
type Combinator = 'and' | 'or' | 'not'

/**
 * Reads the `params` of a search. Throws `params_invalid` with every problem: `operator_unknown`, `field_unknown`,
 * `operator_not_for_type`, `value_invalid`, `pattern_invalid`, `sort_invalid`, `limit_exceeded`, `required`, `unknown`.
 */
export function readSearch(layout: SearchLayout, params: Json): SearchQuery {
  const reader = new Reader(layout)
  const query = reader.read(params)
  if (reader.problems.length > 0) {
    const [first] = reader.problems
    throw new ConnectorError('params_invalid', `${first?.pointer}: ${first?.detail}`, {
      errors: reader.problems,
      details: { entity: layout.entity, action: 'search' },
    })
  }
  return query
}

/** Equal for searches whose cursors fit each other: over filter and sort as they were asked. */
export function hashQuery(params: Json): string {
  const query = isJsonObject(params) ? (params['query'] ?? {}) : {}
  return hash('sha256', canonical(query), 'base64url')
}

type Report = (pointer: string, code: string, detail: string, allowed?: readonly unknown[]) => void

/** State of one reading: the problems so far, and how many conditions were met. */
class Reader {
  readonly problems: Problem[] = []
  private readonly layout: SearchLayout
  private conditions = 0

  constructor(layout: SearchLayout) {
    this.layout = layout
  }

  private readonly report: Report = (pointer, code, detail, allowed) => {
    if (this.problems.length >= MOST_PROBLEMS) return
    this.problems.push({ pointer, code, detail, ...(allowed === undefined ? {} : { allowed }) })
  }

  read(params: Json): SearchQuery {
    const given = this.object('/params', params)
    this.known('/params', given, ['query', 'limit', 'cursor', 'fields'])
    const { query: asked } = given
    if (asked === undefined)
      this.report('/params/query', 'required', 'query is required; {} matches every record')
    const query = asked === undefined ? {} : this.object('/params/query', asked)
    this.known('/params/query', query, ['filter', 'sort'])
    const { filter = {}, sort = [] } = query
    return {
      filter: this.filter('/params/query/filter', filter, 1),
      sort: this.sort('/params/query/sort', sort),
      limit: this.limit(given['limit']),
      cursor: this.cursor(given['cursor']),
      fields: this.fields(given['fields']),
    }
  }

  private object(pointer: string, value: Json): JsonObject {
    if (isJsonObject(value)) return value
    this.report(pointer, 'value_invalid', `expected an object, not ${nameOf(value)}`)
    return {}
  }

  private known(pointer: string, object: JsonObject, names: readonly string[]): void {
    for (const name of Object.keys(object)) {
      if (names.includes(name)) continue
      this.report(
        child(pointer, name),
        'unknown',
        `unknown member "${shown(name)}"${hint(name, names)}`,
        names,
      )
    }
  }

  // --- filter

  private filter(pointer: string, value: Json, depth: number): Filter {
    if (depth > SEARCH_LIMITS.depth) {
      this.report(
        pointer,
        'limit_exceeded',
        `conditions are nested deeper than ${SEARCH_LIMITS.depth}`,
      )
      return EVERYTHING
    }
    const parts: Filter[] = []
    for (const [name, operand] of Object.entries(this.object(pointer, value))) {
      const at = child(pointer, name)
      if (isCombinator(name)) parts.push(this.combination(name, at, operand, depth))
      else if (isOperator(name)) parts.push(...this.comparisons(name, at, operand))
      else
        this.report(
          at,
          'operator_unknown',
          `unknown operator "${shown(name)}"${hint(name, OPERATOR_NAMES)}`,
          OPERATOR_NAMES,
        )
    }
    return combine('and', parts)
  }

  private combination(kind: Combinator, pointer: string, value: Json, depth: number): Filter {
    if (kind === 'not') return { kind, part: this.filter(pointer, value, depth + 1) }
    if (!isList(value)) {
      this.report(
        pointer,
        'value_invalid',
        `"${kind}" takes an array of conditions, not ${nameOf(value)}`,
      )
      return EVERYTHING
    }
    if (value.length > SEARCH_LIMITS.conditions) {
      this.report(
        pointer,
        'limit_exceeded',
        `"${kind}" takes at most ${SEARCH_LIMITS.conditions} conditions`,
      )
      return EVERYTHING
    }
    return combine(
      kind,
      value.map((part, index) => this.filter(`${pointer}/${index}`, part, depth + 1)),
    )
  }

  private comparisons(operator: Operator, pointer: string, value: Json): readonly Filter[] {
    const found: Filter[] = []
    for (const [name, operand] of Object.entries(this.object(pointer, value))) {
      const at = child(pointer, name)
      if (++this.conditions > SEARCH_LIMITS.conditions) {
        this.report(
          at,
          'limit_exceeded',
          `a query has at most ${SEARCH_LIMITS.conditions} conditions`,
        )
        return found
      }
      const filter = this.comparison(operator, at, name, operand)
      if (filter !== null) found.push(filter)
    }
    return found
  }

  private comparison(
    operator: Operator,
    pointer: string,
    name: string,
    operand: Json,
  ): Filter | null {
    const place = this.place(pointer, name)
    if (place === null) return null
    const type = this.typeOf(place)
    const { takes, read } = OPERATORS[operator]
    if (!takes.includes(type)) {
      const usable = OPERATOR_NAMES.filter(
        (other) => isOperator(other) && OPERATORS[other].takes.includes(type),
      )
      const text = `"${operator}" does not compare ${TYPE_NAMES[type]} ("${shown(name)}")`
      this.report(pointer, 'operator_not_for_type', text, usable)
      return null
    }
    return read({ pointer, place, type, operand, report: this.report })
  }

  private typeOf({ field, path }: Place): PlaceType {
    return path.length > 0 ? 'path' : (this.layout.fields[field]?.type ?? 'string')
  }

  /** The place of a name; null after reporting that there is none. */
  private place(pointer: string, name: string): Place | null {
    const { fields } = this.layout
    const place = findPlace(fields, name)
    if (place !== null && place.path.length <= SEARCH_LIMITS.path) return place
    if (place !== null) {
      this.report(pointer, 'limit_exceeded', `a path has at most ${SEARCH_LIMITS.path} parts`)
      return null
    }
    const names = fields.map((field) => field.name)
    const paths = this.layout.lifts.map((lift) => lift.name)
    const head = fields.find(
      (field) => name.startsWith(`${field.name}.`) && isScalarType(field.type),
    )
    const detail =
      head === undefined
        ? `"${shown(name)}" is not a searchable field${hint(name, names, paths)}`
        : `"${head.name}" is ${TYPE_NAMES[head.type]} and has nothing below it`
    this.report(pointer, 'field_unknown', detail, names)
    return null
  }

  // --- order, page, projection

  private sort(pointer: string, value: Json): readonly SortKey[] {
    if (!isList(value)) {
      this.report(pointer, 'value_invalid', `sort is an array, not ${nameOf(value)}`)
      return []
    }
    if (value.length > SEARCH_LIMITS.sort) {
      this.report(pointer, 'limit_exceeded', `at most ${SEARCH_LIMITS.sort} sort conditions`)
      return []
    }
    const keys: SortKey[] = []
    for (const [index, item] of value.entries()) {
      const at = `${pointer}/${index}`
      const asked = readSortItem(item)
      if (asked === null) {
        this.report(
          at,
          'sort_invalid',
          'a sort condition is {"<field>": "asc" | "desc"}, one field each',
        )
        continue
      }
      const lift = this.sortLift(at, asked.name)
      if (lift === null) continue
      if (keys.some((key) => key.lift === lift))
        this.report(at, 'sort_invalid', `"${shown(asked.name)}" is named twice`)
      keys.push({ lift, descending: asked.descending })
    }
    return keys
  }

  private sortLift(pointer: string, name: string): number | null {
    const { lifts, fields } = this.layout
    const paths = lifts.map((each) => each.name)
    const sortable = lifts.filter((each) => each.sortable).map((each) => each.name)
    const place = findPlace(fields, name)
    const lift = place === null ? undefined : liftAt(this.layout, place)
    if (lift?.sortable === true) return lifts.indexOf(lift)
    const isKnown = place !== null || pathsOf(name, paths).length > 0
    const detail = isKnown
      ? `hits cannot be sorted by "${shown(name)}"${hint(name, sortable, sortable)}`
      : `"${shown(name)}" is not a searchable field${hint(name, sortable)}`
    this.report(pointer, 'sort_invalid', detail, sortable)
    return null
  }

  private limit(value: Json | undefined): number {
    if (value === undefined) return SEARCH_LIMITS.defaultPage
    if (
      typeof value === 'number' &&
      Number.isInteger(value) &&
      value >= 1 &&
      value <= SEARCH_LIMITS.page
    )
      return value
    const number = typeof value === 'number' || isExactNumber(value)
    this.report(
      '/params/limit',
      number ? 'limit_exceeded' : 'value_invalid',
      `limit is a whole number from 1 to ${SEARCH_LIMITS.page}`,
    )
    return 1
  }

  private cursor(value: Json | undefined): string | null {
    if (value === undefined || typeof value === 'string') return value ?? null
    this.report('/params/cursor', 'value_invalid', `cursor is text, not ${nameOf(value)}`)
    return null
  }

  private fields(value: Json | undefined): readonly Place[] | null {
    const pointer = '/params/fields'
    if (value === undefined) return null
    if (!isList(value)) {
      this.report(pointer, 'value_invalid', `fields is an array of paths, not ${nameOf(value)}`)
      return null
    }
    if (value.length > SEARCH_LIMITS.fields) {
      this.report(pointer, 'limit_exceeded', `at most ${SEARCH_LIMITS.fields} fields`)
      return null
    }
    const places: Place[] = []
    for (const [index, name] of value.entries()) {
      const at = `${pointer}/${index}`
      if (typeof name === 'string') {
        const place = this.place(at, name)
        if (place !== null) places.push(place)
      } else this.report(at, 'value_invalid', `a field is text, not ${nameOf(name)}`)
    }
    return value.length === 0 ? null : places
  }
}

/** `{"a": "desc"}`, `"a"`, `"-a"`, or `{"field": "a", "order": "desc"}`; null for anything else. */
function readSortItem(item: Json): { readonly name: string; readonly descending: boolean } | null {
  if (typeof item === 'string') {
    const descending = item.startsWith('-')
    return { name: descending ? item.slice(1) : item, descending }
  }
  if (!isJsonObject(item)) return null
  const entries = Object.entries(item)
  const { field, order } = item
  if (entries.length === 2 && typeof field === 'string' && isDirection(order))
    return { name: field, descending: order === 'desc' }
  const [only] = entries
  if (entries.length !== 1 || only === undefined || !isDirection(only[1])) return null
  return { name: only[0], descending: only[1] === 'desc' }
}

function isDirection(value: Json | undefined): value is 'asc' | 'desc' {
  return value === 'asc' || value === 'desc'
}

// --- operators

type PlaceType = FieldType | 'path'

/** One comparison at hand. */
interface Comparison {
  readonly pointer: string
  readonly place: Place
  readonly type: PlaceType
  readonly operand: Json
  readonly report: Report
}

interface OperatorRule {
  readonly takes: readonly PlaceType[]
  /** The condition, or null after reporting what is wrong with the operand. */
  readonly read: (comparison: Comparison) => Filter | null
}

const ALL: readonly PlaceType[] = [
  'string',
  'integer',
  'number',
  'boolean',
  'object',
  'array',
  'path',
]
const ORDERED: readonly PlaceType[] = ['string', 'integer', 'number', 'array', 'path']
const TEXTS: readonly PlaceType[] = ['string', 'array', 'path']
const WORDED: readonly PlaceType[] = ['string', 'object', 'array', 'path']

const OPERATORS: Readonly<Record<Operator, OperatorRule>> = {
  eq: { takes: ALL, read: (at) => readEqual(at, [at.operand]) },
  neq: {
    takes: ALL,
    read: (at) => {
      const part = readEqual(at, [at.operand])
      return part === null ? null : { kind: 'not', part }
    },
  },
  in: {
    takes: ALL,
    read: (at) => {
      const { pointer, operand, report } = at
      if (isList(operand) && operand.length <= SEARCH_LIMITS.values)
        return readEqual(at, operand, true)
      if (isList(operand))
        report(pointer, 'limit_exceeded', `"in" takes at most ${SEARCH_LIMITS.values} values`)
      else report(pointer, 'value_invalid', `"in" takes an array of values, not ${nameOf(operand)}`)
      return null
    },
  },
  gt: { takes: ORDERED, read: (at) => readRange(at, 'gt') },
  gte: { takes: ORDERED, read: (at) => readRange(at, 'gte') },
  lt: { takes: ORDERED, read: (at) => readRange(at, 'lt') },
  lte: { takes: ORDERED, read: (at) => readRange(at, 'lte') },
  like: { takes: TEXTS, read: readLike },
  keyword: { takes: WORDED, read: (at) => readWords(at, 'keyword') },
  fuzzy: { takes: WORDED, read: (at) => readWords(at, 'fuzzy') },
}

const OPERATOR_NAMES: readonly string[] = [...Object.keys(OPERATORS), 'not', 'and', 'or']

function isOperator(name: string): name is Operator {
  return Object.hasOwn(OPERATORS, name)
}

function isCombinator(name: string): name is Combinator {
  return name === 'and' || name === 'or' || name === 'not'
}

function readEqual(at: Comparison, operands: readonly Json[], listed = false): Condition | null {
  const values: Operand[] = []
  for (const [index, operand] of operands.entries()) {
    const value = readOperand(at.type, operand)
    if (typeof value === 'string') {
      at.report(listed ? `${at.pointer}/${index}` : at.pointer, ...wrongOperand(value))
      return null
    }
    values.push(value)
  }
  return { kind: 'equal', place: at.place, values }
}

/** The operand of an equality, or what is wrong with it: too long, or which type was expected. */
function readOperand(type: PlaceType, operand: Json): Operand | string {
  if (operand === null) return { kind: 'null' }
  if (typeof operand === 'string' && tooLong(operand, SEARCH_LIMITS.textLength)) return TOO_LONG
  const isObject = isJsonObject(operand)
  const whole = isObject || isList(operand)
  if (whole && canonicalFits(operand) === null) return TOO_LONG
  switch (type) {
    case 'string':
      return typeof operand === 'string' ? { kind: 'text', key: textKey(operand) } : 'text or null'
    case 'integer':
    case 'number':
      return readNumber(operand) ?? 'a number, its digits as text, or null'
    case 'boolean':
      return typeof operand === 'boolean'
        ? { kind: 'boolean', key: operand ? '1' : '0' }
        : 'true, false or null'
    case 'object':
      return isObject ? { kind: 'whole', canonical: canonical(operand) } : 'an object or null'
    case 'array':
      if (isObject) return 'a text, a number, true, false, an array or null'
      break
    case 'path':
  }
  if (whole) return { kind: 'whole', canonical: canonical(operand) }
  return scalarKey(operand) ?? 'a number whose exponent lies within ±49,999'
}

const TOO_LONG = 'too long'

function wrongOperand(expected: string): [code: string, detail: string] {
  return expected === TOO_LONG
    ? ['limit_exceeded', `a value has at most ${SEARCH_LIMITS.textLength} characters`]
    : ['value_invalid', `expected ${expected}`]
}

function canonicalFits(operand: Json): string | null {
  const text = canonical(operand)
  return tooLong(text, SEARCH_LIMITS.textLength) ? null : text
}

function readNumber(operand: Json): { readonly kind: 'number'; readonly key: string } | null {
  const source =
    typeof operand === 'number'
      ? String(operand)
      : isExactNumber(operand)
        ? operand.rawJSON
        : typeof operand === 'string' && isNumberText(operand)
          ? operand
          : null
  const key = source === null ? null : numberKey(source)
  return key === null ? null : { kind: 'number', key }
}

function readRange(at: Comparison, relation: 'gt' | 'gte' | 'lt' | 'lte'): Condition | null {
  const { operand, type, place } = at
  if (typeof operand === 'string' && tooLong(operand, SEARCH_LIMITS.textLength)) {
    at.report(at.pointer, ...wrongOperand(TOO_LONG))
    return null
  }
  const bound = readBound(type, operand)
  if (bound !== null) return { kind: 'range', place, relation, bound }
  const expected =
    type === 'string'
      ? 'text'
      : type === 'integer' || type === 'number'
        ? 'a number, or its digits as text'
        : 'text or a number'
  at.report(at.pointer, 'value_invalid', `expected ${expected}`)
  return null
}

function readBound(
  type: PlaceType,
  operand: Json,
): { readonly kind: 'text' | 'number'; readonly key: string } | null {
  const text = typeof operand === 'string' ? { kind: 'text' as const, key: textKey(operand) } : null
  if (type === 'string') return text
  if (type === 'integer' || type === 'number') return readNumber(operand)
  return text ?? readNumber(operand)
}

function readLike({ pointer, place, operand, report }: Comparison): Condition | null {
  if (!readableText(pointer, operand, report)) return null
  if (countWildcards(operand) > SEARCH_LIMITS.wildcards) {
    report(pointer, 'limit_exceeded', `a pattern has at most ${SEARCH_LIMITS.wildcards} wildcards`)
    return null
  }
  const pattern = readPattern(operand)
  if (pattern !== null) return { kind: 'like', place, pattern }
  report(pointer, 'pattern_invalid', 'a backslash stands only before %, _ and \\')
  return null
}

function readWords(
  { pointer, place, operand, report }: Comparison,
  kind: 'keyword' | 'fuzzy',
): Condition | null {
  if (!readableText(pointer, operand, report)) return null
  const asked = words(operand)
  if (asked.length > SEARCH_LIMITS.words) {
    report(pointer, 'limit_exceeded', `"${kind}" takes at most ${SEARCH_LIMITS.words} words`)
    return null
  }
  return { kind, place, words: kind === 'keyword' ? [...new Set(asked)] : asked }
}

function readableText(pointer: string, operand: Json, report: Report): operand is string {
  if (typeof operand !== 'string') {
    report(pointer, 'value_invalid', `expected text, not ${nameOf(operand)}`)
    return false
  }
  if (!tooLong(operand, SEARCH_LIMITS.wordsLength)) return true
  report(pointer, 'limit_exceeded', `the text has at most ${SEARCH_LIMITS.wordsLength} characters`)
  return false
}

// --- words for people

const TYPE_NAMES: Readonly<Record<PlaceType, string>> = {
  string: 'text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  path: 'a path',
}

function nameOf(value: Json): string {
  if (value === null) return 'null'
  if (isList(value)) return 'an array'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'number' || isExactNumber(value) ? 'a number' : 'an object'
}

/** Array.isArray does not narrow readonly arrays out of a union. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function tooLong(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || codePoints(text).length > limit)
}

/**
 * What was meant by a name: one of `names` that is equal but for case, else the `paths` that have it among their parts,
 * else one of `names` at most two mistakes away, else the one that it ends with (`fields.updated`: `updated`).
 */
function hint(name: string, names: readonly string[], paths: readonly string[] = []): string {
  const near = nearest(name, names)
  const below = near?.distance === 0 ? [] : pathsOf(name, paths)
  const above = names.filter((each) => name.toLowerCase().endsWith(`.${each.toLowerCase()}`))
  const meant = below.length > 0 ? below : near === null ? above.slice(0, 1) : [near.name]
  return meant.length === 0
    ? ''
    : `; did you mean ${meant.map((each) => `"${each}"`).join(' or ')}?`
}

/** At most this many paths are named in one hint. */
const MOST_MEANT = 3

/** The dotted paths that end with a name (`summary`: `fields.summary`), else those that go through it. */
function pathsOf(name: string, paths: readonly string[]): readonly string[] {
  const asked = `.${name.slice(0, 100).toLowerCase()}`
  const dotted = paths.filter((path) => path.includes('.'))
  const ending = dotted.filter((path) => path.toLowerCase().endsWith(asked))
  const through = dotted.filter((path) => `.${path.toLowerCase()}`.includes(`${asked}.`))
  return (ending.length > 0 ? ending : through).slice(0, MOST_MEANT)
}

/** The name that is at most two mistakes away, and how many; null when there is none. */
function nearest(
  name: string,
  names: readonly string[],
): { readonly name: string; readonly distance: number } | null {
  const asked = name.slice(0, 100).toLowerCase()
  let best: { readonly name: string; readonly distance: number } | null = null
  const most = Math.min(2, name.length - 1)
  for (const candidate of names) {
    const distance = editDistance(asked, candidate.toLowerCase(), 2)
    if (distance <= most && (best === null || distance < best.distance))
      best = { name: candidate, distance }
  }
  return best
}

function shown(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 60)}…`
}

function child(pointer: string, name: string): string {
  return `${pointer}/${shown(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
