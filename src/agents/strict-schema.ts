// Schemas of OpenAI's strict mode: every member required, every object closed, few keywords. What that cannot say is
// passed as JSON text or as a marker, and put back before the call.
import { ConnectorError } from '../errors.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { tryParseJson } from '../language/json/parse-json.ts'
import { requiredIn, typeNamesOf } from '../language/manifest/json-schema.ts'

/** A schema of strict mode, and the way back from what a model writes to what the action takes. */
export interface StrictSchema {
  readonly schema: JsonObject
  /** Throws `params_invalid` for text that is no JSON. */
  readonly decode: (value: Json, pointer: string) => Json
}

/**
 * Source: OpenAI, "Structured model outputs", supported schemas. Objects may lie ten levels deep; one level is left
 * for what stands in the place of a member.
 */
const MAX_LEVELS = 9

/** Keywords that strict mode knows, by type; all others move into the description. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  boolean: [],
  null: [],
}
const FORMATS: ReadonlySet<string> = new Set(
  'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '),
)

const WORDS: readonly (readonly [keyword: string, say: (value: Json) => string])[] = [
  ['default', (value) => `default ${JSON.stringify(value)}`],
  ['minLength', (value) => `at least ${JSON.stringify(value)} characters`],
  ['maxLength', (value) => `at most ${JSON.stringify(value)} characters`],
  ['minProperties', (value) => `at least ${JSON.stringify(value)} members`],
  ['maxProperties', (value) => `at most ${JSON.stringify(value)} members`],
  ['uniqueItems', (value) => (value === true ? 'no element twice' : '')],
]

/** The input of a tool, an object without `$ref`, in strict mode. Nothing that the schema allows is lost. */
export function strictSchema(schema: JsonObject): StrictSchema {
  return strictObject(schema, 1)
}

function strict(schema: JsonObject, level: number): StrictSchema {
  const type = schema['type']
  const values =
    schema['const'] === undefined ? schema['enum'] : ([schema['const']] as readonly Json[])
  if (Array.isArray(values)) return strictValues(schema, values)
  if (Array.isArray(type)) return strictUnion(schema, type.map(String), level)
  if (type === 'object')
    return level < MAX_LEVELS ? strictObject(schema, level + 1) : jsonText(schema)
  if (type === 'array') return strictList(schema, level)
  const kept = typeof type === 'string' ? KEPT[type] : undefined
  if (kept === undefined) return jsonText(schema)
  const members = kept.flatMap((keyword): [string, Json][] => {
    const value = schema[keyword]
    return value === undefined || !isKept(keyword, value) ? [] : [[keyword, value]]
  })
  return plainly({ type: type ?? 'string', ...described(schema), ...Object.fromEntries(members) })
}

