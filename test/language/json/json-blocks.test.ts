import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'

import { exactToText } from '../../../src/language/json/exact-number.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import { createJsonBlocks } from '../../../src/language/json/json-blocks.ts'
import { sized } from '../../fixtures/sizes.ts'

const blocks = createJsonBlocks()

function textOf(source: string | Uint8Array, maxDepth = 64): string | null {
  if (blocks === null) throw new Error('there is no WebAssembly here')
  return blocks.plainText([Buffer.from(source as string)], maxDepth)
}

/** Behind this much filling a few wide characters are worth escaping. */
const FILLING = 'a'.repeat(90)

test.for([
  { name: 'there is no WebAssembly', assembly: undefined },
  {
    name: 'the processor has no vectors',
    assembly: {
      Module: function refuse() {
        throw new Error('Wasm SIMD unsupported')
      },
    },
  },
])('there are no blocks where $name', ({ assembly }) => {
  vi.stubGlobal('WebAssembly', assembly)
  try {
    expect(createJsonBlocks()).toBe(null)
  } finally {
    vi.unstubAllGlobals()
  }
})

describe('what needs no care is a text for JSON.parse', () => {
  test.for([
    { name: 'a scalar', source: '1', want: '1' },
    { name: 'ASCII', source: '{"a":[1,"b"]}', want: '{"a":[1,"b"]}' },
    { name: 'characters of Latin-1', source: '["Größe"]', want: '["Größe"]' },
    {
      name: 'characters that Latin-1 lacks are escaped, the others not',
      source: '["the “oil” of the hinge of Łódź in the north, and of all other places, too, é"]',
      want: '["the \\u201coil\\u201d of the hinge of \\u0141ód\\u017a in the north, and of all other places, too, é"]',
    },
    { name: 'many such characters stay', source: '["漢字かな"]', want: '["漢字かな"]' },
    {
      name: 'the ends of the ranges of two and three bytes',
      source: `["${FILLING}\u0080\u00ff\u0100\u07ff\u0800"]`,
      want: `["${FILLING}\u0080\u00ff\\u0100\\u07ff\\u0800"]`,
    },
    {
      name: 'what stands around the surrogates',
      source: `["${FILLING}\ud7ff\ue000\uffff"]`,
      want: `["${FILLING}\\ud7ff\\ue000\\uffff"]`,
    },
    {
      name: 'the ends of the range of four bytes are two escapes each',
      source: `["${FILLING}\u{10000}\u{10ffff}"]`,
      want: `["${FILLING}\\ud800\\udc00\\udbff\\udfff"]`,
    },
    {
      name: 'in names as well',
      source: `{"${FILLING}“":1}`,
      want: `{"${FILLING}\\u201c":1}`,
    },
    { name: '15 digits', source: '[123456789012345]', want: '[123456789012345]' },
    { name: '14 digits and a point', source: '[-1234567.8901234]', want: '[-1234567.8901234]' },
    {
      name: 'digits in a text',
      source: '["7782342274025937895"]',
      want: '["7782342274025937895"]',
    },
    { name: 'an exponent in a text', source: '["1e400"]', want: '["1e400"]' },
    { name: 'words with an e', source: '[1,true,false]', want: '[1,true,false]' },
    { name: 'what is no JSON', source: '[1 2}', want: '[1 2}' },
  ])('$name', ({ source, want }) => {
    expect(textOf(source)).toBe(want)
  })
})

describe('nothing is said about', () => {
  test.for([
    { name: 'an integer of 16 digits', source: '[9007199254740993]' },
    { name: 'a scalar of 16 digits', source: '9007199254740993' },
    { name: '15 digits and a point', source: '[0.12345678901234]' },
    { name: 'an exponent', source: '[1e5]' },
    { name: 'a large E', source: '[1E5]' },
    { name: 'a long integer behind an escaped quotation mark', source: '["\\"",9007199254740993]' },
    { name: 'one behind two backslashes', source: '["\\\\",9007199254740993]' },
    { name: 'one behind three', source: '["\\\\\\"",9007199254740993]' },
    { name: 'a wide character behind a backslash', source: `["${FILLING}\\“"]` },
    { name: 'more than 1 MiB', source: `["${'a'.repeat(1 << 20)}"]` },
    { name: 'a byte that is no UTF-8', source: Buffer.from('["\xff"]', 'latin1') },
    { name: 'a surrogate in UTF-8', source: Buffer.from('["\xed\xa0\x80"]', 'latin1') },
  ])('$name', ({ source }) => {
    expect(textOf(source)).toBe(null)
  })
})

