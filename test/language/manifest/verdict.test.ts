// The verdict without Ajv is Ajv's.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import { withDefinitions } from '../../../src/language/manifest/json-schema.ts'
import { loadManifestFile, requireManifest } from '../../../src/language/manifest/load.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import { isManifest, readSchema } from '../../../src/language/manifest/schema-problems.ts'
import { compileSchema } from '../../../src/language/manifest/validator.ts'
import { fits } from '../../../src/language/manifest/verdict.ts'
import { VALID_FILES, valueOf } from './manifest-files.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const files = readdirSync(join(root, 'manifests')).filter((file) => file.endsWith('.yaml'))

const ODD: readonly Json[] = [null, -1, 1.5, '', 'odd', '{{ odd }}', true, [], [{}], {}, { odd: 1 }]

/** The value with one of its members, at any depth, replaced by something odd. */
function spoilt(value: Json): Json[] {
  return Object.entries(value ?? {}).flatMap(([name, member]: [string, Json]) =>
    typeof value === 'string'
      ? []
      : [...ODD, ...spoilt(member)].map((odd) => replaced(value, name, odd)),
  )
}

/** The value with one member, at any depth, replaced by one odd value; the next member gets the next one. */
function* spoiltInTurn(value: Json, turn = { odd: 0 }): Iterable<Json> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value) as readonly [string, Json][]) {
    const others = [ODD[turn.odd++ % ODD.length] ?? null, ...spoiltInTurn(member, turn)]
    for (const other of others) yield replaced(value, key, other)
  }
}

function replaced(value: Json, name: string, other: Json): Json {
  return Array.isArray(value)
    ? value.with(Number(name), other)
    : { ...(value as JsonObject), [name]: other }
}

/** The schemas that callers' values are checked against, by the name of their operation. */
function inputsOf(manifest: Manifest): readonly (readonly [name: string, schema: JsonObject])[] {
  return [
    ['config', manifest.config.schema],
    ...manifest.auth.map(({ name, credentials }) => [name, credentials.schema] as const),
    ...manifest.entities.flatMap(({ name, actions }) =>
      actions.map((action) => [`${name}.${action.name}`, action.params.schema] as const),
    ),
  ]
}

describe.for(files)('the inputs of %s', (file) => {
  test('need no Ajv: on every golden case, and on each with one wrong member, the verdict is the same', async () => {
    const { definitions, ...manifest } = requireManifest(
      await loadManifestFile(join(root, 'manifests', file)),
    )
    const { operations } = parse(
      readFileSync(join(root, 'test/contracts/requests', file), 'utf8'),
    ) as {
      readonly operations: Readonly<
        Record<string, { readonly cases: readonly { readonly params?: Json }[] }>
      >
    }
    for (const [name, schema] of inputsOf({ definitions, ...manifest })) {
      const compiled = compileSchema(withDefinitions(schema, definitions))
      const golden = operations[name]?.cases.map(({ params = {} }) => params) ?? []
      const values = [{}, [], null, { unknown: 1 }, ...golden, ...golden.flatMap(spoilt)]
      const different = values.filter(
        (value) => fits(schema, definitions, value) !== compiled(value),
      )
      expect([name, different]).toEqual([name, []])
    }
  })
})

test.for(VALID_FILES)(
  'a manifest fits its schema as Ajv says: %s, and it with one member replaced by something odd',
  (file) => {
    const compiled = compileSchema(readSchema())
    const manifest = valueOf(file)
    const odd = [...spoiltInTurn(manifest)].filter((_, index) => index % 12 === 0)
    const wrong = odd.filter((document) => !compiled(document))
    expect(isManifest(manifest)).toBe(true)
    expect(wrong.length).toBeGreaterThan(odd.length / 4)
    expect(odd.filter((document) => !isManifest(document))).toEqual(wrong)
  },
)

const definitions = readSchema()['definitions'] as Readonly<Record<string, JsonObject>>

test('no keyword and no format of the schema of manifests is left to Ajv', () => {
  const left = Object.entries(definitions).filter(([, schema]) =>
    [{}, [], '', 1, true, null].some((value) => fits(schema, definitions, value) === null),
  )
  expect(left).toEqual([])
})

