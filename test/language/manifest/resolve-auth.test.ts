import { expect, test } from 'vitest'
import type { AuthMethod } from '../../../src/language/manifest/manifest.ts'
import { body, constant, manifestOf, rule } from './resolved.ts'

function methodOf(method: Readonly<Record<string, unknown>>): AuthMethod {
  const credentials = { properties: { key: { type: 'string' } } }
  const auth = { one: { credentials, apply: { bearer: '{{ credentials.key }}' }, ...method } }
  const [found] = manifestOf({ auth }).auth
  if (found === undefined) throw new Error('there is one method')
  return found
}

const credential = (...path: readonly string[]): unknown => ({
  kind: 'value',
  expression: { kind: 'path', root: 'credentials', path },
})

test('a method that says little', () => {
  expect(methodOf({})).toEqual({
    name: 'one',
    title: null,
    description: null,
    docs: null,
    credentials: {
      schema: {
        type: 'object',
        properties: { key: { type: 'string' } },
        additionalProperties: false,
      },
      aliases: [],
      defaults: [],
      secrets: [],
      deprecated: [],
    },
    urls: null,
    derive: [],
    apply: { basic: null, bearer: credential('key'), headers: [], query: [] },
    session: null,
    oauth2: null,
  })
})

test('where credentials go, and what is computed from them', () => {
  const apply = {
    basic: { username: 'x', password: '{{ credentials.key }}' },
    headers: { Authorization: 'Key {{ credentials.key }}' },
    query: { k: { $if: '{{ config.on }}', $value: '{{ credentials.key }}' } },
  }
  const server = { url: ['https://{{ config.dc }}.x.example', 'https://x.example'] }
  const derive = { 'config.dc': '{{ last (split credentials.key "-") }}' }
  expect(methodOf({ title: 'One', description: 'First.', apply, server, derive })).toMatchObject({
    title: 'One',
    description: 'First.',
    urls: [
      ['https://', { kind: 'path', root: 'config', path: ['dc'] }, '.x.example'],
      ['https://x.example'],
    ],
    derive: [
      {
        setting: 'dc',
        value: {
          kind: 'value',
          expression: {
            kind: 'call',
            helper: 'last',
            args: [
              {
                kind: 'call',
                helper: 'split',
                args: [
                  { kind: 'path', root: 'credentials', path: ['key'] },
                  { kind: 'literal', value: '-' },
                ],
              },
            ],
          },
        },
      },
    ],
    apply: {
      basic: { username: constant('x'), password: credential('key') },
      bearer: null,
      headers: [
        {
          name: 'authorization',
          value: {
            kind: 'text',
            text: ['Key ', { kind: 'path', root: 'credentials', path: ['key'] }],
          },
          style: 'repeat',
        },
      ],
      query: [
        {
          name: 'k',
          value: {
            kind: 'when',
            test: { kind: 'path', root: 'config', path: ['on'] },
            value: credential('key'),
          },
          style: 'repeat',
        },
      ],
    },
  })
})

test('a login carries no credentials but its own', () => {
  const session = {
    request: { http: 'POST /login', body: { key: '{{ credentials.key }}' } },
    store: { 'session.token': '$.token', 'config.region': '$.region' },
    ttl: '1h',
  }
  expect(methodOf({ session }).session).toMatchObject({
    request: { method: 'POST', auth: 'none' },
    store: [
      { root: 'session', name: 'token', at: body('$.token', 'token') },
      { root: 'config', name: 'region', at: body('$.region', 'region') },
    ],
    ttlMs: 3_600_000,
    expires: null,
  })
  const expiring = {
    ...session,
    ttl: undefined,
    expires: '$.until',
    request: { http: 'POST /login', auth: 'same' },
  }
  expect(methodOf({ session: expiring }).session).toMatchObject({
    request: { auth: 'same' },
    ttlMs: null,
    expires: body('$.until', 'until'),
  })
})

