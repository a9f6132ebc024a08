// A vendor's schema in the dialect of manifests: fewer words, no recursion, everything closed or open on purpose.
import type { Json, JsonObject } from '../../../language/json/json.ts'
import { isJsonObject, isList } from '../../../language/json/members.ts'
import { typeNamesOf, typesUnder } from '../../../language/manifest/json-schema.ts'
import { listOf, type OpenApiDocument } from './document.ts'

export type DraftSchema = Record<string, Json>

/** `input`: what callers give, `record`: what they get. */
export type SchemaUse = 'input' | 'record'

const MAX_DEPTH: Readonly<Record<SchemaUse, number>> = { input: 3, record: 1 }

/**
 * Translates a schema. References are written out, recursion ends in an open object, `allOf` is merged, `nullable`
 * becomes a type, choices that no manifest can say become any value. The vendor's defaults go into descriptions: what
 * a manifest calls a default is really sent.
 */
export function draftSchema(
  document: Pick<OpenApiDocument, 'follow'>,
  written: Json | undefined,
  use: SchemaUse,
  depth = 0,
): DraftSchema {
  const schema = flattened(document, written)
  const types = typesOf(schema)
  const result: DraftSchema = {}
  if (types.length === 1 && types[0] !== undefined) result['type'] = types[0]
  else if (types.length > 1) result['type'] = types
  const values = schema['enum']
  if (Array.isArray(values) && values.length > 0 && values.every(isScalar)) {
    result['enum'] = [...new Set(values as readonly Json[])]
    // Null among the values needs null among the types.
    if (types.length > 0 && values.includes(null) && !types.includes('null'))
      result['type'] = [...types, 'null']
  }
  copyLimits(schema, types, use, result)
  const description = descriptionOf(schema)
  if (description !== null) result['description'] = description
  if (schema['deprecated'] === true) result['deprecated'] = true
  if (types.includes('object')) {
    const isTooDeep = depth >= MAX_DEPTH[use]
    const properties = isTooDeep ? {} : membersOf(document, schema, use, depth)
    if (Object.keys(properties).length > 0) {
      result['properties'] = properties
      const required = requiredOf(schema).filter((name) => Object.hasOwn(properties, name))
      if (required.length > 0 && use === 'input') result['required'] = required
    }
    if (use === 'input')
      result['additionalProperties'] = schema['additionalProperties'] !== false || isTooDeep
  }
  if (types.includes('array'))
    result['items'] =
      depth > MAX_DEPTH[use] ? {} : draftSchema(document, schema['items'], use, depth + 1)
  return result
}

export function membersOf(
  document: Pick<OpenApiDocument, 'follow'>,
  written: Json | undefined,
  use: SchemaUse,
  depth = 0,
): Record<string, DraftSchema> {
  const hidden = use === 'record' ? 'writeOnly' : 'readOnly'
  return Object.fromEntries(
    Object.entries(propertiesOf(document, written))
      .filter(([, member]) => document.follow(member)[hidden] !== true)
      .map(([name, member]) => [name, draftSchema(document, member, use, depth + 1)]),
  )
}

/** The members of an object schema as the vendor wrote them. */
export function propertiesOf(
  document: Pick<OpenApiDocument, 'follow'>,
  written: Json | undefined,
): JsonObject {
  return objectIn(flattened(document, written)['properties'])
}

function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

export function requiredOf(schema: JsonObject): readonly string[] {
  return listOf(schema['required']).map(String)
}

/** The schema with references followed and `allOf` merged. */
export function flattened(
  document: Pick<OpenApiDocument, 'follow'>,
  written: Json | undefined,
  depth = 0,
): JsonObject {
  const schema = document.follow(written)
  const choices = schema['oneOf'] ?? schema['anyOf']
  if (depth > 8) return {}
  if (Array.isArray(schema['allOf'])) {
    const { allOf, ...own } = schema
    const parts = listOf(allOf).map((part) => flattened(document, part, depth + 1))
    return [own, ...parts].reduce<JsonObject>(
      (all, one) => ({
        ...one,
        ...all,
        properties: { ...objectIn(one['properties']), ...objectIn(all['properties']) },
        required: [...new Set([...requiredOf(all), ...requiredOf(one)])],
      }),
      {},
    )
  }
  if (!isList(choices)) return schema
  // "This or null" is a type; of other choices every member is kept, and every type.
  const others = choices.map(document.follow).filter((one) => one['type'] !== 'null')
  const [only] = others
  if (others.length === 1 && others.length < choices.length) {
    const inner = flattened(document, only, depth + 1)
    return { ...inner, type: [...typesOf(inner), 'null'] }
  }
  const { oneOf: _1, anyOf: _2, ...own } = schema
  const parts = others.map((one) => flattened(document, one, depth + 1))
  // Choices of required names alone say nothing of types: `refuse` says them.
  if (parts.every((part) => typesOf(part).length === 0 && part['enum'] === undefined)) return own
  return { ...either(parts, others.length < choices.length), ...own }
}

