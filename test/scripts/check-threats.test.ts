import { expect, test } from 'vitest'
import { readMentions, readRows } from '../../scripts/check-threats.ts'

test('rows are the table lines that begin with an id', () => {
  const markdown = [
    '| Id | Threat | Rule |',
    '|---|---|---|',
    '| G5 | Path value escapes | refuse |',
    '| R10 | direct mode |',
    '| other | G6 |',
    'G7 in a sentence',
  ].join('\n')
  expect(readRows(markdown)).toEqual([
    { id: 'G5', text: 'Path value escapes' },
    { id: 'R10', text: 'direct mode' },
  ])
})

// The titles stand in fragments, so that this file itself names no row.
const title = (text: string): string => `'${text}'`
test.for([
  { given: `test(${title('G5 a path')}, () => {})`, ids: ['G5'] },
  { given: `test.for([1])(${title('P5 $name')}, () => {})`, ids: ['P5'] },
  { given: `describe(\n  ${title('K1, K2 and K3 secrets')}`, ids: ['K1', 'K2', 'K3'] },
  { given: `[{ name: ${title('U3 a drip')} }]`, ids: ['U3'] },
  { given: `test(${title('a path of G5')}, () => {})`, ids: [] },
  { given: `test(${title('AES and H2O')}, () => {})`, ids: [] },
])('$given names $ids', ({ given, ids }) => {
  expect(readMentions(given, 'a.test.ts')).toEqual(ids.map((id) => ({ id, file: 'a.test.ts' })))
})
