// The manifest after loading: every default merged in, every name resolved, every template and path parsed.
// Plain frozen data (JSON), so a prebuilt manifest needs neither YAML nor Handlebars at run time.
// What the keys mean to an author: docs/manifest-language.md.
import type { Expression, ParamPath, Path, Template, Text } from '../expression/syntax.ts'
import type { Json, JsonObject } from '../json/json.ts'
import type { CLIENT_AUTH, Grant } from './access/grants.ts'
import type { ActionName, Giving, HttpMethod } from './actions.ts'
import type { BodyTemplate } from './body-forms/forms.ts'
import type { Apply } from './credential-places/places.ts'
import type { FieldType } from './field-type.ts'
import type { CompiledStyle, Turned, Turning } from './pagination-styles.ts'
import type { ErrorRuleSource, MatcherSource, RetrySource, SyncSource } from './source.ts'

/** A JSON Schema (draft-07). References point into `Manifest.definitions` (`#/definitions/…`). */
export type JsonSchema = JsonObject

export interface Manifest {
  /** Version of this compiled form; an engine refuses a form it does not know. */
  readonly format: 1
  /** `sha256-` and 64 hex digits over the resolved manifest: comments and layout do not change it. */
  readonly hash: string
  readonly type: string
  readonly title: string
  /** Semantic version of the connector. */
  readonly version: string
  readonly docs: string | null
  readonly description: string | null
  readonly server: Server
  /** Settings that are not secret; closed. */
  readonly config: InputSchema
  readonly auth: readonly AuthMethod[]
  readonly check: Check | null
  readonly limits: Limits
  readonly maps: Readonly<Record<string, JsonObject>>
  readonly entities: readonly Entity[]
  /** Shapes and records that schemas refer to: names `shape_x` and `record_x`. */
  readonly definitions: Readonly<Record<string, JsonSchema>>
}

/**
 * A schema of something the caller gives (params, credentials, config), with what must happen before validation.
 * The schema is closed at the top, self-contained but for `#/definitions/…`, and holds only keywords Ajv knows.
 */
export interface InputSchema {
  readonly schema: JsonSchema
  /** Other accepted top-level names. */
  readonly aliases: readonly { readonly alias: string; readonly name: string }[]
  /** Filled in where the parent object is there and the member is absent; in this order. `from` may turn out absent. */
  readonly defaults: readonly InputDefault[]
  /** Members marked `writeOnly`, by place. */
  readonly secrets: readonly ParamPath[]
  /** Members marked `deprecated`, by place. */
  readonly deprecated: readonly ParamPath[]
}
export type InputDefault =
  | { readonly at: ParamPath; readonly value: Json }
  | { readonly at: ParamPath; readonly from: Template }

export interface Server {
  /** Base URLs; the first one with no absent part is used. */
  readonly urls: readonly Text[]
  /** Hosts a rendered URL may name, `*.` for any depth; `any`: the customer runs the server. */
  readonly hosts: readonly string[] | 'any'
  /** Already among the headers of every request template. */
  readonly headers: readonly Entry[]
}

/** One named value of a query, form or header list. */
export interface Entry {
  readonly name: string
  readonly value: Template
  readonly style: Style
}
export type Style = 'repeat' | 'csv' | 'ssv' | 'pipe' | 'brackets' | 'indices' | 'json'

export type Check =
  | {
      readonly kind: 'action'
      readonly entity: string
      readonly action: ActionName
      readonly params: Template
    }
  | {
      readonly kind: 'request'
      readonly request: RequestTemplate
      readonly errors: readonly ErrorRuleTemplate[]
      readonly errorBody: ErrorBody
      readonly retry: RetryPolicy
    }

export interface Limits {
  readonly rates: readonly { readonly count: number; readonly periodMs: number }[]
  readonly concurrency: number | null
  readonly per: 'instance' | 'connector'
  /** Limits of the vendor for less than that, in order; left out: none. */
  readonly narrow?: readonly NarrowLimitRule[]
}

/** A wait that the vendor asks for in an answer that passes `when` closes what has the same value of a parameter. */
export interface NarrowLimitRule {
  readonly when: ErrorRuleTemplate
  readonly per: string
  /** Only requests that may change something are limited so. */
  readonly writes: boolean
}

export interface Entity {
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  readonly record: JsonSchema | null
  /** Names of the record's properties, in order. */
  readonly recordFields: readonly string[]
  readonly actions: readonly Action[]
  readonly search: Search | null
  readonly sync: Sync | null
  readonly examples: readonly JsonObject[]
}

export interface Action {
  readonly entity: string
  readonly name: ActionName
  readonly summary: string | null
  readonly description: string | null
  readonly deprecated: boolean | string
  readonly scopes: readonly string[]
  readonly params: InputSchema
  readonly refuse: readonly {
    readonly test: Expression
    readonly params: readonly ParamPath[]
    readonly message: string
  }[]
  /** Parameters that are accepted without effect, and why. */
  readonly unsent: Readonly<Record<string, string>>
  /** In order; an action with `request` has exactly one, named `request`, with no condition. */
  readonly steps: readonly Step[]
  readonly response: ResponseRules
  /** Schema of `data` (or of one listed record) where it is not the entity's record. */
  readonly result: JsonSchema | null
  readonly pagination: Pagination
  readonly retry: RetryPolicy
  readonly errorBody: ErrorBody
  readonly download: Download | null
  readonly touches: string | null
  readonly untested: string | null
}