/** What every one of the parts allows: all members, the required ones of all, the values of all. */
function either(parts: readonly JsonObject[], isNullable: boolean): JsonObject {
  const isKnown = parts.every((part) => typesOf(part).length > 0)
  if (!isKnown) return {}
  const types = [...new Set([...parts.flatMap(typesOf), ...(isNullable ? ['null'] : [])])]
  const objects = parts.filter((part) => typesOf(part).includes('object'))
  const members = objects.map((part) => objectIn(part['properties']))
  const isListed = parts.every((part) => Array.isArray(part['enum']))
  const items = parts.find((part) => typesOf(part).includes('array'))?.['items']
  const required = objects
    .map(requiredOf)
    .reduce((all, one) => all.filter((name) => one.includes(name)), requiredOf(objects[0] ?? {}))
  return {
    // An integer is a number.
    type: types.includes('number') ? types.filter((type) => type !== 'integer') : types,
    ...(isListed && { enum: parts.flatMap((part) => listOf(part['enum'])) }),
    ...(objects.length > 0 && {
      properties: Object.assign({}, ...members) as JsonObject,
      required,
    }),
    ...(items !== undefined && { items }),
  }
}

const KNOWN_TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']

/** The types that a schema names; none: any. */
export function typesOf(schema: JsonObject): readonly string[] {
  const types = typeNamesOf(schema)
    .map((name) => (name === 'file' ? 'string' : name))
    .filter((name) => KNOWN_TYPES.includes(name))
  const implied = types.length === 0 ? impliedTypesOf(schema) : types
  const isNullable = schema['nullable'] === true || schema['x-nullable'] === true
  return isNullable && implied.length > 0 ? [...new Set([...implied, 'null'])] : implied
}

const LIMITS = [
  ['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ['minItems', 'maxItems'],
].flat()

function copyLimits(
  schema: JsonObject,
  types: readonly string[],
  use: SchemaUse,
  result: DraftSchema,
): void {
  const { format, pattern } = schema
  if (typeof format === 'string') {
    // People see moments as such, and the sandbox answers them.
    const known = types.includes('string') && FORMATS.has(format) ? format : undefined
    const isNumber = types.includes('integer') || types.includes('number')
    const shown = known ?? (isNumber ? NUMBER_FORMATS.get(format) : undefined)
    if (shown !== undefined && (shown !== 'int64' || types.includes('integer')))
      result['format'] = shown
  }
  // Records are never validated: limits would say nothing.
  if (use === 'record') return
  for (const keyword of LIMITS) {
    const limit = schema[keyword]
    const isFit = typesUnder(keyword)?.some((type) => types.includes(type)) === true
    // A bound beyond 2^53 bounds no number that the schema can write.
    if (typeof limit === 'number' && isFit && Math.abs(limit) <= Number.MAX_SAFE_INTEGER)
      result[keyword] = limit
  }
  if (types.includes('string') && typeof pattern === 'string' && isPlainPattern(pattern))
    result['pattern'] = pattern
}

const FORMATS: ReadonlySet<string> = new Set(['date-time', 'date', 'uuid', 'email', 'uri'])

/** Of numbers: what documents call moments in seconds and milliseconds, and what they are here. */
const NUMBER_FORMATS: ReadonlyMap<string, string> = new Map([
  ['int64', 'int64'],
  ...['unix-time', 'unixtime', 'epoch-seconds', 'epoch_s'].map(
    (name) => [name, 'epoch_s'] as const,
  ),
  ...['unix-millis', 'unix-time-ms', 'epoch-millis', 'epoch-ms', 'epoch_ms', 'timestamp-ms'].map(
    (name) => [name, 'epoch_ms'] as const,
  ),
])

/** Look-around and back-references do not run on a linear engine, and other dialects not at all. */
function isPlainPattern(pattern: string): boolean {
  if (/\(\?|\\[1-9pP]/.test(pattern) || pattern.length > 200) return false
  try {
    return new RegExp(pattern).source !== ''
  } catch {
    return false
  }
}

function descriptionOf(schema: JsonObject): string | null {
  const { description, default: value } = schema
  const text = typeof description === 'string' ? description.trim().replaceAll(/\s+/g, ' ') : ''
  const said = value == null ? '' : ` The vendor's default is ${JSON.stringify(value)}.`
  const whole = `${shortened(text)}${said}`.trim()
  return whole === '' ? null : whole.replaceAll('{{', '{ {')
}

const MAX_LENGTH = 300

function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const end = text.lastIndexOf('. ', MAX_LENGTH)
  return end > 40 ? text.slice(0, end + 1) : `${text.slice(0, MAX_LENGTH - 1)}…`
}

function isScalar(value: Json): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** What a schema without a type must be: an object with properties, or of the types of the values that it lists. */
function impliedTypesOf(schema: JsonObject): readonly string[] {
  if (isJsonObject(schema['properties'])) return ['object']
  const values = listOf(schema['enum'])
  return values.every(isScalar) ? [...new Set(values.map(typeOfScalar))] : []
}

function typeOfScalar(value: Json): string {
  if (value === null) return 'null'
  return Number.isInteger(value) ? 'integer' : typeof value
}
