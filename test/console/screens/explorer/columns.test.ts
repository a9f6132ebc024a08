// The records in an answer, and their cells.
import { expect, test } from 'vitest'
import { cellText, recordsIn } from '../../../../src/console/screens/explorer/columns.ts'

test.for([
  { name: 'a list is its records', data: [{ id: 1 }], paged: true, want: [{ id: 1 }] },
  {
    name: 'a page object is its only list',
    data: { startAt: 0, values: [{ id: 1 }, { id: 2 }] },
    paged: true,
    want: [{ id: 1 }, { id: 2 }],
  },
  {
    name: 'a record with a list is one record',
    data: { id: 1, labels: ['a'] },
    paged: false,
    want: [{ id: 1, labels: ['a'] }],
  },
  { name: 'nothing is nothing', data: null, paged: false, want: null },
])('$name', ({ data, paged, want }) => expect(recordsIn(data, paged)).toEqual(want))

test.for([
  { given: undefined, want: '' },
  { given: null, want: 'null' },
  { given: 2056412393452171628n, want: '2056412393452171628' },
  { given: ['a', 'b'], want: 'a, b' },
  { given: [{ id: 1 }, { id: 2 }], want: '2 items' },
  { given: { id: 5, name: 'Open' }, want: 'Open' },
  { given: { a: true, b: true }, want: '2 members' },
])('a cell shows $want', ({ given, want }) => expect(cellText(given)).toBe(want))
