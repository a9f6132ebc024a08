import fc from 'fast-check'
import { expect, test } from 'vitest'

import { parseText } from '../../../src/language/expression/parse-text.ts'
import type { Json } from '../../../src/language/json/json.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import { compileRequestPath } from '../../../src/engine/request/path.ts'
import type { Refusals } from '../../../src/language/expression/refusals.ts'

function render(
  path: string,
  params: { readonly [name: string]: Json },
): { text: string; refused: string[] } {
  const refusals: Refusals = []
  const text = compileRequestPath(path.split('/').map((segment) => parseText(segment)))(
    { params },
    refusals,
  )
  return { text, refused: refusals.map(({ error }) => error.message) }
}

test.for<[path: string, params: { readonly [name: string]: Json }, text: string]>([
  ['v2/calls', {}, 'v2/calls'],
  ['v2/calls/', {}, 'v2/calls/'],
  ['', {}, ''],
  ['calls/{{ params.id }}', { id: 'a' }, 'calls/a'],
  ['calls/{{ params.id }}/', { id: 'a' }, 'calls/a/'],
  ['{{ params.id }}', { id: 'a' }, 'a'],
  ['act_{{ params.id }}/ads', { id: '7' }, 'act_7/ads'],
  ['{{ params.a }}-{{ params.b }}', { a: 'x/y', b: '#' }, 'x%2Fy-%23'],
  ['v{{ params.id }}', { id: '..' }, 'v..'],
  ['n/{{ params.id }}', { id: 0 }, 'n/0'],
  ['n/{{ params.id }}', { id: false }, 'n/false'],
  ['n/{{ params.id }}', { id: parseJson('9007199254740993') }, 'n/9007199254740993'],
  ['a.b/{{ params.id }}', { id: '.x' }, 'a.b/.x'],
])('a path %j with %j is %j', ([path, params, text]) => {
  expect(render(path, params)).toEqual({ text, refused: [] })
})

const MISSING = 'stands in the path and must be given'
const EMPTY = 'stands in the path and must not be empty'
const CONTROL = 'stands in the path and must not hold control characters'
const DOTS = 'must not be a dot segment ("." or "..")'
const UNICODE = 'the text is no valid Unicode'

test.for<[value: Json | undefined, refused: string]>([
  [undefined, MISSING],
  [null, MISSING],
  [[], 'this place holds text, not a list'],
  [['a'], 'this place holds text, not a list'],
  [{}, 'this place holds text, not an object'],
  [{ a: 1 }, 'this place holds text, not an object'],
  ['', EMPTY],
  ['.', DOTS],
  ['..', DOTS],
  ['\0', CONTROL],
  ['a\0', CONTROL],
  ['\r\n', CONTROL],
  ['a\nb', CONTROL],
  ['a\rb', CONTROL],
  ['a\tb', CONTROL],
  ['\x1b[2J', CONTROL],
  ['\x7f', CONTROL],
  ['\x80', CONTROL],
  ['\x85', CONTROL],
  ['\ud800', UNICODE],
  ['a\udc00', UNICODE],
  ['\udc00\ud800', UNICODE],
])('G5 a path refuses the value %j: %s', ([value, refused]) => {
  const params = value === undefined ? {} : { id: value }
  expect(render('a/{{ params.id }}/b', params).refused).toEqual([refused])
})

test('G5 two values cannot make a dot segment together, nor one with the text around it', () => {
  expect(render('{{ params.a }}{{ params.b }}', { a: '.', b: '.' }).refused).toEqual([DOTS])
  expect(render('a/.{{ params.a }}', { a: '.' }).refused).toEqual([DOTS])
})

test('every value of a path that cannot stand there is noted', () => {
  expect(render('{{ params.a }}/{{ params.b }}/{{ params.c }}', { a: '', b: 'x' }).refused).toEqual(
    [EMPTY, MISSING],
  )
})

