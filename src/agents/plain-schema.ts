// A parameter schema as models read it: one document with no references.
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject, isList } from '../language/json/members.ts'
import { isInt64, typeNamesOf } from '../language/manifest/json-schema.ts'

/** How often a shape that holds itself is written out; inside of that only its type is told. */
const MAX_REPEATS = 2

const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples'])

/**
 * The schema with every `#/definitions/…` replaced by its target, and no definitions. An integer of 64 bits may be text
 * too: models and JSON of JavaScript would lose its digits.
 *
 * A definition that refers to itself is written out twice; below that stands its type alone, so that nothing which
 * was valid is refused.
 */
export function plainSchema(schema: JsonObject): JsonObject {
  const { definitions, ...root } = schema
  return inlined(root, isJsonObject(definitions) ? definitions : {}, [])
}

function inlined(
  schema: JsonObject,
  definitions: JsonObject,
  within: readonly string[],
): JsonObject {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const name = reference.replace('#/definitions/', '')
    const target = definitions[name]
    if (!isJsonObject(target)) return {}
    const repeats = within.filter((each) => each === name).length
    if (repeats < MAX_REPEATS) return inlined(target, definitions, [...within, name])
    return target['type'] === undefined ? {} : { type: target['type'] }
  }
  const types = typeNamesOf(schema)
  const widened: JsonObject =
    isInt64(schema) && !types.includes('string')
      ? { ...schema, type: [...types, 'string'] }
      : schema
  return Object.fromEntries(
    Object.entries(widened).map(([keyword, value]) => [
      keyword,
      DATA.has(keyword) ? value : insideOf(keyword, value, definitions, within),
    ]),
  )
}

function insideOf(
  keyword: string,
  value: Json,
  definitions: JsonObject,
  within: readonly string[],
): Json {
  const inline = (each: Json): Json =>
    isJsonObject(each) ? inlined(each, definitions, within) : each
  if (isList(value)) return value.map(inline)
  if (!isJsonObject(value)) return value
  if (keyword !== 'properties') return inline(value)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inline(each)]))
}
