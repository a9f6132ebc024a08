import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../src/language/manifest/manifest.ts'
import { createChance } from '../../../src/sandbox/data/chance.ts'
import { makeUp } from '../../../src/sandbox/data/made-up.ts'

const startMs = Date.parse('2026-01-10T12:00:00Z')

function make(
  name: string,
  schema: JsonSchema,
  more: { isKey?: boolean; position?: number; seed?: number } = {},
) {
  return makeUp(schema, {
    world: { chance: createChance(more.seed ?? 1), startMs },
    place: `x/${name}`,
    name,
    position: more.position ?? 0,
    isKey: more.isKey ?? false,
    definitions: { shape_person: { type: 'object', properties: { email: { type: 'string' } } } },
  })
}

const TEXT = { type: 'string' }
test.for([
  { name: 'email', pattern: /^[a-z]+\.[a-z]+1@example\.com$/ },
  { name: 'created_at', pattern: /^2026-01-10T0\d:\d\d:\d\d\.000Z$/ },
  { name: 'start_date', pattern: /^\d{4}-\d\d-\d\d$/ },
  { name: 'website', pattern: /^https:\/\/example\.com\/[a-z-]+$/ },
  { name: 'first_name', pattern: /^\p{Lu}\p{Ll}+$/u },
  { name: 'displayName', pattern: /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u },
  { name: 'customer_id', pattern: /^\d{4}$/ },
  { name: 'timeZone', pattern: /^[A-Z][a-z]+\/[A-Z]/ },
  { name: 'currency', pattern: /^[A-Z]{3}$/ },
  { name: 'phone', pattern: /^\+1555\d{7}$/ },
  { name: 'title', pattern: /^[A-Z][a-z]+ [a-z ]+/ },
])('a text called $name looks like one', ({ name, pattern }) => {
  for (const seed of [1, 2, 3]) expect(make(name, TEXT, { seed })).toMatch(pattern)
})

test.for<{ name: string; schema: JsonSchema; want: unknown }>([
  { name: 'a constant', schema: { const: 3 }, want: 3 },
  { name: 'the only choice', schema: { enum: ['a'] }, want: 'a' },
  {
    name: 'a number within its bounds',
    schema: { type: 'integer', minimum: 7, maximum: 7 },
    want: 7,
  },
  {
    name: 'a list of the least length',
    schema: { type: 'array', minItems: 2, maxItems: 2, items: { const: 1 } },
    want: [1, 1],
  },
  {
    name: 'an object through a reference',
    schema: { $ref: '#/definitions/shape_person' },
    want: { email: expect.stringContaining('@example.com') },
  },
  { name: 'an open object', schema: { type: 'object' }, want: {} },
  {
    name: 'a day',
    schema: { type: 'string', format: 'date' },
    want: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  },
  {
    name: 'a long integer behind text',
    schema: { type: 'string', format: 'int64' },
    want: { rawJSON: expect.stringMatching(/^\d{19}$/) },
  },
])('$name', ({ schema, want }) => expect(make('thing', schema)).toEqual(want))

test('keys differ from row to row and are never null', () => {
  const keys = [0, 1, 2].map((position) =>
    make('id', { type: ['string', 'null'] }, { isKey: true, position }),
  )
  expect(keys).toEqual(['1000', '1001', '1002'])
})

test('a member that may be null is, now and then', () => {
  const values = Array.from({ length: 200 }, (_, seed) =>
    make('note', { type: ['string', 'null'] }, { seed }),
  )
  const nulls = values.filter((value) => value === null).length
  expect(nulls).toBeGreaterThan(15)
  expect(nulls).toBeLessThan(80)
})
