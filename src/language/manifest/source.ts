// Made by scripts/manifest-types.ts of schemas/manifest.schema.json. Do not edit.
// A manifest as it is written, once it is valid: the types of the keys. What they mean: docs/manifest-language.md.
import type { Json, JsonObject } from '../json/json.ts'
import type { ActionName, Giving } from './actions.ts'
import type { BodySource } from './body-forms/forms.ts'
import type { ApplySource } from './credential-places/places.ts'
import type { WrittenStyle } from './pagination-styles.ts'

/** A string that may hold `{{ }}`, or any value whose strings may; objects may hold `$if`, `$value`, `$style`. */
export type TemplateSource = Json

export type ManifestSource = {
  readonly manifest: 1
  readonly connector: {
    readonly type: string
    readonly title: string
    readonly version: string
    readonly docs?: string
    readonly description?: string
  }
  readonly server: ServerSource
  readonly config?: SchemaSource
  readonly auth: { readonly [name: string]: AuthMethodSource }
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
      readonly when?: AnswerTestsSource
      readonly per: string
      readonly writes?: true
    }[]
  }
  readonly defaults?: {
    readonly request?: {
      readonly style?: 'repeat' | 'csv' | 'ssv' | 'pipe' | 'brackets' | 'indices' | 'json'
      readonly headers?: TemplateMapSource
      readonly timeout?: string
    }
    readonly pagination?: PaginationSource
    readonly errors?: ErrorsSource
    readonly error_body?: ErrorBodySource
    readonly retry?: RetrySource
  }
  readonly entities: { readonly [name: string]: EntitySource }
  readonly shapes?: { readonly [name: string]: SchemaSource }
  readonly maps?: { readonly [name: string]: JsonObject }
}
export type ScalarSource = string | number | boolean | null
export type TemplateMapSource = { readonly [name: string]: TemplateSource }
export type FieldsSource = readonly FieldSource[] | { readonly [name: string]: TemplateSource }
export type FieldSource = string | { readonly [name: string]: TemplateSource }
export type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null'
export type SchemaSource = {
  readonly $ref?: string
  readonly type?: readonly SchemaType[] | SchemaType
  readonly description?: string
  readonly properties?: { readonly [name: string]: SchemaSource }
  readonly required?: readonly string[]
  readonly additionalProperties?: SchemaSource | boolean
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
  readonly format?:
    | 'date-time'
    | 'iso-time'
    | 'date'
    | 'time'
    | 'duration'
    | 'uri'
    | 'email'
    | 'hostname'
    | 'ipv4'
    | 'ipv6'
    | 'uuid'
    | 'byte'
    | 'int32'
    | 'int64'
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly oneOf?: readonly SchemaSource[]
  readonly anyOf?: readonly SchemaSource[]
  readonly allOf?: readonly SchemaSource[]
  readonly default?: Json
  readonly default_from?: string
  readonly aliases?: readonly string[]
  readonly writeOnly?: boolean
  readonly deprecated?: boolean
}
export type MatcherSource =
  | string
  | number
  | boolean
  | null
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
export type BodyTestsSource = { readonly [name: string]: MatcherSource }
export type FlagSource = BodyTestsSource | string
export type PicksSource = { readonly [name: string]: PickSource }
export type PickSource = string | number | boolean | null | { readonly [name: string]: PickSource }
export type StoreSource = { readonly [name: string]: string }
export type BaseUrlSource = string | readonly string[]
export type ServerSource = {
  readonly url: BaseUrlSource
  readonly hosts?: 'any' | readonly string[]
  readonly headers?: TemplateMapSource
}
export type AuthMethodSource = {
  readonly title?: string
  readonly description?: string
  readonly credentials: SchemaSource
  readonly server?: { readonly url: BaseUrlSource }
  readonly derive?: { readonly [name: string]: string }
  readonly apply: ApplySource
  readonly session?: {
    readonly request: RequestSource
    readonly store: StoreSource
    readonly ttl?: string
    readonly expires?: string
  }
  readonly oauth2?: OAuth2Source
}
export type OAuth2Source = {
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
      readonly match?: { readonly [name: string]: string }
      readonly label: string
    }
    readonly store: StoreSource
  }[]
}
export type MultipartPartSource =
  { readonly $if?: string; readonly $value: string | number | boolean } | string | number | boolean