test.for<[value: string, segment: string]>([
  ['/', '%2F'],
  ['//', '%2F%2F'],
  ['//evil.example', '%2F%2Fevil.example'],
  ['../x', '..%2Fx'],
  ['../../etc/passwd', '..%2F..%2Fetc%2Fpasswd'],
  ['x/..', 'x%2F..'],
  ['./x', '.%2Fx'],
  ['...', '...'],
  ['....', '....'],
  ['.. ', '..%20'],
  [' ..', '%20..'],
  ['..;', '..%3B'],
  ['..;/x', '..%3B%2Fx'],
  ['%2e', '%252e'],
  ['%2e%2e', '%252e%252e'],
  ['%2E%2E', '%252E%252E'],
  ['.%2e', '.%252e'],
  ['%2f', '%252f'],
  ['%252e%252e', '%25252e%25252e'],
  ['%c0%ae', '%25c0%25ae'],
  ['%', '%25'],
  ['%%', '%25%25'],
  ['%zz', '%25zz'],
  ['%00', '%2500'],
  ['%0d%0a', '%250d%250a'],
  ['\\', '%5C'],
  ['..\\', '..%5C'],
  ['..\\..\\x', '..%5C..%5Cx'],
  ['?', '%3F'],
  ['?a=b', '%3Fa%3Db'],
  ['#', '%23'],
  ['#x', '%23x'],
  ['a?b#c', 'a%3Fb%23c'],
  ['a&b=c', 'a%26b%3Dc'],
  ['a;b', 'a%3Bb'],
  ['a:b', 'a%3Ab'],
  ['https://evil.example/', 'https%3A%2F%2Fevil.example%2F'],
  ['@evil.example', '%40evil.example'],
  ['user:pw@evil.example', 'user%3Apw%40evil.example'],
  [' ', '%20'],
  ['a b', 'a%20b'],
  ['a+b', 'a%2Bb'],
  ['a,b', 'a%2Cb'],
  ["'", '%27'],
  ['"', '%22'],
  ['<script>', '%3Cscript%3E'],
  ['a|b', 'a%7Cb'],
  ['a^b', 'a%5Eb'],
  ['`id`', '%60id%60'],
  ['$(id)', '%24%28id%29'],
  ['!*', '%21%2A'],
  ['[a]', '%5Ba%5D'],
  ['{a}', '%7Ba%7D'],
  ['{{ params.other }}', '%7B%7B%20params.other%20%7D%7D'],
  ['~-_.x', '~-_.x'],
  ['ü', '%C3%BC'],
  ['日本', '%E6%97%A5%E6%9C%AC'],
  ['😀', '%F0%9F%98%80'],
  ['．．', '%EF%BC%8E%EF%BC%8E'],
  ['／', '%EF%BC%8F'],
  ['∕', '%E2%88%95'],
  ['。', '%E3%80%82'],
  ['\u00a0', '%C2%A0'],
  ['\u2028', '%E2%80%A8'],
  ['\u202e', '%E2%80%AE'],
  ['\ufeff', '%EF%BB%BF'],
  ['__proto__', '__proto__'],
])('G5 the path value %j stays one segment: %s', ([value, segment]) => {
  const { text, refused } = render('a/{{ params.id }}/b', { id: value })
  expect({ text, refused }).toEqual({ text: `a/${segment}/b`, refused: [] })
  expect(new URL(`https://api.example.net/v2/${text}`).href).toBe(
    `https://api.example.net/v2/a/${segment}/b`,
  )
})

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom('.', '..', '/', '\\', '%2e', '%2f', '%', '?', '#', '@', ':', ' ', 'a', ';'),
      {
        maxLength: 6,
      },
    )
    .map((parts) => parts.join('')),
  fc.string(),
)

test('G5 a path value never leaves its segment', () => {
  fc.assert(
    fc.property(hostile, hostile, (one, two) => {
      const { text, refused } = render('a/{{ params.one }}/b{{ params.two }}/c', { one, two })
      if (refused.length > 0) return
      expect(text.split('/').length).toBe(4)
      const url = new URL(`https://api.example.net/${text}`)
      expect(url.href).toBe(`https://api.example.net/${text}`)
      expect(url.pathname.split('/').slice(1).map(decodeURIComponent)).toEqual([
        'a',
        one,
        `b${two}`,
        'c',
      ])
    }),
  )
})
