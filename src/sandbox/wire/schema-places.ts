// Finding one's way in the schemas of a resolved manifest.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { dereference as followed } from '../../language/manifest/json-schema.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'

type Definitions = Readonly<Record<string, JsonSchema>>

/** The schema that a reference means, also one that may be null; any other schema as it is. */
export function dereference(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const found = followed(schema, definitions)
  const choices = own(found, 'anyOf')
  const named = Array.isArray(choices) ? choices.find((each: Json) => own(each, '$ref')) : undefined
  return isJsonObject(named) ? followed(named, definitions) : found
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
