// schemas/manifest.schema.json says at every key what a change of it means, and `tenon diff` sees what it says.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { entrySchema, keysOf, manifestSchema } from '../../../src/tools/authoring/change-words.ts'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import { isJsonObject } from '../../../src/language/json/members.ts'
import { loadManifest, requireManifest } from '../../../src/language/manifest/load.ts'

const CLASSES = ['breaking', 'additive', 'cosmetic']
const OF_BLOCKS =
  'none keys parts names steps input output result consent refusals meta fields turning filters unsent rules hosts deprecation'.split(
    ' ',
  )
const OF_SCHEMAS =
  'none types values members openness elements branches demands upper lower rule deprecation'.split(
    ' ',
  )
const schema = manifestSchema()
const keys = describedKeys(schema, '')

describe('every key says what a change of it means', () => {
  test('there are keys', () => {
    expect(keys.length).toBeGreaterThan(290)
  })
  test.for(keys)('$at', ({ at, change }) => {
    const words = [...CLASSES, ...(at.startsWith('/definitions/schema/') ? OF_SCHEMAS : OF_BLOCKS)]
    if (!isJsonObject(change)) expect(words).toContain(change)
    else
      for (const [step, kind] of Object.entries(change)) {
        expect(['added', 'removed', 'changed']).toContain(step)
        expect(CLASSES).toContain(kind)
      }
  })
})

test('a key whose whole value is cosmetic has no other key below it', () => {
  expect(loudBelowQuiet(schema, 'keys', '')).toEqual([])
})

test('what a key says can be seen: the resolved manifest has a member of its name', () => {
  const text = readFileSync('test/language/manifest/fixtures/every-key.yaml', 'utf8')
  const { type, icon, aliases, ...rest } = requireManifest(
    loadManifest({ text, file: 'every-key.yaml' }),
  )
  const connector = { type, icon, ...(aliases !== undefined && { aliases }) }
  const { said, found } = saidBy({ connector, ...rest }, schema, '')
  expect([...said].filter((place) => !found.has(place))).toEqual([])
})

interface DescribedKey {
  readonly at: string
  readonly change: Json | undefined
}

/** Keys are described where they are introduced; what only narrows a key has no description. */
function describedKeys(part: Json, at: string): readonly DescribedKey[] {
  if (Array.isArray(part)) return part.flatMap((each: Json) => describedKeys(each, at))
  if (!isJsonObject(part)) return []
  const { properties, ...others } = part
  const named = isJsonObject(properties) ? Object.entries(properties) : []
  return [
    ...named.flatMap(([name, key]) => [
      ...(isJsonObject(key) && typeof key['description'] === 'string'
        ? [{ at: `${at}/${name}`, change: key['x-tenon-change'] }]
        : []),
      ...describedKeys(key, `${at}/${name}`),
    ]),
    ...Object.entries(others).flatMap(([name, inner]) => describedKeys(inner, `${at}/${name}`)),
  ]
}

/** The shapes that some place compares key by key: another place, for which they are cosmetic, leaves their keys alone. */
function comparedShapes(part: Json): readonly string[] {
  if (Array.isArray(part)) return part.flatMap((each: Json) => comparedShapes(each))
  if (!isJsonObject(part)) return []
  const { $ref: shape, 'x-tenon-change': change } = part
  const isCompared = change !== undefined && change !== 'cosmetic' && change !== 'none'
  return [
    ...(typeof shape === 'string' && isCompared ? [shape] : []),
    ...Object.values(part).flatMap((each) => comparedShapes(each)),
  ]
}

const compared: ReadonlySet<unknown> = new Set(comparedShapes(schema))

/** The comparison goes down where a word says so; elsewhere a key that says more than cosmetic would say it to nobody. */
function loudBelowQuiet(block: JsonObject, word: unknown, at: string): readonly string[] {
  if (!(['keys', 'names', 'steps', 'cosmetic'] as unknown[]).includes(word)) return []
  return [...parts(block)].flatMap((part) =>
    [...keysOf(part)].flatMap(([name, key]) => {
      const here = `${at}/${name}`
      const isLoud = key.change !== 'cosmetic' && key.change !== 'none'
      if (word === 'cosmetic' && isLoud) return [here]
      if (key.change === 'cosmetic' && compared.has(key.schema['$ref'])) return []
      return loudBelowQuiet(key.schema, word === 'cosmetic' ? word : key.change, here)
    }),
  )
}

/** A block, its entries and its elements, as far as they have keys; a shape that holds itself is looked at once. */
function parts(block: JsonObject, seen: readonly Json[] = []): readonly JsonObject[] {
  const entry = entrySchema(block, '')
  const isDone = Object.keys(entry).length === 0 || seen.includes(entry['$ref'] ?? '')
  return isDone ? [block] : [block, ...parts(entry, [...seen, entry['$ref'] ?? ''])]
}

/** Places of keys that say something, and those of them that have a member in some block of their place. */
interface Said {
  readonly said: Set<string>
  readonly found: Set<string>
}

function saidBy(
  value: unknown,
  block: JsonObject,
  at: string,
  into: Said = { said: new Set(), found: new Set() },
): Said {
  const members = value as Readonly<Record<string, unknown>>
  for (const [name, { change, schema: inner }] of keysOf(block)) {
    if (change === 'cosmetic' || change === 'none') continue
    const here = `${at}/${name}`
    const found = members[name.replaceAll(/_[a-z]/g, (pair) => pair.slice(1).toUpperCase())]
    into.said.add(here)
    if (found !== undefined) into.found.add(here)
    if (found === undefined || found === null) continue
    if (change === 'keys') saidBy(found, inner, here, into)
    if (change === 'names' || change === 'steps')
      for (const entry of found as readonly { readonly name: string }[])
        saidBy(entry, entrySchema(inner, entry.name), here, into)
  }
  return into
}
