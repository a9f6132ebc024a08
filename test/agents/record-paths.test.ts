import { expect, test } from 'vitest'
import { pathMeant, recordPaths, schemaPaths } from '../../src/agents/record-paths.ts'
import type { ActionDescription, EntityDescription } from '../../src/client/client.ts'
import type { JsonObject } from '../../src/language/json/json.ts'

const record: JsonObject = {
  type: 'object',
  properties: {
    key: { type: 'string' },
    fields: {
      type: ['object', 'null'],
      properties: {
        summary: { type: ['string', 'null'] },
        status: { $ref: '#/definitions/status' },
        versions: { type: 'array', items: { type: 'object', properties: { name: {} } } },
      },
    },
  },
  definitions: {
    status: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        category: { type: 'object', properties: { key: { type: 'string' } } },
      },
    },
  },
}

const create: ActionDescription = {
  action: 'create',
  summary: null,
  description: null,
  deprecated: false,
  params: {
    properties: {
      notify: { type: 'object', properties: { all: { type: 'boolean' } } },
      update: { type: 'object', properties: { labels: { type: 'array' } } },
      fields: { type: 'object', properties: { summary: { type: 'array' }, parent: {} } },
    },
  },
  result: null,
  scopes: [],
  paged: false,
  safe: false,
  idempotent: false,
}
const entity: EntityDescription = {
  entity: 'issues',
  title: null,
  description: null,
  record,
  actions: [create],
  searchFields: { fields: 'object' },
  searchPaths: ['fields.status.name', 'fields.assignee.id'],
  cursorField: null,
  keyField: null,
}

test('the paths of a schema are told with their types, three names deep, the shallow first', () => {
  expect(Object.entries(schemaPaths(record))).toEqual([
    ['key', 'string'],
    ['fields', 'object'],
    ['fields.summary', 'string'],
    ['fields.status', 'object'],
    ['fields.versions', 'array'],
    ['fields.status.name', 'string'],
    ['fields.status.category', 'object'],
    ['fields.versions.name', 'any'],
  ])
  expect(schemaPaths(null)).toEqual({})
})

test('records have what is searched by, and what is written under the name of a field', () => {
  const own = schemaPaths(record)
  expect(recordPaths(entity)).toEqual({
    ...own,
    'fields.parent': 'any',
    'fields.assignee.id': 'any',
  })
  expect(recordPaths({ ...entity, record: null })).toEqual({
    'fields.status.name': 'any',
    'fields.assignee.id': 'any',
  })
})

test('all names at the top are told, and 60 paths below', () => {
  const names = Array.from({ length: 100 }, (_, index) => `n${index}`)
  const properties = Object.fromEntries(names.map((name) => [name, {}]))
  const wide = { properties: { ...properties, all: { type: 'object', properties } } }
  expect(Object.keys(schemaPaths(wide))).toHaveLength(101 + 60)
})

test.for([
  ['summary', 'fields.summary'],
  ['key', 'key'],
  ['fields.sumary', 'fields.summary'],
  ['category', 'fields.status.category'],
  ['owner', null],
] as const)('%s means %s', ([name, want]) => expect(pathMeant(name, entity)).toBe(want))
