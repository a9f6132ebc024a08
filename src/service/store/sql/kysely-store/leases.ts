// Leases with fences, by the database's clock.
import type { LeaseStore } from '../../../store/credentials.ts'
import { writeRow } from './row.ts'
import { changesAny, StoreGroup } from './store-group.ts'

export class Leases extends StoreGroup implements LeaseStore {
  readonly acquire: LeaseStore['acquire'] = async (instanceId, purpose, ownerId, ttlMs) => {
    const holder = { owner_id: ownerId, held_until: this.now(ttlMs) }
    const granted = await this.db
      .insertInto('lease')
      .values({ instance_id: instanceId, purpose, fence: 1, ...holder })
      .onConflict((conflict) =>
        conflict
          .columns(['instance_id', 'purpose'])
          .doUpdateSet((eb) => ({ ...holder, fence: eb('lease.fence', '+', 1) }))
          .where('lease.held_until', '<=', this.now()),
      )
      .returning('fence')
      .executeTakeFirst()
    return granted ?? null
  }

  readonly extend: LeaseStore['extend'] = async (lease, ttlMs) =>
    await changesAny(
      this.db,
      this.db
        .updateTable('lease')
        .set({ held_until: this.now(ttlMs) })
        .where((eb) => eb.and(writeRow(lease))),
    )

  // The row stays, so that its fences never repeat. Its end is over by the clock of every process.
  readonly release: LeaseStore['release'] = async (lease) => {
    await this.db
      .updateTable('lease')
      .set({ held_until: 0 })
      .where((eb) => eb.and(writeRow(lease)))
      .where('held_until', '>', this.now())
      .execute()
  }
}
