import { expect, test } from 'vitest'

import {
  exactToNumber,
  exactToText,
  isExactNumber,
} from '../../../src/language/json/exact-number.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'

test('an object that has a member rawJSON is no exact number', () => {
  expect(isExactNumber(parseJson('{"rawJSON":"9007199254740993"}'))).toBe(false)
  expect(isExactNumber(parseJson('9007199254740993'))).toBe(true)
  expect(isExactNumber(null)).toBe(false)
  expect(isExactNumber(9007199254740993n)).toBe(false)
})

test('P9 exact numbers leave as text, at any depth', () => {
  const value = parseJson('{"a":[{"id":7782342274025937895},1],"b":1e400,"c":{"d":null}}')
  expect(exactToText(value)).toEqual({
    a: [{ id: '7782342274025937895' }, 1],
    b: '1e400',
    c: { d: null },
  })
})

test('exact numbers become doubles for validation', () => {
  const value = parseJson('{"a":[7782342274025937895],"b":1e400}')
  expect(exactToNumber(value)).toEqual({ a: [7782342274025938000], b: Infinity })
})

test('what holds no exact number is not copied', () => {
  const value = parseJson('{"a":[{"id":7782342274025937895}],"b":{"c":[1,2]}}') as {
    a: unknown
    b: unknown
  }
  const text = exactToText(value as never) as typeof value
  expect(text).not.toBe(value)
  expect(text.b).toBe(value.b)
  const plain = { list: [1, { a: null }] }
  expect(exactToText(plain)).toBe(plain)
  expect(exactToNumber('x')).toBe('x')
})

test('a member called __proto__ stays data in a copy', () => {
  const text = exactToText(parseJson('{"__proto__":{"id":7782342274025937895}}'))
  expect(JSON.stringify(text)).toBe('{"__proto__":{"id":"7782342274025937895"}}')
  expect(Object.getPrototypeOf(text)).toBe(Object.prototype)
})
