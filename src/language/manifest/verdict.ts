// Whether a value fits a schema, and nothing more. Nearly every value does, and this costs nothing before it is asked: no
// code is made of the schema and Ajv is not loaded, which finds what is wrong with a value that does not fit.
import { type DefinedFormats, fullFormats } from 'ajv-formats/dist/formats.js'
import { jsonEqual } from '../json/json-equal.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { compileForAjv } from './ajv-pattern.ts'
import { OWN_ANNOTATIONS, referenceName } from './json-schema.ts'
import type { JsonSchema } from './manifest.ts'
import { TIME_FORMATS } from './time-formats.ts'
import { FORMATS } from './value-problems.ts'

type Verdict = (value: unknown) => boolean

/** Thrown where a schema says something that is in none of the tables. */
const UNKNOWN = new Error('only Ajv can tell')

interface Place {
  /** The schema that a keyword stands in. */
  readonly schema: JsonObject
  readonly definitions: Readonly<Record<string, JsonSchema>>
  /** The verdict of a schema within it, made when a value comes to it. */
  readonly part: (schema: Json | undefined) => Verdict
}

/** The verdict of a keyword; null: it tells nothing of values. */
type Keyword = (given: Json, place: Place) => Verdict | null

/**
 * Whether a value fits a schema under its definitions, as Ajv would say with the options of validator.ts; null where only
 * Ajv can tell, because the schema has a keyword or a format that is not known here.
 */
export function fits(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  value: unknown,
): boolean | null {
  return compileFits(schema, definitions)(value)
}

/** The same for many values: the verdict of the schema is looked up once, which costs as much as a small value. */
export function compileFits(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): (value: unknown) => boolean | null {
  let verdict: Verdict | undefined
  return (value) => {
    try {
      return (verdict ??= verdictOf(schema, definitions))(value)
    } catch (error) {
      if (error === UNKNOWN) return null
      throw error
    }
  }
}

/** Every client and instance of one manifest has the same schemas, and its schemas the same definitions. */
const known = new WeakMap<object, WeakMap<object, Verdict>>()

function verdictOf(
  schema: Json | undefined,
  definitions: Readonly<Record<string, JsonSchema>>,
): Verdict {
  if (typeof schema === 'boolean') return () => schema
  if (!isMap(schema)) throw UNKNOWN
  let verdicts = known.get(definitions)
  if (verdicts === undefined) known.set(definitions, (verdicts = new WeakMap()))
  let verdict = verdicts.get(schema)
  if (verdict === undefined) verdicts.set(schema, (verdict = compile(schema, definitions)))
  return verdict
}

function compile(schema: JsonObject, definitions: Readonly<Record<string, JsonSchema>>): Verdict {
  const part = (inner: Json | undefined): Verdict => {
    let verdict: Verdict | undefined
    return (value) => (verdict ??= verdictOf(inner, definitions))(value)
  }
  const verdicts: Verdict[] = []
  let count = Object.keys(schema).length
  for (const [name, keyword] of KEYWORDS) {
    const given = schema[name]
    if (given === undefined) continue
    count -= 1
    const verdict = keyword(given, { schema, definitions, part })
    if (verdict !== null) verdicts.push(verdict)
  }
  if (count > 0) return unknown
  const [first = always, second] = verdicts
  return second === undefined ? first : (value) => verdicts.every((verdict) => verdict(value))
}

const always: Verdict = () => true
const unknown: Verdict = () => {
  throw UNKNOWN
}
const saysNothing: Keyword = () => null

/** Keywords that tell something of the values of one type, and nothing of others. */
const ofText =
  (tell: (given: Json) => (text: string) => boolean): Keyword =>
  (given) => {
    const holds = tell(given)
    return (value) => typeof value !== 'string' || holds(value)
  }
const ofNumbers =
  (holds: (value: number, limit: number) => boolean): Keyword =>
  (given) =>
  (value) =>
    typeof value !== 'number' || !Number.isFinite(value) || holds(value, Number(given))
const ofLists =
  (holds: (list: readonly unknown[], given: Json) => boolean): Keyword =>
  (given) =>
  (value) =>
    !Array.isArray(value) || holds(value, given)
const ofMaps =
  (holds: (map: JsonObject, given: Json) => boolean): Keyword =>
  (given) =>
  (value) =>
    !isMap(value) || holds(value, given)

