// Demo data after reading: what a sandbox knows about one vendor beyond its manifest. What each key means: docs/sandbox.md.
import type { Text } from '../../language/expression/syntax.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { QueryRule } from './apply-query.ts'
import type { Filter, Sort } from './narrow.ts'
import type { MakeValue, Members, SetRules, Write } from './world.ts'

/** Kinds of refusals that every vendor knows. */
export type RefusalKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'unknown_route'
  | 'cursor'
  | 'rate_limited'

/** What the vendor says, and with which status, in place of what the sandbox says. */
export interface RefusalText {
  readonly status?: number
  readonly message?: MakeValue
}

export interface Demo {
  /** When the sandbox begins, as RFC 3339 text. */
  readonly now?: string
  readonly config: JsonObject
  /** Settings that a caller learns from answers: after consent, in a token answer. */
  readonly learned: JsonObject
  /** By name of the authentication method. */
  readonly credentials: ReadonlyMap<string, JsonObject>
  readonly client?: { readonly id: string; readonly secret: string }
  readonly maps: JsonObject
  readonly sets: readonly SetRules[]
  /** By `entity.action` and `entity.action/step`. */
  readonly actions: ReadonlyMap<string, ActionRules>
  readonly routes: readonly DemoRoute[]
  readonly envelope?: MakeValue
  /** Members of every error body. */
  readonly errorEnvelope?: MakeValue
  readonly page: PageSizes
  readonly empty?: RefusalText
  /** By RefusalKind. */
  readonly errors: ReadonlyMap<string, RefusalText>
}

export interface PageSizes {
  readonly size?: number
  readonly max?: number
  /** Facts about pages that the vendor never says, by their names for `$page`. */
  readonly unsaid?: readonly string[]
}

/** A request that is no action of the manifest. */
export interface DemoRoute {
  readonly method: string
  readonly path: readonly Text[]
  readonly status: number
  readonly answer: MakeValue
}

export interface Refusal {
  readonly when?: MakeValue
  readonly unless?: MakeValue
  readonly status?: number
  /** Left out: the fields say it all, and those of several refusals are said together. */
  readonly message?: MakeValue
  readonly fields: readonly (readonly [field: string, message: MakeValue])[]
  readonly names?: RefusedNames
}

/** Members that must not be given; each is a field with the same text, which sees its name as `record.item`. */
export interface RefusedNames {
  /** The object whose members are looked at. */
  readonly of: MakeValue
  /** Names (or objects with such members) that are right; left out: all but the barred. */
  readonly known?: MakeValue
  /** Names (or objects with such members) that are wrong. */
  readonly barred?: MakeValue
  readonly message: MakeValue
}

/** Rules of one action, or of one step of one. What is left out follows from the manifest. */
export interface ActionRules {
  readonly set?: string
  readonly key?: MakeValue
  readonly parent?: MakeValue
  readonly refuse: readonly Refusal[]
  /** Scopes that a request needs in addition to those of the action, and when it does. */
  readonly scopes: readonly (readonly [scope: string, when: MakeValue])[]
  readonly filters?: readonly Filter[]
  readonly query?: QueryRule
  readonly sort?: Sort
  readonly page: PageSizes
  readonly empty?: RefusalText
  readonly show: readonly Write[]
  readonly select: readonly Write[]
  readonly record?: Members
  readonly write: readonly Write[]
  readonly remove?: MakeValue
  readonly status?: number
  /** True: the answer is empty. */
  readonly silent?: MakeValue
  readonly answer?: MakeValue
  readonly envelope?: MakeValue
  /** Parameters of a call that succeeds. */
  readonly example?: MakeValue
}

/** The rules of an action that the demo data says nothing about. */
export const NO_RULES: ActionRules = {
  refuse: [],
  scopes: [],
  page: {},
  show: [],
  select: [],
  write: [],
}

/** A connector without demo data. */
export const NO_DEMO: Demo = {
  config: {},
  learned: {},
  credentials: new Map(),
  maps: {},
  sets: [],
  actions: new Map(),
  routes: [],
  page: {},
  errors: new Map(),
}
