import { expect, test } from 'vitest'
import { nativeJson } from '../../../src/language/json/native-json.ts'
import { toPlainJson } from '../../../src/engine/run/params-to-json.ts'

test.for<{ name: string; given: object; want: object }>([
  { name: 'undefined members are absent', given: { a: undefined, b: null }, want: { b: null } },
  {
    name: 'undefined elements are null, as in JSON',
    given: { a: [1, undefined] },
    want: { a: [1, null] },
  },
  { name: 'a small bigint is a number', given: { a: 7n }, want: { a: 7 } },
  {
    name: 'objects without prototype are objects',
    given: Object.assign(Object.create(null) as object, { a: 1 }),
    want: { a: 1 },
  },
])('$name', ({ given, want }) => expect(toPlainJson(given, '/params')).toEqual(want))

test('P9 a bigint keeps its digits', () => {
  expect(JSON.stringify(toPlainJson({ id: 6843152929075440037n }, '/params'))).toBe(
    '{"id":6843152929075440037}',
  )
})

test('P9 an exact number passes through', () => {
  const given = { id: nativeJson.rawJSON('6843152929075440037') }
  expect(JSON.stringify(toPlainJson(given, '/params'))).toBe('{"id":6843152929075440037}')
})

test('P3 __proto__ is data', () => {
  const copy = toPlainJson(JSON.parse('{"__proto__":{"polluted":true}}') as object, '/params')
  expect(Object.keys(copy)).toEqual(['__proto__'])
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

class Money {
  readonly amount = 1
}
const cycle: { self?: object } = {}
cycle.self = cycle

test.for<{ name: string; given: unknown; pointers: string[] }>([
  { name: 'a function', given: { a: () => 1 }, pointers: ['/params/a'] },
  { name: 'a symbol', given: { a: Symbol('s') }, pointers: ['/params/a'] },
  {
    name: 'NaN and infinity',
    given: { a: Number.NaN, b: { c: Number.POSITIVE_INFINITY } },
    pointers: ['/params/a', '/params/b/c'],
  },
  { name: 'a date', given: { from: new Date(0) }, pointers: ['/params/from'] },
  { name: 'an instance of a class', given: { price: new Money() }, pointers: ['/params/price'] },
  { name: 'a cycle', given: cycle, pointers: [`/params${'/self'.repeat(32)}`] },
  { name: 'a list instead of an object', given: [], pointers: ['/params'] },
  {
    name: 'a name with a slash in it',
    given: { 'a/b~': Number.NaN },
    pointers: ['/params/a~1b~0'],
  },
])('$name is refused at its place', ({ given, pointers }) => {
  expect(() => toPlainJson(given, '/params')).toThrow(
    expect.objectContaining({
      code: 'params_invalid',
      errors: pointers.map((pointer) => expect.objectContaining({ pointer }) as object),
    }),
  )
})
