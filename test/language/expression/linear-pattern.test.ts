import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'

import { linearRegExp } from '../../../src/language/expression/linear-pattern.ts'
import { sized } from '../../fixtures/sizes.ts'

describe('P5 the platform may run what has one way through any text', () => {
  test.for([
    ['a plain word', 'abc'],
    ['a set, then the same set and more, to the end', '^[a-z0-9][a-z0-9-]*$'],
    ['a fixed number of signs', '^[0-9a-f-]{36}$'],
    ['a list whose separator is in no element', '^[^,]*(,[^,]*){0,4}$'],
    ['alternatives that begin differently', '^bytes=(\\d+-\\d*|-\\d+)$'],
    ['a word to be found anywhere', '[Cc]ursor has expired'],
    ['alternatives with a word boundary', 'Date|\\bdate'],
    ['alternatives inside a text', 'No (calls|stats) found for the specified period'],
    ['endless, then something else, endless', '^[a-z]+[0-9]+$'],
    ['an optional end', '^[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?$'],
    ['endless groups of a closed form', '^(?:[a-z]+,)*$'],
    ['escaped signs', '^\\/v\\d+\\.[0-9]+\\?\\$$'],
    ['signs in a set', '^[\\]\\\\^.$*+?(){}|/-]+$'],
    ['everything but a sign', '^[^"]*"$'],
    ['signs beyond the first plane', '^[😀-😎]+é$'],
    ['numbers with blanks around', '^\\s*(act_)?\\d+(\\s*,\\s*(act_)?\\d+)*;\\s*$'],
    ['nothing', '^$'],
  ] as const)('%s: %s', ([, source]) => {
    expect(linearRegExp(source)).toBeInstanceOf(RegExp)
  })
})

describe('P5 the linear engine runs what could go astray', () => {
  test.for([
    ['nested repetition', '^(a+)+$'],
    ['nested repetition of what may be nothing', '^(a*)*$'],
    ['alternatives that begin alike', '^(a|ab)+$'],
    ['the same alternative twice', '^(a|a)*$'],
    ['two endless sets that share a sign', '^[a-z]*[x-z]*$'],
    [
      'two endless sets of what follows the last sign before the surrogates',
      '^[^\0-\ud7ff]*[^\0-\ud7ff]*$',
    ],
    ['an endless set before one of its own signs', '^[a-z]*z'],
    ['two endless sets with something optional between', '^[a-z]*-?[a-z]*$'],
    ['endless without an anchor', 'a*b'],
    ['at least so many without an anchor', 'a{3,}b'],
    ['an anchor of the first alternative only', '^a*b|c*d'],
    ['optional before the same again', '^(?:a?){30}a{30}$'],
    ['many ways to take nothing', '^(?:a?|b?)(?:c?|d?)$'],
    ['something optional that may be nothing', '^(?:a?)?$'],
    ['repetition that grows large', '^[a-z]{1000}$'],
    ['repetition of repetition that grows large', '^((a{10}){10}){10}$'],
  ] as const)('%s: %s', ([, source]) => {
    expect(linearRegExp(source)).toBeNull()
  })
})

describe('what the two engines read differently is left to the linear one', () => {
  test.for([
    ['any character but line ends', '^a.$'],
    ['anything but white space', '^\\S$'],
    ['flags', '(?i)a'],
    ['a lazy repetition', '^a*?$'],
    ['a possessive repetition', '^a*+$'],
    ['a named class', '^[[:alpha:]]$'],
    ['a class of Unicode', '^\\p{L}$'],
    ['a named group', '(?P<x>a)'],
    ['look-ahead', '^a(?=b)'],
    ['an anchor in the middle', 'a^b'],
    ['an end in the middle', '(a$|b)'],
    ['a brace that counts nothing', '^a{,3}$'],
    ['a brace alone', 'a}'],
    ['a bracket first in a set', '^[]a]$'],
    ['everything', '^[^]$'],
    ['a set from a class', '^[\\d-x]$'],
    ['a set that runs backwards', '^[z-a]$'],
    ['a back-reference', '^(a)\\1$'],
    ['a code', '^\\x41$'],
    ['an escaped letter', '^\\a$'],
    ['half a character', '\ud800'],
    ['an open set', '^[a'],
    ['an open group', '^(a'],
    ['a closed group', '^a)'],
    ['a lone backslash', 'a\\'],
    ['a count of another base', '^a{02}$'],
    ['groups without end', '('.repeat(3000)],
  ] as const)('%s', ([, source]) => {
    expect(linearRegExp(source)).toBeNull()
  })
})

const SIGNS =
  'a b c 1 - é [ab] [^a] [a-c1] [^-b] \\d \\w \\W \\b ( (?: ) | * + ? {2} {0,2} {1,} ^ $ \\. \\s [\\sa] \\\\'.split(
    ' ',
  )

/** Patterns of these signs, valid or not. */
const patterns = fc
  .array(fc.constantFrom(...SIGNS), { maxLength: 12 })
  .map((parts) => parts.join(''))
const framed = fc.oneof(
  patterns,
  patterns.map((source) => `^${source}$`),
)
const texts = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    'c',
    '1',
    '-',
    '.',
    ' ',
    '\u00a0',
    '\v',
    '\\\\',
    'é',
    '\n',
    '\r',
    '\u2028',
    '😀',
    '\ud800',
  ),
  maxLength: 8,
})

test('what the platform may run finds the same as RE2', () => {
  let compared = 0
  fc.assert(
    fc.property(framed, fc.array(texts, { minLength: 8, maxLength: 8 }), (source, samples) => {
      const platform = linearRegExp(source)
      if (platform === null) return
      const linear = RE2JS.compile(source)
      for (const text of samples) {
        compared++
        expect([source, text, platform.test(text)]).toEqual([source, text, linear.test(text)])
      }
    }),
    { numRuns: sized(1_000, 10_000) },
  )
  expect(compared).toBeGreaterThan(1000)
})
