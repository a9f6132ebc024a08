import { describe, expect, test } from 'vitest'
import type { RequestTemplate } from '../../../src/language/manifest/manifest.ts'
import { actionOf, constant, manifestOf, param, paramPath, texts } from './resolved.ts'

function requestOf(
  request: Readonly<Record<string, unknown>>,
  parts: Readonly<Record<string, unknown>> = {},
): RequestTemplate {
  const params = texts('a', 'b', 'c')
  const [step] = actionOf(
    'create',
    { params, request: { http: 'POST /x', ...request } },
    parts,
  ).steps
  if (step === undefined) throw new Error('there is one step')
  return step.request
}

test('a request with nothing but its address', () => {
  expect(requestOf({ http: 'GET /v1/items' })).toEqual({
    method: 'GET',
    origin: null,
    path: [['v1'], ['items']],
    query: [],
    headers: [],
    body: { kind: 'none' },
    auth: 'same',
    redirects: 0,
    timeoutMs: 30_000,
  })
})

test.for([
  { http: 'GET /', want: { origin: null, path: [['']] } },
  { http: 'GET /a/', want: { origin: null, path: [['a'], ['']] } },
  {
    http: 'GET https://media.example.com/a',
    want: { origin: 'https://media.example.com', path: [['a']] },
  },
  { http: 'GET /a/{{ params.a }}', want: { origin: null, path: [['a'], [paramPath('a')]] } },
  {
    http: 'GET /act_{{ params.a }}.{{ params.b }}/x',
    want: { origin: null, path: [['act_', paramPath('a'), '.', paramPath('b')], ['x']] },
  },
  {
    http: 'GET /{{ params.a }}/{{ params.b }}/',
    want: { origin: null, path: [[paramPath('a')], [paramPath('b')], ['']] },
  },
  {
    http: "GET /{{ replace params.a '/' '' }}",
    want: {
      origin: null,
      path: [
        [
          {
            kind: 'call',
            helper: 'replace',
            args: [paramPath('a'), { kind: 'literal', value: '/' }, { kind: 'literal', value: '' }],
          },
        ],
      ],
    },
  },
])('the address $http', ({ http, want }) => {
  const { origin, path } = requestOf({ http })
  expect({ origin, path }).toEqual(want)
})

describe('named values', () => {
  test('a list of names and entries keeps its order, also where a name comes twice', () => {
    expect(requestOf({ query: ['a', { b: '{{ params.c }}' }, { n: 5 }, 'a'] }).query).toEqual([
      { name: 'a', value: param('a'), style: 'repeat' },
      { name: 'b', value: param('c'), style: 'repeat' },
      { name: 'n', value: constant(5), style: 'repeat' },
      { name: 'a', value: param('a'), style: 'repeat' },
    ])
  })

  test('a map', () => {
    expect(requestOf({ form: { x: 'text', y: 'v{{ params.a }}' } }).body).toEqual({
      kind: 'form',
      entries: [
        { name: 'x', value: constant('text'), style: 'repeat' },
        { name: 'y', value: { kind: 'text', text: ['v', paramPath('a')] }, style: 'repeat' },
      ],
    })
  })

  test('the style of the manifest, and that of one entry', () => {
    const query = ['a', { b: { $style: 'json', $value: '{{ params.b }}' } }]
    expect(requestOf({ query }, { defaults: { request: { style: 'csv' } } }).query).toEqual([
      { name: 'a', value: param('a'), style: 'csv' },
      { name: 'b', value: param('b'), style: 'json' },
    ])
  })

  test('a name that begins with $ is written with $$', () => {
    expect(
      requestOf({ query: [{ $$filter: '{{ params.a }}' }], body: { $$top: 1 } }),
    ).toMatchObject({
      query: [{ name: '$filter', value: param('a'), style: 'repeat' }],
      body: { kind: 'json', value: constant({ $top: 1 }) },
    })
  })

  test('an entry under a condition', () => {
    expect(requestOf({ query: [{ a: { $if: '{{ params.b }}', $value: 'x' } }] }).query).toEqual([
      {
        name: 'a',
        value: { kind: 'when', test: paramPath('b'), value: constant('x') },
        style: 'repeat',
      },
    ])
  })
})

describe('headers', () => {
  test('those of the server, then of the defaults, then of the request; a later one replaces an earlier one', () => {
    const parts = {
      server: { url: 'https://api.thing.example', headers: { 'X-A': 'server', 'X-B': 'server' } },
      defaults: { request: { headers: { 'x-b': 'defaults', 'X-C': 'defaults' } } },
    }
    expect(requestOf({ headers: [{ 'X-c': '{{ params.a }}' }, 'b'] }, parts).headers).toEqual([
      { name: 'x-a', value: constant('server'), style: 'repeat' },
      { name: 'x-b', value: constant('defaults'), style: 'repeat' },
      { name: 'x-c', value: param('a'), style: 'repeat' },
      { name: 'b', value: param('b'), style: 'repeat' },
    ])
  })
})

