// Copies that fail.
import type { SyncFailureStore } from '../../../store/sync-failures.ts'
import { oneOf } from '../statements.ts'
import { StoreGroup } from './store-group.ts'

/** Entities of one instance, more than a manifest has. */
const MAX_ENTITIES = 1000

export class SyncFailures extends StoreGroup implements SyncFailureStore {
  readonly put: SyncFailureStore['put'] = async ({ instanceId, entity, ...failure }) => {
    await this.rows.transaction(async (tx) => {
      // One that is being deleted gets none.
      if ((await tx.lock('connector_instance', { instanceId })) === null) return
      const changed = await tx.update('sync_failure', { instanceId, entity }, failure)
      if (changed === 0) await tx.insertNew('sync_failure', { instanceId, entity, ...failure })
    })
  }

  readonly remove: SyncFailureStore['remove'] = async (instanceId, entity) => {
    await this.rows.remove('sync_failure', { instanceId, entity })
  }

  readonly of: SyncFailureStore['of'] = async (instanceIds) => {
    if (instanceIds.length === 0) return []
    const order = { by: ['since', 'instanceId', 'entity'] } as const
    const limit = instanceIds.length * MAX_ENTITIES
    const where = { instanceId: oneOf(instanceIds) }
    return (await this.rows.listWide('sync_failure', where, { ...order, limit })).rows
  }

  readonly ofConnector: SyncFailureStore['ofConnector'] = async (connectorType) => {
    const query = this.db
      .selectFrom('sync_failure as failure')
      .innerJoin('connector_instance as instance', 'instance.instanceId', 'failure.instanceId')
      .select(['failure.instanceId', 'failure.entity', 'instance.connectorVersion'])
      .where('instance.connectorType', '=', connectorType)
      .orderBy('failure.instanceId')
      .orderBy('failure.entity')
      .compile()
    return (await this.database.wide(query, 'sync_failure', 'connector_instance')).rows
  }
}
