// One schema of the manifest next to what the vendor says of the same value.
import type { Json, JsonObject } from '../../../language/json/json.ts'
import { jsonEqual } from '../../../language/json/json-equal.ts'
import { isJsonObject } from '../../../language/json/members.ts'
import type { DocumentPath } from '../../../language/manifest/document.ts'
import {
  dereference,
  isInt64,
  requiredIn,
  typeNamesOf,
} from '../../../language/manifest/json-schema.ts'
import type { JsonSchema } from '../../../language/manifest/manifest.ts'
import { inWords, nearest, suggestion } from '../../../language/manifest/suggest.ts'
import type { Follow } from '../openapi/document.ts'
import type { Finding, Findings } from './finding.ts'
import { BOUNDS, readSchema, type VendorSchema } from './vendor-schema.ts'

/**
 * `json`: a value of the caller as it is. `text`: one that travels as text, so that its type is the vendor's to read.
 * `answer`: a value of the vendor.
 */
export type Direction = 'json' | 'text' | 'answer'

/** Where two schemas stand. */
export interface Place {
  /** `issues.list query.orderBy`. */
  readonly name: string
  readonly at: DocumentPath
  readonly direction: Direction
  readonly definitions: Readonly<Record<string, JsonSchema>>
  readonly follow: Follow
  readonly findings: Findings
  /** Members that the manifest fills in, by their names below this place. */
  readonly computed?: ReadonlySet<string>
}

const MAX_DEPTH = 6

/** Compares a schema of the manifest with the vendor's: types, values, bounds, members, and so on below. */
export function compareValue(ours: JsonSchema, theirs: JsonObject, place: Place, depth = 0): void {
  if (depth > MAX_DEPTH) return
  const schema = plain(dereference(ours, place.definitions), place)
  const vendor = readSchema(theirs, place.follow)
  if (vendor.isDeprecated && schema['deprecated'] !== true)
    tell(place, {
      kind: 'deprecated',
      level: 'warning',
      message: 'the document calls it deprecated',
    })
  if (!compareTypes(schema, vendor, place)) return
  compareValues(schema, vendor, place)
  if (place.direction !== 'answer') compareBounds(schema, vendor, place)
  const items = schema['items']
  if (isJsonObject(items) && vendor.items !== null)
    compareValue(items, vendor.items, below(place, '[]', 'items'), depth + 1)
  if (isJsonObject(schema['properties'])) compareMembers(schema, vendor, place, depth)
}

/** A reference that may be null (`anyOf`) as its target. */
function plain(schema: JsonSchema, place: Place): JsonSchema {
  const [first, second] = (schema['anyOf'] ?? []) as readonly JsonSchema[] // a list of schemas in every schema
  if (first === undefined || second?.['type'] !== 'null') return schema
  const target = dereference(first, place.definitions)
  return { ...target, type: [...typeNamesOf(target), 'null'] }
}

/** Whether the types can be those of one value; if not, that is told, and nothing below can be compared. */
function compareTypes(schema: JsonSchema, vendor: VendorSchema, place: Place): boolean {
  const types = typeNamesOf(schema)
  const own = types.filter((type) => type !== 'null')
  const nullable = types.includes('null')
  const isAnswer = place.direction === 'answer'
  if (isAnswer && vendor.isNullable && own.length > 0 && !nullable)
    tell(place, {
      kind: 'stale',
      level: 'warning',
      message: 'the document says that it may be null',
    })
  if (place.direction === 'json' && nullable && !vendor.isNullable && vendor.types.length > 0)
    tell(place, {
      kind: 'stale',
      level: 'note',
      message: 'the document does not say that it takes null',
    })
  if (own.length === 0 || vendor.types.length === 0) return true
  const fits = (one: string): boolean =>
    vendor.types.some((other) => isSameType(one, other, schema, place.direction))
  const wrong = own.filter((type) => !fits(type))
  // An answer of more types than the document knows is read all the same.
  if (wrong.length === 0 || (isAnswer && wrong.length < own.length)) return true
  const said = `the manifest says ${inWords(wrong)}, the document ${inWords(vendor.types)}`
  tell(place, { kind: 'stale', level: 'error', message: said })
  return false
}

function isSameType(ours: string, theirs: string, schema: JsonSchema, by: Direction): boolean {
  if (ours === theirs) return true
  const isNumber = (type: string): boolean => type === 'number' || type === 'integer'
  if (isNumber(ours) && isNumber(theirs)) return by !== 'json' || ours === 'integer'
  // Digits that a double cannot hold leave and come as text.
  if (isNumber(theirs) && ours === 'string') return by !== 'json' || schema['format'] === 'int64'
  if (isInt64(schema) && theirs === 'string') return true
  if (by !== 'text') return false
  // A text on the wire can be a list with commas, JSON, a number or true.
  if (ours === 'string') return true
  if (ours === 'array') return theirs === 'string'
  return theirs === 'string' && ours !== 'object'
}

