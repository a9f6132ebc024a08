// Where records name other records, and which values stand there.
import { expect, test } from 'vitest'
import { referencesIn, valuesAt } from '../../src/display/references.ts'

const RECORD = {
  properties: {
    id: { type: 'string' },
    owner: { type: ['string', 'null'], refers_to: 'users' },
    watchers: { type: 'array', items: { type: 'string', refers_to: 'users' } },
    parts: { type: 'array', items: { $ref: '#/definitions/part' } },
    last: { anyOf: [{ $ref: '#/definitions/part' }, { type: 'null' }] },
  },
  definitions: {
    part: {
      type: 'object',
      properties: {
        product: { type: 'integer', refers_to: 'products' },
        inner: { type: 'object', properties: { part: { type: 'string' } } },
      },
    },
  },
}

test('references stand at the top, in lists and behind references of the schema', () => {
  expect(referencesIn(RECORD)).toEqual([
    { path: ['owner'], entity: 'users' },
    { path: ['watchers'], entity: 'users' },
    { path: ['parts', 'product'], entity: 'products' },
    { path: ['last', 'product'], entity: 'products' },
  ])
})

test.for([{ schema: null }, { schema: {} }, { schema: { properties: { id: {} } } }])(
  'a schema names nothing: $schema',
  ({ schema }) => expect(referencesIn(schema)).toEqual([]),
)

test('a schema that holds itself ends', () => {
  const node = {
    properties: {
      by: { type: 'string', refers_to: 'users' },
      next: { $ref: '#/definitions/node' },
    },
  }
  const found = referencesIn({ ...node, definitions: { node } })
  expect(found.map(({ path }) => path.join('.'))).toEqual([
    'by',
    'next.by',
    'next.next.by',
    'next.next.next.by',
    'next.next.next.next.by',
    'next.next.next.next.next.by',
  ])
})

test.for([
  { path: ['owner'], want: ['u1', null] },
  { path: ['watchers'], want: ['u2', 'u3'] },
  { path: ['parts', 'product'], want: [7, 8] },
  { path: ['last', 'product'], want: [] },
  { path: ['constructor'], want: [] },
])('at $path of two records stand $want', ({ path, want }) => {
  const records = [
    { owner: 'u1', watchers: ['u2', 'u3'], parts: [{ product: 7 }, { product: 8 }] },
    { owner: null, last: null },
  ]
  expect(valuesAt<unknown>(records, path)).toEqual(want)
})
