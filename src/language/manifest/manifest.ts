// The manifest after loading: every default merged in, every name resolved, every template and path parsed.
// Plain frozen data (JSON), so a prebuilt manifest needs neither YAML nor Handlebars at run time.
// What the keys mean to an author: docs/manifest-language.md.
import type { Expression, ParamPath, Path, Template, Text } from '../expression/syntax.ts'
import type { Json, JsonObject } from '../json/json.ts'
import type { ActionName, HttpMethod } from './actions.ts'
import type { BodyTemplate } from './body-forms/forms.ts'
import type { MultipartPart } from './body-forms/multipart.ts'
import type { ClockDefault } from './clock-default.ts'
import type { FieldType } from './field-type.ts'
import type { CompiledStyle, Turned, Turning } from './pagination-styles.ts'
import type { ErrorRuleSource, MatcherSource, Resolved, RetrySource } from './source.ts'

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
  /** Where the vendor tells the public whether it is up; left out: nobody has said. Nothing is ever sent there. */
  readonly statusPage?: string
  readonly description: string | null
  /** The picture for people; left out: letters and colour follow from the type. `hue`: degrees of the colour wheel. */
  readonly icon?: { readonly letters: string; readonly hue?: number }
  /** Other names in requests; left out: none. */
  readonly aliases?: readonly string[]
  readonly server: Server
  /** Settings that are not secret; closed. */
  readonly config: InputSchema
  readonly auth: readonly AuthMethod[]
  readonly check: Check | null
  readonly limits: Limits
  readonly maps: Readonly<Record<string, JsonObject>>
  readonly entities: readonly Entity[]
  /** Left out: the connector takes no webhooks. */
  readonly webhooks?: Webhooks
  /** Texts for end users in other languages, by language and English text; left out: none. */
  readonly translations?: Readonly<Record<string, Readonly<Record<string, string>>>>
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
export type { ClockDefault }
export type InputDefault =
  | { readonly at: ParamPath; readonly value: Json }
  /** `clock`: it gives another value at each call, so that a listing keeps the first one. */
  | { readonly at: ParamPath; readonly from: Template; readonly clock?: ClockDefault }

export type Server = Resolved['server']

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

export interface Limits extends Omit<Resolved['limits'], 'narrow'> {
  /** Limits of the vendor for less than that, in order; left out: none. */
  readonly narrow?: readonly NarrowLimitRule[]
}

/** A wait that the vendor asks for in an answer that passes `when` closes what has the same value of a parameter. */
export type NarrowLimitRule = NonNullable<Resolved['limits']['narrow']>[number] & {
  readonly when: ErrorRuleTemplate
}

export type Entity = Resolved['entity'] & {
  readonly name: string
  /** Names of the record's properties, in order. */
  readonly recordFields: readonly string[]
  readonly actions: readonly Action[]
  readonly search: Search | null
  readonly sync: Sync | null
}

export type Action = Omit<Resolved['action'], 'errors'> & {
  readonly entity: string
  readonly name: ActionName
  /** In order; an action with `request` has exactly one, named `request`, with no condition. */
  readonly steps: readonly Step[]
  readonly response: ResponseRules
  readonly pagination: Pagination
  readonly retry: RetryPolicy
  readonly errorBody: ErrorBody
  readonly download: Download | null
}

