import { describe, expect, test } from 'vitest'

import { compileApply } from '../../../src/engine/credentials/apply.ts'
import type { Scope } from '../../../src/language/expression/syntax.ts'
import type { AuthMethod } from '../../../src/language/manifest/manifest.ts'
import { exampleManifest, type ExampleMethod } from './example-manifest.ts'

const ANY = { properties: {} }

function methodWith(apply: Omit<ExampleMethod, 'credentials'>): AuthMethod {
  const [method] = exampleManifest({ methods: [{ credentials: ANY, ...apply }] }).auth
  if (method === undefined) throw new Error('there is one method')
  return method
}

const KEY = { basic: { username: '{{ credentials.key }}', password: '{{ credentials.secret }}' } }

test.for<{ name: string; apply: Omit<ExampleMethod, 'credentials'>; scope: Scope; want: unknown }>([
  {
    name: 'basic: user and password in UTF-8',
    apply: KEY,
    scope: { credentials: { key: 'ada@example.com', secret: 'pä:ss' } },
    // printf 'ada@example.com:pä:ss' | base64
    want: { headers: { authorization: 'Basic YWRhQGV4YW1wbGUuY29tOnDDpDpzcw==' }, query: [] },
  },
  {
    name: 'basic: an absent password is empty',
    apply: KEY,
    scope: { credentials: { key: 'k' } },
    want: { headers: { authorization: 'Basic azo=' }, query: [] },
  },
  {
    name: 'basic: without a user nothing is sent',
    apply: KEY,
    scope: { credentials: {} },
    want: { headers: {}, query: [] },
  },
  {
    name: 'bearer',
    apply: { bearer: '{{ credentials.access_token }}' },
    scope: { credentials: { access_token: 'abc' } },
    want: { headers: { authorization: 'Bearer abc' }, query: [] },
  },
  {
    name: 'headers: names in lower case, an own scheme, settings and session values',
    apply: {
      headers: {
        'X-Api-Key': '{{ credentials.key }}',
        Authorization: 'Token {{ session.token }}',
        'X-Region': '{{ config.region }}',
        'X-Number': '{{ credentials.number }}',
      },
    },
    scope: {
      credentials: { key: 'k', number: 7 },
      session: { token: 't' },
      config: { region: 'eu' },
    },
    want: {
      headers: { 'x-api-key': 'k', authorization: 'Token t', 'x-region': 'eu', 'x-number': '7' },
      query: [],
    },
  },
  {
    name: 'headers and query: absent and null are left out',
    apply: {
      headers: { A: '{{ credentials.a }}', B: 'x {{ credentials.b }}' },
      query: { c: '{{ credentials.c }}' },
    },
    scope: { credentials: { a: null } },
    want: { headers: {}, query: [] },
  },
  {
    name: 'query: a value under a condition that holds, not encoded yet',
    apply: {
      query: {
        proof: {
          if: '{{ config.app_proof }}',
          value: '{{ hmac_sha256 credentials.access_token client.secret }}',
        },
        plain: 'a&b {{ credentials.access_token }}',
      },
    },
    scope: {
      credentials: { access_token: 'abc' },
      client: { secret: 'key' },
      config: { app_proof: true },
    },
    want: {
      headers: {},
      query: [
        // printf abc | openssl dgst -sha256 -hmac key
        ['proof', '9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab'],
        ['plain', 'a&b abc'],
      ],
    },
  },
  {
    name: 'query: a value under a condition that does not hold is left out',
    apply: {
      query: { proof: { if: '{{ config.app_proof }}', value: '{{ credentials.access_token }}' } },
    },
    scope: { credentials: { access_token: 'abc' }, config: { app_proof: false } },
    want: { headers: {}, query: [] },
  },
])('$name', ({ apply, scope, want }) =>
  expect(compileApply(methodWith(apply))(scope)).toEqual(want),
)

describe('G6 values that cannot stand in a header are refused with their names', () => {
  test.for([
    { name: 'a line break', value: 'a\r\nX-Evil: 1' },
    { name: 'a NUL', value: 'a\0b' },
    { name: 'a letter beyond ASCII', value: 'é' },
  ])('$name', ({ value }) => {
    const apply = compileApply(methodWith({ headers: { 'X-Key': 'Key {{ credentials.key }}' } }))
    expect(() => apply({ credentials: { key: value } })).toThrow(
      expect.objectContaining({
        code: 'credentials_invalid',
        errors: [expect.objectContaining({ pointer: '/credentials/key', code: 'format' })],
      }),
    )
  })

  test('a colon in a basic user would move into the password', () => {
    const apply = compileApply(methodWith(KEY))
    expect(() => apply({ credentials: { key: 'a:b', secret: 'c' } })).toThrow(
      expect.objectContaining({ code: 'credentials_invalid' }),
    )
  })

  test('an object', () => {
    const apply = compileApply(methodWith({ headers: { 'X-Key': '{{ credentials.key }}' } }))
    expect(() => apply({ credentials: { key: { a: 1 } } })).toThrow(
      expect.objectContaining({ code: 'credentials_invalid' }),
    )
  })

  test('a value that only the manifest can have put there is a mistake of the manifest', () => {
    const apply = compileApply(methodWith({ headers: { 'X-Key': '{{ config.key }}' } }))
    expect(() => apply({ config: { key: { a: 1 } } })).toThrow(
      expect.objectContaining({ code: 'internal_error' }),
    )
  })
})
