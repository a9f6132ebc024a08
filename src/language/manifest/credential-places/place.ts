// What is known of one word below `apply`: what it puts on a request, what a vendor makes of it.
import type { Scope, Template } from '../../expression/syntax.ts'
import type { Json } from '../../json/json.ts'
import type { SignedMessage } from '../../signing/request-facts.ts'
import type { AuthMethod, Entry, Style } from '../manifest.ts'
import type { AuthMethodSource } from '../source.ts'

/** The block `apply` as an author writes it, and as it runs. */
export type ApplySource = Exclude<AuthMethodSource['apply'], string>
export type Apply = AuthMethod['apply']

/** One word below `apply`. */
export interface CredentialPlace<W extends keyof Apply> {
  /** What the word puts on a request, nothing where the method does not have it. */
  readonly carried: (resolved: Apply[W]) => readonly Carried[]
  /** The keys below the word that lead to headers whose names the author chooses; the last one is the name, as written. */
  readonly headerNames?: (source: NonNullable<ApplySource[W]>) => readonly (readonly string[])[]
  /** What is wrong with the word that its schema cannot say. */
  readonly findings?: (source: NonNullable<ApplySource[W]>) => readonly PlaceFinding[]
}

/** A mistake below a word; `at`: the keys that lead to it. */
export interface PlaceFinding {
  readonly rule: string
  readonly at: readonly string[]
  readonly message: string
  readonly hint: string
}

/** One part of a request that carries credentials. */
export type Carried = CarriedHeader | CarriedQuery | CarriedSignature | CarriedCertificate

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

/** What is made for each attempt, of the credentials and of the request as it leaves. */
export interface CarriedSignature {
  readonly in: 'signature'
  /** The headers that `sign` can give, in lower case. */
  readonly names: readonly string[]
  /** The query parameters that it can give. */
  readonly queryNames: readonly string[]
  readonly values: readonly PlacedValue[]
  /** The templates that it puts on a request: the sandbox reads them back, and tells what it found. */
  readonly placed: readonly (Entry & { readonly in: 'header' | 'query' })[]
  /** Gives the request with the signature. Throws a ConnectorError that names what is missing. */
  readonly sign: (texts: Texts, request: SignedRequest) => SignedMessage
  /** Whether a vendor that knows these credentials accepts the request; the sandbox asks, and lives in another time. */
  readonly accepts: (texts: Texts, request: ArrivedRequest) => boolean
}

/** A client certificate: certificate, key and passphrase. The request shows nothing of it, its connection does. */
export interface CarriedCertificate {
  readonly in: 'connection'
  readonly values: readonly PlacedValue[]
}

/** The texts of the values, in their order; undefined where one is absent. */
type Texts = readonly (string | undefined)[]

/** A value of credentials. `put` gives its text, and throws ValueError for what cannot stand there. */
export interface PlacedValue {
  readonly template: Template
  readonly put: (value: Json) => string
  /** A text that can stand there, for vendors that are played; null: any can. Left out: any can. */
  readonly makeUp?: () => string | null
}

/** What a signature can be made of. */
export interface SignedRequest extends SignedMessage {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Sixteen random bytes. */
  readonly nonce: Uint8Array
  readonly scope: Scope
}
/** The same as a vendor sees it, with the headers and parameters of the signature. */
export interface ArrivedRequest extends SignedMessage {
  readonly scope: Scope
  readonly told: Told
}
/** What the request says of its signature. */
export type Told = Readonly<Partial<Record<'timestamp' | 'nonce' | 'signature', string>>>
