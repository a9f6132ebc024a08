// Webhooks and their deliveries.
import type { JsonObject } from '../../language/json/json.ts'
import type { EventType } from '../../client/webhooks/event.ts'
import type { AuditEntry } from './audit.ts'
import type { EventRow } from './events.ts'

/** A secret of a webhook, sealed. */
export interface WebhookSecret {
  readonly sealed: Uint8Array
  /** 1 at first, + 1 with every rotation. */
  readonly generation: number
}

/** Where the events of an organisation are delivered. */
export interface WebhookInput {
  readonly id: string
  readonly organizationId: string
  readonly url: string
  readonly description: string
  /** null: all, also those to come. */
  readonly eventTypes: readonly EventType[] | null
  readonly secret: WebhookSecret
}

export interface WebhookRow extends WebhookInput {
  /** The secret before, which signs as well until it ends. */
  readonly previousSecret: (WebhookSecret & { readonly endsAt: number }) | null
  readonly createdAt: number
  readonly updatedAt: number
  /** null: switched on. */
  readonly disabledAt: number | null
  /** `gone`: the receiver answered 410; `by_hand`. */
  readonly disabledReason: 'gone' | 'by_hand' | null
}

export interface WebhookPatch extends Partial<
  Pick<WebhookRow, 'url' | 'description' | 'eventTypes'>
> {
  readonly enabled?: boolean
}

export interface WebhookPlace {
  readonly organizationId: string
  readonly webhookId: string
}

/** A delivery as the process holds it that makes the attempt. */
export interface TakenDelivery extends WebhookPlace {
  readonly event: EventRow
  /** Attempts that ended. */
  readonly attempts: number
  readonly fence: number
}

/** How an attempt ended. */
export interface DeliveryResult {
  /** `pending`: there is another attempt, after `delayMs`. */
  readonly state: 'delivered' | 'failed' | 'pending'
  readonly delayMs: number
  /** What the receiver answered; null: nothing that has a status. */
  readonly status: number | null
  /** Why nothing was answered; null: something was. */
  readonly error: string | null
}

export interface DeliveryRow {
  readonly eventId: string
  readonly type: EventType
  readonly seq: number
  /** `canceled`: the webhook was switched off before it was delivered. */
  readonly state: 'pending' | 'delivered' | 'failed' | 'canceled'
  readonly attempts: number
  /** Of the next attempt; means something while `pending` only. */
  readonly nextAt: number
  readonly lastAt: number | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** What is sent, with the type. */
  readonly at: number
  readonly data: JsonObject
}

export interface WebhookStore {
  /** False: the organisation has `atMost` already. */
  insert(webhook: WebhookInput, atMost: number, audit: AuditEntry): Promise<boolean>
  get(place: WebhookPlace): Promise<WebhookRow | null>
  /** Ordered by id. */
  list(organizationId: string): Promise<readonly WebhookRow[]>
  /** The row after the change; null: unknown. What waits is cancelled when it is switched off. */
  update(place: WebhookPlace, patch: WebhookPatch, audit: AuditEntry): Promise<WebhookRow | null>
  /**
   * Gives a webhook another secret; the one before signs along for `keepMs`. Null: unknown, or the generation is another
   * one than the new secret follows.
   */
  rotate(
    place: WebhookPlace,
    secret: WebhookSecret,
    keepMs: number,
    audit: AuditEntry,
  ): Promise<WebhookRow | null>
  /** Stores a secret, sealed under another data key. False: no secret of the webhook has this generation any more. */
  reseal(place: WebhookPlace, secret: WebhookSecret): Promise<boolean>
  /** Switches off what is gone. False: it is off already, or unknown. */
  switchOff(place: WebhookPlace, audit: AuditEntry): Promise<boolean>
  delete(place: WebhookPlace, audit: AuditEntry): Promise<boolean>
  /** Webhooks that have something to deliver now, the one that waits longest first. */
  due(limit: number, except: readonly string[]): Promise<readonly WebhookPlace[]>
  /** Takes deliveries of one webhook that are due and held by nobody; they are due again when the lease ends. */
  take(place: WebhookPlace, limit: number, leaseMs: number): Promise<readonly TakenDelivery[]>
  /** Stores how an attempt ended. False: it is somebody else's by now. */
  finish(delivery: TakenDelivery, result: DeliveryResult): Promise<boolean>
  /** The attempt was not made: the next process that looks takes it. */
  giveBack(delivery: TakenDelivery): Promise<void>
  /** The newest event first. */
  deliveries(
    place: WebhookPlace,
    page: { readonly limit: number; readonly beforeSeq?: number },
  ): Promise<readonly DeliveryRow[]>
}
