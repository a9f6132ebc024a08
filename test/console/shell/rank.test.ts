import { describe, expect, test } from 'vitest'
import { markedParts, rankOf, wordsOf } from '../../../src/console/shell/rank.ts'

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
})

test('the beginning of a name goes before that of a word, the middle of one, and what stands around it', () => {
  const rank = (name: string, about = ''): number => rankOf(['log'], name, about) ?? -1
  const ranks = [rank('Logs'), rank('Audit log'), rank('Catalogue'), rank('Sync', 'logs')]
  expect(ranks.toSorted((a, b) => b - a)).toEqual(ranks)
  expect(new Set(ranks).size).toBe(4)
})

test.for([
  {
    typed: 'co ac',
    text: 'Connect an account',
    want: ['[Co]nnect an [acco]unt'],
  },
  { typed: 'zur', text: 'Büro Zürich 🦊', want: ['Büro [Zür]ich 🦊'] },
  { typed: 'e', text: 'Cafe\u0301 und Tee', want: ['Caf[e\u0301] und T[ee]'] },
  { typed: '', text: 'Logs', want: ['Logs'] },
])('"$typed" is marked in $text', ({ typed, text, want }) => {
  const parts = markedParts(wordsOf(typed), text)
  expect([parts.map(([part, isMarked]) => (isMarked ? `[${part}]` : part)).join('')]).toEqual(want)
})
