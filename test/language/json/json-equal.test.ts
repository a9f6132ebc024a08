import { expect, test } from 'vitest'

import { jsonEqual } from '../../../src/language/json/json-equal.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'

test.for([
  ['1', '1.0'],
  ['100', '1e2'],
  ['9007199254740993', '9007199254740993.0'],
  ['10000000000000000', '1e16'],
  ['0', '-0'],
  ['"a"', '"a"'],
  ['null', 'null'],
  ['[1,[2,{"a":3}]]', '[1.0,[2,{"a":3}]]'],
  ['{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['{"__proto__":1}', '{"__proto__":1}'],
])('%s equals %s', ([left, right]) => {
  expect(jsonEqual(parseJson(left ?? ''), parseJson(right ?? ''))).toBe(true)
  expect(jsonEqual(parseJson(right ?? ''), parseJson(left ?? ''))).toBe(true)
})

test.for([
  ['1', '"1"'],
  ['9007199254740993', '9007199254740992'],
  ['9007199254740993', '"9007199254740993"'],
  ['1e400', '1e401'],
  ['1', '-1'],
  ['null', 'false'],
  ['null', '{}'],
  ['[]', '{}'],
  ['{}', '[]'],
  ['[1,2]', '[2,1]'],
  ['[1]', '[1,1]'],
  ['{"a":1}', '{"a":1,"b":2}'],
  ['{"a":1}', '{"b":1}'],
  ['{"a":null}', '{"b":null}'],
  ['{}', '9007199254740993'],
  ['[]', '9007199254740993'],
  ['{"constructor":1}', '{"x":1}'],
])('%s differs from %s', ([left, right]) => {
  expect(jsonEqual(parseJson(left ?? ''), parseJson(right ?? ''))).toBe(false)
  expect(jsonEqual(parseJson(right ?? ''), parseJson(left ?? ''))).toBe(false)
})
