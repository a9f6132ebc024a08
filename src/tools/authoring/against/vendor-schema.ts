// What a vendor's schema says of a value, whatever words it says it with.
import type { Json, JsonObject } from '../../../language/json/json.ts'
import { isJsonObject } from '../../../language/json/members.ts'
import { type Follow, listOf } from '../openapi/document.ts'

/** A schema with its references followed and its alternatives put together. */
export interface VendorSchema {
  /** As JSON Schema names them, `null` left out; none: any. */
  readonly types: readonly string[]
  readonly isNullable: boolean
  /** Null: any value of the types. */
  readonly values: readonly Json[] | null
  readonly members: ReadonlyMap<string, JsonObject>
  readonly required: ReadonlySet<string>
  /** Members that are not listed may stand in it. */
  readonly isOpen: boolean
  /** What such members are; null: unknown. */
  readonly further: JsonObject | null
  readonly items: JsonObject | null
  readonly isDeprecated: boolean
  readonly bounds: Readonly<Record<string, number>>
}

/** The bounds that are compared, and whether a greater value refuses less. */
export const BOUNDS: Readonly<Record<string, 'upper' | 'lower'>> = {
  maximum: 'upper',
  maxLength: 'upper',
  maxItems: 'upper',
  minimum: 'lower',
  minLength: 'lower',
  minItems: 'lower',
}

/** Alternatives within alternatives are followed so deep; schemas that contain themselves end there. */
const MAX_DEPTH = 8

/** Reads what a schema of the document says. */
export function readSchema(written: Json | undefined, follow: Follow, depth = 0): VendorSchema {
  const schema = follow(written)
  const own = ownFacts(schema, follow)
  if (depth > MAX_DEPTH) return own
  const all = listOf(schema['allOf']).map((part) => readSchema(part, follow, depth + 1))
  const some = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].map((part) =>
    readSchema(part, follow, depth + 1),
  )
  const isNull = (part: VendorSchema): boolean => part.isNullable && part.types.length === 0
  const real = some.filter((part) => !isNull(part))
  const together = [own, ...all].reduce(both)
  if (real.length === 0) return { ...together, isNullable: together.isNullable || some.length > 0 }
  const either = real.reduce(eitherOf)
  return {
    ...both(together, either),
    isNullable: together.isNullable || some.some(({ isNullable }) => isNullable),
  }
}

function ownFacts(schema: JsonObject, follow: Follow): VendorSchema {
  const named = [schema['type'] ?? []].flat().map(String)
  const values = schema['const'] === undefined ? schema['enum'] : [schema['const']]
  const listed = Array.isArray(values) ? (values as readonly Json[]) : null
  const properties = follow(schema['properties'])
  const further = schema['additionalProperties']
  const members = new Map(
    Object.entries(properties).flatMap(([name, one]) => (isJsonObject(one) ? [[name, one]] : [])),
  )
  const guessed = members.size > 0 ? ['object'] : schema['items'] === undefined ? [] : ['array']
  const types = named.filter((type) => type !== 'null').map((type) => KNOWN[type] ?? type)
  return {
    types: named.length === 0 ? guessed : types,
    isNullable:
      named.includes('null') || schema['nullable'] === true || listed?.includes(null) === true,
    values: listed?.filter((value) => value !== null) ?? null,
    members,
    required: new Set(listOf(schema['required']).map(String)),
    isOpen: members.size === 0 ? further !== false : further === true || isJsonObject(further),
    further: isJsonObject(further) ? further : null,
    items: isJsonObject(schema['items']) ? schema['items'] : null,
    isDeprecated: schema['deprecated'] === true,
    bounds: Object.fromEntries(
      Object.keys(BOUNDS).flatMap((name) =>
        typeof schema[name] === 'number' ? [[name, schema[name]]] : [],
      ),
    ),
  }
}

/** What documents call types that JSON Schema does not know. */
const KNOWN: Readonly<Record<string, string>> = { file: 'string', any: '' }

/** A value that satisfies both. */
function both(a: VendorSchema, b: VendorSchema): VendorSchema {
  // A part that says nothing of members does not open those that others list.
  const isSilent = (part: VendorSchema): boolean => part.members.size === 0 && part.further === null
  return {
    types: a.types.length === 0 ? b.types : a.types,
    isNullable: a.isNullable || b.isNullable,
    values: a.values ?? b.values,
    members: new Map([...b.members, ...a.members]),
    required: new Set([...a.required, ...b.required]),
    isOpen:
      isSilent(a) && isSilent(b)
        ? a.isOpen && b.isOpen
        : (a.isOpen && !isSilent(a)) || (b.isOpen && !isSilent(b)),
    further: a.further ?? b.further,
    items: a.items ?? b.items,
    isDeprecated: a.isDeprecated || b.isDeprecated,
    bounds: { ...b.bounds, ...a.bounds },
  }
}

/** A value that satisfies one of them; a bound that only one of them has is none. */
function eitherOf(a: VendorSchema, b: VendorSchema): VendorSchema {
  const isAny = a.types.length === 0 || b.types.length === 0
  const objects = [a, b].filter(({ types }) => types.length === 0 || types.includes('object'))
  const [first = a, second] = objects
  return {
    types: isAny ? [] : [...new Set([...a.types, ...b.types])],
    isNullable: a.isNullable || b.isNullable,
    values:
      a.values === null || b.values === null ? null : [...new Set([...a.values, ...b.values])],
    members: new Map([...b.members, ...a.members]),
    required:
      second === undefined
        ? first.required
        : new Set([...first.required].filter((name) => second.required.has(name))),
    isOpen: objects.some(({ isOpen }) => isOpen),
    further: a.further ?? b.further,
    items: a.items ?? b.items,
    isDeprecated: a.isDeprecated && b.isDeprecated,
    bounds: {},
  }
}
