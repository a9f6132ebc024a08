import fc from 'fast-check'
import { expect, test } from 'vitest'

import { parseTemplate } from '../../../src/language/expression/parse-text.ts'
import type { Json } from '../../../src/language/json/json.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import type { Style } from '../../../src/language/manifest/manifest.ts'
import { compileEntries } from '../../../src/engine/request/entries.ts'
import type { Refusals } from '../../../src/language/expression/refusals.ts'

function render(
  value: Json | undefined,
  style: Style = 'repeat',
  name = 'a',
): { text: string; refused: string[] } {
  const refusals: Refusals = []
  const text = compileEntries([{ name, value: parseTemplate('{{ params.v }}'), style }])(
    { params: { v: value } },
    refusals,
  )
  return { text, refused: refusals.map(({ error }) => error.message) }
}

test.for<[value: Json | undefined, text: string]>([
  [undefined, ''],
  [null, ''],
  ['', 'a='],
  ['x', 'a=x'],
  [0, 'a=0'],
  [-1.5, 'a=-1.5'],
  [true, 'a=true'],
  [false, 'a=false'],
  [parseJson('12345678901234567890'), 'a=12345678901234567890'],
  [parseJson('1.00'), 'a=1'],
  ['a+b', 'a=a%2Bb'],
  ['a b', 'a=a%20b'],
  ['a&b=c', 'a=a%26b%3Dc'],
  ['#?/;', 'a=%23%3F%2F%3B'],
  ['%20', 'a=%2520'],
  ["!'()*", 'a=%21%27%28%29%2A'],
  ['~-_.', 'a=~-_.'],
  ['a,b|c', 'a=a%2Cb%7Cc'],
  ['\r\n\0', 'a=%0D%0A%00'],
  ['ü😀', 'a=%C3%BC%F0%9F%98%80'],
  ['{{ params.secret }}', 'a=%7B%7B%20params.secret%20%7D%7D'],
])('G6 a query value %j is sent as %j under every style', ([value, text]) => {
  for (const style of [
    'repeat',
    'csv',
    'ssv',
    'pipe',
    'brackets',
    'indices',
    'json',
  ] satisfies Style[]) {
    expect(render(value, style)).toEqual({ text, refused: [] })
  }
})

test.for<[style: Style, value: Json, text: string]>([
  ['repeat', ['x', 'y z'], 'a=x&a=y%20z'],
  ['repeat', [1, true, ''], 'a=1&a=true&a='],
  ['repeat', ['a&a=b'], 'a=a%26a%3Db'],
  ['repeat', [], ''],
  ['csv', ['x', 'y'], 'a=x%2Cy'],
  ['csv', ['x'], 'a=x'],
  ['csv', [], ''],
  ['ssv', ['x', 'y'], 'a=x%20y'],
  ['ssv', [], ''],
  ['pipe', ['x', 'y'], 'a=x%7Cy'],
  ['pipe', [], ''],
  ['brackets', ['x', 'y'], 'a%5B%5D=x&a%5B%5D=y'],
  ['brackets', [], ''],
  ['brackets', [['x'], [], ['y']], 'a%5B%5D%5B%5D=x&a%5B%5D%5B%5D=y'],
  ['brackets', [{ k: 'v' }], 'a%5B%5D%5Bk%5D=v'],
  ['brackets', ['x', null], 'a%5B%5D=x'],
  ['brackets', { k: 'v', l: 2 }, 'a%5Bk%5D=v&a%5Bl%5D=2'],
  ['brackets', { k: { j: 'v' } }, 'a%5Bk%5D%5Bj%5D=v'],
  ['brackets', { k: ['x', 'y'] }, 'a%5Bk%5D%5B%5D=x&a%5Bk%5D%5B%5D=y'],
  ['brackets', { k: null, l: [], m: {} }, ''],
  ['brackets', {}, ''],
  ['brackets', { 'k&b=c': 'v' }, 'a%5Bk%26b%3Dc%5D=v'],
  ['indices', ['x', 'y'], 'a%5B0%5D=x&a%5B1%5D=y'],
  ['indices', [], ''],
  ['indices', [{ k: 'v' }, { k: 'w' }], 'a%5B0%5D%5Bk%5D=v&a%5B1%5D%5Bk%5D=w'],
  ['indices', { k: { j: ['v'] } }, 'a%5Bk%5D%5Bj%5D%5B0%5D=v'],
  ['indices', { k: null }, ''],
  ['json', [], 'a=%5B%5D'],
  ['json', {}, 'a=%7B%7D'],
  ['json', ['x', null, 1], 'a=%5B%22x%22%2Cnull%2C1%5D'],
  ['json', { k: 'v+ü' }, 'a=%7B%22k%22%3A%22v%2B%C3%BC%22%7D'],
  ['json', { n: parseJson('12345678901234567890') }, 'a=%7B%22n%22%3A12345678901234567890%7D'],
])('the style %s sends %j as %j', ([style, value, text]) => {
  expect(render(value, style)).toEqual({ text, refused: [] })
})

