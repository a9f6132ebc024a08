// Searching the synchronized copy, as types: what can be asked of which field. Hosted mode only.
import type { Compared, Operator } from '../copy/search/operators.ts'
import type { LazyCall } from './page-call.ts'
import type { SearchAnswer } from './service-bodies.ts'

/** Fields of a type; every name where the fields are not known. */
type Fields<F, T> = string extends keyof F
  ? string
  : { [K in keyof F & string]: F[K] extends T ? K : never }[keyof F & string]
type List = readonly unknown[]
/** Dotted paths below objects and arrays, such as `fields.status.name`; what lies there is checked by the service. */
type Below<F> = `${Fields<F, object>}.${string}`
/** A number, or its digits, where it has more than a number of JavaScript holds. */
type Numeric = number | bigint | `${number}`
/** The value of a field in a condition; null stands for "has none". */
type Equal<T> = T extends List ? unknown : T extends number ? Numeric | null : T | null

/** A value per field: what it is equal to. */
type Equals<F> = { readonly [K in keyof F]?: Equal<F[K]> } & { readonly [K in Below<F>]?: unknown }
/** The same with several values, of which one must be. */
type OneOf<F> = { readonly [K in keyof F]?: readonly Equal<F[K]>[] } & {
  readonly [K in Below<F>]?: List
}
/** Fields with an order. */
type Ordered<F> = string extends keyof F
  ? { readonly [field: string]: string | number | bigint }
  : { readonly [K in Fields<F, string>]?: string } & {
      readonly [K in Fields<F, number | `${number}`>]?: Numeric
    } & { readonly [K in Fields<F, List> | Below<F>]?: string | number | bigint }
/** Fields of text, and of texts in an array. */
type Texts<F> = { readonly [K in Fields<F, string | List> | Below<F>]?: string }
/** Fields with words: of texts and of all that is inside. */
type Words<F> = { readonly [K in Fields<F, string | object> | Below<F>]?: string }
/** What hits can be ordered by. */
type Sortable<F> = Fields<F, string | number | boolean> | Below<F>

/** What the operators of each shape of operand compare which fields with. */
interface Operands<F> {
  readonly value: Equals<F>
  readonly values: OneOf<F>
  readonly bound: Ordered<F>
  readonly text: Texts<F>
  readonly words: Words<F>
}
type Comparisons<F> = { readonly [O in Operator]?: Operands<F>[Compared[O]] }

/** Conditions; several members of one object must all hold. */
export interface SearchFilter<F> extends Comparisons<F> {
  readonly not?: SearchFilter<F>
  readonly and?: readonly SearchFilter<F>[]
  readonly or?: readonly SearchFilter<F>[]
}

/** One sort condition: a field with a direction, or its name, with `-` before it for the greatest first. */
export type SearchSort<F> =
  { readonly [K in Sortable<F>]?: 'asc' | 'desc' } | Sortable<F> | `-${Sortable<F>}`

/** Parameters of every `search` action. Source: service specification, "Common search action". */
export interface SearchParams<F = { readonly [field: string]: unknown }> {
  readonly query: {
    readonly filter?: SearchFilter<F>
    readonly sort?: readonly SearchSort<F>[]
  }
  /** Maximum of hits per page; default 1000. */
  readonly limit?: number
  /** The `next_cursor` of the page before. */
  readonly cursor?: string
  /** Field paths to include. */
  readonly fields?: readonly ((keyof F & string) | Below<F>)[]
  /** Whether the answer says how it was found. */
  readonly explain?: boolean
  /** Field paths whose values are counted among all hits, with the first page; `[]` counts the hits alone. */
  readonly facets?: readonly ((keyof F & string) | Below<F>)[]
}

export interface SearchHit<F = { readonly [field: string]: unknown }> extends Omit<
  SearchAnswer['hits'][number],
  'data'
> {
  readonly data: HitFields<F>
}

/** The fields of a hit: those that were asked for, as far as the record has them. */
export type HitFields<F> = { readonly [K in keyof F]?: F[K] | null }

/** How fresh the answer is. */
export type ReplicaFacts = SearchAnswer['replica']

/** One page of hits. Services before `replica` and `execution` do not tell them. */
export interface SearchResult<F = { readonly [field: string]: unknown }>
  extends
    Pick<SearchAnswer, 'next_cursor' | 'took_ms'>,
    Partial<Pick<SearchAnswer, 'replica' | 'execution' | 'explain' | 'facets'>> {
  readonly hits: readonly SearchHit<F>[]
}

/** A lazy search: awaited it is the first page, iterated it is every hit. */
export interface SearchCall<F = { readonly [field: string]: unknown }> extends LazyCall<
  SearchResult<F>,
  SearchHit<F>
> {}
