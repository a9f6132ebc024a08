import { expect, test } from 'vitest'
import { createCanaries } from './canary.ts'

test.for<readonly [string, (secret: string) => string]>([
  ['plain', (secret) => `x${secret}y`],
  ['JSON', (secret) => JSON.stringify({ secret })],
  ['JSON in JSON', (secret) => JSON.stringify({ body: JSON.stringify({ secret }) })],
  ['a URL', (secret) => `https://host/?token=${encodeURIComponent(secret)}&x`],
  ['a form', (secret) => new URLSearchParams({ a: 'b', secret }).toString()],
  ['base64', (secret) => Buffer.from(secret).toString('base64')],
  ['Basic', (secret) => Buffer.from(`me:${secret}`).toString('base64')],
  ['Basic, other alignment', (secret) => Buffer.from(`user:${secret}:x`).toString('base64')],
  ['base64url', (secret) => Buffer.from(`a${secret}`).toString('base64url')],
  ['hex', (secret) => Buffer.from(secret).toString('hex')],
  ['cut off', (secret) => secret.slice(0, 24)],
])('a canary is found as %s', ([, write]) => {
  const canaries = createCanaries()
  const secret = canaries.issue('the secret')
  canaries.issue('another one')
  const found = canaries.findIn('here', write(secret))
  expect(found.length).toBeGreaterThan(0)
  expect(found.every((find) => find.startsWith('the secret in here'))).toBe(true)
})

test('what is not there is not found', () => {
  const canaries = createCanaries()
  canaries.issue('the secret')
  expect(canaries.findIn('here', createCanaries().issue('foreign'))).toEqual([])
})
