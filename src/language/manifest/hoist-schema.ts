// Schemas as written → schemas as Ajv and the type generator read them: references into `#/definitions`, added keywords
// taken out, limits put in.
import type { Json } from '../json/json.ts'
import type { JsonSchema } from './manifest.ts'
import { followReferences, readReference } from './schema-nodes.ts'
import type { ManifestSource, SchemaSource } from './source.ts'

/** What a schema is compiled for. `input` puts limits on texts and lists, since a stranger fills them. */
export type SchemaPurpose = 'input' | 'output'

// A pattern or format costs time for every character, a list for every element. Source: docs/security.md, rows P5 and P6.
const MAX_CHECKED_LENGTH = 4096
const MAX_ELEMENTS = 10_000

/** The definitions that hoisted schemas refer to: every shape, and every record. */
export function hoistDefinitions(source: ManifestSource): Readonly<Record<string, JsonSchema>> {
  const definitions: Record<string, JsonSchema> = {}
  for (const [name, shape] of Object.entries(source.shapes ?? {})) {
    definitions[`shape_${name}`] = hoist(shape, 'input')
  }
  for (const [name, entity] of Object.entries(source.entities)) {
    if (entity.record === undefined) continue
    definitions[`record_${name}`] = hoistObject(source, entity.record, 'input', {})
  }
  return definitions
}

/**
 * A schema at the top of params, credentials, config, a record or a result: `type: object` is implied, and a
 * reference is replaced by a copy of what it stands for. `more` is added to it.
 */
export function hoistObject(
  source: ManifestSource,
  schema: SchemaSource,
  purpose: SchemaPurpose,
  more: JsonSchema,
): JsonSchema {
  const target = followReferences(source, { schema, at: [] }).schema
  return { type: 'object', ...hoist(target, purpose), ...more }
}

function hoist(schema: SchemaSource, purpose: SchemaPurpose): JsonSchema {
  const hoisted: Record<string, Json> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    const write = Object.hasOwn(REWRITTEN, keyword) ? REWRITTEN[keyword] : undefined
    if (write === undefined)
      hoisted[keyword] = value // every other keyword holds JSON as it is
    else if (write !== 'left out') hoisted[keyword] = write(value as never, purpose) // the entry is that keyword's
  }
  return purpose === 'input' ? { ...hoisted, ...limitsOf(schema) } : hoisted
}

type Rewrite = (value: never, purpose: SchemaPurpose) => Json

const hoistList = (schemas: readonly SchemaSource[], purpose: SchemaPurpose): Json =>
  schemas.map((schema) => hoist(schema, purpose))

const REWRITTEN: Readonly<Record<string, Rewrite | 'left out'>> = {
  aliases: 'left out',
  default_from: 'left out',
  $ref: (reference: string) => {
    const { kind, name } = readReference(reference)
    return `#/definitions/${kind}_${name}`
  },
  properties: (members: Readonly<Record<string, SchemaSource>>, purpose) =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, hoist(member, purpose)]),
    ),
  items: hoistAny,
  additionalProperties: hoistAny,
  oneOf: hoistList,
  anyOf: hoistList,
  allOf: hoistList,
}

function hoistAny(schema: SchemaSource | boolean, purpose: SchemaPurpose): Json {
  return typeof schema === 'boolean' ? schema : hoist(schema, purpose)
}

function limitsOf(schema: SchemaSource): JsonSchema {
  const types = [schema.type ?? []].flat()
  // The base64 text of a file is as long as it is.
  const isFile = schema.format === 'binary'
  const checked = schema.pattern !== undefined || (schema.format !== undefined && !isFile)
  const limits: Record<string, Json> = {}
  if (types.includes('string') && checked && schema.maxLength === undefined) {
    limits['maxLength'] = MAX_CHECKED_LENGTH
  }
  if (types.includes('array') && schema.maxItems === undefined) limits['maxItems'] = MAX_ELEMENTS
  return limits
}
