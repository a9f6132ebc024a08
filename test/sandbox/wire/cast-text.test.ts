import { expect, test } from 'vitest'
import type { Json } from '../../../src/language/json/json.ts'
import type { JsonSchema, Style } from '../../../src/language/manifest/manifest.ts'
import { castText } from '../../../src/sandbox/wire/cast-text.ts'

const definitions = { shape_page: { type: 'integer' } }

test.for<{ name: string; given: Json; schema: JsonSchema | null; style?: Style; want: Json }>([
  { name: 'an integer', given: '50', schema: { type: 'integer' }, want: 50 },
  {
    name: 'through a reference',
    given: '50',
    schema: { $ref: '#/definitions/shape_page' },
    want: 50,
  },
  { name: 'no number stays text', given: 'abc', schema: { type: 'integer' }, want: 'abc' },
  { name: 'a boolean', given: 'true', schema: { type: 'boolean' }, want: true },
  { name: 'text stays text', given: '50', schema: { type: 'string' }, want: '50' },
  {
    name: 'text or number stays text',
    given: '50',
    schema: { type: ['integer', 'string'] },
    want: '50',
  },
  {
    name: 'one value of a list',
    given: '1',
    schema: { type: 'array', items: { type: 'integer' } },
    want: [1],
  },
  {
    name: 'repeated values',
    given: ['1', '2'],
    schema: { type: 'array', items: { type: 'integer' } },
    want: [1, 2],
  },
  {
    name: 'a separated list',
    given: '1|2',
    style: 'pipe',
    schema: { type: 'array', items: { type: 'integer' } },
    want: [1, 2],
  },
  {
    name: 'a list as JSON',
    given: '[1,"2"]',
    style: 'json',
    schema: { type: 'array' },
    want: [1, '2'],
  },
  {
    name: 'members of an object',
    given: { n: '3' },
    style: 'brackets',
    schema: { type: 'object', properties: { n: { type: 'integer' } } },
    want: { n: 3 },
  },
  { name: 'a constant without a type', given: 'true', schema: { const: true }, want: true },
  { name: 'no schema', given: '7', schema: null, want: '7' },
])('$name', ({ given, schema, style = 'repeat', want }) =>
  expect(castText(given, style, schema, definitions)).toEqual(want),
)
