// A checked query as data: what is asked of which place, with operands already turned into keys and words.
import type { LikePart } from './like.ts'
import type { ScalarKind } from './key.ts'
import type { Place } from './layout.ts'

/** A condition on one place, or a combination. It holds no JSON values, so it survives every way between threads. */
export type Filter =
  | { readonly kind: 'and'; readonly parts: readonly Filter[] }
  | { readonly kind: 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | Condition

export type Condition =
  /** One of the values: `eq` has one, `in` any number, `neq` is its negation. */
  | { readonly kind: 'equal'; readonly place: Place; readonly values: readonly Operand[] }
  | {
      readonly kind: 'range'
      readonly place: Place
      readonly relation: Relation
      readonly bound: { readonly kind: 'text' | 'number'; readonly key: string }
    }
  | { readonly kind: 'like'; readonly place: Place; readonly pattern: readonly LikePart[] }
  /** Some of the words, which are distinct. */
  | { readonly kind: 'keyword'; readonly place: Place; readonly words: readonly string[] }
  /** Every word, in order. */
  | { readonly kind: 'fuzzy'; readonly place: Place; readonly words: readonly string[] }

export type Relation = 'gt' | 'gte' | 'lt' | 'lte'

export type Operand =
  | { readonly kind: 'null' }
  | { readonly kind: ScalarKind; readonly key: string }
  /** An object or array, by its canonical text. */
  | { readonly kind: 'whole'; readonly canonical: string }

/** The filter that every record matches. */
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
  return combine(
    kind,
    filter.parts.map((part) => pushNegation(part, negated)),
  )
}

/** Every condition of a filter, in order. */
export function conditionsOf(filter: Filter): readonly Condition[] {
  if (filter.kind === 'not') return conditionsOf(filter.part)
  return isCondition(filter) ? [filter] : filter.parts.flatMap(conditionsOf)
}

/** Tells a condition from combinations. */
export function isCondition(filter: Filter): filter is Condition {
  return filter.kind !== 'and' && filter.kind !== 'or' && filter.kind !== 'not'
}

/** One condition of the order: a lifted value by number. Records without it come last in both directions. */
export interface SortKey {
  readonly lift: number
  readonly descending: boolean
}

/** A checked search. */
export interface SearchQuery {
  readonly filter: Filter
  readonly sort: readonly SortKey[]
  /** Hits per page. */
  readonly limit: number
  readonly cursor: string | null
  /** What of `data` is wanted; null is all of it. */
  readonly fields: readonly Place[] | null
}
