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
  type: Extract<EventType, `sync.${string}` | `records.${string}`>,
  data: JsonObject,
) => Promise<void>

/** The emitter awaits it before what it says is forgotten: an event is delivered once it is stored. */
export function createEmit({ events }: Pick<Store, 'events'>): Emit {
  return async (instance, type, data) => {
    await events.append({
      organizationId: instance.organizationId,
      externalUserId: instance.externalUserId,
      connectorType: instance.connectorType,
      instanceId: instance.id,
      type,
      data: {
        connector_id: instance.id,
        external_user_id: instance.externalUserId,
        connector_type: instance.connectorType,
        ...data,
      },
    })
  }
}
