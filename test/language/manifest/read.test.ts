import { describe, expect, test } from 'vitest'
import { readDocument } from '../../../src/language/manifest/read.ts'
import { processorMs } from '../../fixtures/processor-time.ts'

/** What a text gives: its value, or `line:column+length rule`. */
function outcome(source: string | Uint8Array): unknown {
  const { document, problems } = readDocument(source, 'x.yaml')
  expect(document === null).toBe(problems.length > 0)
  return document === null
    ? problems.map(
        (problem) => `${problem.line}:${problem.column}+${problem.length} ${problem.rule}`,
      )
    : document.value
}

test.for<{ name: string; text: string; want: unknown }>([
  { name: 'block and flow style', text: 'a:\n  - 1\n  - { b: x }\n', want: { a: [1, { b: 'x' }] } },
  {
    name: 'JSON',
    text: '{"a": {"b": [1, 2.5, null, true]},\n\t"c": "\\u00e9"}',
    want: { a: { b: [1, 2.5, null, true] }, c: 'é' },
  },
  { name: 'a byte order mark', text: '\u{feff}a: 1', want: { a: 1 } },
  {
    name: 'yes, no and on as text',
    text: 'a: [yes, no, on, off, Yes]',
    want: { a: ['yes', 'no', 'on', 'off', 'Yes'] },
  },
  { name: 'a date as text', text: 'a: 2024-01-01', want: { a: '2024-01-01' } },
  {
    name: 'a sign in front of a number',
    text: 'a: [+1, -1, +name]',
    want: { a: [1, -1, '+name'] },
  },
  {
    name: 'digits that look like another base as text',
    text: 'a: ["0x1f", "017", 1_000]',
    want: { a: ['0x1f', '017', '1_000'] },
  },
  {
    name: 'a template in block style without quotes',
    text: 'http: GET /a/{{ params.id }}',
    want: { http: 'GET /a/{{ params.id }}' },
  },
  {
    name: 'the largest exact integer',
    text: 'a: 9007199254740991\nb: -9007199254740991',
    want: { a: 9007199254740991, b: -9007199254740991 },
  },
  { name: 'minus zero as zero', text: 'a: -0\nb: -0.0', want: { a: 0, b: 0 } },
  {
    name: 'keys that only look special',
    text: 'toString: 1\nvalueOf: 2\nhasOwnProperty: 3',
    want: { toString: 1, valueOf: 2, hasOwnProperty: 3 },
  },
  { name: 'a document with markers', text: '---\na: 1\n...\n', want: { a: 1 } },
  {
    name: 'a text over several lines',
    text: 'a: >-\n  one\n  two\nb: |\n  x\n',
    want: { a: 'one two', b: 'x\n' },
  },
  { name: 'line ends of Windows', text: 'a: 1\r\nb: 2\r\n', want: { a: 1, b: 2 } },
  { name: 'a key without a value as null', text: 'a:\nb: ~', want: { a: null, b: null } },
])('reads $name', ({ text, want }) => {
  expect(outcome(text)).toEqual(want)
})

const UTF16 = Uint8Array.from([0xff, 0xfe, 0x61, 0, 0x3a, 0])
const LATIN1 = Buffer.concat([Buffer.from('a: 1\nb: caf'), Uint8Array.from([0xe9])])
const CUT = Buffer.from('a: é').subarray(0, 4)

