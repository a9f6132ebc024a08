import { expect, test } from 'vitest'

import { parsePath, parseRecordPath } from '../../../src/language/expression/parse-path.ts'
import { compileBodyPath, compilePath, type Answer } from '../../../src/language/expression/pick.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import { processorMs } from '../../fixtures/processor-time.ts'

const answer: Answer = {
  status: 200,
  url: 'https://api.example.com/v2/items?page=2',
  headers: {
    'x-request-id': 'r1',
    link: '<?page=3>; rel="next"; results="true"; title="a, b; \\"c\\"", </v2/items?page=1>; rel="prev first", <https://other.example/x>; rel=last; anchor="#a", <https://other.example/end>; REL=Last',
  },
  body: parseJson(
    '{"a":{"b":1,"none":null},"list":[{"id":"x","tags":["t1","t2"]},{"id":"y"},{"tags":[]},null,5],"odd key":2,"map":{"k1":{"v":1},"k2":{"v":2}},"big":12345678901234567890,"__proto__":{"p":1}}',
  ),
  next: 'c2',
  parent: { id: 'P-1' },
}

test.for<[path: string, want: unknown]>([
  ['$', answer.body],
  ['$.a.b', 1],
  ['$.a.none', null],
  ['$.a.none.deeper', undefined],
  ['$.gone.deeper', undefined],
  ['$.list[0].id', 'x'],
  ['$.list[-1]', 5],
  ['$.list[-2]', null],
  ['$.list[9]', undefined],
  ['$.list[-9]', undefined],
  ['$.a[0]', undefined],
  ['$.list.0', undefined],
  ['$.list.length', undefined],
  ['$.a.constructor', undefined],
  ['$.__proto__.p', 1],
  ["$['odd key']", 2],
  ['$.big.rawJSON', undefined],
  ['$.list[*].id', ['x', 'y']],
  ['$.list[*].tags[*]', ['t1', 't2']],
  ['$.list[*]', [{ id: 'x', tags: ['t1', 't2'] }, { id: 'y' }, { tags: [] }, null, 5]],
  ['$.map[*].v', [1, 2]],
  ['$.gone[*].v', undefined],
  ['$.a.b[*]', undefined],
  ['$.a.none[*]', undefined],
  ['$.big[*]', undefined],
  ['$.list[*].gone[*].x', []],
  ['$headers.x-request-id', 'r1'],
  ['$headers.X-Request-Id', 'r1'],
  ['$headers.gone', undefined],
  ['$headers.constructor', undefined],
  ['$link.next', 'https://api.example.com/v2/items?page=3'],
  ['$link.prev', 'https://api.example.com/v2/items?page=1'],
  ['$link.first', 'https://api.example.com/v2/items?page=1'],
  ['$link.last', 'https://other.example/end'],
  ['$link.gone', undefined],
  ['$link.next.results', 'true'],
  ['$link.next.title', 'a, b; "c"'],
  ['$link.next.gone', undefined],
  ['$next', 'c2'],
  ['$parent.id', 'P-1'],
])('%s', ([path, want]) => {
  expect(compilePath(parsePath(path))(answer)).toEqual(want)
})

test.for<[index: unknown, want: unknown]>([
  [1, { id: 'y' }],
  [-1, 5],
  ['1', { id: 'y' }],
  ['length', undefined],
  [1.5, undefined],
  [null, undefined],
  [undefined, undefined],
  [{}, undefined],
])('a computed index %j', ([index, want]) => {
  const scope = { params: index === undefined ? {} : { n: index as never } }
  expect(compilePath(parsePath('$.list[{{ params.n }}]'))(answer, scope)).toEqual(want)
})

test('a computed index may name a member', () => {
  const pick = compilePath(parsePath('$.map[{{ params.key }}].v'))
  expect(pick(answer, { params: { key: 'k2' } })).toBe(2)
  expect(pick(answer, { params: { key: 'constructor' } })).toBeUndefined()
})

test('an empty body holds nothing', () => {
  expect(compilePath(parsePath('$'))({ ...answer, body: undefined })).toBeUndefined()
  expect(compilePath(parsePath('$.a'))({ ...answer, body: undefined })).toBeUndefined()
})

test('a record path begins at the record', () => {
  expect(compileBodyPath(parseRecordPath('a.b'))({ a: { b: 'x' } })).toBe('x')
  expect(compileBodyPath(parseRecordPath('$'))('text')).toBe('text')
  expect(() => compileBodyPath(parseRecordPath('$headers.a'))).toThrow(
    expect.objectContaining({ code: 'internal_error' }),
  )
})

test.for<[header: string, relation: string, want: string | undefined]>([
  ['', 'next', undefined],
  ['<https://a.example/>', 'next', undefined],
  ['<https://a.example/>;rel=next', 'next', 'https://a.example/'],
  ['<https://a.example/>; rel = "NEXT"', 'next', 'https://a.example/'],
  ['<https://a.example/a,b;c>; rel="x next y"', 'next', 'https://a.example/a,b;c'],
  ['<https://a.example/1>; rel=next; rel=prev', 'prev', undefined],
  [
    '<https://a.example/1>; title="<https://evil.example/>; rel=next", <https://a.example/2>; rel=next',
    'next',
    'https://a.example/2',
  ],
  ['<https://a.example/1>; rel="unclosed', 'unclosed', 'https://a.example/1'],
  ['garbage <https://a.example/>; rel=next', 'next', undefined],
  ['<https://a.example/1>; rel=prev garbage, <https://a.example/2>; rel=next', 'next', undefined],
  [', ,<../x>; ; rel=next', 'next', 'https://api.example.com/x'],
  ['<http://[>; rel=next', 'next', undefined],
])('the link header %s', ([link, relation, want]) => {
  expect(compilePath(parsePath(`$link.${relation}`))({ ...answer, headers: { link } })).toBe(want)
})

test('a long link header is read in linear time', () => {
  const pick = compilePath(parsePath('$link.next'))
  const pieces = ['<a>; x="\\', '<', ';', '<a>;;;', '<a>; rel="a\\"', ', ', '<a>; b=', ' ']
  const spentMs = processorMs(() =>
    pieces.map((piece) => pick({ ...answer, headers: { link: piece.repeat(20_000) } })),
  )
  expect(spentMs).toBeLessThan(1000)
})
