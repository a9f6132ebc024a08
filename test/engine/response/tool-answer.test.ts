// What a tool answers, as an answer of HTTP: the table of docs/manifest-language.md, section 7.
import { expect, test } from 'vitest'
import { toolAnswer } from '../../../src/engine/response/tool-answer.ts'
import { isConnectorError } from '../../../src/errors.ts'

const text = (...texts: readonly string[]) => texts.map((each) => ({ type: 'text', text: each }))
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }

interface Case {
  readonly name: string
  /** The message, as a value or as it is written, or the list of an older revision. */
  readonly given: unknown
  readonly status?: number
  readonly decode?: 'json' | 'text' | 'csv' | 'content' | 'none'
  readonly want: unknown
}
const result = (value: object) => ({ jsonrpc: '2.0', id: 7, result: value })
const error = (code: number, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  error: { code, message: 'no', ...more },
})

test.for<Case>([
  {
    name: 'structured content is the data, with all its digits',
    given: '{"jsonrpc":"2.0","id":7,"result":{"structuredContent":{"a":9007199254740993}}}',
    want: [200, '{"a":9007199254740993}'],
  },
  { name: 'without it the texts are', given: result({ content: text('[1]') }), want: [200, '[1]'] },
  {
    name: 'texts stand below each other',
    given: result({ content: [...text('a,b', '1,2'), image], structuredContent: {} }),
    decode: 'csv',
    want: [200, 'a,b\n1,2'],
  },
  {
    name: 'the whole result is content',
    given: result({ content: [image] }),
    decode: 'content',
    want: [200, JSON.stringify({ content: [image] })],
  },
  {
    name: 'an image is no data',
    given: result({ content: [image] }),
    want: 'upstream_malformed',
  },
  { name: 'nothing is an empty body', given: result({ content: [] }), want: [200, ''] },
  {
    name: 'nothing is read where nothing is wanted',
    given: result({ content: [image] }),
    decode: 'none',
    want: [200, ''],
  },
  {
    name: 'an error of the tool',
    given: result({ content: text('one', 'two'), isError: true }),
    decode: 'none',
    want: [
      400,
      JSON.stringify({ message: 'one\ntwo', content: text('one', 'two'), isError: true }),
      'uncertain',
    ],
  },
  {
    name: 'a question of the tool',
    given: result({ content: [], resultType: 'input_required' }),
    want: [400, expect.stringContaining('further input'), 'not_applied'],
  },
  ...[
    [-32600, 400],
    [-32601, 404],
    [-32602, 400],
    [-32603, 500],
    [-32002, 404],
    [-32042, 403],
    [-32000, 500],
  ].map(([code = 0, status]) => ({
    name: `error ${code} is status ${status}`,
    given: error(code, { data: { at: 1 } }),
    want: [status, JSON.stringify({ code, message: 'no', data: { at: 1 } })],
  })),
  {
    name: 'a status of HTTP stays',
    given: error(-32602),
    status: 403,
    want: [403, JSON.stringify({ code: -32602, message: 'no' })],
  },
  {
    name: 'an answer of an older revision is a list',
    given: [{ jsonrpc: '2.0', method: 'notifications/message' }, result({ content: text('1') })],
    want: [200, '1'],
  },
  {
    name: 'the answer to another call is none',
    given: { ...result({ content: [] }), id: 8 },
    want: 'upstream_unreachable',
  },
  {
    name: 'a result of another form',
    given: result({ content: 'no' }),
    want: 'upstream_malformed',
  },
])('$name', ({ given, status = 200, decode = 'json', want }) => {
  const arrived = {
    status,
    headers: { 'content-type': 'application/json' },
    url: 'https://mcp.acme.example/mcp',
    body: Buffer.from(typeof given === 'string' ? given : JSON.stringify(given)),
  }
  let got: unknown
  try {
    const answer = toolAnswer(arrived, 7, decode)
    const { outcome } = answer
    got = [answer.status, answer.body.toString(), ...(outcome === undefined ? [] : [outcome])]
  } catch (cause) {
    got = isConnectorError(cause) ? cause.code : cause
  }
  expect(got).toEqual(want)
})

test.for([
  { name: 'the protocol knows', types: ['audio', 'image'], want: 'image, audio' },
  { name: 'it may be anything', types: ['image', 'sk_live_of_another'], want: 'image' },
  { name: 'nobody knows', types: ['sk_live_of_another'], want: 'something unknown' },
])('the error of an answer without text names the blocks as far as $name', ({ types, want }) => {
  const given = result({ content: types.map((type) => ({ type, data: 'AA==' })) })
  const arrived = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    url: 'https://mcp.acme.example/mcp',
    body: Buffer.from(JSON.stringify(given)),
  }
  expect(() => toolAnswer(arrived, 7, 'json')).toThrow(
    expect.objectContaining({
      code: 'upstream_malformed',
      message: expect.stringContaining(`gives ${want} and no text`) as string,
    }),
  )
})
