import { expect, test } from 'vitest'
import { fitsChallenge, TokenBook } from '../../../src/sandbox/auth/token-book.ts'
import { createChance } from '../../../src/sandbox/data/chance.ts'

function book() {
  const clock = { ms: 0 }
  return { clock, tokens: new TokenBook(createChance(1), () => clock.ms) }
}
const ROTATES = { rotates: true, graceMs: null }

test('an access token works until its hour is over', () => {
  const { clock, tokens } = book()
  const { access } = tokens.grant('oauth', null)
  expect(tokens.rightsOf('oauth', access)).toMatchObject({ scopes: null })
  expect(tokens.rightsOf('other', access)).toBeNull()
  clock.ms = 3_600_000
  expect(tokens.rightsOf('oauth', access)).toBeNull()
})

test('a refresh token that rotates works once; the tokens before it go on', () => {
  const { tokens } = book()
  const first = tokens.grant('oauth', ['read'])
  const second = tokens.renew('oauth', first.refresh, ROTATES)
  expect(second).toMatchObject({ scopes: ['read'] })
  expect(second?.refresh).not.toBe(first.refresh)
  expect(tokens.rightsOf('oauth', first.access)).toMatchObject({ scopes: ['read'] })
  expect(tokens.rightsOf('oauth', second?.access ?? '')).toMatchObject({ scopes: ['read'] })
})

test('presenting a spent refresh token ends the whole family', () => {
  const { tokens } = book()
  const first = tokens.grant('oauth', null)
  const second = tokens.renew('oauth', first.refresh, ROTATES)
  expect(tokens.renew('oauth', first.refresh, ROTATES)).toBeNull()
  expect(tokens.rightsOf('oauth', second?.access ?? '')).toBeNull()
  expect(tokens.renew('oauth', second?.refresh ?? '', ROTATES)).toBeNull()
})

test('within its grace a spent refresh token still works', () => {
  const { clock, tokens } = book()
  const rules = { rotates: true, graceMs: 30_000 }
  const first = tokens.grant('oauth', null)
  tokens.renew('oauth', first.refresh, rules)
  clock.ms = 30_000
  expect(tokens.renew('oauth', first.refresh, rules)).not.toBeNull()
  clock.ms = 30_001
  expect(tokens.renew('oauth', first.refresh, rules)).toBeNull()
})

test('a refresh token that does not rotate works again and again', () => {
  const { tokens } = book()
  const rules = { rotates: false, graceMs: null }
  const first = tokens.grant('oauth', null)
  expect(tokens.renew('oauth', first.refresh, rules)?.refresh).toBe(first.refresh)
  expect(tokens.renew('oauth', first.refresh, rules)?.refresh).toBe(first.refresh)
})

test('a code works once, for ten minutes', () => {
  const { clock, tokens } = book()
  const terms = { redirectUri: 'https://a.example/', clientId: 'c', scopes: null, challenge: null }
  const code = tokens.issueCode('oauth', terms)
  expect(tokens.redeemCode('oauth', code)).toEqual(terms)
  expect(tokens.redeemCode('oauth', code)).toBeNull()
  const late = tokens.issueCode('oauth', terms)
  clock.ms = 600_000
  expect(tokens.redeemCode('oauth', late)).toBeNull()
})

// The pair of RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = { value: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', method: 'S256' as const }
test.for([
  { name: 'the right verifier', challenge, verifier, want: true },
  { name: 'another verifier', challenge, verifier: 'x', want: false },
  { name: 'no verifier', challenge, verifier: undefined, want: false },
  { name: 'neither', challenge: null, verifier: undefined, want: true },
  { name: 'a verifier without a challenge', challenge: null, verifier, want: false },
])('PKCE: $name', ({ challenge, verifier, want }) =>
  expect(fitsChallenge(challenge, verifier)).toBe(want),
)
