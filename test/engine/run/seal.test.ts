import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSealer } from '../../../src/engine/run/seal.ts'

test('what was sealed opens again, for its purpose only', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.string(),
      fc.string(),
      (text, purpose, other) => {
        const sealer = createSealer()
        const sealed = sealer.seal(text, purpose)
        expect(sealer.open(sealed, purpose)).toBe(text)
        expect(sealer.open(sealer.begin(purpose)(text), purpose)).toBe(text)
        if (other !== purpose) expect(sealer.open(sealed, other)).toBeNull()
      },
    ),
  )
})

test('G4 a sealed address shows nothing of its tokens', () => {
  const sealed = createSealer().seal('https://api.example.com/items?access_token=very-secret', 'x')
  expect(sealed).not.toContain('secret')
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('secret')
})

test('every altered bit is noticed', () => {
  const sealer = createSealer()
  const bytes = Buffer.from(sealer.seal('https://api.example.com/next', 'x'), 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const altered = Buffer.from(bytes)
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(sealer.open(altered.toString('base64url'), 'x')).toBeNull()
  }
})

test.for(['', 'a', 'not sealed at all', '====', 'A'.repeat(200)])('%o does not open', (text) => {
  expect(createSealer().open(text, 'x')).toBeNull()
})

test('another client cannot open it', () => {
  expect(createSealer().open(createSealer().seal('a', 'x'), 'x')).toBeNull()
})
