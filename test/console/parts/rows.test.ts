// What a browser saves of rows, how moments are read, and how JSON folds.
import { expect, test } from 'vitest'
import { firstDepth, linesOf, pathsAbove, pathsWith } from '../../../src/console/parts/json-tree.ts'
import { exactMoment, localMoment } from '../../../src/console/parts/moment.ts'
import { csvOf } from '../../../src/console/parts/save-rows.ts'

test('CSV quotes what must be, keeps all digits, and runs nothing as a formula', () => {
  const columns = ['id', 'name', 'tags'].map((title) => ({
    title,
    value: (row: Record<string, string | bigint | readonly string[]>) => row[title],
  }))
  expect(
    csvOf(columns, [
      { id: 2056412393452171628n, name: 'a "b", c\nd', tags: ['x', 'y'] },
      { id: -1n, name: '=1+1' },
    ]),
  ).toBe(
    '\uFEFFid,name,tags\r\n2056412393452171628,"a ""b"", c\nd","[""x"",""y""]"\r\n-1,\'=1+1,\r\n',
  )
})

test.for([
  { given: '2026-11-01T12:30:00.000+0000', is: true },
  { given: '2026-11-01T12:30:00Z', is: true },
  { given: '2026-11-01', is: false },
  { given: '2026-99-01T12:30:00Z', is: false },
  { given: 1790000000, is: false },
])('$given is shown as a moment: $is', ({ given, is }) => {
  expect(localMoment(given) !== null).toBe(is)
  if (is) expect(exactMoment(given)).toBe(given)
})

const VALUE = { data: [{ id: 1, 'a b': { name: 'Oil the hinge' } }], none: null }

test('lines fold at their paths', () => {
  const paths = (isOpen: (path: string, level: number) => boolean): readonly string[] =>
    linesOf(VALUE, isOpen).map(({ path }) => path)
  expect(paths(() => true)).toEqual([
    '$',
    '$.data',
    '$.data[0]',
    '$.data[0].id',
    '$.data[0]["a b"]',
    '$.data[0]["a b"].name',
    '$.none',
  ])
  expect(paths((path) => path !== '$.data')).toEqual(['$', '$.data', '$.none'])
  expect(firstDepth(VALUE)).toBe(Number.POSITIVE_INFINITY)
  expect(firstDepth(Array.from({ length: 5000 }, () => 1))).toBe(2)
})

test('names and values are found, with what they are in', () => {
  expect(pathsWith(VALUE, 'HINGE', 10)).toEqual(['$.data[0]["a b"].name'])
  expect(pathsWith(VALUE, 'a', 2)).toEqual(['$.data', '$.data[0]["a b"]'])
  expect(pathsAbove('$.data[0]["a b"].name')).toEqual([
    '$',
    '$.data',
    '$.data[0]',
    '$.data[0]["a b"]',
  ])
})
