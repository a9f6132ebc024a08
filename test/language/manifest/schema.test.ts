import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { formatPath, LineIndex, ManifestDocument } from '../../../src/language/manifest/document.ts'
import { checkSchema, readSchema } from '../../../src/language/manifest/schema-problems.ts'
import { PATTERN_WORDS } from '../../../src/language/manifest/schema-words.ts'
import { compileSchema } from '../../../src/language/manifest/validator.ts'
import { valueOf } from './manifest-files.ts'

// What editors put in is no part of the language: test/language/manifest/snippets.test.ts loads it.
const schema = JSON.parse(
  JSON.stringify(readSchema(), (key, value: unknown) =>
    key === 'defaultSnippets' ? undefined : value,
  ),
) as JsonObject
const NARROWS =
  /\/(then|else|if|dependencies)\/|^\/definitions\/(inputSchema|objectSchema|\w+Action)\//

test('the schema of manifests compiles in strict mode', () => {
  expect(() => compileSchema(readSchema())).not.toThrow()
})

test('every key has a description, so that an editor can show it', () => {
  const silent = propertiesIn(schema).filter(
    ({ value }) => isObject(value) && typeof value['description'] !== 'string',
  )
  // What only narrows a key was described where the key is introduced.
  expect(silent.filter(({ at }) => !NARROWS.test(at))).toEqual([])
})

test('every pattern has words of its own', () => {
  const patterns = new Set<string>()
  visit(schema, (part, key) => {
    if (key === 'pattern' && typeof part === 'string') patterns.add(part)
  })
  expect([...patterns].filter((pattern) => PATTERN_WORDS[pattern] === undefined)).toEqual([])
  expect(Object.keys(PATTERN_WORDS).filter((pattern) => !patterns.has(pattern))).toEqual([])
})

/** Keys of the language inside blocks whose other keys the author chooses. */
const PAGES = ['entities', 'items', 'actions', 'list', 'pagination']
const DEFAULT_BODY = ['defaults', 'errors', 0, 'when', 'body']
const PARTS = ['entities', 'items', 'actions', 'create', 'request', 'multipart']
const INSIDE_DATA: readonly (readonly (string | number)[])[] = [
  [...DEFAULT_BODY, '$.code', 'in'],
  [...DEFAULT_BODY, '$.errors[*]', 'contains'],
  ['entities', 'items', 'actions', 'list', 'errors', 0, 'when', 'body', '$.message', 'matches'],
  [...PAGES, 'last', '$.state', 'equals'],
  [...PAGES, 'last', '$.left', 'gte'],
  [...PAGES, 'last', '$.left', 'lte'],
  [...PAGES, 'last', '$.left', 'exists'],
  [...PARTS, 'file', 'base64'],
  [...PARTS, 'file', 'filename'],
  [...PARTS, 'file', 'type'],
  [...PARTS, 'note', '$if'],
  [...PARTS, 'note', '$value'],
]

describe('P2 a typo in a key', () => {
  const introduced = new Set(
    propertiesIn(schema)
      .filter(({ value }) => isObject(value))
      .map(({ name }) => name),
  )
  const manifest = valueOf('test/language/manifest/fixtures/every-key.yaml')
  const places = [...languageKeys(manifest, introduced), ...INSIDE_DATA]

  test('the manifest for this test has every key of the language', () => {
    const used = new Set(places.map((place) => String(place.at(-1))))
    expect([...introduced].filter((name) => !used.has(name))).toEqual([])
  })

  test.for(places.map((at) => ({ at, name: formatPath(at) })))(
    '$name is refused with the right name, and nothing else is said',
    ({ at }) => {
      const key = String(at.at(-1))
      const typo = key + key.at(-1)
      const problems = checkSchema(documentOf(renameKey(manifest, at, typo)))
      expect(problems.map(({ rule, path, hint }) => ({ rule, path, hint }))).toEqual([
        {
          rule: 'schema/unknown-key',
          path: formatPath([...at.slice(0, -1), typo]),
          hint: `did you mean "${key}"?`,
        },
      ])
    },
  )
})

type Place = readonly (string | number)[]

interface Property {
  readonly name: string
  readonly value: unknown
  readonly at: string
}

/** A document without a text: what is looked at here is what is said, not where. */
function documentOf(value: JsonObject): ManifestDocument {
  const root = { start: 0, end: 0, key: null, block: false, members: null, items: null }
  const lines = new LineIndex('')
  return new ManifestDocument({ file: 'every-key.yaml', text: '', lines }, { value, root })
}

/** Every entry of every `properties` in a schema. */
function propertiesIn(root: JsonObject): readonly Property[] {
  const found: Property[] = []
  visit(root, (part, key, at, parentKey) => {
    if (parentKey === 'properties') found.push({ name: key, value: part, at })
  })
  // `properties` is itself a key of the language: what lies in its definition is no list of properties.
  return found.filter(({ at }) => !at.startsWith('/definitions/schema/properties/properties/'))
}

function visit(
  part: unknown,
  see: (part: unknown, key: string, at: string, parentKey: string) => void,
  at = '',
  key = '',
): void {
  if (typeof part !== 'object' || part === null) return
  for (const [name, inner] of Object.entries(part)) {
    see(inner, name, `${at}/${name}`, key)
    visit(inner, see, `${at}/${name}`, name)
  }
}

/** One place for every key of the language in every block that has it; names that authors choose do not count. */
function languageKeys(manifest: JsonObject, names: ReadonlySet<string>): readonly Place[] {
  const places = new Map<string, Place>()
  const walk = (part: unknown, at: Place, way: string, open: boolean): void => {
    if (Array.isArray(part)) {
      for (const [index, item] of part.entries()) walk(item, [...at, index], way, open)
      return
    }
    if (!isObject(part)) return
    for (const [key, inner] of Object.entries(part)) {
      const here = [...at, key]
      const chosen = open || key.startsWith('x-') || !names.has(key)
      const below = `${way}.${chosen ? '*' : key}`
      const kind = below.split('.').slice(-2).join('.')
      if (!chosen && !places.has(kind)) places.set(kind, here)
      if ((!FREE.has(key) && !FREE_BELOW.has(kind)) || chosen)
        walk(inner, here, below, !chosen && NAMED.has(key))
    }
  }
  walk(manifest, [], '', false)
  return [...places.values()]
}

/** Blocks whose keys the author chooses. */
const NAMED: ReadonlySet<string> = new Set(['auth', 'entities', 'shapes', 'maps', 'properties'])
/** Blocks that hold data, templates or names all the way down. */
const FREE_BELOW: ReadonlySet<string> = new Set(['map.get'])
const FREE: ReadonlySet<string> = new Set(
  [
    'maps examples headers query form variables multipart set where unsent carry meta empty_meta',
    'store derive from each bind body until failed last header match json default const enum unfilled',
  ].flatMap((names) => names.split(' ')),
)

function renameKey(manifest: JsonObject, at: Place, typo: string): JsonObject {
  const copy = structuredClone(manifest)
  let map = copy as Record<string | number, unknown>
  for (const step of at.slice(0, -1)) map = map[step] as Record<string | number, unknown>
  const entries = Object.entries(map).map(([key, value]) => [key === at.at(-1) ? typo : key, value])
  for (const key of Object.keys(map)) delete map[key]
  Object.assign(map, Object.fromEntries(entries))
  return copy
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
