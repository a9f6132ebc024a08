// Schemas of a manifest as json-schema-to-typescript should see them: references by name, limits in words, one order.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { isInt64, referredEntity, typeNamesOf } from '../../language/manifest/json-schema.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import { limitSentence } from './limits.ts'

/** A schema of the generator: a JSON Schema in which `tsType` stands for text that is written as it is. */
export type TypeSchema = Record<string, unknown>

/** The type of a parameter that is a file, which the package exports. */
export const FILE_TYPE = 'FileInput'

/** The type name of a definition. */
type NameOf = (definition: string) => string

/**
 * Translates a schema.
 *
 * References become names, so that a description next to them is kept; integers of 64 bits may be text; limits that
 * types cannot say stand in the comment; members come in one order whatever the manifest's is.
 */
export function toTypeSchema(schema: JsonSchema, nameOf: NameOf): TypeSchema {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    return withComment({ tsType: nameOf(reference.replace('#/definitions/', '')) }, schema)
  }
  if (schema['format'] === 'binary') return withComment({ tsType: FILE_TYPE }, schema)
  const result: TypeSchema = {}
  for (const keyword of KEPT) {
    if (schema[keyword] !== undefined) result[keyword] = schema[keyword]
  }
  // Digits beyond 2^53 arrive as text, and go back as text.
  if (isInt64(schema)) result['type'] = [...new Set([...typeNamesOf(schema), 'string'])]
  const { properties, items, additionalProperties } = schema
  if (isJsonObject(properties)) {
    const names = orderOf(properties, schema['required'])
    result['properties'] = Object.fromEntries(
      names.map((name) => [name, translateAny(properties[name], nameOf)]),
    )
    if (Array.isArray(schema['required'])) {
      result['required'] = names.filter((name) =>
        (schema['required'] as readonly Json[]).includes(name),
      )
    }
  }
  if (items !== undefined) result['items'] = translateAny(items, nameOf)
  if (additionalProperties !== undefined)
    result['additionalProperties'] = translateAny(additionalProperties, nameOf)
  for (const keyword of ['oneOf', 'anyOf', 'allOf'] as const) {
    const branches = schema[keyword]
    // Branches that only say which members must be given together are no types.
    if (Array.isArray(branches) && !branches.every(saysRequiredOnly))
      result[keyword] = branches.map((branch: Json) => translateAny(branch, nameOf))
  }
  return withComment(result, schema)
}

const KEPT = ['type', 'enum', 'const', 'deprecated'] as const

function translateAny(schema: Json | undefined, nameOf: NameOf): TypeSchema | boolean {
  if (typeof schema === 'boolean') return schema
  return isJsonObject(schema) ? toTypeSchema(schema, nameOf) : {}
}

/** Members that must be given first, each group by name. */
function orderOf(properties: JsonObject, required: Json | undefined): readonly string[] {
  const must = new Set(Array.isArray(required) ? required : [])
  return Object.keys(properties).toSorted(
    (a, b) => Number(must.has(b)) - Number(must.has(a)) || (a < b ? -1 : 1),
  )
}

function saysRequiredOnly(branch: Json): boolean {
  return isJsonObject(branch) && Object.keys(branch).every((keyword) => keyword === 'required')
}

/** The description with what the type itself cannot say. */
function withComment(result: TypeSchema, schema: JsonSchema): TypeSchema {
  const { description, default: value, deprecated } = schema
  const entity = referredEntity(schema)
  const paragraphs = [
    ...(typeof description === 'string' ? [description.trim()] : []),
    ...limitSentence(schema),
    ...(entity === null ? [] : [`Names a record of \`${entity}\`.`]),
    ...(value === undefined ? [] : [`@default ${JSON.stringify(value)}`]),
  ]
  if (paragraphs.length > 0) result['description'] = paragraphs.join('\n').replaceAll('*/', '*\\/')
  if (deprecated === true) result['deprecated'] = true
  return result
}
