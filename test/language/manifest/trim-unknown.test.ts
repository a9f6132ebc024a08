// Members that nobody knows are counted beyond the first twenty.
import { expect, test } from 'vitest'

import { knownNames, trimUnknown } from '../../../src/language/manifest/trim-unknown.ts'

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: { a: { type: 'string' }, z: { type: 'string' } },
}

test.for([
  { name: 'one that knows all its members', schema: SCHEMA, names: ['a', 'z', 'alias'] },
  {
    name: 'one without members',
    schema: { type: 'object', additionalProperties: false },
    names: ['alias'],
  },
  { name: 'one that takes others', schema: { type: 'object' }, names: null },
  {
    name: 'one whose others have a form',
    schema: { ...SCHEMA, additionalProperties: { type: 'string' } },
    names: null,
  },
  {
    name: 'one whose others have names of a form',
    schema: { ...SCHEMA, patternProperties: { '^x-': {} } },
    names: null,
  },
])('the names that a schema knows: $name', ({ schema, names }) => {
  expect(knownNames(schema, ['alias'])).toEqual(names === null ? null : new Set(names))
})

function unknown(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]))
}

test.for([
  { name: 'twenty unknown ones', value: unknown(20) },
  { name: 'twenty beside known ones', value: { a: '', ...unknown(20), z: '' } },
  { name: 'none', value: {} },
])('nothing is left out of a value with $name', ({ value }) => {
  expect(trimUnknown(value, new Set(['a', 'z']))).toBeNull()
})

test('the first twenty unknown members stay, and all that are known, in their order', () => {
  const trimmed = trimUnknown({ a: '1', ...unknown(1_000), z: '2' }, new Set(['a', 'z']))
  expect(trimmed).toEqual({ value: { a: '1', ...unknown(20), z: '2' }, left: 980 })
  expect(Object.keys(trimmed?.value ?? {}).at(-1)).toBe('z')
})

test('a member of the name __proto__ stays a member', () => {
  const value = JSON.parse(`{"__proto__":{"a":1},${JSON.stringify(unknown(30)).slice(1)}`)
  const trimmed = trimUnknown(value, new Set(['a']))
  expect(Object.hasOwn(trimmed?.value ?? {}, '__proto__')).toBe(true)
  expect(trimmed?.left).toBe(11)
})
