import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/language/json/json.ts'
import type { InputSchema } from '../../../src/language/manifest/manifest.ts'
import { actionOf, body, manifestOf } from './resolved.ts'

const GET = { http: 'GET /x' }

function paramsOf(params: JsonObject, shapes: JsonObject = {}): InputSchema {
  return actionOf('get', { params, request: GET }, { shapes }).params
}

function alternative(name: string): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    required: [name],
    properties: { [name]: { type: 'string', writeOnly: true } },
  }
}

const NOTHING = { aliases: [], defaults: [], secrets: [], deprecated: [] }

describe('what a caller gives', () => {
  test('is an object, closed at the top and open inside', () => {
    const params = {
      required: ['a'],
      properties: { a: { type: 'object', properties: { b: { type: 'integer' } } } },
    }
    expect(paramsOf(params)).toEqual({
      ...NOTHING,
      schema: {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'object', properties: { b: { type: 'integer' } } } },
        additionalProperties: false,
      },
    })
  })

  test('P6 texts with a pattern or format and all lists have a limit', () => {
    const properties = {
      plain: { type: 'string' },
      pattern: { type: 'string', pattern: '^a' },
      format: { type: ['string', 'null'], format: 'date' },
      short: { type: 'string', pattern: '^a', maxLength: 5 },
      list: { type: 'array', items: { type: 'string', format: 'uuid' } },
      few: { type: 'array', maxItems: 3 },
    }
    expect(paramsOf({ properties }).schema['properties']).toEqual({
      plain: { type: 'string' },
      pattern: { type: 'string', pattern: '^a', maxLength: 4096 },
      format: { type: ['string', 'null'], format: 'date', maxLength: 4096 },
      short: { type: 'string', pattern: '^a', maxLength: 5 },
      list: {
        type: 'array',
        items: { type: 'string', format: 'uuid', maxLength: 4096 },
        maxItems: 10_000,
      },
      few: { type: 'array', maxItems: 3 },
    })
  })

  test('a reference at the top is replaced by a copy, through other references, and closed', () => {
    const shapes = {
      first: { $ref: '#/shapes/second' },
      second: {
        type: 'object',
        description: 'Both.',
        properties: { a: { $ref: '#/shapes/third' } },
      },
      third: { type: 'string', enum: ['x', 'y'] },
    }
    expect(paramsOf({ $ref: '#/shapes/first' }, shapes).schema).toEqual({
      type: 'object',
      description: 'Both.',
      properties: { a: { $ref: '#/definitions/shape_third' } },
      additionalProperties: false,
    })
  })

  test('other names, also of a shape', () => {
    const shapes = { user: { type: 'string', aliases: ['mail', 'email'] } }
    const properties = {
      user: { $ref: '#/shapes/user' },
      key: { type: 'string', aliases: ['api_key'] },
    }
    const { schema, aliases } = paramsOf({ properties }, shapes)
    expect(aliases).toEqual([
      { alias: 'mail', name: 'user' },
      { alias: 'email', name: 'user' },
      { alias: 'api_key', name: 'key' },
    ])
    expect(schema['properties']).toEqual({
      user: { $ref: '#/definitions/shape_user' },
      key: { type: 'string' },
    })
  })

  test('defaults at any depth, the outer ones first, and from settings', () => {
    const shapes = { limit: { type: 'integer', default: 10 } }
    const properties = {
      account: { type: 'string', default_from: '{{ first config.ids }}' },
      filter: {
        type: 'object',
        default: {},
        properties: { limit: { $ref: '#/shapes/limit' }, on: { type: 'boolean', default: false } },
      },
      maybe: { anyOf: [{ $ref: '#/shapes/holder' }, { type: 'null' }] },
    }
    const holder = { type: 'object', properties: { n: { type: 'integer', default: 1 } } }
    expect(paramsOf({ properties }, { ...shapes, holder }).defaults).toEqual([
      {
        at: ['account'],
        from: {
          kind: 'value',
          expression: {
            kind: 'call',
            helper: 'first',
            args: [{ kind: 'path', root: 'config', path: ['ids'] }],
          },
        },
      },
      { at: ['filter'], value: {} },
      { at: ['filter', 'limit'], value: 10 },
      { at: ['filter', 'on'], value: false },
      { at: ['maybe', 'n'], value: 1 },
    ])
  })

  test('secrets and what is deprecated, by place', () => {
    const { auth, config } = manifestOf({
      config: { properties: { token: { type: 'string', writeOnly: true } } },
      auth: {
        key: {
          credentials: {
            properties: {
              key: { type: 'string', writeOnly: true },
              old: { type: 'string', deprecated: true },
              inner: {
                type: 'object',
                properties: { secret: { type: 'string', writeOnly: true } },
              },
            },
          },
          apply: { bearer: '{{ credentials.key }}' },
        },
      },
    })
    expect(auth[0]?.credentials).toMatchObject({
      secrets: [['key'], ['inner', 'secret']],
      deprecated: [['old']],
    })
    expect(config.secrets).toEqual([['token']])
  })

  test('keywords of the one reference that may be null are those of the member; secrets of alternatives are all secrets', () => {
    const account = { type: 'string', default: 'a', deprecated: true }
    const shapes = { account, a: alternative('a'), b: alternative('b') }
    const properties = {
      account: { anyOf: [{ $ref: '#/shapes/account' }, { type: 'null' }] },
      either: { oneOf: [{ $ref: '#/shapes/a' }, { $ref: '#/shapes/b' }] },
    }
    expect(paramsOf({ properties }, shapes)).toMatchObject({
      defaults: [{ at: ['account'], value: 'a' }],
      deprecated: [['account']],
      secrets: [
        ['either', 'a'],
        ['either', 'b'],
      ],
    })
  })

  test('nothing, where a manifest says nothing', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false }
    expect(manifestOf().config).toEqual({ ...NOTHING, schema })
  })
})

