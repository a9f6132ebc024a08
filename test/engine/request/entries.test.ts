import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTemplate } from '../../../src/language/expression/parse-text.ts'
import type { Json } from '../../../src/language/json/json.ts'
import { nativeJson } from '../../../src/language/json/native-json.ts'
import type { Style } from '../../../src/language/manifest/manifest.ts'
import { compileEntries } from '../../../src/engine/request/entries.ts'
import { type Refusals, throwRefusals } from '../../../src/language/expression/refusals.ts'

function query(value: Json | undefined, style: Style = 'repeat', name = 'a'): string {
  const render = compileEntries([{ name, value: parseTemplate('{{ params.v }}'), style }])
  const refusals: Refusals = []
  const text = render({ params: value === undefined ? {} : { v: value } }, refusals)
  throwRefusals(refusals)
  return text
}

test.for<{ name: string; value: Json | undefined; style?: Style; want: string }>([
  { name: 'absent is dropped', value: undefined, want: '' },
  { name: 'null is dropped', value: null, want: '' },
  { name: 'an empty text is sent', value: '', want: 'a=' },
  { name: 'false and zero are sent', value: [false, 0], want: 'a=false&a=0' },
  { name: 'a plus is %2B, a blank %20', value: '+name x', want: 'a=%2Bname%20x' },
  {
    name: 'everything but unreserved is encoded',
    value: "a&b=c;d,e/f?g#h'()*!",
    want: 'a=a%26b%3Dc%3Bd%2Ce%2Ff%3Fg%23h%27%28%29%2A%21',
  },
  {
    name: 'digits beyond 2^53 are kept',
    value: nativeJson.rawJSON('6843152929075440037'),
    want: 'a=6843152929075440037',
  },
  { name: 'repeat', value: ['x', 'y'], want: 'a=x&a=y' },
  { name: 'csv', value: ['x', 'y z'], style: 'csv', want: 'a=x%2Cy%20z' },
  { name: 'ssv', value: ['x', 'y'], style: 'ssv', want: 'a=x%20y' },
  { name: 'pipe', value: ['x', 'y'], style: 'pipe', want: 'a=x%7Cy' },
  { name: 'brackets, list', value: ['x', 'y'], style: 'brackets', want: 'a%5B%5D=x&a%5B%5D=y' },
  {
    name: 'brackets, object',
    value: { k: 'v', n: { m: [1, 2] } },
    style: 'brackets',
    want: 'a%5Bk%5D=v&a%5Bn%5D%5Bm%5D%5B%5D=1&a%5Bn%5D%5Bm%5D%5B%5D=2',
  },
  { name: 'indices, list', value: ['x', 'y'], style: 'indices', want: 'a%5B0%5D=x&a%5B1%5D=y' },
  {
    name: 'indices, members nest',
    value: { k: { j: 'v' } },
    style: 'indices',
    want: 'a%5Bk%5D%5Bj%5D=v',
  },
  {
    name: 'json',
    value: { since: '2026-01-01' },
    style: 'json',
    want: 'a=%7B%22since%22%3A%222026-01-01%22%7D',
  },
  { name: 'json leaves a text a text', value: 'ACTIVE', style: 'json', want: 'a=ACTIVE' },
  { name: 'an empty list is sent by json only', value: [], style: 'json', want: 'a=%5B%5D' },
  { name: 'an empty list of another style is dropped', value: [], style: 'csv', want: '' },
  {
    name: 'null inside an object is dropped',
    value: { k: null, l: 1 },
    style: 'brackets',
    want: 'a%5Bl%5D=1',
  },
])('$name', ({ value, style, want }) => expect(query(value, style)).toBe(want))

test('names are encoded too', () => expect(query('1', 'repeat', 'a b&c')).toBe('a%20b%26c=1'))

test.for<{ style: Style; value: Json }>([
  { style: 'repeat', value: { k: 'v' } },
  { style: 'csv', value: { k: 'v' } },
  { style: 'repeat', value: [['x']] },
  { style: 'csv', value: ['x', null] },
  { style: 'repeat', value: 'a\ud83d' },
])('G6 what a style cannot say is refused: $style $value', ({ style, value }) => {
  expect(() => query(value, style)).toThrow(
    expect.objectContaining({
      code: 'params_invalid',
      errors: [expect.objectContaining({ pointer: '/params/v' })],
    }),
  )
})

test('G6 whatever the value, a parser reads exactly one parameter with that value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      expect([...new URLSearchParams(query(value))]).toEqual([['a', value.toWellFormed()]])
    }),
  )
})
