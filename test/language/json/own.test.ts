import { expect, test } from 'vitest'

import { own } from '../../../src/language/json/own.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'

test.for([
  { name: 'a member', value: { a: 1 }, member: 'a', want: 1 },
  { name: 'a member that is null', value: { a: null }, member: 'a', want: null },
  { name: 'a missing member', value: { a: 1 }, member: 'b', want: undefined },
  { name: 'what is inherited', value: {}, member: 'constructor', want: undefined },
  { name: 'the prototype', value: {}, member: '__proto__', want: undefined },
  { name: '__proto__ as data', value: parseJson('{"__proto__":7}'), member: '__proto__', want: 7 },
  { name: 'an element', value: ['x', 'y'], member: '1', want: 'y' },
  { name: 'a place beyond the end', value: ['x'], member: '1', want: undefined },
  { name: 'a place with a leading zero', value: ['x', 'y'], member: '01', want: undefined },
  { name: 'the length of an array', value: ['x'], member: 'length', want: undefined },
  { name: 'the length of a text', value: 'abc', member: 'length', want: undefined },
  { name: 'a letter of a text', value: 'abc', member: '0', want: undefined },
  {
    name: 'the inside of an exact number',
    value: parseJson('1e400'),
    member: 'rawJSON',
    want: undefined,
  },
  { name: 'a member of null', value: null, member: 'a', want: undefined },
  { name: 'a member of undefined', value: undefined, member: 'a', want: undefined },
])('$name', ({ value, member, want }) => {
  expect(own(value, member)).toEqual(want)
})
