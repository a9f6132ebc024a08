// The parameters of a search: checked against the layout, all problems at once, and turned into a tree of conditions.
// Source of the request's shape: service specification, "Common search action". Meanings: docs/search.md.
import { hash } from 'node:crypto'

import { ConnectorError, type Problem } from '../../errors.ts'
import { nearest } from '../../language/expression/nearest.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, isList } from '../../language/json/members.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import { canonical } from './key.ts'
import {
  combine,
  EVERYTHING,
  type Filter,
  type Place,
  SEARCH_LIMITS,
  type SearchQuery,
  type SortKey,
} from './filter.ts'
import { findPlace, isScalarType, liftAt, type SearchLayout } from './layout.ts'
import {
  ALL_OPERATORS,
  type Combinator,
  isCombinator,
  isOperator,
  type Operator,
  OPERATOR_NAMES,
  OPERATORS,
  type PlaceType,
  SHAPES,
} from './operators.ts'
import { nameOf, readComparison } from './read-operand.ts'
import { snakeCase } from './snake-case.ts'

const MAX_PROBLEMS = 20

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

class Reader {
  readonly problems: Problem[] = []
  readonly #layout: SearchLayout
  #conditions = 0

  constructor(layout: SearchLayout) {
    this.#layout = layout
  }

  readonly #report: Report = (pointer, code, detail, allowed) => {
    if (this.problems.length >= MAX_PROBLEMS) return
    this.problems.push({ pointer, code, detail, ...(allowed === undefined ? {} : { allowed }) })
  }

  #exceeded(pointer: string, detail: string): void {
    this.#report(pointer, 'limit_exceeded', detail)
  }

  read(params: Json): SearchQuery {
    const given = this.#object('/params', params)
    this.#known('/params', given, ['query', 'limit', 'cursor', 'fields', 'explain', 'facets'])
    const { query: asked } = given
    if (asked === undefined)
      this.#report('/params/query', 'required', 'query is required; {} matches every record')
    const query = asked === undefined ? {} : this.#object('/params/query', asked)
    this.#known('/params/query', query, ['filter', 'sort'])
    const { filter = {}, sort = [] } = query
    return {
      filter: this.#filter('/params/query/filter', filter, 1),
      sort: this.#sort('/params/query/sort', sort),
      limit: this.#limit(given['limit']),
      cursor: this.#cursor(given['cursor']),
      fields: this.#fields(given['fields']),
      ...(this.#isAskedFor('/params/explain', given['explain']) ? { explain: true } : {}),
      ...this.#facets(given['facets']),
    }
  }

  #isAskedFor(pointer: string, value: Json | undefined): boolean {
    if (value === undefined || typeof value === 'boolean') return value ?? false
    this.#report(pointer, 'value_invalid', `expected true or false, not ${nameOf(value)}`)
    return false
  }

  #object(pointer: string, value: Json): JsonObject {
    if (isJsonObject(value)) return value
    this.#report(pointer, 'value_invalid', `expected an object, not ${nameOf(value)}`)
    return {}
  }

  /** Null after reporting that it is no array, or too long a one. */
  #list(
    pointer: string,
    value: Json,
    expected: string,
    { max, problem }: { readonly max: number; readonly problem: string },
  ): readonly Json[] | null {
    if (!isList(value)) this.#report(pointer, 'value_invalid', `${expected}, not ${nameOf(value)}`)
    else if (value.length > max) this.#exceeded(pointer, problem)
    else return value
    return null
  }

  #known(pointer: string, object: JsonObject, names: readonly string[]): void {
    for (const name of Object.keys(object)) {
      if (names.includes(name)) continue
      const text = `unknown member "${shown(name)}"${hint(name, names)}`
      this.#report(child(pointer, name), 'unknown', text, names)
    }
  }

  #filter(pointer: string, value: Json, depth: number): Filter {
    if (depth > SEARCH_LIMITS.depth) {
      this.#exceeded(pointer, `conditions are nested deeper than ${SEARCH_LIMITS.depth}`)
      return EVERYTHING
    }
    const parts: Filter[] = []
    for (const [name, operand] of Object.entries(this.#object(pointer, value))) {
      const at = child(pointer, name)
      if (isCombinator(name)) parts.push(this.#combination(name, at, operand, depth))
      else if (isOperator(name)) parts.push(...this.#comparisons(name, at, operand))
      else {
        const text = `unknown operator "${shown(name)}"${hint(name, ALL_OPERATORS)}`
        this.#report(at, 'operator_unknown', text, ALL_OPERATORS)
      }
    }
    return combine('and', parts)
  }

  #combination(kind: Combinator, pointer: string, value: Json, depth: number): Filter {
    if (kind === 'not') return { kind, part: this.#filter(pointer, value, depth + 1) }
    const { conditions: max } = SEARCH_LIMITS
    const parts = this.#list(pointer, value, `"${kind}" takes an array of conditions`, {
      max,
      problem: `"${kind}" takes at most ${max} conditions`,
    })
    if (parts === null) return EVERYTHING
    const filters = parts.map((part, at) => this.#filter(`${pointer}/${at}`, part, depth + 1))
    return combine(kind, filters)
  }

  #comparisons(operator: Operator, pointer: string, value: Json): readonly Filter[] {
    const found: Filter[] = []
    for (const [name, operand] of Object.entries(this.#object(pointer, value))) {
      const at = child(pointer, name)
      if (++this.#conditions > SEARCH_LIMITS.conditions) {
        this.#exceeded(at, `a query has at most ${SEARCH_LIMITS.conditions} conditions`)
        return found
      }
      const filter = this.#comparison(operator, at, name, operand)
      if (filter !== null) found.push(filter)
    }
    return found
  }

  #comparison(operator: Operator, pointer: string, name: string, operand: Json): Filter | null {
    const place = this.#place(pointer, name)
    if (place === null) return null
    const type = this.#typeOf(place)
    const usable = OPERATOR_NAMES.filter((name) =>
      SHAPES[OPERATORS[name].operand].takes.includes(type),
    )
    if (!usable.includes(operator)) {
      const text = `"${operator}" does not compare ${TYPE_NAMES[type]} ("${shown(name)}")`
      this.#report(pointer, 'operator_not_for_type', text, usable)
      return null
    }
    return readComparison(operator, {
      place,
      type,
      operand,
      refuse: (code, detail, below = '') => this.#report(pointer + below, code, detail),
    })
  }

  #typeOf({ field, path }: Place): PlaceType {
    return path.length > 0 ? 'path' : (this.#layout.fields[field]?.type ?? 'string')
  }

  /** The place of a name; null after reporting that there is none. */
  #place(pointer: string, name: string): Place | null {
    const { fields } = this.#layout
    const place = placeOf(fields, name)
    if (place !== null && place.path.length <= SEARCH_LIMITS.path) return place
    if (place !== null) {
      this.#exceeded(pointer, `a path has at most ${SEARCH_LIMITS.path} parts`)
      return null
    }
    const names = fields.map((field) => field.name)
    const paths = this.#layout.lifts.map((lift) => lift.name)
    const head = fields.find(
      (field) => name.startsWith(`${field.name}.`) && isScalarType(field.type),
    )
    const detail =
      head === undefined
        ? `"${shown(name)}" is not a searchable field${hint(name, names, paths)}`
        : `"${head.name}" is ${TYPE_NAMES[head.type]} and has nothing below it`
    this.#report(pointer, 'field_unknown', detail, names)
    return null
  }

  #sort(pointer: string, value: Json): readonly SortKey[] {
    const { sort: max } = SEARCH_LIMITS
    const limit = { max, problem: `at most ${max} sort conditions` }
    const items = this.#list(pointer, value, 'sort is an array', limit) ?? []
    const keys: SortKey[] = []
    for (const [index, item] of items.entries()) {
      const at = `${pointer}/${index}`
      const asked = readSortItem(item)
      if (asked === null) {
        const text = 'a sort condition is {"<field>": "asc" | "desc"}, one field each'
        this.#report(at, 'sort_invalid', text)
        continue
      }
      const lift = this.#sortLift(at, asked.name)
      if (lift === null) continue
      if (keys.some((key) => key.lift === lift))
        this.#report(at, 'sort_invalid', `"${shown(asked.name)}" is named twice`)
      keys.push({ lift, descending: asked.descending })
    }
    return keys
  }

  #sortLift(pointer: string, name: string): number | null {
    const { lifts, fields } = this.#layout
    const paths = lifts.map((each) => each.name)
    const sortable = lifts.filter((each) => each.sortable).map((each) => each.name)
    const place = placeOf(fields, name)
    const lift = place === null ? undefined : liftAt(this.#layout, place)
    if (lift?.sortable === true) return lifts.indexOf(lift)
    const isKnown = place !== null || pathsOf(name, paths).length > 0
    const detail = isKnown
      ? `hits cannot be sorted by "${shown(name)}"${hint(name, sortable, sortable)}`
      : `"${shown(name)}" is not a searchable field${hint(name, sortable)}`
    this.#report(pointer, 'sort_invalid', detail, sortable)
    return null
  }

  #limit(value: Json | undefined): number {
    if (value === undefined) return SEARCH_LIMITS.defaultPage
    const { page: max } = SEARCH_LIMITS
    const number = typeof value === 'number' ? value : NaN
    if (Number.isInteger(number) && number >= 1 && number <= max) return number
    const isNumber = typeof value === 'number' || isExactNumber(value)
    const code = isNumber ? 'limit_exceeded' : 'value_invalid'
    this.#report('/params/limit', code, `limit is a whole number from 1 to ${max}`)
    return 1
  }

  #cursor(value: Json | undefined): string | null {
    if (value === undefined || typeof value === 'string') return value ?? null
    this.#report('/params/cursor', 'value_invalid', `cursor is text, not ${nameOf(value)}`)
    return null
  }

  #fields(value: Json | undefined): readonly Place[] | null {
    const places = this.#places('/params/fields', value, SEARCH_LIMITS.fields)
    return places?.length === 0 ? null : places
  }

  #facets(value: Json | undefined): Pick<SearchQuery, 'facets'> {
    const facets = this.#places('/params/facets', value, SEARCH_LIMITS.facets)
    return facets === null ? {} : { facets }
  }

  /** Null: none were given, or no list. */
  #places(pointer: string, value: Json | undefined, max: number): readonly Place[] | null {
    if (value === undefined) return null
    const name = pointer.slice(pointer.lastIndexOf('/') + 1)
    const limit = { max, problem: `at most ${max} ${name}` }
    const names = this.#list(pointer, value, `${name} is an array of paths`, limit)
    if (names === null) return null
    const places: Place[] = []
    for (const [index, asked] of names.entries()) {
      const at = `${pointer}/${index}`
      // A path may come as the list of its parts.
      const isParts = isList(asked) && asked.every((part) => typeof part === 'string')
      const name = isParts ? asked.join('.') : asked
      if (typeof name === 'string') {
        const place = this.#place(at, name)
        if (place !== null) places.push(place)
      } else this.#report(at, 'value_invalid', `a field is text, not ${nameOf(name)}`)
    }
    return places
  }
}

