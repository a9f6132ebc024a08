// The types of connectors: what generated files add to, and what a client is made of.
import type { ConnectorClients, ConnectorSettings } from './generated/index.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { CallOptions, Client, EntityDescription } from './client.ts'

/** Connectors of the program by type: generated files merge into it. */
// oxlint-disable-next-line typescript/no-empty-interface -- it is filled by declaration merging
export interface Connectors {}

/** Credentials and settings of the packaged connectors. */
export type BuiltinSettings = ConnectorSettings
/** The types that direct mode can name; for any other load its manifest. */
export type BuiltinType = keyof ConnectorSettings

/** The types that the program knows: its own, and those of the package. */
export type ConnectorType = Extract<keyof Connectors | keyof ConnectorClients, string>

/** The client of a type. The program's own manifest of a type goes before the one of the package. */
export type ConnectorClient<K> = K extends keyof Connectors
  ? Connectors[K]
  : K extends keyof ConnectorClients
    ? ConnectorClients[K]
    : never

/** What a connector is connected with. */
export interface Settings {
  readonly credentials: object
  readonly config: object
}

/** Settings without a description. */
export interface AnySettings extends Settings {
  readonly config: JsonObject
}

/** Fits where no member is required. */
// oxlint-disable-next-line typescript/no-empty-object-type -- exactly that is asked
type NothingNeeded = {}

/** `config` is required exactly when the manifest requires a member of it. */
export type WithConfig<S extends Settings> = NothingNeeded extends S['config']
  ? { readonly config?: S['config'] }
  : { readonly config: S['config'] }

declare const TYPES: unique symbol

/**
 * A loaded manifest, frozen: `type`, `version`, `hash`. The type arguments come from its generated file and say what
 * a client of it is like; without them the client is untyped.
 */
export interface Manifest<T = Client, S extends Settings = AnySettings> {
  /** Never there: it only carries the types. */
  readonly [TYPES]?: { readonly client: T; readonly settings: S }
  readonly type: string
  readonly title: string
  /** Semantic version of the connector. */
  readonly version: string
  /** `sha256-` and 64 hex digits over the resolved manifest: comments and layout do not change it. */
  readonly hash: string
  readonly docs: string | null
  readonly description: string | null
}

/** Credentials and settings of what a client is made for. */
export type SettingsOf<C> = C extends BuiltinType
  ? BuiltinSettings[C]
  : C extends { readonly [TYPES]?: { readonly settings: infer S } }
    ? S extends Settings
      ? S
      : AnySettings
    : AnySettings

/** The client of a type or a loaded manifest; `Client` where nothing is known of it. */
export type ClientOf<C> = C extends string
  ? ConnectorClient<C>
  : C extends { readonly [TYPES]?: { readonly client: infer T } }
    ? unknown extends T
      ? Client
      : T
    : Client

/** The function of an action, as each entity has it; files that were generated before format 3 have its parts. */
type Action = (...args: never) => unknown
interface ActionParts {
  readonly params: object
  readonly answer: unknown
}

/** What an action is called with. */
export type Arguments<F> = F extends (...args: infer A) => unknown
  ? A
  : F extends ActionParts
    ? NothingNeeded extends F['params']
      ? [params?: F['params'], options?: CallOptions]
      : [params: F['params'], options?: CallOptions]
    : never

/** What a call of an action gives. */
export type AnswerOf<F> = F extends Action
  ? ReturnType<F>
  : F extends ActionParts
    ? F['answer']
    : never

/** The parameters of an action as `preview` takes them. */
export type PreviewArguments<F> =
  Arguments<F> extends readonly [infer P, ...unknown[]]
    ? [params: P]
    : [params?: Arguments<F> extends readonly [(infer P)?, ...unknown[]] ? P : never]

/** The members that every client has next to its entities, typed by them. */
export interface ConnectorOf<Entities> extends Pick<
  Client,
  'check' | 'close' | 'request' | typeof Symbol.asyncDispose
> {
  /** Calls an action by name: the same as `client.entity.action(params, options)`. */
  execute<E extends keyof Entities & string, A extends keyof Entities[E] & string>(
    entity: E,
    action: A,
    ...rest: Arguments<Entities[E][A]>
  ): AnswerOf<Entities[E][A]>
  /** Validates and builds everything, sends nothing. Secrets are masked in every form. */
  preview<E extends keyof Entities & string, A extends keyof Entities[E] & string>(
    entity: E,
    action: A,
    ...rest: PreviewArguments<Entities[E][A]>
  ): ReturnType<Client['preview']>
  /** Entities, actions and JSON Schemas; one entity when named. */
  describe(entity?: keyof Entities & string): readonly EntityDescription[]
}
