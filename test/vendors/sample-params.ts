// Parameters that a caller can give, made of the schema that the caller sees.
import type { Json, JsonObject } from '../../src/language/json/json.ts'
import { isJsonObject } from '../../src/language/json/members.ts'
import { dereference, requiredIn, typeNamesOf } from '../../src/language/manifest/json-schema.ts'
import type { Action, JsonSchema, Manifest } from '../../src/language/manifest/manifest.ts'
import { AWKWARD } from './vendor-document.ts'

/** `required`: nothing else. `everything`: each parameter. `awkward`: as well, with texts that must be encoded. */
export type Extent = 'required' | 'everything' | 'awkward'
export const EXTENTS: readonly Extent[] = ['required', 'everything', 'awkward']

/** Values by the name of the parameter, where a schema does not say enough. */
export type Samples = Readonly<Record<string, Json>>

export function sampleParams(
  { params, pagination }: Action,
  { definitions }: Manifest,
  { extent, samples }: { readonly extent: Extent; readonly samples: Samples },
): JsonObject {
  const maker = { definitions, extent, samples }
  const made = objectOf(params.schema, maker)
  // The address of a next page comes from the page before.
  const sealed = pagination.type === 'link' ? pagination.param.join('.') : null
  return Object.fromEntries(Object.entries(made).filter(([name]) => name !== sealed))
}

interface Maker {
  readonly definitions: Manifest['definitions']
  readonly extent: Extent
  readonly samples: Samples
}

function objectOf(schema: JsonSchema, maker: Maker): JsonObject {
  const required = new Set(requiredIn(schema))
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const others = Object.keys(properties).filter((name) => !required.has(name))
  const least = Number(schema['minProperties'] ?? 0) - required.size
  const needed = new Set([...required, ...others.slice(0, Math.max(0, least))])
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => maker.extent !== 'required' || needed.has(name))
      .flatMap(([name, one]) => {
        const value = maker.samples[name] ?? valueOf(one as JsonSchema, maker)
        return value === undefined ? [] : [[name, value]]
      }),
  )
}

function valueOf(given: JsonSchema, maker: Maker): Json | undefined {
  const schema = dereference(given, maker.definitions)
  if (schema['const'] !== undefined) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as Json
  const [first] = (schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly JsonSchema[]
  if (first !== undefined) return valueOf(first, maker)
  const type = typeNamesOf(schema).find((name) => name !== 'null')
  const items = isJsonObject(schema['items']) ? schema['items'] : {}
  switch (type ?? 'any') {
    case 'string':
      return textOf(schema, maker)
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1)
    case 'boolean':
      return true
    case 'array': {
      const item = valueOf(items, maker)
      return item === undefined ? undefined : [item]
    }
    case 'object':
      return objectOf(schema, maker)
    default:
      return undefined
  }
}

function textOf(schema: JsonSchema, { extent }: Maker): string | undefined {
  const { format, pattern, maxLength } = schema
  if (typeof format === 'string') return TEXTS[format]
  if (pattern !== undefined) return undefined
  const text = extent === 'awkward' ? AWKWARD : 'plain'
  return typeof maxLength === 'number' ? text.slice(0, maxLength) : text
}

const TEXTS: Readonly<Record<string, string>> = {
  'iso-time': '2026-01-02T03:04:05Z',
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  int64: '9007199254740993',
  email: 'a@vendor.example',
  uri: 'https://vendor.example/',
}
