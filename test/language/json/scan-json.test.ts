// Places in JSON text, found without reading it. JSON.parse says what is JSON and what is meant.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createJsonBlocks } from '../../../src/language/json/json-blocks.ts'
import { type JsonPlaces, scanJson } from '../../../src/language/json/scan-json.ts'
import { sized } from '../../fixtures/sizes.ts'

const blocks = createJsonBlocks()

/** The places, which are the same with and without blocks. */
function scan(text: string, path: readonly string[] = []): JsonPlaces | null {
  const names = path.map((name) => Buffer.from(name))
  const [places, same] = [null, blocks].map((each) => scanJson(Buffer.from(text), names, 64, each))
  expect(same).toEqual(places)
  return places ?? null
}

/** The texts at the places of a scan. */
function found(text: string, path: readonly string[]): readonly string[] | null {
  const bytes = Buffer.from(text)
  const places = scan(text, path)
  if (places === null) return null
  return places.starts.map((start, level) => bytes.toString('utf8', start, places.ends[level]))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('a value is found by the names that lead to it', () => {
  test.for([
    { text: '[1]', path: [], want: ['[1]'] },
    { text: ' {"a": [ ] } ', path: ['a'], want: ['{"a": [ ] }', '[ ]'] },
    {
      text: '{"x":{"a":1},"a":{"y":[{"b":0}],"b":"“é”"},"z":null}',
      path: ['a', 'b'],
      want: [
        '{"x":{"a":1},"a":{"y":[{"b":0}],"b":"“é”"},"z":null}',
        '{"y":[{"b":0}],"b":"“é”"}',
        '"“é”"',
      ],
    },
    { text: '{"__proto__":[2]}', path: ['__proto__'], want: ['{"__proto__":[2]}', '[2]'] },
    { text: '{"é":[2]}', path: ['é'], want: ['{"é":[2]}', '[2]'] },
  ])('$text at $path', ({ text, path, want }) => expect(found(text, path)).toEqual(want))
})

describe('what leaves a doubt is left to the ordinary reader', () => {
  test.for([
    { name: 'nothing under the name', text: '{"b":[]}', path: ['a'] },
    { name: 'the name twice', text: '{"a":[1],"a":[2]}', path: ['a'] },
    { name: 'the name with an escape', text: String.raw`{"\u0061":[1]}`, path: ['a'] },
    { name: 'a list on the way', text: '[{"a":1}]', path: ['a'] },
    { name: 'nothing at all', text: '', path: [] },
    { name: 'two values', text: '[] []', path: [] },
    { name: 'a byte order mark', text: '\ufeff[]', path: [] },
  ])('$name', ({ text, path }) => expect(scan(text, path)).toBe(null))
})

test('elements are counted in a list at the end of the path only', () => {
  const texts = ['[]', '[ ]', '[[1,2],{"a":[3,4]}]', '{"a":[1]}', '"[1,2]"']
  expect(texts.map((text) => scan(text)?.elements)).toEqual([0, 0, 2, null, null])
})

test('integers that a double may not hold are noticed', () => {
  const long = ['1234567890123456', '-1234567890123456']
  const others = [
    '0',
    '-1.5',
    '123456789012345',
    '1e99',
    '1234567890123456.5',
    '0.1234567890123456',
  ]
  const isLong = (number: string): boolean | undefined => scan(`[${number}]`)?.hasLongIntegers
  expect([long.map(isLong), others.map(isLong)]).toEqual([
    [true, true],
    [false, false, false, false, false, false],
  ])
})

test('65 lists and objects within one another are too many', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
  const under = (depth: number): string => `{"a":${nested(depth - 1)}}`
  for (const text of [nested, objects]) {
    expect([scan(text(64)) === null, scan(text(65)) === null]).toEqual([false, true])
  }
  expect([scan(under(64), ['a']) === null, scan(under(65), ['a']) === null]).toEqual([false, true])
})

const BROKEN = [
  '[1,]',
  '[,1]',
  '[1 2]',
  '{"a":1,}',
  '{"a"}',
  '{"a":}',
  '{a:1}',
  "{'a':1}",
  '{"a":1]',
  '[1}',
  '[',
  '{"a":[',
  '"a',
  '"a\n"',
  '"\t"',
  '"\u0000"',
  '"\\x41"',
  '"\\u12g4"',
  '"\\u123"',
  '"\\',
  '01',
  '-',
  '+1',
  '.5',
  '1.',
  '1.e1',
  '1e',
  '1e+',
  '0x10',
  'NaN',
  'Infinity',
  'tru',
  'truex',
  'True',
  'nul',
  '/**/1',
  '[1]\u00a0',
  '\v1',
  '"a" "b"',
]

test.for(BROKEN)('%j is no JSON', (text) => {
  expect([isJson(text), scan(text), scan(`[${text}]`), scan(`{"a":${text}}`)]).toEqual([
    false,
    null,
    null,
    null,
  ])
})

test('what ends a text is found wherever it stands in it', () => {
  for (let length = 0; length <= 200; length++) {
    const text = 'é'.repeat(length % 7) + 'x'.repeat(length)
    for (const good of ['', '\\n', '\\"', '\\\\', '\\u00e9', '\\\\\\"']) {
      const list = `["${text}${good}${text}","",1]`
      expect([list, found(`{"a":${list}}`, ['a'])?.[1]]).toEqual([list, list])
    }
    for (const bad of ['\n', '\\x', '"', '\\u00g9', '\u0000', '\\\\"']) {
      expect([bad, scan(`["${text}${bad}${text}"]`)]).toEqual([bad, null])
    }
    expect(scan(`["${text}`)).toBe(null)
    expect(scan(`["${text}\\`)).toBe(null)
  }
})

/** JSON text with blanks anywhere they may stand. */
const anyText = fc
  .tuple(
    fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }),
    fc.constantFrom<string | undefined>(undefined, '\t', ' ', '\r\n '),
  )
  .map(([value, indent]) => JSON.stringify(value, null, indent))

test('whatever JSON.parse takes is found whole', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(found(text, [])).toEqual([text])
    }),
    { numRuns: 500 },
  )
})

test('what passes is JSON, whatever was done to the text', () => {
  const character = fc.constantFrom(
    ...Array.from('{}[]",:\\/ \n0123456789-+.eEtrufalsn\u0000\u007fé'),
  )
  fc.assert(
    fc.property(anyText, fc.nat(), fc.nat(4), character, (text, at, removed, added) => {
      const place = at % (text.length + 1)
      const changed = text.slice(0, place) + added + text.slice(place + removed)
      expect([changed, scan(changed) !== null]).toEqual([changed, isJson(changed)])
    }),
    { numRuns: sized(1_000, 10_000) },
  )
})
