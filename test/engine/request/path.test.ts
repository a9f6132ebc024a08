import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isConnectorError } from '../../../src/errors.ts'
import { parseText } from '../../../src/language/expression/parse-text.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { compileRequestPath } from '../../../src/engine/request/path.ts'
import { type Refusals, throwRefusals } from '../../../src/language/expression/refusals.ts'

const render = compileRequestPath([
  ['issue'],
  parseText('{{ params.id }}'),
  parseText('act_{{ params.account }}'),
  ['comment'],
])

function path(params: JsonObject): string {
  const refusals: Refusals = []
  const text = render({ params }, refusals)
  throwRefusals(refusals)
  return text
}

test.for([
  { name: 'plain', id: 'OPS-1', want: 'OPS-1' },
  { name: 'a number', id: 7, want: '7' },
  { name: 'a slash', id: 'a/b', want: 'a%2Fb' },
  { name: 'a backslash', id: 'a\\b', want: 'a%5Cb' },
  { name: 'a dot inside', id: 'a.b', want: 'a.b' },
  { name: 'three dots', id: '...', want: '...' },
  { name: 'dots and a slash', id: '../x', want: '..%2Fx' },
  { name: 'encoded dots', id: '%2e%2e', want: '%252e%252e' },
  { name: 'mixed encoded dots', id: '.%2e', want: '.%252e' },
  { name: 'an encoded slash', id: '%2f', want: '%252f' },
  { name: 'query and fragment marks', id: 'a?b#c', want: 'a%3Fb%23c' },
  { name: 'a semicolon', id: 'a;b', want: 'a%3Bb' },
  { name: 'a blank and a plus', id: 'a b+c', want: 'a%20b%2Bc' },
  { name: 'an at sign and a colon', id: 'a@b:c', want: 'a%40b%3Ac' },
  { name: 'sub-delimiters', id: "!'()*$&,=", want: '%21%27%28%29%2A%24%26%2C%3D' },
  { name: 'letters beyond ASCII', id: 'Tür', want: 'T%C3%BCr' },
  { name: 'an emoji', id: '🙂', want: '%F0%9F%99%82' },
  { name: 'a full-width slash', id: 'a／b', want: 'a%EF%BC%8Fb' },
  {
    name: 'what looks like a template',
    id: '{{ credentials.token }}',
    want: '%7B%7B%20credentials.token%20%7D%7D',
  },
])('G5 a path value never leaves its segment: $name', ({ id, want }) => {
  expect(path({ id, account: '1' })).toBe(`issue/${want}/act_1/comment`)
})

test.for([
  { name: 'empty', id: '' },
  { name: 'a dot', id: '.' },
  { name: 'two dots', id: '..' },
  { name: 'null', id: null },
  { name: 'a line break', id: 'a\nb' },
  { name: 'CR LF', id: 'a\r\nb' },
  { name: 'a tab', id: 'a\tb' },
  { name: 'NUL', id: 'a\0' },
  { name: 'DEL', id: 'a\u007f' },
  { name: 'half a surrogate pair', id: 'a\ud83d' },
  { name: 'a list', id: ['a'] },
  { name: 'an object', id: { a: 1 } },
])('G5 a path value is refused at its place: $name', ({ id }) => {
  try {
    path({ id, account: '1' })
  } catch (error) {
    expect(
      isConnectorError(error, 'params_invalid') && error.errors.map(({ pointer }) => pointer),
    ).toEqual(['/params/id'])
    return
  }
  expect.unreachable('it was placed')
})

test('G5 every value that cannot stand in the path is named at once, absent ones too', () => {
  expect(() => path({ id: '..' })).toThrow(
    expect.objectContaining({
      code: 'params_invalid',
      errors: [
        expect.objectContaining({ pointer: '/params/id' }),
        expect.objectContaining({ pointer: '/params/account' }),
      ],
    }),
  )
})

test('G5 whatever the value, a URL parser sees the segments of the template and the value itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (id) => {
      let text: string
      try {
        text = path({ id, account: 'x' })
      } catch (error) {
        expect(isConnectorError(error, 'params_invalid')).toBe(true)
        return
      }
      const { pathname, search, hash } = new URL(`https://api.example.com/${text}`)
      expect(pathname.split('/').map(decodeURIComponent)).toEqual([
        '',
        'issue',
        id,
        'act_x',
        'comment',
      ])
      expect([search, hash]).toEqual(['', ''])
    }),
    { numRuns: 2000 },
  )
})

const file = compileRequestPath([
  ['contents'],
  parseText('{{ segments params.path }}:'),
  ['history'],
])

test.for([
  ['README.md', 'README.md'],
  ['src/a b/é.ts', 'src/a%20b/%C3%A9.ts'],
  ['a/.../b?c#d', 'a/.../b%3Fc%23d'],
  ['refs/heads/%2e%2e', 'refs/heads/%252e%252e'],
  ['a\\..\\b/c;d', 'a%5C..%5Cb/c%3Bd'],
])('G5 a path of several segments: %s', ([path = '', want]) => {
  expect(file({ params: { path } }, [])).toBe(`contents/${want}:/history`)
})

test.for(['', '/a', 'a/', 'a//b', '.', '..', 'a/../b', './a', 'a/..', 'a/b\nc', 'a/\u0000'])(
  'G5 a path of several segments: %j is refused',
  (path) => {
    const refusals: Refusals = []
    file({ params: { path } }, refusals)
    expect(() => throwRefusals(refusals)).toThrow(
      expect.objectContaining({
        code: 'params_invalid',
        errors: [expect.objectContaining({ pointer: '/params/path' })],
      }),
    )
  },
)

test('G5 a path of several segments must be given', () => {
  const refusals: Refusals = []
  file({ params: {} }, refusals)
  expect(() => throwRefusals(refusals)).toThrow(expect.objectContaining({ code: 'params_invalid' }))
})
