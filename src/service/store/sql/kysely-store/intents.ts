// Refresh tokens that are about to be presented.
import { sql, type SqlBool } from 'kysely'
import { type IntentStore, REFRESH_PURPOSE } from '../../../store/credentials.ts'

import { REFRESHED_STATES, toInstance } from './instance-row.ts'
import { StoreGroup } from './store-group.ts'

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
    const rows = await this.db
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
      .execute()
    return rows.map(toInstance)
  }
}
