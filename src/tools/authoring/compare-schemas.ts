// What changes for a caller between two schemas. What callers give may only become wider, what they get only narrower.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import type { Change, ChangeClass, ChangeSteps, KeyChange } from './change-words.ts'
import { schemaKeywords, stepOf } from './change-words.ts'
import { typeNamesOf } from '../../language/manifest/json-schema.ts'

/** `input`: callers give it. `output`: they get it. */
export type Direction = 'input' | 'output'

export interface SchemaSide {
  readonly schema: JsonSchema
  readonly definitions: Readonly<Record<string, JsonSchema>>
  /** Members that are filled in when they are left out, as `filter.by`: they need not be given. */
  readonly filled?: ReadonlySet<string>
  /** Other names of members at the top. */
  readonly aliases?: ReadonlyMap<string, string>
  /** Where the schema stands below the top: `filter`. */
  readonly at?: string
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

interface Place {
  readonly before: SchemaSide
  readonly after: SchemaSide
  readonly walk: Walk
  readonly path: string
}

/** Every keyword that a schema may have, by the word that stands at it in the schema of manifests. */
function compare(before: SchemaSide, after: SchemaSide, walk: Walk, path: string): void {
  const pair = `${before.schema['$ref'] as string} ${after.schema['$ref'] as string}`
  if (before.schema['$ref'] !== undefined && walk.seen.has(pair)) return
  walk.seen.add(pair)
  const place: Place = {
    before: { ...before, schema: follow(before) },
    after: { ...after, schema: follow(after) },
    walk,
    path,
  }
  for (const [keyword, { change }] of schemaKeywords()) compareKeyword(keyword, change, place)
}

function compareKeyword(keyword: string, change: KeyChange, place: Place): void {
  const compareByWord = typeof change === 'string' ? WORDS[change] : undefined
  if (compareByWord !== undefined) return compareByWord(place, keyword)
  const [from, to] = [place.before.schema[keyword], place.after.schema[keyword]]
  if (same(from, to)) return
  const step = stepOf(change as ChangeClass | ChangeSteps, [from, to])
  const said = step.class === 'cosmetic' ? `other ${keyword}` : nowOf(keyword, to)
  add(place.walk, step.class, place.path, said)
}

const WORDS: Readonly<Record<string, (place: Place, keyword: string) => void>> = {
  /** It is read with another keyword, or followed. */
  none: () => undefined,
  types: compareTypes,
  values: compareValues,
  members: compareMembers,
  openness: compareOpenness,
  elements: compareElements,
  branches: (place, keyword) => compareParts(place, keyword, { more: widened, fewer: narrowed }),
  demands: (place, keyword) => compareParts(place, keyword, { more: narrowed, fewer: widened }),
  upper: (place, keyword) => compareBound(place, keyword, (from, to) => to < from),
  lower: (place, keyword) => compareBound(place, keyword, (from, to) => to > from),
  rule: compareRule,
  deprecation({ before, after, walk, path }, keyword) {
    if (before.schema[keyword] !== true && after.schema[keyword] === true)
      add(walk, 'additive', path, 'is deprecated')
  },
}

function compareTypes({ before, after, walk, path }: Place): void {
  const [from, to] = [typeNamesOf(before.schema), typeNamesOf(after.schema)]
  const lost = from.filter((type) => !covers(to, type))
  const won = to.filter((type) => !covers(from, type))
  if (from.length > 0 && to.length > 0) {
    if (lost.length > 0) narrowed(walk, path, `no longer ${lost.join(' or ')}`)
    if (won.length > 0) widened(walk, path, `may be ${won.join(' or ')}`)
  } else if (from.length === 0 && to.length > 0) narrowed(walk, path, `must be ${to.join(' or ')}`)
  else if (from.length > 0 && to.length === 0) widened(walk, path, 'may be of any type')
}

function print(value: Json): string {
  return JSON.stringify(value)
}

function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

function compareValues({ before, after, walk, path }: Place): void {
  const [from, to] = [valuesOf(before.schema), valuesOf(after.schema)]
  if (from === null && to === null) return
  if (from === null) narrowed(walk, path, `one of ${(to ?? []).map(print).join(', ')} only`)
  else if (to === null) widened(walk, path, 'any value')
  else {
    const lost = from.filter((value) => !to.some((other) => jsonEqual(value, other)))
    const won = to.filter((value) => !from.some((other) => jsonEqual(value, other)))
    if (lost.length > 0) narrowed(walk, path, `no longer ${lost.map(print).join(', ')}`)
    if (won.length > 0) widened(walk, path, `may be ${won.map(print).join(', ')}`)
  }
}

function compareBound(
  { before, after, walk, path }: Place,
  keyword: string,
  isNarrower: (from: number, to: number) => boolean,
): void {
  const [from, to] = [before.schema[keyword], after.schema[keyword]]
  if (same(from, to)) return
  const isNarrowed =
    to !== undefined && (from === undefined || isNarrower(Number(from), Number(to)))
  const tell = isNarrowed ? narrowed : widened
  tell(walk, path, nowOf(keyword, to))
}

/** A rule whose values cannot be compared: another one may refuse what was taken, and let through what never came. */
function compareRule({ before, after, walk, path }: Place, keyword: string): void {
  const [from, to] = [before.schema[keyword], after.schema[keyword]]
  if (same(from, to)) return
  const { change } = stepOf({}, [from, to])
  if (change === 'removed') widened(walk, path, `no ${keyword}`)
  else if (change === 'added') narrowed(walk, path, nowOf(keyword, to))
  else add(walk, 'breaking', path, nowOf(keyword, to))
}

function compareMembers({ before, after, walk, path }: Place): void {
  const [from, to] = [membersOf(before.schema), membersOf(after.schema)]
  const [had, has] = [requiredOf(before), requiredOf(after)]
  const isInput = walk.direction === 'input'
  const renamed = new Set<string>()
  for (const [name, schema] of Object.entries(from)) {
    const place = `${path}.${name}`
    // A member that kept its old name as a further one is called otherwise, and not gone.
    const now = to[name] === undefined ? (after.aliases?.get(name) ?? name) : name
    const other = to[now]
    if (other === undefined) {
      add(walk, 'breaking', place, 'removed')
      continue
    }
    if (now !== name) {
      renamed.add(now)
      add(walk, 'additive', place, `is now called ${now}`)
    }
    if (!had.has(name) && has.has(now))
      narrowed(walk, place, isInput ? 'newly required' : 'always there now')
    if (had.has(name) && !has.has(now))
      widened(walk, place, isInput ? 'no longer required' : 'may be missing')
    compare(below(before, name, schema), below(after, now, other), walk, place)
  }
  for (const name of Object.keys(to)) {
    if (from[name] !== undefined || renamed.has(name)) continue
    if (isInput && has.has(name)) add(walk, 'breaking', `${path}.${name}`, 'added, and required')
    else add(walk, 'additive', `${path}.${name}`, 'added')
  }
}

function compareElements({ before, after, walk, path }: Place, keyword: string): void {
  const [old, next] = [before.schema[keyword], after.schema[keyword]]
  if (!isJsonObject(old) && !isJsonObject(next)) return
  compare(inside(before, old ?? {}), inside(after, next ?? {}), walk, `${path}[]`)
}

function compareOpenness({ before, after, walk, path }: Place, keyword: string): void {
  const [was, is] = [before.schema[keyword] ?? true, after.schema[keyword] ?? true]
  if (same(was, is)) return
  if (is === false) narrowed(walk, path, 'takes no further members')
  else if (was === false) widened(walk, path, 'takes further members')
  else compare(inside(before, was), inside(after, is), walk, `${path}.*`)
}

/** Schemas of which one or all must hold: those of each side that the other has not, in their order. */
function compareParts(
  { before, after, walk, path }: Place,
  keyword: string,
  { more, fewer }: Readonly<Record<'more' | 'fewer', typeof narrowed>>,
): void {
  const [old, next] = [partsOf(before, keyword), partsOf(after, keyword)]
  const isSame = (a: SchemaSide, b: SchemaSide): boolean => {
    const changes: Change[] = []
    compare(a, b, { ...walk, changes, seen: new Set(walk.seen) }, path)
    return changes.length === 0
  }
  const lost = old.filter((part) => !next.some((other) => isSame(part, other)))
  const won = next.filter((part) => !old.some((other) => isSame(other, part)))
  // Where there were none, anything was allowed; where there are none, anything is.
  if (old.length === 0 && won.length > 0) narrowed(walk, path, `other rules (${keyword})`)
  else if (next.length === 0 && lost.length > 0) widened(walk, path, `other rules (${keyword})`)
  else if (lost.length === won.length) {
    for (const [index, part] of lost.entries()) {
      const other = won[index]
      if (other !== undefined) compare(part, other, walk, path)
    }
  } else {
    if (lost.length > 0) fewer(walk, path, `${lost.length} of its ${keyword} removed`)
    if (won.length > 0) more(walk, path, `${won.length} added to its ${keyword}`)
  }
}

function partsOf(side: SchemaSide, keyword: string): readonly SchemaSide[] {
  const parts = side.schema[keyword]
  return Array.isArray(parts) ? parts.map((part: Json) => inside(side, part)) : []
}

/** A schema below another that no name leads to. */
function inside({ definitions }: SchemaSide, schema: Json): SchemaSide {
  return { schema: isJsonObject(schema) ? schema : {}, definitions, at: '[]' }
}

function below(
  { definitions, filled, at }: SchemaSide,
  name: string,
  schema: JsonSchema,
): SchemaSide {
  return {
    schema,
    definitions,
    ...(filled !== undefined && { filled }),
    at: at === undefined ? name : `${at}.${name}`,
  }
}

/** Fewer values: breaks those who give them, and serves those who get them. */
function narrowed(walk: Walk, path: string, change: string): void {
  add(walk, walk.direction === 'input' ? 'breaking' : 'additive', path, change)
}

function widened(walk: Walk, path: string, change: string): void {
  add(walk, walk.direction === 'input' ? 'additive' : 'breaking', path, change)
}

function add({ changes }: Walk, kind: ChangeClass, path: string, change: string): void {
  changes.push({ class: kind, path, change })
}

/** What a schema stands for; a reference that may be null is the target, with null among its types. */
function follow({ schema, definitions }: SchemaSide): JsonSchema {
  const [first, second] = (schema['anyOf'] ?? []) as readonly JsonSchema[] // a list of schemas in every schema
  const isNullable = first?.['$ref'] !== undefined && second?.['type'] === 'null'
  const reference = isNullable ? first['$ref'] : schema['$ref']
  if (typeof reference !== 'string') return schema
  const target = definitions[reference.replace('#/definitions/', '')] ?? {}
  if (!isNullable) return target
  const values = target['enum']
  const { anyOf: _, ...others } = schema
  return {
    ...target,
    ...others,
    type: [...typeNamesOf(target), 'null'],
    ...(Array.isArray(values) && { enum: [...(values as readonly Json[]), null] }),
  }
}

function valuesOf(schema: JsonSchema): readonly Json[] | null {
  if (schema['const'] !== undefined) return [schema['const']]
  return Array.isArray(schema['enum']) ? (schema['enum'] as readonly Json[]) : null
}

function membersOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const properties = schema['properties']
  return isJsonObject(properties) ? (properties as Record<string, JsonObject>) : {}
}

function requiredOf({ schema, filled, at }: SchemaSide): ReadonlySet<string> {
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  return new Set(
    required.filter((name) => filled?.has(at === undefined ? name : `${at}.${name}`) !== true),
  )
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && jsonEqual(a, b))
}

function nowOf(keyword: string, value: Json | undefined): string {
  return value === undefined ? `no ${keyword}` : `${keyword} is now ${JSON.stringify(value)}`
}
