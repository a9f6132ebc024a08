// Webhooks of vendors: a delivery is checked before anything is done, and answered when what it says is kept.
import {
  hasWebhookRoute,
  type Received,
  webhooksOf,
  type WebhookScope,
} from '../../engine/webhooks/webhooks.ts'
import type { ArrivedWebhook } from '../../engine/webhooks/arrived.ts'
import { type UnverifiedReason, reasonOf, unverified } from '../../engine/webhooks/verify.ts'
import { clientOf } from '../../engine/credentials/token-renewal.ts'
import { textsIn } from '../../engine/credentials/redact.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { ownAt } from '../../language/json/members.ts'
import { ACCESS_SECRETS } from '../../language/manifest/access/all-access.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { OAuthClient } from '../../engine/credentials/token-request.ts'
import type { ServiceBase } from '../base.ts'
import { openCredentials } from '../credentials/sealed-credentials.ts'
import { codeOf } from '../log.ts'
import { instanceUnknown } from '../instances/rows.ts'
import { disabled } from '../instances/states.ts'
import { type ArrivedRequest, json, type ServiceReply, type ServiceRequest } from '../route.ts'
import type { InstanceRow } from '../store/instances.ts'
import { isUuid } from '../store/uuid.ts'
import { webhookAddress } from './address.ts'
import { openSubscription } from './sealed-subscription.ts'
import { provingSecrets, type SharedSecrets } from './shared-secrets.ts'
import type { EventForInstance, TellEvent } from './tell-event.ts'
import type { WebhookRoutes } from './webhook-routes.ts'

export interface VendorWebhooksPorts extends Pick<
  ServiceBase,
  'store' | 'vault' | 'catalogue' | 'clock' | 'log' | 'logs' | 'publicUrl' | 'oauthClients'
> {
  readonly routes: WebhookRoutes
  readonly tellEvent: TellEvent
  /** What operators share with vendors, by connector type. */
  readonly webhookSecrets: Readonly<Record<string, SharedSecrets>>
}

/** So long the vendor waits for copies; many give up after three seconds. */
const WAIT_MS = 1_500
/** Why deliveries are refused is told at most this often per connector: anybody can send any. */
const TELL_EVERY_MS = 60_000

type Request = Pick<ServiceRequest, 'arrived' | 'note' | 'requestId'>

export class VendorWebhooks {
  readonly #ports: VendorWebhooksPorts
  /** When a refusal was told last, in monotonic milliseconds. */
  readonly #toldAt = new Map<string, number>()

  constructor(ports: VendorWebhooksPorts) {
    this.#ports = ports
  }

