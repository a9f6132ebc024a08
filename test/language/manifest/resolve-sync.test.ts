import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/language/json/json.ts'
import type { Entity } from '../../../src/language/manifest/manifest.ts'
import { body, constant, manifestOf } from './resolved.ts'

const record = {
  properties: {
    id: { type: 'string' },
    count: { type: ['integer', 'null'] },
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    inner: { $ref: '#/shapes/inner' },
    tags: { type: ['array', 'null'], items: { type: 'string' } },
  },
}
const shapes = { inner: { type: 'object', properties: {} } }
const list = {
  params: {
    properties: {
      from: { type: 'string' },
      filter: { type: 'object' },
      'time.to': { type: 'string' },
    },
  },
  request: { http: 'GET /x' },
  response: { records: '$' },
}

function entityOf(parts: Readonly<Record<string, unknown>>): Entity {
  const sync = { primary_key: 'id', action: 'list' }
  const entities = { things: { record, actions: { list }, sync, ...parts } }
  const [entity] = manifestOf({ shapes, entities }).entities
  if (entity === undefined) throw new Error('there is one entity')
  return entity
}

const fieldsOf = (search: JsonObject): unknown =>
  entityOf({ search }).search?.fields.map(
    ({ name, type, from }) => `${name}: ${type} ${from.source}`,
  )

test.for([
  {
    name: 'all',
    search: { fields: 'all' },
    want: [
      'id: string $.id',
      'count: integer $.count',
      'ratio: number $.ratio',
      'on: boolean $.on',
      'inner: object $.inner',
      'tags: array $.tags',
    ],
  },
  {
    name: 'a list',
    search: { fields: ['count', 'id'] },
    want: ['count: integer $.count', 'id: string $.id'],
  },
  {
    name: 'by type',
    search: { fields: { string: ['a', 'b'], array: ['c'] } },
    want: ['a: string $.a', 'b: string $.b', 'c: array $.c'],
  },
  {
    name: 'added and of another type',
    search: { fields: ['id', 'ratio'], add: { integer: ['id', 'big'] } },
    want: ['id: integer $.id', 'ratio: number $.ratio', 'big: integer $.big'],
  },
  {
    name: 'from elsewhere',
    search: {
      fields: ['id'],
      add: { string: ['owner', 'parentId'] },
      from: { owner: '$.inner.owner', parentId: '$parent.id' },
    },
    want: ['id: string $.id', 'owner: string $.inner.owner', 'parentId: string $parent.id'],
  },
])('search fields: $name', ({ search, want }) => {
  expect(fieldsOf(search)).toEqual(want)
})

test('what should be fast', () => {
  const index = { order: ['inner.a'], substring: ['id'], no_words: ['tags'] }
  expect(entityOf({ search: { fields: 'all', index } }).search?.index).toEqual({
    order: ['inner.a'],
    substring: ['id'],
    noWords: ['tags'],
  })
  expect(entityOf({ search: { fields: 'all' } }).search?.index).toEqual({
    order: [],
    substring: [],
    noWords: [],
  })
})

test('a sync that says little', () => {
  expect(entityOf({}).sync).toEqual({
    everyMs: null,
    primaryKey: [body('id', 'id')],
    action: 'list',
    params: constant({}),
    cursor: null,
    parent: null,
    each: null,
    fullMs: null,
    ignore: [],
    reconcile: null,
  })
})

test('a sync that says everything', () => {
  const sync = {
    every: '6h',
    primary_key: ['id', '$.inner.id'],
    action: 'list',
    params: { filter: { $if: '{{ cursor.since }}', $value: ['{{ cursor.since }}'] }, n: 100 },
    cursor: {
      field: '$.inner.updated',
      since: 'filter.from',
      until: 'time.to',
      format: 'epoch_s',
      inclusive: true,
      start: 'P36M',
      window: 'P1D',
      lookback: 'PT5M',
      newest_first: true,
    },
    parent: { entity: 'others', bind: { from: '$.id' }, changed_only: true },
    each: { from: '{{ config.ids }}' },
    full: 'P2D',
    ignore: ['tags', '$.inner.link'],
    reconcile: { every: 'P1D', params: { n: 500 } },
  }
  const since = { kind: 'value', expression: { kind: 'path', root: 'cursor', path: ['since'] } }
  expect(entityOf({ sync }).sync).toEqual({
    everyMs: 21_600_000,
    primaryKey: [body('id', 'id'), body('$.inner.id', 'inner', 'id')],
    action: 'list',
    params: {
      kind: 'object',
      members: [
        [
          'filter',
          {
            kind: 'when',
            test: { kind: 'path', root: 'cursor', path: ['since'] },
            value: { kind: 'array', items: [since] },
          },
        ],
        ['n', constant(100)],
      ],
    },
    cursor: {
      field: body('$.inner.updated', 'inner', 'updated'),
      since: ['filter', 'from'],
      until: ['time.to'],
      format: 'epoch_s',
      inclusive: true,
      start: 'P36M',
      windowMs: 86_400_000,
      lookbackMs: 300_000,
      newestFirst: true,
    },
    parent: {
      entity: 'others',
      bind: [{ param: ['from'], from: body('$.id', 'id') }],
      changedOnly: true,
    },
    each: {
      param: ['from'],
      values: { kind: 'value', expression: { kind: 'path', root: 'config', path: ['ids'] } },
    },
    fullMs: 172_800_000,
    ignore: [body('tags', 'tags'), body('$.inner.link', 'inner', 'link')],
    reconcile: { everyMs: 86_400_000, params: constant({ n: 500 }) },
  })
})

test('where a cursor exists, everything is read again every week', () => {
  const sync = { primary_key: 'id', action: 'list', cursor: { field: 'count' } }
  expect(entityOf({ sync }).sync).toMatchObject({
    fullMs: 604_800_000,
    cursor: {
      since: null,
      until: null,
      format: 'iso',
      inclusive: false,
      start: null,
      windowMs: null,
      lookbackMs: null,
      newestFirst: false,
    },
    reconcile: null,
  })
})
