// A manifest as it is written, once it is valid against schemas/manifest.schema.json: the types of the keys.
// What the keys mean: docs/manifest-language.md.
import type { Json, JsonObject } from '../json/json.ts'
import type { ActionName, Giving } from './actions.ts'
import type { BodySource } from './body-forms/forms.ts'
import type { ApplySource } from './credential-places/places.ts'
import type { ErrorClass, ErrorEffect, FieldType, Style } from './manifest.ts'
import type { WrittenStyle } from './pagination-styles.ts'

/** A string that may hold `{{ }}`, or any value whose strings may; objects may hold `$if`, `$value`, `$style`. */
export type TemplateSource = Json
export type TemplateMapSource = Readonly<Record<string, TemplateSource>>
/** Names of parameters and `{ wireName: template }` entries, or one map. */
export type FieldsSource = readonly (string | TemplateMapSource)[] | TemplateMapSource

export interface ManifestSource {
  readonly manifest: 1
  readonly connector: {
    readonly type: string
    readonly title: string
    readonly version: string
    readonly docs?: string
    readonly description?: string
  }
  readonly server: {
    readonly url: string | readonly string[]
    readonly hosts?: 'any' | readonly string[]
    readonly headers?: TemplateMapSource
  }
  readonly config?: SchemaSource
  readonly auth: Readonly<Record<string, AuthMethodSource>>
  readonly check?: {
    readonly entity?: string
    readonly action?: ActionName
    readonly params?: TemplateMapSource
    readonly request?: RequestSource
  }
  readonly limits?: {
    readonly rate?: string | readonly string[]
    readonly concurrency?: number
    readonly per?: 'instance' | 'connector'
    readonly narrow?: readonly {
      readonly when?: ErrorRuleSource['when']
      readonly per: string
      readonly writes?: true
    }[]
  }
  readonly defaults?: DefaultsSource
  readonly entities: Readonly<Record<string, EntitySource>>
  readonly shapes?: Readonly<Record<string, SchemaSource>>
  readonly maps?: Readonly<Record<string, JsonObject>>
}

