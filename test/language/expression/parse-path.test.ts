import { expect, test } from 'vitest'

import { parsePath, parseRecordPath } from '../../../src/language/expression/parse-path.ts'
import { ExpressionSyntaxError } from '../../../src/language/expression/parse-text.ts'

const member = (name: string) => ({ kind: 'member', name })
const index = (at: number) => ({ kind: 'index', index: at })
const all = { kind: 'all' }

test.for([
  { source: '$', root: 'body', steps: [] },
  { source: '$.a.b', root: 'body', steps: [member('a'), member('b')] },
  { source: '$.a[0]', root: 'body', steps: [member('a'), index(0)] },
  { source: '$.a[-1]', root: 'body', steps: [member('a'), index(-1)] },
  { source: '$.a[*].b', root: 'body', steps: [member('a'), all, member('b')] },
  { source: '$[*][0].x', root: 'body', steps: [all, index(0), member('x')] },
  { source: "$['odd key']", root: 'body', steps: [member('odd key')] },
  { source: '$["@odata.nextLink"]', root: 'body', steps: [member('@odata.nextLink')] },
  { source: "$['it\\'s'].b", root: 'body', steps: [member("it's"), member('b')] },
  { source: '$.workspace-id', root: 'body', steps: [member('workspace-id')] },
  { source: '$.größe', root: 'body', steps: [member('größe')] },
  {
    source: '$.files[{{ params.n }}].url',
    root: 'body',
    steps: [
      member('files'),
      { kind: 'computed', index: { kind: 'path', root: 'params', path: ['n'] } },
      member('url'),
    ],
  },
  { source: '$headers.x-request-id', root: 'headers', steps: [member('x-request-id')] },
  { source: '$link.next', root: 'link', steps: [member('next')] },
  { source: '$link.next.results', root: 'link', steps: [member('next'), member('results')] },
  { source: '$next', root: 'next', steps: [] },
  { source: '$parent.id', root: 'parent', steps: [member('id')] },
])('reads $source', ({ source, root, steps }) => {
  expect(parsePath(source)).toEqual({ root, steps, source })
})

test.for([
  { source: 'name', steps: [member('name')] },
  { source: 'fields.status.name', steps: [member('fields'), member('status'), member('name')] },
  { source: 'a[0]', steps: [member('a'), index(0)] },
  { source: '$.metaData.id', steps: [member('metaData'), member('id')] },
])('in a record $source is a path', ({ source, steps }) => {
  expect(parseRecordPath(source)).toEqual({ root: 'body', steps, source })
})

test.for([
  { source: '', at: '', hint: 'write $.name' },
  { source: 'name', at: 'name', hint: 'write $.name' },
  { source: '{{ params.a }}', at: '{{ params.a }}', hint: 'write $.name' },
  {
    source: '$body.a',
    at: '$body',
    hint: 'paths begin with $, $callback, $cookies, $headers, $link, $next, $parent; members follow after a dot: $.body',
  },
  { source: '$constructor', at: '$constructor', hint: null },
  { source: '$..a', at: '..', hint: "write $.name, or $['odd name']" },
  { source: '$.a.', at: '.', hint: "write $.name, or $['odd name']" },
  { source: '$.*', at: '.*', hint: 'write [*]' },
  { source: '$.a b', at: ' b', hint: "write .name or ['odd name']" },
  { source: '$.a[x]', at: '[x]', hint: "write [0], [-1], [*] or ['name']" },
  { source: '$.a[0', at: '[0', hint: null },
  { source: '$.a[1:2]', at: '[1:2]', hint: null },
  { source: '$.a[?(@.b)]', at: '[?(@.b)]', hint: null },
  { source: '$.a[{{ parms.n }}]', at: 'parms.n', hint: 'did you mean "params"?' },
  { source: '$.a[{{ params.n ]', at: '[{{ params.n ]', hint: 'write }}] at its end' },
  {
    source: '$.a[{{ params.n }}{{ params.m }}]',
    at: '[{{ params.n }}{{ params.m }}]',
    hint: 'write [{{ params.n }}]',
  },
  { source: '$headers', at: '$headers', hint: 'write $headers.name' },
  { source: '$headers.a.b', at: '$headers.a.b', hint: 'write $headers.name' },
  { source: '$link', at: '$link', hint: 'write $link.next, or $link.next.attribute' },
  { source: '$link[0]', at: '$link[0]', hint: 'write $link.next, or $link.next.attribute' },
])('refuses "$source" and points at the place', ({ source, at, hint }) => {
  const error = failure(() => parsePath(source))
  expect(source.slice(error.offset, error.offset + error.length)).toBe(at)
  if (hint !== null) expect(error.hint).toBe(hint)
})

test('an odd name in a record is written in brackets', () => {
  expect(failure(() => parseRecordPath('@type')).hint).toBe('write $["@type"]')
})

function failure(run: () => unknown): ExpressionSyntaxError {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(ExpressionSyntaxError)
    return error as ExpressionSyntaxError
  }
  throw new Error('nothing was thrown')
}
