// Whatever an action takes can be written in strict mode, and comes back unchanged.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainSchema } from '../../src/agents/plain-schema.ts'
import { strictSchema } from '../../src/agents/strict-schema.ts'
import type { Json, JsonObject } from '../../src/language/json/json.ts'
import { isJsonObject } from '../../src/language/json/members.ts'
import { compileSchema } from '../../src/language/manifest/validator.ts'
import { connectors } from './every-manifest.ts'

describe.for(connectors)('$type', ({ entities }) => {
  const actions = entities.flatMap(({ entity, actions }) =>
    actions.map(({ action, params }) => ({ name: `${entity}.${action}`, params })),
  )
  test.for(actions)('$name', ({ params }) => {
    const schema = plainSchema(params)
    const strict = strictSchema(schema)
    const isWritable = compileSchema(withoutLimits(strict.schema))
    fc.assert(
      fc.property(valueOf(schema), (value) => {
        const written = writtenAs(value, schema, strict.schema)
        expect([isWritable(written), isWritable.errors ?? []]).toEqual([true, []])
        // Numbers that a double cannot hold come back with all their digits.
        expect(JSON.parse(JSON.stringify(strict.decode(written, '')))).toEqual(value)
      }),
      { numRuns: 50 },
    )
  })
})

/** Values of a schema's types, members and choices; limits of texts and numbers are not their matter. */
function valueOf(schema: JsonObject): fc.Arbitrary<Json> {
  const { type, enum: values, const: only, items, properties, required } = schema
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(values)) return fc.constantFrom(...(values as readonly Json[]))
  if (Array.isArray(type))
    return fc.oneof(...type.map((each) => valueOf({ ...schema, type: each as string })))
  if (type === 'array') return fc.array(valueOf(isJsonObject(items) ? items : {}), { maxLength: 2 })
  if (type !== 'object') return (typeof type === 'string' ? SIMPLE[type] : undefined) ?? ANY
  const members = isJsonObject(properties) ? properties : {}
  const named = fc.record(
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, valueOf(member as JsonObject)]),
    ),
    { requiredKeys: (Array.isArray(required) ? required : []) as never[] },
  ) as fc.Arbitrary<JsonObject>
  if (schema['additionalProperties'] === false) return named
  const others = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,5}$/), ANY, { maxKeys: 2 })
  return fc.tuple(named, others).map(([one, other]) => ({ ...other, ...one }))
}

const ANY = fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.parse(JSON.stringify(value)) as Json)
const SIMPLE: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  string: fc.string(),
  integer: fc.integer(),
  number: fc.integer(),
  boolean: fc.boolean(),
  null: fc.constant(null),
}

/** What a model writes for this value. */
function writtenAs(value: Json, schema: JsonObject, strict: JsonObject): Json {
  const branches = Array.isArray(strict['anyOf']) ? (strict['anyOf'] as JsonObject[]) : [strict]
  if (Array.isArray(value)) {
    const list = branches.find(({ type }) => type === 'array')
    if (list === undefined) return JSON.stringify(value)
    const items = schema['items'] as JsonObject
    return value.map((each: Json) => writtenAs(each, items, list['items'] as JsonObject))
  }
  if (isJsonObject(value)) {
    const object = branches.find(({ type, properties }) => {
      return type === 'object' && !Object.hasOwn(properties as JsonObject, 'set_null')
    })
    return object === undefined ? JSON.stringify(value) : objectAs(value, schema, object)
  }
  const isAny = schema['type'] === undefined && schema['enum'] === undefined
  return isAny && schema['const'] === undefined ? JSON.stringify(value) : value
}

function objectAs(value: JsonObject, schema: JsonObject, strict: JsonObject): JsonObject {
  const known = (schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>
  const required = (schema['required'] ?? []) as readonly string[]
  return Object.fromEntries(
    Object.entries(strict['properties'] as Readonly<Record<string, JsonObject>>).map(
      ([name, member]): [string, Json] => {
        const inner = known[name]
        if (inner === undefined) {
          const others = Object.entries(value).filter(([each]) => !Object.hasOwn(known, each))
          return [name, others.length === 0 ? null : JSON.stringify(Object.fromEntries(others))]
        }
        const each = value[name]
        if (each === undefined) return [name, null]
        const isMarked = each === null && !required.includes(name)
        return [name, isMarked ? { set_null: true } : writtenAs(each, inner, member)]
      },
    ),
  )
}

/** The schema's shape alone. */
function withoutLimits(schema: JsonObject): JsonObject {
  const { pattern, format, minimum, maximum, exclusiveMinimum, minItems, maxItems, ...rest } =
    schema
  void [pattern, format, minimum, maximum, exclusiveMinimum, minItems, maxItems]
  const { anyOf, items, properties } = rest
  return {
    ...rest,
    ...(Array.isArray(anyOf) ? { anyOf: (anyOf as JsonObject[]).map(withoutLimits) } : {}),
    ...(isJsonObject(items) ? { items: withoutLimits(items) } : {}),
    ...(isJsonObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [
              name,
              withoutLimits(each as JsonObject),
            ]),
          ),
        }
      : {}),
  }
}
