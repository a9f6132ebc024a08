import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'

import { compileApply } from '../../../src/engine/credentials/apply.ts'
import { parseTemplate } from '../../../src/language/expression/parse-text.ts'
import type { Scope } from '../../../src/language/expression/syntax.ts'
import { printScalar } from '../../../src/language/expression/text-value.ts'
import type { Carried } from '../../../src/language/manifest/credential-places/place.ts'
import type { SignedMessage } from '../../../src/language/signing/request-facts.ts'
import { carriedBy } from '../../../src/language/manifest/credential-places/places.ts'
import type { AuthMethod } from '../../../src/language/manifest/manifest.ts'
import { signed } from '../../../src/engine/request/upstream-request.ts'
import { compareCarried } from '../../../src/sandbox/auth/check-credentials.ts'
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
  expect(compileApply(carriedBy(methodWith(apply).apply))(scope)).toEqual(want),
)

describe('G6 values that cannot stand in a header are refused with their names', () => {
  test.for([
    { name: 'a line break', value: 'a\r\nX-Evil: 1' },
    { name: 'a NUL', value: 'a\0b' },
    { name: 'a letter beyond ASCII', value: 'é' },
  ])('$name', ({ value }) => {
    const apply = compileApply(
      carriedBy(methodWith({ headers: { 'X-Key': 'Key {{ credentials.key }}' } }).apply),
    )
    expect(() => apply({ credentials: { key: value } })).toThrow(
      expect.objectContaining({
        code: 'credentials_invalid',
        errors: [expect.objectContaining({ pointer: '/credentials/key', code: 'format' })],
      }),
    )
  })

  test('a colon in a basic user would move into the password', () => {
    const apply = compileApply(carriedBy(methodWith(KEY).apply))
    expect(() => apply({ credentials: { key: 'a:b', secret: 'c' } })).toThrow(
      expect.objectContaining({ code: 'credentials_invalid' }),
    )
  })

  test('an object', () => {
    const apply = compileApply(
      carriedBy(methodWith({ headers: { 'X-Key': '{{ credentials.key }}' } }).apply),
    )
    expect(() => apply({ credentials: { key: { a: 1 } } })).toThrow(
      expect.objectContaining({ code: 'credentials_invalid' }),
    )
  })

  test('a value that only the manifest can have put there is a mistake of the manifest', () => {
    const apply = compileApply(
      carriedBy(methodWith({ headers: { 'X-Key': '{{ config.key }}' } }).apply),
    )
    expect(() => apply({ config: { key: { a: 1 } } })).toThrow(
      expect.objectContaining({ code: 'internal_error' }),
    )
  })
})

/** A made-up signature: a hash over time, method, address and body, keyed by a secret. */
const SIGNATURE: Carried = {
  in: 'signature',
  names: ['x-time', 'x-signature'],
  queryNames: [],
  placed: [],
  values: [{ template: parseTemplate('{{ credentials.secret }}'), put: printScalar }],
  sign: ([secret = ''], { now, nonce: _nonce, scope: _scope, ...request }) => ({
    ...request,
    headers: { ...request.headers, ...signatureOf(secret, String(now), request) },
  }),
  accepts: ([secret = ''], request) =>
    signatureOf(secret, request.headers['x-time'] ?? '', request)['x-signature'] ===
    request.headers['x-signature'],
}

function signatureOf(
  secret: string,
  time: string,
  { method, url, body }: SignedMessage,
): Record<'x-time' | 'x-signature', string> {
  const signature = createHmac('sha256', secret)
    .update(`${time}|${method}|${url}|`)
    .update(body ?? '')
  return { 'x-time': time, 'x-signature': signature.digest('hex') }
}

describe('a method that signs', () => {
  const request = {
    method: 'POST',
    url: 'https://api.example.net/calls?a=1',
    headers: { accept: 'application/json', host: 'api.example.net' },
    body: '{"a":"é"}',
    redirects: 0,
    timeoutMs: 1000,
    secretHeaders: ['x-key'],
    secretQuery: [],
  }

  test('sees method, address, headers and body bytes, and signs each attempt', () => {
    let now = 1_700_000_000_000
    const scope: Scope = { credentials: { secret: 's3cret' }, now: () => now }
    const { sign, ...rest } = compileApply([SIGNATURE])(scope)
    if (sign === undefined) throw new Error('it signs')
    const first = signed({ ...request, sign })
    now++
    const second = signed({ ...request, sign })
    expect(rest).toEqual({ headers: {}, query: [] })
    expect(first).toEqual({
      ...request,
      headers: {
        ...request.headers,
        'x-time': '1700000000000',
        // printf '1700000000000|POST|https://api.example.net/calls?a=1|{"a":"é"}' | openssl sha256 -hmac s3cret
        'x-signature': '73d93ede724a97e0ab0ebe86d69bdf241cc26df4b54175080377e7d13b1b636a',
      },
      secretHeaders: ['x-key', 'x-time', 'x-signature'],
    })
    expect(second.headers['x-time']).toBe('1700000000001')
    expect(second.headers['x-signature']).not.toBe(first.headers['x-signature'])
  })

  test.for([
    { name: 'as it was signed', change: {}, fits: true },
    { name: 'another body', change: { body: Buffer.from('{}') }, fits: false },
    { name: 'another address', change: { target: '/calls?a=2' }, fits: false },
    { name: 'no signature', change: { headers: request.headers }, fits: false },
  ])('the sandbox checks it: $name', ({ change, fits }) => {
    const scope: Scope = { credentials: { secret: 's3cret' }, now: () => 5 }
    const { sign } = compileApply([SIGNATURE])(scope)
    const url = 'http://api.example.net/calls?a=1'
    const { headers } = signed({ ...request, url, ...(sign === undefined ? {} : { sign }) })
    const arrived = {
      method: 'POST',
      target: '/calls?a=1',
      segments: ['calls'],
      query: [['a', '1']] as const,
      headers,
      body: Buffer.from(request.body),
      ...change,
    }
    expect(compareCarried(SIGNATURE, scope, arrived).fits).toBe(fits)
  })
})

test('the sandbox takes the empty password where that of a method is absent', () => {
  const [part] = carriedBy(methodWith(KEY).apply)
  if (part === undefined) throw new Error('it carries a header')
  const arrived = {
    method: 'GET',
    target: '/',
    segments: [''],
    query: [],
    // printf 'k:' | base64
    headers: { authorization: 'basic azo=' },
    body: Buffer.alloc(0),
  }
  expect(compareCarried(part, { credentials: { key: 'k' } }, arrived)).toEqual({
    fits: true,
    isGiven: true,
  })
  expect(compareCarried(part, { credentials: { key: 'k', secret: 's' } }, arrived).fits).toBe(false)
})
