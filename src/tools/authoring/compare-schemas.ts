// What changes for a caller between two schemas. What callers give may only become wider, what they get only narrower.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import type { Change, ChangeClass } from './change.ts'

/** `input`: callers give it. `output`: they get it. */
export type Direction = 'input' | 'output'

export interface SchemaSide {
  readonly schema: JsonSchema
  readonly definitions: Readonly<Record<string, JsonSchema>>
  /** Members of the top that need not be given although the schema requires them. */
  readonly optional?: ReadonlySet<string>
}

/** The changes between two schemas, in the order of their places. Shapes that refer to themselves are looked at once. */
export function compareSchemas(
  before: SchemaSide,
  after: SchemaSide,
  direction: Direction,
  path: string,
): readonly Change[] {
  const changes: Change[] = []
  compare(before, after, { direction, changes, seen: new Set() }, path)
  return changes
}

interface Walk {
  readonly direction: Direction
  readonly changes: Change[]
  readonly seen: Set<string>
}

function compare(before: SchemaSide, after: SchemaSide, walk: Walk, path: string): void {
  const [old, next] = [follow(before), follow(after)]
  const pair = `${before.schema['$ref'] as string} ${after.schema['$ref'] as string}`
  if (before.schema['$ref'] !== undefined && walk.seen.has(pair)) return
  walk.seen.add(pair)
  compareTypes(old, next, walk, path)
  compareValues(old, next, walk, path)
  compareLimits(old, next, walk, path)
  compareMembers({ ...before, schema: old }, { ...after, schema: next }, walk, path)
  compareOpenness(old, next, walk, path)
  if (isJsonObject(old['items']) && isJsonObject(next['items'])) {
    compare(
      { schema: old['items'], definitions: before.definitions },
      { schema: next['items'], definitions: after.definitions },
      walk,
      `${path}[]`,
    )
  }
  for (const keyword of ['oneOf', 'anyOf', 'allOf', 'uniqueItems', 'multipleOf'] as const) {
    if (!same(old[keyword], next[keyword])) add(walk, 'breaking', path, `other rules (${keyword})`)
  }
  if (!same(old['default'], next['default']))
    add(walk, 'additive', path, `default is now ${text(next['default'])}`)
  if (old['deprecated'] !== true && next['deprecated'] === true)
    add(walk, 'additive', path, 'is deprecated')
  if (!same(old['description'], next['description']))
    add(walk, 'cosmetic', path, 'other description')
}

function compareTypes(old: JsonSchema, next: JsonSchema, walk: Walk, path: string): void {
  const [from, to] = [typesOf(old), typesOf(next)]
  const lost = from.filter((type) => !covers(to, type))
  const won = to.filter((type) => !covers(from, type))
  if (from.length > 0 && to.length > 0) {
    if (lost.length > 0) narrowed(walk, path, `no longer ${lost.join(' or ')}`)
    if (won.length > 0) widened(walk, path, `may be ${won.join(' or ')}`)
  } else if (from.length === 0 && to.length > 0) narrowed(walk, path, `must be ${to.join(' or ')}`)
  else if (from.length > 0 && to.length === 0) widened(walk, path, 'may be of any type')
}

function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

function compareValues(old: JsonSchema, next: JsonSchema, walk: Walk, path: string): void {
  const [from, to] = [valuesOf(old), valuesOf(next)]
  if (from === null && to === null) return
  if (from === null) narrowed(walk, path, `one of ${(to ?? []).map(text).join(', ')} only`)
  else if (to === null) widened(walk, path, 'any value')
  else {
    const lost = from.filter((value) => !to.some((other) => jsonEqual(value, other)))
    const won = to.filter((value) => !from.some((other) => jsonEqual(value, other)))
    if (lost.length > 0) narrowed(walk, path, `no longer ${lost.map(text).join(', ')}`)
    if (won.length > 0) widened(walk, path, `may be ${won.map(text).join(', ')}`)
  }
}

/** Keywords that bound a value from above (true) or below (false). */
const LIMITS: readonly (readonly [keyword: string, isUpper: boolean])[] = [
  ['maximum', true],
  ['exclusiveMaximum', true],
  ['maxLength', true],
  ['maxItems', true],
  ['maxProperties', true],
  ['minimum', false],
  ['exclusiveMinimum', false],
  ['minLength', false],
  ['minItems', false],
  ['minProperties', false],
]

