import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  compileLike,
  countWildcards,
  longestText,
  readPattern,
  sqlPattern,
} from '../../../src/copy/search/like.ts'
import { fold } from '../../../src/copy/search/text.ts'
import { processorMs } from '../../fixtures/processor-time.ts'

test.for([
  ['Renewal%', 'renewal of ACME', true],
  ['renewal', 'RÉNEWAL', true],
  ['renewal', 'renewals', false],
  ['%acme', 'Renewal of ACME', true],
  ['%a%a%', 'banana', true],
  ['b_n_n_', 'banana', true],
  ['_', '😀', true],
  ['__', '😀', false],
  ['100\\%', '100%', true],
  ['100\\%', '1000', false],
  ['％', 'x', false],
  ['%_', '', false],
  ['%', '', true],
  ['', '', true],
  ['', 'a', false],
  ['a%b_', 'axxbbc', true],
] as const)('%s matches %s: %s', ([pattern, text, matches]) => {
  const parts = readPattern(pattern)
  expect(parts).not.toBeNull()
  expect(compileLike(parts ?? [])(fold(text))).toBe(matches)
})

test('a backslash before anything else is no pattern', () => {
  expect([readPattern('a\\b'), readPattern('a\\')]).toEqual([null, null])
})

test('a pattern keeps its wildcards and escapes the rest for SQL', () => {
  const parts = readPattern('Å\\%%%_b\\\\') ?? []
  expect(sqlPattern(parts)).toBe('a\\%%_b\\\\')
  expect(countWildcards('\\%a%%_\\_')).toBe(3)
  expect(longestText(parts)).toBe('a%')
})

test('P7 the matcher agrees with a regular expression and stays linear', () => {
  const letters = fc
    .array(fc.constantFrom('a', 'b', '%', '_'), { maxLength: 8 })
    .map((all) => all.join(''))
  const texts = fc.array(fc.constantFrom('a', 'b'), { maxLength: 8 }).map((all) => all.join(''))
  fc.assert(
    fc.property(letters, texts, (pattern, text) => {
      const expression = new RegExp(`^${pattern.replaceAll('%', '.*').replaceAll('_', '.')}$`)
      expect(compileLike(readPattern(pattern) ?? [])(text)).toBe(expression.test(text))
    }),
    { numRuns: 2_000 },
  )
  const isLike = compileLike(readPattern('%a%a%a%a%a%a%a%b') ?? [])
  const spentMs = processorMs(() => expect(isLike('a'.repeat(1_000_000))).toBe(false))
  expect(spentMs).toBeLessThan(500)
})
