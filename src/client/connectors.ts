// The types of connectors: what generated files add to, and what a client is made of.
import type { ConnectorClients, ConnectorSettings } from './generated/index.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { Manifest as LoadedManifest } from '../language/manifest/manifest.ts'
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
export type Manifest<T = Client, S extends Settings = AnySettings> = LoadedManifest & {
  /** Never there: it only carries the types. */
  readonly [TYPES]?: { readonly client: T; readonly settings: S }
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

/** `params`, which are optional where no member of them is required, and what follows them. */
type ParamsOf<O, More extends readonly unknown[]> = O extends { readonly params: infer P }
  ? NothingNeeded extends P
    ? [params?: P, ...more: More]
    : [params: P, ...more: More]
  : never

/** What an operation is called with. */
export type Arguments<O> = ParamsOf<O, [options?: CallOptions]>

/** What a call of an operation gives. */
export type AnswerOf<O> = O extends { readonly answer: infer A } ? A : never

/** The parameters of an operation as `preview` takes them. */
export type PreviewArguments<O> = ParamsOf<O, []>

/** The members that every client has next to its entities, typed by the operations of its connector. */
export interface ConnectorOf<Ops> extends Pick<
  Client,
  'check' | 'close' | typeof Symbol.asyncDispose
> {
  /** Calls an action by name: the same as `client.entity.action(params, options)`. */
  execute<E extends keyof Ops & string, A extends keyof Ops[E] & string>(
    entity: E,
    action: A,
    ...rest: Arguments<Ops[E][A]>
  ): AnswerOf<Ops[E][A]>
  /** Validates and builds everything, sends nothing. Secrets are masked in every form. */
  preview<E extends keyof Ops & string, A extends keyof Ops[E] & string>(
    entity: E,
    action: A,
    ...rest: PreviewArguments<Ops[E][A]>
  ): ReturnType<Client['preview']>
  /** Entities, actions and JSON Schemas; one entity when named. */
  describe(entity?: keyof Ops & string): readonly EntityDescription[]
}
