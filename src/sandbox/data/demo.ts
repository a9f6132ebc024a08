// Demo data after reading: what a sandbox knows about one vendor beyond its manifest.
import type { Text } from '../../language/expression/syntax.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { QueryRule } from './apply-query.ts'
import type { SelectRule, ShowRule } from './choose-members.ts'
import type { Filter, Sort } from './narrow.ts'
import type { MakeValue, Members, SetRules } from './world.ts'

/** Kinds of refusals that every vendor knows. */
export type RefusalKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'unknown_route'
  | 'cursor'
  | 'rate_limited'

/** What the vendor says, and with which status; null: as the sandbox says it by itself. */
export interface RefusalText {
  readonly status: number | null
  readonly message: MakeValue | null
}

export interface Demo {
  /** When the sandbox begins, in milliseconds since 1970; null: at a day of its own choice. */
  readonly startMs: number | null
  readonly config: JsonObject
  /** Settings that a caller learns from answers: after consent, in a token answer. */
  readonly learned: JsonObject
  /** By name of the authentication method. */
  readonly credentials: ReadonlyMap<string, JsonObject>
  readonly client: { readonly id: string; readonly secret: string } | null
  readonly maps: JsonObject
  readonly sets: readonly SetRules[]
  /** By `entity.action` and `entity.action/step`. */
  readonly actions: ReadonlyMap<string, ActionRules>
  readonly routes: readonly DemoRoute[]
  readonly envelope: MakeValue | null
  /** Members of every error body. */
  readonly errorEnvelope: MakeValue | null
  readonly page: PageSizes
  readonly empty: RefusalText | null
  /** By RefusalKind. */
  readonly errors: ReadonlyMap<string, RefusalText>
}

export interface PageSizes {
  readonly size: number | null
  readonly max: number | null
  /** Facts about pages that the vendor never says, by their names for `$page`. */
  readonly unsaid: readonly string[]
}

/** A request that is no action of the manifest. */
export interface DemoRoute {
  readonly method: string
  readonly path: readonly Text[]
  readonly status: number
  readonly answer: MakeValue
}

export interface Refusal {
  readonly when: MakeValue | null
  readonly unless: MakeValue | null
  readonly status: number | null
  /** Null: the fields say it all, and those of several refusals are said together. */
  readonly message: MakeValue | null
  readonly fields: readonly (readonly [field: string, message: MakeValue])[]
  readonly names: RefusedNames | null
}

/** Members that must not be given; each is a field with the same text, which sees its name as `record.item`. */
export interface RefusedNames {
  /** The object whose members are looked at. */
  readonly of: MakeValue
  /** Names (or objects with such members) that are right; null: all but the barred. */
  readonly known: MakeValue | null
  /** Names (or objects with such members) that are wrong. */
  readonly barred: MakeValue | null
  readonly message: MakeValue
}

/** What is written at a path of a row. */
export interface Write {
  readonly path: readonly string[]
  readonly value: MakeValue
}

/** Rules of one action, or of one step of one. Null and empty: what follows from the manifest. */
export interface ActionRules {
  readonly set: string | null
  readonly key: MakeValue | null
  readonly parent: MakeValue | null
  readonly refuse: readonly Refusal[]
  /** Scopes that a request needs beside those of the action, and when it does. */
  readonly scopes: readonly (readonly [scope: string, when: MakeValue])[]
  readonly filters: readonly Filter[] | null
  readonly query: QueryRule | null
  readonly sort: Sort | null
  readonly page: PageSizes
  readonly empty: RefusalText | null
  readonly show: readonly ShowRule[]
  readonly select: readonly SelectRule[]
  readonly record: Members | null
  readonly write: readonly Write[]
  readonly remove: MakeValue | null
  readonly status: number | null
  /** True: the answer is empty. */
  readonly silent: MakeValue | null
  readonly answer: MakeValue | null
  readonly envelope: MakeValue | null
  /** Parameters of a call that succeeds. */
  readonly example: MakeValue | null
}

/** The rules of an action that the demo data says nothing about. */
export const NO_RULES: ActionRules = {
  set: null,
  key: null,
  parent: null,
  refuse: [],
  scopes: [],
  filters: null,
  query: null,
  sort: null,
  page: { size: null, max: null, unsaid: [] },
  empty: null,
  show: [],
  select: [],
  record: null,
  write: [],
  remove: null,
  status: null,
  silent: null,
  answer: null,
  envelope: null,
  example: null,
}

/** A connector without demo data. */
export const NO_DEMO: Demo = {
  startMs: null,
  config: {},
  learned: {},
  credentials: new Map(),
  client: null,
  maps: {},
  sets: [],
  actions: new Map(),
  routes: [],
  envelope: null,
  errorEnvelope: null,
  page: { size: null, max: null, unsaid: [] },
  empty: null,
  errors: new Map(),
}
