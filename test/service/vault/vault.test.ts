import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { isConnectorError } from '../../../src/errors.ts'
import type { KeyProvider } from '../../../src/service/vault/key-provider.ts'
import { newDataKey } from '../../../src/service/vault/data-key.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'
import { memoryDataKeys } from './memory-data-keys.ts'

const KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`

function setUp({ provider = readMasterKeys(KEYS, 'test'), random = 0.5 } = {}) {
  const clock = createTestClock({ random })
  const dataKeys = memoryDataKeys(() => clock.now())
  const tampered: unknown[] = []
  const make = (): Vault =>
    new Vault({ provider, dataKeys, clock, onTampered: (place) => tampered.push(place) })
  return { clock, dataKeys, tampered, make, vault: make() }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'opened'
  } catch (error) {
    return isConnectorError(error) ? error.code : String(error)
  }
}

describe('sealing', () => {
  test('what is sealed opens at its place, also in another process', async () => {
    const { vault, make } = setUp()
    const sealed = await vault.seal('a', 'credential', 1, 'grüße')
    expect(await make().openText('a', 'credential', 1, sealed)).toBe('grüße')
    expect(
      await vault.open('a', 'credential', 1, await vault.seal('a', 'credential', 1, '')),
    ).toEqual(Buffer.alloc(0))
  })

  test('any bytes come back as they were', async () => {
    const { vault } = setUp()
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.string(),
        fc.nat(),
        async (value, column, generation) => {
          const sealed = await vault.seal('a', column, generation, value)
          expect(Buffer.from(await vault.open('a', column, generation, sealed))).toEqual(
            Buffer.from(value),
          )
        },
      ),
      { numRuns: 50 },
    )
  })

  test('K1 sealed bytes and stored rows hold neither the value nor a key in the clear', async () => {
    const unwrapped: Uint8Array[] = []
    const local = readMasterKeys(KEYS, 'test')
    const provider: KeyProvider = {
      ...local,
      async unwrap(keyId, wrapped) {
        const bytes = await local.unwrap(keyId, wrapped)
        unwrapped.push(bytes)
        return bytes
      },
    }
    const { vault, dataKeys } = setUp({ provider })
    const sealed = Buffer.from(await vault.seal('a', 'credential', 1, 'canary-7e1f'))
    const [row] = dataKeys.rows.get('a') ?? []
    expect(sealed.includes('canary')).toBe(false)
    expect(unwrapped).toHaveLength(1)
    expect(
      Buffer.from(row?.wrapped ?? []).includes(Buffer.from(unwrapped[0] ?? []).subarray(0, 8)),
    ).toBe(false)
    expect(sealed.length).toBe(1 + 4 + 12 + 'canary-7e1f'.length + 16)
  })

  test('K3 the same value sealed twice gives different bytes', async () => {
    const { vault } = setUp()
    expect(await vault.seal('a', 'c', 1, 'x')).not.toEqual(await vault.seal('a', 'c', 1, 'x'))
  })

  test('a generation that is no whole number is a mistake of the program', async () => {
    const { vault } = setUp()
    await expect(vault.seal('a', 'c', 1.5, 'x')).rejects.toThrow(TypeError)
  })
})

describe('K2 what was tampered with', () => {
  test('K2 a sealed value swapped with any of 1,000 others is refused', async () => {
    const { vault, tampered } = setUp()
    const places = Array.from({ length: 1000 }, (_, index) => ({
      owner: `instance-${index % 100}`,
      column: ['credential', 'oauth_secret'][index % 2] ?? '',
      generation: 1 + Math.floor(index / 200),
    }))
    const sealed = await Promise.all(
      places.map(({ owner, column, generation }, index) =>
        vault.seal(owner, column, generation, `value ${index}`),
      ),
    )
    let refused = 0
    for (const [index, { owner, column, generation }] of places.entries()) {
      const other = sealed[(index + 1 + ((index * 7) % 998)) % 1000] ?? new Uint8Array()
      if ((await codeOf(vault.open(owner, column, generation, other))) === 'internal_error')
        refused += 1
    }
    expect(refused).toBe(1000)
    expect(tampered).toHaveLength(1000)
  })

  test('K2 every flipped bit of a sealed value is refused', async () => {
    const { vault } = setUp()
    const sealed = await vault.seal('a', 'credential', 1, '{"access_token":"secret"}')
    const found = new Set<string>()
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const altered = Buffer.from(sealed)
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      found.add(await codeOf(vault.open('a', 'credential', 1, altered)))
    }
    expect([...found]).toEqual(['internal_error'])
  })

  test('K2 a sealed value cut at any byte is refused', async () => {
    const { vault } = setUp()
    const sealed = await vault.seal('a', 'credential', 1, 'secret')
    const found = new Set<string>()
    for (let length = 0; length < sealed.length; length++)
      found.add(await codeOf(vault.open('a', 'credential', 1, sealed.subarray(0, length))))
    expect([...found]).toEqual(['internal_error'])
  })

  test('K2 an older generation brought back from a backup is refused, and said once with its place', async () => {
    const { vault, tampered } = setUp()
    const old = await vault.seal('a', 'credential', 1, 'old')
    expect(await codeOf(vault.open('a', 'credential', 2, old))).toBe('internal_error')
    expect(tampered).toEqual([{ owner: 'a', column: 'credential', generation: 2 }])
  })

  test('K2 a value of an owner whose data key is gone does not open, and no key is made for it', async () => {
    const { vault, dataKeys, make } = setUp()
    const sealed = await vault.seal('a', 'credential', 1, 'x')
    dataKeys.rows.delete('a')
    expect(await codeOf(make().open('a', 'credential', 1, sealed))).toBe('internal_error')
    expect([...dataKeys.rows]).toEqual([])
  })
})

describe('data keys', () => {
  test('K3 a data key used 2^30 times gets a successor, and what it sealed still opens', async () => {
    const { vault, dataKeys, make } = setUp()
    const old = await vault.seal('a', 'c', 1, 'old')
    await dataKeys.addUses('a', 1, 2 ** 30)
    const other = make()
    const young = await other.seal('a', 'c', 2, 'young')
    expect(dataKeys.rows.get('a')?.map(({ version, uses }) => ({ version, uses }))).toEqual([
      { version: 1, uses: 2 ** 30 },
      { version: 2, uses: 0 },
    ])
    expect(await other.openText('a', 'c', 1, old)).toBe('old')
    // This one still knows only the first key.
    expect(await vault.openText('a', 'c', 2, young)).toBe('young')
  })

  test('K3 uses are counted in steps of 1,024, each by a chance of one in as many', async () => {
    const { vault, dataKeys } = setUp({ random: 0 })
    await vault.seal('a', 'c', 1, 'x')
    await vault.seal('a', 'c', 1, 'x')
    expect(dataKeys.rows.get('a')?.[0]?.uses).toBe(2048)
    const seldom = setUp({ random: 1 / 1024 })
    await seldom.vault.seal('a', 'c', 1, 'x')
    expect(seldom.dataKeys.rows.get('a')?.[0]?.uses).toBe(0)
  })

  test('processes that need the first key of an owner at once agree on one', async () => {
    const { dataKeys, make } = setUp()
    const vaults = Array.from({ length: 8 }, make)
    const sealed = await Promise.all(
      vaults.map((vault, index) => vault.seal('a', 'c', index, `${index}`)),
    )
    expect(dataKeys.rows.get('a')).toHaveLength(1)
    for (const [index, bytes] of sealed.entries())
      expect(await make().openText('a', 'c', index, bytes)).toBe(`${index}`)
  })

  test('K4 an unwrapped key is kept for five minutes, and at most a thousand are', async () => {
    const local = readMasterKeys(KEYS, 'test')
    let unwraps = 0
    const provider: KeyProvider = {
      ...local,
      unwrap(keyId, wrapped) {
        unwraps += 1
        return local.unwrap(keyId, wrapped)
      },
    }
    const { vault, clock } = setUp({ provider })
    const counts: number[] = []
    for (const ms of [0, 299_000, 1_000]) {
      clock.advance(ms)
      await vault.seal('a', 'c', 1, 'x')
      counts.push(unwraps)
    }
    expect(counts).toEqual([1, 1, 2])
    for (let index = 0; index < 1000; index++) await vault.seal(`other-${index}`, 'c', 1, 'x')
    await vault.seal('a', 'c', 1, 'x')
    expect(unwraps).toBe(2 + 1000 + 1)
  })
})

describe('derived keys', () => {
  test('K3 they differ by owner and purpose, and stay through a rotation of master keys', async () => {
    const old = setUp()
    const [a, b, c] = await Promise.all([
      old.vault.deriveKeys('a', 'cursors'),
      old.vault.deriveKeys('a', 'page-links'),
      old.vault.deriveKeys('b', 'cursors'),
    ])
    expect(new Set([a, b, c].map(([key]) => Buffer.from(key).toString('hex'))).size).toBe(3)
    expect(a).toHaveLength(1)
    expect(a[0]).toHaveLength(32)
    const both = readMasterKeys(`k2:${randomBytes(32).toString('base64')},${KEYS}`, 'test')
    const vault = new Vault({ provider: both, dataKeys: old.dataKeys, clock: old.clock })
    expect(await vault.deriveKeys('a', 'cursors')).toEqual(a)
  })

  test('K3 those of a data key made anew come first once every process knows it, and the others stay', async () => {
    const { vault, make, dataKeys, clock } = setUp()
    const [old] = await vault.deriveKeys('a', 'cursors')
    clock.advance(3_600_000)
    await vault.deriveKeys('a', 'cursors')
    const provider = readMasterKeys(KEYS, 'test')
    const successor = { version: 2, ...(await provider.wrap(newDataKey())) }
    expect(await dataKeys.succeed('a', successor)).toBe(true)
    expect(await dataKeys.succeed('a', successor)).toBe(false)
    const late = make()
    const [first, next] = await late.deriveKeys('a', 'cursors')
    expect(first).toEqual(old)
    // This one has not looked again yet, and understands what the others seal all the same.
    expect(await vault.deriveKeys('a', 'cursors')).toEqual([old])
    clock.advance(5 * 60_000)
    expect(await vault.deriveKeys('a', 'cursors')).toEqual([old, next])
    clock.advance(5 * 60_000)
    expect(await vault.deriveKeys('a', 'cursors')).toEqual([next, old])
    expect(await late.deriveKeys('a', 'cursors')).toEqual([next, old])
    await dataKeys.removeOlder('a', 2)
    clock.advance(5 * 60_000)
    expect(await vault.deriveKeys('a', 'cursors')).toEqual([next])
  })

  test('a fingerprint tells secrets apart, and owners do not share it', async () => {
    const { vault } = setUp()
    const [one] = await vault.fingerprints('a', 'token')
    expect(one).toMatch(/^[0-9a-f]{64}$/)
    expect(await vault.fingerprints('a', 'token')).toEqual([one])
    expect(await vault.fingerprints('a', 'token2')).not.toContain(one)
    expect(await vault.fingerprints('b', 'token')).not.toContain(one)
  })
})

describe('K4 the key provider fails', () => {
  const local = readMasterKeys(KEYS, 'test')
  type Mode = 'well' | 'away' | 'silent' | 'wrong key' | 'wrong bytes'

  function failing(): { provider: KeyProvider; be: (mode: Mode) => void } {
    let mode: Mode = 'well'
    const answers: Readonly<
      Record<Mode, (keyId: string, wrapped: Uint8Array) => Promise<Uint8Array>>
    > = {
      well: (keyId, wrapped) => local.unwrap(keyId, wrapped),
      away: () => Promise.reject(new Error('connect ECONNREFUSED')),
      silent: () => new Promise(() => {}),
      'wrong key': (keyId, wrapped) =>
        readMasterKeys(`k1:${randomBytes(32).toString('base64')}`, 'x').unwrap(keyId, wrapped),
      'wrong bytes': async () => randomBytes(40),
    }
    return {
      provider: {
        ...local,
        wrap: (key) => (mode === 'well' ? local.wrap(key) : Promise.reject(new Error('away'))),
        unwrap: (keyId, wrapped) => answers[mode](keyId, wrapped),
      },
      be: (next) => void (mode = next),
    }
  }

  test.for<Mode>(['away', 'silent', 'wrong key', 'wrong bytes'])(
    'K4 %s: 503 with a wait, nothing in plain text, and well again without a restart',
    async (mode) => {
      const { provider, be } = failing()
      const { vault, make, tampered, dataKeys } = setUp({ provider })
      const sealed = await vault.seal('a', 'c', 1, 'x')
      const late = make()
      be(mode)
      for (const work of [
        () => late.open('a', 'c', 1, sealed),
        () => late.seal('a', 'c', 2, 'y'),
        () => late.seal('new', 'c', 1, 'y'),
        () => late.deriveKeys('a', 'cursors'),
      ]) {
        await expect(work()).rejects.toMatchObject({
          code: 'store_unavailable',
          retryAfterMs: 5000,
        })
      }
      expect(dataKeys.rows.has('new')).toBe(false)
      // What is in memory goes on working.
      expect(await vault.openText('a', 'c', 1, sealed)).toBe('x')
      be('well')
      expect(await late.openText('a', 'c', 1, sealed)).toBe('x')
      expect(await late.openText('new', 'c', 1, await late.seal('new', 'c', 1, 'y'))).toBe('y')
      expect(tampered).toEqual([])
    },
  )
})
