import { expect, test } from 'vitest'
import type { EventInput } from '../../../src/service/store/events.ts'
import type { InstanceRow } from '../../../src/service/store/instances.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { auditEntry, storedInstance, unique } from './rows.ts'

const HOUR_MS = 3_600_000

/** What vendors' webhooks are for, and what of them was taken. */
export function vendorWebhooks(store: () => Store): void {
  const placeOf = ({ organizationId, id: instanceId, connectorType }: InstanceRow) => ({
    organizationId,
    instanceId,
    connectorType,
  })
  const receiptOf = ({ organizationId, id: instanceId }: InstanceRow, eventHash: string) => ({
    organizationId,
    instanceId,
    eventHash,
  })
  const eventOf = (row: InstanceRow): EventInput => ({
    ...placeOf(row),
    externalUserId: row.externalUserId,
    type: 'vendor.event',
    data: { vendor_event_id: 'e' },
  })
  const idsOf = async (type: string, route: string) =>
    (await store().vendorWebhooks.routed(type, route, 10)).instanceIds

  test('a route finds the instances of every organisation that have it, until they have another one', async () => {
    const [type, route] = [unique('type'), unique('route')]
    const rows = await Promise.all(
      ['one', 'two'].map((name) =>
        storedInstance(store(), { organizationId: unique(name), connectorType: type }),
      ),
    )
    for (const row of rows) await store().vendorWebhooks.setRoute(placeOf(row), route)
    const [first, second] = rows as [InstanceRow, InstanceRow]
    expect(await store().vendorWebhooks.routed(type, route, 10)).toEqual({
      instanceIds: [first.id, second.id].toSorted(),
      isWhole: true,
    })
    expect((await store().vendorWebhooks.routed(type, route, 1)).instanceIds).toHaveLength(1)
    expect(await idsOf('another', route)).toEqual([])
    await store().vendorWebhooks.setRoute(placeOf(first), 'another')
    await store().vendorWebhooks.setRoute(placeOf(second), null)
    expect(await idsOf(type, route)).toEqual([])
    expect(await idsOf(type, 'another')).toEqual([first.id])
  })

  test('the instances of a connector are listed in pages, of every organisation', async () => {
    const connectorType = unique('type')
    const rows = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        storedInstance(store(), { organizationId: unique(name), connectorType }),
      ),
    )
    const ids = rows.map(({ id }) => id).toSorted()
    const page = (afterId: string) =>
      store().vendorWebhooks.instancesOf(connectorType, { afterId, limit: 2 })
    const first = await page('')
    expect(first.isWhole).toBe(true)
    expect(first.rows.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect((await page(ids[1] ?? '')).rows.map(({ id }) => id)).toEqual(ids.slice(2))
  })

  test('an event is taken once per instance, with what host apps are told of it', async () => {
    const owner = { organizationId: unique('org') }
    const [row, other] = [
      await storedInstance(store(), owner),
      await storedInstance(store(), owner),
    ] as const
    const { vendorWebhooks: all, events } = store()
    const receipt = receiptOf(row, 'hash')
    expect(await all.isTaken(receipt)).toBe(false)
    const taken = await Promise.all(
      Array.from({ length: 4 }, () => all.take(receipt, HOUR_MS, eventOf(row))),
    )
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await all.isTaken(receipt)).toBe(true)
    expect(await all.isTaken(receiptOf(other, 'hash'))).toBe(false)
    expect(await all.take(receiptOf(other, 'hash'), HOUR_MS, eventOf(other))).toBe(true)
    const page = await events.list(owner, { afterSeq: 0, limit: 100 })
    const told = page.events.filter(({ type }) => type === 'vendor.event')
    expect(told.map(({ instanceId, data }) => [instanceId, data])).toEqual([
      [row.id, { vendor_event_id: 'e' }],
      [other.id, { vendor_event_id: 'e' }],
    ])
  })

  test('receipts end by age, routes and receipts with their instance', async () => {
    const row = await storedInstance(store(), { organizationId: unique('org') })
    const { vendorWebhooks: all, instances } = store()
    await all.take(receiptOf(row, 'short'), 0, eventOf(row))
    await all.take(receiptOf(row, 'long'), HOUR_MS, eventOf(row))
    await expect
      .poll(async () => {
        await all.purgeExpired()
        return await all.isTaken(receiptOf(row, 'short'))
      })
      .toBe(false)
    expect(await all.isTaken(receiptOf(row, 'long'))).toBe(true)
    const route = unique('route')
    await all.setRoute(placeOf(row), route)
    await instances.delete({ organizationId: row.organizationId }, row.id, auditEntry(row))
    expect(await all.isTaken(receiptOf(row, 'long'))).toBe(false)
    expect(await idsOf(row.connectorType, route)).toEqual([])
  })
}
