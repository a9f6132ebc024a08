import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readMasterKeys } from '../../../../src/service/vault/keys/local-keys.ts'

const A = Buffer.alloc(32, 1).toString('base64')
const B = Buffer.alloc(32, 2).toString('base64')

test('the first key wraps, all unwrap', async () => {
  const both = readMasterKeys(`k2:${B}, k1:${A}`)
  expect(both.currentKeyId).toBe('k2')
  expect(both.keyIds).toEqual(['k2', 'k1'])
  const old = await readMasterKeys(`k1:${A}`).wrap(Buffer.from('data key'))
  expect(old.keyId).toBe('k1')
  expect(Buffer.from(await both.unwrap('k1', old.wrapped)).toString()).toBe('data key')
})

test('a key without its padding is read', () => {
  expect(readMasterKeys(`k1:${A.replace('=', '')}`).keyIds).toEqual(['k1'])
})

const CASES: readonly { readonly name: string; readonly value: string; readonly want: string }[] = [
  {
    name: 'no key',
    value: ' ,',
    want: 'TENON_MASTER_KEYS holds no key; make one with: openssl rand -base64 32',
  },
  {
    name: 'a key without an id',
    value: A,
    want: 'TENON_MASTER_KEYS: key 1 must be written id:base64, the id of letters, digits, . _ -',
  },
  {
    name: 'an id with other characters',
    value: `k 1:${A}`,
    want: 'TENON_MASTER_KEYS: key 1 must be written id:base64, the id of letters, digits, . _ -',
  },
  {
    name: 'a short key',
    value: `k1:${A},k2:${Buffer.alloc(16, 7).toString('base64')}`,
    want: 'TENON_MASTER_KEYS: key 2 ("k2") must be 32 bytes, it has 16',
  },
  {
    name: 'a long key',
    value: `k1:${Buffer.alloc(33, 7).toString('base64')}`,
    want: 'TENON_MASTER_KEYS: key 1 ("k1") must be 32 bytes, it has 33',
  },
  {
    name: 'no base64',
    value: 'k1:not!base64',
    want: 'TENON_MASTER_KEYS: key 1 ("k1") is not base64',
  },
  {
    name: 'hexadecimal',
    value: `k1:${Buffer.alloc(32, 0xab).toString('hex')}`,
    want: 'TENON_MASTER_KEYS: key 1 ("k1") must be 32 bytes, it has 48',
  },
  {
    name: 'one id twice',
    value: `k1:${A},k1:${B}`,
    want: 'TENON_MASTER_KEYS: key 2: the id "k1" occurs twice',
  },
  {
    name: 'one key twice',
    value: `k2:${A},k1:${A}`,
    want: 'TENON_MASTER_KEYS: key 2: "k2" and "k1" are the same key',
  },
]

function messageOf(value: string): string {
  try {
    readMasterKeys(value)
    return 'accepted'
  } catch (error) {
    return (error as Error).message
  }
}

test.for(CASES)('$name is refused', ({ value, want }) => {
  expect(messageOf(value)).toBe(want)
})

test('K5 no message holds a part of a key', () => {
  for (const { value } of CASES)
    for (const part of value.split(/[,:]/).filter((text) => text.length > 8))
      expect(messageOf(value)).not.toContain(part.slice(0, 8))
})

test('K5 a provider shows no key when it is printed', async () => {
  const { inspect } = await import('node:util')
  const key = randomBytes(32)
  const provider = readMasterKeys(`k1:${key.toString('base64')}`)
  const shown = inspect(provider, { depth: 9, showHidden: true }) + JSON.stringify(provider)
  expect(shown).not.toContain(key.toString('base64'))
  expect(shown).not.toContain(key.toString('hex'))
})

test('K4 a data key wrapped under another master key does not unwrap', async () => {
  const { wrapped } = await readMasterKeys(`k1:${A}`).wrap(Buffer.from('data key'))
  const other = readMasterKeys(`k1:${B},k2:${A}`)
  await expect(other.unwrap('k1', wrapped)).rejects.toThrow(
    /not wrapped under this master key "k1"/,
  )
  // The id is authenticated as well.
  await expect(other.unwrap('k2', wrapped)).rejects.toThrow(
    /not wrapped under this master key "k2"/,
  )
  await expect(other.unwrap('k9', wrapped)).rejects.toThrow('there is no master key "k9"')
  await expect(other.unwrap('k1', new Uint8Array(3))).rejects.toThrow(/is no wrapped key/)
})