  /**
   * A delivery at the address of an instance. Throws `webhook_unverified` for an instance that there is not exactly as for
   * a wrong signature, `webhook_expired`, `request_malformed`, `instance_disabled`, `store_unavailable`.
   */
  async receiveFor(type: string, instanceId: string, request: Request): Promise<ServiceReply> {
    const { store, catalogue } = this.#ports
    return await this.#telling(type, async () => {
      const row = isUuid(instanceId) ? await store.instances.find(instanceId) : null
      const isServed = row !== null && catalogue.serves(row.connectorType, row.connectorVersion)
      if (row === null || row.connectorType !== type || !isServed)
        throw unverified('instance_unknown')
      const manifest = catalogue.forInstance(row.connectorType, row.connectorVersion)
      const scopes = await this.#scopesOf(manifest, row)
      const received = this.#read(manifest, request.arrived, scopes)
      request.note({ connector_id: row.id, connector_type: type })
      if (received.kind === 'challenge') return answered(received.answer)
      if (!row.enabled) throw disabled()
      const secrets = secretsIn(manifest, scopes)
      return await this.#tellAll(
        received.events.map((event) => ({ row, event, secrets })),
        request,
      )
    })
  }

  /**
   * A delivery at the address of a connector, for whichever of its instances it is. Throws the same, and
   * `instance_unknown` where a delivery that is proved is for none.
   */
  async receive(type: string, request: Request): Promise<ServiceReply> {
    const { catalogue, routes } = this.#ports
    return await this.#telling(type, async () => {
      const manifest = catalogue.find(type)
      if (manifest === undefined || manifest.type !== type || !hasWebhookRoute(manifest))
        throw unverified('connector_unknown')
      // Whose organisation it is for is not known yet: it is proved by what the settings have.
      const scopes = this.#scopesOfOperator(manifest, this.#ports.oauthClients.given(type))
      const received = this.#read(manifest, request.arrived, scopes)
      request.note({ connector_type: type })
      if (received.kind === 'challenge') return answered(received.answer)
      const secrets = secretsIn(manifest, scopes)
      const found: Omit<EventForInstance, 'waitMs'>[] = []
      const known = new Map<string, readonly InstanceRow[]>()
      for (const event of received.events) {
        const { route } = event
        const rows = route === null ? [] : (known.get(route) ?? (await routes.find(type, route)))
        if (route !== null) known.set(route, rows)
        found.push(...rows.map((row) => ({ row, event, secrets })))
      }
      if (found.length === 0) throw instanceUnknown()
      return await this.#tellAll(
        found.filter(({ row }) => row.enabled),
        request,
      )
    })
  }

  /** What is proved by one of the scopes; where none proves it, what the first one says. */
  #read(manifest: Manifest, arrived: ArrivedRequest, scopes: readonly WebhookScope[]): Received {
    const webhooks = webhooksOf(manifest)
    if (webhooks === null) throw unverified('connector_unknown')
    const delivery = this.#delivery(arrived)
    let refused: unknown = null
    for (const scope of scopes)
      try {
        return webhooks.receive(delivery, scope, this.#ports.clock.now())
      } catch (error) {
        // Anything else is said of a delivery that is proved.
        if (reasonOf(error) === null) throw error
        refused ??= error
      }
    throw refused
  }

  /** As the vendor has sent it: to the public address. */
  #delivery({ method, url, headers, body }: ArrivedRequest): ArrivedWebhook {
    const { origin } = URL.parse(this.#ports.publicUrl()) ?? UNKNOWN_ORIGIN
    const at = url.indexOf('?')
    const query: Record<string, string> = {}
    for (const [name, value] of new URLSearchParams(at < 0 ? '' : url.slice(at + 1)))
      if (!Object.hasOwn(query, name)) query[name] = value
    return { method, url: origin + url, headers, query, body }
  }

  async #scopesOf(manifest: Manifest, row: InstanceRow): Promise<readonly WebhookScope[]> {
    const { vault, store } = this.#ports
    const opened = await openCredentials(vault, store, row.id)
    const credentials = opened?.credentials ?? {}
    const { type, webhooks } = manifest
    const url = webhookAddress(this.#ports.publicUrl(), type, row.id)
    const subscribed =
      (webhooks?.subscribe ?? null) === null
        ? null
        : await openSubscription(vault, await store.subscriptions.find(row.id))
    const client = this.#ports.oauthClients.of(row.organizationId, type)
    return this.#scopesOfOperator(manifest, clientOf(credentials, client)).map((operators) => ({
      ...operators,
      credentials,
      config: row.config,
      webhook: { ...operators.webhook, url },
      ...(subscribed !== null && { subscription: subscribed.values }),
    }))
  }

  #scopesOfOperator({ type }: Manifest, client: OAuthClient | null): readonly WebhookScope[] {
    const { webhookSecrets } = this.#ports
    const { id, secret = null } = client ?? {}
    return provingSecrets(webhookSecrets[type] ?? {}).map((shared) => ({
      config: {},
      client: { ...(id !== undefined && { id }), ...(secret !== null && { secret }) },
      webhook: { url: webhookAddress(this.#ports.publicUrl(), type), ...shared },
    }))
  }

  async #tellAll(
    events: readonly Omit<EventForInstance, 'waitMs'>[],
    { requestId }: Request,
  ): Promise<ServiceReply> {
    const { clock, tellEvent, logs } = this.#ports
    const until = clock.monotonic() + WAIT_MS
    for (const event of events) {
      const startedAt = clock.monotonic()
      const note = (code: string | null, facts: JsonObject): void => {
        const tookMs = clock.monotonic() - startedAt
        const { row: instance } = event
        logs.note({ kind: 'vendor_webhook', instance, code, tookMs, requestId, facts })
      }
      try {
        const became = await tellEvent.tell({ ...event, waitMs: Math.max(0, until - startedAt) })
        note(null, { outcome: became })
      } catch (error) {
        note(codeOf(error), {})
        throw error
      }
    }
    return json(200, {})
  }

  /** Tells the operator why, now and then; the sender hears nothing of it. */
  async #telling(type: string, work: () => Promise<ServiceReply>): Promise<ServiceReply> {
    try {
      return await work()
    } catch (error) {
      const reason = reasonOf(error)
      if (reason !== null) this.#tellRefusal(type, reason)
      throw error
    }
  }

  #tellRefusal(type: string, reason: UnverifiedReason): void {
    const { clock, catalogue, log } = this.#ports
    const known = catalogue.find(type)?.type ?? null
    const now = clock.monotonic()
    const key = `${known ?? ''} ${reason}`
    if (now - (this.#toldAt.get(key) ?? Number.NEGATIVE_INFINITY) < TELL_EVERY_MS) return
    this.#toldAt.set(key, now)
    log.warn({ connector_type: known, reason }, 'a webhook was refused: nothing proves its sender')
  }
}

/** Of a host app that has not said where it is reached. */
const UNKNOWN_ORIGIN = { origin: 'http://localhost' }

function answered({ headers, content }: { headers: ServiceReply['headers']; content: string }) {
  return { status: 200, content, ...(headers === undefined ? {} : { headers }) }
}

/** What no event may show, though a vendor sends it along. */
function secretsIn({ auth }: Manifest, scopes: readonly WebhookScope[]): readonly string[] {
  const paths = [
    ...auth.flatMap((method) => method.credentials.secrets),
    ...ACCESS_SECRETS.map((name) => [name]),
  ]
  const texts = scopes.flatMap(({ credentials, client, webhook, subscription }) => {
    // The scope of an instance has the values of its credentials, the other one has none.
    const given = (credentials ?? {}) as JsonObject
    const kept = paths.flatMap((path) => textsIn(ownAt(given, path)))
    const shared = [
      client?.['secret'],
      webhook?.['secret'],
      webhook?.['token'],
      subscription?.['secret'],
    ]
    return [...kept, ...shared.flatMap(textsIn)]
  })
  return [...new Set(texts)]
}
