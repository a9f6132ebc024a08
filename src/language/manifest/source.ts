// Made by scripts/manifest-types.ts of schemas/manifest.schema.json. Do not edit.
// A manifest as it is written, once it is valid: the types of the keys. What they mean: docs/manifest-language.md.
// Then what the keys of its blocks resolve to.
import type { Json, JsonObject } from '../json/json.ts'
import type { ActionName, Giving } from './actions.ts'
import type { Kinds } from './manifest.ts'
import type { WrittenStyle } from './pagination-styles.ts'
import type { ResolvedKey } from './resolve-block.ts'

/** A string that may hold `{{ }}`, or any value whose strings may; objects may hold `$if`, `$value`, `$style`. */
export type TemplateSource = Json

export type ManifestSource = {
  readonly manifest: 1
  readonly connector: {
    readonly type: string
    readonly title: string
    readonly version: string
    readonly docs?: string
    readonly status_page?: string
    readonly description?: string
    readonly icon?: { readonly letters: string; readonly hue?: number }
    readonly aliases?: readonly string[]
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
      readonly per?: string
      readonly endpoint?: true
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
  readonly webhooks?: WebhooksSource
  readonly shapes?: { readonly [name: string]: SchemaSource }
  readonly shared?: { readonly [name: string]: { readonly [name: string]: SchemaSource } }
  readonly maps?: { readonly [name: string]: JsonObject }
  readonly translations?: { readonly [name: string]: { readonly [name: string]: string } }
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
    | 'binary'
    | 'int32'
    | 'int64'
    | 'epoch_s'
    | 'epoch_ms'
    | 'duration_s'
    | 'duration_ms'
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly oneOf?: readonly SchemaSource[]
  readonly anyOf?: readonly SchemaSource[]
  readonly allOf?: readonly SchemaSource[]
  readonly default?: Json
  readonly default_from?: ClockDefaultSource | string
  readonly aliases?: readonly string[]
  readonly help?: string
  readonly docs?: string
  readonly help_for?: { readonly [name: string]: string }
  readonly form?: string
  readonly set_by?: 'application'
  readonly example?: string
  readonly refers_to?: string
  readonly writeOnly?: boolean
  readonly deprecated?: boolean
}
export type ClockDefaultSource = { readonly now: string; readonly format?: string }
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
  readonly docs?: string
  readonly credentials?: SchemaSource
  readonly server?: { readonly url: BaseUrlSource }
  readonly derive?: { readonly [name: string]: string }
  readonly apply:
    | 'none'
    | {
        readonly basic?: { readonly username: string; readonly password: string }
        readonly bearer?: string
        readonly headers?: TemplateMapSource
        readonly query?: TemplateMapSource
        readonly sign?: {
          readonly alg:
            | 'hmac_sha1'
            | 'hmac_sha256'
            | 'hmac_sha384'
            | 'hmac_sha512'
            | 'rsa_sha1'
            | 'rsa_sha256'
            | 'rsa_sha512'
            | 'ecdsa_sha256'
            | 'ed25519'
            | 'md5'
            | 'sha1'
            | 'sha256'
            | 'sha512'
          readonly key?: string
          readonly key_encoding?: 'text' | 'hex' | 'base64'
          readonly of: string
          readonly body_hash?: {
            readonly alg?: 'md5' | 'sha1' | 'sha256' | 'sha512'
            readonly encoding?: 'hex' | 'base64' | 'base64url'
          }
          readonly timestamp?: 'epoch_s' | 'epoch_ms' | 'iso' | 'iso_s' | 'http'
          readonly nonce?: 'hex' | 'uuid'
          readonly encoding?: 'hex' | 'base64' | 'base64url'
          readonly headers?: TemplateMapSource
          readonly query?: TemplateMapSource
        }
        readonly aws_v4?: {
          readonly access_key_id: string
          readonly secret_access_key: string
          readonly session_token?: string
          readonly region: string
          readonly service: string
          readonly variant?: 'general' | 's3'
        }
        readonly oauth1?: {
          readonly alg?: 'hmac_sha1' | 'hmac_sha256' | 'hmac_sha512' | 'rsa_sha1' | 'rsa_sha256'
          readonly consumer_key: string
          readonly consumer_secret: string
          readonly token?: string
          readonly token_secret?: string
          readonly realm?: string
          readonly body_hash?: boolean
        }
        readonly tls?: {
          readonly certificate: string
          readonly key: string
          readonly passphrase?: string
        }
      }
  readonly jwt?: {
    readonly alg:
      | 'HS256'
      | 'HS384'
      | 'HS512'
      | 'RS256'
      | 'RS384'
      | 'RS512'
      | 'PS256'
      | 'ES256'
      | 'ES384'
      | 'EdDSA'
    readonly key: string
    readonly key_encoding?: 'text' | 'hex' | 'base64'
    readonly header?: TemplateMapSource
    readonly claims?: TemplateMapSource
    readonly ttl?: string
  }
  readonly session?: {
    readonly request?: RequestSource
    readonly decode?: 'json' | 'text'
    readonly store?: StoreSource
    readonly steps?: readonly {
      readonly request: RequestSource
      readonly decode?: 'json' | 'text'
      readonly store?: StoreSource
    }[]
    readonly ttl?: string
    readonly expires?: string
  }
  readonly oauth2?: OAuth2Source
  readonly oauth1?: OAuth1Source
  readonly after_token?: AfterTokenSource
  readonly revoke?: RequestSource
}
export type OAuth2Source = {
  readonly grant?: 'authorization_code' | 'client_credentials' | 'password' | 'jwt_bearer'
  readonly client?: 'registered'
  readonly same_client?: true
  readonly app?: { readonly url?: string; readonly steps?: readonly string[] }
  readonly register?: { readonly url: string; readonly name?: string }
  readonly authorize?: {
    readonly url: string
    readonly scopes?: readonly string[]
    readonly scope_names?: { readonly [name: string]: string | null }
    readonly scope_titles?: { readonly [name: string]: string }
    readonly separator?: string
    readonly pkce?: boolean
    readonly issuer?: string
    readonly params?: TemplateMapSource
    readonly names?: {
      readonly response_type?: string
      readonly client_id?: string
      readonly redirect_uri?: string
      readonly scope?: string
      readonly state?: string
      readonly code?: string
    }
    readonly store?: StoreSource
  }
  readonly token: {
    readonly url: string
    readonly method?: 'GET' | 'POST'
    readonly client_auth?: 'basic' | 'body' | 'query' | 'none' | 'private_key_jwt'
    readonly body?: 'form' | 'json'
    readonly headers?: TemplateMapSource
    readonly params?: TemplateMapSource
    readonly access_token?: string
    readonly refresh_token?: string
    readonly expires?: string
    readonly errors?: {
      readonly [name: string]:
        | 'invalid_request'
        | 'invalid_client'
        | 'invalid_grant'
        | 'unauthorized_client'
        | 'unsupported_grant_type'
        | 'invalid_scope'
        | 'access_denied'
        | 'server_error'
        | 'temporarily_unavailable'
        | 'slow_down'
    }
  }
  readonly refresh?:
    | false
    | {
        readonly url?: string
        readonly params?: TemplateMapSource
        readonly access_token?: string
        readonly refresh_token?: string
        readonly expires?: string
      }
  readonly rotates_refresh_token?: boolean
  readonly reuse_grace?: string
  readonly store?: StoreSource
  readonly after_token?: AfterTokenSource
}
export type OAuth1Source = {
  readonly same_client?: true
  readonly request_token: {
    readonly url: string
    readonly method?: 'GET' | 'POST'
    readonly headers?: TemplateMapSource
    readonly params?: TemplateMapSource
    readonly token?: string
    readonly token_secret?: string
  }
  readonly authorize: {
    readonly url: string
    readonly callback?: 'confirmed' | 'unconfirmed' | 'page'
    readonly params?: TemplateMapSource
    readonly store?: StoreSource
  }
  readonly access_token: {
    readonly url: string
    readonly method?: 'GET' | 'POST'
    readonly headers?: TemplateMapSource
    readonly params?: TemplateMapSource
    readonly token?: string
    readonly token_secret?: string
  }
  readonly store?: StoreSource
}
export type AfterTokenSource = readonly {
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
export type MultipartPartSource =
  { readonly $if?: string; readonly $value: string | number | boolean } | string | number | boolean
export type RequestSource = {
  readonly http?: string
  readonly reads?: boolean
  readonly query?: FieldsSource
  readonly headers?: FieldsSource
  readonly body?: readonly FieldSource[] | { readonly [name: string]: TemplateSource } | string
  readonly form?: FieldsSource
  readonly multipart?: { readonly [name: string]: MultipartPartSource }
  readonly related?: readonly {
    readonly json?: TemplateSource
    readonly base64?: string
    readonly type?: string
  }[]
  readonly graphql?: { readonly query: string; readonly variables?: FieldsSource }
  readonly text?: { readonly type: string; readonly value: string }
  readonly bytes?: { readonly base64: string; readonly type?: string }
  readonly mcp?: string | { readonly tool: string; readonly arguments?: FieldsSource }
  readonly auth?: 'same' | 'none'
  readonly redirects?: number
  readonly timeout?: string
}
export type ResponseSource = {
  readonly decode?: 'json' | 'jsonl' | 'csv' | 'xml' | 'text' | 'none' | 'content'
  readonly unpack?: readonly ('gzip' | 'zip')[]
  readonly records?: string
  readonly record?: string
  readonly page?: string
  readonly single?: true
  readonly keyed?: string
  readonly grouped?: string
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
  readonly problems?: {
    readonly each: string
    readonly field: string
    readonly message?: string
    readonly code?: string
  }
}
export type RetrySource = {
  readonly attempts?: number
  readonly on?: readonly (number | 'network' | 'timeout')[]
  readonly wait?: readonly {
    readonly when?: AnswerTestsSource
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
  readonly decode?: 'json' | 'jsonl' | 'csv' | 'xml' | 'text' | 'none'
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
export type UploadSource = {
  readonly file: string
  readonly address: string
  readonly auth?: 'none' | 'same'
  readonly without_size?: boolean
  readonly received: {
    readonly offset?: string
    readonly range?: string
    readonly expected?: string
  }
  readonly chunk: {
    readonly method: 'PUT' | 'PATCH' | 'POST'
    readonly size?: string
    readonly headers: FieldsSource
    readonly more: readonly StatusSource[] | StatusSource
  }
  readonly ask: {
    readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST'
    readonly headers?: FieldsSource
    readonly more: readonly StatusSource[] | StatusSource
    readonly on?: readonly StatusSource[] | StatusSource
  }
}
export type ActionSource = {
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean | string
  readonly deprecated_since?: string
  readonly sunset?: string
  readonly untested?: string
  readonly scopes?: readonly string[]
  readonly shared?: readonly string[]
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
  readonly upload?: UploadSource
  readonly for_each?: {
    readonly action: string
    readonly if?: string
    readonly params?: TemplateMapSource
    readonly into: string
    readonly append?: true
    readonly max?: number
  }
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
    readonly upload?: ActionSource
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
export type WebhooksSource = {
  readonly verify: {
    readonly sign?: {
      readonly alg:
        | 'hmac_sha1'
        | 'hmac_sha256'
        | 'hmac_sha384'
        | 'hmac_sha512'
        | 'rsa_sha1'
        | 'rsa_sha256'
        | 'rsa_sha512'
        | 'ecdsa_sha256'
        | 'ed25519'
        | 'md5'
        | 'sha1'
        | 'sha256'
        | 'sha512'
      readonly key?: string
      readonly key_encoding?: 'text' | 'hex' | 'base64'
      readonly of: string
      readonly body_hash?: {
        readonly alg?: 'md5' | 'sha1' | 'sha256' | 'sha512'
        readonly encoding?: 'hex' | 'base64' | 'base64url'
      }
      readonly timestamp?: 'epoch_s' | 'epoch_ms' | 'iso' | 'iso_s' | 'http'
      readonly encoding?: 'hex' | 'base64' | 'base64url'
      readonly separator?: string
      readonly headers?: TemplateMapSource
      readonly query?: TemplateMapSource
    }
    readonly token?: {
      readonly header?: string
      readonly query?: string
      readonly body?: string
      readonly value: string
    }
    readonly window?: string
  }
  readonly challenges?: readonly {
    readonly when: {
      readonly method?: 'GET' | 'POST'
      readonly header?: { readonly [name: string]: MatcherSource }
      readonly query?: { readonly [name: string]: MatcherSource }
      readonly body?: BodyTestsSource
    }
    readonly verify?: false
    readonly token?: {
      readonly header?: string
      readonly query?: string
      readonly body?: string
      readonly value: string
    }
    readonly answer: {
      readonly text?: string
      readonly json?: TemplateSource
      readonly headers?: TemplateMapSource
    }
  }[]
  readonly subscribe?: {
    readonly if?: string
    readonly create: {
      readonly request: RequestSource
      readonly store?: { readonly [name: string]: string }
      readonly ttl?: string
      readonly expires?: string
      readonly repeatable?: boolean
    }
    readonly find?: {
      readonly request: RequestSource
      readonly from: string
      readonly pagination?: PaginationSource
      readonly match: { readonly [name: string]: string }
      readonly store?: { readonly [name: string]: string }
    }
    readonly renew?: {
      readonly request: RequestSource
      readonly ttl?: string
      readonly expires?: string
    }
    readonly delete: RequestSource
  }
  readonly each?: string
  readonly id?: string
  readonly type?: string
  readonly route?: { readonly [name: string]: string }
  readonly map?: readonly {
    readonly when?: {
      readonly type?: MatcherSource
      readonly header?: { readonly [name: string]: MatcherSource }
      readonly query?: { readonly [name: string]: MatcherSource }
      readonly body?: BodyTestsSource
    }
    readonly entity: string
    readonly get?: { readonly [name: string]: string }
    readonly record?: string
    readonly params?: { readonly [name: string]: string }
    readonly removed?: string | readonly string[]
  }[]
}
/** What the blocks resolve to. A key that says nothing is left out where the author does. */
export interface Resolved {
  readonly connector: {
    /** Name of the connector in calls and of the file, for example facebook-marketing. */
    readonly type: string

    /** Name for people. */
    readonly title: string

    /** Semantic version of this connector, for example 1.0.0. Write it in quotes when YAML takes it for a number. */
    readonly version: string

    /** Address of the vendor's API documentation. */
    readonly docs: string | null

    /** Where the vendor tells the public whether its service is up; shown where a failure is the vendor's. Nothing is ever sent there. */
    readonly statusPage?: string

    /** What the connector reaches. */
    readonly description: string | null

    /** The picture of the connector for people. Absent: letters and a colour that follow from its type. */
    readonly icon?: {
      /** One letter or two. */
      readonly letters: string

      /** Their colour, as its place on the colour wheel in degrees. Absent: one that follows from the type. */
      readonly hue?: number
    }

    /** Other names of the connector in requests, such as the id that a registry of connectors gives it: without regard to case. Answers never use them. */
    readonly aliases?: readonly string[]
  }
  readonly server: {
    /** Base URL, a template, or several: the first one with no absent part is used. */
    readonly urls: readonly Kinds['text'][]

    /** Hosts that a rendered URL may name (*. for any depth), or any when the customer runs the server. Needed as soon as a host is not literal. */
    readonly hosts: 'any' | readonly string[]

    /** Headers of every call. */
    readonly headers: Kinds['headers']
  }
  readonly check: {
    /** Entity of the action to call. */
    readonly entity?: string

    /** Action to call. */
    readonly action?: ActionName

    /** Its parameters; templates may use config and now. */
    readonly params: Kinds['template']

    /** A request to an endpoint that is no action. */
    readonly request?: Kinds['request']
  }
  readonly request: {
    /** true: the vendor changes nothing by this PUT, PATCH or DELETE, or by this tool. An action that reads, and the check, need it for such a method and for every tool. */
    readonly reads?: Kinds['ifTrue']

    /** Query: a list of parameter names and { wire_name: template } entries, or one map. */
    readonly query: Kinds['fields']

    /** JSON body: a list of parameter names and { name: template } entries, a map, or one expression. */
    readonly body?: Kinds['json']

    /** Body of a form: a list of parameter names and { wire_name: template } entries, or one map. */
    readonly form?: Kinds['fields']

    /** Body of parts: part name mapped to a template or to { base64, filename, type }. */
    readonly multipart?: Kinds['parts']

    /** Body as multipart/related, in this order: { json } or { base64, type }. */
    readonly related?: readonly {
      /** A part in JSON. */
      readonly json?: Kinds['template']

      /** A file: a parameter of format binary, or base64 text. */
      readonly base64?: Kinds['template']

      /** Content type of the file. */
      readonly type?: Kinds['template']
    }[]

    /** A GraphQL call, sent as JSON. */
    readonly graphql?: {
      /** The query; parameters go in by variables. */
      readonly query: Kinds['blocks']

      /** Variables: a list of parameter names and { name: template } entries, or one map. */
      readonly variables: Kinds['json']
    }

    /** A body of text in which every printed expression passes xml, json or urlencode. */
    readonly text?: {
      /** Content type, for example text/xml. */
      readonly type: string

      /** The text, a template with blocks. */
      readonly text: Kinds['blocks']
    }

    /** A body of nothing but the bytes of a file. */
    readonly bytes?: {
      /** The file: a parameter of format binary, or base64 text. */
      readonly base64: Kinds['template']

      /** Its content type; that of the file when left out, else application/octet-stream. */
      readonly type?: Kinds['template']
    }

    /** A tool of a server of the Model Context Protocol, by its name, or with its arguments; without them all parameters of the action are sent under their own names. */
    readonly mcp?: Kinds['tool']

    /** Whether credentials are applied. same by default, none in a session. */
    readonly auth?: 'same' | 'none'

    /** How many redirects may be followed. */
    readonly redirects: number

    /** Time of one attempt; 30s when left out. */
    readonly timeoutMs?: Kinds['duration']
  }
  readonly limits: {
    /** One rate or several that all hold, for example 3/s or [3/s, 10000/d]. */
    readonly rates: readonly Kinds['rate'][]

    /** Requests at the same time. */
    readonly concurrency: number | null

    /** Whether the limits hold for one instance or for all of this connector together. A wait that the vendor asks for closes the same. */
    readonly per: 'instance' | 'connector'

    /** Limits that the vendor keeps for less than that. A wait that it asks for then closes only what has the same value; the first one whose tests hold decides. */
    readonly narrow?: readonly {
      /** What must all hold of the answer that asks for the wait. Always when left out. */
      readonly when: Resolved['answerTests']

      /** The parameter whose value the limit is for. Actions without it are not concerned. */
      readonly per?: string

      /** The limit is for each method and path of a request on its own, whatever it is called with. */
      readonly endpoint?: true

      /** Only requests that change something, of actions that change records, are limited so. */
      readonly writes: boolean
    }[]
  }
  readonly authMethod: {
    /** Name for people. */
    readonly title: string | null

    /** How to get these credentials. */
    readonly description: string | null

    /** Where the vendor tells users how to get these credentials; the connect page links it. */
    readonly docs: string | null

    /** Schema of the credentials. Closed. An instance uses the method whose schema its credentials satisfy. Left out with apply: none. */
    readonly credentials: Kinds['input']

    /** Replaces the base URL for instances that use this method. */
    readonly server?: {
      /** Base URL, a template, or several: the first one with no absent part is used. */
      readonly urls: readonly Kinds['text'][]
    }

    /** Settings computed from credentials when an instance is created, config.name mapped to a template. */
    readonly derive: readonly {
      readonly setting: Kinds['member']
      readonly value: Kinds['template']
    }[]

    /** How the credentials go into a request; none: the API is called without any. */
    readonly apply: {
      /** HTTP Basic. */
      readonly basic: {
        /** Template of the user name. */
        readonly username: Kinds['template']

        /** Template of the password. */
        readonly password: Kinds['template']
      } | null

      /** Template of the token in Authorization. */
      readonly bearer: Kinds['template'] | null

      /** Headers that carry credentials. */
      readonly headers: Kinds['headers']

      /** Query parameters that carry credentials. */
      readonly query: Kinds['entries']

      /** A signature over the request as it leaves, made for each attempt. */
      readonly sign?: {
        /** How it is made. md5 to sha512 hash what of says and take no key. */
        readonly alg:
          | 'hmac_sha1'
          | 'hmac_sha256'
          | 'hmac_sha384'
          | 'hmac_sha512'
          | 'rsa_sha1'
          | 'rsa_sha256'
          | 'rsa_sha512'
          | 'ecdsa_sha256'
          | 'ed25519'
          | 'md5'
          | 'sha1'
          | 'sha256'
          | 'sha512'

        /** Template of the key: the secret of an HMAC, else a private key in PEM. */
        readonly key: Kinds['template'] | null

        /** How the text of the key stands for its bytes; of private keys, text is PEM, the others PKCS #8 or the 32 bytes of Ed25519. */
        readonly keyEncoding: 'text' | 'hex' | 'base64'

        /** What is signed: a text with request.method, url, host, path, query, sorted_query, headers, body, body_hash, timestamp and nonce, in any order. */
        readonly of: Kinds['text']

        /** How request.body_hash is made; without a body, of none. */
        readonly bodyHash: {
          /** Hash function. */
          readonly alg: 'md5' | 'sha1' | 'sha256' | 'sha512'

          /** How the hash is written. */
          readonly encoding: 'hex' | 'base64' | 'base64url'
        }

        /** How request.timestamp is written. */
        readonly timestamp: 'epoch_s' | 'epoch_ms' | 'iso' | 'iso_s' | 'http'

        /** How request.nonce is written: 32 hex digits, or a UUID. */
        readonly nonce: 'hex' | 'uuid'

        /** How the signature is written. */
        readonly encoding: 'hex' | 'base64' | 'base64url'

        /** Headers with the signature and what the vendor needs to check it. Those without signature are there when it is made. */
        readonly headers: Kinds['headers']

        /** The same in query parameters. */
        readonly query: Kinds['entries']
      }

      /** The signature of Amazon's services (Signature Version 4) in Authorization, made for each attempt. */
      readonly aws_v4?: {
        /** Template of the access key id. */
        readonly accessKeyId: Kinds['template']

        /** Template of the secret access key. */
        readonly secretAccessKey: Kinds['template']

        /** Template of the token of temporary credentials; absent: they last. */
        readonly sessionToken: Kinds['template'] | null

        /** Template of the region, such as us-east-1. */
        readonly region: Kinds['template']

        /** Template of the service, such as execute-api. */
        readonly service: Kinds['template']

        /** s3: the path is signed as it travels, and x-amz-content-sha256 says the hash of the body. */
        readonly variant: 'general' | 's3'
      }

      /** The signature of OAuth 1.0a (RFC 5849) in Authorization, made for each attempt. */
      readonly oauth1?: {
        /** How it is made. */
        readonly alg: 'hmac_sha1' | 'hmac_sha256' | 'hmac_sha512' | 'rsa_sha1' | 'rsa_sha256'

        /** Template of the key of the application. */
        readonly consumerKey: Kinds['template']

        /** Template of the secret of the application; with RSA, of its private key in PEM. */
        readonly consumerSecret: Kinds['template']

        /** Template of the token; left out: the application calls for itself. */
        readonly token: Kinds['template'] | null

        /** Template of the secret of the token. */
        readonly tokenSecret: Kinds['template'] | null

        /** Template of the realm, such as the number of an account. */
        readonly realm: Kinds['template'] | null

        /** Whether oauth_body_hash holds the hash of a body that is no form. */
        readonly bodyHash: boolean
      }

      /** A client certificate that every connection shows, to the token endpoint and the login, too. */
      readonly tls?: {
        /** Template of the certificate in PEM, those of its authorities behind it. */
        readonly certificate: Kinds['template']

        /** Template of its private key in PEM. */
        readonly key: Kinds['template']

        /** Template of the passphrase of the key, if it is encrypted. */
        readonly passphrase?: Kinds['template']
      }
    }

    /** A JSON Web Token made of a key, as {{ jwt }} in apply, session and oauth2; a new one for each request. */
    readonly jwt?: {
      /** How it is signed. */
      readonly alg:
        | 'HS256'
        | 'HS384'
        | 'HS512'
        | 'RS256'
        | 'RS384'
        | 'RS512'
        | 'PS256'
        | 'ES256'
        | 'ES384'
        | 'EdDSA'

      /** Template of the key: the secret of HS256 to HS512, else a private key in PEM. */
      readonly key: Kinds['template']

      /** How the text of the key stands for its bytes; of private keys, text is PEM, the others PKCS #8 or the 32 bytes of Ed25519. */
      readonly keyEncoding: 'text' | 'hex' | 'base64'

      /** Members of its header in addition to alg and typ, kid for example. */
      readonly header: Kinds['template']

      /** Its claims in addition to iat and exp, which they may replace. */
      readonly claims: Kinds['template']

      /** How long it is good: exp is iat and this. */
      readonly ttlMs: Kinds['duration']
    }

    /** A login request that comes before the calls. */
    readonly session: {
      /** The login; credentials are applied to it only when auth says same. */
      readonly request?: Kinds['login']

      /** How the answer is read, json when left out; text: the whole answer is the value at $. */
      readonly decode?: 'json' | 'text'

      /** What to keep of the answer, session.name mapped to a path; $headers and $cookies too. */
      readonly store?: Kinds['store']

      /** A login of several requests, in order; what one keeps is there for the next. */
      readonly steps?: readonly {
        /** One request; credentials are applied to it only when auth says same. */
        readonly request: Kinds['login']

        /** How the answer is read, json when left out; text: the whole answer is the value at $. */
        readonly decode?: 'json' | 'text'

        /** What to keep of its answer, session.name mapped to a path; $headers and $cookies too. */
        readonly store: Kinds['store']
      }[]

      /** How long the session lasts. */
      readonly ttlMs: Kinds['duration'] | null

      /** Where the answer says when the session ends. */
      readonly expires: Kinds['path'] | null
    } | null

    /** How access tokens are got and renewed. */
    readonly oauth2: Kinds['oauth2'] | null

    /** How a user gives a token of OAuth 1.0a. Its requests are signed as calls are, by the oauth1 of apply. */
    readonly oauth1?: {
      /** The client of the first consent is good for this one, too: the connect page offers both. */
      readonly sameClient?: true

      /** The request of a temporary token (RFC 5849 section 2.1). */
      readonly requestToken: {
        /** Its address. */
        readonly url: Kinds['text']

        /** HTTP method of the request. */
        readonly method: 'GET' | 'POST'

        /** Headers of the request. */
        readonly headers: Kinds['headers']

        /** Further parameters of the request, signed with it: a form, with GET the query. */
        readonly params: Kinds['entries']

        /** Where the answer, a form or JSON, holds the token, if not in oauth_token. */
        readonly token?: Kinds['path']

        /** Where it holds the secret of the token, if not in oauth_token_secret. */
        readonly tokenSecret?: Kinds['path']
      }

      /** The consent page. */
      readonly authorize: {
        /** Its address. */
        readonly url: Kinds['text']

        /** How the vendor takes the address that the user comes back to. confirmed: with the request of the temporary token, whose answer says oauth_callback_confirmed. unconfirmed: its answer may say nothing. page: once more as parameter oauth_callback of the page, and its answer may say nothing. */
        readonly callback: 'confirmed' | 'unconfirmed' | 'page'

        /** Further parameters of the consent page. */
        readonly params: Kinds['entries']

        /** Values of the address that the consent page leads back to, config.name mapped to $callback.name. Kept before the token is asked for. */
        readonly store?: Kinds['store']
      }

      /** The request of the token (RFC 5849 section 2.3). */
      readonly accessToken: {
        /** Its address. */
        readonly url: Kinds['text']

        /** HTTP method of the request. */
        readonly method: 'GET' | 'POST'

        /** Headers of the request. */
        readonly headers: Kinds['headers']

        /** Further parameters of the request, signed with it: a form, with GET the query. */
        readonly params: Kinds['entries']

        /** Where the answer, a form or JSON, holds the token, if not in oauth_token. */
        readonly token?: Kinds['path']

        /** Where it holds the secret of the token, if not in oauth_token_secret. */
        readonly tokenSecret?: Kinds['path']
      }

      /** Further values of the answer with the token to keep, for example config.user_id mapped to $.user_id. */
      readonly store: Kinds['store']
    }

    /** Requests that finish a connection of a method without oauth2, which has its own. */
    readonly afterToken?: readonly {
      /** consent: right after the code exchange. connect: when the instance is created, or at the first call if what it stores is absent. */
      readonly on: 'connect' | 'consent'

      /** Made only when this is true. */
      readonly test: Kinds['expression'] | null

      /** The request. */
      readonly request: Kinds['request']

      /** Takes one element of a list in the answer. */
      readonly choose: {
        /** Where the list lies. */
        readonly from: Kinds['path']

        /** The element whose paths equal these templates; when one is incomplete, the only element. */
        readonly match: readonly { readonly at: Kinds['path']; readonly value: Kinds['text'] }[]

        /** What an element is called when the user must choose. */
        readonly label: Kinds['path']
      } | null

      /** What to keep of the element or the answer, config.name or credentials.name mapped to a path. */
      readonly store: Kinds['store']
    }[]

    /** Asks the vendor to end what the credentials gave, once, when an instance is deleted. */
    readonly revoke?: Kinds['request']
  }
  readonly oauth2: {
    /** How the first token is got. */
    readonly grant: 'authorization_code' | 'client_credentials' | 'password' | 'jwt_bearer'

    /** registered: the service registers a client for itself (RFC 7591), where the operator gives none. */
    readonly client?: 'registered'

    /** The client of the first consent is good for this one, too: the connect page offers both. */
    readonly sameClient?: true

    /** How the operator of a service gets a client at the vendor (there often called an app), in words of the vendor's own documents. */
    readonly app?: {
      /** Where it is made, or where the vendor tells how. */
      readonly url?: string

      /** What to do there, in order, a sentence or two each, without the redirect address and the scopes themselves: which kind of app, where both are entered, what id and secret are called, and how others than its maker can use it. */
      readonly steps?: readonly string[]
    }

    /** Where a client is registered. */
    readonly register?: {
      /** Its address. */
      readonly url: Kinds['text']

      /** What the client is called on the consent page. */
      readonly name?: string
    }

    /** The consent page of authorization_code. */
    readonly authorize: {
      /** Its address. */
      readonly url: Kinds['text']

      /** Scopes that are asked for beside those of the actions. */
      readonly scopes: readonly string[]

      /** What this method calls scopes of actions, where methods have other names for them; null: its tokens cannot have it. */
      readonly scopeNames?: { readonly [name: string]: string | null }

      /** What a scope allows, in words for the people who agree; by the name that this method asks for. */
      readonly scopeTitles?: { readonly [name: string]: string }

      /** What stands between scopes. */
      readonly separator: string

      /** Whether the vendor takes a code challenge. */
      readonly pkce: boolean

      /** The issuer that every answer of the consent page names as iss (RFC 9207); another one, or none, is refused. */
      readonly issuer?: string

      /** Further parameters of the consent page. */
      readonly params: Kinds['entries']

      /** How the vendor calls parameters of its consent page, and of the address that it leads back to, where it does not use the names of OAuth 2.0. */
      readonly names?: {
        /** Instead of response_type. */
        readonly responseType?: string

        /** Instead of client_id. */
        readonly clientId?: string

        /** Instead of redirect_uri. */
        readonly redirectUri?: string

        /** Instead of scope. */
        readonly scope?: string

        /** Instead of state, there and in the address that it leads back to. */
        readonly state?: string

        /** Instead of code, in the address that it leads back to. */
        readonly code?: string
      }

      /** Values of the address that the consent page leads back to, config.name mapped to $callback.name. Kept before the code is exchanged. */
      readonly store?: Kinds['store']
    } | null

    /** The token endpoint. */
    readonly token: {
      /** Its address. */
      readonly url: Kinds['text']

      /** HTTP method of token requests. */
      readonly method: 'GET' | 'POST'

      /** Where the client id and secret go. */
      readonly clientAuth: 'basic' | 'body' | 'query' | 'none' | 'private_key_jwt'

      /** Encoding of the body. */
      readonly body: 'form' | 'json'

      /** Headers of token requests. */
      readonly headers: Kinds['headers']

      /** Further parameters of the first token request (code or client credentials). */
      readonly params: Kinds['entries']

      /** Where the answer holds the access token, if not at the top; its token_type is not looked at then. */
      readonly accessToken?: Kinds['path']

      /** Where the answer holds the refresh token, if not at the top. */
      readonly refreshToken?: Kinds['path']

      /** Where the answer says when the access token ends, if not in expires_in: seconds of life, a time since 1970 in seconds or milliseconds, or an ISO time. */
      readonly expires?: Kinds['path']

      /** What the vendor's own words in error of a token answer mean, as codes of OAuth: bad_refresh_token mapped to invalid_grant, which only a new consent mends. Other words are an error that may pass. */
      readonly errors?: {
        readonly [name: string]:
          | 'invalid_request'
          | 'invalid_client'
          | 'invalid_grant'
          | 'unauthorized_client'
          | 'unsupported_grant_type'
          | 'invalid_scope'
          | 'access_denied'
          | 'server_error'
          | 'temporarily_unavailable'
          | 'slow_down'
      }
    }

    /** What differs from token when a token is refreshed; false when the vendor has no refresh token. */
    readonly refresh:
      | false
      | {
          /** Address of the refresh. */
          readonly url?: Kinds['text']

          /** Further parameters of the refresh. */
          readonly params: Kinds['entries']

          /** Where the answer to a refresh holds the access token, if not where token.access_token says. */
          readonly accessToken?: Kinds['path']

          /** Where it holds the refresh token, if not where token.refresh_token says. */
          readonly refreshToken?: Kinds['path']

          /** Where it says when the access token ends, if not where token.expires says. */
          readonly expires?: Kinds['path']
        }

    /** Every refresh brings a new refresh token and spends the old one. */
    readonly rotatesRefreshToken: boolean

    /** How long a spent refresh token still works. */
    readonly reuseGraceMs: Kinds['duration'] | null

    /** Further values of the token answer to keep, for example config.api_base_url mapped to a path. */
    readonly store: Kinds['store']

    /** Requests that finish a connection. */
    readonly afterToken: readonly {
      /** consent: right after the code exchange. connect: when the instance is created, or at the first call if what it stores is absent. */
      readonly on: 'connect' | 'consent'

      /** Made only when this is true. */
      readonly test: Kinds['expression'] | null

      /** The request. */
      readonly request: Kinds['request']

      /** Takes one element of a list in the answer. */
      readonly choose: {
        /** Where the list lies. */
        readonly from: Kinds['path']

        /** The element whose paths equal these templates; when one is incomplete, the only element. */
        readonly match: readonly { readonly at: Kinds['path']; readonly value: Kinds['text'] }[]

        /** What an element is called when the user must choose. */
        readonly label: Kinds['path']
      } | null

      /** What to keep of the element or the answer, config.name or credentials.name mapped to a path. */
      readonly store: Kinds['store']
    }[]
  }
  readonly response: {
    /** How the body is read; content: the result of a tool as it came. */
    readonly decode: 'json' | 'jsonl' | 'csv' | 'xml' | 'text' | 'none' | 'content'

    /** How the body is packed, undone in this order before it is read: [gzip], [zip], [zip, gzip]. */
    readonly unpack?: readonly ('gzip' | 'zip')[]

    /** Where the record array lies. */
    readonly records?: Kinds['path']

    /** Where the record lies; $ when left out. */
    readonly record?: Kinds['path']

    /** Deliver this object as data instead of the bare array; the records inside it are still processed. */
    readonly page: Kinds['path'] | null

    /** The value at records is one object, delivered as a list of one. */
    readonly single: boolean

    /** The value at records is an object whose members are the records: the name of each is kept in its record, as the member that is named here. */
    readonly keyed?: string

    /** The value at records is an object of lists of records: the name of each list is kept in its records, as the member that is named here. */
    readonly grouped?: string

    /** What it means when the record array is absent or null. */
    readonly missing: 'fail' | 'empty'

    /** Record path mapped to a parameter: keeps the records that have its value (or one of them), when it is given. */
    readonly where: readonly {
      readonly record: Kinds['recordPath']
      readonly param: Kinds['param']
    }[]

    /** Keeps the records for which this is true. */
    readonly keep: Kinds['expression'] | null

    /** Top-level members to add or replace in every record. */
    readonly set: readonly (readonly [Kinds['name'], Kinds['template']])[]

    /** Members to remove from every record. */
    readonly drop: readonly Kinds['recordPath'][]
  }
  readonly pagination: {
    /** What moves from one page to the next. */
    readonly type: 'cursor' | 'page' | 'offset' | 'link' | 'none'

    /** The parameter that moves. */
    readonly param?: Kinds['param']

    /** The parameter that holds the page size. */
    readonly size: Kinds['param'] | null

    /** Where the next cursor or link lies. */
    readonly next?: Kinds['path']

    /** Value that is sent when the caller gives none. */
    readonly first?: string | number

    /** true: the first page is asked for without param, also where the caller gives its number. */
    readonly omitFirst?: true

    /** Path or tests: whether there is another page. */
    readonly more: Kinds['flag'] | null

    /** Path or tests: whether this was the last page. */
    readonly last: Kinds['flag'] | null

    /** Number of all records. */
    readonly total?: Kinds['path']

    /** Number of pages. */
    readonly pages?: Kinds['path']

    /** short_page: a page shorter than size is the last. */
    readonly stop: 'empty_page' | 'short_page'

    /** true: the vendor's last page says nothing (no next, no more), also where it is the first page, and is not doubted. */
    readonly silentEnd?: Kinds['ifTrue']

    /** Further parameters of the next call. */
    readonly carry: readonly (readonly [Kinds['param'], Kinds['template']])[]

    /** Names of meta mapped to paths, constants or maps of these; a name with ? is left out when nothing is found. */
    readonly meta: Kinds['picks']

    /** meta when an error rule said empty. */
    readonly emptyMeta: Kinds['picks']

    /** Why everything comes at once. */
    readonly reason?: string
  }
  readonly errorRule: {
    /** A status, a class as 4xx, or a list of these. */
    readonly status: readonly Kinds['status'][]

    /** Paths mapped to a value, a list of values, or tests. */
    readonly body: Kinds['tests']

    /** Header names mapped to a value, a list of values, or tests. */
    readonly headers: readonly {
      readonly name: Kinds['headerName']
      readonly test: Kinds['test']
    }[]

    /** What happens. */
    readonly effect:
      | 'fail'
      | 'empty'
      | 'retry'
      | 'ok'
      | 'refresh_auth'
      | 'reauthorize'
      | 'restart_pagination'
      | 'shrink_page'

    /** Class of the error. */
    readonly as:
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
      | null

    /** What is known about a write. */
    readonly outcome: 'not_applied' | 'applied' | 'uncertain' | null

    /** Text of the error; a template over response. */
    readonly message: Kinds['template'] | null
  }
  readonly answerTests: {
    /** A status, a class as 4xx, or a list of these. */
    readonly status: readonly Kinds['status'][]

    /** Paths mapped to a value, a list of values, or tests. */
    readonly body: Kinds['tests']

    /** Header names mapped to a value, a list of values, or tests. */
    readonly headers: readonly {
      readonly name: Kinds['headerName']
      readonly test: Kinds['test']
    }[]
  }
  readonly errorBody: {
    /** Text of the error; a template over response. */
    readonly message: Kinds['template'] | null

    /** Where the vendor's error code lies. */
    readonly code: Kinds['path'] | null

    /** Where the id of the request lies. Without it, a header that is named like one has it. */
    readonly requestId: Kinds['path'] | null

    /** Where a map of field to text lies. */
    readonly fields: Kinds['path'] | null

    /** Where single problems lie that name their field: Stripe's error, GitHub's errors. */
    readonly problems?: {
      /** Where they lie: one, or every element with [*]. The paths below begin at each of them. */
      readonly each: Kinds['path']

      /** Where its field lies; without one it is none of a field. */
      readonly field: Kinds['path']

      /** Where its text lies. */
      readonly message?: Kinds['path']

      /** Where its code lies, which is told where it has no text. */
      readonly code?: Kinds['path']
    }
  }
  readonly retry: {
    /** All attempts, the first included; 3 when left out. */
    readonly attempts: number

    /** Statuses, network and timeout; 429, 502, 503, 504, network and timeout when left out. */
    readonly on: readonly (number | 'network' | 'timeout')[]

    /** How long to wait, tried from left to right; Retry-After, then exponential from 500ms to 8s when left out. */
    readonly wait: readonly Kinds['wait'][]

    /** A longer wait is not made. */
    readonly maxWaitMs: Kinds['duration'] | null

    /** May be sent again although the outcome of the first attempt is unknown. */
    readonly idempotent: boolean

    /** Header that carries one value per operation; makes the action idempotent. */
    readonly idempotencyKey: string | null
  }
  readonly step: {
    /** Name, for steps.name in later templates. */
    readonly name: string

    /** Skipped unless this is true. */
    readonly test: Kinds['expression'] | null

    /** The request. */
    readonly request: Kinds['request']

    /** Listings only: where the record array lies when this step ran last, instead of at response.records. */
    readonly records?: Kinds['path']

    /** How the answer of this step is read, if not as response.decode says (the last step) or as JSON (those before it). */
    readonly decode?: 'json' | 'jsonl' | 'csv' | 'xml' | 'text' | 'none'

    /** Error rules that come before those of the action. */
    readonly errors: readonly Resolved['errorRule'][]

    /** Repeats the request until the answer says that it is finished. */
    readonly poll: {
      /** Finished when these tests hold. */
      readonly until: Kinds['tests']

      /** Failed when these tests hold. */
      readonly failed: Kinds['tests'] | null

      /** Time between two requests. */
      readonly everyMs: Kinds['duration']

      /** Time in all. */
      readonly timeoutMs: Kinds['duration']

      /** Where the answer says how far it is. */
      readonly progress: Kinds['path'] | null
    } | null
  }
  readonly download: {
    /** Where the file's address lies; left out: the answer is the file. */
    readonly url: Kinds['path'] | null

    /** The parameter that becomes the Range header. */
    readonly range: Kinds['param'] | null

    /** Content types of the file, for example audio/*. */
    readonly types: readonly string[]

    /** Whether credentials are applied to the request for the file. */
    readonly auth: 'none' | 'same'

    /** Headers of the request for the file. */
    readonly headers: Kinds['headers']

    /** How many redirects may be followed. */
    readonly redirects: number

    /** What is said when the answer holds no address. */
    readonly missing: string
  }
  readonly upload: {
    /** The parameter that is the file. */
    readonly file: Kinds['param']

    /** Where the answer of request has the address that the parts are sent to. */
    readonly address: Kinds['path']

    /** Whether credentials are applied to what is sent to the address. */
    readonly auth: 'none' | 'same'

    /** true: the vendor takes a file whose size is known only at its end. Left out, such a file is refused. */
    readonly withoutSize?: Kinds['ifTrue']

    /** How the vendor says which bytes it has, in answers with a status of more. */
    readonly received: { readonly kind: Kinds['name']; readonly at: Kinds['path'] }

    /** The request that carries a part of the file. */
    readonly chunk: {
      /** Its method. */
      readonly method: 'PUT' | 'PATCH' | 'POST'

      /** Bytes of a part, the last one excepted: 8MiB, 320KiB; at most 16MiB, since a part is held in memory. */
      readonly size: Kinds['byteCount']

      /** Its headers, over upload.from, upload.to, upload.size and upload.total. */
      readonly headers: Kinds['headers']

      /** Statuses by which the vendor says that it waits for more; with any other success the file is complete. */
      readonly more: readonly Kinds['status'][]
    }

    /** The request that asks which bytes have arrived, after a part broke off. */
    readonly ask: {
      /** Its method. */
      readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST'

      /** Its headers, over upload.size and upload.total. */
      readonly headers: Kinds['headers']

      /** Statuses by which the vendor says which bytes it has; with any other success the file is complete. */
      readonly more: readonly Kinds['status'][]

      /** Statuses of a part after which it is asked, too: the part began where the vendor did not expect it. */
      readonly on: readonly Kinds['status'][]
    }
  }
  readonly action: {
    /** What it does in a few words. */
    readonly summary: string | null

    /** What the caller must know. */
    readonly description: string | null

    /** true, or what to use instead. */
    readonly deprecated: boolean | string

    /** The day, in UTC, since which it is deprecated; goes with deprecated. Answers of a service carry it (RFC 9745). */
    readonly deprecatedSince?: string

    /** The day, in UTC, on which it is expected to stop working; goes with deprecated. Answers of a service carry it (RFC 8594). */
    readonly sunset?: string

    /** Why no recording covers this action. */
    readonly untested: string | null

    /** OAuth scopes that it needs. */
    readonly scopes: readonly string[]

    /** Schema of the parameters. Closed; left out: none. */
    readonly params: Kinds['input']

    /** Combinations of parameters that are refused before anything is sent. */
    readonly refuse: readonly {
      /** Refused when this is true. */
      readonly test: Kinds['expression']

      /** The parameters at fault. */
      readonly params: readonly Kinds['param'][]

      /** What the caller must do. */
      readonly message: string
    }[]

    /** Parameters that are accepted without effect, mapped to the reason. */
    readonly unsent: Kinds['unsent']

    /** The request. */
    readonly request?: Kinds['request']

    /** Schema of data, or of one listed record, when it is not the entity's record. */
    readonly result: Kinds['schema'] | null

    /** Error rules; the first that matches wins. */
    readonly errors: readonly Resolved['errorRule'][]

    /** How the file is sent in parts to an address that the answer of request names; a part that breaks off is gone on with. */
    readonly upload?: Resolved['upload']

    /** Another action that is called for each record of the answer; what it gives becomes a member of the record. */
    readonly forEach?: {
      /** The entity and the action, for example order_lines.list. It only reads. */
      readonly action: string

      /** The records for which it is called, over record and params; all when left out. */
      readonly if: Kinds['expression'] | null

      /** Its parameters; templates over record and params. */
      readonly params: Kinds['template']

      /** The member of the record that gets the answer: the records of all pages of a listing, else the record. */
      readonly into: string

      /** The records come behind those that the member has. */
      readonly append: boolean

      /** Calls for one answer at most, pages included. */
      readonly max: number
    }

    /** Another entity whose record this write changes. */
    readonly touches: string | null
  }
  readonly entity: {
    /** Name for people. */
    readonly title: string | null

    /** What one record is. */
    readonly description: string | null

    /** Schema of one record. Open. */
    readonly record: Kinds['schema'] | null

    /** Records, for documentation and the sandbox. */
    readonly examples: readonly JsonObject[]
  }
  readonly search: {
    /** Fields that the listing leaves empty, mapped to the reason. */
    readonly unfilled: { readonly [name: string]: string }

    /** What should be fast. */
    readonly index: {
      /** Paths inside records that are sorted and compared, as if they were fields. */
      readonly order: FieldNamesSource

      /** Short text fields for like. */
      readonly substring: FieldNamesSource

      /** Members whose text is not searched. */
      readonly noWords: FieldNamesSource
    }
  }
  readonly sync: {
    /** Interval of the runs. */
    readonly everyMs: Kinds['duration'] | null

    /** Name or path that every record has, or a list of them. */
    readonly primaryKey: readonly Kinds['recordPath'][]

    /** The action that reads the records. */
    readonly action: Giving<'list'>

    /** Its parameters; templates may use cursor, parent and config. */
    readonly params: Kinds['template']

    /** The time by which the copy advances. */
    readonly cursor: {
      /** Where a record keeps that time. */
      readonly field: Kinds['recordPath']

      /** The parameter that takes the start. */
      readonly since: Kinds['param'] | null

      /** The parameter that takes the end. */
      readonly until: Kinds['param'] | null

      /** How the bounds are written: iso (in UTC) when left out, epoch_s, epoch_ms, or letters as in date. */
      readonly format: string

      /** The vendor's end belongs to the range. */
      readonly inclusive: boolean

      /** Where the first run begins: a date, or a duration back from now, for example P36M. */
      readonly start: string | null

      /** Length of one slice. */
      readonly windowMs: Kinds['duration'] | null

      /** How far each run steps back. */
      readonly lookbackMs: Kinds['duration'] | null

      /** There is no filter: read until a whole page is older than the checkpoint. */
      readonly newestFirst: boolean
    } | null

    /** Run once per record of another entity. */
    readonly parent: {
      /** The other entity. */
      readonly entity: string

      /** Parameters mapped to paths into the parent record. */
      readonly bind: readonly { readonly param: Kinds['param']; readonly from: Kinds['path'] }[]

      /** Only for parents that changed; needs a cursor there. */
      readonly changedOnly: boolean
    } | null

    /** One parameter mapped to a template that gives a list: run once per value. */
    readonly each: { readonly param: Kinds['param']; readonly values: Kinds['template'] } | null

    /** Interval of a complete reading where a cursor exists; 7 days when left out. */
    readonly fullMs: Kinds['duration'] | null

    /** Paths that differ on every reading. */
    readonly ignore: readonly Kinds['recordPath'][]

    /** A full reading that only compares keys and removes what is gone. */
    readonly reconcile: {
      /** Its interval. */
      readonly everyMs: Kinds['duration']

      /** Parameters instead of sync.params. */
      readonly params: Kinds['template'] | null
    } | null

    /** How far one run may go; beyond it the run is suspicious and removes nothing. The operator's settings come first. */
    readonly bounds?: {
      /** Pages of one run; below parents, of the listing of one parent. */
      readonly pages?: number

      /** Records of one run; below parents, of the listing of one parent. */
      readonly records?: number

      /** Size of the documents of the whole copy. */
      readonly bytes?: number

      /** Pages of one listing in a row that bring no record which it has not given before. */
      readonly pagesWithoutNew?: number
    }
  }
  readonly webhooks: {
    /** How a delivery is known to be from the vendor. All that is said must hold. */
    readonly verify: {
      /** The vendor signs each delivery, as sign of apply says it. */
      readonly sign: {
        /** How it is made. md5 to sha512 hash what of says and take no key. */
        readonly alg:
          | 'hmac_sha1'
          | 'hmac_sha256'
          | 'hmac_sha384'
          | 'hmac_sha512'
          | 'rsa_sha1'
          | 'rsa_sha256'
          | 'rsa_sha512'
          | 'ecdsa_sha256'
          | 'ed25519'
          | 'md5'
          | 'sha1'
          | 'sha256'
          | 'sha512'

        /** Template of the key: the secret of an HMAC, else the public key of the vendor in PEM. */
        readonly key: Kinds['template'] | null

        /** How the text of the key stands for its bytes; of public keys, text is PEM, the others SPKI or the 32 bytes of Ed25519. */
        readonly keyEncoding: 'text' | 'hex' | 'base64'

        /** What is signed: a text with request.method, url, host, path, query, sorted_query, headers, body, body_hash, timestamp and nonce, in any order. */
        readonly of: Kinds['text']

        /** How request.body_hash is made; without a body, of none. */
        readonly bodyHash: {
          /** Hash function. */
          readonly alg: 'md5' | 'sha1' | 'sha256' | 'sha512'

          /** How the hash is written. */
          readonly encoding: 'hex' | 'base64' | 'base64url'
        }

        /** How request.timestamp is written. */
        readonly timestamp: 'epoch_s' | 'epoch_ms' | 'iso' | 'iso_s' | 'http'

        /** How the signature is written. */
        readonly encoding: 'hex' | 'base64' | 'base64url'

        /** Headers and parameters are lists divided by this, in any order; the signature may be there several times, and one must be right. */
        readonly separator: string | null

        /** Headers with the signature and what is needed to check it. */
        readonly headers: Kinds['headers']

        /** The same in query parameters. */
        readonly query: Kinds['entries']
      } | null

      /** A secret that the vendor sends along. */
      readonly token: {
        /** Name of the header. */
        readonly header?: Kinds['headerName']

        /** Name of the query parameter. */
        readonly query?: string

        /** Where it lies in the body; with [*] in every place. */
        readonly body?: Kinds['path']

        /** Template of what it must be. */
        readonly value: Kinds['template']
      } | null

      /** How far the time of a signed delivery may be away, either way. */
      readonly windowMs: Kinds['duration']
    }

    /** Requests that ask whether somebody is there, answered at once. They pass verify, where they do not say otherwise. */
    readonly challenges: readonly {
      /** What must all hold. */
      readonly when: {
        /** How it is sent. */
        readonly method?: 'GET' | 'POST'

        /** Header names mapped to a value, a list of values, or tests. */
        readonly headers: readonly {
          readonly name: Kinds['headerName']
          readonly test: Kinds['test']
        }[]

        /** Query parameters mapped to the same. */
        readonly query: readonly { readonly name: Kinds['name']; readonly test: Kinds['test'] }[]

        /** Paths mapped to the same. */
        readonly body: Kinds['tests']
      }

      /** Nothing proves that the vendor has sent it. */
      readonly verify?: false

      /** A secret that the vendor sends along, instead of what verify says. */
      readonly token?: {
        /** Name of the header. */
        readonly header?: Kinds['headerName']

        /** Name of the query parameter. */
        readonly query?: string

        /** Where it lies in the body; with [*] in every place. */
        readonly body?: Kinds['path']

        /** Template of what it must be. */
        readonly value: Kinds['template']
      }

      /** What is answered, with status 200. */
      readonly answer: {
        /** Template of a plain text. */
        readonly text?: Kinds['template']

        /** Template of a JSON value. */
        readonly json?: Kinds['template']

        /** Headers of the answer. */
        readonly headers: Kinds['headers']
      }
    }[]

    /** Requests by which the vendor is asked to send deliveries of one instance to its address, is asked again before that ends, and is told that it is over. The service makes them. */
    readonly subscribe?: {
      /** Only instances for which this is true have a subscription. */
      readonly test: Kinds['expression'] | null

      /** Makes the subscription. webhook.url is the address of the instance, subscription.secret a new secret that nobody else knows. */
      readonly create: {
        /** The request. */
        readonly request: Kinds['request']

        /** What to keep of the answer, as subscription.name: names mapped to paths. A secret of the vendor takes the place of the new one. */
        readonly store: readonly { readonly name: Kinds['name']; readonly at: Kinds['path'] }[]

        /** How long it lasts. For ever, without ttl and expires. */
        readonly ttlMs: Kinds['duration'] | null

        /** Where the answer says until when, or for how many seconds. */
        readonly expires: Kinds['path'] | null

        /** true: where there is a subscription of this address already, the request leaves it at that one. */
        readonly repeatable?: Kinds['ifTrue']
      }

      /** Finds what an attempt left behind whose answer was lost. It is deleted before another one is made. */
      readonly find: {
        /** The request. */
        readonly request: Kinds['request']

        /** Where the list lies. */
        readonly from: Kinds['path']

        /** How the list goes on; the moving parameter is params.NAME in the request. */
        readonly pagination: Kinds['pagination'] | null

        /** Paths in an element mapped to templates, all of which must be equal. */
        readonly match: readonly { readonly at: Kinds['path']; readonly value: Kinds['text'] }[]

        /** What delete needs of the element: names mapped to paths. */
        readonly store: readonly { readonly name: Kinds['name']; readonly at: Kinds['path'] }[]
      } | null

      /** Makes it last longer, when a third of its time is left. Left out, another one is made in its place. */
      readonly renew: {
        /** The request. */
        readonly request: Kinds['request']

        /** How long it lasts then. As long as at first, without ttl and expires. */
        readonly ttlMs: Kinds['duration'] | null

        /** Where the answer says until when, or for how many seconds. */
        readonly expires: Kinds['path'] | null
      } | null

      /** Ends it: before the credentials of a deleted instance are erased, and before another one is made. */
      readonly delete: Kinds['request']
    }

    /** Where the events lie, if a delivery brings several. Paths below begin at each of them. */
    readonly each: Kinds['path'] | null

    /** What a repetition of the same event has again. Left out, a hash of the event. */
    readonly id: Kinds['path'] | null

    /** The name that the vendor has for what happened. */
    readonly type: Kinds['path'] | null

    /** Which instances an event at the address of the connector is for: places in it mapped to templates over config, all of which must be equal. */
    readonly route: readonly { readonly at: Kinds['path']; readonly value: Kinds['template'] }[]

    /** What an event means for the copy; the first entry whose when holds. Events of no entry are told as well. */
    readonly map: readonly {
      /** What must all hold. Always when left out. */
      readonly when: {
        /** The name of the event, as type gives it. */
        readonly type?: Kinds['test']

        /** Header names mapped to a value, a list of values, or tests. */
        readonly headers: readonly {
          readonly name: Kinds['headerName']
          readonly test: Kinds['test']
        }[]

        /** Query parameters mapped to the same. */
        readonly query: readonly { readonly name: Kinds['name']; readonly test: Kinds['test'] }[]

        /** Paths mapped to the same. */
        readonly body: Kinds['tests']
      }

      /** Entity of the record. */
      readonly entity: string

      /** Parameters of the get of this entity, by which the record is read: names mapped to places in the event. */
      readonly get: readonly { readonly param: Kinds['name']; readonly at: Kinds['path'] }[]

      /** Where the record itself lies in the event. */
      readonly record: Kinds['path'] | null

      /** Parameters of the listing that the record would come from, for what is set of them and for its parent: names mapped to places in the event. */
      readonly params: readonly { readonly param: Kinds['name']; readonly at: Kinds['path'] }[]

      /** Where the key lies of a record that is gone; where sync.primary_key names several, a list in the same order. */
      readonly removed: readonly Kinds['path'][]
    }[]
  }
}
/** How the keys of each block are resolved. */
export const BLOCKS: { readonly [B in keyof Resolved]: readonly ResolvedKey[] } = {
  connector: [
    { key: 'type' },
    { key: 'title' },
    { key: 'version' },
    { key: 'docs', absent: null },
    { key: 'status_page', name: 'statusPage' },
    { key: 'description', absent: null },
    { key: 'icon', block: [{ key: 'letters' }, { key: 'hue' }] },
    { key: 'aliases' },
  ],
  server: [
    { key: 'url', name: 'urls', to: 'text', use: 'server.url', list: true },
    { key: 'hosts', absent: [] },
    { key: 'headers', absent: {}, to: 'headers', use: 'server.headers' },
  ],
  check: [
    { key: 'entity' },
    { key: 'action' },
    { key: 'params', absent: {}, to: 'template', use: 'check.params' },
    { key: 'request', to: 'request', use: 'check.request' },
  ],
  request: [
    { key: 'reads', to: 'ifTrue', use: 'request.reads' },
    { key: 'query', absent: [], to: 'fields', use: 'request.query' },
    { key: 'body', to: 'json', use: 'request.body' },
    { key: 'form', to: 'fields', use: 'request.form' },
    { key: 'multipart', to: 'parts', use: 'request.multipart' },
    {
      key: 'related',
      block: [
        { key: 'json', to: 'template', use: 'request.related' },
        { key: 'base64', to: 'template', use: 'request.related' },
        { key: 'type', to: 'template', use: 'request.related' },
      ],
      list: true,
    },
    {
      key: 'graphql',
      block: [
        { key: 'query', to: 'blocks', use: 'request.graphql.query' },
        { key: 'variables', absent: [], to: 'json', use: 'request.graphql.variables' },
      ],
    },
    {
      key: 'text',
      block: [{ key: 'type' }, { key: 'value', name: 'text', to: 'blocks', use: 'request.text' }],
    },
    {
      key: 'bytes',
      block: [
        { key: 'base64', to: 'template', use: 'request.bytes' },
        { key: 'type', to: 'template', use: 'request.bytes' },
      ],
    },
    { key: 'mcp', to: 'tool', use: 'request.mcp' },
    { key: 'auth' },
    { key: 'redirects', absent: 0 },
    { key: 'timeout', name: 'timeoutMs', to: 'duration', use: 'request.timeout' },
  ],
  limits: [
    { key: 'rate', name: 'rates', absent: [], to: 'rate', use: 'limits.rate', list: true },
    { key: 'concurrency', absent: null },
    { key: 'per', absent: 'instance' },
    {
      key: 'narrow',
      block: [
        {
          key: 'when',
          absent: {},
          block: [
            { key: 'status', absent: [], to: 'status', use: 'errors.status', list: true },
            { key: 'body', absent: {}, to: 'tests', use: 'errors.body' },
            {
              key: 'header',
              name: 'headers',
              absent: {},
              entries: ['headerName', 'test'],
              names: ['name', 'test'],
              use: 'errors.header',
            },
          ],
        },
        { key: 'per' },
        { key: 'endpoint' },
        { key: 'writes', absent: false },
      ],
      list: true,
    },
  ],
  authMethod: [
    { key: 'title', absent: null },
    { key: 'description', absent: null },
    { key: 'docs', absent: null },
    { key: 'credentials', absent: {}, to: 'input', use: 'authMethod.credentials' },
    {
      key: 'server',
      block: [{ key: 'url', name: 'urls', to: 'text', use: 'server.url', list: true }],
    },
    {
      key: 'derive',
      absent: [],
      entries: ['member', 'template'],
      names: ['setting', 'value'],
      use: 'derive',
    },
    {
      key: 'apply',
      block: [
        {
          key: 'basic',
          absent: null,
          block: [
            { key: 'username', to: 'template', use: 'apply' },
            { key: 'password', to: 'template', use: 'apply' },
          ],
        },
        { key: 'bearer', absent: null, to: 'template', use: 'apply' },
        { key: 'headers', absent: {}, to: 'headers', use: 'apply' },
        { key: 'query', absent: {}, to: 'entries', use: 'apply' },
        {
          key: 'sign',
          block: [
            { key: 'alg' },
            { key: 'key', absent: null, to: 'template', use: 'apply' },
            { key: 'key_encoding', name: 'keyEncoding', absent: 'text' },
            { key: 'of', to: 'text', use: 'sign.of' },
            {
              key: 'body_hash',
              name: 'bodyHash',
              absent: {},
              block: [
                { key: 'alg', absent: 'sha256' },
                { key: 'encoding', absent: 'hex' },
              ],
            },
            { key: 'timestamp', absent: 'epoch_s' },
            { key: 'nonce', absent: 'hex' },
            { key: 'encoding', absent: 'hex' },
            { key: 'headers', absent: {}, to: 'headers', use: 'sign.placed' },
            { key: 'query', absent: {}, to: 'entries', use: 'sign.placed' },
          ],
        },
        {
          key: 'aws_v4',
          block: [
            { key: 'access_key_id', name: 'accessKeyId', to: 'template', use: 'apply' },
            { key: 'secret_access_key', name: 'secretAccessKey', to: 'template', use: 'apply' },
            {
              key: 'session_token',
              name: 'sessionToken',
              absent: null,
              to: 'template',
              use: 'apply',
            },
            { key: 'region', to: 'template', use: 'apply' },
            { key: 'service', to: 'template', use: 'apply' },
            { key: 'variant', absent: 'general' },
          ],
        },
        {
          key: 'oauth1',
          block: [
            { key: 'alg', absent: 'hmac_sha1' },
            { key: 'consumer_key', name: 'consumerKey', to: 'template', use: 'apply' },
            { key: 'consumer_secret', name: 'consumerSecret', to: 'template', use: 'apply' },
            { key: 'token', absent: null, to: 'template', use: 'apply' },
            {
              key: 'token_secret',
              name: 'tokenSecret',
              absent: null,
              to: 'template',
              use: 'apply',
            },
            { key: 'realm', absent: null, to: 'template', use: 'apply' },
            { key: 'body_hash', name: 'bodyHash', absent: false },
          ],
        },
        {
          key: 'tls',
          block: [
            { key: 'certificate', to: 'template', use: 'apply' },
            { key: 'key', to: 'template', use: 'apply' },
            { key: 'passphrase', to: 'template', use: 'apply' },
          ],
        },
      ],
    },
    {
      key: 'jwt',
      block: [
        { key: 'alg' },
        { key: 'key', to: 'template', use: 'jwt' },
        { key: 'key_encoding', name: 'keyEncoding', absent: 'text' },
        { key: 'header', absent: {}, to: 'template', use: 'jwt' },
        { key: 'claims', absent: {}, to: 'template', use: 'jwt' },
        { key: 'ttl', name: 'ttlMs', absent: '5m', to: 'duration', use: 'authMethod.jwt.ttl' },
      ],
    },
    {
      key: 'session',
      absent: null,
      block: [
        { key: 'request', to: 'login', use: 'session.request' },
        { key: 'decode' },
        { key: 'store', to: 'store', use: 'session.store' },
        {
          key: 'steps',
          block: [
            { key: 'request', to: 'login', use: 'session.steps.request' },
            { key: 'decode' },
            { key: 'store', absent: {}, to: 'store', use: 'session.steps.store' },
          ],
          list: true,
        },
        { key: 'ttl', name: 'ttlMs', absent: null, to: 'duration', use: 'session.ttl' },
        { key: 'expires', absent: null, to: 'path', use: 'session.expires' },
      ],
    },
    { key: 'oauth2', absent: null, to: 'oauth2', use: 'authMethod.oauth2' },
    {
      key: 'oauth1',
      block: [
        { key: 'same_client', name: 'sameClient' },
        {
          key: 'request_token',
          name: 'requestToken',
          block: [
            { key: 'url', to: 'text', use: 'oauth.url' },
            { key: 'method', absent: 'POST' },
            { key: 'headers', absent: {}, to: 'headers', use: 'oauth.headers' },
            { key: 'params', absent: [], to: 'entries', use: 'oauth.params' },
            { key: 'token', to: 'path', use: 'oauth1.request_token.token' },
            {
              key: 'token_secret',
              name: 'tokenSecret',
              to: 'path',
              use: 'oauth1.request_token.token_secret',
            },
          ],
        },
        {
          key: 'authorize',
          block: [
            { key: 'url', to: 'text', use: 'oauth.url' },
            { key: 'callback', absent: 'confirmed' },
            { key: 'params', absent: [], to: 'entries', use: 'oauth.params' },
            { key: 'store', to: 'store', use: 'oauth1.authorize.store' },
          ],
        },
        {
          key: 'access_token',
          name: 'accessToken',
          block: [
            { key: 'url', to: 'text', use: 'oauth.url' },
            { key: 'method', absent: 'POST' },
            { key: 'headers', absent: {}, to: 'headers', use: 'oauth.headers' },
            { key: 'params', absent: [], to: 'entries', use: 'oauth.params' },
            { key: 'token', to: 'path', use: 'oauth1.access_token.token' },
            {
              key: 'token_secret',
              name: 'tokenSecret',
              to: 'path',
              use: 'oauth1.access_token.token_secret',
            },
          ],
        },
        { key: 'store', absent: {}, to: 'store', use: 'oauth1.store' },
      ],
    },
    {
      key: 'after_token',
      name: 'afterToken',
      block: [
        { key: 'on', absent: 'connect' },
        { key: 'if', name: 'test', absent: null, to: 'expression', use: 'condition' },
        { key: 'request', to: 'request', use: 'after_token.request' },
        {
          key: 'choose',
          absent: null,
          block: [
            { key: 'from', to: 'path', use: 'after_token.choose.from' },
            {
              key: 'match',
              absent: {},
              entries: ['path', 'text'],
              names: ['at', 'value'],
              use: 'choose.match',
            },
            { key: 'label', to: 'path', use: 'after_token.choose.label' },
          ],
        },
        { key: 'store', to: 'store', use: 'after_token.store' },
      ],
      list: true,
    },
    { key: 'revoke', to: 'request', use: 'authMethod.revoke' },
  ],
  oauth2: [
    { key: 'grant', absent: 'authorization_code' },
    { key: 'client' },
    { key: 'same_client', name: 'sameClient' },
    { key: 'app', block: [{ key: 'url' }, { key: 'steps' }] },
    { key: 'register', block: [{ key: 'url', to: 'text', use: 'oauth.url' }, { key: 'name' }] },
    {
      key: 'authorize',
      absent: null,
      block: [
        { key: 'url', to: 'text', use: 'oauth.url' },
        { key: 'scopes', absent: [] },
        { key: 'scope_names', name: 'scopeNames' },
        { key: 'scope_titles', name: 'scopeTitles' },
        { key: 'separator', absent: ' ' },
        { key: 'pkce', absent: true },
        { key: 'issuer' },
        { key: 'params', absent: [], to: 'entries', use: 'oauth.params' },
        {
          key: 'names',
          block: [
            { key: 'response_type', name: 'responseType' },
            { key: 'client_id', name: 'clientId' },
            { key: 'redirect_uri', name: 'redirectUri' },
            { key: 'scope' },
            { key: 'state' },
            { key: 'code' },
          ],
        },
        { key: 'store', to: 'store', use: 'oauth2.authorize.store' },
      ],
    },
    {
      key: 'token',
      block: [
        { key: 'url', to: 'text', use: 'oauth.url' },
        { key: 'method', absent: 'POST' },
        { key: 'client_auth', name: 'clientAuth', absent: 'basic' },
        { key: 'body', absent: 'form' },
        { key: 'headers', absent: {}, to: 'headers', use: 'oauth.headers' },
        { key: 'params', absent: [], to: 'entries', use: 'oauth.params' },
        { key: 'access_token', name: 'accessToken', to: 'path', use: 'oauth2.token.access_token' },
        {
          key: 'refresh_token',
          name: 'refreshToken',
          to: 'path',
          use: 'oauth2.token.refresh_token',
        },
        { key: 'expires', to: 'path', use: 'oauth2.token.expires' },
        { key: 'errors' },
      ],
    },
    {
      key: 'refresh',
      absent: {},
      block: [
        { key: 'url', to: 'text', use: 'oauth.url' },
        { key: 'params', absent: [], to: 'entries', use: 'oauth.params' },
        {
          key: 'access_token',
          name: 'accessToken',
          to: 'path',
          use: 'oauth2.refresh.access_token',
        },
        {
          key: 'refresh_token',
          name: 'refreshToken',
          to: 'path',
          use: 'oauth2.refresh.refresh_token',
        },
        { key: 'expires', to: 'path', use: 'oauth2.refresh.expires' },
      ],
    },
    { key: 'rotates_refresh_token', name: 'rotatesRefreshToken', absent: false },
    {
      key: 'reuse_grace',
      name: 'reuseGraceMs',
      absent: null,
      to: 'duration',
      use: 'oauth2.reuse_grace',
    },
    { key: 'store', absent: {}, to: 'store', use: 'oauth2.store' },
    {
      key: 'after_token',
      name: 'afterToken',
      absent: [],
      block: [
        { key: 'on', absent: 'connect' },
        { key: 'if', name: 'test', absent: null, to: 'expression', use: 'condition' },
        { key: 'request', to: 'request', use: 'after_token.request' },
        {
          key: 'choose',
          absent: null,
          block: [
            { key: 'from', to: 'path', use: 'after_token.choose.from' },
            {
              key: 'match',
              absent: {},
              entries: ['path', 'text'],
              names: ['at', 'value'],
              use: 'choose.match',
            },
            { key: 'label', to: 'path', use: 'after_token.choose.label' },
          ],
        },
        { key: 'store', to: 'store', use: 'after_token.store' },
      ],
      list: true,
    },
  ],
  response: [
    { key: 'decode', absent: 'json' },
    { key: 'unpack' },
    { key: 'records', to: 'path', use: 'response.records' },
    { key: 'record', to: 'path', use: 'response.record' },
    { key: 'page', absent: null, to: 'path', use: 'response.page' },
    { key: 'single', absent: false },
    { key: 'keyed' },
    { key: 'grouped' },
    { key: 'missing', absent: 'fail' },
    {
      key: 'where',
      absent: {},
      entries: ['recordPath', 'param'],
      names: ['record', 'param'],
      use: 'response.where',
    },
    { key: 'keep', absent: null, to: 'expression', use: 'response.keep' },
    { key: 'set', absent: {}, entries: ['name', 'template'], use: 'response.set' },
    { key: 'drop', absent: [], to: 'recordPath', use: 'response.drop', list: true },
  ],
  pagination: [
    { key: 'type' },
    { key: 'param', to: 'param', use: 'pagination.param' },
    { key: 'size', absent: null, to: 'param', use: 'pagination.size' },
    { key: 'next', to: 'path', use: 'pagination.next' },
    { key: 'first' },
    { key: 'omit_first', name: 'omitFirst' },
    { key: 'more', absent: null, to: 'flag', use: 'pagination.more' },
    { key: 'last', absent: null, to: 'flag', use: 'pagination.last' },
    { key: 'total', to: 'path', use: 'pagination.total' },
    { key: 'pages', to: 'path', use: 'pagination.pages' },
    { key: 'stop', absent: 'empty_page' },
    { key: 'silent_end', name: 'silentEnd', to: 'ifTrue', use: 'pagination.silent_end' },
    { key: 'carry', absent: {}, entries: ['param', 'template'], use: 'pagination.carry' },
    { key: 'meta', absent: {}, to: 'picks', use: 'pagination.meta' },
    { key: 'empty_meta', name: 'emptyMeta', absent: {}, to: 'picks', use: 'pagination.empty_meta' },
    { key: 'reason' },
  ],
  errorRule: [
    {
      key: 'when',
      block: [
        { key: 'status', absent: [], to: 'status', use: 'errors.status', list: true },
        { key: 'body', absent: {}, to: 'tests', use: 'errors.body' },
        {
          key: 'header',
          name: 'headers',
          absent: {},
          entries: ['headerName', 'test'],
          names: ['name', 'test'],
          use: 'errors.header',
        },
      ],
      members: true,
    },
    { key: 'then', name: 'effect' },
    { key: 'as', absent: null },
    { key: 'outcome', absent: null },
    { key: 'message', absent: null, to: 'template', use: 'errors.message' },
  ],
  answerTests: [
    { key: 'status', absent: [], to: 'status', use: 'errors.status', list: true },
    { key: 'body', absent: {}, to: 'tests', use: 'errors.body' },
    {
      key: 'header',
      name: 'headers',
      absent: {},
      entries: ['headerName', 'test'],
      names: ['name', 'test'],
      use: 'errors.header',
    },
  ],
  errorBody: [
    { key: 'message', absent: null, to: 'template', use: 'error_body.message' },
    { key: 'code', absent: null, to: 'path', use: 'error_body.code' },
    {
      key: 'request_id',
      name: 'requestId',
      absent: null,
      to: 'path',
      use: 'error_body.request_id',
    },
    { key: 'fields', absent: null, to: 'path', use: 'error_body.fields' },
    {
      key: 'problems',
      block: [
        { key: 'each', to: 'path', use: 'error_body.problems.each' },
        { key: 'field', to: 'path', use: 'error_body.problems.field' },
        { key: 'message', to: 'path', use: 'error_body.problems.message' },
        { key: 'code', to: 'path', use: 'error_body.problems.code' },
      ],
    },
  ],
  retry: [
    { key: 'attempts', absent: 3 },
    { key: 'on', absent: [429, 502, 503, 504, 'network', 'timeout'] },
    {
      key: 'wait',
      absent: [{ header: 'retry-after' }, { exponential: '500ms' }],
      to: 'wait',
      use: 'retry.wait',
      list: true,
    },
    { key: 'max_wait', name: 'maxWaitMs', absent: null, to: 'duration', use: 'retry.max_wait' },
    { key: 'idempotent', absent: false },
    { key: 'idempotency_key', name: 'idempotencyKey', absent: null },
  ],
  step: [
    { key: 'name' },
    { key: 'if', name: 'test', absent: null, to: 'expression', use: 'condition' },
    { key: 'request', to: 'request', use: 'step.request' },
    { key: 'records', to: 'path', use: 'response.records' },
    { key: 'decode' },
    {
      key: 'errors',
      absent: [],
      block: [
        {
          key: 'when',
          block: [
            { key: 'status', absent: [], to: 'status', use: 'errors.status', list: true },
            { key: 'body', absent: {}, to: 'tests', use: 'errors.body' },
            {
              key: 'header',
              name: 'headers',
              absent: {},
              entries: ['headerName', 'test'],
              names: ['name', 'test'],
              use: 'errors.header',
            },
          ],
          members: true,
        },
        { key: 'then', name: 'effect' },
        { key: 'as', absent: null },
        { key: 'outcome', absent: null },
        { key: 'message', absent: null, to: 'template', use: 'errors.message' },
      ],
      list: true,
    },
    {
      key: 'poll',
      absent: null,
      block: [
        { key: 'until', to: 'tests', use: 'poll.until' },
        { key: 'failed', absent: null, to: 'tests', use: 'poll.failed' },
        { key: 'every', name: 'everyMs', to: 'duration', use: 'poll.every' },
        { key: 'timeout', name: 'timeoutMs', to: 'duration', use: 'poll.timeout' },
        { key: 'progress', absent: null, to: 'path', use: 'poll.progress' },
      ],
    },
  ],
  download: [
    { key: 'url', absent: null, to: 'path', use: 'download.url' },
    { key: 'range', absent: null, to: 'param', use: 'download.range' },
    { key: 'types', absent: [] },
    { key: 'auth', absent: 'none' },
    { key: 'headers', absent: {}, to: 'headers', use: 'download.headers' },
    { key: 'redirects', absent: 0 },
    { key: 'missing', absent: 'The answer holds no address of a file.' },
  ],
  upload: [
    { key: 'file', to: 'param', use: 'upload.file' },
    { key: 'address', to: 'path', use: 'upload.address' },
    { key: 'auth', absent: 'none' },
    { key: 'without_size', name: 'withoutSize', to: 'ifTrue', use: 'upload.without_size' },
    {
      key: 'received',
      entries: ['name', 'path'],
      names: ['kind', 'at'],
      single: true,
      use: 'upload.received',
    },
    {
      key: 'chunk',
      block: [
        { key: 'method' },
        { key: 'size', absent: '8MiB', to: 'byteCount', use: 'upload.chunk.size' },
        { key: 'headers', to: 'headers', use: 'upload.headers' },
        { key: 'more', to: 'status', use: 'upload.chunk.more', list: true },
      ],
    },
    {
      key: 'ask',
      block: [
        { key: 'method' },
        { key: 'headers', absent: {}, to: 'headers', use: 'upload.headers' },
        { key: 'more', to: 'status', use: 'upload.ask.more', list: true },
        { key: 'on', absent: [], to: 'status', use: 'upload.ask.on', list: true },
      ],
    },
  ],
  action: [
    { key: 'summary', absent: null },
    { key: 'description', absent: null },
    { key: 'deprecated', absent: false },
    { key: 'deprecated_since', name: 'deprecatedSince' },
    { key: 'sunset' },
    { key: 'untested', absent: null },
    { key: 'scopes', absent: [] },
    { key: 'params', absent: { properties: {} }, to: 'input', use: 'action.params' },
    {
      key: 'refuse',
      absent: [],
      block: [
        { key: 'if', name: 'test', to: 'expression', use: 'condition' },
        { key: 'params', to: 'param', use: 'refuse.params', list: true },
        { key: 'message' },
      ],
      list: true,
    },
    { key: 'unsent', absent: {}, to: 'unsent', use: 'unsent' },
    { key: 'request', to: 'request', use: 'action.request' },
    { key: 'result', absent: null, to: 'schema', use: 'action.result' },
    {
      key: 'errors',
      absent: [],
      block: [
        {
          key: 'when',
          block: [
            { key: 'status', absent: [], to: 'status', use: 'errors.status', list: true },
            { key: 'body', absent: {}, to: 'tests', use: 'errors.body' },
            {
              key: 'header',
              name: 'headers',
              absent: {},
              entries: ['headerName', 'test'],
              names: ['name', 'test'],
              use: 'errors.header',
            },
          ],
          members: true,
        },
        { key: 'then', name: 'effect' },
        { key: 'as', absent: null },
        { key: 'outcome', absent: null },
        { key: 'message', absent: null, to: 'template', use: 'errors.message' },
      ],
      list: true,
    },
    {
      key: 'upload',
      block: [
        { key: 'file', to: 'param', use: 'upload.file' },
        { key: 'address', to: 'path', use: 'upload.address' },
        { key: 'auth', absent: 'none' },
        { key: 'without_size', name: 'withoutSize', to: 'ifTrue', use: 'upload.without_size' },
        {
          key: 'received',
          entries: ['name', 'path'],
          names: ['kind', 'at'],
          single: true,
          use: 'upload.received',
        },
        {
          key: 'chunk',
          block: [
            { key: 'method' },
            { key: 'size', absent: '8MiB', to: 'byteCount', use: 'upload.chunk.size' },
            { key: 'headers', to: 'headers', use: 'upload.headers' },
            { key: 'more', to: 'status', use: 'upload.chunk.more', list: true },
          ],
        },
        {
          key: 'ask',
          block: [
            { key: 'method' },
            { key: 'headers', absent: {}, to: 'headers', use: 'upload.headers' },
            { key: 'more', to: 'status', use: 'upload.ask.more', list: true },
            { key: 'on', absent: [], to: 'status', use: 'upload.ask.on', list: true },
          ],
        },
      ],
    },
    {
      key: 'for_each',
      name: 'forEach',
      block: [
        { key: 'action' },
        { key: 'if', absent: null, to: 'expression', use: 'for_each.if' },
        { key: 'params', absent: {}, to: 'template', use: 'for_each.params' },
        { key: 'into' },
        { key: 'append', absent: false },
        { key: 'max', absent: 100 },
      ],
    },
    { key: 'touches', absent: null },
  ],
  entity: [
    { key: 'title', absent: null },
    { key: 'description', absent: null },
    { key: 'record', absent: null, to: 'schema', use: 'entity.record' },
    { key: 'examples', absent: [] },
  ],
  search: [
    { key: 'unfilled', absent: {} },
    {
      key: 'index',
      absent: {},
      block: [
        { key: 'order', absent: [] },
        { key: 'substring', absent: [] },
        { key: 'no_words', name: 'noWords', absent: [] },
      ],
    },
  ],
  sync: [
    { key: 'every', name: 'everyMs', absent: null, to: 'duration', use: 'sync.every' },
    {
      key: 'primary_key',
      name: 'primaryKey',
      to: 'recordPath',
      use: 'sync.primary_key',
      list: true,
    },
    { key: 'action' },
    { key: 'params', absent: {}, to: 'template', use: 'sync.params' },
    {
      key: 'cursor',
      absent: null,
      block: [
        { key: 'field', to: 'recordPath', use: 'sync.cursor.field' },
        { key: 'since', absent: null, to: 'param', use: 'sync.cursor.since' },
        { key: 'until', absent: null, to: 'param', use: 'sync.cursor.until' },
        { key: 'format', absent: 'iso' },
        { key: 'inclusive', absent: false },
        { key: 'start', absent: null },
        {
          key: 'window',
          name: 'windowMs',
          absent: null,
          to: 'duration',
          use: 'sync.cursor.window',
        },
        {
          key: 'lookback',
          name: 'lookbackMs',
          absent: null,
          to: 'duration',
          use: 'sync.cursor.lookback',
        },
        { key: 'newest_first', name: 'newestFirst', absent: false },
      ],
    },
    {
      key: 'parent',
      absent: null,
      block: [
        { key: 'entity' },
        {
          key: 'bind',
          entries: ['param', 'path'],
          names: ['param', 'from'],
          use: 'sync.parent.bind',
        },
        { key: 'changed_only', name: 'changedOnly', absent: false },
      ],
    },
    {
      key: 'each',
      absent: null,
      entries: ['param', 'template'],
      names: ['param', 'values'],
      single: true,
      use: 'sync.each',
    },
    { key: 'full', name: 'fullMs', absent: null, to: 'duration', use: 'sync.full' },
    { key: 'ignore', absent: [], to: 'recordPath', use: 'sync.ignore', list: true },
    {
      key: 'reconcile',
      absent: null,
      block: [
        { key: 'every', name: 'everyMs', to: 'duration', use: 'sync.reconcile.every' },
        { key: 'params', absent: null, to: 'template', use: 'sync.params' },
      ],
    },
    {
      key: 'bounds',
      block: [
        { key: 'pages' },
        { key: 'records' },
        { key: 'bytes' },
        { key: 'pages_without_new', name: 'pagesWithoutNew' },
      ],
    },
  ],
  webhooks: [
    {
      key: 'verify',
      block: [
        {
          key: 'sign',
          absent: null,
          block: [
            { key: 'alg' },
            { key: 'key', absent: null, to: 'template', use: 'webhooks.key' },
            { key: 'key_encoding', name: 'keyEncoding', absent: 'text' },
            { key: 'of', to: 'text', use: 'webhooks.of' },
            {
              key: 'body_hash',
              name: 'bodyHash',
              absent: {},
              block: [
                { key: 'alg', absent: 'sha256' },
                { key: 'encoding', absent: 'hex' },
              ],
            },
            { key: 'timestamp', absent: 'epoch_s' },
            { key: 'encoding', absent: 'hex' },
            { key: 'separator', absent: null },
            { key: 'headers', absent: {}, to: 'headers', use: 'webhooks.placed' },
            { key: 'query', absent: {}, to: 'entries', use: 'webhooks.placed' },
          ],
        },
        {
          key: 'token',
          absent: null,
          block: [
            { key: 'header', to: 'headerName', use: 'webhooks.verify.token.header' },
            { key: 'query' },
            { key: 'body', to: 'path', use: 'webhooks.verify.token.body' },
            { key: 'value', to: 'template', use: 'webhooks.key' },
          ],
        },
        {
          key: 'window',
          name: 'windowMs',
          absent: '5m',
          to: 'duration',
          use: 'webhooks.verify.window',
        },
      ],
    },
    {
      key: 'challenges',
      absent: [],
      block: [
        {
          key: 'when',
          block: [
            { key: 'method' },
            {
              key: 'header',
              name: 'headers',
              absent: {},
              entries: ['headerName', 'test'],
              names: ['name', 'test'],
              use: 'webhooks.challenges.when.header',
            },
            {
              key: 'query',
              absent: {},
              entries: ['name', 'test'],
              names: ['name', 'test'],
              use: 'webhooks.challenges.when.query',
            },
            { key: 'body', absent: {}, to: 'tests', use: 'webhooks.challenges.when.body' },
          ],
        },
        { key: 'verify' },
        {
          key: 'token',
          block: [
            { key: 'header', to: 'headerName', use: 'webhooks.challenges.token.header' },
            { key: 'query' },
            { key: 'body', to: 'path', use: 'webhooks.challenges.token.body' },
            { key: 'value', to: 'template', use: 'webhooks.key' },
          ],
        },
        {
          key: 'answer',
          block: [
            { key: 'text', to: 'template', use: 'webhooks.answer' },
            { key: 'json', to: 'template', use: 'webhooks.answer' },
            { key: 'headers', absent: {}, to: 'headers', use: 'webhooks.answer' },
          ],
        },
      ],
      list: true,
    },
    {
      key: 'subscribe',
      block: [
        { key: 'if', name: 'test', absent: null, to: 'expression', use: 'condition' },
        {
          key: 'create',
          block: [
            { key: 'request', to: 'request', use: 'webhooks.subscribe.create.request' },
            {
              key: 'store',
              absent: [],
              entries: ['name', 'path'],
              names: ['name', 'at'],
              use: 'webhooks.subscribe.create.store',
            },
            {
              key: 'ttl',
              name: 'ttlMs',
              absent: null,
              to: 'duration',
              use: 'webhooks.subscribe.create.ttl',
            },
            { key: 'expires', absent: null, to: 'path', use: 'webhooks.subscribe.create.expires' },
            { key: 'repeatable', to: 'ifTrue', use: 'webhooks.subscribe.create.repeatable' },
          ],
        },
        {
          key: 'find',
          absent: null,
          block: [
            { key: 'request', to: 'request', use: 'webhooks.subscribe.find.request' },
            { key: 'from', to: 'path', use: 'webhooks.subscribe.find.from' },
            {
              key: 'pagination',
              absent: null,
              to: 'pagination',
              use: 'webhooks.subscribe.find.pagination',
            },
            {
              key: 'match',
              entries: ['path', 'text'],
              names: ['at', 'value'],
              use: 'webhooks.subscribe',
            },
            {
              key: 'store',
              absent: [],
              entries: ['name', 'path'],
              names: ['name', 'at'],
              use: 'webhooks.subscribe.find.store',
            },
          ],
        },
        {
          key: 'renew',
          absent: null,
          block: [
            { key: 'request', to: 'request', use: 'webhooks.subscribe.renew.request' },
            {
              key: 'ttl',
              name: 'ttlMs',
              absent: null,
              to: 'duration',
              use: 'webhooks.subscribe.renew.ttl',
            },
            { key: 'expires', absent: null, to: 'path', use: 'webhooks.subscribe.renew.expires' },
          ],
        },
        { key: 'delete', to: 'request', use: 'webhooks.subscribe.delete' },
      ],
    },
    { key: 'each', absent: null, to: 'path', use: 'webhooks.each' },
    { key: 'id', absent: null, to: 'path', use: 'webhooks.id' },
    { key: 'type', absent: null, to: 'path', use: 'webhooks.type' },
    {
      key: 'route',
      absent: [],
      entries: ['path', 'template'],
      names: ['at', 'value'],
      use: 'webhooks.route',
    },
    {
      key: 'map',
      absent: [],
      block: [
        {
          key: 'when',
          absent: {},
          block: [
            { key: 'type', to: 'test', use: 'webhooks.map.when.type' },
            {
              key: 'header',
              name: 'headers',
              absent: {},
              entries: ['headerName', 'test'],
              names: ['name', 'test'],
              use: 'webhooks.map.when.header',
            },
            {
              key: 'query',
              absent: {},
              entries: ['name', 'test'],
              names: ['name', 'test'],
              use: 'webhooks.map.when.query',
            },
            { key: 'body', absent: {}, to: 'tests', use: 'webhooks.map.when.body' },
          ],
        },
        { key: 'entity' },
        {
          key: 'get',
          absent: [],
          entries: ['name', 'path'],
          names: ['param', 'at'],
          use: 'webhooks.get',
        },
        { key: 'record', absent: null, to: 'path', use: 'webhooks.map.record' },
        {
          key: 'params',
          absent: [],
          entries: ['name', 'path'],
          names: ['param', 'at'],
          use: 'webhooks.get',
        },
        { key: 'removed', absent: [], to: 'path', use: 'webhooks.map.removed', list: true },
      ],
      list: true,
    },
  ],
}
