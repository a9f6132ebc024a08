import fc from 'fast-check'
import { expect, test } from 'vitest'

import { parseTemplate } from '../../../src/language/expression/parse-text.ts'
import type { Json } from '../../../src/language/json/json.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import type { RequestTemplate } from '../../../src/language/manifest/manifest.ts'
import { compileRequest } from '../../../src/engine/request/build.ts'
import { exampleManifest } from './example-manifest.ts'

const template: RequestTemplate = {
  method: 'GET',
  origin: null,
  path: [['x']],
  query: [],
  headers: [
    { name: 'X-Value', value: parseTemplate('{{ params.v }}'), style: 'repeat' },
    { name: 'x-text', value: parseTemplate('a {{ params.v }}'), style: 'repeat' },
  ],
  body: { kind: 'none' },
  auth: 'same',
  redirects: 0,
  timeoutMs: 30_000,
}
const build = compileRequest(template, exampleManifest())

function headersOf(value: Json | undefined): Readonly<Record<string, string>> {
  return build(
    { params: { v: value } },
    {
      base: { origin: 'https://api.example.net', path: '' },
      credentials: null,
    },
  ).headers
}

test.for<[value: Json | undefined, headers: Record<string, string>]>([
  [undefined, { accept: 'application/json' }],
  [null, { accept: 'application/json' }],
  ['', { accept: 'application/json', 'x-value': '', 'x-text': 'a ' }],
  ['b', { accept: 'application/json', 'x-value': 'b', 'x-text': 'a b' }],
  [0, { accept: 'application/json', 'x-value': '0', 'x-text': 'a 0' }],
  [false, { accept: 'application/json', 'x-value': 'false', 'x-text': 'a false' }],
  [
    parseJson('9007199254740993'),
    { accept: 'application/json', 'x-value': '9007199254740993', 'x-text': 'a 9007199254740993' },
  ],
  ['b: c', { accept: 'application/json', 'x-value': 'b: c', 'x-text': 'a b: c' }],
  ['%0d%0ab: c', { accept: 'application/json', 'x-value': '%0d%0ab: c', 'x-text': 'a %0d%0ab: c' }],
  ['\\r\\nb', { accept: 'application/json', 'x-value': '\\r\\nb', 'x-text': 'a \\r\\nb' }],
  [
    '{{ params.w }}',
    { accept: 'application/json', 'x-value': '{{ params.w }}', 'x-text': 'a {{ params.w }}' },
  ],
])('the header value %j is sent as it is', ([value, headers]) => {
  expect(headersOf(value)).toEqual(headers)
})

test.for<[value: Json]>([
  ['\r'],
  ['\n'],
  ['\r\n'],
  ['b\r\nx-admin: 1'],
  ['b\nx-admin: 1'],
  ['b\rx-admin: 1'],
  ['b\r\n\r\nGET /admin HTTP/1.1'],
  ['b\r\n x'],
  ['b\r\n\tx'],
  ['\r\nhost: evil.example'],
  ['\r\ncontent-length: 0'],
  ['\r\ntransfer-encoding: chunked'],
  ['b\n'],
  ['b\r'],
  ['\nb'],
  ['\0'],
  ['b\0c'],
  ['\t'],
  ['b\tc'],
  ['\v'],
  ['\f'],
  ['\b'],
  ['\x1b[2J'],
  ['\x1f'],
  ['\x7f'],
  ['\x80'],
  ['\x85'],
  ['\xa0'],
  ['é'],
  ['ÿ'],
  ['Ā'],
  ['嘊嘍x-admin: 1'],
  ['č'],
  ['Ċ'],
  ['\u2028'],
  ['\u2029'],
  ['\u200b'],
  ['\ufeff'],
  ['日本'],
  ['😀'],
  ['\ud83d'],
  ['\ude00'],
  [[]],
  [['a']],
  [{}],
  [{ a: 1 }],
])('G6 the header value %j is refused, with the pointer of its parameter', ([value]) => {
  expect(() => headersOf(value)).toThrow(
    expect.objectContaining({
      code: 'params_invalid',
      errors: [expect.objectContaining({ pointer: '/params/v', code: 'place' })],
    }),
  )
})

test('G6 no header value holds a line break or anything but printable ASCII', () => {
  const value = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('\r', '\n', '\r\n', '\0', ':', ' ', 'a', '%0d', '\u010a', '\u2028'))
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(value, (text) => {
      let headers: Readonly<Record<string, string>> = {}
      try {
        headers = headersOf(text)
      } catch {
        expect(text).toMatch(/[^ -~]/)
        return
      }
      expect(headers).toEqual({
        accept: 'application/json',
        'x-value': text,
        'x-text': `a ${text}`,
      })
      expect(Object.values(headers).join('')).not.toMatch(/[^ -~]/)
    }),
  )
})