function compareLimits(old: JsonSchema, next: JsonSchema, walk: Walk, path: string): void {
  for (const [keyword, isUpper] of LIMITS) {
    const [from, to] = [old[keyword], next[keyword]]
    if (same(from, to)) continue
    const [a, b] = [
      Number(from ?? (isUpper ? Infinity : -Infinity)),
      Number(to ?? (isUpper ? Infinity : -Infinity)),
    ]
    if (isUpper ? b < a : b > a) narrowed(walk, path, `${keyword} is now ${text(to)}`)
    else widened(walk, path, to === undefined ? `no ${keyword}` : `${keyword} is now ${text(to)}`)
  }
  for (const keyword of ['pattern', 'format'] as const) {
    const [from, to] = [old[keyword], next[keyword]]
    if (same(from, to)) continue
    if (to === undefined) widened(walk, path, `no ${keyword}`)
    else narrowed(walk, path, `${keyword} is now ${text(to)}`)
  }
}

function compareMembers(before: SchemaSide, after: SchemaSide, walk: Walk, path: string): void {
  const [from, to] = [membersOf(before.schema), membersOf(after.schema)]
  const [had, has] = [requiredOf(before), requiredOf(after)]
  const isInput = walk.direction === 'input'
  for (const name of Object.keys(from)) {
    const place = `${path}.${name}`
    if (to[name] === undefined) {
      add(walk, 'breaking', place, 'removed')
      continue
    }
    if (!had.has(name) && has.has(name))
      add(
        walk,
        isInput ? 'breaking' : 'additive',
        place,
        isInput ? 'newly required' : 'always there now',
      )
    if (had.has(name) && !has.has(name))
      add(
        walk,
        isInput ? 'additive' : 'breaking',
        place,
        isInput ? 'no longer required' : 'may be missing',
      )
    compare(
      { schema: from[name] ?? {}, definitions: before.definitions },
      { schema: to[name], definitions: after.definitions },
      walk,
      place,
    )
  }
  for (const name of Object.keys(to)) {
    if (from[name] !== undefined) continue
    const mustGive = isInput && has.has(name)
    add(
      walk,
      mustGive ? 'breaking' : 'additive',
      `${path}.${name}`,
      mustGive ? 'added, and required' : 'added',
    )
  }
}

function compareOpenness(old: JsonSchema, next: JsonSchema, walk: Walk, path: string): void {
  const [was, is] = [old['additionalProperties'] !== false, next['additionalProperties'] !== false]
  if (was && !is) narrowed(walk, path, 'takes no further members')
  if (!was && is) widened(walk, path, 'takes further members')
}

/** Fewer values: breaks whoever gives them, pleases whoever gets them. */
function narrowed(walk: Walk, path: string, change: string): void {
  add(walk, walk.direction === 'input' ? 'breaking' : 'additive', path, change)
}

function widened(walk: Walk, path: string, change: string): void {
  add(walk, walk.direction === 'input' ? 'additive' : 'breaking', path, change)
}

function add({ changes }: Walk, kind: ChangeClass, path: string, change: string): void {
  changes.push({ class: kind, path, change })
}

function follow({ schema, definitions }: SchemaSide): JsonSchema {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  return definitions[reference.replace('#/definitions/', '')] ?? {}
}

function typesOf(schema: JsonSchema): readonly string[] {
  const type = schema['type']
  return typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : []
}

function valuesOf(schema: JsonSchema): readonly Json[] | null {
  if (schema['const'] !== undefined) return [schema['const']]
  return Array.isArray(schema['enum']) ? (schema['enum'] as readonly Json[]) : null
}

function membersOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const properties = schema['properties']
  return isJsonObject(properties) ? (properties as Record<string, JsonObject>) : {}
}

function requiredOf({ schema, optional }: SchemaSide): ReadonlySet<string> {
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  return new Set(required.filter((name) => optional?.has(name) !== true))
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && jsonEqual(a, b))
}

function text(value: Json | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value)
}