/** Formats and classes of letters that grammars of strict mode do not know are left to the engine. */
function isKept(keyword: string, value: Json): boolean {
  if (keyword === 'format') return typeof value === 'string' && FORMATS.has(value)
  if (keyword === 'pattern') return typeof value === 'string' && !/\\[pP]\{|\(\?/.test(value)
  return true
}

function plainly(schema: JsonObject): StrictSchema {
  return { schema, decode: (value) => value }
}

function strictValues(schema: JsonObject, values: readonly Json[]): StrictSchema {
  const isPlain = values.every((value) => typeof value !== 'object' || value === null)
  if (!isPlain) return jsonText(schema)
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  const type: Json = types.length === 1 ? (types[0] ?? 'string') : types
  return plainly({ type, ...described(schema), enum: values })
}

/** Several types: texts, numbers and null in one schema; objects and lists next to them with `anyOf`. */
function strictUnion(schema: JsonObject, types: readonly string[], level: number): StrictSchema {
  const { description, default: _, ...rest } = schema
  const branches = types.map((type) => ({ type, strict: strict({ ...rest, type }, level) }))
  const head = description === undefined ? {} : { description }
  return {
    schema: { ...head, anyOf: branches.map((branch) => branch.strict.schema) },
    decode(value, pointer) {
      const branch = branches.find(({ type }) => type === typeOf(value)) ?? textBranch(value)
      return branch === undefined ? value : branch.strict.decode(value, pointer)
    },
  }
  function textBranch(value: Json): (typeof branches)[number] | undefined {
    // An object or a list may stand there as text.
    return typeof value === 'string'
      ? branches.find(({ type }) => type === 'object' || type === 'array')
      : undefined
  }
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function strictList(schema: JsonObject, level: number): StrictSchema {
  const items = schema['items']
  if (!isJsonObject(items) || level >= MAX_LEVELS) return jsonText(schema)
  const element = strict(items, level + 1)
  const { minItems, maxItems } = schema
  return {
    schema: {
      type: 'array',
      ...described(schema),
      items: element.schema,
      ...(minItems === undefined ? {} : { minItems }),
      ...(maxItems === undefined ? {} : { maxItems }),
    },
    decode: (value, pointer) =>
      Array.isArray(value)
        ? value.map((each: Json, index) => element.decode(each, `${pointer}/${index}`))
        : value,
  }
}

/** The member that holds, as JSON text, those members of an open object that its schema does not name. */
const OTHERS = 'other_members'
/** The member that says that null itself is meant. */
const SET_NULL = 'set_null'

function strictObject(schema: JsonObject, level: number): StrictSchema {
  const given = schema['properties']
  const properties = isJsonObject(given) ? given : {}
  const isOpen = schema['additionalProperties'] !== false && level > 1
  if (isOpen && Object.keys(properties).length === 0) return jsonText(schema)
  const required = requiredIn(schema)
  const members = Object.entries(properties).map(([name, member]) => {
    const inner = isJsonObject(member) ? member : {}
    const isNeeded = required.includes(name)
    return { name, isNeeded, ...(isNeeded ? strict(inner, level) : optional(inner, level)) }
  })
  let others = OTHERS
  while (Object.hasOwn(properties, others)) others = `_${others}`
  const names = [...members.map(({ name }) => name), ...(isOpen ? [others] : [])]
  return {
    schema: {
      type: 'object',
      ...described(schema),
      properties: Object.fromEntries([
        ...members.map((member) => [member.name, member.schema] as const),
        ...(isOpen ? [[others, OTHERS_SCHEMA] as const] : []),
      ]),
      required: names,
      additionalProperties: false,
    },
    decode(value, pointer) {
      if (!isJsonObject(value)) return value
      const decoded = new Map<string, Json>()
      for (const [name, each] of Object.entries(value)) {
        const member = members.find((candidate) => candidate.name === name)
        if (isOpen && name === others) continue
        if (each === null && member?.isNeeded === false) continue
        decoded.set(name, member === undefined ? each : member.decode(each, `${pointer}/${name}`))
      }
      const text = isOpen ? (value[others] ?? null) : null
      const more = text === null ? {} : parsedText(text, `${pointer}/${others}`)
      return { ...(isJsonObject(more) ? more : {}), ...Object.fromEntries(decoded) }
    },
  }
}

const OTHERS_SCHEMA: JsonObject = {
  type: ['string', 'null'],
  description: 'Members not listed here, as the JSON text of an object; null for none.',
}

/** A member that may be left out is null then. Where null is a value too, a marker stands for it. */
function optional(schema: JsonObject, level: number): StrictSchema {
  if (!takesNull(schema)) {
    const inner = strict(schema, level)
    return { schema: nullable(inner.schema), decode: inner.decode }
  }
  const inner = strict(withoutNull(schema), level)
  const { description, ...rest } = inner.schema
  const head = typeof description === 'string' ? `${description} ` : ''
  return {
    schema: {
      description: `${head}null leaves it out; {"${SET_NULL}": true} sends null.`,
      anyOf: [
        ...(Array.isArray(rest['anyOf']) ? (rest['anyOf'] as readonly Json[]) : [rest]),
        {
          type: 'object',
          properties: { [SET_NULL]: { type: 'boolean', enum: [true] } },
          required: [SET_NULL],
          additionalProperties: false,
        },
        { type: 'null' },
      ],
    },
    decode: (value, pointer) =>
      isJsonObject(value) && value[SET_NULL] === true ? null : inner.decode(value, pointer),
  }
}

function takesNull(schema: JsonObject): boolean {
  const { type, enum: values, const: only } = schema
  if (only !== undefined) return only === null
  if (Array.isArray(values)) return values.includes(null)
  return type === 'null' || type === undefined || (Array.isArray(type) && type.includes('null'))
}

function nullable(schema: JsonObject): JsonObject {
  const { anyOf, type, enum: values } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  const isPlain = typeof type === 'string' && type !== 'object' && type !== 'array'
  if (isPlain || Array.isArray(type))
    return {
      ...schema,
      type: [...[type].flat(), 'null'],
      ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    }
  const { description, ...rest } = schema
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: [rest, { type: 'null' }],
  }
}

/** The types and values next to null; a schema of null alone stays as it is. */
function withoutNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema
  const types = typeNamesOf(schema).filter((each) => each !== 'null')
  const others = Array.isArray(values) ? values.filter((value) => value !== null) : null
  if (others?.length === 0) return schema
  return {
    ...schema,
    ...(Array.isArray(type) ? { type: types.length < 2 ? (types[0] ?? 'null') : types } : {}),
    ...(others === null ? {} : { enum: others }),
  }
}

/** Any JSON value as its text: what strict mode has no schema for. */
function jsonText(schema: JsonObject): StrictSchema {
  const { description, type } = schema
  const kind = type === 'object' ? 'an object' : type === 'array' ? 'a list' : 'a value'
  const head = typeof description === 'string' ? `${description} ` : ''
  const { description: _, ...bare } = schema
  const form = Object.keys(bare).length > 1 ? ` Its schema: ${JSON.stringify(bare)}` : ''
  return {
    schema: {
      type: 'string',
      description: `${head}The JSON text of ${kind}.${form.length <= MAX_FORM ? form : ''}`,
    },
    decode: (value, pointer) => (typeof value === 'string' ? parsedText(value, pointer) : value),
  }
}

/** Characters of a schema that a description may quote. */
const MAX_FORM = 600

function parsedText(text: Json, pointer: string): Json {
  const value = typeof text === 'string' ? tryParseJson(text) : text
  if (value !== undefined) return value
  const detail = 'must be JSON text, such as {"name": "x"}'
  throw new ConnectorError('params_invalid', `${pointer}: ${detail}`, {
    errors: [{ pointer, code: 'json', detail }],
  })
}

function described(schema: JsonObject): JsonObject {
  const { description } = schema
  const words = WORDS.flatMap(([keyword, say]) => {
    const value = schema[keyword]
    const said = value === undefined ? '' : say(value)
    return said === '' ? [] : [said]
  })
  const parts = [
    ...(typeof description === 'string' ? [description] : []),
    ...(words.length === 0 ? [] : [`(${words.join(', ')})`]),
  ]
  return parts.length === 0 ? {} : { description: parts.join(' ') }
}
