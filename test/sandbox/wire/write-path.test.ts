import { expect, test } from 'vitest'
import { parsePath } from '../../../src/language/expression/parse-path.ts'
import type { Json } from '../../../src/language/json/json.ts'
import { writePath } from '../../../src/sandbox/wire/write-path.ts'
import type { Draft } from '../../../src/sandbox/wire/write-path.ts'

test.for<{ name: string; body?: Json; path: string; value: Json; want: Json }>([
  { name: 'the body itself', path: '$', value: [1], want: [1] },
  { name: 'members are made on the way', path: '$.a.b', value: 1, want: { a: { b: 1 } } },
  {
    name: 'members beside it stay',
    body: { a: { c: 2 } },
    path: '$.a.b',
    value: 1,
    want: { a: { c: 2, b: 1 } },
  },
  { name: 'lists are filled up', path: '$.a[1]', value: 'x', want: { a: [null, 'x'] } },
  {
    name: 'an element of a list is changed',
    body: { calls: [{ id: 1 }] },
    path: '$.calls[0].media',
    value: 'x',
    want: { calls: [{ id: 1, media: 'x' }] },
  },
  { name: 'the last element', body: { a: [1, 2] }, path: '$.a[-1]', value: 3, want: { a: [1, 3] } },
  {
    name: 'every element',
    path: '$.data[*].node',
    value: [1, 2],
    want: { data: [{ node: 1 }, { node: 2 }] },
  },
])('$name', ({ body, path, value, want }) => {
  const draft: Draft = { body, headers: {} }
  expect(writePath(draft, parsePath(path), value)).toBe(true)
  expect(draft.body).toEqual(want)
})

test('headers and links', () => {
  const draft: Draft = { body: undefined, headers: {} }
  writePath(draft, parsePath('$headers.x-next'), 'abc')
  writePath(draft, parsePath('$link.next'), 'https://example.com/?a=1')
  writePath(draft, parsePath('$link.next.results'), 'true')
  writePath(draft, parsePath('$link.prev'), 'https://example.com/')
  expect(draft).toEqual({
    body: undefined,
    headers: {
      'x-next': 'abc',
      link: '<https://example.com/?a=1>; rel="next"; results="true", <https://example.com/>; rel="prev"',
    },
  })
})

test('a path into a value of another kind is not written', () => {
  const draft: Draft = { body: { a: 'text' }, headers: {} }
  expect(writePath(draft, parsePath('$.a.b'), 1)).toBe(false)
  expect(draft.body).toEqual({ a: 'text' })
})
