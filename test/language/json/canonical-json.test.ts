import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, CanonicalWriting } from '../../../src/language/json/canonical-json.ts'
import type { Json } from '../../../src/language/json/json.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'

test.for<readonly [string, string]>([
  ['{"b":1,"a":{"d":[],"c":{}}}', '{"a":{"c":{},"d":[]},"b":1}'],
  ['[3,"x",null,true,[1,{"z":0,"y":0}]]', '[3,"x",null,true,[1,{"y":0,"z":0}]]'],
  ['{"é":1,"e":2,"E":3,"10":4,"9":5}', '{"10":4,"9":5,"E":3,"e":2,"é":1}'],
  ['9007199254740993', '9007199254740993'],
  ['"\\u0000\\ud800"', '"\\u0000\\ud800"'],
])('%s is written as %s', ([text, want]) => {
  expect(canonicalJson(parseJson(text))).toBe(want)
})

test('in slices it is the same text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const writing = new CanonicalWriting(value as Json)
      while (!writing.writeOn(() => true)) continue
      expect(writing.text).toBe(canonicalJson(value as Json))
    }),
  )
  const list = Array.from({ length: 1000 }, (_, at) => at)
  const writing = new CanonicalWriting(list)
  let slices = 1
  while (!writing.writeOn(() => true)) slices++
  expect([slices, writing.text]).toEqual([Math.ceil(1001 / 64), JSON.stringify(list)])
})
