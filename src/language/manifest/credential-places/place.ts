// What is known of one word below `apply`: what it puts on a request, what a vendor makes of it.
import type { Template } from '../../expression/syntax.ts'
import type { Json } from '../../json/json.ts'
import type { AuthMethod, Style } from '../manifest.ts'
import type { AuthMethodSource } from '../source.ts'

/** The block `apply` as an author writes it, and as it runs. */
export type ApplySource = AuthMethodSource['apply']
export type Apply = AuthMethod['apply']

/** One word below `apply`. */
export interface CredentialPlace<W extends keyof Apply> {
  /** What the word puts on a request, nothing where the method does not have it. */
  readonly carried: (resolved: Apply[W]) => readonly Carried[]
  /** The names of headers that the author chooses, as written. */
  readonly headerNames?: (source: NonNullable<ApplySource[W]>) => readonly string[]
}

/** One part of a request that carries credentials. */
export type Carried = CarriedHeader | CarriedQuery | CarriedSignature

/** Made once for each generation of credentials. */
export interface CarriedHeader {
  readonly in: 'header'
  /** In lower case. */
  readonly name: string
  readonly values: readonly PlacedValue[]
  /** The header, of the texts of the values; undefined: it is not sent. */
  readonly write: (texts: Texts) => string | undefined
  /** The texts again, of the header as it arrived; undefined: it is of another kind. */
  readonly read: (header: string) => readonly string[] | undefined
  /** The only type of token that can stand here (RFC 6749 section 7.1). */
  readonly tokenType?: string
}

/** A query parameter, made once for each generation of credentials. */
export interface CarriedQuery {
  readonly in: 'query'
  readonly name: string
  readonly value: Template
  readonly style: Style
}

/** Headers that are made for each attempt, of the credentials and of the request as it leaves. */
export interface CarriedSignature {
  readonly in: 'signature'
  /** The headers that `sign` can give, in lower case. */
  readonly names: readonly string[]
  readonly values: readonly PlacedValue[]
  readonly sign: (texts: Texts, request: SignedRequest) => Readonly<Record<string, string>>
  /** Whether a vendor that knows these credentials accepts the request; the sandbox asks, and lives in another time. */
  readonly accepts: (texts: Texts, request: SentRequest) => boolean
}

/** The texts of the values, in their order; undefined where one is absent. */
type Texts = readonly (string | undefined)[]

/** A value of credentials. `put` gives its text, and throws ValueError for what cannot stand there. */
export interface PlacedValue {
  readonly template: Template
  readonly put: (value: Json) => string
}

/** What a signature can be made of. */
export interface SignedRequest extends SentRequest {
  /** Milliseconds since 1970. */
  readonly now: number
}
/** The same as a vendor sees it. */
export interface SentRequest {
  readonly method: string
  /** Absolute, encoded. */
  readonly url: string
  /** Names in lower case. A vendor sees the headers of the signature, too. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty where there is none. */
  readonly body: Uint8Array
}
