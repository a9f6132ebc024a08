// Made by scripts/service-types.ts of the schemas of the routes. Do not edit.
import type { EventType } from './webhooks/event.ts'

/** For how many webhooks. */
export interface Redelivered {
  readonly event_id: string
  readonly webhooks: number
}

/** A webhook to be made. */
export interface NewWebhook {
  /** A public https address. */
  readonly url: string
  readonly description?: string
  /**
   * The types that it wants; null, which is the default: all, also those to come.
   *
   * @minItems 1
   */
  readonly event_types?: readonly EventType[] | null
}

/** Without its secret. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly event_types: readonly string[] | null
  readonly enabled: boolean
  /** gone: the receiver answered 410. */
  readonly disabled_reason: 'gone' | 'by_hand' | null
  readonly previous_secret_ends_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** Shown once. */
export interface WebhookWithSecret {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly event_types: readonly string[] | null
  readonly enabled: boolean
  /** gone: the receiver answered 410. */
  readonly disabled_reason: 'gone' | 'by_hand' | null
  readonly previous_secret_ends_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** whsec_…: shown here and never again. */
  readonly secret: string
}

/** What is left out stays. */
export interface WebhookChange {
  /** A public https address. */
  readonly url?: string
  readonly description?: string
  /**
   * The types that it wants; null, which is the default: all, also those to come.
   *
   * @minItems 1
   */
  readonly event_types?: readonly EventType[] | null
  readonly enabled?: boolean
}

/** How it is changed. */
export interface SecretRotation {
  /** How long both secrets sign; a day by default, 0 where one has leaked. */
  readonly keep_seconds?: number
}

/** What the receiver said. */
export interface WebhookTest {
  readonly delivered: boolean
  readonly status: number | null
  /** The code, where nothing answered. */
  readonly error: string | null
  readonly took_ms: number
}

/** An event on its way to a webhook. */
export interface WebhookDelivery {
  readonly event_id: string
  readonly type: string
  readonly state: 'pending' | 'delivered' | 'failed' | 'canceled'
  readonly attempts: number
  readonly next_attempt_at: string | null
  readonly last_attempt_at: string | null
  readonly last_status: number | null
  readonly last_error: string | null
}
