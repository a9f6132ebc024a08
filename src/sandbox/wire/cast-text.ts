// Text from a path, a query, a form or a header as the JSON value that its schema speaks of.
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { typeNamesOf } from '../../language/manifest/json-schema.ts'
import { parseJson, tryParseJson } from '../../language/json/parse-json.ts'
import type { JsonSchema, Style } from '../../language/manifest/manifest.ts'
import { splitList } from './read-entries.ts'
import { dereference, schemaAt } from './schema-places.ts'

type Definitions = Readonly<Record<string, JsonSchema>>

/** The text (or the texts, in lists and objects) as JSON; what fits no type of the schema stays text. */
export function castText(
  value: Json,
  style: Style,
  schema: JsonSchema | null,
  definitions: Definitions,
): Json {
  const known = schema === null ? null : dereference(schema, definitions)
  if (typeof value === 'string') return castOne(value, style, known, definitions)
  if (Array.isArray(value)) {
    const items = itemSchema(known)
    return value.map((item: Json) => castText(item, style, items, definitions))
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      castText(member, style, schemaAt(known, [name], definitions), definitions),
    ]),
  )
}

function castOne(
  text: string,
  style: Style,
  schema: JsonSchema | null,
  definitions: Definitions,
): Json {
  const types = typeNamesOf(schema)
  if (style === 'json' && /^[[{]/.test(text) && !types.includes('string')) {
    return tryParseJson(text) ?? text
  }
  if (types.includes('array') && !types.includes('string')) {
    const items = itemSchema(schema)
    return (splitList(text, style) ?? [text]).map((item) =>
      castText(item, style, items, definitions),
    )
  }
  if (types.includes('string')) return text
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true'
  if (types.some((type) => type === 'integer' || type === 'number')) return asNumber(text)
  return constantFor(text, schema) ?? text
}

function itemSchema(schema: JsonSchema | null): JsonSchema | null {
  const items = own(schema, 'items')
  return isJsonObject(items) ? items : null
}

function asNumber(text: string): Json {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? parseJson(text) : text
}

/** Without a type, `const` and `enum` may still say that the text stands for a number or a boolean. */
function constantFor(text: string, schema: JsonSchema | null): Json | undefined {
  const values = own(schema, 'enum')
  const constants = [own(schema, 'const'), ...(Array.isArray(values) ? values : [])]
  return constants.find((value) => typeof value !== 'string' && String(value) === text)
}
