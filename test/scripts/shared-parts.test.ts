// Parts of a manifest that are written once come back where they were.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packed } from '../../scripts/shared-parts.ts'
import { unpacked } from '../../src/client/prebuilt.ts'
import type { Json } from '../../src/language/json/json.ts'

const rule = {
  when: { status: [400, 499], matches: '^(not_found|file_deleted|message_not_found)$' },
  as: 'not_found',
}

test('what occurs twice is written once, and is one object afterwards', () => {
  const rules = [rule, { ...rule, as: 'conflict' }]
  const value = { a: { errors: rules }, b: { name: 'b', errors: structuredClone(rules) } }
  const written = packed(value)
  expect(written).toEqual({
    value: [1, [2, [-2]], [5, 'b', [-2]]],
    parts: [
      [4, [0, 400, 499], '^(not_found|file_deleted|message_not_found)$'],
      [0, [3, [-1], 'not_found'], [3, [-1], 'conflict']],
    ],
    forms: [['a', 'b'], ['errors'], ['when', 'as'], ['status', 'matches'], ['name', 'errors']],
  })
  const read = unpacked(structuredClone(written)) as typeof value
  expect(read).toEqual(value)
  expect(read.b.errors).toBe(read.a.errors)
})

test('any value comes back', () => {
  const parts = fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 3 })
  const values = parts.chain((some) =>
    fc.dictionary(fc.string(), fc.array(fc.constantFrom(...some))),
  )
  fc.assert(
    fc.property(values, (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as object
      const written = JSON.parse(JSON.stringify(packed(plain))) as ReturnType<typeof packed>
      expect(unpacked(written)).toEqual(plain as Json)
    }),
  )
})

test('a member of any name comes back', () => {
  const value = JSON.parse('{"__proto__":[1],"constructor":{"":null}}') as object
  expect(unpacked(packed(value))).toEqual(value)
})
