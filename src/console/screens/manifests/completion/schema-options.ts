// What a JSON Schema allows at a place: names of keys, values.
import { isObject, type Json, type JsonObject } from '../../../api/json-text.ts'
import { definition, propertiesOf } from '../../../form/schema-node.ts'
import type { Place, Step } from './place.ts'

export type Shape = 'map' | 'list' | 'scalar'

export interface KeyOption {
  readonly name: string
  readonly description: string | null
  readonly required: boolean
  readonly shape: Shape
}

export interface ValueOption {
  readonly text: string
  readonly description: string | null
  readonly isDefault: boolean
}

/** Keys that may still be written at a place, those that must be there first. */
export function keysAt(root: JsonObject, place: Place): readonly KeyOption[] {
  const schemas = schemasAt(root, place.path).flatMap((schema) =>
    branches(root, schema, place.siblings),
  )
  const required = new Set(schemas.flatMap((schema) => textsIn(schema['required'])))
  const found = new Map<string, JsonObject>()
  const refused = new Set<string>()
  for (const schema of schemas) {
    for (const name of textsIn(namesOf(root, schema))) if (!found.has(name)) found.set(name, {})
    for (const [name, member] of propertiesOf(schema)) {
      if (member === false) refused.add(name)
      else if (isObject(member)) found.set(name, { ...found.get(name), ...member })
    }
  }
  return [...found]
    .filter(([name]) => !refused.has(name) && !place.siblings.has(name))
    .map(([name, schema]) => ({
      name,
      description: descriptionOf(root, schema),
      required: required.has(name),
      shape: shapeOf(root, schema),
    }))
    .toSorted((a, b) => Number(b.required) - Number(a.required))
}

/** Values that are listed for a place; empty: anything of its kind. */
export function valuesAt(root: JsonObject, place: Place): readonly ValueOption[] {
  const found = new Map<string, ValueOption>()
  for (const outer of schemasAt(root, place.path)) {
    for (const schema of branches(root, outer, NOTHING_KNOWN)) {
      const listed = Array.isArray(schema['enum'])
        ? schema['enum']
        : schema['const'] !== undefined
          ? [schema['const']]
          : schema['type'] === 'boolean'
            ? YES_AND_NO
            : []
      for (const value of listed) {
        if (isObject(value) || Array.isArray(value)) continue
        const text = String(value)
        found.set(text, {
          text,
          description: descriptionOf(root, outer),
          isDefault: schema['default'] === value || outer['default'] === value,
        })
      }
    }
  }
  return found.size > 0 ? [...found.values()] : namedAt(place)
}

const YES_AND_NO: readonly Json[] = [true, false]
/** Above the place itself nobody has looked. */
const NOTHING_KNOWN = null

/** What the document itself declares: the shapes that a reference names, the entities of a check and of `refers_to`. */
function namedAt({ path, names }: Place): readonly ValueOption[] {
  const last = path.at(-1)
  const of = (top: string, write: (name: string) => string): readonly ValueOption[] =>
    [...(names.get(top) ?? [])].map((name) => ({
      text: write(name),
      description: `From ${top} of this manifest.`,
      isDefault: false,
    }))
  if (last === '$ref') return of('shapes', (name) => `"#/shapes/${name}"`)
  const isEntity = last === 'refers_to' || (path[0] === 'check' && last === 'entity')
  return isEntity ? of('entities', (name) => name) : []
}

function schemasAt(root: JsonObject, path: readonly Step[]): readonly JsonObject[] {
  return path.reduce<readonly JsonObject[]>(
    (schemas, step) =>
      schemas
        .flatMap((schema) => branches(root, schema, NOTHING_KNOWN))
        .flatMap((schema) => below(schema, step)),
    [root],
  )
}

function below(schema: JsonObject, step: Step): readonly JsonObject[] {
  if (typeof step === 'number') return isObject(schema['items']) ? [schema['items']] : []
  const members = new Map(propertiesOf(schema))
  const named = members.get(step)
  if (named !== undefined) return isObject(named) ? [named] : []
  const patterns = isObject(schema['patternProperties'])
    ? Object.entries(schema['patternProperties']).filter(([pattern]) =>
        new RegExp(pattern, 'u').test(step),
      )
    : []
  if (patterns.length > 0) return patterns.flatMap(([, each]) => (isObject(each) ? [each] : []))
  return isObject(schema['additionalProperties']) ? [schema['additionalProperties']] : []
}

/** A schema with everything that it refers to and that may hold as well, as far as the members tell. */
function branches(
  root: JsonObject,
  schema: JsonObject,
  members: Place['siblings'] | null,
  seen: ReadonlySet<string> = new Set(),
): readonly JsonObject[] {
  const reference = schema['$ref']
  const target = typeof reference === 'string' ? definition(root, reference) : undefined
  const isNew = typeof reference === 'string' && !seen.has(reference)
  const among = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  const inner = [...among, ...conditional(schema, members)].filter((each) => isObject(each))
  const followed =
    !isObject(target) || !isNew
      ? []
      : branches(root, target, members, new Set([...seen, reference]))
  return [schema, ...followed, ...inner.flatMap((each) => branches(root, each, members, seen))]
}

/** `then`, `else`, or both where the members do not tell yet. */
function conditional(schema: JsonObject, members: Place['siblings'] | null): readonly Json[] {
  const { if: condition, then: yes = null, else: no = null } = schema
  if (condition === undefined) return []
  const held = isObject(condition) && members !== null ? holds(condition, members) : null
  return held === null ? [yes, no] : [held ? yes : no]
}

/** Whether a condition on members holds; null: it asks for something else. */
function holds(condition: JsonObject, members: Place['siblings']): boolean | null {
  const { required, properties, ...others } = condition
  if (Object.keys(others).length > 0) return null
  const isThere = textsIn(required).every((name) => members.has(name))
  if (!isThere || !isObject(properties)) return isThere
  return Object.entries(properties).every(([name, wanted]) => {
    if (!isObject(wanted) || !members.has(name)) return true
    const listed = Array.isArray(wanted['enum']) ? wanted['enum'] : [wanted['const'] ?? null]
    return listed.some((value) => String(value) === members.get(name))
  })
}

function namesOf(root: JsonObject, schema: JsonObject): Json | undefined {
  const names = schema['propertyNames']
  if (!isObject(names)) return undefined
  return branches(root, names, NOTHING_KNOWN).find((each) => each['enum'] !== undefined)?.['enum']
}

function descriptionOf(root: JsonObject, schema: JsonObject): string | null {
  const text = branches(root, schema, NOTHING_KNOWN).find(
    (each) => typeof each['description'] === 'string',
  )?.['description']
  return typeof text === 'string' ? text : null
}

function shapeOf(root: JsonObject, schema: JsonObject): Shape {
  const types = new Set(
    branches(root, schema, NOTHING_KNOWN).flatMap(({ type, properties }) => [
      ...(typeof type === 'string' ? [type] : textsIn(type)),
      ...(properties === undefined ? [] : ['object']),
    ]),
  )
  const [only] = types
  if (types.size !== 1) return 'scalar'
  return only === 'object' ? 'map' : only === 'array' ? 'list' : 'scalar'
}

function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
