// Fields made of schemas.
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/console/api/json-text.ts'
import { mergePatch, parseJson, writeJson } from '../../../src/console/api/json-text.ts'
import { linesIn, numberIn } from '../../../src/console/form/field-text.ts'
import { exampleIn, firstValue, readNode } from '../../../src/console/form/schema-node.ts'

const ROOT: JsonObject = {
  definitions: {
    size: { type: 'integer', minimum: 1, maximum: 1000, description: 'Page size.' },
    project: { type: 'object', properties: { key: { type: 'string' } } },
  },
}

describe('the kind and the limits of a field', () => {
  test.for([
    { given: { type: 'string' }, want: ['text', []] },
    { given: { type: 'string', writeOnly: true }, want: ['secret', []] },
    { given: { type: 'string', format: 'email' }, want: ['text', ['an e-mail address']] },
    {
      given: { type: ['string', 'null'], maxLength: 80 },
      want: ['text', ['at most 80 characters']],
    },
    { given: { type: 'integer', minimum: 0 }, want: ['number', ['at least 0']] },
    { given: { type: ['integer', 'string'] }, want: ['number', []] },
    { given: { $ref: '#/definitions/size' }, want: ['number', ['1 to 1000']] },
    { given: { type: 'boolean', default: false }, want: ['yes_no', ['no by default']] },
    { given: { enum: ['a', 'b'] }, want: ['choice', []] },
    { given: { type: 'boolean', const: true }, want: ['choice', []] },
    {
      given: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1 },
      want: ['lines', ['one per line', 'exactly 1 entry']],
    },
    {
      given: { type: 'array', items: { enum: ['x', 'y'] }, maxItems: 10000 },
      want: ['lines', ['one per line', 'x, y']],
    },
    { given: { type: 'array', items: { $ref: '#/definitions/project' } }, want: ['rows', []] },
    { given: { $ref: '#/definitions/project' }, want: ['object', []] },
    { given: { type: 'object' }, want: ['json', []] },
    { given: { type: ['string', 'array'], minItems: 1 }, want: ['text', []] },
    { given: {}, want: ['json', []] },
  ])('$given', ({ given, want }) => {
    const { kind, limits } = readNode(given, ROOT)
    expect([kind, limits]).toEqual(want)
  })
})

test('what stands beside a reference wins', () => {
  const node = readNode({ $ref: '#/definitions/size', description: 'How many.' }, ROOT)
  expect([node.description, node.nullable]).toEqual(['How many.', false])
})

test('a form begins with what must be given and leaves no choice', () => {
  const schema = {
    required: ['filter', 'media'],
    properties: {
      filter: { type: 'object', required: ['ids'], properties: { ids: { type: 'array' } } },
      media: { type: 'object', required: ['on'], properties: { on: { const: true } } },
      other: { const: 1 },
    },
  }
  expect(firstValue(schema)).toEqual({ filter: {}, media: { on: true } })
})

test('an example has what the schema offers, and nothing else', () => {
  const schema = {
    required: ['key', 'size', 'kind', 'fixed', 'text', 'inner'],
    properties: {
      key: { type: 'string', examples: ['OPS-1'], default: 'OPS-2' },
      size: { type: 'integer', default: 50 },
      kind: { enum: [null, 'a', 'b'] },
      fixed: { const: 1 },
      text: { type: 'string' },
      inner: { type: 'object', required: ['on'], properties: { on: { examples: [true] } } },
      other: { default: 1 },
    },
  }
  expect(firstValue(schema, schema, exampleIn)).toEqual({
    key: 'OPS-1',
    size: 50,
    kind: 'a',
    fixed: 1,
    inner: { on: true },
  })
})

test('numbers keep their digits, and what is none is sent as it was typed', () => {
  expect(['12', '-1.5', '2056412393452171628', 'many', '012'].map(numberIn)).toEqual([
    12,
    -1.5,
    2056412393452171628n,
    'many',
    '012',
  ])
  expect(linesIn(' a \n\nb', (line) => line)).toEqual(['a', 'b'])
  expect(linesIn('\n', (line) => line)).toBeUndefined()
})

test('JSON goes in and out with all digits', () => {
  const text = '{"id":2056412393452171628,"share":0.1,"name":"x"}'
  expect(parseJson(text)).toEqual({ id: 2056412393452171628n, share: 0.1, name: 'x' })
  expect(writeJson(parseJson(text))).toBe(text)
})

test('the next page is a patch over the params', () => {
  expect(mergePatch({ jql: 'x', page: { a: 1, b: 2 } }, { page: { a: null, c: 3 } })).toEqual({
    jql: 'x',
    page: { b: 2, c: 3 },
  })
})
