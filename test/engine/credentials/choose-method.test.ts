import { describe, expect, test } from 'vitest'

import { chooseMethod } from '../../../src/engine/credentials/choose-method.ts'
import type { ConnectorError } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { exampleManifest, oauthMethod } from './example-manifest.ts'

const KEY = {
  name: 'access_key',
  credentials: {
    required: ['access_key', 'access_key_secret'],
    properties: {
      access_key: { type: 'string', minLength: 1, aliases: ['key'] },
      access_key_secret: { type: 'string', minLength: 1, writeOnly: true },
    },
  },
}
const TWO = exampleManifest({ methods: [KEY, oauthMethod()] })
const ALIKE = exampleManifest({ methods: [KEY, { ...KEY, name: 'other_key' }] })

function chosen(manifest: typeof TWO, credentials: JsonObject, name?: string): unknown {
  const { method, credentials: ready } = chooseMethod(manifest, credentials, name)
  return { method: method?.name, credentials: ready }
}

function refusal(run: () => unknown): ConnectorError {
  try {
    run()
  } catch (error) {
    return error as ConnectorError
  }
  throw new Error('nothing was refused')
}

test.for([
  {
    name: 'the method whose members are given',
    given: { access_key: 'k', access_key_secret: 's' },
    want: { method: 'access_key', credentials: { access_key: 'k', access_key_secret: 's' } },
  },
  {
    name: 'a refresh token alone',
    given: { refresh_token: 'r' },
    want: { method: 'oauth', credentials: { refresh_token: 'r' } },
  },
  {
    name: 'another accepted name',
    given: { key: 'k', access_key_secret: 's' },
    want: { method: 'access_key', credentials: { access_key: 'k', access_key_secret: 's' } },
  },
])('credentials choose their method: $name', ({ given, want }) =>
  expect(chosen(TWO, given)).toEqual(want),
)

describe('credentials that fit no method', () => {
  test.for([
    {
      name: 'all problems of the method that comes closest are listed',
      given: { access_key: '', extra: 1 },
      method: 'access_key',
      pointers: ['/credentials/access_key', '/credentials/access_key_secret', '/credentials/extra'],
    },
    {
      name: 'the closest is the one that knows most of the members',
      given: { access_token: 'a', client_id: 'c' },
      method: 'oauth',
      pointers: ['/credentials/refresh_token'],
    },
    {
      name: 'both names of one member are a problem',
      given: { key: 'k', access_key: 'k', access_key_secret: 's' },
      method: 'access_key',
      pointers: ['/credentials/key'],
    },
  ])('$name', ({ given, method, pointers }) => {
    const error = refusal(() => chooseMethod(TWO, given))
    expect(error.code).toBe('credentials_invalid')
    expect(error.details).toEqual({ method })
    expect(error.errors.map(({ pointer }) => pointer).toSorted()).toEqual(pointers)
  })

  test('with all members of one method the message says what is wrong with them', () => {
    const given = { access_key: 'k', access_key_secret: 's', extra: 1 }
    expect(refusal(() => chooseMethod(TWO, given)).message).toBe(
      'the credentials of access_key are not valid: /credentials/extra: unknown credential',
    )
  })

  test('K5 no value stands in the error', () => {
    const error = refusal(() =>
      chooseMethod(TWO, { access_key: 'very-secret-value', refresh_token: 7 }),
    )
    expect(JSON.stringify(error)).not.toContain('very-secret-value')
  })
})

describe('credentials that fit two methods', () => {
  const given = { access_key: 'k', access_key_secret: 's' }

  test('ask for auth_method', () => {
    const error = refusal(() => chooseMethod(ALIKE, given))
    expect([error.code, error.errors]).toEqual([
      'credentials_invalid',
      [
        expect.objectContaining({
          pointer: '/auth_method',
          code: 'required',
          allowed: ['access_key', 'other_key'],
        }),
      ],
    ])
  })

  test('take the method that is named', () => {
    expect(chosen(ALIKE, given, 'other_key')).toEqual({ method: 'other_key', credentials: given })
  })

  test('refuse a method that does not exist', () => {
    const error = refusal(() => chooseMethod(ALIKE, given, 'constructor'))
    expect([error.code, error.errors]).toEqual([
      'credentials_invalid',
      [expect.objectContaining({ pointer: '/auth_method', allowed: ['access_key', 'other_key'] })],
    ])
  })
})

describe('a manifest without methods', () => {
  const open = exampleManifest({ methods: [] })

  test('takes no credentials', () => {
    expect(chooseMethod(open, {})).toEqual({ method: null, credentials: {} })
  })

  test('refuses credentials instead of dropping them', () => {
    expect(
      refusal(() => chooseMethod(open, { api_key: 'k' })).errors.map(({ pointer }) => pointer),
    ).toEqual(['/credentials/api_key'])
  })
})
