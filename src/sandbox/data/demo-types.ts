// Made by scripts/manifest-types.ts of schemas/demo.schema.json. Do not edit.
// Demo data as it is read: what is written as a value is a function that makes it. What the keys mean: docs/sandbox.md.
import type { Text } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { Choices, Conditions, WriteTime } from './demo-compiler.ts'
import type { PageFact } from './page-facts.ts'
import type { QueryField } from './read-demo.ts'
import type { PickField } from './row-index.ts'
import type { MakeValue, Members, Write } from './world.ts'

export type Demo = {
  readonly demo: 1
  readonly connector: string
  readonly now?: string
  readonly config: JsonObject
  readonly credentials: ReadonlyMap<string, JsonObject>
  readonly client?: { readonly id: string; readonly secret: string }
  readonly maps: JsonObject
  readonly sets: ReadonlyMap<string, SetMembers>
  readonly actions: ReadonlyMap<string, ActionRules>
  readonly routes: readonly {
    readonly http: { readonly method: string; readonly path: readonly Text[] }
    readonly status?: number
    readonly answer: MakeValue
  }[]
  readonly envelope?: MakeValue
  readonly error_envelope?: MakeValue
  readonly page: {
    readonly size?: number
    readonly max?: number
    readonly unsaid: readonly (
      | 'total'
      | 'received'
      | 'size'
      | 'offset'
      | 'index'
      | 'number'
      | 'pages'
      | 'last'
      | 'more'
      | 'next'
      | 'next_url'
    )[]
  }
  readonly empty?: { readonly status?: number; readonly message?: MakeValue }
  readonly errors: {
    readonly invalid?: { readonly status?: number; readonly message?: MakeValue }
    readonly unauthorized?: { readonly status?: number; readonly message?: MakeValue }
    readonly forbidden?: { readonly status?: number; readonly message?: MakeValue }
    readonly not_found?: { readonly status?: number; readonly message?: MakeValue }
    readonly unknown_route?: { readonly status?: number; readonly message?: MakeValue }
    readonly cursor?: { readonly status?: number; readonly message?: MakeValue }
    readonly rate_limited?: { readonly status?: number; readonly message?: MakeValue }
  }
  readonly learned: JsonObject
  readonly time_format: string
  readonly trees: ReadonlyMap<string, TreeRules>
}
export type SetMembers = {
  readonly count?: readonly [min: number, max: number]
  readonly per?: string
  readonly keys: readonly (readonly string[])[]
  readonly rows: readonly Members[]
  readonly let: Members
  readonly record: Members
  readonly view?: MakeValue
  readonly forms: ReadonlyMap<string, MakeValue>
  readonly touch: readonly Write[]
  readonly show: readonly Write[]
  readonly select: readonly Write[]
  readonly missing?: MakeValue
}
export type ActionRules = {
  readonly set?: string
  readonly key?: MakeValue
  readonly parent?: MakeValue
  readonly refuse: readonly Refusal[]
  readonly scopes: ReadonlyMap<string, MakeValue>
  readonly filters?: readonly Filter[]
  readonly sort?: Sort
  readonly page: {
    readonly size?: number
    readonly max?: number
    readonly unsaid: readonly (
      | 'total'
      | 'received'
      | 'size'
      | 'offset'
      | 'index'
      | 'number'
      | 'pages'
      | 'last'
      | 'more'
      | 'next'
      | 'next_url'
    )[]
  }
  readonly empty?: { readonly status?: number; readonly message?: MakeValue }
  readonly show: readonly Write[]
  readonly select: readonly Write[]
  readonly record?: Members
  readonly write: readonly Write[]
  readonly remove?: MakeValue
  readonly status?: number
  readonly answer?: MakeValue
  readonly envelope?: MakeValue
  readonly silent?: MakeValue
  readonly query?: QueryRule
  readonly example?: MakeValue
}
export type Refusal = {
  readonly when?: MakeValue
  readonly unless?: MakeValue
  readonly status?: number
  readonly message?: MakeValue
  readonly fields: ReadonlyMap<string, MakeValue>
  readonly names?: {
    readonly of: MakeValue
    readonly known?: MakeValue
    readonly barred?: MakeValue
    readonly message: MakeValue
  }
}
export type Filter = {
  readonly at: readonly PickField[]
  readonly value: MakeValue
  readonly test: 'is' | 'not' | 'contains' | 'starts' | 'gt' | 'gte' | 'lt' | 'lte'
  readonly ignore_case: boolean
}
export type Sort = {
  readonly by: MakeValue
  readonly descending?: MakeValue
  readonly fields: ReadonlyMap<string, PickField>
}
export type QueryRule = {
  readonly text: MakeValue
  readonly fields: ReadonlyMap<string, QueryField>
  readonly values: ReadonlyMap<string, MakeValue>
  readonly unbounded?: MakeValue
  readonly reserved: string
  readonly most_orders?: number
  readonly says: {
    readonly syntax?: MakeValue
    readonly field?: MakeValue
    readonly value?: MakeValue
    readonly operator?: MakeValue
    readonly time?: MakeValue
    readonly function?: MakeValue
    readonly wildcard?: MakeValue
    readonly blank?: MakeValue
    readonly orders?: MakeValue
  }
}
export type TreeRules = {
  readonly kind: string
  readonly inside: string
  readonly around?: string
  readonly nodes: ReadonlyMap<string, MakeValue>
}
export type Words = {
  readonly $pick: { readonly $pick: Choices }
  readonly $cycle: { readonly $cycle: Choices }
  readonly $some: { readonly $some: MakeValue; readonly count: readonly [min: number, max: number] }
  readonly $list: { readonly $list: MakeValue; readonly count: readonly [min: number, max: number] }
  readonly $each: { readonly $each: MakeValue; readonly give: MakeValue }
  readonly $index: { readonly $index: number; readonly plus: number }
  readonly $join: { readonly $join: MakeValue; readonly with: string }
  readonly $first: { readonly $first: Choices }
  readonly $if: { readonly $if: MakeValue; readonly $value: MakeValue }
  readonly $int: { readonly $int: readonly [min: number, max: number] }
  readonly $number: {
    readonly $number: readonly [min: number, max: number]
    readonly decimals: number
  }
  readonly $digits: { readonly $digits: number }
  readonly $hex: { readonly $hex: number }
  readonly $uuid: { readonly $uuid: Json }
  readonly $sequence: { readonly $sequence: number }
  readonly $integer: { readonly $integer: MakeValue }
  readonly $ago: {
    readonly $ago: readonly [min: number, max: number]
    readonly step: readonly [min: number, max: number]
    readonly format: WriteTime
  }
  readonly $walk: {
    readonly $walk: readonly [min: number, max: number]
    readonly from?: readonly [min: number, max: number]
    readonly format: WriteTime
  }
  readonly $after: {
    readonly $after: MakeValue
    readonly by: readonly [min: number, max: number]
    readonly format: WriteTime
  }
  readonly $now: { readonly $now: Json; readonly format: WriteTime }
  readonly $one: {
    readonly $one: string
    readonly where?: Conditions
    readonly as?: string
    readonly get?: PickField
    readonly else?: MakeValue
  }
  readonly $all: {
    readonly $all: string
    readonly where?: Conditions
    readonly as?: string
    readonly get?: PickField
    readonly limit?: number
  }
  readonly $count: { readonly $count: string; readonly where?: Conditions }
  readonly $below: { readonly $below: string; readonly as?: string; readonly get?: PickField }
  readonly $earlier: { readonly $earlier: number; readonly as?: string; readonly get?: PickField }
  readonly $tree: { readonly $tree: MakeValue; readonly as: TreeRules }
  readonly $page: { readonly $page: PageFact }
  readonly $sent: { readonly $sent: string }
  readonly $file: { readonly $file: string; readonly size: MakeValue }
  readonly $operate: { readonly $operate: MakeValue; readonly by: MakeValue }
  readonly $absent: { readonly $absent: Json }
}
export type FieldMembers = {
  readonly at?: readonly PickField[]
  readonly value?: MakeValue
  readonly words?: boolean
  readonly time?: boolean
  readonly known?: MakeValue
  readonly order?: 'rising' | 'falling' | 'value'
  readonly none: readonly string[]
  readonly unknown?: MakeValue
}
