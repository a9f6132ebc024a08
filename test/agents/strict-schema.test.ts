import { describe, expect, test } from 'vitest'
import { strictSchema } from '../../src/agents/strict-schema.ts'
import type { Json } from '../../src/language/json/json.ts'

test('optional members are required and may be null, other keywords become words', () => {
  const { schema } = strictSchema({
    type: 'object',
    required: ['id'],
    additionalProperties: false,
    properties: {
      id: { type: 'string', maxLength: 8, pattern: '^[a-z]+$' },
      size: { type: 'integer', minimum: 1, default: 50, description: 'Page size.' },
      kind: { enum: ['a', 'b'] },
      when: { type: 'string', format: 'byte' },
      none: { enum: [null] },
    },
  })
  expect(schema).toEqual({
    type: 'object',
    properties: {
      id: { type: 'string', description: '(at most 8 characters)', pattern: '^[a-z]+$' },
      size: { type: ['integer', 'null'], description: 'Page size. (default 50)', minimum: 1 },
      kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
      when: { type: ['string', 'null'] },
      none: {
        description: 'null leaves it out; {"set_null": true} sends null.',
        anyOf: [
          { type: 'null', enum: [null] },
          expect.objectContaining({ type: 'object', required: ['set_null'] }),
          { type: 'null' },
        ],
      },
    },
    required: ['id', 'size', 'kind', 'when', 'none'],
    additionalProperties: false,
  })
})

describe('what a model writes comes back as what the action takes', () => {
  const member = (schema: Json, isRequired = false): ((value: Json) => Json) => {
    const { decode } = strictSchema({
      type: 'object',
      properties: { m: schema },
      additionalProperties: false,
      ...(isRequired ? { required: ['m'] } : {}),
    })
    return (value) => decode({ m: value }, '')
  }
  const open = { type: 'object', properties: { id: { type: 'string' } } }

  test.for<{ name: string; schema: Json; isRequired?: boolean; given: Json; want: Json }>([
    { name: 'null leaves out', schema: { type: 'string' }, given: null, want: {} },
    {
      name: 'null of a required member is null',
      schema: { type: ['string', 'null'] },
      isRequired: true,
      given: null,
      want: { m: null },
    },
    {
      name: 'null leaves out where null is a value',
      schema: { type: ['string', 'null'] },
      given: null,
      want: {},
    },
    {
      name: 'null alone as a value',
      schema: { enum: [null] },
      given: { set_null: true },
      want: { m: null },
    },
    {
      name: 'the marker is null where null is a value',
      schema: { type: ['string', 'null'] },
      given: { set_null: true },
      want: { m: null },
    },
    {
      name: 'an object with others',
      schema: open,
      given: { id: 'x', other_members: '{"b":[1]}' },
      want: { m: { id: 'x', b: [1] } },
    },
    {
      name: 'an object without others',
      schema: open,
      given: { id: null, other_members: null },
      want: { m: {} },
    },
    {
      name: 'an open object as text',
      schema: { type: 'object' },
      given: '{"a":null}',
      want: { m: { a: null } },
    },
    { name: 'any value as text', schema: {}, given: '[1,"x"]', want: { m: [1, 'x'] } },
    {
      name: 'objects in lists',
      schema: { type: 'array', items: open },
      given: [{ id: 'x', other_members: '{"y":2}' }],
      want: { m: [{ id: 'x', y: 2 }] },
    },
    {
      name: 'an object or text',
      schema: { ...open, type: ['object', 'string'] },
      given: { id: 'x', other_members: null },
      want: { m: { id: 'x' } },
    },
  ])('$name', ({ schema, isRequired, given, want }) => {
    expect(member(schema, isRequired)(given)).toEqual(want)
  })

  test('text that is no JSON is a problem at its place', () => {
    expect(() => member({ type: 'object' })('not json')).toThrow(
      expect.objectContaining({
        code: 'params_invalid',
        errors: [
          { pointer: '/m', code: 'json', detail: 'must be JSON text, such as {"name": "x"}' },
        ],
      }),
    )
  })
})
