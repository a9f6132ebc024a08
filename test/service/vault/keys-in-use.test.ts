import { expect, test } from 'vitest'
import { ConnectorError } from '../../../src/errors.ts'
import { KeysInUse } from '../../../src/service/vault/keys-in-use.ts'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { rotateKeys } from '../../../src/service/vault/rotate-keys.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'
import { memoryDataKeys } from './memory-data-keys.ts'

const OLD = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const NEW = `k2:${Buffer.alloc(32, 2).toString('base64')}`

function setUp() {
  const clock = createTestClock()
  const stored = memoryDataKeys()
  const counted = { times: 0, fails: false }
  const dataKeys = {
    ...stored,
    async countByKey() {
      counted.times++
      if (counted.fails)
        throw new ConnectorError('store_unavailable', 'a node is away', {
          details: { reason: 'node_away' },
        })
      return await stored.countByKey()
    },
  }
  const provider = readMasterKeys(OLD, 'test')
  const keys = new KeysInUse(dataKeys, provider, clock)
  const vault = new Vault({ provider, dataKeys, clock, onForeignKey: () => keys.changed() })
  return { clock, counted, dataKeys, keys, vault }
}

test('who asks whether the keys are fine counts none, however often', async () => {
  const { counted, keys, clock } = setUp()
  await keys.count()
  for (let n = 0; n < 100; n++) {
    clock.advance(60_000)
    expect(keys.state).toBe('ok')
  }
  expect(counted.times).toBe(1)
})

test('a data key under a key that this process lacks is found by its use, and the end of that within ten seconds', async () => {
  const { clock, dataKeys, keys, vault } = setUp()
  const sealed = await vault.seal('one', 'credential', 1, 'text')
  await keys.count()
  await rotateKeys(dataKeys, readMasterKeys(`${NEW},${OLD}`, 'test'))
  expect(keys.state).toBe('ok')
  clock.advance(5 * 60_000)
  await expect(vault.open('one', 'credential', 1, sealed)).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  await expect.poll(() => keys.state).toContain('"k2"')
  await rotateKeys(dataKeys, readMasterKeys(`${OLD},${NEW}`, 'test'))
  expect(keys.state).toContain('"k2"')
  clock.advance(10_001)
  await expect.poll(() => keys.state).toBe('ok')
})

test('keys that could not be counted at the start are counted as soon as they can be', async () => {
  const { clock, counted, keys } = setUp()
  counted.fails = true
  await expect(keys.count()).rejects.toMatchObject({ details: { reason: 'node_away' } })
  expect(keys.state).toBe('ok')
  counted.fails = false
  clock.advance(10_001)
  expect(keys.state).toBe('ok')
  await expect.poll(() => counted.times).toBe(2)
  clock.advance(10_001)
  expect([keys.state, counted.times]).toEqual(['ok', 2])
})
