// Integers of 64 bits as parameters: text of digits is taken, every digit is sent, and nothing else is coerced.
import { describe, expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import { loadManifest } from '../../../src/client/load-manifest.ts'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import { compileInt64Texts } from '../../../src/engine/plan/int64-texts.ts'
import { scriptedUpstream } from '../../../src/sandbox/testing/scripted-upstream.ts'

const INT64 = { type: 'integer', format: 'int64' }
const BIG = '9007199254740993'

/** What becomes of a member `x`, as JSON. */
function read(schema: JsonObject, x: Json, definitions: Record<string, JsonObject> = {}): string {
  const convert = compileInt64Texts({ type: 'object', properties: { x: schema } }, definitions)
  const value: Json = { x }
  return JSON.stringify(convert?.(value) ?? value)
}

describe('text of digits becomes the integer', () => {
  test.for<{ name: string; schema: JsonObject; given: Json; want: string }>([
    { name: 'a small one', schema: INT64, given: '7', want: '7' },
    { name: 'a large one', schema: INT64, given: BIG, want: BIG },
    {
      name: 'a negative one',
      schema: INT64,
      given: '-9223372036854775808',
      want: '-9223372036854775808',
    },
    {
      name: 'or null',
      schema: { type: ['integer', 'null'], format: 'int64' },
      given: BIG,
      want: BIG,
    },
    {
      name: 'in a list',
      schema: { type: 'array', items: INT64 },
      given: [BIG, 1],
      want: `[${BIG},1]`,
    },
    {
      name: 'inside',
      schema: { type: 'object', properties: { id: INT64 } },
      given: { id: BIG, other: BIG },
      want: `{"id":${BIG},"other":"${BIG}"}`,
    },
    {
      name: 'of members without a name',
      schema: {
        type: 'object',
        properties: { id: { type: 'string' } },
        additionalProperties: INT64,
      },
      given: { id: '1', other: '2' },
      want: '{"id":"1","other":2}',
    },
    {
      name: 'in a shape that may be null',
      schema: { anyOf: [{ $ref: '#/definitions/tree' }, { type: 'null' }] },
      given: { id: BIG, below: [{ id: '2' }] },
      want: `{"id":${BIG},"below":[{"id":2}]}`,
    },
  ])('$name', ({ schema, given, want }) => {
    const below = { type: 'array', items: { $ref: '#/definitions/tree' } }
    const tree = { type: 'object', properties: { id: INT64, below } }
    expect(read(schema, given, { tree })).toBe(`{"x":${want}}`)
  })
})

describe('everything else stays as it is', () => {
  test.for<{ name: string; schema: JsonObject; given: Json }>([
    { name: 'an integer', schema: INT64, given: 7 },
    { name: 'an integer of another format', schema: { type: 'integer' }, given: '7' },
    { name: 'a text', schema: { type: 'string', format: 'int64' }, given: '7' },
    {
      name: 'a text or an integer',
      schema: { type: ['integer', 'string'], format: 'int64' },
      given: '7',
    },
    { name: 'leading zeros', schema: INT64, given: '007' },
    { name: 'more than 64 bits', schema: INT64, given: '9223372036854775808' },
    { name: 'a fraction', schema: INT64, given: '1.0' },
    { name: 'blanks', schema: INT64, given: ' 7' },
    { name: 'no digits', schema: INT64, given: '' },
  ])('$name', ({ schema, given }) => {
    expect(read(schema, given)).toBe(JSON.stringify({ x: given }))
  })
})

test('the id of a record goes back as it came out', async () => {
  const manifest = await loadManifest({
    manifest: 1,
    connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
    server: { url: 'https://api.acme.example' },
    auth: {
      key: {
        credentials: {
          required: ['api_key'],
          properties: { api_key: { type: 'string', writeOnly: true } },
        },
        apply: { bearer: '{{ credentials.api_key }}' },
      },
    },
    entities: {
      notes: {
        record: { properties: { id: INT64 } },
        actions: {
          get: {
            params: { required: ['id'], properties: { id: INT64 } },
            request: { http: 'GET /notes/{{ params.id }}' },
          },
          update: {
            params: {
              required: ['id', 'parents'],
              properties: { id: INT64, parents: { type: 'array', items: INT64 } },
            },
            request: { http: 'PUT /notes', query: ['id'], body: ['parents'] },
          },
        },
      },
    },
  })
  await using upstream = await scriptedUpstream([
    { expect: { send: 'GET /notes/1' }, answer: { text: `{"id":${BIG}}` } },
    { expect: { send: `GET /notes/${BIG}` }, answer: { text: '{}' } },
    { expect: { send: `PUT /notes?id=${BIG}` }, answer: { text: '{}' } },
  ])
  await using client = await connect(manifest, {
    ...upstream.options(),
    credentials: { api_key: 'x' },
  })
  const { data } = (await client.execute('notes', 'get', { id: 1 })) as {
    readonly data: { readonly id: string }
  }
  expect(data).toEqual({ id: BIG })
  await client.execute('notes', 'get', { id: data.id })
  await client.execute('notes', 'update', { id: data.id, parents: [data.id] })
  expect(parseJson(upstream.requests[2]?.text ?? '')).toEqual(parseJson(`{"parents":[${BIG}]}`))
  await expect(client.execute('notes', 'get', { id: '007' })).rejects.toMatchObject({
    code: 'params_invalid',
    errors: [{ pointer: '/params/id' }],
  })
})
