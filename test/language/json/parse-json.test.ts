import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { isExactNumber } from '../../../src/language/json/exact-number.ts'
import { JsonError, isKnownPlain, parseJson } from '../../../src/language/json/parse-json.ts'
import { processorMs } from '../../fixtures/processor-time.ts'

const BIG = 1 << 20

describe('numbers', () => {
  test.for([
    '0',
    '-0.5',
    '42',
    '9007199254740991',
    '-9007199254740991',
    '0.1',
    '0.30000000000000004',
    '1.7976931348623157e308',
    '5e-324',
    '1e20',
    '6.02214076e23',
    '123456789012345e10',
    '1.50',
    '1E3',
  ])('%s is a plain number', (source) => {
    expect(parseJson(source)).toBe(Number(source))
    expect(parseJson(`{"a":[${source}]}`)).toEqual({ a: [Number(source)] })
  })

  test.for([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740992',
    '7782342274025937895',
    '18446744073709551616',
    '1e400',
    '-1E+400',
    '1e-400',
    '0.1000000000000000055',
    '1.00000000000000000001',
    '12345678.123456789012',
    '12345678901234567890e-5',
    '123e-326',
    '9007199254740993.0',
    '100000000000000000000000000000000000000001',
  ])('P9 %s keeps every digit', (source) => {
    for (const text of [
      source,
      ` ${source} `,
      `[${source}]`,
      `{"a": ${source}}`,
      `[1,${source},"x"]`,
    ]) {
      const value = parseJson(text)
      expect(JSON.stringify(value)).toBe(text.replaceAll(' ', ''))
    }
    expect(isExactNumber(parseJson(source))).toBe(true)
  })

  test('what looks like a long number inside a text stays text', () => {
    const text =
      '{"id":"7782342274025937895","note":"score: 0.1000000000000000055, 1e-400","u":"9c1e-4b"}'
    expect(parseJson(text)).toEqual({
      id: '7782342274025937895',
      note: 'score: 0.1000000000000000055, 1e-400',
      u: '9c1e-4b',
    })
  })

  test.for(['1.', '1.1', '-1.1', '1e-', '1.1e-', '1.1e-1.', ' 1.1', '0.0', 'e-1'])(
    'X3 a text of %j again and again is read in a time that grows with its length',
    (unit) => {
      // Each point used to be the start of a walk over the whole of it: a MiB took half an hour.
      const text = unit.repeat(Math.ceil(1_048_576 / unit.length))
      expect(parseJson(JSON.stringify({ text, count: 0.5 }))).toEqual({ text, count: 0.5 })
    },
  )

  test('only the numbers that need it become exact', () => {
    const value = parseJson('{"small":1,"large":9007199254740993,"ratio":0.5,"name":"n"}')
    expect(value).toMatchObject({ small: 1, ratio: 0.5, name: 'n' })
    expect(JSON.stringify(value)).toBe(
      '{"small":1,"large":9007199254740993,"ratio":0.5,"name":"n"}',
    )
  })

  test('P9 any number, anywhere, is written as the same decimal that was read', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,40}$/)
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits,
        fc.option(fc.stringMatching(/^\d{1,40}$/)),
        fc.option(fc.integer({ min: -420, max: 420 })),
      )
      .map(([sign, whole, fraction, exponent]) => ({
        text: `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
        value: decimal(sign, whole, fraction ?? '', exponent ?? 0),
      }))
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 5 }), (numbers) => {
        const text = `{"list":[${numbers.map(({ text }) => text).join(',')}]}`
        const written = JSON.stringify(parseJson(text))
        const back = written.slice('{"list":['.length, -2).split(',')
        expect(back.map(valueOf)).toEqual(numbers.map(({ value }) => value))
      }),
      { numRuns: 500 },
    )
  })
})

describe('texts and members', () => {
  test('any JSON value comes back as JSON.parse gives it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  test.for([
    { name: 'a byte order mark is skipped', text: '\uFEFF{"a":1}', want: { a: 1 } },
    { name: 'of two members with one name the last wins', text: '{"a":1,"a":2}', want: { a: 2 } },
    {
      name: 'of two members with one name the last wins, exact or not',
      text: '{"a":9007199254740993,"a":2}',
      want: { a: 2 },
    },
    { name: 'a lone surrogate is kept', text: '"\\ud800"', want: '\ud800' },
    { name: 'white space around the value is no part of it', text: '\n\t [ ]\r\n', want: [] },
  ])('U6 $name', ({ text, want }) => {
    expect(parseJson(text)).toEqual(want)
  })

  test('U6 a lone surrogate is written as an escape again', () => {
    expect(JSON.stringify(parseJson('"a\\ud800b"'))).toBe('"a\\ud800b"')
  })

  test.for([
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    '{"__proto__":{"polluted":9007199254740993}}',
  ])('U6 __proto__ is a member like any other: %s', (text) => {
    const value = parseJson(text)
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(JSON.stringify(value)).toBe(text)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe('nesting', () => {
  const nested = (depth: number, filler = ''): string =>
    `${`[`.repeat(depth)}${filler}${']'.repeat(depth)}`
  const nestedObjects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  test.for([
    { name: 'arrays', text: nested(64) },
    { name: 'objects', text: nestedObjects(64) },
    { name: 'a large text', text: nested(64, `"${'x'.repeat(BIG)}"`) },
    { name: 'brackets inside texts', text: `{"a":"${'[{'.repeat(BIG)}\\"[[[\\\\"}` },
  ])('U6 64 levels are read: $name', ({ text }) => {
    expect(JSON.stringify(parseJson(text))).toBe(text)
  })

  test.for([
    { name: 'arrays', text: nested(65) },
    { name: 'objects', text: nestedObjects(65) },
    { name: 'after many shallow ones', text: `[${'[],'.repeat(1000)}${nested(64)}]` },
    {
      name: 'closing brackets inside texts do not count',
      text: nestedObjects(65).replaceAll('"a"', '"}}"'),
    },
    {
      name: 'the same in a large text',
      text: `["${'x'.repeat(BIG)}",${nestedObjects(64).replaceAll('"a"', '"}\\"}\\\\"')}]`,
    },
  ])('U6 65 levels are refused: $name', ({ text }) => {
    expect(() => parseJson(text)).toThrow(JsonError)
  })

  test('U6 five million nested arrays are refused at once, without building them', () => {
    const spentMs = processorMs(() =>
      expect(() => parseJson('['.repeat(5_000_000))).toThrow(
        expect.objectContaining({ name: 'JsonError', offset: 64 }),
      ),
    )
    expect(spentMs).toBeLessThan(1000)
  })

  test('the limit can be set, and a scalar has none', () => {
    expect(parseJson('[[1]]', { maxDepth: 2 })).toEqual([[1]])
    expect(() => parseJson('[[[1]]]', { maxDepth: 2 })).toThrow(JsonError)
    expect(parseJson('1', { maxDepth: 0 })).toBe(1)
  })
})

describe('what is no JSON', () => {
  test.for([
    { text: '', offset: null },
    { text: '{"a":', offset: null },
    { text: '{"a":1,}', offset: 7 },
    { text: '[1 2]', offset: 3 },
    { text: '<html>secret</html>', offset: null },
    { text: '"secret', offset: 7 },
    { text: 'NaN', offset: null },
    { text: '[01]', offset: 2 },
  ])('$text throws a JsonError that quotes nothing of it', ({ text, offset }) => {
    let caught: unknown
    try {
      parseJson(text)
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(JsonError)
    expect((caught as JsonError).offset).toBe(offset)
    expect((caught as JsonError).message).not.toContain('secret')
  })
})

test('a value is known to be plain only when it was read here and holds no exact number', () => {
  expect(isKnownPlain(parseJson('{"a":1}'))).toBe(true)
  expect(isKnownPlain(parseJson('{"a":9007199254740993}'))).toBe(false)
  expect(isKnownPlain({ a: 1 })).toBe(false)
  expect(isKnownPlain('text')).toBe(true)
})

/** The value of a decimal as [digits, power of ten], without zeros at either end of the digits. */
function decimal(sign: string, whole: string, fraction: string, exponent: number): string {
  const digits = BigInt(whole + fraction)
  if (digits === 0n) return '0'
  let rest = digits
  let power = exponent - fraction.length
  while (rest % 10n === 0n) {
    rest /= 10n
    power += 1
  }
  return `${sign}${rest}e${power}`
}

function valueOf(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text)
  if (match === null) throw new Error(`${text} is no number`)
  return decimal(match[1] ?? '', match[2] ?? '', match[3] ?? '', Number(match[4] ?? 0))
}
