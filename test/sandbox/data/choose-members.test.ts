import { expect, test } from 'vitest'
import { readSelection, type Selection } from '../../../src/sandbox/data/choose-members.ts'

function plain(selection: Selection): object {
  return Object.fromEntries(
    [...selection].map(([name, inside]) => [name, inside === null ? null : plain(inside)]),
  )
}

test.for([
  { text: 'id', want: { id: null } },
  { text: 'id, name', want: { id: null, name: null } },
  { text: 'id,creative{id,name}', want: { id: null, creative: { id: null, name: null } } },
  { text: 'a{b{c},d},e', want: { a: { b: { c: null }, d: null }, e: null } },
  { text: 'ads.limit(3){id},id', want: { ads: { id: null }, id: null } },
  {
    text: 'insights.time_range({"since":"a","until":"b"}){spend}',
    want: { insights: { spend: null } },
  },
  { text: '', want: {} },
])('$text', ({ text, want }) => {
  expect(plain(readSelection(text))).toEqual(want)
})
