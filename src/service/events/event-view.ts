// Events and webhooks as receivers and readers get them. The secret of a webhook is shown once, when it is made.
import type { JsonObject } from '../../language/json/json.ts'
import type { EventRow } from '../store/events.ts'
import { timeText } from '../store/instance-view.ts'
import type { DeliveryRow, WebhookRow } from '../store/webhooks.ts'

/** A member of `GET /events`. */
export function showEvent(row: EventRow): JsonObject {
  return { id: row.id, ...payloadOf(row.type, row.at, row.data) }
}

/** The body of a delivery. The same bytes in every attempt: its id is in a header, and signed. */
export function eventBody(row: Pick<EventRow, 'type' | 'at' | 'data'>): string {
  return JSON.stringify(payloadOf(row.type, row.at, row.data))
}

/** The members that Standard Webhooks names. */
export function payloadOf(type: string, at: number, data: JsonObject): JsonObject {
  return { type, timestamp: timeText(at), data }
}

export function showWebhook(row: WebhookRow, now: number): JsonObject {
  const endsAt = row.previousSecret?.endsAt ?? 0
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    event_types: row.eventTypes,
    enabled: row.disabledAt === null,
    disabled_reason: row.disabledReason,
    previous_secret_ends_at: endsAt > now ? timeText(endsAt) : null,
    created_at: timeText(row.createdAt),
    updated_at: timeText(row.updatedAt),
  }
}

export function showDelivery(row: DeliveryRow): JsonObject {
  return {
    event_id: row.eventId,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    next_attempt_at: row.state === 'pending' ? timeText(row.nextAt) : null,
    last_attempt_at: row.lastAt === null ? null : timeText(row.lastAt),
    last_status: row.lastStatus,
    last_error: row.lastError,
    body: payloadOf(row.type, row.at, row.data),
  }
}
