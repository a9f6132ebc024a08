// Leases with fences, by the database's clock.
import type { LeaseStore } from '../../../store/credentials.ts'
import type { StoreDatabase } from '../database.ts'

export function createLeases(database: StoreDatabase): LeaseStore {
  const { db, now } = database
  return {
    async acquire(instanceId, purpose, ownerId, ttlMs) {
      const heldUntil = database.in(ttlMs)
      const granted = await db
        .insertInto('lease')
        .values({
          instance_id: instanceId,
          purpose,
          owner_id: ownerId,
          fence: 1,
          held_until: heldUntil,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['instance_id', 'purpose'])
            .doUpdateSet((eb) => ({
              owner_id: ownerId,
              fence: eb('lease.fence', '+', 1),
              held_until: heldUntil,
            }))
            .where('lease.held_until', '<=', now()),
        )
        .returning('fence')
        .executeTakeFirst()
      return granted ?? null
    },

    async extend(instanceId, purpose, ownerId, fence, ttlMs) {
      const { numUpdatedRows } = await db
        .updateTable('lease')
        .set({ held_until: database.in(ttlMs) })
        .where('instance_id', '=', instanceId)
        .where('purpose', '=', purpose)
        .where('owner_id', '=', ownerId)
        .where('fence', '=', fence)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    // The row stays, so that its fences never repeat. Its end is over by the clock of every process.
    async release(instanceId, purpose, ownerId, fence) {
      await db
        .updateTable('lease')
        .set({ held_until: 0 })
        .where('instance_id', '=', instanceId)
        .where('purpose', '=', purpose)
        .where('owner_id', '=', ownerId)
        .where('fence', '=', fence)
        .where('held_until', '>', now())
        .execute()
    },
  }
}
