// Events that are no change of an instance's row: what a sync has to say.
import type { JsonObject } from '../../language/json/json.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { Store } from '../store/store.ts'
import type { EventType } from '../../client/webhooks/event.ts'

/**
 * Appends an event about an instance. `data` gets the instance's `connector_id`, `external_user_id` and `connector_type`,
 * and must hold no secrets. Throws a TypeError for more than 128 Ki characters of it, and `store_unavailable`.
 */
export type Emit = (
  instance: Pick<InstanceRow, 'id' | 'organizationId' | 'externalUserId' | 'connectorType'>,
  type: Extract<EventType, `sync.${string}` | `records.${string}` | `vendor.${string}`>,
  data: JsonObject,
) => Promise<void>

/** The emitter awaits it before what it says is forgotten: an event is delivered once it is stored. */
export function createEmit({ events }: Pick<Store, 'events'>): Emit {
  return async ({ id, organizationId, externalUserId, connectorType }, type, about) => {
    const names = { connector_id: id, external_user_id: externalUserId }
    const data = { ...names, connector_type: connectorType, ...about }
    const instance = { organizationId, externalUserId, connectorType, instanceId: id }
    await events.append({ ...instance, type, data })
  }
}
