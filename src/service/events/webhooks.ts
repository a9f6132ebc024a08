// The webhooks of an organisation: created, changed, tried and deleted.
import { bodyText } from '../body-text.ts'
import { ConnectorError, isConnectorError, problemError, raiseOutcome } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isUuid, uuidv7 } from '../store/uuid.ts'
import type { WebhookPatch, WebhookPlace, WebhookRow } from '../store/webhooks.ts'
import type { EventType } from '../../client/webhooks/event.ts'
import { newWebhookSecret } from '../../client/webhooks/signature.ts'
import { auditOf } from '../audit.ts'
import type { ServiceBase } from '../base.ts'
import type { ServiceRequest } from '../route.ts'
import { type Principal, requireWhole } from '../tokens/principal.ts'
import { attemptDelivery, type AttemptPorts, type AttemptResult } from './attempt.ts'
import { payloadOf } from './event-view.ts'
import { sealWebhookSecret } from './webhook-secrets.ts'

export interface WebhookPorts extends AttemptPorts, Pick<ServiceBase, 'store' | 'records'> {
  /** Throws `destination_refused` for an address that events may not be sent to. */
  readonly admit: (url: URL) => void
}

/** Who changes a webhook, for rights and the audit log. */
type WebhookCaller = Pick<ServiceRequest, 'principal' | 'requestId'>

/** A webhook with its secret, which nobody sees again. */
export interface NewSecret {
  readonly row: WebhookRow
  readonly secret: string
}

const MAX_WEBHOOKS = 20
/** A rotation by another caller in between is followed by another attempt. */
const ROTATE_ATTEMPTS = 5

export class Webhooks {
  readonly #ports: WebhookPorts

  constructor(ports: WebhookPorts) {
    this.#ports = ports
  }

  async create({ principal, requestId }: WebhookCaller, body: JsonObject): Promise<NewSecret> {
    requireWhole(principal)
    const { store, vault, clock, admit } = this.#ports
    const url = urlIn(bodyText(body, 'url'), admit)
    const { organizationId } = principal
    const id = uuidv7(clock.now())
    const secret = newWebhookSecret()
    const isNew = await store.webhooks.insert(
      {
        id,
        organizationId,
        url,
        description: typeof body['description'] === 'string' ? body['description'] : '',
        eventTypes: typesIn(body) ?? null,
        secret: await sealWebhookSecret(vault, { organizationId, id }, 1, secret),
      },
      MAX_WEBHOOKS,
      auditOf(principal, requestId, 'webhook.create', { target: id, members: Object.keys(body) }),
    )
    if (!isNew)
      throw new ConnectorError(
        'request_malformed',
        `this organisation has ${MAX_WEBHOOKS} webhooks; delete one of them first`,
      )
    return { row: await this.get(principal, id).catch(afterChange), secret }
  }

  /** Throws `webhook_unknown`, for a foreign id exactly as for one that never was; so do all below. */
  async get(principal: Principal, id: string): Promise<WebhookRow> {
    requireWhole(principal)
    const { webhooks } = this.#ports.store
    const row = isUuid(id) ? await webhooks.get(placeOf(principal, id)) : null
    if (row === null) throw webhookUnknown()
    return row
  }

  async list(principal: Principal): Promise<readonly WebhookRow[]> {
    requireWhole(principal)
    return await this.#ports.store.webhooks.list(principal.organizationId)
  }

  async update(
    { principal, requestId }: WebhookCaller,
    id: string,
    body: JsonObject,
  ): Promise<WebhookRow> {
    const { store, admit } = this.#ports
    await this.get(principal, id)
    const row = await store.webhooks.update(
      placeOf(principal, id),
      patchIn(body, admit),
      auditOf(principal, requestId, 'webhook.update', { target: id, members: Object.keys(body) }),
    )
    if (row === null) throw webhookUnknown()
    return row
  }

  async rotate(
    { principal, requestId }: WebhookCaller,
    id: string,
    keepSeconds: number,
  ): Promise<NewSecret> {
    const { store, vault } = this.#ports
    const about = { target: id, members: ['secret'] }
    const audit = auditOf(principal, requestId, 'webhook.rotate_secret', about)
    for (let attempt = 1; attempt <= ROTATE_ATTEMPTS; attempt++) {
      const before = await this.get(principal, id)
      const secret = newWebhookSecret()
      const sealed = await sealWebhookSecret(vault, before, before.secret.generation + 1, secret)
      const place = placeOf(principal, id)
      const row = await store.webhooks.rotate(place, sealed, keepSeconds * 1000, audit)
      if (row !== null) return { row, secret }
    }
    throw new ConnectorError('store_unavailable', 'several requests rotate the secret at once', {
      retryAfterMs: 1000,
    })
  }

  async remove({ principal, requestId }: WebhookCaller, id: string): Promise<void> {
    await this.get(principal, id)
    const audit = auditOf(principal, requestId, 'webhook.delete', { target: id })
    if (!(await this.#ports.store.webhooks.delete(placeOf(principal, id), audit)))
      throw webhookUnknown()
  }

  /** Sends an event of the type `webhook.test` at once, also to one that is switched off. */
  async test(
    { principal, requestId, signal }: WebhookCaller & Pick<ServiceRequest, 'signal'>,
    id: string,
  ): Promise<AttemptResult> {
    const { clock, records, store } = this.#ports
    const row = await this.get(principal, id)
    const now = clock.now()
    const body = JSON.stringify(payloadOf('webhook.test', now, { webhook_id: id }))
    const result = await attemptDelivery(this.#ports, row, { id: uuidv7(now), body }, signal)
    await records.keep({ request_id: requestId, record: 'webhook.test' }, () =>
      store.audit.append(auditOf(principal, requestId, 'webhook.test', { target: id })),
    )
    return result
  }
}

/** The change was made, whatever the store says behind it. */
function afterChange(error: unknown): never {
  throw isConnectorError(error) ? raiseOutcome(error, 'applied') : error
}

export function webhookUnknown(): ConnectorError {
  return new ConnectorError('webhook_unknown', 'there is no such webhook')
}

export function placeOf({ organizationId }: Principal, webhookId: string): WebhookPlace {
  return { organizationId, webhookId }
}

function urlIn(text: string, admit: (url: URL) => void): string {
  const url = URL.parse(text)
  if (url === null || url.hash !== '' || !/^https?:$/.test(url.protocol)) {
    const detail = 'must be an absolute https URL without a fragment'
    const problem = { pointer: '/url', code: 'format', detail }
    throw problemError('destination_refused', problem, `url ${detail}`)
  }
  admit(url)
  return url.href
}

/** undefined: not said. */
function typesIn(body: JsonObject): readonly EventType[] | null | undefined {
  const types = body['event_types']
  // The schema of the routes names them.
  return types === undefined ? undefined : (types as readonly EventType[] | null)
}

function patchIn(body: JsonObject, admit: (url: URL) => void): WebhookPatch {
  const { url, description, enabled } = body
  const eventTypes = typesIn(body)
  return {
    ...(typeof url === 'string' ? { url: urlIn(url, admit) } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof enabled === 'boolean' ? { enabled } : {}),
    ...(eventTypes === undefined ? {} : { eventTypes }),
  }
}
