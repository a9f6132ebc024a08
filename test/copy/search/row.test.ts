import { expect, test } from 'vitest'

import { isConnectorError } from '../../../src/errors.ts'
import type { Path } from '../../../src/language/expression/syntax.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import { type RowIndex, OpenedRow } from '../../../src/copy/search/opened-row.ts'
import { createRowMaker, digestOf, unusableKeyIn } from '../../../src/copy/search/row.ts'
import { bodyPath, makeLayout } from './make-layout.ts'

const layout = makeLayout({
  fields: {
    id: 'string',
    title: 'string',
    n: 'integer',
    ok: 'boolean',
    o: 'object',
    tags: 'array',
  },
  order: ['o.status'],
  substring: ['title'],
  noWords: ['secret'],
})
const make = createRowMaker({ layout, primaryKey: [bodyPath('id')] })
const indexOf = (text: string): RowIndex => new OpenedRow(layout, make(parseJson(text))).index

test('a record becomes a document, keys, folded texts and words', () => {
  const record = parseJson(
    '{"tags":["Hot","https://x.example/a b","https://x.example/a"],"id":"7","n":"12345678901234567890","title":"Élan vital","ok":"true","extra":1,"o":{"status":"Done","secret":"hidden","deep":[{"t":"two words"}],"big":12345678901234567890}}',
  )
  const row = make(record)
  const { index, terms, digest } = new OpenedRow(layout, row)
  expect(digest).toHaveLength(16)
  expect(row).toEqual({
    recordId: '7',
    parentId: null,
    doc: '{"id":"7","title":"Élan vital","n":"12345678901234567890","ok":"true","o":{"status":"Done","secret":"hidden","deep":[{"t":"two words"}],"big":12345678901234567890},"tags":["Hot","https://x.example/a b","https://x.example/a"]}',
    compared: null,
  })
  expect(index).toEqual({
    slots: ['sDone', '7', '2500201234567890123456789', 'Élan vital', null, null, null, null],
    lift: null,
    folded: '{"1":"elan vital","4":"done"}',
    sub: 'elan vital',
    mixed: 0,
  })
  expect(terms.byField).toEqual(
    new Map([
      [0, new Set(['7'])],
      [1, new Set(['elan', 'vital'])],
      [4, new Set(['done', 'two', 'words'])],
      [5, new Set(['hot', 'https', 'x', 'example', 'a', 'b'])],
    ]),
  )
})

test('a number that is taken from elsewhere is written as a number, with every digit', () => {
  const calls = makeLayout({
    fields: { meta: 'object', id: 'integer', length: 'number', name: 'string' },
    from: { id: 'meta.id', length: 'meta.length', name: 'meta.n' },
  })
  const docOf = (text: string): string =>
    createRowMaker({ layout: calls, primaryKey: [bodyPath('meta.id')] })(parseJson(text)).doc
  expect(docOf('{"meta":{"id":"8755959721862779652","length":"1.50","n":"7"}}')).toBe(
    '{"meta":{"id":"8755959721862779652","length":"1.50","n":"7"},"id":8755959721862779652,"length":1.5,"name":"7"}',
  )
  expect(docOf('{"meta":{"id":"1.5","length":"x"}}')).toBe(
    '{"meta":{"id":"1.5","length":"x"},"id":"1.5","length":"x","name":null}',
  )
  expect(docOf('{"meta":{"id":12}}')).toBe('{"meta":{"id":12},"id":12,"length":null,"name":null}')
})

test('what a path reaches more than once is told by a bit', () => {
  const index = indexOf('{"id":"1","o":[{"status":"a"},{"status":"b"}]}')
  expect([index.mixed, index.slots[0]]).toEqual([1, null])
  expect(indexOf('{"id":"1","o":{"status":null}}').mixed).toBe(0)
  expect(indexOf('{"id":"1","o":{"status":["a"]}}').mixed).toBe(1)
})

test('spelling alone is no change', () => {
  const digest = (text: string): Uint8Array => digestOf(make(parseJson(text)))
  const one = digest('{"id":"1","o":{"a":1.0,"b":[1]}}')
  expect(digest('{"o":{"b":[1],"a":1},"id":"1","title2":"x"}')).toEqual(one)
  expect(digest('{"id":"1","o":{"a":"1","b":[1]}}')).not.toEqual(one)
})

