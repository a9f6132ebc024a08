import { expect, test } from 'vitest'
import { plainSchema } from '../../src/agents/plain-schema.ts'

test.for([
  {
    name: 'a reference is replaced by its target',
    given: {
      type: 'object',
      properties: { id: { $ref: '#/definitions/shape_id' } },
      definitions: { shape_id: { type: 'string', maxLength: 8 } },
    },
    want: { type: 'object', properties: { id: { type: 'string', maxLength: 8 } } },
  },
  {
    name: 'references inside of a target, of lists and of other members are replaced too',
    given: {
      properties: { list: { type: 'array', items: { $ref: '#/definitions/a' } } },
      additionalProperties: { $ref: '#/definitions/b' },
      definitions: { a: { properties: { b: { $ref: '#/definitions/b' } } }, b: { type: 'null' } },
    },
    want: {
      properties: { list: { type: 'array', items: { properties: { b: { type: 'null' } } } } },
      additionalProperties: { type: 'null' },
    },
  },
  {
    name: 'a shape that holds itself is written out twice, then only its type is told',
    given: {
      properties: { node: { $ref: '#/definitions/node' } },
      definitions: {
        node: { type: 'object', properties: { child: { $ref: '#/definitions/node' } } },
      },
    },
    want: {
      properties: {
        node: {
          type: 'object',
          properties: { child: { type: 'object', properties: { child: { type: 'object' } } } },
        },
      },
    },
  },
  {
    name: 'data that looks like a reference stays, and so does a member of that name',
    given: {
      properties: {
        $ref: { type: 'string' },
        a: { enum: [{ $ref: 'x' }], default: { $ref: 'x' } },
      },
    },
    want: {
      properties: {
        $ref: { type: 'string' },
        a: { enum: [{ $ref: 'x' }], default: { $ref: 'x' } },
      },
    },
  },
])('$name', ({ given, want }) => expect(plainSchema(given)).toEqual(want))
