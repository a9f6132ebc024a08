// One event of a vendor for one instance: brought into its copy, and told to host apps, once.
import { createHash } from 'node:crypto'
import { applyToldRecord } from '../../copy/sync/told-change.ts'
import { entitiesOf } from '../sync/sync-parts.ts'
import type { EntityChange, VendorEvent } from '../../engine/webhooks/read-events.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import { isJsonObject, isList } from '../../language/json/members.ts'
import type { ServiceBase } from '../base.ts'
import type { JobQueue } from '../jobs/store-queue.ts'
import { codeOf } from '../log.ts'
import type { InstanceRow } from '../store/instances.ts'
import { syncOf } from '../sync/sync-jobs.ts'
import type { SyncPartsOf } from '../sync/sync-parts.ts'
import type { TellChanged } from '../sync/tell-changed.ts'
import { within } from '../within.ts'

export interface TellEventPorts extends Pick<ServiceBase, 'store' | 'clock' | 'log' | 'catalogue'> {
  readonly partsOf: SyncPartsOf
  readonly queue: JobQueue
  readonly tellChanged: TellChanged
}

/** Vendors repeat for up to three days. */
const KEEP_MS = 7 * 86_400_000
/** What reading one record may take at all. */
const MAX_MS = 30_000
/** Characters of JSON; next to it an event has its names. */
const MAX_PAYLOAD = 96 * 1024
const MAX_TEXT = 255

export interface EventForInstance {
  readonly row: InstanceRow
  readonly event: VendorEvent
  /** What no text may show. */
  readonly secrets: readonly string[]
  /** How long the vendor can wait for the copy still. */
  readonly waitMs: number
}

export class TellEvent {
  readonly #ports: TellEventPorts
  readonly #running = new Set<Promise<boolean>>()
  readonly #closing = new AbortController()

  constructor(ports: TellEventPorts) {
    this.#ports = ports
  }

  /**
   * The copy first, then the event and its receipt in one transaction: a process that dies in between has answered nothing,
   * and the vendor sends again. Throws `store_unavailable`.
   */
  async tell({ row, event, secrets, waitMs }: EventForInstance): Promise<'told' | 'repeated'> {
    const { store, clock } = this.#ports
    const { organizationId, externalUserId, connectorType, id: instanceId } = row
    const receipt = { organizationId, instanceId, eventHash: hashOf(event.id) }
    if (await store.vendorWebhooks.isTaken(receipt)) return 'repeated'
    const change = event.changeFor(row.config)
    if (change !== null) await this.#freshen(row, event, { change, waitMs, toldAtMs: clock.now() })
    const instance = { organizationId, externalUserId, connectorType, instanceId }
    const data = dataOf(row, event, { change, secrets })
    const told = { ...instance, type: 'vendor.event' as const, data }
    return (await store.vendorWebhooks.take(receipt, KEEP_MS, told)) ? 'told' : 'repeated'
  }

  /** Lets what is under way come to its end. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running)
  }

  /** Resolves when the copy has the change, or a run that will find it is due. Throws `store_unavailable`. */
  async #freshen(
    row: InstanceRow,
    event: VendorEvent,
    told: {
      readonly change: EntityChange
      readonly waitMs: number
      readonly toldAtMs: number
    },
  ): Promise<void> {
    const { clock, queue } = this.#ports
    const { entity } = told.change
    if (!this.#isKept(row, entity)) return
    if (told.waitMs > 0) {
      const work = this.#apply(row, event, told)
      this.#running.add(work)
      void work.finally(() => this.#running.delete(work))
      const isApplied = await within(clock, told.waitMs, work)
      if (isApplied === true) return
    }
    await queue.enqueue(syncOf(row.id, entity))
  }

  #isKept({ connectorType, connectorVersion }: InstanceRow, entity: string): boolean {
    const { catalogue } = this.#ports
    return entitiesOf(catalogue.forInstance(connectorType, connectorVersion)).has(entity)
  }

  /** Whether the copy has it. Never fails. */
  async #apply(
    row: InstanceRow,
    event: VendorEvent,
    { change, toldAtMs }: { readonly change: EntityChange; readonly toldAtMs: number },
  ): Promise<boolean> {
    const { partsOf, tellChanged, log } = this.#ports
    const { entity } = change
    try {
      const { ports: parts, entities } = await partsOf(row)
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(MAX_MS)])
      const record = { instanceId: row.id, entity, change, toldAtMs }
      const changed = await applyToldRecord(parts, entities, record, signal)
      if (changed === null) return false
      for (const [name, count] of changed)
        if (count > 0)
          await tellChanged(row, name, { vendor_event_id: cut(event.id), changed: count })
      return true
    } catch (error) {
      const facts = { connector_id: row.id, connector_type: row.connectorType, entity }
      log.warn(
        { ...facts, code: codeOf(error) },
        'what a webhook told could not be brought into the copy; a run is due now',
      )
      return false
    }
  }
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}

/** What host apps get. */
function dataOf(
  row: InstanceRow,
  { id, type, payload }: VendorEvent,
  {
    change,
    secrets,
  }: { readonly change: EntityChange | null; readonly secrets: readonly string[] },
): JsonObject {
  const told = {
    connector_id: row.id,
    external_user_id: row.externalUserId,
    connector_type: row.connectorType,
    vendor_event_id: cut(id),
    vendor_type: type === null ? null : cut(type),
    entity: change?.entity ?? null,
  }
  const masked = maskIn(payload, secrets)
  return JSON.stringify(masked).length > MAX_PAYLOAD
    ? { ...told, omitted: ['payload'] }
    : { ...told, payload: masked }
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT)
}

/** Shorter ones occur everywhere by chance. */
const MIN_SECRET = 6

/** The value without texts that hold a secret: vendors send some of them along. */
function maskIn(value: Json, secrets: readonly string[]): Json {
  const known = secrets.filter(({ length }) => length >= MIN_SECRET)
  const mask = (inner: Json): Json => {
    if (typeof inner === 'string')
      return known.some((secret) => inner.includes(secret)) ? '[secret]' : inner
    if (isList(inner)) return inner.map(mask)
    if (!isJsonObject(inner) || isExactNumber(inner)) return inner
    return Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, mask(member)]))
  }
  return known.length === 0 ? value : mask(value)
}
