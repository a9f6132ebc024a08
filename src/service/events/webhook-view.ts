// A webhook and its deliveries as answers show them. Its secret is shown once, when it is made.
import type { JsonObject } from '../../language/json/json.ts'
import { timeText } from '../store/instance-view.ts'
import type { DeliveryRow, WebhookRow } from '../store/webhooks.ts'

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
  }
}
