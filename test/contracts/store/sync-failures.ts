import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { InstanceRow, InstanceState } from '../../../src/service/store/instances.ts'
import type { Store } from '../../../src/service/store/store.ts'
import type { SyncFailureRow } from '../../../src/service/store/sync-failures.ts'
import { auditEntry, storedInstance } from './rows.ts'

/** Copies that fail: one row per instance and entity, and instances that are found by them. */
export function syncFailures(store: () => Store): void {
  const failing = (instanceId: string, changes: Partial<SyncFailureRow> = {}) => ({
    instanceId,
    entity: 'calls',
    since: 1_700_000_000_000,
    code: 'upstream_failed',
    detail: 'Acme: calls.list failed (status 500)',
    failures: 1,
    failedAt: 1_700_000_000_000,
    ...changes,
  })

  test('what is known of an entity is replaced, and removed', async () => {
    const { id } = await storedInstance(store())
    const { id: other } = await storedInstance(store())
    const { syncFailures: all } = store()
    const later = failing(id, { failures: 2, failedAt: 1_700_000_060_000 })
    const users = failing(id, { entity: 'users', since: 1_600_000_000_000 })
    for (const row of [failing(id), later, users, failing(other)]) await all.put(row)
    expect(await all.of([id])).toEqual([users, later])
    expect(await all.of([])).toEqual([])
    await all.remove(id, 'calls')
    await all.remove(id, 'calls')
    expect(await all.of([id, other])).toEqual([users, failing(other)])
  })

  test('instances are found by them, and counted, with all other filters', async () => {
    const organizationId = `org-${randomUUID()}`
    const owner = { organizationId }
    const made = [
      await storedInstance(store(), { organizationId, state: 'active' }),
      await storedInstance(store(), { organizationId }),
      await storedInstance(store(), { organizationId }),
      // These two stand still.
      await storedInstance(store(), { organizationId, state: 'auth_error' }),
      await storedInstance(store(), { organizationId, state: 'disabled' }),
    ] as const
    const { syncFailures: all, instances } = store()
    await all.put(failing(made[0].id))
    await all.put(failing(made[0].id, { entity: 'users' }))
    for (const { id } of [made[1], made[3], made[4]]) await all.put(failing(id))
    const sync = 'failing'
    const { rows } = await instances.list(owner, { sync, limit: 10 })
    expect(rows.map(({ id }) => id)).toEqual([made[0].id, made[1].id].toSorted())
    const active = await instances.list(owner, { sync, state: 'active', limit: 10 })
    expect(active.rows.map(({ id }) => id)).toEqual([made[0].id])
    const { groups } = await instances.count(owner, { sync })
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(2)
    // What needs re-authentication needs attention as well, what somebody disabled does not.
    const attention = await instances.list(owner, { sync: 'attention', limit: 10 })
    expect(attention.rows.map(({ id }) => id)).toEqual(
      [made[0].id, made[1].id, made[3].id].toSorted(),
    )
  })

  test('those with a copy that is late are those that fail, and those that the caller names', async () => {
    const organizationId = `org-${randomUUID()}`
    const owner = { organizationId }
    const made = async (state: InstanceState, changes: Partial<InstanceRow> = {}) =>
      (await storedInstance(store(), { organizationId, state, ...changes })).id
    const [fails, overdue, well] = [
      await made('active'),
      await made('active'),
      await made('active'),
    ]
    const still = [await made('auth_error'), await made('disabled')]
    const other = await made('active', { organizationId: `org-${randomUUID()}` })
    const { syncFailures: all, instances } = store()
    for (const id of [fails, ...still]) await all.put(failing(id))
    const sync = 'late'
    const named = [overdue, fails, ...still, other]
    for (const [ids, found] of [
      [named, [fails, overdue]],
      [[well], [fails, well]],
      [[], [fails]],
      [undefined, [fails]],
    ] as const) {
      const filter = { sync, ...(ids === undefined ? {} : { overdue: ids }) } as const
      const { rows } = await instances.list(owner, { ...filter, limit: 10 })
      expect(rows.map(({ id }) => id).toSorted()).toEqual(found.toSorted())
      const { groups } = await instances.count(owner, filter)
      expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(found.length)
    }
    const known = await instances.synced([overdue, other, randomUUID()])
    expect(known.map(({ id }) => id).toSorted()).toEqual([overdue, other].toSorted())
    const rows = [await instances.get(owner, overdue)].flatMap((row) => row ?? [])
    for (const { id, connectorType, connectorVersion, enabled, state, sync: setting } of rows)
      expect(known).toContainEqual({
        id,
        connectorType,
        connectorVersion,
        enabled,
        state,
        sync: setting,
      })
    expect(await instances.synced([])).toEqual([])
  })

  test('those of a connector are found, of every organisation, with the version of their instance', async () => {
    const connectorType = `type-${randomUUID()}`
    const made = [
      await storedInstance(store(), { connectorType, organizationId: `org-${randomUUID()}` }),
      await storedInstance(store(), { connectorType, connectorVersion: '2.1.0' }),
      await storedInstance(store(), { connectorType }),
      await storedInstance(store()),
    ] as const
    const { syncFailures: all } = store()
    await all.put(failing(made[0].id, { entity: 'users' }))
    for (const { id } of [made[0], made[1], made[3]]) await all.put(failing(id))
    const copy = ({ id: instanceId, connectorVersion }: (typeof made)[number], entity: string) => ({
      instanceId,
      entity,
      connectorVersion,
    })
    const found = await all.ofConnector(connectorType)
    expect(found).toHaveLength(3)
    expect(new Set(found)).toEqual(
      new Set([copy(made[0], 'calls'), copy(made[0], 'users'), copy(made[1], 'calls')]),
    )
    expect(await all.ofConnector(`type-${randomUUID()}`)).toEqual([])
  })

  test('an instance that there is not has none, and one that is deleted loses them', async () => {
    const { syncFailures: all, instances } = store()
    const nobody = randomUUID()
    await all.put(failing(nobody))
    const row = await storedInstance(store())
    await all.put(failing(row.id))
    const owner = { organizationId: row.organizationId }
    expect(await instances.delete(owner, row.id, auditEntry(row))).toBe(true)
    await all.put(failing(row.id))
    expect(await all.of([nobody, row.id])).toEqual([])
  })
}