export type RequestSource = BodySource & {
  readonly http: string
  readonly reads?: boolean
  readonly query?: FieldsSource
  readonly headers?: FieldsSource
  readonly auth?: 'same' | 'none'
  readonly redirects?: number
  readonly timeout?: string
}
export type ResponseSource = {
  readonly decode?: 'json' | 'jsonl' | 'csv' | 'text' | 'none'
  readonly records?: string
  readonly record?: string
  readonly page?: string
  readonly single?: true
  readonly missing?: 'fail' | 'empty'
  readonly where?: { readonly [name: string]: string }
  readonly keep?: string
  readonly set?: TemplateMapSource
  readonly drop?: readonly string[]
}
export type PaginationSource = WrittenStyle & {
  readonly param?: string
  readonly size?: string
  readonly more?: FlagSource
  readonly last?: FlagSource
  readonly silent_end?: boolean
  readonly carry?: { readonly [name: string]: string }
  readonly meta?: PicksSource
  readonly empty_meta?: PicksSource
}
export type StatusSource = number | string
export type ErrorsSource = readonly ErrorRuleSource[]
export type AnswerTestsSource = {
  readonly status?: readonly StatusSource[] | StatusSource
  readonly body?: BodyTestsSource
  readonly header?: { readonly [name: string]: MatcherSource }
}
export type ErrorRuleSource = {
  readonly when: AnswerTestsSource
  readonly then:
    | 'fail'
    | 'empty'
    | 'retry'
    | 'ok'
    | 'refresh_auth'
    | 'reauthorize'
    | 'restart_pagination'
    | 'shrink_page'
  readonly as?:
    | 'invalid'
    | 'credentials'
    | 'forbidden'
    | 'not_found'
    | 'conflict'
    | 'too_large'
    | 'unprocessable'
    | 'rate_limited'
    | 'cursor_expired'
    | 'unavailable'
  readonly outcome?: 'not_applied' | 'applied' | 'uncertain'
  readonly message?: string
}
export type ErrorBodySource = {
  readonly message?: string
  readonly code?: string
  readonly request_id?: string
  readonly fields?: string
}
export type RetrySource = {
  readonly attempts?: number
  readonly on?: readonly (number | 'network' | 'timeout')[]
  readonly wait?: readonly {
    readonly header?: string
    readonly path?: string
    readonly body?: string
    readonly format?: 'seconds' | 'ms' | 'minutes' | 'epoch_s' | 'epoch_ms' | 'iso'
    readonly exponential?: string
    readonly max?: string
    readonly constant?: string
  }[]
  readonly max_wait?: string
  readonly idempotent?: boolean
  readonly idempotency_key?: string
}
export type StepSource = {
  readonly name: string
  readonly if?: string
  readonly request: RequestSource
  readonly records?: string
  readonly errors?: ErrorsSource
  readonly retry?: RetrySource
  readonly poll?: {
    readonly until: BodyTestsSource
    readonly failed?: BodyTestsSource
    readonly every: string
    readonly timeout: string
    readonly progress?: string
  }
}
export type DownloadSource = {
  readonly url?: string
  readonly range?: string
  readonly types?: readonly string[]
  readonly auth?: 'none' | 'same'
  readonly headers?: FieldsSource
  readonly redirects?: number
  readonly missing?: string
}
export type ActionSource = {
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
  readonly unsent?: { readonly [name: string]: string }
  readonly request?: RequestSource
  readonly steps?: readonly StepSource[]
  readonly response?: ResponseSource
  readonly result?: SchemaSource
  readonly pagination?: PaginationSource
  readonly errors?: ErrorsSource
  readonly retry?: RetrySource
  readonly download?: DownloadSource
  readonly touches?: string
}
export type EntitySource = {
  readonly title?: string
  readonly description?: string
  readonly record?: SchemaSource
  readonly actions: {
    readonly list?: ActionSource
    readonly get?: ActionSource
    readonly create?: ActionSource
    readonly update?: ActionSource
    readonly delete?: ActionSource
    readonly api_search?: ActionSource
    readonly download?: ActionSource
  }
  readonly search?: SearchSource
  readonly sync?: SyncSource
  readonly examples?: readonly JsonObject[]
}
export type FieldsByTypeSource = {
  readonly string?: FieldNamesSource
  readonly integer?: FieldNamesSource
  readonly number?: FieldNamesSource
  readonly boolean?: FieldNamesSource
  readonly object?: FieldNamesSource
  readonly array?: FieldNamesSource
}
export type FieldNamesSource = readonly string[]
export type SearchSource = {
  readonly fields?: 'all' | FieldNamesSource | FieldsByTypeSource
  readonly add?: FieldsByTypeSource
  readonly from?: { readonly [name: string]: string }
  readonly unfilled?: { readonly [name: string]: string }
  readonly index?: {
    readonly order?: FieldNamesSource
    readonly substring?: FieldNamesSource
    readonly no_words?: FieldNamesSource
  }
}
export type SyncSource = {
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
    readonly bind: { readonly [name: string]: string }
    readonly changed_only?: boolean
  }
  readonly each?: { readonly [name: string]: string }
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
