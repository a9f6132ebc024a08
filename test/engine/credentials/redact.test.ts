import { inspect } from 'node:util'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createRedactor, Secret, textsIn } from '../../../src/engine/credentials/redact.ts'
import { processorMs } from '../../fixtures/processor-time.ts'

describe('a Secret', () => {
  const secret = new Secret('hunter2-hunter2')

  test.for([
    { name: 'as text', shown: String(secret) },
    { name: 'joined to a text', shown: [secret].join() },
    { name: 'as JSON', shown: JSON.parse(JSON.stringify({ secret }))['secret'] as string },
    { name: 'inspected', shown: inspect(secret) },
    { name: 'inspected with everything', shown: inspect(secret, { showHidden: true, depth: 9 }) },
  ])('K5 a secret does not show $name', ({ shown }) => expect(shown).toBe('[secret]'))

  test('is revealed on request', () => expect(secret.reveal()).toBe('hunter2-hunter2'))
})

describe('known values', () => {
  const redact = createRedactor(['pässwörd/1+2 "x"', 'abc123'])

  test.for([
    { name: 'as it is', text: 'got pässwörd/1+2 "x"!', want: 'got [secret]!' },
    {
      name: 'percent-encoded',
      text: '?p=p%C3%A4ssw%C3%B6rd%2F1%2B2%20%22x%22&q=1',
      want: '?p=[secret]&q=1',
    },
    {
      name: 'percent-encoded in lower case',
      text: 'p%c3%a4ssw%c3%b6rd%2f1%2b2%20%22x%22',
      want: '[secret]',
    },
    { name: 'form-encoded', text: 'p%C3%A4ssw%C3%B6rd%2F1%2B2+%22x%22', want: '[secret]' },
    { name: 'inside JSON', text: String.raw`{"a":"pässwörd/1+2 \"x\""}`, want: '{"a":"[secret]"}' },
    {
      name: 'inside ASCII JSON',
      text: String.raw`{"a":"p\u00e4ssw\u00f6rd\/1+2 \"x\""}`,
      want: '{"a":"[secret]"}',
    },
    { name: 'in a word', text: 'xabc123x', want: 'x[secret]x' },
  ])('K5 a secret is masked $name', ({ text, want }) => expect(redact(text)).toBe(want))

  test('K5 a secret is masked in base64, whatever stands before it', () => {
    for (const user of ['', 'u', 'us', 'usr']) {
      const basic = Buffer.from(`${user}:a-long-password-1`).toString('base64')
      const shown = createRedactor(['a-long-password-1'])(`got ${basic} here`)
      expect(Buffer.from(shown, 'base64').toString()).not.toContain('password')
      expect(shown).toContain('[secret]')
    }
  })

  test('of a Cookie header each value is masked, and nothing of other texts with an equals sign', () => {
    const cookies = createRedactor(['sid=abcdef123; csrf=zyxwv987; a=1', 'plain text = with more'])
    expect(cookies('no session abcdef123 (csrf is zyxwv987, a is 1) with more')).toBe(
      'no session [secret] (csrf is [secret], a is 1) with more',
    )
  })

  test('values shorter than 6 characters stay, they would blank whole texts', () => {
    expect(createRedactor(['a', 'ab', '12345'])('a ab 12345 abc')).toBe('a ab 12345 abc')
  })

  test('K5 no text that holds a registered secret of 6 characters or more shows it', () => {
    const secrets = fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme' })
    fc.assert(
      fc.property(secrets, fc.string(), fc.string(), (secret, before, after) => {
        const mask = createRedactor([secret])
        const forms = [
          secret,
          encodeURIComponent(secret.toWellFormed()),
          JSON.stringify(secret).slice(1, -1),
        ]
        for (const form of forms) {
          const shown = mask(before + form + after)
          if ('[secret]'.includes(secret)) continue
          expect(
            shown.replaceAll('[secret]', '').includes(form) && !(before + after).includes(form),
          ).toBe(false)
        }
      }),
    )
  })
})

describe('members by name', () => {
  const redact = createRedactor([])

  test.for([
    ['{"access_token":"abc","x":1}', '{"access_token":"[secret]","x":1}'],
    ['{"refresh-token" : "abc"}', '{"refresh-token" : "[secret]"}'],
    [
      'grant_type=refresh_token&refresh_token=abc&x=1',
      'grant_type=refresh_token&refresh_token=[secret]&x=1',
    ],
    ['Authorization: Bearer abc.def', 'Authorization: [secret]'],
    ['x-api-key: abc', 'x-api-key: [secret]'],
    [
      'https://m.example/f?X-Amz-Signature=abc&e=1',
      'https://m.example/f?X-Amz-Signature=[secret]&e=1',
    ],
    ['the token has expired', 'the token has expired'],
    ['{"message":"Invalid query","status":400}', '{"message":"Invalid query","status":400}'],
  ] as const)('K5 %s is shown as %s', ([text, want]) => expect(redact(text)).toBe(want))

  test('a hostile text is masked in linear time', () => {
    const texts = [
      'token'.repeat(40_000),
      '"'.repeat(200_000),
      'token="\\'.repeat(20_000),
      'a.'.repeat(100_000),
    ]
    const spentMs = processorMs(() => texts.map((text) => redact(text)))
    expect(spentMs).toBeLessThan(2000)
  })
})

test('the texts of a value are found at any depth', () => {
  expect(textsIn({ a: 'x', b: [1, 'y', { c: 'z', d: null }] })).toEqual(['x', 'y', 'z'])
})