export interface Step {
  readonly name: string
  readonly test: Expression | null
  readonly request: RequestTemplate
  readonly poll: Poll | null
  /** Where the record array of a listing lies in the answer of this step; left out: at `response.at`. */
  readonly records?: Path
  /** The step's own rules, then the action's, then the manifest's defaults: first match wins. */
  readonly errors: readonly ErrorRuleTemplate[]
  /** The action's retry merged under the step's. */
  readonly retry: RetryPolicy
}

export interface Poll {
  readonly until: BodyTests
  readonly failed: BodyTests | null
  readonly everyMs: number
  readonly timeoutMs: number
  readonly progress: Path | null
}

export interface RequestTemplate {
  readonly method: HttpMethod
  /** The vendor changes nothing by it although its method says so. */
  readonly reads?: true
  /** Literal `https://host` where the host is not the server's. */
  readonly origin: string | null
  /** One text per segment; `/a/{{x}}` is [[`a`], [x]]. A slash at the end gives a last segment ['']; no other is empty. */
  readonly path: readonly Text[]
  readonly query: readonly Entry[]
  /** Those of the server, of the defaults and the request's own, which win: one entry per name. Names in lower case. */
  readonly headers: readonly Entry[]
  readonly body: BodyTemplate
  /** `same`: with the method's credentials, if the host may see them. */
  readonly auth: 'same' | 'none'
  readonly redirects: number
  /** Of one attempt. */
  readonly timeoutMs: number
}

export interface ResponseRules {
  readonly decode: 'json' | 'jsonl' | 'csv' | 'text' | 'none'
  /** `list`: a record array lies at `at`. `record`: one record. `stream`: bytes. */
  readonly kind: 'list' | 'record' | 'stream'
  readonly at: Path
  /** Deliver this object as `data` instead of the bare array. */
  readonly page: Path | null
  /** The value at `at` is one object, delivered as a list of one. */
  readonly single: boolean
  readonly missing: 'fail' | 'empty'
  readonly where: readonly { readonly record: Path; readonly param: ParamPath }[]
  readonly keep: Expression | null
  readonly set: readonly (readonly [name: string, value: Template])[]
  readonly drop: readonly Path[]
  /** Members that leave as text, places relative to the record: `always` = any integer (int64 strings), otherwise only beyond 2^53. */
  readonly casts: readonly { readonly at: Path; readonly always: boolean }[]
}

/** Tests on a decoded body: all must hold; a path with `[*]` passes when any value does. */
export type BodyTests = readonly { readonly at: Path; readonly test: Test }[]
/** All members that are given must hold. */
export type Test = Omit<Extract<MatcherSource, { readonly contains?: string }>, 'equals' | 'in'> & {
  readonly equals?: Json
  readonly in?: readonly Json[]
}
/** A path whose truth decides, or tests. */
export type Flag =
  | { readonly kind: 'path'; readonly at: Path }
  | { readonly kind: 'tests'; readonly tests: BodyTests }

interface Picked {
  readonly meta: readonly MetaPick[]
  readonly emptyMeta: readonly MetaPick[]
}
/** What all styles that turn pages have. */
export interface Paged extends Picked {
  /** The parameter that moves. */
  readonly param: ParamPath
  /** The parameter that holds the page size, in records. */
  readonly size: ParamPath | null
  readonly more: Flag | null
  readonly last: Flag | null
  /** The vendor's last page says nothing, also where it is the first. */
  readonly silentEnd?: true
  readonly carry: readonly (readonly [param: ParamPath, value: Template])[]
}
export type Pagination =
  (Picked & Exclude<CompiledStyle, Turned<CompiledStyle>>) | (Paged & Turned<CompiledStyle>)
/** A pagination that turns pages, with how it does. */
export type Paging = Paged & Turning

/** One member of `meta`. `optional`: left out instead of null when nothing is found. */
export interface MetaPick {
  readonly name: string
  readonly optional: boolean
  readonly value:
    | { readonly kind: 'path'; readonly at: Path }
    | { readonly kind: 'constant'; readonly value: Json }
    | { readonly kind: 'object'; readonly members: readonly MetaPick[] }
}

export type ErrorClass = NonNullable<ErrorRuleSource['as']>
export type ErrorEffect = ErrorRuleSource['then']

export interface ErrorRuleTemplate {
  /** Empty: any status. Two numbers: from, to (`4xx` is [400, 499]). */
  readonly status: readonly (readonly [from: number, to: number])[]
  readonly body: BodyTests
  readonly headers: readonly { readonly name: string; readonly test: Test }[]
  readonly effect: ErrorEffect
  readonly as: ErrorClass | null
  readonly outcome: 'not_applied' | 'applied' | 'uncertain' | null
  readonly message: Template | null
}

