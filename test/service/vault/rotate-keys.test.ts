import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { requireKeys, rotateKeys } from '../../../src/service/vault/rotate-keys.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'
import { memoryDataKeys } from './memory-data-keys.ts'

const OLD = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const NEW = `k2:${Buffer.alloc(32, 2).toString('base64')}`

async function setUp(owners: number) {
  const clock = createTestClock()
  const dataKeys = memoryDataKeys()
  const vaultOf = (keys: string) =>
    new Vault({ provider: readMasterKeys(keys, 'test'), dataKeys, clock })
  const old = vaultOf(OLD)
  const names = Array.from({ length: owners }, (_, index) => `instance-${index}`)
  const sealed = new Map<string, Uint8Array>()
  for (const name of names) sealed.set(name, await old.seal(name, 'credential', 1, name))
  return { dataKeys, vaultOf, names, sealed }
}

test('K3 rotation moves every data key in batches, values stay, and the old key can go', async () => {
  const { dataKeys, vaultOf, sealed } = await setUp(1234)
  const progress: number[] = []
  const result = await rotateKeys(dataKeys, readMasterKeys(`${NEW},${OLD}`, 'test'), {
    batch: 500,
    onProgress: (done) => progress.push(done),
  })
  expect(result).toEqual({ rewrapped: 1234, left: {} })
  expect(progress).toEqual([500, 1000, 1234])
  const young = readMasterKeys(NEW, 'test')
  await requireKeys(dataKeys, young)
  const vault = vaultOf(NEW)
  for (const [name, bytes] of sealed)
    expect(await vault.openText(name, 'credential', 1, bytes)).toBe(name)
})

test('K3 a rotation that was killed goes on where it was, and readers with either setting notice nothing', async () => {
  const { dataKeys, vaultOf, names, sealed } = await setUp(300)
  const both = readMasterKeys(`${NEW},${OLD}`, 'test')
  let seen = 0
  const dying = {
    ...dataKeys,
    rewrap: (...parts: Parameters<typeof dataKeys.rewrap>) => {
      seen += 1
      return seen > 120 ? Promise.reject(new Error('killed')) : dataKeys.rewrap(...parts)
    },
  }
  await expect(rotateKeys(dying, both, { batch: 50 })).rejects.toThrow('killed')
  expect(await dataKeys.countByKey()).toEqual({ k2: 120, k1: 180 })
  const vault = vaultOf(`${OLD},${NEW}`)
  for (const name of names)
    expect(await vault.openText(name, 'credential', 1, sealed.get(name) ?? new Uint8Array())).toBe(
      name,
    )
  // Twice at once: each row is moved by one of them.
  const results = await Promise.all([
    rotateKeys(dataKeys, both, { batch: 50 }),
    rotateKeys(dataKeys, both),
  ])
  expect(results.map(({ rewrapped }) => rewrapped).reduce((a, b) => a + b)).toBe(180)
  expect(await dataKeys.countByKey()).toEqual({ k2: 300 })
})

test('K3 a master key that is still in use cannot be left out', async () => {
  const { dataKeys } = await setUp(3)
  const young = readMasterKeys(NEW, 'test')
  await expect(requireKeys(dataKeys, young)).rejects.toMatchObject({ code: 'config_invalid' })
  await expect(requireKeys(dataKeys, young)).rejects.toThrow(/"k1" \(3 data keys\)/)
  await expect(rotateKeys(dataKeys, young)).rejects.toThrow(/"k1"/)
})

test('K3 another key under an id that is in use is refused by name', async () => {
  const { dataKeys } = await setUp(2)
  const wrong = `k1:${randomBytes(32).toString('base64')}`
  await expect(requireKeys(dataKeys, readMasterKeys(wrong, 'test'))).rejects.toThrow(
    /"k1" is not the one that 2 data keys are wrapped under/,
  )
})
