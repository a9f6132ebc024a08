// Who refreshes credentials: leases with fences, by the database's clock, and refresh tokens that are about to be presented.
import { sql, type SqlBool } from 'kysely'
import {
  type HeldLease,
  type IntentStore,
  type LeaseStore,
  REFRESH_PURPOSE,
} from '../../../store/credentials.ts'
import type { StoreDatabase } from '../database.ts'
import { above, Rows } from '../statements.ts'
import { REFRESHED_STATES, toInstance } from './instance-row.ts'
import { StoreGroup } from './store-group.ts'

export class Leases extends StoreGroup implements LeaseStore {
  readonly acquire: LeaseStore['acquire'] = async (instanceId, purpose, ownerId, ttlMs) => {
    const { rows } = await sql<Pick<HeldLease, 'fence'>>`insert into lease
      (instance_id, purpose, owner_id, fence, held_until)
      values (${instanceId}, ${purpose}, ${ownerId}, 1, ${this.now(ttlMs)})
      on conflict (instance_id, purpose) do update
      set owner_id = excluded.owner_id, fence = lease.fence + 1, held_until = excluded.held_until
      where lease.held_until <= ${this.now()} returning fence`.execute(this.db)
    return rows[0] ?? null
  }

  readonly extend: LeaseStore['extend'] = async (lease, ttlMs) =>
    (await this.rows.update('lease', lease, { heldUntil: this.now(ttlMs) })) > 0

  // The row stays, so that its fences never repeat. Its end is over by the clock of every process.
  readonly release: LeaseStore['release'] = async (lease) => {
    await this.rows.update('lease', { ...lease, heldUntil: above(this.now()) }, { heldUntil: 0 })
  }
}

export class Intents extends StoreGroup implements IntentStore {
  readonly find: IntentStore['find'] = (instanceId) =>
    this.rows.find('refresh_intent', { instanceId })

  readonly put: IntentStore['put'] = async ({ instanceId, ...intent }) =>
    await this.rows.transaction(async (tx) => {
      const { generation, fence } = intent
      const current = { instanceId, generation }
      if ((await tx.lock('credential', current)) === null) return false
      const lease = { instanceId, purpose: REFRESH_PURPOSE, fence }
      if ((await tx.find('lease', lease)) === null) return false
      const row = { ...intent, createdAt: this.now() }
      await tx.db
        .insertInto('refresh_intent')
        .values({ instanceId, ...row })
        .onConflict((conflict) => conflict.column('instanceId').doUpdateSet(row))
        .execute()
      return true
    })

  readonly update: IntentStore['update'] = async (instanceId, generation, patch) => {
    const wanted = { instanceId, generation }
    return (await this.rows.update('refresh_intent', wanted, { generation, ...patch })) > 0
  }

  readonly remove: IntentStore['remove'] = async (instanceId, generation) => {
    await this.rows.remove('refresh_intent', { instanceId, generation })
  }

  readonly abandoned: IntentStore['abandoned'] = async (limit) => {
    const query = this.db
      .selectFrom('refresh_intent as intent')
      .innerJoin('connector_instance', 'connector_instance.instanceId', 'intent.instanceId')
      .selectAll('connector_instance')
      .where('intent.notBefore', 'is', null)
      .where('connector_instance.state', 'in', REFRESHED_STATES)
      .where(
        sql<SqlBool>`not exists (select 1 from lease where lease.instance_id = intent.instance_id
          and lease.purpose = ${REFRESH_PURPOSE} and lease.held_until > ${this.now()})`,
      )
      .orderBy('intent.createdAt')
      .orderBy('intent.instanceId')
      .limit(limit)
      .compile()
    const tables = ['refresh_intent', 'connector_instance', 'lease'] as const
    return (await this.database.wide(query, ...tables)).rows.map(toInstance)
  }
}

/**
 * Ends every lease: refreshes, requests with a key, jobs, connect pages, deliveries. Fences and outcomes stay as they are,
 * so that a request that may have left counts as lost, and a refresh that was under way is found by its intent.
 */
export async function endLeases(database: StoreDatabase): Promise<void> {
  const now = database.now()
  const held = { heldUntil: above(now) }
  const free = { heldUntil: 0 }
  await new Rows(database).transaction(async (tx) => {
    await tx.update('lease', held, free)
    await tx.update('idempotency_record', { status: null, ...held }, free)
    await tx.update('job', held, { ownerId: '', ...free })
    await tx.update('connect_session', held, free)
    // The end of the lease is the time of the next attempt. A delivery that was taken more often than it was attempted is
    // or once was held; one that only waits for its next attempt may so be attempted early, which does no harm.
    await tx.db
      .updateTable('webhook_delivery')
      .set({ nextAt: now })
      .where('state', '=', 'pending')
      .where('nextAt', '>', now)
      .whereRef('fence', '>', 'attempts')
      .execute()
  })
}
