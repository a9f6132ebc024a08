import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import { loadManifest } from '../../../src/language/manifest/load.ts'
import { compileSchema, compileValidator } from '../../../src/language/manifest/validator.ts'
import { VALID_FILES, valueOf } from './manifest-files.ts'
import { sized } from '../../fixtures/sizes.ts'

type Place = readonly (string | number)[]

/** Every place of a value, the whole first. */
function placesOf(value: Json, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [
    at,
    ...Object.entries(value).flatMap(([key, inner]) =>
      placesOf(inner as Json, [...at, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

type Container = Record<string | number, Json>
type Mutation = (container: Container, key: string | number, value: Json) => void

const OTHER_TEXTS =
  ' x $ $. {{ {{x}} {{params.nothing}} {{join}} {{{x}}} P - ../.. #/shapes/nothing ^(a+)+$ (?=x)'
const OTHER_VALUES: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  [],
  {},
  [[]],
  [{}],
  { $if: 1 },
  { $value: 1 },
  { $ref: '#/shapes/nothing' },
].concat(OTHER_TEXTS.split(' ') as never) // a list of texts is a list of values

const MUTATIONS: Readonly<Record<string, (other: Json, name: string) => Mutation>> = {
  drop: () => (container, key) => {
    if (Array.isArray(container)) container.splice(Number(key), 1)
    else delete container[key]
  },
  duplicate: () => (container, key, value) => {
    if (Array.isArray(container)) container.splice(Number(key), 0, structuredClone(value))
    else container[`${key}_2`] = structuredClone(value)
  },
  retype: (other) => (container, key) => {
    container[key] = other
  },
  nest: () => (container, key, value) => {
    container[key] = [value]
  },
  wrap: (_other, name) => (container, key, value) => {
    container[key] = { [name]: value }
  },
  rename: (_other, name) => (container, key, value) => {
    if (Array.isArray(container)) return
    delete container[key]
    container[name] = value
  },
}

function mutate(manifest: JsonObject, at: Place, mutation: Mutation): JsonObject {
  const copy = structuredClone(manifest)
  let container: Container = copy
  for (const step of at.slice(0, -1)) container = container[step] as unknown as Container
  const key = at.at(-1) ?? ''
  mutation(container, key, container[key] ?? null)
  return copy
}

describe('P1 a manifest with one part changed is valid or refused with its place', () => {
  const manifests = VALID_FILES.map((file) => {
    const value = valueOf(file)
    return { file, value, places: placesOf(value).slice(1) }
  })

  test.for(Object.entries(MUTATIONS).map(([name, make]) => ({ name, make })))(
    '$name',
    ({ make }) => {
      fc.assert(
        fc.property(
          fc.constantFrom(...manifests),
          fc.nat(),
          fc.constantFrom(...OTHER_VALUES),
          fc.constantFrom('x', 'toString', 'then', 'valueOf', '$if', 'x-y', 'a b', '', 'list'),
          ({ file, value, places }, seed, other, name) => {
            const at = places[seed % places.length] ?? []
            const object = mutate(value, at, make(other, name))
            const { manifest, problems } = loadManifest({ file, object })
            const lines = JSON.stringify(object, null, 2).split('\n')
            for (const { line, column, length, message } of problems) {
              expect(message).not.toBe('')
              expect(column - 1 + length).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1)
            }
            const errors = problems.filter(({ severity }) => severity === 'error')
            expect(manifest === null).toBe(errors.length > 0)
            // Two findings at one place would be one mistake told twice.
            const found = errors.map(({ line, column }) => `${line}:${column}`)
            expect(new Set(found).size).toBe(found.length)
          },
        ),
        { numRuns: sized(12, 200) },
      )
    },
  )
})

test('P3 a name that reaches a prototype is refused at every place', () => {
  for (const file of VALID_FILES.slice(0, 2)) {
    const text = JSON.stringify(valueOf(file))
    const braces = Array.from(text.matchAll(/\{(?=")/g), ({ index }) => index + 1)
    const chosen = braces.filter((_, index) => index % 12 === 0)
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      for (const offset of chosen) {
        // Inside a text, `{"` is text.
        const broken = `${text.slice(0, offset)}"${name}":{"polluted":1},${text.slice(offset)}`
        const { manifest, problems } = loadManifest({ file, text: broken })
        expect(manifest?.hash).toBeUndefined()
        expect(problems.map(({ rule, column }) => ({ rule, column }))).toEqual([
          { rule: 'yaml/key', column: offset + 1 },
        ])
      }
    }
  }
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('P3 names of Object.prototype are ordinary names, or refused by their form', () => {
  const manifest = valueOf('test/language/manifest/fixtures/example.yaml')
  const tickets = (manifest['entities'] as Record<string, Record<string, JsonObject>>)['tickets']
  const rules = (object: unknown): readonly string[] =>
    loadManifest({ file: 'example.yaml', object }).problems.map(({ rule }) => rule)
  for (const name of ['toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf']) {
    expect(rules({ ...manifest, entities: { [name]: tickets } })).toContain('schema/form')
    expect(rules({ ...manifest, auth: { [name]: {} } })).toContain('schema/form')
    const actions = { ...tickets?.['actions'], [name]: {} }
    expect(rules({ ...manifest, entities: { tickets: { ...tickets, actions } } })).toEqual([
      'schema/unknown-key',
    ])
    const record = {
      properties: {
        id: { type: 'string' },
        updated: { type: 'string' },
        [name]: { type: 'string' },
      },
    }
    expect(rules({ ...manifest, entities: { tickets: { ...tickets, record } } })).toEqual([])
  }
})

test('P6 every schema of a manifest that loads can be compiled', () => {
  for (const file of VALID_FILES) {
    const { manifest } = loadManifest({ file, object: valueOf(file) })
    if (manifest === null) throw new Error(`${file} is not valid`)
    const { definitions } = manifest
    const schemas = [
      manifest.config.schema,
      ...manifest.auth.map(({ credentials }) => credentials.schema),
      ...manifest.entities.flatMap(({ record, actions }) => [
        record ?? {},
        ...actions.flatMap(({ params, result }) => [params.schema, result ?? {}]),
      ]),
    ]
    for (const schema of schemas) {
      expect(() => compileSchema({ ...schema, definitions })).not.toThrow()
    }
  }
})

describe('P6 whatever is given, a validator lists at most twenty problems with their places', () => {
  const checks = VALID_FILES.flatMap((file) => {
    const { manifest } = loadManifest({ file, object: valueOf(file) })
    return (manifest?.entities ?? []).flatMap(({ name, actions }) =>
      actions.map((action) => ({
        name: `${file} ${name}.${action.name}`,
        names: Object.keys((action.params.schema['properties'] ?? {}) as object),
        check: compileValidator(action.params.schema, manifest?.definitions ?? {}, {
          pointer: '/params',
        }),
      })),
    )
  })

  test.for(checks.filter((_, index) => index % 4 === 0))('$name', ({ names, check }) => {
    const member = fc.oneof(fc.constantFrom('x', '__proto__', 'a/b', ...names), fc.string())
    const params = fc.oneof(fc.dictionary(member, fc.jsonValue()), fc.jsonValue())
    fc.assert(
      fc.property(params, (value) => {
        const problems = check(value)
        expect(problems.length).toBeLessThanOrEqual(20)
        for (const { pointer, code, detail } of problems) {
          expect(pointer).toMatch(/^\/params(\/|$)/)
          expect(code).not.toBe('')
          expect(detail).not.toBe('')
        }
      }),
      { numRuns: sized(10, 100) },
    )
  })
})
