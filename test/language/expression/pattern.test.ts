import { expect, test } from 'vitest'

import { compilePattern } from '../../../src/language/expression/pattern.ts'
import { processorMs } from '../../fixtures/processor-time.ts'

test.for([
  { pattern: 'b', text: 'abc', group: 'b' },
  { pattern: '-([a-z]+[0-9]*)$', text: '0123-us21', group: 'us21' },
  { pattern: '(?:a)(b)(c)', text: 'abc', group: 'b' },
  { pattern: '(x)?b', text: 'abc', group: undefined },
  { pattern: '(?i)TEAPOT', text: 'a teapot', group: 'teapot' },
  { pattern: '^\\p{L}+$', text: 'größe', group: 'größe' },
])('$pattern finds $group in $text', ({ pattern, text, group }) => {
  const compiled = compilePattern(pattern)
  expect(compiled.test(text)).toBe(true)
  expect(compiled.firstGroup(text)).toBe(group)
})

test('without a match there is no group', () => {
  expect(compilePattern('x').test('abc')).toBe(false)
  expect(compilePattern('x').firstGroup('abc')).toBeUndefined()
})

test.for([
  '(?=a)b',
  '(?<=a)b',
  '(?!a)b',
  '(a)\\1',
  '[',
  '(',
  'a{1001}',
  '((a{100}){100}){100}',
  '('.repeat(3000),
])('refuses what cannot run in linear time or is no pattern: %s', (pattern) => {
  expect(() => compilePattern(pattern)).toThrow(SyntaxError)
})

test('P5 evil patterns on long texts answer at once', () => {
  compilePattern('a').test('warm up')
  const patterns = [
    '^(a+)+$',
    '^(a|a)+$',
    '^(a|aa)+$',
    '^(a*)*$',
    '(a*)*b',
    '(.*a){20}',
    '([a-z]+)*\\d',
    '(x+x+)+y',
    '^(\\w+\\s?)*$',
    '(?:a?){30}a{30}',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}[a-z]{2,3}$',
    '(a|b|ab)*c',
    '(?:(?:a*)*)*b',
    '^(?:a+b?)+$',
    '(\\d+)*x',
    'a.*b.*c.*d.*e',
    '(a{0,50}){0,20}b',
    '^(?:.*?,){11}P',
    '(?:[^\\n]*\\n)*?z',
  ]
  const texts = [
    'a'.repeat(30) + '!',
    'a'.repeat(4096),
    'a'.repeat(4000) + '!',
    'a'.repeat(2_000_000),
  ]
  for (const source of patterns) {
    const pattern = compilePattern(source)
    for (const text of texts) {
      const tookMs = [0, 1, 2].map(() => processorMs(() => pattern.test(text)))
      expect({ source, slow: Math.min(...tookMs) >= 50 }).toEqual({ source, slow: false })
    }
  }
})

test('a text beyond the limit matches nothing', () => {
  expect(compilePattern('a').test('a'.repeat(4096))).toBe(true)
  expect(compilePattern('a').test('a'.repeat(4097))).toBe(false)
  expect(compilePattern('a').firstGroup('a'.repeat(4097))).toBeUndefined()
})
