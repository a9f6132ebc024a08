// The words below `apply`: the one place that knows where credentials can stand in a request. Nothing else asks for a word.
import { basic } from './basic.ts'
import { bearer } from './bearer.ts'
import { headers } from './headers.ts'
import type { Carried, CredentialPlace, PlaceResolver } from './place.ts'
import { query } from './query.ts'

interface Places {
  readonly basic: typeof basic
  readonly bearer: typeof bearer
  readonly headers: typeof headers
  readonly query: typeof query
}
type Word = keyof Places
type AnyPlace = CredentialPlace<unknown, unknown>

export const PLACES: Places = { basic, bearer, headers, query }

/** The block as an author writes it. */
export type ApplySource = {
  readonly [W in Word]?: Places[W] extends CredentialPlace<infer Source, infer _> ? Source : never
}
/** The block as it runs. */
export type Apply = { readonly [W in Word]: ReturnType<Places[W]['resolve']> }

// An entry takes what stands below its own word, which TypeScript cannot see through the index.
const ENTRIES = Object.entries(PLACES) as unknown as readonly (readonly [Word, AnyPlace])[]

/** Resolves the block. `placeOf` gives what resolves below a word. */
export function resolveApply(source: ApplySource, placeOf: (word: Word) => PlaceResolver): Apply {
  const resolved = ENTRIES.map(([word, place]) => [
    word,
    place.resolve(source[word], placeOf(word)),
  ])
  return Object.fromEntries(resolved.filter(([, value]) => value !== undefined))
}

/** What the block puts on a request. */
export function carriedBy(apply: Apply): readonly Carried[] {
  return ENTRIES.flatMap(([word, place]) => place.carried(apply[word]))
}

/** The names of headers that an author chose, as written, each with its word. */
export function chosenHeaders(source: ApplySource): readonly (readonly [Word, string])[] {
  return ENTRIES.flatMap(([word, { headerNames }]) =>
    source[word] === undefined
      ? []
      : (headerNames?.(source[word]) ?? []).map((name) => [word, name] as const),
  )
}

/** The names of the headers that carry credentials, in lower case. */
export function credentialHeaders(carried: readonly Carried[]): readonly string[] {
  return carried.flatMap((part) =>
    part.in === 'header' ? [part.name] : part.in === 'signature' ? part.names : [],
  )
}

/** Whether tokens of no other type than `Bearer` can be applied. */
export function takesBearerOnly(apply: Apply): boolean {
  return carriedBy(apply).some((part) => part.in === 'header' && part.tokenType === 'bearer')
}
