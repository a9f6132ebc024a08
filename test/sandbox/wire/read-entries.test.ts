import { expect, test } from 'vitest'
import { parseTemplate } from '../../../src/language/expression/parse-text.ts'
import type { Json } from '../../../src/language/json/json.ts'
import type { Entry, Style } from '../../../src/language/manifest/manifest.ts'
import { Reader } from '../../../src/sandbox/wire/read-back.ts'
import { readEntries } from '../../../src/sandbox/wire/read-entries.ts'
import { readPairs } from '../../../src/sandbox/wire/wire-request.ts'

function entry(name: string, template: string, style: Style): Entry {
  return { name, value: parseTemplate(template), style }
}

test.for<{ name: string; style: Style; query: string; want: Json }>([
  { name: 'one value is a text', style: 'repeat', query: 'a=1', want: '1' },
  { name: 'repeated values are a list', style: 'repeat', query: 'a=1&a=2', want: ['1', '2'] },
  { name: 'a separated list stays one text', style: 'csv', query: 'a=1%2C2', want: '1,2' },
  { name: 'empty brackets are a list', style: 'brackets', query: 'a[]=1&a[]=2', want: ['1', '2'] },
  {
    name: 'names in brackets are an object',
    style: 'brackets',
    query: 'a[x]=1&a[y]=2',
    want: { x: '1', y: '2' },
  },
  {
    name: 'indices are a list of what is below them',
    style: 'indices',
    query: 'a[0][k]=1&a[1][k]=2',
    want: [{ k: '1' }, { k: '2' }],
  },
  { name: 'a plus is a blank', style: 'repeat', query: 'a=x+y', want: 'x y' },
  { name: 'an escaped plus is a plus', style: 'repeat', query: 'a=%2Bcreated', want: '+created' },
])('$name', ({ style, query, want }) => {
  const reader = new Reader({})
  readEntries(reader, [entry('a', '{{ params.a }}', style)], readPairs(query) ?? [])
  expect(reader.readings.map(({ value }) => value)).toEqual([want])
  expect(reader.problems).toEqual([])
})

test('unknown names and missing constants are problems; names of others are not', () => {
  const reader = new Reader({})
  const entries = [entry('a', '{{ params.a }}', 'repeat'), entry('v', '2', 'repeat')]
  readEntries(
    reader,
    entries,
    [
      ['b', '1'],
      ['api_key', 's'],
    ],
    new Set(['api_key']),
  )
  expect(reader.problems).toEqual([
    { field: 'v', message: 'is missing' },
    { field: 'b', message: 'is unknown' },
  ])
})

test('a question mark at the beginning belongs to the first name', () => {
  expect(readPairs('?a=1')).toEqual([['?a', '1']])
})

test('broken percent encoding is no query', () => {
  expect(readPairs('a=%zz')).toBeNull()
})
