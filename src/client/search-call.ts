// Searching the synchronized copy, as types: what can be asked of which field. Hosted mode only.
import type { JsonObject } from '../json/json.ts'

type FieldOf<F, T> = { [K in keyof F]: F[K] extends T ? K : never }[keyof F]
/** Fields with an order. */
type Ordered<F> = { readonly [K in FieldOf<F, string | number>]?: F[K] }
/** Fields of text. */
type Texts<F> = { readonly [K in FieldOf<F, string>]?: string }
/** The value of a field in a condition; null stands for "has none". */
type Equal<T> = T extends readonly unknown[] ? unknown : T | null

/** Conditions; several members of one object must all hold. */
export interface SearchFilter<F> {
  readonly eq?: { readonly [K in keyof F]?: Equal<F[K]> }
  readonly neq?: { readonly [K in keyof F]?: Equal<F[K]> }
  readonly gt?: Ordered<F>
  readonly gte?: Ordered<F>
  readonly lt?: Ordered<F>
  readonly lte?: Ordered<F>
  readonly in?: { readonly [K in keyof F]?: readonly Equal<F[K]>[] }
  readonly like?: Texts<F>
  readonly fuzzy?: Texts<F>
  readonly keyword?: Texts<F>
  readonly not?: SearchFilter<F>
  readonly and?: readonly SearchFilter<F>[]
  readonly or?: readonly SearchFilter<F>[]
}

/** One sort condition. */
export type SearchSort<F> = { readonly [K in keyof F]?: 'asc' | 'desc' }

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
  readonly fields?: readonly (keyof F & string)[]
}

export interface SearchHit<F = { readonly [field: string]: unknown }> {
  readonly id: string
  /** Relevance. */
  readonly score: number
  readonly data: { readonly [K in keyof F]?: F[K] | null }
}

/** How fresh the answer is. */
export interface ReplicaFacts {
  readonly synced_at: string | null
  readonly lag_seconds: number | null
  readonly complete: boolean
  readonly stale: boolean
  /** In the copy. */
  readonly records: number
  /** False where hits come newest first although their scores differ. */
  readonly ranked: boolean
}

/** One page of hits. */
export interface SearchResult<F = { readonly [field: string]: unknown }> {
  readonly hits: readonly SearchHit<F>[]
  readonly next_cursor: string | null
  readonly took_ms: number
  readonly replica?: ReplicaFacts
  readonly execution?: JsonObject
}

/** A lazy search: awaited it is the first page, iterated it is every hit. */
export interface SearchCall<F = { readonly [field: string]: unknown }>
  extends Promise<SearchResult<F>>, AsyncIterable<SearchHit<F>> {
  pages(): AsyncIterable<SearchResult<F>>
  toArray(options: { readonly limit: number }): Promise<SearchHit<F>[]>
}
