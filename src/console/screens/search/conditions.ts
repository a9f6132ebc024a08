// A filter as a person puts it together, and the query that it means.
import type { EntityDescription } from '../../api/answers.ts'
import { isObject, type Json, type JsonObject } from '../../api/json-text.ts'
import { numberIn } from '../../form/field-text.ts'
import { propertiesOf, resolve } from '../../form/schema-node.ts'

export type Operator =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'in'
  | 'like'
  | 'fuzzy'
  | 'keyword'
  | 'absent'
  | 'present'

export interface Condition {
  readonly id: number
  /** A searchable field, or a dotted path below one. */
  readonly field: string
  readonly operator: Operator
  readonly value: string
}

export interface SearchWish {
  readonly conditions: readonly Condition[]
  readonly match: 'all' | 'any'
  /** Empty: by score. */
  readonly sortField: string
  readonly sortOrder: 'asc' | 'desc'
  /** Empty: all. */
  readonly fields: readonly string[]
  readonly limit: number
}

export const OPERATORS: Readonly<
  Record<Operator, { readonly title: string; readonly takes: 'value' | 'list' | 'nothing' }>
> = {
  eq: { title: 'equals', takes: 'value' },
  neq: { title: 'does not equal', takes: 'value' },
  gt: { title: 'greater than', takes: 'value' },
  gte: { title: 'at least', takes: 'value' },
  lt: { title: 'less than', takes: 'value' },
  lte: { title: 'at most', takes: 'value' },
  in: { title: 'is one of', takes: 'list' },
  like: { title: 'matches (% and _)', takes: 'value' },
  keyword: { title: 'has some word', takes: 'value' },
  fuzzy: { title: 'has all words, nearly', takes: 'value' },
  absent: { title: 'has no value', takes: 'nothing' },
  present: { title: 'has a value', takes: 'nothing' },
}

const ORDER: readonly Operator[] = ['gt', 'gte', 'lt', 'lte']
const WORDS: readonly Operator[] = ['keyword', 'fuzzy']
const EQUAL: readonly Operator[] = ['eq', 'neq', 'in', 'absent', 'present']
const ALL = Object.keys(OPERATORS) as readonly Operator[]

const BY_TYPE: Readonly<Record<string, readonly Operator[]>> = {
  string: ALL,
  integer: [...EQUAL, ...ORDER],
  number: [...EQUAL, ...ORDER],
  boolean: EQUAL,
  object: [...WORDS, 'absent', 'present'],
  array: ALL,
}

/** What can be asked of a field, by its declared type; undefined stands for a dotted path. */
export function operatorsOf(type: string | undefined): readonly Operator[] {
  return (type === undefined ? undefined : BY_TYPE[type]) ?? ALL
}

/** Whether a text that begins with a letter is asked to come before or after: of dates, no record would match. */
export function isWordInOrder(
  { operator, value }: Pick<Condition, 'operator' | 'value'>,
  type: string | undefined,
): boolean {
  return (
    ORDER.includes(operator) && type !== 'integer' && type !== 'number' && /^\s*\p{L}/u.test(value)
  )
}

/**
 * Dotted paths below searchable fields: those that the connector names, and at most two members deep those of the
 * record's schema and of records that were seen; in the order of the alphabet.
 */
export function pathsBelow(
  types: Readonly<Record<string, string>>,
  { record, search_paths }: Pick<EntityDescription, 'record' | 'search_paths'>,
  seen: readonly JsonObject[],
): readonly string[] {
  const found = new Set<string>(search_paths)
  const schema = record === null ? [] : propertiesOf(record)
  for (const [name, given] of schema) {
    const member = resolve(given, record ?? {})
    const items = isObject(member['items']) ? resolve(member['items'], record ?? {}) : member
    for (const [below] of propertiesOf(items)) found.add(`${name}.${below}`)
  }
  for (const each of seen) {
    for (const [name, value] of Object.entries(each)) {
      for (const part of Array.isArray(value) ? value.slice(0, 1) : [value])
        if (isObject(part)) for (const below of Object.keys(part)) found.add(`${name}.${below}`)
    }
  }
  return [...found].filter((path) => Object.hasOwn(types, path.split('.')[0] ?? '')).toSorted()
}

/** The params of a search. Conditions without a field are left out. */
export function searchParams(
  wish: SearchWish,
  types: Readonly<Record<string, string>>,
): JsonObject {
  const filters = wish.conditions
    .filter(({ field }) => field.trim() !== '')
    .map((condition) => filterOf(condition, types))
  const [only] = filters
  const filter =
    filters.length > 1 ? { [wish.match === 'all' ? 'and' : 'or']: filters } : (only ?? null)
  return {
    query: {
      ...(filter === null ? {} : { filter }),
      ...(wish.sortField === '' ? {} : { sort: [{ [wish.sortField]: wish.sortOrder }] }),
    },
    ...(wish.fields.length === 0 ? {} : { fields: wish.fields }),
    limit: wish.limit,
  }
}

function filterOf(
  { field, operator, value }: Condition,
  types: Readonly<Record<string, string>>,
): JsonObject {
  const name = field.trim()
  if (operator === 'absent') return { eq: { [name]: null } }
  if (operator === 'present') return { neq: { [name]: null } }
  const read = (text: string): Json => operand(text, types[name])
  if (operator === 'in') {
    const values = value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
    return { in: { [name]: values.map(read) } }
  }
  return { [operator]: { [name]: read(value) } }
}

function operand(text: string, type: string | undefined): Json {
  if (type === 'integer' || type === 'number') return numberIn(text)
  if (type === 'boolean') return text.trim().toLowerCase() === 'true'
  return text
}
