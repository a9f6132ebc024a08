// A checked query as data: what is asked of which place, with operands already turned into keys and words.
import type { LikePart } from './like.ts'

/** A place in documents: a field by number, and member names and indexes below it. */
export interface Place {
  readonly field: number
  readonly path: readonly string[]
}

/** The kinds of values that have a key. Values of different kinds never compare. */
export type ScalarKind = 'text' | 'number' | 'boolean'

/** A condition on one place, or a combination. It holds no JSON values, so it survives every way between threads. */
export type Filter =
  | { readonly kind: 'and'; readonly parts: readonly Filter[] }
  | { readonly kind: 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | Condition

/** What a store can be asked of one place: what narrows and what is tested is decided by the kind alone (operators.ts). */
export type Condition =
  | { readonly kind: 'equal'; readonly place: Place; readonly values: readonly Operand[] }
  /** A value of the bound's kind that lies above or below it, or equals it where it is included. */
  | {
      readonly kind: 'range'
      readonly place: Place
      readonly bound: Bound
      readonly isAbove: boolean
      readonly isIncluded: boolean
    }
  | { readonly kind: 'pattern'; readonly place: Place; readonly pattern: readonly LikePart[] }
  /** Some of the words, which are distinct. */
  | { readonly kind: 'some_word'; readonly place: Place; readonly words: readonly string[] }
  /** Every word, in order, nearly spelled so. */
  | { readonly kind: 'all_words'; readonly place: Place; readonly words: readonly string[] }

export type Worded = Extract<Condition, { readonly words: readonly string[] }>

/** Tells a condition on words, which scores, from those whose hits are all alike. */
export function isWorded(condition: Condition): condition is Worded {
  return 'words' in condition
}

export interface Bound {
  readonly kind: 'text' | 'number'
  readonly key: string
}

export type Operand =
  | { readonly kind: 'null' }
  | { readonly kind: ScalarKind; readonly key: string }
  /** An object or array, by its canonical text. */
  | { readonly kind: 'whole'; readonly canonical: string }

export const EVERYTHING: Filter = { kind: 'and', parts: [] }

/** Both or all of the filters; nested ones of the same kind become one, which keeps set and score. */
export function combine(kind: 'and' | 'or', filters: readonly Filter[]): Filter {
  const parts = filters.flatMap((filter) => (filter.kind === kind ? filter.parts : [filter]))
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : { kind, parts }
}

/** The filter with negations only around single conditions. Exact, because every condition is true or false. */
export function pushNegation(filter: Filter, negated = false): Filter {
  if (filter.kind === 'not') return pushNegation(filter.part, !negated)
  if (isCondition(filter)) return negated ? { kind: 'not', part: filter } : filter
  const kind = (filter.kind === 'and') === negated ? 'or' : 'and'
  const parts = filter.parts.map((part) => pushNegation(part, negated))
  return combine(kind, parts)
}

export function conditionsOf(filter: Filter): readonly Condition[] {
  if (filter.kind === 'not') return conditionsOf(filter.part)
  return isCondition(filter) ? [filter] : filter.parts.flatMap(conditionsOf)
}

export function isCondition(filter: Filter): filter is Condition {
  return filter.kind !== 'and' && filter.kind !== 'or' && filter.kind !== 'not'
}

/** One condition of the order: a lifted value by number. Records without it come last in both directions. */
export interface SortKey {
  readonly lift: number
  readonly descending: boolean
}

export interface SearchQuery {
  readonly filter: Filter
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly cursor: string | null
  /** What of `data` is wanted; null is all of it. */
  readonly fields: readonly Place[] | null
  /** Whether the answer says how it was found; absent: it does not. */
  readonly explain?: true
  /** Places whose values are counted among all hits, and none for the number of hits alone; absent: nothing is counted. */
  readonly facets?: readonly Place[]
}

/** What bounds a query. `textLength` and `wordsLength` count code points. */
export const SEARCH_LIMITS = {
  depth: 10,
  conditions: 100,
  values: 1_000,
  textLength: 4_096,
  /** Of patterns, and of texts whose words are asked for. */
  wordsLength: 256,
  words: 16,
  wildcards: 8,
  fields: 200,
  facets: 50,
  /** Values that are told of one of them, the most frequent first. */
  facetValues: 20,
  /** Hits that are counted for them, the newest first. */
  counted: 10_000,
  /** Parts of a dotted path. */
  path: 32,
  sort: 4,
  page: 10_000,
  defaultPage: 1_000,
  /** Store time that a search may take in all, milliseconds. */
  storeMs: 2_000,
} as const
