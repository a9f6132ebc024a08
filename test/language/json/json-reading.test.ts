import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../src/language/json/json.ts'
import { JsonReading, MAX_MEMBERS } from '../../../src/language/json/json-reading.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'

function read(text: string, maxDepth = 32): Json {
  const reading = new JsonReading(text, maxDepth)
  while (!reading.readOn(() => true)) continue
  return reading.value
}

test('it reads what parseJson reads, digits included', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom('', ' ', '\r\n\t'), (text, blanks) => {
      // A body that is read refuses this member, which parseJson takes.
      fc.pre(!text.includes('__proto__'))
      const spaced = blanks + text + blanks
      expect(JSON.stringify(read(spaced))).toBe(JSON.stringify(parseJson(spaced)))
    }),
  )
})

test.for([
  '9007199254740993',
  '-9007199254740993',
  '999999999999999',
  '9007199254740991',
  '0.1000000000000000055',
  '0.30000000000000004',
  '1e400',
  '1E-400',
  '-0',
  '-0.5e+3',
  '"\\u0061\\ud800"',
  '"a text of more than thirteen characters"',
  '"ünï \\"quoted\\" \\\\"',
  '\ufeff{"a":[true,false,null]}',
  '{"a":{},"b":[],"":0}',
  '{"2":1,"1":2,"constructor":{},"prototype":1,"hasOwnProperty":1}',
])('%s is read as parseJson reads it', (text) => {
  expect(JSON.stringify(read(text))).toBe(JSON.stringify(parseJson(text)))
})

test.for<readonly [string, number | null]>([
  ['', null],
  ['{', null],
  ['[1', null],
  ['"abc', null],
  ['[1,]', 3],
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ['{a:1}', 1],
  ['[1}', 2],
  ['1 2', 2],
  ['01', 0],
  ['-', 0],
  ['1.', 0],
  ['[1e]', 1],
  ['+1', 0],
  ['tru', 0],
  ['"\u0001"', 0],
  ['"\\x"', 0],
  ['["a long text before a wrong \\x escape"]', 1],
  ['{"__proto_":1,"a":.5}', 18],
])('%j is no JSON', ([text, offset]) => {
  expect(() => parseJson(text)).toThrow()
  expect(() => read(text)).toThrow(expect.objectContaining({ name: 'JsonError', offset }))
})

describe('what is refused of JSON', () => {
  const many = (count: number): string =>
    `{"a":[{${Array.from({ length: count }, (_, at) => `"m${at}":0`).join(',')}}]}`
  test.for<{ name: string; text: string; want: object }>([
    {
      name: 'a member twice',
      text: '{"a":1,"b":2,"a":1}',
      want: { kind: 'duplicate', pointer: '/a', member: 'a' },
    },
    {
      name: 'a member twice far within, once with an escape',
      text: '{"list":[0,{"x/y":[[],{"n":1,"\\u006e":2}]}]}',
      want: { kind: 'duplicate', pointer: '/list/1/x~1y/1/n', member: 'n' },
    },
    {
      name: 'a name of a prototype',
      text: '{"a":{"__proto__":1}}',
      want: { kind: 'prototype', pointer: '/a/__proto__', member: '__proto__' },
    },
    {
      name: 'a constructor with a prototype',
      text: '{"a":{"constructor":{"x":1,"prototype":{}}}}',
      want: { kind: 'prototype', pointer: '/a/constructor', member: 'constructor' },
    },
    {
      name: 'one member too many',
      text: many(MAX_MEMBERS + 1),
      want: { kind: 'many', pointer: '/a/0', member: `m${MAX_MEMBERS}` },
    },
  ])('$name', ({ text, want }) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ name: 'JsonRefused', ...want }))
  })

  test('as many members as are allowed are read, and equal names in different objects', () => {
    expect(JSON.stringify(read(many(MAX_MEMBERS)))).toBe(many(MAX_MEMBERS))
    expect(read('[{"a":1},{"a":1},{"b":{"a":1},"a":1}]')).toHaveLength(3)
  })

  test('nesting beyond the depth', () => {
    expect(read('[[[0]]]', 3)).toEqual([[[0]]])
    expect(() => read('[[[[]]]]', 3)).toThrow(
      expect.objectContaining({ name: 'JsonError', offset: 3 }),
    )
    expect(() => read('['.repeat(300_000))).toThrow(expect.objectContaining({ offset: 32 }))
  })
})

test('a slice ends at the first look that says so, 64 values on, wherever the text stands', () => {
  const text = `{"a":[${Array.from({ length: 640 }, (_, at) => `{"n":[${at}]}`).join(',')}]}`
  const reading = new JsonReading(text, 32)
  let slices = 1
  while (!reading.readOn(() => true)) slices++
  // The object, its list, and three values of each element.
  expect(slices).toBe(Math.ceil((2 + 3 * 640) / 64))
  expect(JSON.stringify(reading.value)).toBe(text)
})
