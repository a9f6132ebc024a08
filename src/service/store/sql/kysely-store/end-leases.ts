// Ends what processes hold in a store, for a process that has the store for itself.
import type { StoreDatabase } from '../database.ts'

/**
 * Ends every lease: refreshes, requests with a key, jobs, connect pages, deliveries. Fences and outcomes stay as they are,
 * so that a request that may have left counts as lost, and a refresh that was under way is found by its intent.
 */
export async function endLeases(database: StoreDatabase): Promise<void> {
  const { now } = database
  await database.transaction(async (tx) => {
    await tx.updateTable('lease').set({ held_until: 0 }).where('held_until', '>', now()).execute()
    await tx
      .updateTable('idempotency_record')
      .set({ held_until: 0 })
      .where('status', 'is', null)
      .where('held_until', '>', now())
      .execute()
    await tx
      .updateTable('job')
      .set({ owner_id: '', held_until: 0 })
      .where('held_until', '>', now())
      .execute()
    await tx
      .updateTable('connect_session')
      .set({ held_until: 0 })
      .where('held_until', '>', now())
      .execute()
    // The end of the lease is the time of the next attempt. A delivery that was taken more often than it was attempted is
    // or once was held; one that only waits for its next attempt may so be attempted early, which does no harm.
    await tx
      .updateTable('webhook_delivery')
      .set({ next_at: now() })
      .where('state', '=', 'pending')
      .where('next_at', '>', now())
      .whereRef('fence', '>', 'attempts')
      .execute()
  })
}