const authorize = { url: 'https://x.example/consent' }
const token = { url: 'https://x.example/token' }

test('OAuth that says little', () => {
  expect(methodOf({ oauth2: { authorize, token } }).oauth2).toEqual({
    grant: 'authorization_code',
    authorize: {
      url: ['https://x.example/consent'],
      scopes: [],
      separator: ' ',
      pkce: true,
      params: [],
    },
    token: {
      url: ['https://x.example/token'],
      method: 'POST',
      clientAuth: 'basic',
      body: 'form',
      headers: [],
      params: [],
    },
    refresh: { url: ['https://x.example/token'], params: [] },
    rotatesRefreshToken: false,
    reuseGraceMs: null,
    store: [],
    afterToken: [],
  })
})

test('what differs when a token is refreshed', () => {
  const refreshOf = (refresh: unknown): unknown =>
    methodOf({ oauth2: { authorize, token, refresh } }).oauth2?.refresh
  expect(refreshOf(false)).toBeNull()
  expect(refreshOf({ params: { scope: 'all' } })).toEqual({
    url: ['https://x.example/token'],
    params: [{ name: 'scope', value: constant('all'), style: 'repeat' }],
  })
  expect(refreshOf({ url: 'https://x.example/refresh' })).toEqual({
    url: ['https://x.example/refresh'],
    params: [],
  })
})

test('requests that finish a connection', () => {
  const step = {
    request: { http: 'GET https://id.example/sites' },
    choose: {
      from: '$',
      match: { '$.url': 'https://{{ config.name }}.x.example' },
      label: '$.name',
    },
    store: { 'config.site': '$.id' },
  }
  const consent = {
    on: 'consent',
    if: '{{ not config.site }}',
    request: { http: 'GET /x', auth: 'none' },
    store: { 'credentials.access_token': '$.t' },
  }
  expect(
    methodOf({ oauth2: { authorize, token, after_token: [step, consent] } }).oauth2?.afterToken,
  ).toMatchObject([
    {
      on: 'connect',
      test: null,
      request: { origin: 'https://id.example', auth: 'same' },
      choose: {
        from: { root: 'body', steps: [], source: '$' },
        match: [
          {
            at: body('$.url', 'url'),
            value: ['https://', { kind: 'path', root: 'config', path: ['name'] }, '.x.example'],
          },
        ],
        label: body('$.name', 'name'),
      },
      store: [{ root: 'config', name: 'site', at: body('$.id', 'id') }],
    },
    {
      on: 'consent',
      test: {
        kind: 'call',
        helper: 'not',
        args: [{ kind: 'path', root: 'config', path: ['site'] }],
      },
      request: { auth: 'none' },
      choose: null,
      store: [{ root: 'credentials', name: 'access_token', at: body('$.t', 't') }],
    },
  ])
})

test('the call that proves a connection', () => {
  expect(manifestOf().check).toBeNull()
  expect(
    manifestOf({ check: { entity: 'things', action: 'get', params: { a: '{{ config.a }}' } } })
      .check,
  ).toEqual({
    kind: 'action',
    entity: 'things',
    action: 'get',
    params: {
      kind: 'object',
      members: [
        ['a', { kind: 'value', expression: { kind: 'path', root: 'config', path: ['a'] } }],
      ],
    },
  })
  const defaults = {
    errors: [rule({ status: 404 }, 'empty'), rule({ status: 429 }, 'retry')],
    retry: { attempts: 1 },
  }
  expect(manifestOf({ check: { request: { http: 'GET /me' } }, defaults }).check).toMatchObject({
    kind: 'request',
    request: { method: 'GET', path: [['me']], auth: 'same' },
    // Nothing is listed here, so nothing can be empty.
    errors: [{ effect: 'retry' }],
    errorBody: { message: null, code: null, requestId: null, fields: null },
    retry: { attempts: 1 },
  })
})
