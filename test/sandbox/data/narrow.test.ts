import { expect, test } from 'vitest'
import type { Json } from '../../../src/json/json.ts'
import { TESTS, withoutRelativeTime } from '../../../src/sandbox/data/narrow.ts'
import type { FilterTest } from '../../../src/sandbox/data/narrow.ts'

test.for<{ value: Json; test: FilterTest; wanted: Json; ignoreCase?: boolean; want: boolean }>([
  { value: '7', test: 'is', wanted: 7, want: true },
  { value: 'Done', test: 'is', wanted: 'done', want: false },
  { value: 'Done', test: 'is', wanted: 'done', ignoreCase: true, want: true },
  { value: 'a', test: 'is', wanted: ['a', 'b'], want: true },
  { value: ['a', 'c'], test: 'is', wanted: 'c', want: true },
  { value: null, test: 'is', wanted: 'null', want: false },
  { value: 'a', test: 'not', wanted: ['b'], want: true },
  { value: 'Oil the hinge', test: 'contains', wanted: 'HINGE', ignoreCase: true, want: true },
  { value: 'Oil the hinge', test: 'starts', wanted: 'Oil', want: true },
  { value: 10, test: 'gt', wanted: 9, want: true },
  { value: '10', test: 'gt', wanted: '9', want: true },
  { value: '9007199254740993', test: 'gt', wanted: '9007199254740992', want: true },
  { value: '2026-01-01T10:00:00+02:00', test: 'lt', wanted: '2026-01-01T09:00:00Z', want: true },
  { value: '2026-01-01T10:00:00.000+0000', test: 'gte', wanted: '2026-01-01 10:00', want: true },
  { value: '2026-01-02T00:00:00Z', test: 'gte', wanted: '2026-01-02', want: true },
  { value: 1.5, test: 'lte', wanted: 1.25, want: false },
  { value: null, test: 'lt', wanted: 5, want: false },
])('$value $test $wanted is $want', ({ value, test: name, wanted, ignoreCase = false, want }) =>
  expect(TESTS[name](value, wanted, ignoreCase)).toBe(want),
)

test('a relative time counts from now', () => {
  const now = Date.parse('2026-01-10T12:00:00Z')
  expect(
    ['-7d', '-2h', '1w', '-30m', '2026-01-01', 'x'].map((value) => withoutRelativeTime(value, now)),
  ).toEqual([
    '2026-01-03T12:00:00.000Z',
    '2026-01-10T10:00:00.000Z',
    '2026-01-17T12:00:00.000Z',
    '2026-01-10T11:30:00.000Z',
    '2026-01-01',
    'x',
  ])
})
