// What resolved schemas say, asked by many rooms.
import type { Json, JsonObject } from '../json/json.ts'
import { own } from '../json/own.ts'
import type { JsonSchema } from './manifest.ts'

/** What a manifest says of a field of its settings or credentials, for those who fill it in. */
export const FIELD_WORDS = ['help', 'help_for', 'form', 'set_by', 'docs', 'example'] as const

/** Says of a value, in the schema of records and parameters, which entity's record it names. */
export const REFERS_TO = 'refers_to'

/** What is written for editors and for the verdict on a change. */
const TOOL_WORDS = ['x-tenon-change', 'x-tenon-resolves', 'defaultSnippets'] as const

/** What a schema of a manifest may say in addition to the keywords of JSON Schema: nothing of it tells whether a value fits. */
export const OWN_ANNOTATIONS: readonly (
  (typeof TOOL_WORDS)[number] | (typeof FIELD_WORDS)[number] | typeof REFERS_TO
)[] = [...TOOL_WORDS, ...FIELD_WORDS, REFERS_TO]

/** The entity whose record a value names, or each value of a list; null: it names none. */
export function referredEntity(schema: JsonSchema): string | null {
  const entity = schema[REFERS_TO] ?? own(schema['items'], REFERS_TO)
  return typeof entity === 'string' ? entity : null
}

type Definitions = Readonly<Record<string, JsonSchema>>

/** The types that a schema names; none: any. */
export function typeNamesOf(schema: Json | undefined): readonly string[] {
  const type = own(schema, 'type')
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.map(String) : []
}

/** The members that a schema requires. */
export function requiredIn(schema: Json | undefined): readonly string[] {
  const required = own(schema, 'required')
  return Array.isArray(required) ? required.map(String) : []
}

/** Whether a schema is of an integer with `format: int64`, the only kind of number that may be given as text. */
export function isInt64(schema: Json | undefined): boolean {
  return own(schema, 'format') === 'int64' && typeNamesOf(schema).includes('integer')
}

/** The keywords that act on values of one type; those of numbers act on integers, too. */
const KEYWORDS: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']],
  ['array', ['items', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['minLength', 'maxLength', 'pattern']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

/** The types of values that a keyword acts on; null: on all. */
export function typesUnder(keyword: string): readonly string[] | null {
  const type = KEYWORDS.find(([, keywords]) => keywords.includes(keyword))?.[0]
  if (type === undefined) return null
  return type === 'number' ? ['number', 'integer'] : [type]
}

/** The schema that a reference into the definitions leads to; any other schema as it is. A dangling one is open. */
export function dereference(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const name = referenceName(schema['$ref'])
  return name === null ? schema : dereference(definitions[name] ?? {}, definitions)
}

/** A schema with the definitions it refers to, theirs included. */
export function withDefinitions(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const used: Record<string, JsonSchema> = {}
  const pending: unknown[] = [schema]
  while (pending.length > 0) {
    const part = pending.pop()
    if (typeof part !== 'object' || part === null) continue
    const name = referenceName((part as JsonObject)['$ref'])
    const target = name === null || Object.hasOwn(used, name) ? undefined : definitions[name]
    if (name !== null && target !== undefined) {
      used[name] = target
      pending.push(target)
    }
    pending.push(...Object.values(part))
  }
  return Object.keys(used).length === 0 ? schema : { ...schema, definitions: used }
}

/** The name in `#/definitions/name`, or null. */
export function referenceName(reference: unknown): string | null {
  return typeof reference === 'string' && reference.startsWith('#/definitions/')
    ? reference.slice('#/definitions/'.length)
    : null
}
