// Subscriptions at vendors: every change names the version that it replaces.
import type { SubscriptionStore } from '../../../store/subscriptions.ts'
import { StoreGroup } from './store-group.ts'

export class Subscriptions extends StoreGroup implements SubscriptionStore {
  readonly find: SubscriptionStore['find'] = (instanceId) =>
    this.rows.find('webhook_subscription', { instanceId })

  readonly put: SubscriptionStore['put'] = async ({ instanceId, ...subscription }, before) => {
    const row = { ...subscription, version: before + 1, updatedAt: this.now() }
    if (before > 0) {
      const replaced = { instanceId, version: before }
      return (await this.rows.update('webhook_subscription', replaced, row)) > 0
    }
    return await this.rows.transaction(async (tx) => {
      // One that is being deleted gets none.
      if ((await tx.lock('connector_instance', { instanceId })) === null) return false
      return await tx.insertNew('webhook_subscription', { instanceId, ...row })
    })
  }

  readonly remove: SubscriptionStore['remove'] = async (instanceId, version) =>
    (await this.rows.remove('webhook_subscription', { instanceId, version })) > 0

  readonly reseal: SubscriptionStore['reseal'] = async (instanceId, version, sealed) =>
    (await this.rows.update('webhook_subscription', { instanceId, version }, { sealed })) > 0
}