test('searchable fields that a record lacks are null, which is no change', () => {
  const bare = make(parseJson('{"id":"1"}'))
  expect(bare.doc).toBe('{"id":"1","title":null,"n":null,"ok":null,"o":null,"tags":null}')
  expect(bare.compared).toBeNull()
  const before = { doc: '{"id":"1"}', compared: null }
  expect(digestOf(bare)).toEqual(digestOf(before))
  expect(digestOf(make(parseJson('{"id":"1","title":null}')))).toEqual(digestOf(before))
  expect(digestOf(make(parseJson('{"id":"1","o":{"a":null}}')))).not.toEqual(
    digestOf(make(parseJson('{"id":"1","o":{}}'))),
  )
})

test('ignored places are no change and stay in the document', () => {
  const steps: Path['steps'] = [
    { kind: 'member', name: 'tags' },
    { kind: 'all' },
    { kind: 'member', name: 'url' },
  ]
  const ignore = [bodyPath('o.link'), { root: 'body', steps, source: '$.tags[*].url' } as const]
  const makeIgnoring = createRowMaker({ layout, primaryKey: [bodyPath('id')], ignore })
  const one = makeIgnoring(parseJson('{"id":"1","o":{"link":"a","x":1},"tags":[{"url":1,"t":2}]}'))
  const two = makeIgnoring(parseJson('{"id":"1","o":{"link":"b","x":1},"tags":[{"url":9,"t":2}]}'))
  expect(digestOf(two)).toEqual(digestOf(one))
  expect(two.doc).toBe(
    '{"id":"1","o":{"link":"b","x":1},"tags":[{"url":9,"t":2}],"title":null,"n":null,"ok":null}',
  )
})

test('values of the parent are read from it', () => {
  const fromParent: Path = {
    root: 'parent',
    steps: [{ kind: 'member', name: 'id' }],
    source: '$parent.id',
  }
  const child = {
    ...layout,
    fields: layout.fields.map((field) =>
      field.name === 'title' ? { ...field, from: fromParent } : field,
    ),
  }
  const row = createRowMaker({ layout: child, primaryKey: [bodyPath('id')] })(
    { id: '1' },
    { id: 'P1', record: { id: 'P1' } },
  )
  expect([row.doc, row.parentId]).toEqual([
    '{"id":"1","title":"P1","n":null,"ok":null,"o":null,"tags":null}',
    'P1',
  ])
})

test.for([
  { keys: ['id'], record: '{"id":12345678901234567890}', want: '12345678901234567890' },
  { keys: ['id'], record: '{"id":7.0}', want: '7' },
  { keys: ['id', 'n'], record: '{"id":"a","n":5}', want: '["a","5"]' },
])('the identity of $record is $want', ({ keys, record, want }) => {
  const maker = createRowMaker({ layout, primaryKey: keys.map(bodyPath) })
  expect(maker(parseJson(record)).recordId).toBe(want)
})

test.for([
  ['{}', 'missing'],
  ['[]', 'missing'],
  ['null', 'missing'],
  ['{"id":null}', 'null'],
  ['{"id":""}', 'empty'],
  ['{"id":{}}', 'not_scalar'],
  ['{"id":true}', 'not_scalar'],
  ['{"id":1.5}', 'not_integer'],
  ['{"id":0.30000000000000000001}', 'not_integer'],
  [`{"id":"${'é'.repeat(501)}"}`, 'too_long'],
  ['{"id":"\\u0000"}', 'not_text'],
  ['{"id":"\\ud800"}', 'not_text'],
] as const)('of a record without an identity no row is made: %s is %s', ([record, reason]) => {
  expect.assertions(2)
  try {
    make(parseJson(record))
  } catch (error) {
    expect(unusableKeyIn(error)).toEqual({ path: '$.id', reason })
    expect(isConnectorError(error, 'upstream_malformed')).toBe(true)
  }
})

test('of several parts of a key the one that cannot be used is named', () => {
  const maker = createRowMaker({ layout, primaryKey: ['id', 'n'].map(bodyPath) })
  const reasons = ['{"id":"a"}', `{"id":"${'a'.repeat(900)}","n":"${'b'.repeat(900)}"}`].map(
    (text) => {
      try {
        return maker(parseJson(text)).recordId
      } catch (error) {
        return unusableKeyIn(error)
      }
    },
  )
  expect(reasons).toEqual([
    { path: '$.n', reason: 'missing' },
    { path: '$.id', reason: 'too_long' },
  ])
})
