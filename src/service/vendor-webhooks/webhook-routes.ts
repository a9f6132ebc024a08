// Which instances a vendor's webhook is for, where one address is for all: found by what their settings say.
import type { Manifest } from '../../language/manifest/manifest.ts'
import { hasWebhookRoute, webhooksOf } from '../../engine/webhooks/webhooks.ts'
import { ConnectorError } from '../../errors.ts'
import type { ServiceBase } from '../base.ts'
import { codeOf } from '../log.ts'
import { type Jobs, repeat } from '../repeat.ts'
import type { InstanceRow } from '../store/instances.ts'

export type WebhookRoutesPorts = Pick<ServiceBase, 'store' | 'catalogue' | 'clock' | 'log'>

/** Instances that are connected to one account of a vendor. */
const MAX_ROUTED = 100
const PAGE = 200
/** What no instance is known for is looked for among all of them at most this often per connector and process. */
const LOOK_AGAIN_MS = 30_000
const LOOK_EVERY_MS = 3_600_000

export class WebhookRoutes {
  readonly #ports: WebhookRoutesPorts
  /** When all instances of a connector were looked at last, in monotonic milliseconds. */
  readonly #lookedAt = new Map<string, number>()
  readonly #running = new Set<Promise<void>>()

  constructor(ports: WebhookRoutesPorts) {
    this.#ports = ports
  }

  /** After anything that may have changed the settings of an instance. Never fails. */
  changed(instanceId: string): void {
    const { store, log, catalogue } = this.#ports
    if (!catalogue.manifests.some(hasWebhookRoute)) return
    const work = (async (): Promise<void> => {
      const row = await store.instances.find(instanceId)
      if (row !== null) await this.#set(row)
    })()
      // What is not noted now is noted when its first webhook arrives, or within an hour.
      .catch((error: unknown) => {
        log.warn(
          { connector_id: instanceId, code: codeOf(error) },
          'a webhook route is noted later',
        )
      })
      .finally(() => this.#running.delete(work))
    this.#running.add(work)
  }

  /**
   * The instances that events with this route are for. Throws `store_unavailable` where some cannot be asked for, so that
   * the vendor sends again.
   */
  async find(type: string, route: string): Promise<readonly InstanceRow[]> {
    const known = await this.#known(type, route)
    if (known.length > 0 || !this.#mayLook(type)) return known
    await this.#lookAtAll(type)
    return await this.#known(type, route)
  }

  /** Looks at the settings of all instances now and then: connectors learn webhooks when their instances are there. */
  start(): Jobs {
    const { catalogue } = this.#ports
    const step = async (): Promise<void> => {
      for (const manifest of catalogue.manifests)
        if (hasWebhookRoute(manifest)) await this.#lookAtAll(manifest.type)
    }
    const failure = 'the routes of webhooks could not be looked at; it is tried again'
    return repeat(this.#ports, { everyMs: LOOK_EVERY_MS, step, failure })
  }

  async close(): Promise<void> {
    await Promise.all(this.#running)
  }

  async #known(type: string, route: string): Promise<readonly InstanceRow[]> {
    const { store } = this.#ports
    const { instanceIds, isWhole } = await store.vendorWebhooks.routed(type, route, MAX_ROUTED)
    if (!isWhole)
      throw new ConnectorError('store_unavailable', 'a part of the store does not answer', {
        retryAfterMs: 5000,
      })
    const rows: InstanceRow[] = []
    for (const id of instanceIds) {
      const row = await store.instances.find(id)
      if (row === null) continue
      // Its settings may have changed since.
      if (this.#routeOf(row) === route) rows.push(row)
      else await this.#set(row)
    }
    return rows
  }

  #mayLook(type: string): boolean {
    const now = this.#ports.clock.monotonic()
    const last = this.#lookedAt.get(type)
    if (last !== undefined && now - last < LOOK_AGAIN_MS) return false
    this.#lookedAt.set(type, now)
    return true
  }

  async #lookAtAll(type: string): Promise<void> {
    let afterId = ''
    for (;;) {
      const page = { afterId, limit: PAGE }
      const { rows } = await this.#ports.store.vendorWebhooks.instancesOf(type, page)
      for (const row of rows) await this.#set(row)
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE) return
      afterId = last.id
    }
  }

  async #set(row: InstanceRow): Promise<void> {
    const { id: instanceId, organizationId, connectorType } = row
    if ((this.#manifestOf(row)?.webhooks?.route.length ?? 0) === 0) return
    const instance = { organizationId, instanceId, connectorType }
    await this.#ports.store.vendorWebhooks.setRoute(instance, this.#routeOf(row))
  }

  #routeOf(row: InstanceRow): string | null {
    const manifest = this.#manifestOf(row)
    const webhooks = manifest === null ? null : webhooksOf(manifest)
    return webhooks?.routeOf(row.config) ?? null
  }

  #manifestOf({ connectorType: type, connectorVersion: version }: InstanceRow): Manifest | null {
    const { catalogue } = this.#ports
    return catalogue.serves(type, version) ? catalogue.forInstance(type, version) : null
  }
}
