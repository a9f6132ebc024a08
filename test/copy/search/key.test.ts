import fc from 'fast-check'
import { expect, test } from 'vitest'

import { canonical } from '../../../src/copy/search/key.ts'
import { compareKeys, numberKey, scalarKey, textKey } from '../../../src/copy/search/key.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'

test.for([
  ['2026-01-31T18:00Z', '2026-01-31T18:00:00.000000000Z'],
  ['2026-01-31T18:00:00+01:00', '2026-01-31T17:00:00.000000000Z'],
  ['2026-01-31T18:00:00.123-0830', '2026-02-01T02:30:00.123000000Z'],
  ['2026-02-31T18:00:00Z', '2026-02-31T18:00:00Z'],
  ['2026-01-31T24:00:00Z', '2026-01-31T24:00:00Z'],
  ['2026-01-31T18:00:00.1234567891Z', '2026-01-31T18:00:00.1234567891Z'],
  ['0000-01-01T00:30:00+01:00', '0000-01-01T00:30:00+01:00'],
  ['2026-01-31', '2026-01-31'],
  ['e\u0301', 'é'],
  ['a\u0000\udc00', 'a\ufffd\ufffd'],
  ['x'.repeat(256), 'x'.repeat(256)],
] as const)('the key of %s is %s', ([text, key]) => expect(textKey(text)).toBe(key))

test('a long text is ordered by its beginning and equal only to itself', () => {
  const [a, b] = [textKey(`${'x'.repeat(256)}a`), textKey(`${'x'.repeat(256)}b`)]
  expect(a).not.toBe(b)
  expect(a.startsWith(`${'x'.repeat(256)}\u{10ffff}`)).toBe(true)
  expect(compareKeys(textKey('x'.repeat(256)), a)).toBeLessThan(0)
})

test.for([
  ['0', '1'],
  ['-0.0', '1'],
  ['1', '2500011'],
  ['1.0', '2500011'],
  ['1500', '25000415'],
  ['0.05', '2499995'],
  ['-1', '0499988~'],
  ['1234567890123456789', '2500191234567890123456789'],
  ['1e60000', null],
  ['NaN', null],
] as const)('the key of the number %s is %s', ([source, key]) =>
  expect(numberKey(source)).toBe(key),
)

test('keys of numbers order as the numbers do', () => {
  const number = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
  )
  fc.assert(
    fc.property(number, number, (a, b) => {
      const [left, right] = [numberKey(String(a)) ?? '', numberKey(String(b)) ?? '']
      expect(Math.sign(compareKeys(left, right))).toBe(Math.sign(a - b) + 0)
    }),
  )
})

test('keys order as their bytes do', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6 }).map(textKey)
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareKeys(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
})

test('objects, arrays and null have no key', () => {
  expect([scalarKey(null), scalarKey({}), scalarKey([1])]).toEqual([null, null, null])
  expect(scalarKey(parseJson('12345678901234567890'))).toEqual({
    kind: 'number',
    key: '2500201234567890123456789',
  })
})

test.for([
  { left: '{"b":1.0,"a":[1e2,"x"]}', right: '{ "a": [100, "x"], "b": 1 }', same: true },
  { left: '{"a":1}', right: '{"a":"1"}', same: false },
  { left: '[1,2]', right: '[2,1]', same: false },
  { left: '{"a":null}', right: '{}', same: false },
  { left: '12345678901234567890', right: '12345678901234567891', same: false },
])('$left and $right have one canonical text: $same', ({ left, right, same }) =>
  expect(canonical(parseJson(left)) === canonical(parseJson(right))).toBe(same),
)