/** The keywords, the cheap ones first: text is measured before a pattern reads it. */
const KEYWORDS = Object.entries({
  title: saysNothing,
  description: saysNothing,
  default: saysNothing,
  examples: saysNothing,
  deprecated: saysNothing,
  readOnly: saysNothing,
  writeOnly: saysNothing,
  $schema: saysNothing,
  $id: saysNothing,
  $comment: saysNothing,
  definitions: saysNothing,
  ...(Object.fromEntries(OWN_ANNOTATIONS.map((name) => [name, saysNothing])) as Record<
    (typeof OWN_ANNOTATIONS)[number],
    Keyword
  >),

  type: (given) => {
    const types = (Array.isArray(given) ? given : [given]).map((name) => TYPES.get(name as string))
    const [first = unknown, ...others] = types
    if (types.includes(undefined)) return unknown
    return others.length === 0 ? first : (value) => types.some((is) => is?.(value))
  },
  $ref: (given, { definitions, part }) => {
    const name = referenceName(given)
    return name === null || !Object.hasOwn(definitions, name) ? unknown : part(definitions[name])
  },
  const: (given) => (value) => jsonEqual(value as Json, given),
  enum: (given) => (value) => listOf(given).some((each) => jsonEqual(value as Json, each)),

  maxLength: ofText((given) => (text) => !isLonger(text, Number(given))),
  minLength: ofText((given) => (text) => isLonger(text, Number(given) - 1)),
  pattern: ofText((given) => {
    const pattern = compileForAjv(given as string)
    return (text) => pattern.test(text)
  }),
  format: (given) => formatNamed(given as string),

  minimum: ofNumbers((value, limit) => value >= limit),
  maximum: ofNumbers((value, limit) => value <= limit),
  exclusiveMinimum: ofNumbers((value, limit) => value > limit),
  exclusiveMaximum: ofNumbers((value, limit) => value < limit),

  minItems: ofLists((list, given) => list.length >= Number(given)),
  maxItems: ofLists((list, given) => list.length <= Number(given)),
  uniqueItems: ofLists((list, given) => given === false || isUnique(list)),
  items: (given, { part }) => {
    const verdict = part(given)
    return (value) => !Array.isArray(value) || value.every((item) => verdict(item))
  },

  minProperties: ofMaps((map, given) => Object.keys(map).length >= Number(given)),
  maxProperties: ofMaps((map, given) => Object.keys(map).length <= Number(given)),
  required: ofMaps((map, given) => listOf(given).every((name) => has(map, name as string))),
  propertyNames: (given, { part }) => {
    const verdict = part(given)
    return (value) => !isMap(value) || Object.keys(value).every((name) => verdict(name))
  },
  properties: (given, { part }) => {
    const members = Object.entries(given as JsonObject).map(
      ([name, schema]) => [name, part(schema)] as const,
    )
    return (value) =>
      !isMap(value) || members.every(([name, verdict]) => !has(value, name) || verdict(value[name]))
  },
  dependencies: (given, { part }) => {
    const rules = Object.entries(given as JsonObject).map(
      ([name, needed]) =>
        [name, Array.isArray(needed) ? part({ required: needed }) : part(needed)] as const,
    )
    return (value) =>
      !isMap(value) || rules.every(([name, verdict]) => !has(value, name) || verdict(value))
  },
  patternProperties: (given, { part }) => {
    const rules = patternsIn(given, part)
    return (value) =>
      !isMap(value) ||
      rules.every(([pattern, verdict]) =>
        Object.keys(value).every((name) => !pattern.test(name) || verdict(value[name])),
      )
  },
  additionalProperties: (given, { schema, part }) => {
    const named = new Set(Object.keys(schema['properties'] ?? {}))
    const rules = patternsIn(schema['patternProperties'] ?? {}, part)
    const verdict = part(given)
    const isNamed = (name: string): boolean =>
      named.has(name) || rules.some(([pattern]) => pattern.test(name))
    return (value) =>
      !isMap(value) || Object.keys(value).every((name) => isNamed(name) || verdict(value[name]))
  },

  allOf: (given, { part }) => {
    const verdicts = listOf(given).map(part)
    return (value) => verdicts.every((verdict) => verdict(value))
  },
  anyOf: (given, { part }) => {
    const verdicts = listOf(given).map(part)
    return (value) => verdicts.some((verdict) => verdict(value))
  },
  oneOf: (given, { part }) => {
    const verdicts = listOf(given).map(part)
    return (value) => verdicts.filter((verdict) => verdict(value)).length === 1
  },
  not: (given, { part }) => {
    const verdict = part(given)
    return (value) => !verdict(value)
  },
  if: (given, { schema, part }) => {
    const test = part(given)
    const [met, unmet] = [part(schema['then'] ?? true), part(schema['else'] ?? true)]
    return (value) => (test(value) ? met : unmet)(value)
  },
  // Read by `if`.
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: saysNothing,
  else: saysNothing,
} satisfies Readonly<Record<string, Keyword>>)

const TYPES: ReadonlyMap<string, Verdict> = new Map<string, Verdict>([
  ['null', (value) => value === null],
  ['boolean', (value) => typeof value === 'boolean'],
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => Number.isFinite(value)],
  ['integer', (value) => Number.isInteger(value)],
  ['array', (value) => Array.isArray(value)],
  ['object', isMap],
])

/** The formats are those of the shared Ajv. */
function formatNamed(name: string): Verdict {
  // Those that a schema may name.
  if (!Object.hasOwn(FORMATS, name)) return unknown
  const format = TIME_FORMATS[name] ?? fullFormats[name as keyof DefinedFormats]
  if (format === true) return always
  if (format instanceof RegExp) return (value) => typeof value !== 'string' || format.test(value)
  if (typeof format === 'function') return (value) => typeof value !== 'string' || format(value)
  if (typeof format !== 'object' || typeof format.validate !== 'function') return unknown
  const { type = 'string', validate } = format
  // What is of the format's type may be given to it.
  return (value) => typeof value !== type || validate(value as never) === true
}

function patternsIn(
  given: Json,
  part: Place['part'],
): readonly (readonly [ReturnType<typeof compileForAjv>, Verdict])[] {
  return Object.entries(given as JsonObject).map(([source, schema]) => [
    compileForAjv(source),
    part(schema),
  ])
}

function listOf(given: Json): readonly Json[] {
  return given as readonly Json[]
}

function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function has(map: JsonObject, name: string): boolean {
  return Object.hasOwn(map, name) && map[name] !== undefined
}

/** Whether a text has more characters than that, of which UTF-16 makes one or two units each. */
function isLonger(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  if (text.length > 2 * limit) return true
  let count = 0
  for (const _ of text) count += 1
  return count > limit
}

function isUnique(list: readonly unknown[]): boolean {
  if (list.every((item) => typeof item !== 'object')) return new Set(list).size === list.length
  return list.every((item, index) =>
    list.slice(0, index).every((other) => !jsonEqual(item as Json, other as Json)),
  )
}