test('1 MiB fits, of whatever characters', () => {
  const length = 1 << 20
  for (const source of [
    `["${'a'.repeat(length - 4)}"]`,
    `["${'a'.repeat(14)}“${'aaaaaaaaaaaaaaaaaaaaaaaaaaaa😀'.repeat(32_766)}"]`,
    '[1,'.repeat(64) + ' '.repeat(length - 64 * 4) + ']'.repeat(64),
  ]) {
    expect(Buffer.byteLength(source)).toBeLessThanOrEqual(length)
    expect(JSON.stringify(read(textOf(source, 64) ?? ''))).toBe(JSON.stringify(read(source)))
  }
})

describe('wherever it stands in its block of 64 bytes', () => {
  const offsets = Array.from({ length: 131 }, (_, offset) => offset)

  test.for([
    { name: 'a long integer', piece: '9007199254740993' },
    { name: 'a long negative one', piece: '-9007199254740993' },
    { name: 'a long fraction', piece: '0.1000000000000000055' },
    { name: 'a very long one', piece: `0.${'1'.repeat(140)}` },
    { name: 'a small exponent', piece: '1e-400' },
    { name: 'a large exponent', piece: '1E400' },
    {
      name: 'a long integer behind a quotation mark in a text',
      piece: '"\\\\\\"",9007199254740993',
    },
    { name: 'a long integer behind backslashes', piece: `"${'\\'.repeat(70)}",9007199254740993` },
  ])('P9 $name is seen', ({ piece }) => {
    for (const offset of offsets) {
      expect(textOf(`["${'x'.repeat(offset)}",${piece}]`), `in a text, ${offset}`).toBe(null)
      expect(textOf(`[${' '.repeat(offset)}${piece}]`), `behind blanks, ${offset}`).toBe(null)
    }
  })

  test.for([
    { name: '15 digits', piece: '123456789012345' },
    { name: 'two numbers of 15', piece: '123456789012345,543210987654321' },
    {
      name: 'two numbers of 15, two blocks apart',
      piece: `123456789012345,${' '.repeat(127)}543210987654321`,
    },
    { name: 'a long integer in a text', piece: '"9007199254740993"' },
    { name: 'one behind a quotation mark in it', piece: '"\\",9007199254740993"' },
    { name: 'one behind backslashes', piece: `"${'\\'.repeat(70)}\\",9007199254740993"` },
    { name: 'brackets in a text', piece: `"${'[{'.repeat(70)}"` },
    { name: 'wide characters', piece: '"é“漢😀é"' },
  ])('$name: the value is that of JSON.parse', ({ piece }) => {
    for (const offset of offsets) {
      for (const source of [
        `["${'x'.repeat(offset)}",${piece},"${FILLING}"]`,
        `[${' '.repeat(offset)}${piece},"${FILLING}"]`,
      ]) {
        expect(read(textOf(source) ?? ''), `${offset}`).toEqual(JSON.parse(source))
      }
    }
  })

  test('U6 nesting up to the limit is read, and beyond it not', () => {
    for (const offset of offsets) {
      for (const [open, close] of [
        ['[', ']'],
        ['{"[":', '}'],
        ['[{}, {"}":', '}]'],
      ] as const) {
        const levels = open.startsWith('[{') ? 4 : 8
        const start = `["${'x'.repeat(offset)}",`
        const source = `${start}${open.repeat(levels)}1${close.repeat(levels)}]`
        // A block counts as if it opened all its brackets first: those of the empty objects, too.
        const counted = open.startsWith('[{') ? 13 : 9
        expect(textOf(source, counted), `${offset}`).toBe(source)
        expect(textOf(source, 8), `${offset}`).toBe(null)
      }
    }
  })
})

test('pieces are read as the whole, wherever they were cut', () => {
  const source = `{"${FILLING}":["é“漢😀\\"",123456789012345,{}],"b":[[1.5]]}`
  const bytes = Buffer.from(source)
  const whole = textOf(bytes)
  expect(JSON.parse(whole ?? '')).toEqual(JSON.parse(source))
  for (let at = 0; at <= bytes.length; at++) {
    const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)]
    expect(blocks?.plainText([head, tail], 64)).toBe(whole)
    expect(blocks?.plainText([head, tail.subarray(0, 9), tail.subarray(9)], 64)).toBe(whole)
  }
  const half = Buffer.alloc(1 << 19, ' ')
  expect(blocks?.plainText([Buffer.from('1'), half, half], 64)).toBe(null)
})