describe('bodies', () => {
  test.for([
    {
      name: 'names of parameters',
      request: { body: ['a', { d: '{{ params.b }}' }] },
      want: {
        kind: 'json',
        value: {
          kind: 'object',
          members: [
            ['a', param('a')],
            ['d', param('b')],
          ],
        },
      },
    },
    {
      name: 'one expression',
      request: { body: '{{ params.a }}' },
      want: { kind: 'json', value: param('a') },
    },
    {
      name: 'a map with lists, constants and conditions',
      request: {
        body: { x: [1, '{{ params.a }}'], y: { z: null }, w: { $if: '{{ params.b }}', v: true } },
      },
      want: {
        kind: 'json',
        value: {
          kind: 'object',
          members: [
            ['x', { kind: 'array', items: [constant(1), param('a')] }],
            ['y', constant({ z: null })],
            ['w', { kind: 'when', test: paramPath('b'), value: constant({ v: true }) }],
          ],
        },
      },
    },
    {
      name: 'a constant',
      request: { body: { a: [1, { b: 'x' }], c: {} } },
      want: { kind: 'json', value: constant({ a: [1, { b: 'x' }], c: {} }) },
    },
    {
      name: 'parts',
      request: {
        multipart: {
          a: '{{ params.a }}',
          n: 3,
          f: { base64: '{{ params.b }}', filename: 'x.{{ params.c }}', type: 'image/png' },
          o: { $if: '{{ params.c }}', $value: 'yes' },
        },
      },
      want: {
        kind: 'multipart',
        parts: [
          { kind: 'field', name: 'a', value: param('a') },
          { kind: 'field', name: 'n', value: constant(3) },
          {
            kind: 'file',
            name: 'f',
            base64: param('b'),
            filename: { kind: 'text', text: ['x.', paramPath('c')] },
            type: constant('image/png'),
          },
          {
            kind: 'field',
            name: 'o',
            value: { kind: 'when', test: paramPath('c'), value: constant('yes') },
          },
        ],
      },
    },
    {
      name: 'related parts',
      request: {
        related: [
          { json: { a: '{{ params.a }}' } },
          { base64: '{{ params.b }}', type: 'image/png' },
        ],
      },
      want: {
        kind: 'related',
        parts: [
          { kind: 'json', value: { kind: 'object', members: [['a', param('a')]] } },
          { kind: 'file', base64: param('b'), type: { kind: 'constant', value: 'image/png' } },
        ],
      },
    },
    {
      name: 'GraphQL',
      request: { graphql: { query: 'query($a: ID) { x(a: $a) { id } }', variables: ['a'] } },
      want: {
        kind: 'graphql',
        query: ['query($a: ID) { x(a: $a) { id } }'],
        variables: { kind: 'object', members: [['a', param('a')]] },
      },
    },
    {
      name: 'GraphQL without variables',
      request: { graphql: { query: '{ me { id } }' } },
      want: { kind: 'graphql', query: ['{ me { id } }'], variables: constant({}) },
    },
    {
      name: 'text with blocks',
      request: {
        text: { type: 'text/xml', value: '<a>{{#if params.a}}{{ xml params.a }}{{/if}}</a>' },
      },
      want: {
        kind: 'text',
        type: 'text/xml',
        text: [
          '<a>',
          {
            kind: 'ifBlock',
            test: paramPath('a'),
            body: [{ kind: 'call', helper: 'xml', args: [paramPath('a')] }],
            otherwise: [],
          },
          '</a>',
        ],
      },
    },
  ])('$name', ({ request, want }) => {
    expect(requestOf(request).body).toEqual(want)
  })
})

test('what a request says about itself, over what the manifest says', () => {
  const defaults = { request: { timeout: '10s' } }
  const own = { auth: 'none', redirects: 2, timeout: '1m' }
  expect(requestOf(own, { defaults })).toMatchObject({
    auth: 'none',
    redirects: 2,
    timeoutMs: 60_000,
  })
  expect(requestOf({}, { defaults })).toMatchObject({
    auth: 'same',
    redirects: 0,
    timeoutMs: 10_000,
  })
})

test('base URLs, hosts, limits and maps', () => {
  const { server, limits, maps } = manifestOf({
    server: {
      url: ['https://{{ config.host }}/a', 'https://b.example/c'],
      hosts: ['b.example', '*.b.example'],
    },
    limits: { rate: ['3/s', '10000/d'], concurrency: 2 },
    maps: { regions: { eu: 'Europe' } },
  })
  expect(server).toEqual({
    urls: [
      ['https://', { kind: 'path', root: 'config', path: ['host'] }, '/a'],
      ['https://b.example/c'],
    ],
    hosts: ['b.example', '*.b.example'],
    headers: [],
  })
  expect(limits).toEqual({
    rates: [
      { count: 3, periodMs: 1000 },
      { count: 10_000, periodMs: 86_400_000 },
    ],
    concurrency: 2,
    per: 'instance',
  })
  expect(maps).toEqual({ regions: { eu: 'Europe' } })
  expect(manifestOf().limits).toEqual({ rates: [], concurrency: null, per: 'instance' })
})
