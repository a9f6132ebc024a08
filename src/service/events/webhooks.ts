// Making, changing and trying the webhooks of an organisation.
import { bodyText } from '../body-text.ts'
import { ConnectorError, isConnectorError, raiseOutcome } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { Store } from '../store/store.ts'
import { isUuid, uuidv7 } from '../store/uuid.ts'
import type { WebhookPatch, WebhookPlace, WebhookRow } from '../store/webhooks.ts'
import type { EventType } from '../../client/webhooks/event.ts'
import { newWebhookSecret } from '../../client/webhooks/signature.ts'
import { auditOf } from '../audit.ts'
import type { Records } from '../records.ts'
import type { Principal } from '../tokens/principal.ts'
import { attemptDelivery, type AttemptPorts, type AttemptResult } from './attempt.ts'
import { payloadOf } from './event-view.ts'
import { sealWebhookSecret } from './webhook-secrets.ts'

export interface WebhookPorts extends AttemptPorts {
  readonly store: Store
  readonly records: Records
  /** Throws `destination_refused` for an address that events may not be sent to. */
  readonly admit: (url: URL) => void
}

/** A webhook with its secret, which nobody sees again. */
export interface NewSecret {
  readonly row: WebhookRow
  readonly secret: string
}

export interface Webhooks {
  create(principal: Principal, body: JsonObject, requestId: string): Promise<NewSecret>
  /** Throws `webhook_unknown`, for a foreign id exactly as for one that never was; so do all below. */
  get(principal: Principal, id: string): Promise<WebhookRow>
  list(principal: Principal): Promise<readonly WebhookRow[]>
  update(principal: Principal, id: string, body: JsonObject, requestId: string): Promise<WebhookRow>
  rotate(
    principal: Principal,
    id: string,
    keepSeconds: number,
    requestId: string,
  ): Promise<NewSecret>
  remove(principal: Principal, id: string, requestId: string): Promise<void>
  /** Sends an event of the type `webhook.test` at once, also to one that is switched off. */
  test(
    principal: Principal,
    id: string,
    options: { readonly requestId: string; readonly signal: AbortSignal },
  ): Promise<AttemptResult>
}

const MAX_WEBHOOKS = 20
/** Somebody else rotated in between: that one's secret is shown there. */
const ROTATE_ATTEMPTS = 5

export function createWebhooks(ports: WebhookPorts): Webhooks {
  const { store, vault, clock, records } = ports

  async function read(principal: Principal, id: string): Promise<WebhookRow> {
    requireWhole(principal)
    const row = isUuid(id) ? await store.webhooks.get(placeOf(principal, id)) : null
    if (row === null) throw webhookUnknown()
    return row
  }

  return {
    get: read,

    async create(principal, body, requestId) {
      requireWhole(principal)
      const url = urlIn(bodyText(body, 'url'), ports.admit)
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
        auditWebhook(principal, requestId, 'webhook.create', id, Object.keys(body)),
      )
      if (!isNew)
        throw new ConnectorError(
          'request_malformed',
          `this organisation has ${MAX_WEBHOOKS} webhooks; delete one of them first`,
        )
      return { row: await read(principal, id).catch(afterChange), secret }
    },

    async list(principal) {
      requireWhole(principal)
      return await store.webhooks.list(principal.organizationId)
    },

    async update(principal, id, body, requestId) {
      await read(principal, id)
      const row = await store.webhooks.update(
        placeOf(principal, id),
        patchIn(body, ports.admit),
        auditWebhook(principal, requestId, 'webhook.update', id, Object.keys(body)),
      )
      if (row === null) throw webhookUnknown()
      return row
    },

    async rotate(principal, id, keepSeconds, requestId) {
      for (let attempt = 1; attempt <= ROTATE_ATTEMPTS; attempt++) {
        const before = await read(principal, id)
        const secret = newWebhookSecret()
        const row = await store.webhooks.rotate(
          placeOf(principal, id),
          await sealWebhookSecret(vault, before, before.secret.generation + 1, secret),
          keepSeconds * 1000,
          auditWebhook(principal, requestId, 'webhook.rotate_secret', id, ['secret']),
        )
        if (row !== null) return { row, secret }
      }
      throw new ConnectorError('store_unavailable', 'the secret is rotated by many at once', {
        retryAfterMs: 1000,
      })
    },

    async remove(principal, id, requestId) {
      await read(principal, id)
      const audit = auditWebhook(principal, requestId, 'webhook.delete', id, [])
      if (!(await store.webhooks.delete(placeOf(principal, id), audit))) throw webhookUnknown()
    },

    async test(principal, id, { requestId, signal }) {
      const row = await read(principal, id)
      const now = clock.now()
      const body = JSON.stringify(payloadOf('webhook.test', now, { webhook_id: id }))
      const result = await attemptDelivery(ports, row, { id: uuidv7(now), body }, signal)
      await records.keep({ request_id: requestId, record: 'webhook.test' }, () =>
        store.audit.append(auditWebhook(principal, requestId, 'webhook.test', id, [])),
      )
      return result
    },
  }
}

/** The change was made, whatever the store says behind it. */
function afterChange(error: unknown): never {
  throw isConnectorError(error) ? raiseOutcome(error, 'applied') : error
}

/** What a webhook gets is not narrowed, so that whoever has to do with it sees all. Throws `scope_denied`. */
export function requireWhole({ externalUserId, connectorTypes, connectorIds }: Principal): void {
  if (externalUserId === null && connectorTypes === null && connectorIds === null) return
  throw new ConnectorError(
    'scope_denied',
    'webhooks get the events of the whole organisation; whoever sees a part of it may not touch them',
  )
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
    throw new ConnectorError('destination_refused', `url ${detail}`, {
      errors: [{ pointer: '/url', code: 'format', detail }],
    })
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

function auditWebhook(
  principal: Principal,
  requestId: string,
  action: string,
  id: string,
  members: readonly string[],
): AuditEntry {
  return auditOf(principal, requestId, action, { target: id, members })
}
