import { expect, test } from 'vitest'
import { readSelection } from '../../../src/sandbox/data/choose-members.ts'

test.for([
  { text: 'id', want: [['id']] },
  { text: 'id, name', want: [['id'], ['name']] },
  { text: 'id,creative{id,name}', want: [['id'], ['creative', 'id'], ['creative', 'name']] },
  { text: 'a{b{c},d},e', want: [['a', 'b', 'c'], ['a', 'd'], ['e']] },
  { text: 'ads.limit(3){id},id', want: [['ads', 'id'], ['id']] },
  {
    text: 'insights.time_range({"since":"a","until":"b"}){spend}',
    want: [['insights', 'spend']],
  },
  { text: '', want: [] },
])('$text', ({ text, want }) => {
  expect(readSelection(text)).toEqual(want)
})
