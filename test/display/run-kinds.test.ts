import { expect, test } from 'vitest'
import { runsInWords } from '../../src/display/run-kinds.ts'

test.for([
  { kinds: ['initial'], want: 'everything, for the first time' },
  { kinds: ['full', 'children'], want: 'everything; below its parents' },
  { kinds: ['another'], want: 'another' },
  { kinds: [], want: '' },
])('$kinds are $want', ({ kinds, want }) => {
  expect(runsInWords(kinds)).toBe(want)
})