/** `errors`: the step's own rules, then the action's, then the manifest's defaults: first match wins. */
export type Step = Resolved['step'] & {
  /** The action's retry merged under the step's. */
  readonly retry: RetryPolicy
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

export type ResponseRules = Omit<Resolved['response'], 'records' | 'record'> & {
  /** `list`: a record array lies at `at`. `record`: one record. `stream`: bytes. */
  readonly kind: 'list' | 'record' | 'stream'
  readonly at: Path
  /** Members that leave as text, places relative to the record: `always` = any integer (int64 strings), otherwise only beyond 2^53. */
  readonly casts: readonly { readonly at: Path; readonly always: boolean }[]
  /** What texts are by the schema, places relative to the record; left out where an answer has types of its own. */
  readonly types?: readonly {
    readonly at: Path
    readonly type: 'list' | 'number' | 'boolean' | 'null'
  }[]
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

type Picked = Pick<Resolved['pagination'], 'meta' | 'emptyMeta'>
/** What all styles that turn pages have. */
export type Paged = Picked &
  Pick<Resolved['pagination'], 'size' | 'more' | 'last' | 'silentEnd' | 'carry'> & {
    /** The parameter that moves. */
    readonly param: ParamPath
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

export type ErrorRuleTemplate = Resolved['errorRule']
export type ErrorBody = Resolved['errorBody']
export type RetryPolicy = Resolved['retry']
export type WaitFormat = NonNullable<NonNullable<RetrySource['wait']>[number]['format']>
/** `when`: what must hold of the answer for the rule to be looked at. */
export type WaitRule = WaitSource & { readonly when?: AnswerTests }
export type AnswerTests = Resolved['answerTests']
type WaitSource =
  | {
      readonly kind: 'header'
      readonly name: string
      readonly path: Path | null
      readonly format: WaitFormat
    }
  | { readonly kind: 'body'; readonly at: Path; readonly format: WaitFormat }
  | { readonly kind: 'exponential'; readonly baseMs: number; readonly maxMs: number }
  | { readonly kind: 'constant'; readonly ms: number }

export type Download = Resolved['download']
/** How a file is sent in parts; `received.kind` is a word of `upload-positions.ts`. */
export type Upload = Resolved['upload']

export type AuthMethod = Omit<Resolved['authMethod'], 'server'> & {
  readonly name: string
  /** Replaces `Server.urls` for instances of this method. */
  readonly urls: readonly Text[] | null
}
export interface Store {
  readonly root: 'credentials' | 'config' | 'session'
  readonly name: string
  readonly at: Path
}
export type OAuth2 = Omit<Resolved['oauth2'], 'refresh'> & {
  /** What differs from `token`; null: the vendor has no refresh. */
  readonly refresh: { readonly url: Text; readonly params: readonly Entry[] } | null
}
export type OAuth1 = NonNullable<Resolved['authMethod']['oauth1']>
export type AfterToken = OAuth2['afterToken'][number]

export type { FieldType }
export type Search = Resolved['search'] & {
  readonly fields: readonly {
    readonly name: string
    readonly type: FieldType
    readonly from: Path
  }[]
}

/** `fullMs`: null without a cursor. */
export type Sync = Resolved['sync']
export type SyncCursor = NonNullable<Sync['cursor']>

/** How deliveries of the vendor are checked and read. */
export type Webhooks = Resolved['webhooks']

/** What stands at a key of the manifest schema that says so in `x-tenon-resolves`. */
/** A call of a tool. */
export interface ToolCall {
  readonly tool: string
  /** An object: the arguments. */
  readonly values: Template
}

export interface Kinds {
  /** A text that may hold `{{#if}}` and `{{#each}}`. */
  readonly blocks: Text
  /** `8MiB` in bytes. */
  readonly byteCount: number
  /** In milliseconds. */
  readonly duration: number
  readonly entries: readonly Entry[]
  readonly expression: Expression
  /** Entries that may say their own style. */
  readonly fields: readonly Entry[]
  readonly flag: Flag
  /** In lower case. */
  readonly headerName: string
  /** Names in lower case, one entry per name. */
  readonly headers: readonly Entry[]
  /** Left out otherwise. */
  readonly ifTrue: true | undefined
  readonly input: InputSchema
  /** A JSON object of entries, or one expression. */
  readonly json: Template
  /** A request that carries the credentials in its own templates; there is no session yet to apply. */
  readonly login: RequestTemplate
  /** The name behind `config.`. */
  readonly member: string
  /** As it is written. */
  readonly name: string
  readonly oauth2: OAuth2
  readonly pagination: Pagination
  readonly param: ParamPath
  readonly path: Path
  readonly parts: readonly MultipartPart[]
  readonly picks: readonly MetaPick[]
  readonly rate: { readonly count: number; readonly periodMs: number }
  /** A path for which a bare name is enough. */
  readonly recordPath: Path
  readonly request: RequestTemplate
  readonly schema: JsonSchema
  /** `4xx` is [400, 499]. */
  readonly status: readonly [from: number, to: number]
  readonly store: readonly Store[]
  readonly template: Template
  readonly test: Test
  readonly tests: BodyTests
  readonly text: Text
  readonly tool: ToolCall
  readonly unsent: Readonly<Record<string, string>>
  readonly wait: WaitRule
}
