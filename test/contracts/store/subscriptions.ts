import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Store } from '../../../src/service/store/store.ts'
import type { SubscriptionInput } from '../../../src/service/store/subscriptions.ts'
import { auditEntry, storedInstance } from './rows.ts'

/** Subscriptions at vendors: one row per instance, and every change names the version that it replaces. */
export function subscriptions(store: () => Store): void {
  const input = (instanceId: string, changes: Partial<SubscriptionInput> = {}) => ({
    instanceId,
    state: 'making' as const,
    sealed: Buffer.from('sealed'),
    madeFor: 'mark',
    expiresAt: null,
    renewAt: null,
    problem: null,
    failures: 0,
    ...changes,
  })

  test('one of several that begin at once is stored, and one change of each version', async () => {
    const { id } = await storedInstance(store())
    const { subscriptions: all } = store()
    const together = (before: number) =>
      Promise.all(Array.from({ length: 4 }, () => all.put(input(id), before)))
    expect((await together(0)).filter(Boolean)).toHaveLength(1)
    expect((await together(1)).filter(Boolean)).toHaveLength(1)
    expect(await all.put(input(id), 1)).toBe(false)
    expect((await all.find(id))?.version).toBe(2)
  })

  test('it is read as it was stored', async () => {
    const { id } = await storedInstance(store())
    const { subscriptions: all } = store()
    const times = { expiresAt: 1_800_000_000_000, renewAt: 1_700_000_000_000 }
    const problem = { code: 'upstream_failed', detail: 'no' }
    const given = input(id, { state: 'active', ...times, problem, failures: 3 })
    expect(await all.find(id)).toBeNull()
    expect(await all.put(given, 0)).toBe(true)
    const { sealed, updatedAt, ...row } = (await all.find(id)) ?? { sealed: null, updatedAt: 0 }
    expect(row).toEqual({ ...given, sealed: undefined, version: 1 })
    expect([Buffer.from(sealed ?? []).toString(), updatedAt > 0]).toEqual(['sealed', true])
  })

  test('one of another version is neither removed nor sealed again', async () => {
    const { id } = await storedInstance(store())
    const { subscriptions: all } = store()
    await all.put(input(id), 0)
    const sealed = Buffer.from('again')
    expect(await all.reseal(id, 2, sealed)).toBe(false)
    expect(await all.reseal(id, 1, sealed)).toBe(true)
    expect(Buffer.from((await all.find(id))?.sealed ?? []).toString()).toBe('again')
    expect(await all.remove(id, 2)).toBe(false)
    expect(await all.remove(id, 1)).toBe(true)
    expect(await all.find(id)).toBeNull()
  })

  test('an instance that there is not has none, and one that is deleted loses it', async () => {
    const { subscriptions: all, instances } = store()
    expect(await all.put(input(randomUUID()), 0)).toBe(false)
    const row = await storedInstance(store())
    await all.put(input(row.id), 0)
    const owner = { organizationId: row.organizationId }
    expect(await instances.delete(owner, row.id, auditEntry(row))).toBe(true)
    expect(await all.find(row.id)).toBeNull()
    expect(await all.put(input(row.id), 1)).toBe(false)
    expect(await all.put(input(row.id), 0)).toBe(false)
  })
}
