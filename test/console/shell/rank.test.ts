import { describe, expect, test } from 'vitest'
import {
  fromFirstMark,
  hasWholeWord,
  markedParts,
  wordsOf,
} from '../../../src/console/parts/marked-words.ts'
import { fitOf, rankOf, withoutAsking } from '../../../src/console/shell/rank.ts'

test.for([
  ['why failing', 'failing'],
  ['Why is acme failing?', 'acme failing'],
  ['which accounts', 'accounts'],
  ['why', 'why'],
  ['acme why', 'acme why'],
  ['acme?', 'acme?'],
  ['', ''],
] as const)('"%s" asks for "%s"', ([typed, want]) => expect(withoutAsking(typed)).toBe(want))

describe('words are found', () => {
  test.for([
    { typed: 'acc', name: 'Accounts', about: '' },
    { typed: 'account', name: 'Connect an account', about: '' },
    { typed: 'ACCOUNT connect', name: 'Connect an account', about: '' },
    { typed: 'zurich', name: 'Büro Zürich', about: '' },
    { typed: 'BÜRO', name: 'Buro', about: '' },
    { typed: 'list', name: 'issues.list', about: '' },
    { typed: 'ssue', name: 'issues.list', about: '' },
    { typed: 'jira logs', name: 'Logs', about: 'Jira of Ada' },
    { typed: '  ', name: 'anything', about: '' },
  ])('"$typed" in $name, $about', ({ typed, name, about }) =>
    expect(rankOf(wordsOf(typed), name, about)).not.toBeNull(),
  )

  test('but only where every one of them is', () =>
    expect(rankOf(wordsOf('jira syncs'), 'Logs', 'Jira of Ada')).toBeNull())

  test('and two letters not in the middle of a word around a name', () =>
    expect(['de', 'cr', 'den'].map((word) => rankOf([word], 'Check', 'test credentials'))).toEqual([
      null,
      1,
      1,
    ]))
})

describe('words with one mistake', () => {
  const rank = (typed: string, name: string, about = ''): number | null =>
    rankOf(wordsOf(typed), name, about, true)

  test.for([
    { typed: 'nortwhind', name: 'Northwind Ltd', about: '' },
    { typed: 'acounts', name: 'Accounts', about: '' },
    { typed: 'webhokos', name: 'Webhooks', about: '' },
    { typed: 'expolr', name: 'Explorer', about: '' },
    { typed: 'zürixh log', name: 'Logs', about: 'Büro Zürich' },
  ])('"$typed" is near to $name, $about', ({ typed, name, about }) =>
    expect(rank(typed, name, about)).not.toBeNull(),
  )

  test.for(['nrotwhidn', 'dags', 'lgo', 'northwind kags', 'logs1'])('"%s" is not', (typed) =>
    expect(rank(typed, 'Northwind Logs')).toBeNull(),
  )

  test('go behind those without, and those around a name behind those of it', () => {
    const ranks = [rank('logs', 'x', 'logs'), rank('lpgs', 'Logs'), rank('lpgs', 'x', 'logs')]
    expect(ranks).toEqual([1, 0.5, 0.25])
  })
})

test('the beginning of a name goes before that of a word, the middle of one, and what stands around it', () => {
  const rank = (name: string, about = ''): number => rankOf(['log'], name, about) ?? -1
  const ranks = [rank('Logs'), rank('Audit log'), rank('Catalogue'), rank('Sync', 'logs')]
  expect(ranks.toSorted((a, b) => b - a)).toEqual(ranks)
  expect(new Set(ranks).size).toBe(4)
})

test('a number with another digit is another number', () =>
  expect(rankOf(wordsOf('company 0044'), 'Company 0244', '', true)).toBeNull())

test.for([
  { typed: 'accounts', name: 'Accounts', want: 2 },
  { typed: 'zurich buro', name: 'Büro Zürich', want: 1 },
  { typed: 'contoso failing', name: 'Jira of Contoso', want: 1 },
  { typed: 'talogue', name: 'Catalogue', want: 0 },
  { typed: 'failing', name: 'Jira of Contoso', want: 0 },
])('"$typed" fits $name', ({ typed, name, want }) => expect(fitOf(wordsOf(typed), name)).toBe(want))

test('what is called exactly so goes before what begins so', () => {
  const rank = (name: string): number => rankOf(wordsOf('Accounts'), name) ?? -1
  expect(rank('Accounts')).toBeGreaterThan(rank('Accounts that need re-authentication') + 1)
})

const shown = (parts: ReturnType<typeof markedParts>): string =>
  parts.map(([part, isMarked]) => (isMarked ? `[${part}]` : part)).join('')

test.for([
  { typed: 'co ac', text: 'Connect an account', want: '[Co]nnect an [acco]unt' },
  { typed: 'zur', text: 'Büro Zürich 🦊', want: 'Büro [Zür]ich 🦊' },
  { typed: 'e', text: 'Cafe\u0301 und Tee', want: 'Caf[e\u0301] und T[ee]' },
  { typed: '', text: 'Logs', want: 'Logs' },
])('"$typed" is marked in $text', ({ typed, text, want }) =>
  expect(shown(markedParts(wordsOf(typed), text))).toBe(want),
)

test.for([
  {
    typed: 'log',
    text: 'Log in at the login page: log-in',
    want: '[Log] in at the login page: [log]-in',
  },
  { typed: 'zurich', text: 'Zürichs Büro in ZÜRICH', want: 'Zürichs Büro in [ZÜRICH]' },
])('"$typed" is marked as a whole word in $text', ({ typed, text, want }) => {
  expect(shown(markedParts(wordsOf(typed), text, true))).toBe(want)
  expect(hasWholeWord(wordsOf(typed), text)).toBe(true)
})

test('a word within longer ones is no whole word', () =>
  expect(hasWholeWord(['log'], 'the login page, a blog')).toBe(false))

test.for([
  { text: 'Oil the hinge', want: 'Oil the [hinge]' },
  {
    text: 'It squeaks since the move; somebody has to oil the hinge of the door',
    want: '… has to oil the [hinge] of the door',
  },
  { text: `${'x'.repeat(40)} hinge`, want: '… xxxxxxxxxxxxxxx [hinge]' },
  {
    text: 'Nothing of the kind stands in this long text',
    want: 'Nothing of the kind stands in this long text',
  },
])('of $text a cell shows the part with the word', ({ text, want }) =>
  expect(shown(fromFirstMark(markedParts(['hinge'], text, true)))).toBe(want),
)