test('shapes and records become definitions', () => {
  const { definitions, entities } = manifestOf({
    shapes: {
      node: {
        type: 'object',
        properties: { inside: { type: 'array', items: { $ref: '#/shapes/node' } } },
      },
    },
    entities: {
      things: {
        record: {
          properties: { id: { type: 'string', pattern: '^x' }, nodes: { $ref: '#/shapes/node' } },
        },
        actions: {
          get: {
            request: GET,
            result: {
              properties: { all: { type: 'array', items: { $ref: '#/entities/things/record' } } },
            },
          },
        },
      },
    },
  })
  expect(definitions).toEqual({
    shape_node: {
      type: 'object',
      properties: {
        inside: { type: 'array', items: { $ref: '#/definitions/shape_node' }, maxItems: 10_000 },
      },
    },
    record_things: {
      type: 'object',
      properties: {
        id: { type: 'string', pattern: '^x', maxLength: 4096 },
        nodes: { $ref: '#/definitions/shape_node' },
      },
    },
  })
  // What the vendor sends has no limits of ours.
  expect(entities[0]?.record).toEqual({
    type: 'object',
    properties: {
      id: { type: 'string', pattern: '^x' },
      nodes: { $ref: '#/definitions/shape_node' },
    },
  })
  expect(entities[0]?.recordFields).toEqual(['id', 'nodes'])
  expect(entities[0]?.actions[0]?.result).toEqual({
    type: 'object',
    properties: { all: { type: 'array', items: { $ref: '#/definitions/record_things' } } },
  })
})

describe('casts', () => {
  const record = {
    properties: {
      id: { type: 'string', format: 'int64' },
      name: { type: ['string', 'null'] },
      mixed: { type: ['string', 'integer'] },
      count: { type: 'integer' },
      any: {},
      inner: { type: 'object', properties: { a: { type: 'string' } } },
      list: { type: 'array', items: { type: 'string', format: 'int64' } },
      rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
      values: { type: 'object', additionalProperties: { type: 'string' } },
      node: { $ref: '#/shapes/node' },
      'odd key': { type: 'string' },
    },
  }
  const shapes = {
    node: {
      type: 'object',
      properties: { id: { type: 'string' }, inside: { $ref: '#/shapes/node' } },
    },
  }
  const casts = (action: JsonObject, name = 'get'): unknown =>
    actionOf(name, { request: GET, ...action }, { shapes }, { record }).response.casts.map(
      ({ at, always }) => `${at.source}${always ? ' always' : ''}`,
    )
  const ALL = [
    '$.id always',
    '$.name',
    '$.inner.a',
    '$.list[*] always',
    '$.rows[*].id',
    '$.values[*]',
    '$.node.id',
    "$['odd key']",
  ]

  test('are the texts of the record, nested ones included; mixed members stay as they come', () => {
    expect(casts({})).toEqual(ALL)
  })

  test('are those of the result where there is one, but a page object is no record', () => {
    const result = { properties: { key: { type: 'string', format: 'int64' } } }
    expect(casts({ result })).toEqual(['$.key always'])
    expect(casts({ result, response: { records: '$' } }, 'list')).toEqual(['$.key always'])
    expect(casts({ result, response: { records: '$.a', page: '$' } }, 'list')).toEqual(ALL)
  })

  test('are none where nothing is delivered', () => {
    expect(casts({}, 'delete')).toEqual([])
    expect(casts({}, 'download')).toEqual([])
  })

  test('lead where they say', () => {
    const [first] = actionOf(
      'get',
      { request: GET },
      {},
      { record: { properties: { a: { type: 'array', items: { type: 'string' } } } } },
    ).response.casts
    expect(first).toEqual({ at: body('$.a[*]', 'a', '*'), always: false })
  })
})
