import { expect, test } from 'vitest'
import { formatPath } from '../../../src/language/manifest/document.ts'
import { readDocument } from '../../../src/language/manifest/read.ts'

const text = `
a: one
b:
  c: "say \\"hi\\" {{ x }}"
  d: 'it''s {{ y }}'
e: [1, { f: two }]
g:
  - h: 1
    i: >
      folded
j: "\\U0001F600{{ z }}"
k:
`.trimStart()

const { document } = readDocument(text, 'x.yaml')
if (document === null) throw new Error('the document of this test is valid')

test.for<{
  name: string
  at: readonly (string | number)[]
  part?: 'key'
  inner?: [number, number]
  want: [number, number, number]
}>([
  { name: 'a value', at: ['a'], want: [1, 4, 3] },
  { name: 'a key', at: ['a'], part: 'key', want: [1, 1, 1] },
  { name: 'a block map at its key', at: ['b'], want: [2, 1, 1] },
  { name: 'a flow list', at: ['e'], want: [5, 4, 15] },
  { name: 'an element', at: ['e', 0], want: [5, 5, 1] },
  { name: 'a value in a flow map', at: ['e', 1, 'f'], want: [5, 13, 3] },
  { name: 'a block map in a list at its first line', at: ['g', 0], want: [7, 5, 4] },
  { name: 'a text over several lines', at: ['g', 0, 'i'], want: [8, 8, 1] },
  { name: 'a value that was left out at its key', at: ['k'], want: [11, 1, 1] },
  {
    name: 'a place that does not exist at its nearest parent',
    at: ['b', 'nothing', 'here'],
    want: [2, 1, 1],
  },
  { name: 'the document', at: [], want: [1, 1, 6] },
  { name: 'a piece behind escapes', at: ['b', 'c'], inner: [9, 7], want: [3, 18, 7] },
  { name: 'a piece behind a doubled quote', at: ['b', 'd'], inner: [5, 7], want: [4, 13, 7] },
  { name: 'a piece behind a character of two units', at: ['j'], inner: [2, 7], want: [10, 15, 7] },
  {
    name: 'a piece of a text over several lines as the whole',
    at: ['g', 0, 'i'],
    inner: [0, 3],
    want: [8, 8, 1],
  },
])('locates $name', ({ at, part, inner, want: [line, column, length] }) => {
  const span = inner === undefined ? undefined : { offset: inner[0], length: inner[1] }
  expect(document.locate(at, part, span)).toEqual({ line, column, length })
})

test('a path in words', () => {
  expect(formatPath([])).toBe('')
  expect(formatPath(['entities', 'calls', 'query', 0, '$.errors[*]', 'a b', 'x-y'])).toBe(
    'entities.calls.query[0]["$.errors[*]"]["a b"].x-y',
  )
})
