import fc from 'fast-check'
import { expect, test } from 'vitest'

import { editDistance } from '../../../src/language/expression/nearest.ts'
import { fold, fuzzyDistance, words } from '../../../src/copy/search/text.ts'
import { sized } from '../../fixtures/sizes.ts'

test.for([
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['Ångström', 'angstrom'],
  ['ﬁne', 'fine'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδος', 'οδοσ'],
  ['İstanbul', 'istanbul'],
  ['Ⅷ', 'viii'],
  ['a\u0000b\ud800', 'a\ufffdb\ufffd'],
  ['हिन्दी', 'हिन्दी'],
  ['が', 'が'],
])('%s folds to %s', ([text, folded]) => expect(fold(text ?? '')).toBe(folded))

test.for([
  { text: 'ISO-8601, a/b/c', want: ['iso', '8601', 'a', 'b', 'c'] },
  { text: 'user@example.com', want: ['user', 'example', 'com'] },
  { text: 'Ça va? ça!', want: ['ca', 'va', 'ca'] },
  { text: '東京都 tower', want: ['東京都', 'tower'] },
  { text: ' -- ', want: [] },
  { text: 'x'.repeat(70), want: ['x'.repeat(64)] },
  { text: '😀 a😀b', want: ['a', 'b'] },
])('the words of $text', ({ text, want }) => expect(words(text)).toEqual(want))

test.for([
  ['kitten', 'kitten', 0],
  ['kitten', 'sitten', 1],
  ['kitten', 'ktiten', 1],
  ['kitten', 'sittin', 2],
  ['ca', 'abc', 3],
  ['renewal', 'renwal', 1],
  ['', 'ab', 2],
  ['𝒳yz', 'xyz', 1],
] as const)('%s and %s are %i apart', ([a, b, distance]) => {
  expect(editDistance(a, b, 3)).toBe(distance)
  expect(editDistance(b, a, 3)).toBe(distance)
})

test.for([
  ['ab', 'ac', null],
  ['abc', 'abd', 1],
  ['abcde', 'abxyz', null],
  ['abcdef', 'abcdxy', 2],
  ['abc1', 'abc2', null],
  ['abcd', 'abc1', null],
  ['abc1', 'abc1', 0],
] as const)('%s finds %s at %s', ([asked, found, distance]) =>
  expect(fuzzyDistance(asked, found)).toBe(distance),
)

const anyText = fc.string({ unit: 'binary' })

test('folding twice changes nothing', () =>
  fc.assert(
    fc.property(anyText, (text) => {
      expect(fold(fold(text))).toBe(fold(text))
    }),
  ))

test('the words of a text are those of its folded form', () =>
  fc.assert(
    fc.property(anyText, (text) => {
      expect(words(fold(text))).toEqual(words(text))
    }),
  ))

test('folding is idempotent over every code point', () => {
  const wrong: number[] = []
  // Beyond the ideographs there are only tags and private use.
  for (let point = 1; point <= sized(0x323af, 0x10ffff); point++) {
    const folded = fold(String.fromCodePoint(point))
    if (fold(folded) !== folded) wrong.push(point)
  }
  expect(wrong).toEqual([])
})
