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
  readonly apply: {
    readonly basic?: { readonly username: string; readonly password: string }
    readonly bearer?: string
    readonly headers?: TemplateMapSource
    readonly query?: TemplateMapSource
  }
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
export type RequestSource = {
  readonly http: string
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

    /** What the connector reaches. */
    readonly description: string | null
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
    /** true: the vendor changes nothing by this PUT, PATCH or DELETE. An action that reads, and the check, need it for such a method. */
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

      /** A file as base64. */
      readonly base64?: Kinds['template']

      /** Content type of the file. */
      readonly type?: string
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
      readonly when: {
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

      /** The parameter whose value the limit is for. Actions without it are not concerned. */
      readonly per: string

      /** Only requests that change something, of actions that change records, are limited so. */
      readonly writes: boolean
    }[]
  }
  readonly authMethod: {
    /** Name for people. */
    readonly title: string | null

    /** How to get these credentials. */
    readonly description: string | null

    /** Schema of the credentials. Closed. An instance uses the method whose schema its credentials satisfy. */
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

    /** How the credentials go into a request. */
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
    }

    /** A login request that comes before the calls. */
    readonly session: {
      /** The login; credentials are applied to it only when auth says same. */
      readonly request: Kinds['login']

      /** What to keep of the answer, session.name mapped to a path. */
      readonly store: Kinds['store']

      /** How long the session lasts. */
      readonly ttlMs: Kinds['duration'] | null

      /** Where the answer says when the session ends. */
      readonly expires: Kinds['path'] | null
    } | null

    /** How access tokens are got and renewed. */
    readonly oauth2: Kinds['oauth2'] | null
  }
  readonly oauth2: {
    /** How the first token is got. */
    readonly grant: 'authorization_code' | 'client_credentials' | 'password'

    /** The consent page of authorization_code. */
    readonly authorize: {
      /** Its address. */
      readonly url: Kinds['text']

      /** Scopes that are asked for beside those of the actions. */
      readonly scopes: readonly string[]

      /** What stands between scopes. */
      readonly separator: string

      /** Whether the vendor takes a code challenge. */
      readonly pkce: boolean

      /** The issuer that every answer of the consent page names as iss (RFC 9207); another one, or none, is refused. */
      readonly issuer?: string

      /** Further parameters of the consent page. */
      readonly params: Kinds['entries']
    } | null

    /** The token endpoint. */
    readonly token: {
      /** Its address. */
      readonly url: Kinds['text']

      /** HTTP method of token requests. */
      readonly method: 'GET' | 'POST'

      /** Where the client id and secret go. */
      readonly clientAuth: 'basic' | 'body' | 'query' | 'none'

      /** Encoding of the body. */
      readonly body: 'form' | 'json'

      /** Headers of token requests. */
      readonly headers: Kinds['headers']

      /** Further parameters of the first token request (code or client credentials). */
      readonly params: Kinds['entries']
    }

    /** What differs from token when a token is refreshed; false when the vendor has no refresh token. */
    readonly refresh:
      | false
      | {
          /** Address of the refresh. */
          readonly url?: Kinds['text']

          /** Further parameters of the refresh. */
          readonly params: Kinds['entries']
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
    /** How the body is read. */
    readonly decode: 'json' | 'jsonl' | 'csv' | 'text' | 'none'

    /** Where the record array lies. */
    readonly records?: Kinds['path']

    /** Where the record lies; $ when left out. */
    readonly record?: Kinds['path']

    /** Deliver this object as data instead of the bare array; the records inside it are still processed. */
    readonly page: Kinds['path'] | null

    /** The value at records is one object, delivered as a list of one. */
    readonly single: boolean

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
  readonly errorBody: {
    /** Text of the error; a template over response. */
    readonly message: Kinds['template'] | null

    /** Where the vendor's error code lies. */
    readonly code: Kinds['path'] | null

    /** Where the id of the request lies. */
    readonly requestId: Kinds['path'] | null

    /** Where a map of field to text lies. */
    readonly fields: Kinds['path'] | null
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
  readonly action: {
    /** What it does in a few words. */
    readonly summary: string | null

    /** What the caller must know. */
    readonly description: string | null

    /** true, or what to use instead. */
    readonly deprecated: boolean | string

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
}
/** How the keys of each block are resolved. */
export const BLOCKS: { readonly [B in keyof Resolved]: readonly ResolvedKey[] } = {
  connector: [
    { key: 'type' },
    { key: 'title' },
    { key: 'version' },
    { key: 'docs', absent: null },
    { key: 'description', absent: null },
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
        { key: 'type' },
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
        { key: 'writes', absent: false },
      ],
      list: true,
    },
  ],
  authMethod: [
    { key: 'title', absent: null },
    { key: 'description', absent: null },
    { key: 'credentials', to: 'input', use: 'authMethod.credentials' },
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
      ],
    },
    {
      key: 'session',
      absent: null,
      block: [
        { key: 'request', to: 'login', use: 'session.request' },
        { key: 'store', to: 'store', use: 'session.store' },
        { key: 'ttl', name: 'ttlMs', absent: null, to: 'duration', use: 'session.ttl' },
        { key: 'expires', absent: null, to: 'path', use: 'session.expires' },
      ],
    },
    { key: 'oauth2', absent: null, to: 'oauth2', use: 'authMethod.oauth2' },
  ],
  oauth2: [
    { key: 'grant', absent: 'authorization_code' },
    {
      key: 'authorize',
      absent: null,
      block: [
        { key: 'url', to: 'text', use: 'oauth2.url' },
        { key: 'scopes', absent: [] },
        { key: 'separator', absent: ' ' },
        { key: 'pkce', absent: true },
        { key: 'issuer' },
        { key: 'params', absent: [], to: 'entries', use: 'oauth2.params' },
      ],
    },
    {
      key: 'token',
      block: [
        { key: 'url', to: 'text', use: 'oauth2.url' },
        { key: 'method', absent: 'POST' },
        { key: 'client_auth', name: 'clientAuth', absent: 'basic' },
        { key: 'body', absent: 'form' },
        { key: 'headers', absent: {}, to: 'headers', use: 'oauth2.headers' },
        { key: 'params', absent: [], to: 'entries', use: 'oauth2.params' },
      ],
    },
    {
      key: 'refresh',
      absent: {},
      block: [
        { key: 'url', to: 'text', use: 'oauth2.url' },
        { key: 'params', absent: [], to: 'entries', use: 'oauth2.params' },
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
    { key: 'records', to: 'path', use: 'response.records' },
    { key: 'record', to: 'path', use: 'response.record' },
    { key: 'page', absent: null, to: 'path', use: 'response.page' },
    { key: 'single', absent: false },
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
  action: [
    { key: 'summary', absent: null },
    { key: 'description', absent: null },
    { key: 'deprecated', absent: false },
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
}
