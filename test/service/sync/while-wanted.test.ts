import { expect, test } from 'vitest'
import { whileWanted } from '../../../src/service/sync/during-turn.ts'
import type { InstanceRow } from '../../../src/service/store/instances.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'

// What is used of a row.
const ROW = { id: 'one', enabled: true } as InstanceRow
const isWanted = (row: InstanceRow | null): boolean => row?.enabled === true

/** A turn that lasts until it is told to end. */
async function untilTold(signal: AbortSignal): Promise<'told'> {
  if (!signal.aborted)
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve)
    })
  return 'told'
}

test('a turn is told to end at the first look that does not want it, and by no store that fails', async () => {
  const clock = createTestClock()
  const answers = [
    () => ROW,
    () => {
      throw new Error('the store is away')
    },
    () => ROW,
    () => ({ ...ROW, enabled: false }),
  ]
  const find = async (): Promise<InstanceRow | null> => answers.shift()?.() ?? null
  const ports = { clock, store: { instances: { find } } }
  const { signal } = new AbortController()
  expect(await whileWanted(ports, { instanceId: 'one', isWanted, signal }, untilTold)).toBe('told')
  expect(clock.waits).toEqual([5_000, 5_000, 5_000, 5_000])
})

test('a turn that ends by itself is looked at no longer, and its failure is passed on', async () => {
  const clock = createTestClock()
  const ports = { clock, store: { instances: { find: () => Promise.resolve(ROW) } } }
  const { signal } = new AbortController()
  expect(
    await whileWanted(ports, { instanceId: 'one', isWanted, signal }, async () => 'done'),
  ).toBe('done')
  await expect(
    whileWanted(ports, { instanceId: 'one', isWanted, signal }, () =>
      Promise.reject(new Error('broken')),
    ),
  ).rejects.toThrow('broken')
})

test('a turn ends with the signal that it was given', async () => {
  const clock = createTestClock()
  const ports = { clock, store: { instances: { find: () => Promise.resolve(ROW) } } }
  const signal = AbortSignal.abort()
  expect(await whileWanted(ports, { instanceId: 'one', isWanted, signal }, untilTold)).toBe('told')
})
