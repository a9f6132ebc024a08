// Refresh tokens that are about to be presented.
import { sql, type SqlBool } from 'kysely'
import type { IntentRow, IntentStore } from '../../../store/credentials.ts'
import { REFRESH_PURPOSE } from '../../../store/credentials.ts'
import { REFRESHED_STATES, toInstance } from './instance-row.ts'
import { readRow, writeRow } from './row.ts'
import { changesAny, StoreGroup } from './store-group.ts'

export class Intents extends StoreGroup implements IntentStore {
  readonly find: IntentStore['find'] = async (instanceId) => {
    const row = await this.db
      .selectFrom('refresh_intent')
      .selectAll()
      .where('instance_id', '=', instanceId)
      .executeTakeFirst()
    return row === undefined ? null : readRow<IntentRow>(row)
  }

  readonly put: IntentStore['put'] = async (intent) => {
    const { instanceId, generation, fence } = intent
    return await this.database.transaction(async (tx) => {
      const current = tx
        .selectFrom('credential')
        .select('generation')
        .where('instance_id', '=', instanceId)
        .where('generation', '=', generation)
      if ((await this.database.lock(current).executeTakeFirst()) === undefined) return false
      const lease = await tx
        .selectFrom('lease')
        .select('fence')
        .where('instance_id', '=', instanceId)
        .where('purpose', '=', REFRESH_PURPOSE)
        .executeTakeFirst()
      if (lease?.fence !== fence) return false
      const { instance_id, ...columns } = { ...writeRow(intent), created_at: this.now() }
      await tx
        .insertInto('refresh_intent')
        .values({ instance_id, ...columns })
        .onConflict((conflict) => conflict.column('instance_id').doUpdateSet(columns))
        .execute()
      return true
    })
  }

  readonly update: IntentStore['update'] = async (instanceId, generation, patch) =>
    await changesAny(
      this.db,
      this.db
        .updateTable('refresh_intent')
        .set({ generation, ...writeRow(patch) })
        .where('instance_id', '=', instanceId)
        .where('generation', '=', generation),
    )

  readonly remove: IntentStore['remove'] = async (instanceId, generation) => {
    await this.db
      .deleteFrom('refresh_intent')
      .where('instance_id', '=', instanceId)
      .where('generation', '=', generation)
      .execute()
  }

  readonly abandoned: IntentStore['abandoned'] = async (limit) => {
    const rows = await this.db
      .selectFrom('refresh_intent as intent')
      .innerJoin('connector_instance', 'connector_instance.instance_id', 'intent.instance_id')
      .selectAll('connector_instance')
      .where('intent.not_before', 'is', null)
      .where('connector_instance.state', 'in', REFRESHED_STATES)
      .where(
        sql<SqlBool>`not exists (select 1 from lease where lease.instance_id = intent.instance_id
          and lease.purpose = ${REFRESH_PURPOSE} and lease.held_until > ${this.now()})`,
      )
      .orderBy('intent.created_at')
      .orderBy('intent.instance_id')
      .limit(limit)
      .execute()
    return rows.map(toInstance)
  }
}
