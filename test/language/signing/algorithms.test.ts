// Algorithms against vectors that others published.
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  readSigningKey,
  type SignAlgorithm,
  signBytes,
  verifiesBytes,
} from '../../../src/language/signing/algorithms.ts'
import {
  compileSigned,
  partsOfUrl,
  requestFacts,
} from '../../../src/language/signing/request-facts.ts'
import { ValueError } from '../../../src/language/expression/value-error.ts'
import { parseText } from '../../../src/language/expression/parse-text.ts'

const TEXT = Buffer.from('what do ya want for nothing?')

test.for<[SignAlgorithm, string]>([
  // RFC 2202 section 3, RFC 4231 section 4.3: test case 2
  ['hmac_sha1', 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'],
  ['hmac_sha256', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
  [
    'hmac_sha384',
    'af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649',
  ],
  [
    'hmac_sha512',
    '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  ],
])('%s signs test case 2 of its RFC', ([algorithm, want]) => {
  for (const [text, encoding] of [
    ['Jefe', 'text'],
    ['4a656665', 'hex'],
    ['SmVmZQ==', 'base64'],
  ] as const) {
    const key = readSigningKey(algorithm, text, encoding)
    const signature = signBytes(algorithm, key, TEXT)
    expect(signature.toString('hex')).toBe(want)
    expect([
      verifiesBytes(algorithm, key, TEXT, signature),
      verifiesBytes(algorithm, key, Buffer.from('what'), signature),
      verifiesBytes(algorithm, key, TEXT, signature.subarray(1)),
    ]).toEqual([true, false, false])
  }
})

test.for(['text', 'hex', 'base64'] as const)('an empty key is none (%s)', (encoding) => {
  expect(() => readSigningKey('hmac_sha256', '', encoding)).toThrow(ValueError)
  expect(() => readSigningKey('HS256', '', encoding)).toThrow(ValueError)
})

test('ed25519 signs test 2 of RFC 8032 section 7.1, of a key in hex, in base64 and in PEM', () => {
  const seed = Buffer.from(
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    'hex',
  )
  const body = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  // Put together here: a private key in a file of the project would look like a leak.
  const pem = [
    '-----BEGIN',
    ' PRIVATE KEY-----\n',
    body.toString('base64'),
    '\n-----END',
    ' PRIVATE KEY-----',
  ].join('')
  for (const key of [
    readSigningKey('ed25519', seed.toString('hex'), 'hex'),
    readSigningKey('ed25519', seed.toString('base64'), 'base64'),
    readSigningKey('ed25519', pem),
    readSigningKey('ed25519', pem.replaceAll('\n', String.raw`\n`)),
  ])
    expect(signBytes('ed25519', key, Buffer.from('72', 'hex')).toString('hex')).toBe(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
        '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    )
})

const pemOf = (key: { export(options: object): string | Buffer }): string =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString()

test.for<{ name: string; algorithm: SignAlgorithm; text: () => string; want: RegExp }>([
  {
    name: 'a text that is no PEM',
    algorithm: 'rsa_sha256',
    text: () => 'super-secret-text',
    want: /^rsa_sha256 needs a private key in PEM/,
  },
  {
    name: 'a key of another type',
    algorithm: 'rsa_sha256',
    text: () => pemOf(generateKeyPairSync('ed25519').privateKey),
    want: /^rsa_sha256 needs a key of the type rsa, and this one is ed25519$/,
  },
  {
    name: 'a public key',
    algorithm: 'ed25519',
    text: () =>
      generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    want: /^ed25519 needs a private key in PEM/,
  },
])('$name is refused, and nothing of it is told', ({ algorithm, text, want }) => {
  const given = text()
  expect(() => readSigningKey(algorithm, given)).toThrow(want)
  try {
    readSigningKey(algorithm, given)
  } catch (error) {
    expect(JSON.stringify([String(error), (error as Error).cause])).not.toContain(
      given.slice(30, 60) || given,
    )
  }
})

test.for(['not hex', 'abc', ''])('an HMAC key "%s" is no hex', (text) => {
  expect(() => readSigningKey('hmac_sha1', text, 'hex')).toThrow('the key must be hex')
})

test('path and query are signed as they travel, the body by its bytes', () => {
  const message = {
    method: 'PUT',
    url: 'https://api.example.net:8443/a%20b/%C3%A9?b=2&a=%2F&a&b=1',
    headers: { 'content-type': 'image/png' },
    body: Buffer.from([0xff, 0, 0x80]),
  }
  const request = requestFacts(message, { alg: 'sha256', encoding: 'hex' }, { timestamp: '7' })
  expect(request).toEqual({
    method: 'PUT',
    url: message.url,
    host: 'api.example.net:8443',
    path: '/a%20b/%C3%A9',
    query: 'b=2&a=%2F&a&b=1',
    sorted_query: 'a&a=%2F&b=1&b=2',
    headers: message.headers,
    body: '\ufffd\0\ufffd',
    // printf '\xff\x00\x80' | sha256sum
    body_hash: 'ef192b7af54e943f206ab27075ec1805384c972c9959fc5820f1fa7d5268fcef',
    timestamp: '7',
  })
  const parsed = parseText(
    '{{ request.timestamp }}{{ request.method }}|{{ request.headers.content-type }}|{{ request.body }}|',
  )
  expect(compileSigned(parsed)({ request }, message)).toEqual({
    bytes: Buffer.concat([Buffer.from('7PUT|image/png|'), message.body, Buffer.from('|')]),
    absent: [],
  })
  expect(
    compileSigned(parseText('{{ request.nonce }}{{ lower credentials.key }}{{ request.path }}'))(
      { request, credentials: {} },
      message,
    ),
  ).toEqual({ bytes: null, absent: ['request.nonce', 'credentials.key'] })
})

test.for([
  ['https://a.example', { host: 'a.example', path: '/', query: '' }],
  ['https://a.example?x=?', { host: 'a.example', path: '/', query: 'x=?' }],
  ['http://127.0.0.1:80/x/?', { host: '127.0.0.1', path: '/x/', query: '' }],
] as const)('%s in parts', ([url, want]) => {
  expect(partsOfUrl(url)).toEqual(want)
})
