import { expect, test } from 'vitest'
import type { Store } from '../../../src/service/store/store.ts'
import { auditEntry, storedInstance } from './rows.ts'
import { tamper } from './subject.ts'

const DAY_MS = 86_400_000

/** What is used of rates, and silences. */
export function rates(store: () => Store): void {
  test('what is used is kept by owner and period, and comes with the time of the store', async () => {
    const place = { ownerId: 'connector:acme', periodMs: 1000 }
    const before = await store().rates.read(place)
    expect(before).toEqual({ use: null, version: 0, nowMs: expect.any(Number) as number })
    expect(Math.abs(before.nowMs - Date.now())).toBeLessThan(60_000)
    expect(await store().rates.write(place, 0, { slice: 7, used: [1, 0, 2] }, 60_000)).toBe(true)
    expect(await store().rates.read(place)).toMatchObject({
      use: { slice: 7, used: [1, 0, 2] },
      version: 1,
    })
    expect(await store().rates.read({ ...place, periodMs: DAY_MS })).toMatchObject({ use: null })
    expect(await store().rates.read({ ...place, ownerId: 'connector:other' })).toMatchObject({
      use: null,
    })
  })

  test('of many that change what they read, one does', async () => {
    const place = { ownerId: 'connector:busy', periodMs: 1000 }
    const use = { slice: 1, used: [1] }
    for (const version of [0, 1]) {
      const written = await Promise.all(
        Array.from({ length: 5 }, () => store().rates.write(place, version, use, 60_000)),
      )
      expect(written.filter(Boolean)).toHaveLength(1)
    }
    expect(await store().rates.read(place)).toMatchObject({ version: 2 })
  })

  test('a silence is seen until it ends, and the longest counts', async () => {
    const own = async () =>
      (await store().rates.blocked()).filter(({ ownerId }) => ownerId === 'connector:loud')
    await store().rates.block('connector:loud', 60_000)
    await store().rates.block('connector:loud', 1000)
    const [silence] = await own()
    expect(silence?.ms).toBeGreaterThan(50_000)
    await store().rates.block('connector:short', 1)
    await expect
      .poll(async () => (await store().rates.blocked()).map(({ ownerId }) => ownerId))
      .not.toContain('connector:short')
  })

  test('no silence is longer than a day, and one that a row claims neither hides others nor stays', async () => {
    const own = async (name: string) =>
      (await store().rates.blocked()).filter(({ ownerId }) => ownerId === name)
    await store().rates.block('connector:ever', 99_999_999_999_999_000)
    const [silence] = await own('connector:ever')
    expect(silence?.ms).toBeLessThanOrEqual(DAY_MS)
    expect(silence?.ms).toBeGreaterThan(DAY_MS - 60_000)
    for (const name of ['connector:false', 'connector:false-too'])
      await tamper(store(), `insert into rate_block values ('${name}', 99999999999999000)`)
    expect(await own('connector:ever')).toHaveLength(1)
    expect(await own('connector:false')).toEqual([])
    await store().rates.block('connector:false', 60_000)
    expect(await own('connector:false')).toHaveLength(1)
    await store().rates.purgeExpired()
    expect(
      await tamper(
        store(),
        "select owner_id from rate_block where owner_id = 'connector:false-too'",
      ),
    ).toEqual([])
  })

  test('what no longer counts is removed, and what belongs to an instance goes with it', async () => {
    const over = { ownerId: 'connector:over', periodMs: 1000 }
    await store().rates.write(over, 0, { slice: 1, used: [1] }, -1)
    expect(await store().rates.purgeExpired()).toBeGreaterThan(0)
    expect(await store().rates.read(over)).toMatchObject({ version: 0 })
    const row = await storedInstance(store())
    const place = { ownerId: row.id, periodMs: DAY_MS }
    await store().rates.write(place, 0, { slice: 1, used: [1] }, DAY_MS)
    await store().rates.block(row.id, DAY_MS)
    await store().instances.delete({ organizationId: row.organizationId }, row.id, auditEntry(row))
    expect(await store().rates.read(place)).toMatchObject({ version: 0 })
    expect((await store().rates.blocked()).map(({ ownerId }) => ownerId)).not.toContain(row.id)
  })
}