export interface ErrorBody {
  readonly message: Template | null
  readonly code: Path | null
  readonly requestId: Path | null
  readonly fields: Path | null
}

export interface RetryPolicy {
  /** All attempts, the first included. */
  readonly attempts: number
  readonly on: readonly (number | 'network' | 'timeout')[]
  readonly wait: readonly WaitRule[]
  readonly maxWaitMs: number | null
  /** May be sent again although the outcome of the first attempt is unknown. */
  readonly idempotent: boolean
  /** Header that carries one value per operation. */
  readonly idempotencyKey: string | null
}
export type WaitFormat = NonNullable<NonNullable<RetrySource['wait']>[number]['format']>
export type WaitRule =
  | {
      readonly kind: 'header'
      readonly name: string
      readonly path: Path | null
      readonly format: WaitFormat
    }
  | { readonly kind: 'body'; readonly at: Path; readonly format: WaitFormat }
  | { readonly kind: 'exponential'; readonly baseMs: number; readonly maxMs: number }
  | { readonly kind: 'constant'; readonly ms: number }

export interface Download {
  /** Where the file's address lies; null: the answer itself is the file. */
  readonly url: Path | null
  readonly range: ParamPath | null
  readonly types: readonly string[]
  readonly auth: 'none' | 'same'
  readonly headers: readonly Entry[]
  readonly redirects: number
  readonly missing: string
}

export interface AuthMethod {
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  readonly credentials: InputSchema
  /** Replaces `Server.urls` for instances of this method. */
  readonly urls: readonly Text[] | null
  readonly derive: readonly { readonly setting: string; readonly value: Template }[]
  readonly apply: Apply
  readonly session: {
    readonly request: RequestTemplate
    readonly store: readonly Store[]
    readonly ttlMs: number | null
    readonly expires: Path | null
  } | null
  readonly oauth2: OAuth2 | null
}
export interface Store {
  readonly root: 'credentials' | 'config' | 'session'
  readonly name: string
  readonly at: Path
}
export interface OAuth2 {
  readonly grant: Grant
  readonly authorize: {
    readonly url: Text
    readonly scopes: readonly string[]
    readonly separator: string
    readonly pkce: boolean
    /** What its answers name themselves by (RFC 9207); absent: they name nothing, or it is not declared. */
    readonly issuer?: string
    readonly params: readonly Entry[]
  } | null
  readonly token: {
    readonly url: Text
    readonly method: 'GET' | 'POST'
    readonly clientAuth: keyof typeof CLIENT_AUTH
    readonly body: 'form' | 'json'
    readonly headers: readonly Entry[]
    /** Added to the first token request only. */
    readonly params: readonly Entry[]
  }
  /** What differs from `token`; null: the vendor has no refresh. */
  readonly refresh: { readonly url: Text; readonly params: readonly Entry[] } | null
  readonly rotatesRefreshToken: boolean
  /** How long a spent refresh token still works; null: not at all. */
  readonly reuseGraceMs: number | null
  readonly store: readonly Store[]
  readonly afterToken: readonly AfterToken[]
}
export interface AfterToken {
  readonly on: 'connect' | 'consent'
  readonly test: Expression | null
  readonly request: RequestTemplate
  readonly choose: {
    readonly from: Path
    readonly match: readonly { readonly at: Path; readonly value: Text }[]
    readonly label: Path
  } | null
  readonly store: readonly Store[]
}

export type { FieldType }
export interface Search {
  readonly fields: readonly {
    readonly name: string
    readonly type: FieldType
    readonly from: Path
  }[]
  /** Fields that the listing leaves empty, mapped to the reason. */
  readonly unfilled: Readonly<Record<string, string>>
  readonly index: {
    readonly order: readonly string[]
    readonly substring: readonly string[]
    readonly noWords: readonly string[]
  }
}

export interface Sync {
  readonly everyMs: number | null
  readonly primaryKey: readonly Path[]
  readonly action: Giving<'list'>
  readonly params: Template
  readonly cursor: SyncCursor | null
  readonly parent: {
    readonly entity: string
    readonly bind: readonly { readonly param: ParamPath; readonly from: Path }[]
    readonly changedOnly: boolean
  } | null
  readonly each: { readonly param: ParamPath; readonly values: Template } | null
  /** Null without a cursor. */
  readonly fullMs: number | null
  readonly ignore: readonly Path[]
  readonly reconcile: { readonly everyMs: number; readonly params: Template | null } | null
  /** How far one run may go; absent: as far as the service lets it. */
  readonly bounds?: Omit<NonNullable<SyncSource['bounds']>, 'pages_without_new'> & {
    readonly pagesWithoutNew?: number
  }
}
export interface SyncCursor {
  readonly field: Path
  readonly since: ParamPath | null
  readonly until: ParamPath | null
  readonly format: string
  readonly inclusive: boolean
  /** A date, or a duration back from now. */
  readonly start: string | null
  readonly windowMs: number | null
  readonly lookbackMs: number | null
  readonly newestFirst: boolean
}