function compareValues(schema: JsonSchema, vendor: VendorSchema, place: Place): void {
  if (vendor.values === null || vendor.values.length === 0) return
  const own = valuesOf(schema)
  const theirs = vendor.values
  const known = (value: Json): boolean => theirs.some((other) => sameValue(value, other, place))
  const names = theirs.map(textOf)
  if (own === null) {
    // A list of values in one text is checked by nobody.
    const isOne = place.direction !== 'answer' && !typeNamesOf(schema).includes('array')
    if (isOne)
      tell(place, {
        kind: 'stale',
        level: 'note',
        message: `the document takes ${listed(names)} only`,
      })
    return
  }
  for (const value of own.filter((each) => each !== null && !known(each)))
    tell(place, {
      kind: 'unknown',
      level: 'error',
      message: `the document has no value ${JSON.stringify(value)}`,
      hint: nearName(textOf(value), names),
      suggested: { values: vendor.values },
    })
  const missing = theirs.filter((value) => !own.some((each) => sameValue(each, value, place)))
  if (missing.length > 0) {
    const level = place.direction === 'answer' ? 'error' : 'note'
    const said = `the document has also ${listed(missing.map((value) => JSON.stringify(value)))}`
    tell(place, { kind: 'missing', level, message: said, suggested: { values: vendor.values } })
  }
}

function sameValue(a: Json, b: Json, { direction }: Place): boolean {
  return jsonEqual(a, b) || (direction === 'text' && textOf(a) === textOf(b))
}

/** A value as text on the wire. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function valuesOf(schema: JsonSchema): readonly Json[] | null {
  if (schema['const'] !== undefined) return [schema['const']]
  return Array.isArray(schema['enum']) ? (schema['enum'] as readonly Json[]) : null
}

function compareBounds(schema: JsonSchema, vendor: VendorSchema, place: Place): void {
  for (const [name, bound] of Object.entries(vendor.bounds)) {
    const own = schema[name]
    // Many documents give the bounds of the integer type.
    if (bound === 0 || Math.abs(bound) >= 2 ** 31 - 1) continue
    const isWider =
      typeof own === 'number' && (BOUNDS[name] === 'upper' ? own > bound : own < bound)
    if (isWider)
      tell(place, {
        kind: 'stale',
        level: 'error',
        message: `${name} is ${own} here and ${bound} in the document`,
        suggested: { bound: name, to: bound },
      })
    else if (own === undefined)
      tell(place, { kind: 'stale', level: 'note', message: `the document has ${name} ${bound}` })
  }
}

function compareMembers(
  schema: JsonSchema,
  vendor: VendorSchema,
  place: Place,
  depth: number,
): void {
  const members = schema['properties'] as Readonly<Record<string, JsonSchema>> // asked by the caller
  const names = [...vendor.members.keys()]
  const isAnswer = place.direction === 'answer'
  for (const [name, member] of Object.entries(members)) {
    const inner = below(place, `.${name}`, 'properties', name)
    const theirs = vendor.members.get(name) ?? vendor.further
    if (theirs !== null) compareValue(member, theirs, inner, depth + 1)
    else if (!vendor.isOpen && place.computed?.has(name) !== true)
      tell(inner, {
        kind: 'unknown',
        level: 'error',
        message: 'the document does not have it',
        hint: nearName(name, names),
      })
  }
  const required = new Set(requiredIn(schema))
  const isSure = (name: string): boolean =>
    required.has(name) ||
    dereference(members[name] ?? {}, place.definitions)['default'] !== undefined
  for (const [name, written] of vendor.members) {
    const inner = below(place, `.${name}`, 'properties', name)
    const { isDeprecated } = readSchema(written, place.follow)
    const isOwn = members[name] !== undefined
    if (!isAnswer && vendor.required.has(name) && !isSure(name)) {
      const isTold = isOwn || schema['additionalProperties'] === false
      tell(inner, {
        kind: 'missing',
        level: isTold ? 'error' : 'note',
        message: isOwn ? OPTIONAL : REQUIRED,
      })
    } else if (!isOwn && !isDeprecated)
      tell(inner, {
        kind: 'missing',
        level: 'note',
        message: 'the document has it',
        suggested: schemaLike(written, place.follow),
      })
  }
}

/** Of what the manifest knows, and of what it does not. */
export const OPTIONAL = 'the document requires it, and here it can be left out'
export const REQUIRED = 'the document requires it, and the manifest never sends it'

/** The place of a part of a value. */
export function below(place: Place, name: string, ...at: DocumentPath): Place {
  const { computed: _, ...rest } = place
  return { ...rest, name: `${place.name}${name}`, at: [...place.at, ...at] }
}

export function tell(
  { findings, name, at }: Place,
  said: Pick<Finding, 'kind' | 'level' | 'message' | 'suggested'> & {
    readonly hint?: string | null
  },
): void {
  findings.add({ ...said, place: name, at })
}

/** What a name that the document does not have may have meant. */
export function nearName(name: string, names: readonly string[]): string | null {
  return names.length > MAX_LISTED && nearest(name, names) === null ? null : suggestion(name, names)
}

const MAX_LISTED = 10

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_LISTED
  return rest > 0 ? `${names.slice(0, MAX_LISTED).join(', ')} and ${rest} more` : names.join(', ')
}

/** The types and values of the vendor's schema, in the words of a manifest. */
export function schemaLike(written: JsonObject, follow: Follow): JsonObject {
  const { types, isNullable, values, items } = readSchema(written, follow)
  const [type = 'string'] = types
  const isOne = types.length === 1
  return {
    ...(isOne && { type: isNullable ? [type, 'null'] : type }),
    ...(isOne && values !== null && { enum: isNullable ? [...values, null] : values }),
    ...(isOne && items !== null && { items: schemaLike(items, follow) }),
  }
}
