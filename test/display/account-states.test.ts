import { describe, expect, test } from 'vitest'
import { illInWords, kindIn, kindsMeant } from '../../src/display/account-states.ts'

describe('words for a state', () => {
  test.for([
    { typed: 'contoso failing', rest: 'contoso', kind: 'Failing' },
    { typed: 'failing contoso', rest: 'contoso', kind: 'Failing' },
    { typed: ' Contoso  Ltd  FAIL ', rest: 'Contoso Ltd', kind: 'Failing' },
    { typed: 'contoso failing syncs', rest: 'contoso', kind: 'Failing' },
    { typed: 'failing', rest: '', kind: 'Failing' },
    { typed: 'contoso needs the user', rest: 'contoso', kind: 'Needs re-authentication' },
    { typed: 'contoso needs re-auth', rest: 'contoso', kind: 'Needs re-authentication' },
    { typed: 'contoso reconnect', rest: 'contoso', kind: 'Needs re-authentication' },
    { typed: 'contoso off', rest: 'contoso', kind: 'Disabled' },
    { typed: 'contoso disa', rest: 'contoso', kind: 'Disabled' },
    { typed: 'contoso pending', rest: 'contoso', kind: 'Pending' },
    { typed: 'contoso recovering', rest: 'contoso', kind: 'Recovering its token' },
    { typed: 'contoso active', rest: 'contoso', kind: 'Active' },
  ])('"$typed" is $kind of "$rest"', ({ typed, rest, kind }) => {
    const found = kindIn(typed)
    expect([found?.rest, found?.kind.label]).toEqual([rest, kind])
  })

  test.for([
    { typed: '', about: 'nothing' },
    { typed: 'contoso', about: 'a name' },
    { typed: 'contoso act', about: 'a beginning that is too short' },
    { typed: 'contoso user', about: 'a word that stands with others' },
    { typed: 'a failing b', about: 'a word in the middle' },
  ])('"$typed" has none: $about', ({ typed }) => expect(kindIn(typed)).toBeNull())
})

test.for([
  { typed: 'failing', labels: ['Failing', 'Needs re-authentication'] },
  { typed: 'disabled', labels: ['Disabled'] },
  { typed: 'reconnect', labels: ['Needs re-authentication'] },
])('who asks for "$typed" is told $labels', ({ typed, labels }) => {
  const kind = kindIn(typed)?.kind
  expect(kind && kindsMeant(kind).map(({ label }) => label)).toEqual(labels)
})

test.for([
  { failing: 0, needy: 0, words: '' },
  { failing: 2, needy: 0, words: '2 failing' },
  { failing: 0, needy: 1, words: '1 needs re-authentication' },
  { failing: 2, needy: 3, words: '2 failing, 3 need re-authentication' },
])('"$words"', ({ failing, needy, words }) => expect(illInWords(failing, needy)).toBe(words))
