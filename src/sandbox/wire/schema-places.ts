// Finding one's way in the schemas of a resolved manifest.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'

type Definitions = Readonly<Record<string, JsonSchema>>

/** The schema that a `$ref` into the definitions means; any other schema as it is. A dangling one is open. */
export function dereference(schema: JsonSchema, definitions: Definitions): JsonSchema {
  let found: JsonSchema = schema
  for (let hops = 0; hops < 16; hops++) {
    const reference = own(found, '$ref') ?? nullableReference(found)
    if (typeof reference !== 'string') return found
    found = definitions[reference.replace('#/definitions/', '')] ?? {}
  }
  return found
}

/** The one reference in `anyOf: [{ $ref }, { type: 'null' }]`. */
function nullableReference(schema: JsonSchema): Json | undefined {
  const choices = own(schema, 'anyOf')
  if (!Array.isArray(choices)) return undefined
  return choices.map((choice: Json) => own(choice, '$ref')).find((found) => found !== undefined)
}

/** The schema of a member, by its path from a schema; null where the schema says nothing about it. */
export function schemaAt(
  schema: JsonSchema | null,
  path: readonly string[],
  definitions: Definitions,
): JsonSchema | null {
  let found = schema === null ? null : dereference(schema, definitions)
  for (const name of path) {
    if (found === null) return null
    const next: Json | undefined = own(own(found, 'properties'), name) ?? own(found, 'items')
    found = isJsonObject(next) ? dereference(next, definitions) : null
  }
  return found
}

export function propertiesOf(
  schema: JsonSchema | null,
): readonly (readonly [string, JsonSchema])[] {
  const properties = own(schema, 'properties')
  if (!isJsonObject(properties)) return []
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  )
}