test('marks stand where a text could end, and behind the end', () => {
  const bytes = Buffer.from(`${'“x”'.repeat(20)}"\\\u0000\u001f\u0020 ${'x'.repeat(31)}\t`)
  const marks = blocks?.marks(bytes) ?? []
  const marked = (at: number): boolean => (((marks[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1
  const places = Array.from({ length: bytes.length + 1 }, (_, at) => at).filter(marked)
  expect(bytes.length).toBe(178)
  expect(places).toEqual([140, 141, 142, 143, 177, 178])
})

test('a longer text than 1 MiB has no marks', () => {
  const length = 1 << 20
  const marks = blocks?.marks(Buffer.alloc(length, 'x'))
  expect(marks?.findIndex((bits) => bits !== 0)).toBe(length / 32)
  expect(blocks?.marks(Buffer.alloc(length + 1, 'x'))).toBe(null)
})

const TRICKY = [
  '"',
  '\\',
  '[',
  ']',
  '{',
  '}',
  '0',
  '9',
  '.',
  'e',
  'E',
  '-',
  ',',
  ' ',
  'é',
  '“',
  '😀',
]

const trickyText = fc
  .array(fc.oneof(fc.constantFrom(...TRICKY), fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 80,
  })
  .map((parts) => JSON.stringify(parts.join('')))

const digits = fc.oneof(
  fc.stringMatching(/^[1-9]\d{13,17}$/),
  fc.stringMatching(/^(0|[1-9]\d{0,3})$/),
)

const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits,
    fc.option(fc.stringMatching(/^\d{1,18}$/)),
    fc.option(fc.integer({ min: -330, max: 330 }), { freq: 9 }),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
  )

const blanks = fc.stringMatching(/^[ \n\r\t]{0,3}$/)

/** Texts of JSON with everything that may mislead. */
const { json } = fc.letrec<{ json: string; list: string; object: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', maxDepth: 9 },
    fc.constantFrom('true', 'false', 'null'),
    trickyText,
    numberText,
    tie('list'),
    tie('object'),
  ),
  list: fc
    .array(fc.tuple(blanks, tie('json'), blanks), { maxLength: 6 })
    .map((elements) => `[${elements.map((parts) => parts.join('')).join(',')}]`),
  object: fc
    .array(fc.tuple(blanks, trickyText, blanks, fc.constant(':'), tie('json')), { maxLength: 6 })
    .map((members) => `{${members.map((parts) => parts.join('')).join(',')}}`),
}))

/** Where few characters are wide they are escaped. */
const filled = fc
  .tuple(json, fc.nat({ max: 200 }))
  .map(([text, length]) => `["${'f'.repeat(length)}",${text}]`)

test('P9 U6 what is said to need no care is read by JSON.parse as by parseJson', () => {
  let plain = 0
  fc.assert(
    fc.property(filled, fc.integer({ min: 1, max: 9 }), (source, maxDepth) => {
      const text = textOf(source, maxDepth)
      if (text === null) return
      plain++
      const value = parseJson(source, { maxDepth })
      // A text that looks like a long number is a false alarm of parseJson, after which it holds no exact number.
      expect(exactToText(value)).toBe(value)
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value))
    }),
    { numRuns: sized(1_000, 10_000) },
  )
  expect(plain).toBeGreaterThan(200)
})

test('P9 U6 a text with a mistake is refused as before, or read as before', () => {
  const change = fc.record({
    at: fc.nat({ max: 400 }),
    removed: fc.nat({ max: 3 }),
    added: fc.oneof(fc.constantFrom('', ...TRICKY, '\\"', '99999999'), fc.string({ maxLength: 2 })),
  })
  fc.assert(
    fc.property(filled, fc.array(change, { minLength: 1, maxLength: 3 }), (original, changes) => {
      let bytes = Buffer.from(original)
      for (const { at, removed, added } of changes) {
        const place = at % (bytes.length + 1)
        bytes = Buffer.concat([
          bytes.subarray(0, place),
          Buffer.from(added),
          bytes.subarray(place + removed),
        ])
      }
      const text = textOf(bytes)
      if (text === null) return
      const want = read(bytes.toString())
      if (want !== undefined) {
        const value = parseJson(bytes.toString())
        expect(exactToText(value)).toBe(value)
      }
      expect(JSON.stringify(read(text))).toBe(JSON.stringify(want))
    }),
    { numRuns: sized(1_000, 10_000) },
  )
})

/** What JSON.parse makes of it; undefined where it complains. */
function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
