// The published rules for tools, as checkers: each gives the list of what is wrong.
import { isJsonObject } from '../../src/language/json/members.ts'
import type { Json, JsonObject } from '../../src/language/json/json.ts'

/** https://platform.openai.com/docs/api-reference/responses/create, tools: names of functions. */
const OPENAI_NAME = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * https://platform.openai.com/docs/guides/structured-outputs, "Supported schemas": types, keywords by type, no `oneOf`,
 * `allOf`, `not`, `if`; the root is an object without `anyOf`; every member required; every object closed; at most 5,000
 * members, ten levels of objects, 120,000 characters of names and values, 1,000 enum values.
 */
const OPENAI_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'format', 'enum'],
  number: ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'enum'],
  integer: ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'enum'],
  boolean: ['enum'],
  null: ['enum'],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
}
const OPENAI_FORMATS = [
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]

export function openAiProblems(tool: {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
  readonly strict: boolean
}): readonly string[] {
  const { name, description, parameters, strict } = tool
  const problems: string[] = []
  if (!OPENAI_NAME.test(name)) problems.push(`name ${name}`)
  if (description.length > 1024) problems.push('description is longer than 1,024 characters')
  if (!strict) problems.push('not strict')
  if (parameters['type'] !== 'object' || 'anyOf' in parameters) problems.push('root is no object')
  const sums = { members: 0, characters: 0, values: 0 }
  visit(parameters, '#', 1)
  if (sums.members > 5000) problems.push(`${sums.members} members`)
  if (sums.characters > 120_000) problems.push(`${sums.characters} characters`)
  if (sums.values > 1000) problems.push(`${sums.values} enum values`)
  return problems

  function visit(schema: Json, at: string, level: number): void {
    if (!isJsonObject(schema)) return void problems.push(`${at} is no schema`)
    const { type, anyOf, enum: values, format, properties, items } = schema
    const types = Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : []
    if (types.length === 0 && anyOf === undefined) problems.push(`${at} has no type`)
    const known = new Set([
      'type',
      'description',
      ...(anyOf === undefined ? [] : ['anyOf']),
      ...types.flatMap((each) => OPENAI_KEYWORDS[each] ?? []),
    ])
    for (const keyword of Object.keys(schema))
      if (!known.has(keyword)) problems.push(`${at} has ${keyword}`)
    if (format !== undefined && !(typeof format === 'string' && OPENAI_FORMATS.includes(format)))
      problems.push(`${at} has format ${JSON.stringify(format)}`)
    if (Array.isArray(values)) {
      sums.values += values.length
      sums.characters += values.join('').length
    }
    if (Array.isArray(anyOf))
      anyOf.forEach((each, index) => visit(each, `${at}/anyOf/${index}`, level))
    if (types.includes('array')) visit(items ?? null, `${at}/items`, level)
    if (!types.includes('object')) return
    if (level > 10) problems.push(`${at} is deeper than ten levels`)
    const names = isJsonObject(properties) ? Object.keys(properties) : []
    sums.members += names.length
    sums.characters += names.join('').length
    if (schema['additionalProperties'] !== false) problems.push(`${at} is open`)
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    if (names.some((each) => !required.includes(each)) || required.length !== names.length)
      problems.push(`${at} does not require all members`)
    for (const [each, inner] of Object.entries(isJsonObject(properties) ? properties : {}))
      visit(inner, `${at}/${each}`, level + 1)
  }
}

/**
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use: names of tools; the input schema is
 * an object. What the API refuses beside that: `anyOf`, `oneOf`, `allOf` at the root, names of members other than
 * `^[a-zA-Z0-9_.-]{1,64}$`, and `$ref`.
 */
export function anthropicProblems(tool: {
  readonly name: string
  readonly description: string
  readonly input_schema: JsonObject
}): readonly string[] {
  const { name, description, input_schema: schema } = tool
  const problems: string[] = []
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) problems.push(`name ${name}`)
  if (description === '') problems.push('no description')
  if (schema['type'] !== 'object') problems.push('root is no object')
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    if (keyword in schema) problems.push(`root has ${keyword}`)
  for (const member of Object.keys((schema['properties'] ?? {}) as object))
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(member)) problems.push(`member ${member}`)
  if (JSON.stringify(schema).includes('"$ref"')) problems.push('has $ref')
  return problems
}
