// What is known of one way in which a method gets access: a block of it that asks the third party before the first call.
import type { DocumentPath } from '../document.ts'
import type { Text } from '../../expression/syntax.ts'
import type { Store } from '../manifest.ts'
import type {
  AfterTokenSource,
  RequestSource,
  SchemaSource,
  StoreSource,
  TemplateMapSource,
} from '../source.ts'

/** One such block. `Source` is what an author writes, `Resolved` what runs. */
export interface Access<Source, Resolved> {
  /** What the lint looks at. */
  readonly parts: (source: Source) => WrittenParts
  /** Everything that its answers leave behind. */
  readonly stores: (resolved: Resolved) => readonly Store[]
  /** What its users are asked to agree to; null, or left out: nothing. */
  readonly consent?: (resolved: Resolved) => ConsentRules | null
  /** The root of templates that only methods with this block have. */
  readonly root: 'client' | 'session'
  /** Credentials that no text may show, whatever their schema says. */
  readonly secrets: readonly string[]
}

/** Where a client is made at the vendor, and the vendor's own steps. */
export interface ClientApp {
  readonly url: string | null
  readonly steps: readonly string[]
}

/** What a consent is, whatever its protocol. */
export interface ConsentRules {
  /** The page of the third party on which a user agrees. */
  readonly page: Text
  /** The other addresses without which it cannot end. */
  readonly urls: readonly Text[]
  /** Those that are asked for in addition to the ones that actions need. */
  readonly scopes: readonly string[]
  /** What the vendor calls scopes of actions here, where methods have other names for them; null: not to be had. */
  readonly scopeNames: Readonly<Record<string, string | null>>
  /** What scopes allow, in words for the people who agree. */
  readonly scopeTitles: Readonly<Record<string, string>>
  readonly client: {
    /** The service registers one where the operator gives none. */
    readonly isRegistered: boolean
    /** It proves by a secret who it is. */
    readonly hasSecret: boolean
    /** It is the one of the connector's first consent. */
    readonly isShared: boolean
    /** How the operator gets it at the vendor; null: the manifest does not say. */
    readonly app: ClientApp | null
  }
  /** What the address that the user comes back to says of the consent it belongs to. */
  readonly stateIn: (query: Query) => string | undefined
  /** Why that address brings nothing; null: it does. */
  readonly failureIn: (query: Query) => 'access_denied' | 'upstream_error' | null
}
export type Query = Readonly<Record<string, string | undefined>>

/** The parts of a block as written, each with the keys that lead to it. */
export interface WrittenParts {
  readonly urls: readonly Part<string>[]
  /** `auth`: what holds where the request does not say. */
  readonly requests: readonly (Part<RequestSource> & { readonly auth: 'same' | 'none' })[]
  readonly headers: readonly Part<TemplateMapSource>[]
  readonly stores: readonly Part<StoreSource>[]
  /** What its root holds. */
  readonly rootMembers: Readonly<Record<string, SchemaSource>>
  /** The credentials that are read and kept without a template. */
  readonly credentials: readonly string[]
  /** Whether it presents a token of the block `jwt`. */
  readonly asserts?: boolean
  /** The credentials that the method must have, each with what is lost without it. */
  readonly kept: Readonly<Record<string, string>>
}

/** The parts of `after_token`. */
export function afterTokenParts(
  after: AfterTokenSource = [],
): Pick<WrittenParts, 'requests' | 'stores'> {
  return {
    requests: after.map(({ request }, index) => ({
      at: ['after_token', index, 'request'],
      source: request,
      auth: 'same',
    })),
    stores: after.map(({ store }, index) => ({
      at: ['after_token', index, 'store'],
      source: store,
    })),
  }
}

interface Part<T> {
  readonly at: DocumentPath
  readonly source: T
}
