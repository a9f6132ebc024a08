// Tokens that nobody minted, in numbers.
import { randomBytes, randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isConnectorError } from '../../../src/errors.ts'
import { isTokenText, mintToken } from '../../../src/service/tokens/token-text.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { sized } from '../../fixtures/sizes.ts'

const FORGED = sized(10_000, 100_000)
/** Of those, with check digits that fit: each of them is looked for in the store. */
const WELL_FORMED = 5_000
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

let world: RunningService
let real: string

beforeAll(async () => {
  world = await runService({ connectors: ['gong'] })
  real = await world.scoped({ external_user_id: 'user-1' })
})
afterAll(() => world[Symbol.asyncDispose]())

async function refusal(token: string): Promise<string> {
  try {
    await world.service.tokens.authenticate(`Bearer ${token}`)
    return 'accepted'
  } catch (error) {
    if (!isConnectorError(error)) throw error
    return JSON.stringify(error)
  }
}

function digits(count: number): string {
  return Array.from(randomBytes(count), (byte) => DIGITS[byte % DIGITS.length]).join('')
}

function forged(index: number, real: string): string {
  if (index < WELL_FORMED) return mintToken(index % 2 === 0 ? 'application' : 'scoped')
  switch (index % 4) {
    case 0:
      return `tenon_at_${digits(49)}`
    case 1:
      return `tenon_st_${digits(49)}`
    case 2: {
      // A real one with some of its digits changed.
      const at = randomInt('tenon_st_'.length, real.length - 4)
      return real.slice(0, at) + digits(4) + real.slice(at + 4)
    }
    default:
      return digits(randomInt(1, 80))
  }
}

test(`T1 of ${FORGED} forged tokens none is accepted, and all are refused alike`, async () => {
  expect(await refusal(real)).toBe('accepted')
  const refusals = new Map<string, number>()
  for (let from = 0; from < FORGED; from += 500) {
    const tokens = Array.from({ length: 500 }, (_, index) => forged(from + index, real)).filter(
      (token) => token !== real,
    )
    for (const said of await Promise.all(tokens.map(refusal)))
      refusals.set(said, (refusals.get(said) ?? 0) + 1)
  }
  expect([...refusals.keys()]).toEqual([expect.stringContaining('"code":"token_invalid"')])
  expect(isTokenText(forged(0, real), ['application'])).toBe(true)
})

test('T1 all single-bit flips of a real token are refused alike', async () => {
  const bytes = Buffer.from(real)
  const refusals = new Set<string>()
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    refusals.add(await refusal(flipped.toString('latin1')))
  }
  // The case of "Bearer" does not matter, that of a token does.
  expect([...refusals]).toEqual([expect.stringContaining('"code":"token_invalid"')])
})
