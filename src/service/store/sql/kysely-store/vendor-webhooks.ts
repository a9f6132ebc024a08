// Routes of vendors' webhooks, and receipts of their events.
import type { VendorWebhookStore } from '../../../store/vendor-webhooks.ts'
import { above, atMost } from '../statements.ts'
import { appendEvent } from './append-event.ts'
import { toInstance } from './instance-row.ts'
import { StoreGroup } from './store-group.ts'

export class VendorWebhooks extends StoreGroup implements VendorWebhookStore {
  readonly setRoute: VendorWebhookStore['setRoute'] = async (instance, route) => {
    const { organizationId, instanceId } = instance
    const place = { organizationId, instanceId }
    // All of them are looked at now and then, and hardly one has changed.
    const before = await this.rows.find('webhook_route', place)
    if ((before?.route ?? null) === route) return
    if (route === null) await this.rows.remove('webhook_route', place)
    else if (!(await this.rows.insertNew('webhook_route', { ...instance, route })))
      await this.rows.update('webhook_route', place, { route })
  }

  readonly routed: VendorWebhookStore['routed'] = async (connectorType, route, limit) => {
    const order = { by: ['instanceId'], limit } as const
    const { rows, isWhole } = await this.rows.listWide(
      'webhook_route',
      { connectorType, route },
      order,
    )
    return { instanceIds: rows.map(({ instanceId }) => instanceId), isWhole }
  }

  readonly instancesOf: VendorWebhookStore['instancesOf'] = async (
    connectorType,
    { afterId, limit },
  ) => {
    const wanted = { connectorType, instanceId: above(afterId) }
    const order = { by: ['instanceId'], limit } as const
    const { rows, isWhole } = await this.rows.listWide('connector_instance', wanted, order)
    return { rows: rows.map(toInstance), isWhole }
  }

  readonly isTaken: VendorWebhookStore['isTaken'] = async (receipt) =>
    (await this.rows.find('webhook_receipt', { ...receipt })) !== null

  readonly take: VendorWebhookStore['take'] = async (receipt, keepMs, event) =>
    await this.rows.transaction(async (tx) => {
      const expiresAt = this.now(keepMs)
      if (!(await tx.insertNew('webhook_receipt', { ...receipt, expiresAt }))) return false
      await appendEvent(tx, event)
      return true
    })

  readonly purgeExpired: VendorWebhookStore['purgeExpired'] = async () =>
    await this.rows.removeWide('webhook_receipt', { expiresAt: atMost(this.now()) })
}
