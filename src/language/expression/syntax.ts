// The syntax trees of the two notations of a manifest: `{{ expressions }}` build requests, `$` paths read answers.
// They are plain data, so that a compiled manifest is JSON and loading one needs no parser.
import type { Json } from '../json/json.ts'
import type { FilesByMark } from './file-source.ts'

/** The names an expression may start with. Where each may stand: docs/manifest-language.md, "Expressions". */
export type Root = Exclude<keyof Scope, 'now' | 'jwtFor' | 'files'>

/** The closed list of helpers. */
export type HelperName =
  ChoiceHelper | TextHelper | ListHelper | 'graphql_fields' | TypeHelper | CodeHelper | TimeHelper
export type ChoiceHelper = 'default' | 'or' | 'and' | 'not' | 'if' | 'eq' | 'in' | 'given'
export type TextHelper =
  'lower' | 'upper' | 'trim' | 'replace' | 'match' | 'join' | 'split' | 'quote' | 'concat'
export type ListHelper = 'first' | 'last' | 'only' | 'unique' | 'length' | 'lookup'
export type TypeHelper = 'int' | 'float' | 'string' | 'json'
export type CodeHelper = 'base64' | 'urlencode' | 'segments' | 'xml' | 'hash_sha256' | 'hmac_sha256'
export type TimeHelper = 'date' | 'add_duration' | 'round_up' | 'now'

/** What stands between `{{` and `}}`. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: Json }
  | { readonly kind: 'path'; readonly root: Root; readonly path: readonly string[] }
  /** A block parameter of `{{#each list as |item|}}`. */
  | { readonly kind: 'local'; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: 'call'; readonly helper: HelperName; readonly args: readonly Expression[] }

/** Text with expressions in it. Blocks occur only in `text.value` and `graphql.query`. */
export type TextPart =
  | string
  | Expression
  | {
      readonly kind: 'ifBlock'
      readonly test: Expression
      readonly body: readonly TextPart[]
      readonly otherwise: readonly TextPart[]
    }
  | {
      readonly kind: 'eachBlock'
      readonly list: Expression
      readonly item: string
      readonly body: readonly TextPart[]
    }

/** A string of a manifest that is made of text and expressions. One literal part = constant text. */
export type Text = readonly TextPart[]

/**
 * A value of a manifest that is filled in for every call.
 * `value`: one expression alone, keeps its JSON type. `text`: always a string. `object`: absent members are dropped.
 */
export type Template =
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'value'; readonly expression: Expression }
  | { readonly kind: 'text'; readonly text: Text }
  | { readonly kind: 'array'; readonly items: readonly Template[] }
  | {
      readonly kind: 'object'
      readonly members: readonly (readonly [name: string, value: Template])[]
    }
  /** `{ $if, $value }` or an object with `$if`: stands for `value`, absent unless the test is true. */
  | { readonly kind: 'when'; readonly test: Expression; readonly value: Template }

/** Where a value lies in an answer: `$.a.b[0]`, `$.items[*].id`, `$headers.x-name`, `$link.next`. */
export interface Path {
  readonly root: 'body' | 'callback' | 'cookies' | 'headers' | 'link' | 'next' | 'parent'
  readonly steps: readonly PathStep[]
  /** The path as written, for messages. */
  readonly source: string
}

/** A member name, an index (negative: from the end), every element, or an index from an expression. */
export type PathStep =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'computed'; readonly index: Expression }

/** A parameter by its place in `params`: `filter.fromDateTime` is ['filter', 'fromDateTime']. */
export type ParamPath = readonly string[]

/** What the expressions of one evaluation can see. A root that is missing here is absent. */
export interface Scope {
  readonly params?: JsonObjectLike
  readonly config?: JsonObjectLike
  readonly maps?: JsonObjectLike
  readonly record_fields?: readonly string[]
  readonly steps?: JsonObjectLike
  readonly response?: JsonObjectLike
  readonly record?: Json
  readonly credentials?: JsonObjectLike
  readonly client?: JsonObjectLike
  readonly session?: JsonObjectLike
  /** Of a file that is sent in parts: `name`, `type`, `size` (said first), `total` (known now), `from` and `to` of the part. */
  readonly upload?: JsonObjectLike
  readonly cursor?: JsonObjectLike
  readonly parent?: Json
  /** The request as it leaves, for what a signature is made of, and the signature. */
  readonly request?: JsonObjectLike
  readonly signature?: string
  /** Of a vendor's webhook: what is known of it (`secret`, `token`, `url`), and what has arrived (`method`, `query`, `headers`, `body`). */
  readonly webhook?: JsonObjectLike
  readonly event?: JsonObjectLike
  /** Of a subscription at the vendor: what was stored of it, and its `secret`. */
  readonly subscription?: JsonObjectLike
  /** A new token of the block `jwt` each time it is looked at. */
  readonly jwt?: string
  /** Milliseconds since 1970, for the helper `now` (auth, check and sync only). */
  readonly now?: () => number
  /** What the marks in `params` stand for. */
  readonly files?: FilesByMark
  /** Makes `jwt` for a request that is signed, of whose parts its claims may be made. */
  readonly jwtFor?: (request: JsonObjectLike) => string
}

type JsonObjectLike = { readonly [member: string]: Json | undefined }
