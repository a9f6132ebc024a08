// The interface files: what the service specification says about a connector, in a notation close to its tables.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { JsonObject } from '../../src/language/json/json.ts'
import type { FieldType, JsonSchema } from '../../src/language/manifest/manifest.ts'

/** A type (`string|null`, `array<object>`, `iso-time`), or members that a schema must have. */
export type Expectation = string | JsonObject
/** Member path (`a.b`, `a[].b`, `!` for required) to what is expected there. */
export type Members = Readonly<Record<string, Expectation>>

export interface InterfaceFile {
  readonly entities: Readonly<
    Record<
      string,
      {
        readonly record?: Members
        readonly beyond?: readonly string[]
        readonly search?: Readonly<Partial<Record<FieldType, readonly string[]>>>
        readonly actions: Readonly<
          Record<
            string,
            {
              readonly params: Members
              readonly beyond?: readonly string[]
              readonly result?: Members
              readonly result_beyond?: readonly string[]
              readonly paged?: boolean
              readonly meta?: readonly string[]
              readonly meta_beyond?: readonly string[]
            }
          >
        >
      }
    >
  >
}

export function readInterface(type: string): InterfaceFile {
  const file = new URL(`interface/${type}.yaml`, import.meta.url)
  return parse(readFileSync(file, 'utf8')) as InterfaceFile
}

/** Differences between what is expected of an object schema and what it says, as sentences; none: the same interface. */
export function compareMembers(
  expected: Members,
  beyond: readonly string[],
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): string[] {
  const actual = membersOf(schema, definitions)
  const named = new Set(Object.keys(expected).map((path) => path.replace('!', '')))
  const missing = Object.entries(expected).flatMap(([written, expectation]) => {
    const path = written.replace('!', '')
    const member = actual.get(path)
    if (member === undefined) return [`${path} is missing`]
    const problems = compareType(expectation, member.schema, definitions)
    if (member.required !== written.endsWith('!') && !path.endsWith('[]'))
      problems.push(member.required ? 'is required' : 'is not required')
    return problems.map((problem) => `${path} ${problem}`)
  })
  const further = [...actual.keys()].filter(
    (path) => !path.endsWith('[]') && !named.has(path) && !covers(beyond, path),
  )
  const vain = beyond.filter((path) => !actual.has(path))
  return [
    ...missing,
    ...further.map((path) => `${path} is not in the specification`),
    ...vain.map((path) => `${path} is listed as beyond and does not exist`),
  ]
}

function covers(beyond: readonly string[], path: string): boolean {
  return beyond.some(
    (place) => path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[].`),
  )
}

interface Member {
  readonly schema: JsonSchema
  readonly required: boolean
}

function membersOf(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  prefix = '',
): Map<string, Member> {
  const members = new Map<string, Member>()
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonSchema>
    required?: readonly string[]
  }
  for (const [name, written] of Object.entries(properties)) {
    const path = prefix === '' ? name : `${prefix}.${name}`
    const property = follow(written, definitions)
    members.set(path, { schema: property, required: required.includes(name) })
    for (const [inner, member] of membersOf(property, definitions, path)) members.set(inner, member)
    if (property['items'] === undefined) continue
    const items = follow(property['items'] as JsonSchema, definitions)
    members.set(`${path}[]`, { schema: items, required: false })
    for (const [inner, member] of membersOf(items, definitions, `${path}[]`))
      members.set(inner, member)
  }
  return members
}

function follow(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  return definitions[reference.replace('#/definitions/', '')] ?? {}
}

function compareType(
  expected: Expectation,
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): string[] {
  if (typeof expected !== 'string')
    return Object.entries(expected)
      .filter(([key, value]) => JSON.stringify(schema[key]) !== JSON.stringify(value))
      .map(
        ([key, value]) => `has ${key} ${JSON.stringify(schema[key])}, not ${JSON.stringify(value)}`,
      )
  const says = describe(schema, definitions)
  return says === expected || says.replace(/<.*>/, '') === expected
    ? []
    : [`is ${says}, not ${expected}`]
}

function describe(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): string {
  const { format } = schema
  if (format === 'date-time' || format === 'iso-time' || format === 'date') return format
  const types = [schema['type']].flat().map(String)
  const items = schema['items']
  return types
    .map((type) =>
      type === 'array' && items !== undefined
        ? `array<${describe(follow(items as JsonSchema, definitions), definitions)}>`
        : type,
    )
    .join('|')
}