/** The place of a name, of whose field the name may be in snake_case: clients in Python write it so. */
function placeOf(fields: SearchLayout['fields'], name: string): Place | null {
  const exact = findPlace(fields, name)
  if (exact !== null) return exact
  const [head = '', ...path] = name.split('.')
  // Python writes names that it has reserved with an underscore behind them.
  const meant = head.replace(/_$/, '')
  const field = fields.find((each) => snakeCase(each.name) === meant)
  return field === undefined ? null : findPlace(fields, [field.name, ...path].join('.'))
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

const TYPE_NAMES: Readonly<Record<PlaceType, string>> = {
  string: 'text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  path: 'a path',
}

/**
 * What was meant by a name: one of `names` that is equal but for case, else the `paths` that have it among their parts,
 * else one of `names` at most two mistakes away, else the one that it ends with (`fields.updated`: `updated`).
 */
function hint(name: string, names: readonly string[], paths: readonly string[] = []): string {
  const near = nearest(name, names)
  const below = near?.toLowerCase() === name.toLowerCase() ? [] : pathsOf(name, paths)
  const above = names.filter((each) => name.toLowerCase().endsWith(`.${each.toLowerCase()}`))
  const meant = below.length > 0 ? below : near === null ? above.slice(0, 1) : [near]
  return meant.length === 0
    ? ''
    : `; did you mean ${meant.map((each) => `"${each}"`).join(' or ')}?`
}

/** At most this many paths are named in one hint. */
const MAX_MEANT = 3

/** The dotted paths that end with a name (`summary`: `fields.summary`), else those that go through it. */
function pathsOf(name: string, paths: readonly string[]): readonly string[] {
  const asked = `.${name.slice(0, 100).toLowerCase()}`
  const dotted = paths.filter((path) => path.includes('.'))
  const ending = dotted.filter((path) => path.toLowerCase().endsWith(asked))
  const through = dotted.filter((path) => `.${path.toLowerCase()}`.includes(`${asked}.`))
  return (ending.length > 0 ? ending : through).slice(0, MAX_MEANT)
}

function shown(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 60)}…`
}

function child(pointer: string, name: string): string {
  return pointerTo(pointer, [shown(name)])
}