describe('P1 a hostile or broken file is refused with its place', () => {
  test.for<{ name: string; text: string | Uint8Array; want: readonly string[] }>([
    { name: 'nothing', text: '', want: ['1:1+1 yaml/root'] },
    { name: 'a comment', text: '# nothing\n', want: ['1:1+1 yaml/root'] },
    { name: 'a list', text: '- 1\n', want: ['1:1+3 yaml/root'] },
    { name: 'a text', text: 'hello', want: ['1:1+5 yaml/root'] },
    { name: 'UTF-16', text: UTF16, want: ['1:1+1 yaml/encoding'] },
    { name: 'Latin-1', text: LATIN1, want: ['2:7+1 yaml/encoding'] },
    { name: 'half a character at the end', text: CUT, want: ['1:4+1 yaml/encoding'] },
    {
      name: 'an overlong encoding',
      text: Uint8Array.from([0x61, 0x3a, 0x20, 0xc0, 0xaf]),
      want: ['1:4+1 yaml/encoding'],
    },
    {
      name: 'a surrogate in UTF-8',
      text: Uint8Array.from([0x61, 0x3a, 0x20, 0xed, 0xa0, 0x80]),
      want: ['1:4+1 yaml/encoding'],
    },
    { name: 'more than 1 MiB', text: `a: ${'x'.repeat(1024 * 1024)}`, want: ['1:1+1 yaml/size'] },
    { name: 'a NUL', text: 'a: x\u0000y', want: ['1:5+1 yaml/character'] },
    { name: 'an escape character', text: 'a: 1\nb: \u001b[31m', want: ['2:4+1 yaml/character'] },
    {
      name: 'a byte order mark in the middle',
      text: 'a: 1\n\u{feff}b: 2',
      want: ['2:1+1 yaml/character'],
    },
    { name: 'half a surrogate pair', text: 'a: \ud800', want: ['1:4+1 yaml/character'] },
    {
      name: 'half a surrogate pair as an escape',
      text: 'a: "\\ud800"',
      want: ['1:4+8 yaml/character'],
    },
    {
      name: 'half a surrogate pair in a key',
      text: '"\\udc00": 1',
      want: ['1:1+8 yaml/character'],
    },
    { name: 'a duplicate key', text: 'a: 1\nb: 2\na: 3', want: ['3:1+1 yaml/duplicate-key'] },
    {
      name: 'a duplicate key in JSON',
      text: '{"a": 1, "\\u0061": 2}',
      want: ['1:10+8 yaml/duplicate-key'],
    },
    { name: 'a tab in the indentation', text: 'a:\n\tb: 1', want: ['2:1+1 yaml/tab'] },
    { name: 'an anchor', text: 'a: &x 1\nb: 2', want: ['1:4+2 yaml/anchor'] },
    { name: 'an alias', text: 'a: &x 1\nb: *x', want: ['1:4+2 yaml/anchor', '2:4+2 yaml/anchor'] },
    { name: 'an alias of nothing', text: 'a: *x', want: ['1:4+2 yaml/anchor'] },
    { name: 'a circle', text: 'a: &x\n  b: *x', want: ['1:4+2 yaml/anchor', '2:6+2 yaml/anchor'] },
    {
      name: 'aliases that multiply',
      text: 'a: &a [x]\nb: &b [*a, *a]',
      want: ['1:4+2 yaml/anchor', '2:4+2 yaml/anchor', '2:8+2 yaml/anchor', '2:12+2 yaml/anchor'],
    },
    { name: 'a merge key', text: 'a: { b: 1 }\nc:\n  <<: { d: 1 }', want: ['3:3+2 yaml/anchor'] },
    { name: 'a tag of the language', text: 'a: !!str 1', want: ['1:4+5 yaml/tag'] },
    { name: 'a tag of somebody else', text: 'a: !ruby/object:X {}', want: ['1:4+14 yaml/tag'] },
    {
      name: 'a tag that runs code elsewhere',
      text: 'a: !!js/function "x"',
      want: ['1:4+13 yaml/tag'],
    },
    { name: 'a tag without a name', text: 'a: ! x', want: ['1:4+1 yaml/tag'] },
    { name: 'a verbatim tag', text: 'a: !<tag:yaml.org,2002:str> 1', want: ['1:4+24 yaml/tag'] },
    { name: 'a binary', text: 'a: !!binary aGk=', want: ['1:4+8 yaml/tag'] },
    { name: 'a directive', text: '%YAML 1.1\n---\na: 1', want: ['1:1+9 yaml/directive'] },
    { name: 'an unknown directive', text: '%FOO x\n---\na: 1', want: ['1:1+6 yaml/directive'] },
    { name: 'a second document', text: 'a: 1\n---\nb: 2', want: ['2:1+1 yaml/second-document'] },
    { name: 'an empty second document', text: 'a: 1\n---\n', want: ['2:1+1 yaml/second-document'] },
    { name: 'a number as a key', text: '1: a', want: ['1:1+1 yaml/key'] },
    { name: 'true as a key', text: 'a: { true: 1 }', want: ['1:6+4 yaml/key'] },
    { name: 'null as a key', text: '~: 1', want: ['1:1+1 yaml/key'] },
    { name: 'a key left out', text: ': 1', want: ['1:1+1 yaml/key'] },
    { name: 'a list as a key', text: '? [a]\n: 1', want: ['1:3+3 yaml/key'] },
    { name: 'a map as a key', text: '{ {a: 1}: 2 }', want: ['1:3+6 yaml/key'] },
    { name: 'a number of base 16', text: 'a: 0x1F', want: ['1:4+4 yaml/number'] },
    { name: 'a number of base 8', text: 'a: 0o17', want: ['1:4+4 yaml/number'] },
    {
      name: 'infinity',
      text: 'a: [.inf, -.INF, .nan]',
      want: ['1:5+4 yaml/number', '1:11+5 yaml/number', '1:18+4 yaml/number'],
    },
    { name: 'an integer beyond 2^53', text: 'a: 9007199254740992', want: ['1:4+16 yaml/number'] },
    {
      name: 'a negative integer beyond 2^53',
      text: 'a: -9007199254740993',
      want: ['1:4+17 yaml/number'],
    },
    { name: 'a huge exponent', text: 'a: 1e999', want: ['1:4+5 yaml/number'] },
    {
      name: 'an integer in exponent form beyond 2^53',
      text: 'a: 1e300',
      want: ['1:4+5 yaml/number'],
    },
    {
      name: 'a template without quotes',
      text: 'a: {{ params.x }}',
      want: ['1:4+14 yaml/unquoted-expression'],
    },
    {
      name: 'a template without quotes in a list',
      text: 'a:\n  - {{ params.x }}',
      want: ['2:5+14 yaml/unquoted-expression'],
    },
    {
      name: 'a template without quotes in a map',
      text: 'a: { b: {{ x }}, c: 1 }',
      want: ['1:9+7 yaml/unquoted-expression'],
    },
    {
      name: 'a template without quotes, far inside',
      text: 'a: { b: [{ c: [{ d: {{ x }} }] }] }',
      want: ['1:21+7 yaml/unquoted-expression'],
    },
    {
      name: 'two templates without quotes',
      text: 'a: {{ x }}\nb: {{ y }}',
      want: ['1:4+7 yaml/unquoted-expression', '2:4+7 yaml/unquoted-expression'],
    },
    {
      name: 'a template without quotes and text behind',
      text: 'a: {{ x }}/y',
      want: ['1:4+7 yaml/unquoted-expression'],
    },
    {
      name: 'a template without quotes, text around, in a map',
      text: 'a: { b: GET /x/{{ y }} }',
      want: ['1:16+1 yaml/unquoted-expression'],
    },
    { name: 'a template as a key', text: '{{ x }}: 1', want: ['1:1+7 yaml/unquoted-expression'] },
    { name: 'a quote left open', text: 'a: "x\nb: 1', want: ['2:5+1 yaml/syntax'] },
    // Told where it was opened, however far the rest is read as a part of it.
    { name: 'a brace left open', text: 'a: { b: 1', want: ['1:4+1 yaml/syntax'] },
    {
      name: 'a brace left open above',
      text: 'a: { b: 1, c: x\nd:\n  e: 1\n',
      want: ['1:4+1 yaml/syntax'],
    },
    {
      name: 'an inner brace left open',
      text: 'a:\n  b: {x: {y: 1}\n  c: 2\n',
      want: ['2:6+1 yaml/syntax'],
    },
    {
      name: 'a bracket closed as a brace',
      text: 'a: {b: [1, 2}\nc: 3\n',
      want: ['1:8+1 yaml/syntax'],
    },
    { name: 'a bracket too many', text: 'a: [1]]', want: ['1:7+1 yaml/syntax'] },
    { name: 'only a bracket', text: 'a: ]', want: ['1:4+1 yaml/syntax'] },
    { name: 'two commas', text: 'a: [1,,2]', want: ['1:7+1 yaml/syntax'] },
    { name: 'a colon in a text', text: 'a: b: c', want: ['1:4+1 yaml/syntax'] },
    { name: 'a reserved character', text: 'a: @b', want: ['1:4+1 yaml/syntax'] },
    { name: 'an unknown escape', text: 'a: "\\d+"', want: ['1:5+1 yaml/syntax'] },
    { name: 'wrong indentation', text: 'a:\n    b: 1\n  c: 2', want: ['3:1+1 yaml/syntax'] },
    { name: 'a key over two lines', text: 'a\nb: 1', want: ['1:1+1 yaml/syntax'] },
  ])('$name', ({ text, want }) => {
    expect(outcome(text)).toEqual(want)
  })

  test('41 levels', () => {
    const nested = (levels: number): string =>
      `a: ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`
    expect(outcome(nested(41))).toEqual(['1:43+2 yaml/depth'])
    expect(readDocument(nested(40), 'x').problems).toEqual([])
  })

  test.for([
    ['open brackets', '['.repeat(1 << 20)],
    ['dashes', '- '.repeat(1 << 19)],
    ['quotes', '"'.repeat(1 << 20)],
    ['closing brackets', ']'.repeat(1 << 20)],
    ['commas', `[${','.repeat((1 << 20) - 1)}`],
    ['directives', '%A\n'.repeat(300_000)],
    ['documents', '---\n'.repeat(1 << 18)],
    ['line breaks', '\n'.repeat(1 << 20)],
    ['keys', Array.from({ length: 70_000 }, (_, index) => `k${index}: 1`).join('\n')],
  ] as const)('a megabyte of %s is refused in bounded time', ([, text]) => {
    const spentMs = processorMs(() =>
      expect(readDocument(text, 'x.yaml').problems.length).toBeGreaterThan(0),
    )
    // A second, and two where another thread uses the other half of the core.
    expect(spentMs).toBeLessThan(10_000)
  })
})

test('P3 names that reach a prototype are refused as keys at any depth', () => {
  for (const name of ['__proto__', 'constructor', 'prototype']) {
    expect(outcome(`${name}: 1`)).toEqual([`1:1+${name.length} yaml/key`])
    expect(outcome(`a:\n  - { "${name}": { polluted: true } }`)).toEqual([
      `2:7+${name.length + 2} yaml/key`,
    ])
  }
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('every finding is reported, in the order of the file', () => {
  expect(outcome('a: 0x1\nb: &x 1\n2: c\nd: {{ e }}\nd: 1')).toEqual([
    '1:4+3 yaml/number',
    '2:4+2 yaml/anchor',
    '3:1+1 yaml/key',
    '4:4+7 yaml/unquoted-expression',
    '5:1+1 yaml/duplicate-key',
  ])
})