/** Values at the edges of each keyword. */
test.for<{ name: string; schema: JsonObject; values: readonly Json[] }>([
  {
    name: 'numbers',
    schema: { type: ['integer', 'null'], minimum: -1, exclusiveMaximum: 3 },
    values: [-2, -1, 0, 0.5, 2, 3, null, '1', 1e300],
  },
  {
    name: 'the other limits',
    schema: { type: 'number', exclusiveMinimum: 1, maximum: 2 },
    values: [1, 1.1, 2, 3],
  },
  {
    name: 'characters of two units',
    schema: { type: 'string', minLength: 2, maxLength: 3 },
    values: ['', 'a', '😀', 'ab', '😀😀', '😀😀😀', 'abcd', '😀😀😀😀', 'ab😀d', 'x'.repeat(50)],
  },
  {
    name: 'elements that are the same',
    schema: { type: 'array', uniqueItems: true, items: {}, minItems: 1, maxItems: 3 },
    values: [[], [1], [1, 1], [1, '1'], [{ a: 1 }, { a: 1 }], [{ a: 1 }, { a: 2 }], [1, 2, 3, 4]],
  },
  {
    name: 'values that are given',
    schema: { anyOf: [{ const: { a: [1] } }, { enum: ['a', null, [2]] }] },
    values: [{ a: [1] }, { a: [2] }, 'a', null, [2], 'b', {}],
  },
  {
    name: 'one of two',
    schema: { oneOf: [{ type: 'number' }, { type: 'number', minimum: 2 }], not: { const: 1 } },
    values: [0, 1, 2, 'x'],
  },
  {
    name: 'names of members',
    schema: {
      type: 'object',
      properties: { a: { type: 'number' }, __proto__x: {} },
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: { type: 'boolean' },
      propertyNames: { type: 'string', maxLength: 4 },
      minProperties: 1,
      maxProperties: 2,
      dependencies: { a: ['b'] },
    },
    values: [
      {},
      { a: 1 },
      { a: 1, b: true },
      { a: 1, b: 1 },
      { 'x-a': '' },
      { 'x-a': 1 },
      { b: true, c: true, d: true },
      { longer: true },
      { toString: true },
      JSON.parse('{"__proto__":true}') as Json,
    ],
  },
  ...[
    ['date-time', ['2024-05-01T12:00:00Z', '2024-05-01 12:00:00Z', '2024-05-01']],
    ['iso-time', ['2024-05-01T12:00Z', '2024-05-01', '2024-13-01']],
    ['date', ['2024-02-29', '2023-02-29']],
    ['time', ['12:00:00Z', '25:00:00Z']],
    ['duration', ['P1D', 'P']],
    ['uri', ['https://example.com/', 'example']],
    ['email', ['a@example.com', 'a']],
    ['hostname', ['example.com', '-']],
    ['ipv4', ['127.0.0.1', '256.0.0.1']],
    ['ipv6', ['::1', ':::']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000', '123']],
    ['byte', ['YQ==', 'Y']],
    ['binary', ['', 'x']],
  ].map(([format, values]) => ({
    name: `the format ${String(format)}`,
    schema: { type: 'string', format: format as string },
    values: values as readonly string[],
  })),
  {
    name: 'the format epoch_s',
    schema: { type: 'integer', format: 'epoch_s' },
    values: [1779488131, 0, -1, 0.5, '1779488131'],
  },
  {
    name: 'the format epoch_ms',
    schema: { type: ['number', 'null'], format: 'epoch_ms' },
    values: [1778656568918, 0.5, null, '1778656568918'],
  },
  { name: 'the format int32', schema: { type: 'integer', format: 'int32' }, values: [1, 2 ** 31] },
  { name: 'the format int64', schema: { type: 'integer', format: 'int64' }, values: [1, 2 ** 63] },
])('$name: as Ajv says', ({ schema, values }) => {
  const compiled = compileSchema(schema)
  expect(values.map((value) => [value, fits(schema, {}, value)])).toEqual(
    values.map((value) => [value, compiled(value)]),
  )
})

test.for<{ name: string; schema: JsonObject }>([
  { name: 'a keyword', schema: { multipleOf: 0.1 } },
  { name: 'a keyword within', schema: { allOf: [{ properties: { a: { multipleOf: 0.1 } } }] } },
  { name: 'a format', schema: { properties: { a: { format: 'unheard-of' } } } },
  { name: 'a type', schema: { properties: { a: { type: 'unheard-of' } } } },
  { name: 'a reference that leads nowhere', schema: { $ref: '#/definitions/none' } },
])('$name that is not known is left to Ajv', ({ schema }) => {
  expect(fits(schema, {}, { a: 0.3 })).toBe(null)
})

test('what is not known does not matter where the value does not come to it', () => {
  const schema = { properties: { a: { multipleOf: 0.1 } }, required: ['b'] }
  expect(fits(schema, {}, {})).toBe(false)
  expect(fits(schema, {}, { b: 1 })).toBe(true)
})

test('a schema that refers to itself follows the value', () => {
  const tree = {
    type: 'object',
    properties: { next: { $ref: '#/definitions/tree' } },
    additionalProperties: false,
  }
  const value = { next: { next: {} } }
  expect(fits(tree, { tree }, value)).toBe(true)
  expect(fits(tree, { tree }, { next: { next: { other: 1 } } })).toBe(false)
})