const NO_OBJECT = 'an object cannot be sent here: the style of this parameter is for lists'
const UNICODE = 'the text is no valid Unicode'

test.for<[style: Style, value: Json, refused: string]>([
  ['repeat', {}, NO_OBJECT],
  ['repeat', { k: 'v' }, NO_OBJECT],
  ['csv', { k: 'v' }, NO_OBJECT],
  ['ssv', { k: 'v' }, NO_OBJECT],
  ['pipe', { k: 'v' }, NO_OBJECT],
  ['repeat', [{}], 'this place holds text, not an object'],
  ['repeat', [[]], 'this place holds text, not a list'],
  ['repeat', [null], 'this place holds text, not null'],
  ['csv', [['x']], 'this place holds text, not a list'],
  ['csv', ['x', null], 'this place holds text, not null'],
  ['repeat', '\ud800', UNICODE],
  ['csv', ['\ud800'], UNICODE],
  ['brackets', { '\udc00': 'v' }, UNICODE],
  ['json', ['\ud800'], UNICODE],
  ['json', { k: '\udfff' }, UNICODE],
  ['json', { '\udbff': 1 }, UNICODE],
])('the style %s refuses %j: %s', ([style, value, refused]) => {
  expect(render(value, style)).toEqual({ text: '', refused: [refused] })
})

test('P9 a backslash before "ud800" is no half of a surrogate pair', () => {
  expect(render(['\\ud800'], 'json')).toEqual({
    text: 'a=%5B%22%5C%5Cud800%22%5D',
    refused: [],
  })
})

test('names are percent-encoded', () => {
  expect(render('v', 'repeat', 'a b&c=d')).toEqual({ text: 'a%20b%26c%3Dd=v', refused: [] })
  expect(render(['v'], 'repeat', 'ü+')).toEqual({ text: '%C3%BC%2B=v', refused: [] })
  expect(render('v', 'repeat', 'filter[x]')).toEqual({ text: 'filter%5Bx%5D=v', refused: [] })
})

test('entries keep their order, and dropped ones leave no ampersand', () => {
  const refusals: Refusals = []
  const entries = compileEntries([
    { name: 'z', value: parseTemplate('{{ params.gone }}'), style: 'repeat' },
    { name: 'b', value: parseTemplate('1'), style: 'repeat' },
    { name: 'n', value: parseTemplate('{{ params.none }}'), style: 'repeat' },
    { name: 'e', value: parseTemplate('{{ params.empty }}'), style: 'csv' },
    { name: 'a', value: parseTemplate('x-{{ params.x }}'), style: 'repeat' },
    { name: 't', value: parseTemplate('x-{{ params.gone }}'), style: 'repeat' },
    { name: 'u', value: parseTemplate('x-{{ params.none }}'), style: 'repeat' },
    { name: 'l', value: parseTemplate('{{ params.list }}'), style: 'pipe' },
  ])
  const params = { none: null, empty: [], x: '&', list: [1, 2] }
  expect(entries({ params }, refusals)).toBe('b=1&a=x-%26&l=1%7C2')
  expect(refusals).toEqual([])
})

test('G6 no query value becomes another parameter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const { text, refused } = render(value)
      expect(refused).toEqual([])
      const url = new URL(`https://api.example.net/?${text}`)
      expect(url.hash).toBe('')
      expect([...url.searchParams]).toEqual([['a', value]])
    }),
  )
})
