import { expect, test } from 'vitest'
import { compileWordSearch, leadingWildcard } from '../../../src/sandbox/data/word-search.ts'

test.for([
  { wanted: 'login', text: 'The LOGIN page', fits: true },
  { wanted: 'log', text: 'The login page', fits: false },
  { wanted: 'log*', text: 'The login page', fits: true },
  { wanted: 'l?gin', text: 'The login page', fits: true },
  { wanted: 'page login', text: 'The login page', fits: true },
  { wanted: 'page logout', text: 'The login page', fits: false },
  { wanted: '"page login"', text: 'The login page', fits: false },
  { wanted: '"the login"', text: 'The login page', fits: true },
  { wanted: 'deliveries', text: 'one delivery', fits: true },
  { wanted: 'deliver', text: 'it was delivered, we are delivering', fits: true },
  { wanted: 'deliver', text: 'one delivery', fits: false },
  { wanted: 'stopping', text: 'the clock stopped', fits: true },
  { wanted: 'move', text: 'moving on', fits: true },
  { wanted: 'boxes', text: 'a box', fits: true },
  { wanted: 'class', text: 'two classes', fits: true },
  { wanted: 'needs', text: 'what I need', fits: true },
  { wanted: 'string', text: 'a strange thing', fits: false },
  { wanted: 'e-mail', text: 'an e-mail', fits: true },
  { wanted: 'e-mail', text: 'mail and e', fits: false },
  { wanted: 'login OR logout', text: 'The login page', fits: true },
  { wanted: 'page NOT login', text: 'The login page', fits: false },
  { wanted: 'page -logout', text: 'The login page', fits: true },
  { wanted: 'the login', text: 'login page', fits: true },
  { wanted: 'login~', text: 'login page', fits: true },
  { wanted: 'größe', text: 'Die Größe', fits: true },
  { wanted: '雪', text: '田辺 雪', fits: true },
])('"$wanted" in "$text": $fits', ({ wanted, text, fits }) =>
  expect(compileWordSearch(wanted)?.(text)).toBe(fits),
)

test.for(['', '  ', '!?.', '""'])('"%s" holds no word', (wanted) => {
  expect(compileWordSearch(wanted.replace('?', ''))).toBe(null)
})

test('a wildcard that leads a word is told', () => {
  expect([leadingWildcard('*x'), leadingWildcard('a ?x'), leadingWildcard('a* b?')]).toEqual([
    '*',
    '?',
    null,
  ])
})
