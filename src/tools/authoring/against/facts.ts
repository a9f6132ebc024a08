// What a vendor's document says of the operations that a manifest uses, as a small OpenAPI document without sentences.
import type { Json, JsonObject } from '../../../language/json/json.ts'
import { isJsonObject, isList } from '../../../language/json/members.ts'
import { filled, type OpenApiDocument, type OpenApiOperation } from '../openapi/document.ts'
import { scopesOf } from './check-against.ts'
import { readSchema } from './vendor-schema.ts'

/** Where the facts come from, for those who read them later. */
export interface Origin {
  /** Address or name of the document. */
  readonly document: string
  /** Day of the facts, `yyyy-mm-dd`. */
  readonly date: string
}

/** What a file of facts says beyond OpenAPI. */
export interface FactsNotes {
  readonly origin: Origin | null
  /** Findings that a person has looked at: `kind place`, and why the vendor is not as its document. */
  readonly differs: Readonly<Record<string, string>>
}

/** So many levels of members below an answer or a body are kept. */
const MAX_LEVELS = 4

/** The facts as an OpenAPI 3 document: names, places, types, enums, required and scopes. */
export function factsOf(
  document: OpenApiDocument,
  operations: readonly OpenApiOperation[],
  { origin, differs }: FactsNotes,
): JsonObject {
  const writer = new FactsWriter(document)
  const paths: Record<string, Record<string, Json>> = {}
  const inOrder = operations.toSorted((a, b) => compareText(keyOf(a), keyOf(b)))
  for (const operation of inOrder)
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = writer.operation(operation)
  const { title, version, license, server } = document
  return {
    openapi: '3.0.3',
    info: {
      title: title ?? '',
      version: version ?? '',
      ...(license !== null && { license: { name: license } }),
    },
    ...(origin !== null && { 'x-origin': { ...origin } }),
    ...(Object.keys(differs).length > 0 && { 'x-differs': differs }),
    ...(server !== null && { servers: [{ url: filled(server) }] }),
    paths,
    components: { schemas: writer.schemas() },
  }
}

/** The notes of a file of facts. */
export function notesIn(root: Json): FactsNotes {
  const facts = isJsonObject(root) ? root : {}
  const origin = facts['x-origin']
  const differs = facts['x-differs']
  return {
    origin: isJsonObject(origin) ? (origin as unknown as Origin) : null,
    differs: isJsonObject(differs) ? (differs as Record<string, string>) : {},
  }
}

function keyOf({ path, method }: OpenApiOperation): string {
  return `${path} ${method}`
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Keywords of a schema that are facts. */
const KEPT: readonly string[] = [
  'type',
  'format',
  'nullable',
  'required',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'readOnly',
  'writeOnly',
  'enum',
  'const',
]

class FactsWriter {
  readonly #document: OpenApiDocument
  /** Schemas with a name, by it, with the level at which they stand highest. */
  readonly #named = new Map<string, { level: number; schema: JsonObject }>()

  constructor(document: OpenApiDocument) {
    this.#document = document
  }

  operation(operation: OpenApiOperation): JsonObject {
    const { parameters, body, answer, deprecated, server } = operation
    const scopes = scopesOf(operation)
    return {
      ...(deprecated && { deprecated }),
      ...(server !== null && { servers: [{ url: filled(server) }] }),
      ...(parameters.length > 0 && {
        parameters: parameters.map(({ name, in: place, required, schema, deprecated: isOld }) => ({
          name,
          in: place,
          ...(required && { required }),
          ...(isOld && { deprecated: true }),
          schema: this.#schema(schema, 0),
        })),
      }),
      ...(body !== null && {
        requestBody: {
          ...(body.required && { required: true }),
          content: { [body.type]: { schema: this.#schema(body.schema, 0) } },
        },
      }),
      responses: {
        '200':
          answer === null
            ? {}
            : { content: { 'application/json': { schema: this.#schema(answer, 0) } } },
      },
      ...(scopes.length > 0 && { security: scopes.map((scope) => ({ oauth2: [scope] })) }),
    }
  }

  /** Call it last: every schema that was referred to, in the order of the names. */
  schemas(): JsonObject {
    const written = new Map<string, Json>()
    const levels = new Map<string, number>()
    for (let isChanged = true; isChanged;) {
      isChanged = false
      for (const [name, { level, schema }] of this.#named) {
        if (levels.get(name) === level) continue
        levels.set(name, level)
        written.set(name, this.#body(schema, level))
        isChanged = true
      }
    }
    return Object.fromEntries([...written].toSorted(([a], [b]) => compareText(a, b)))
  }

  #schema(value: Json | undefined, level: number): JsonObject {
    if (!isJsonObject(value)) return {}
    const reference = value['$ref']
    if (typeof reference !== 'string') return this.#body(value, level)
    const target = this.#document.follow(value)
    const name = reference.slice(reference.lastIndexOf('/') + 1)
    // Deeper than this only the type is a fact that is used.
    if (level > MAX_LEVELS) return this.#bare(target)
    const known = this.#named.get(name)
    if (known !== undefined && known.schema !== target) return this.#body(target, level)
    if (known === undefined || known.level > level) this.#named.set(name, { level, schema: target })
    return { $ref: `#/components/schemas/${name}` }
  }

  #bare(schema: JsonObject): JsonObject {
    const { types, isNullable } = readSchema(schema, this.#document.follow)
    const [type] = types
    return {
      ...(types.length === 1 && type !== undefined && { type }),
      ...(isNullable && { nullable: true }),
    }
  }

  #body(schema: JsonObject, level: number): JsonObject {
    if (level > MAX_LEVELS) return this.#bare(schema)
    const words = KEPT.flatMap((name) => {
      const value = schema[name]
      // Swagger says of a parameter that it is required where a schema lists members.
      const isFact = value !== undefined && (name !== 'required' || isList(value))
      return isFact ? [[name, value]] : []
    })
    const { properties, items, additionalProperties, deprecated } = schema
    const parts = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) => {
      const list = schema[name]
      return isList(list) ? [[name, list.map((part) => this.#schema(part, level))]] : []
    })
    return {
      ...Object.fromEntries(words),
      ...(deprecated === true && { deprecated }),
      ...(isJsonObject(properties) && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, one]) => [name, this.#schema(one, level + 1)]),
        ),
      }),
      ...(isJsonObject(items) && { items: this.#schema(items, level) }),
      ...(typeof additionalProperties === 'boolean' && { additionalProperties }),
      ...(isJsonObject(additionalProperties) && {
        additionalProperties: this.#schema(additionalProperties, level + 1),
      }),
      ...Object.fromEntries(parts),
    }
  }
}