/** A JSON Schema as written: the allowed keywords of draft-07 and the added ones. */
export interface SchemaSource {
  readonly $ref?: string
  readonly type?: SchemaType | readonly SchemaType[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, SchemaSource>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | SchemaSource
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: SchemaSource
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly enum?: readonly Json[]
  readonly const?: Json
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly oneOf?: readonly SchemaSource[]
  readonly anyOf?: readonly SchemaSource[]
  readonly allOf?: readonly SchemaSource[]
  readonly default?: Json
  readonly examples?: readonly Json[]
  readonly writeOnly?: boolean
  readonly deprecated?: boolean
  readonly default_from?: string
  readonly aliases?: readonly string[]
}
export type SchemaType = FieldType | 'null'

interface DefaultsSource {
  readonly request?: {
    readonly style?: Style
    readonly headers?: TemplateMapSource
    readonly timeout?: string
  }
  readonly pagination?: PaginationSource
  readonly errors?: readonly ErrorRuleSource[]
  readonly error_body?: ErrorBodySource
  readonly retry?: RetrySource
}

export interface EntitySource {
  readonly title?: string
  readonly description?: string
  readonly record?: SchemaSource
  readonly actions: Readonly<Partial<Record<ActionName, ActionSource>>>
  readonly search?: SearchSource
  readonly sync?: SyncSource
  readonly examples?: readonly JsonObject[]
}

export interface ActionSource {
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean | string
  readonly untested?: string
  readonly scopes?: readonly string[]
  readonly params?: SchemaSource
  readonly refuse?: readonly {
    readonly if: string
    readonly params: readonly string[]
    readonly message: string
  }[]
  readonly unsent?: Readonly<Record<string, string>>
  readonly request?: RequestSource
  readonly steps?: readonly StepSource[]
  readonly response?: ResponseSource
  readonly result?: SchemaSource
  readonly pagination?: PaginationSource
  readonly errors?: readonly ErrorRuleSource[]
  readonly retry?: RetrySource
  readonly download?: DownloadSource
  readonly touches?: string
}

export interface StepSource {
  readonly name: string
  readonly if?: string
  readonly request: RequestSource
  readonly records?: string
  readonly errors?: readonly ErrorRuleSource[]
  readonly retry?: RetrySource
  readonly poll?: {
    readonly until: BodyTestsSource
    readonly failed?: BodyTestsSource
    readonly every: string
    readonly timeout: string
    readonly progress?: string
  }
}

export interface RequestSource extends BodySource {
  readonly http: string
  readonly reads?: boolean
  readonly query?: FieldsSource
  readonly headers?: FieldsSource
  readonly auth?: 'same' | 'none'
  readonly redirects?: number
  readonly timeout?: string
}

export interface ResponseSource {
  readonly decode?: 'json' | 'jsonl' | 'csv' | 'text' | 'none'
  readonly records?: string
  readonly record?: string
  readonly page?: string
  readonly single?: true
  readonly missing?: 'fail' | 'empty'
  readonly where?: Readonly<Record<string, string>>
  readonly keep?: string
  readonly set?: TemplateMapSource
  readonly drop?: readonly string[]
}

export type ScalarSource = string | number | boolean | null
export type MatcherSource =
  | ScalarSource
  | readonly ScalarSource[]
  | {
      readonly equals?: ScalarSource
      readonly in?: readonly ScalarSource[]
      readonly contains?: string
      readonly matches?: string
      readonly gte?: number
      readonly lte?: number
      readonly exists?: boolean
    }
export type BodyTestsSource = Readonly<Record<string, MatcherSource>>
/** A path, or tests. */
export type FlagSource = string | BodyTestsSource
/** Names (with `?` when left out if nothing is found) mapped to paths, constants, or maps of these. */
export type PicksSource = { readonly [name: string]: ScalarSource | PicksSource }

export type PaginationSource = WrittenStyle & {
  readonly param?: string
  readonly size?: string
  readonly more?: FlagSource
  readonly last?: FlagSource
  readonly silent_end?: boolean
  readonly carry?: Readonly<Record<string, string>>
  readonly meta?: PicksSource
  readonly empty_meta?: PicksSource
}

export interface ErrorRuleSource {
  readonly when: {
    readonly status?: number | string | readonly (number | string)[]
    readonly body?: BodyTestsSource
    readonly header?: Readonly<Record<string, MatcherSource>>
  }
  readonly then: ErrorEffect
  readonly as?: ErrorClass
  readonly outcome?: 'not_applied' | 'applied' | 'uncertain'
  readonly message?: string
}

export interface ErrorBodySource {
  readonly message?: string
  readonly code?: string
  readonly request_id?: string
  readonly fields?: string
}

export interface RetrySource {
  readonly idempotent?: boolean
  readonly idempotency_key?: string
  readonly attempts?: number
  readonly on?: readonly (number | 'network' | 'timeout')[]
  readonly max_wait?: string
  readonly wait?: readonly {
    readonly header?: string
    readonly body?: string
    readonly path?: string
    readonly format?: 'seconds' | 'ms' | 'minutes' | 'epoch_s' | 'epoch_ms' | 'iso'
    readonly exponential?: string
    readonly constant?: string
    readonly max?: string
  }[]
}

export interface DownloadSource {
  readonly url?: string
  readonly range?: string
  readonly types?: readonly string[]
  readonly auth?: 'none' | 'same'
  readonly headers?: FieldsSource
  readonly redirects?: number
  readonly missing?: string
}

/** `root.name` mapped to a path. */
export type StoreSource = Readonly<Record<string, string>>

export interface AuthMethodSource {
  readonly title?: string
  readonly description?: string
  readonly credentials: SchemaSource
  readonly server?: { readonly url: string | readonly string[] }
  /** `config.name` mapped to a template. */
  readonly derive?: Readonly<Record<string, string>>
  readonly apply: ApplySource
  readonly session?: {
    readonly request: RequestSource
    readonly store: StoreSource
    readonly ttl?: string
    readonly expires?: string
  }
  readonly oauth2?: OAuth2Source
}

export interface OAuth2Source {
  readonly grant?: 'authorization_code' | 'client_credentials' | 'password'
  readonly authorize?: {
    readonly url: string
    readonly scopes?: readonly string[]
    readonly separator?: string
    readonly pkce?: boolean
    readonly issuer?: string
    readonly params?: TemplateMapSource
  }
  readonly token: {
    readonly url: string
    readonly method?: 'GET' | 'POST'
    readonly client_auth?: 'basic' | 'body' | 'query' | 'none'
    readonly body?: 'form' | 'json'
    readonly headers?: TemplateMapSource
    readonly params?: TemplateMapSource
  }
  readonly refresh?: false | { readonly url?: string; readonly params?: TemplateMapSource }
  readonly rotates_refresh_token?: boolean
  readonly reuse_grace?: string
  readonly store?: StoreSource
  readonly after_token?: readonly {
    readonly on?: 'connect' | 'consent'
    readonly if?: string
    readonly request: RequestSource
    readonly choose?: {
      readonly from: string
      readonly match?: Readonly<Record<string, string>>
      readonly label: string
    }
    readonly store: StoreSource
  }[]
}

type FieldsByType = Readonly<Partial<Record<FieldType, readonly string[]>>>

export interface SearchSource {
  readonly fields?: 'all' | readonly string[] | FieldsByType
  readonly add?: FieldsByType
  readonly from?: Readonly<Record<string, string>>
  readonly unfilled?: Readonly<Record<string, string>>
  readonly index?: {
    readonly order?: readonly string[]
    readonly substring?: readonly string[]
    readonly no_words?: readonly string[]
  }
}

export interface SyncSource {
  readonly every?: string
  readonly primary_key: string | readonly string[]
  readonly action: Giving<'list'>
  readonly params?: TemplateMapSource
  readonly cursor?: {
    readonly field: string
    readonly since?: string
    readonly until?: string
    readonly format?: string
    readonly inclusive?: boolean
    readonly start?: string
    readonly window?: string
    readonly lookback?: string
    readonly newest_first?: boolean
  }
  readonly parent?: {
    readonly entity: string
    readonly bind: Readonly<Record<string, string>>
    readonly changed_only?: boolean
  }
  readonly each?: Readonly<Record<string, string>>
  readonly full?: string
  readonly ignore?: readonly string[]
  readonly reconcile?: { readonly every: string; readonly params?: TemplateMapSource }
  readonly bounds?: {
    readonly pages?: number
    readonly records?: number
    readonly bytes?: number
    readonly pages_without_new?: number
  }
}
