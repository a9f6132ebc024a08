// What a receiver does first: is this from the sender that shares the secret, and of now?
import {
  eventOf,
  readDelivery,
  type VerifyWebhookOptions,
  type WebhookHeaders,
} from './delivery.ts'
import type { WebhookEvent } from './event.ts'
import { isSignedWebhook } from './signature.ts'

export type { VerifyWebhookOptions, WebhookHeaders } from './delivery.ts'

/**
 * The event of a delivery that is genuine.
 *
 * `body` is the body as it arrived, byte by byte, before anything parsed it. `secret` is the endpoint's `whsec_…`, or several
 * while one replaces another. Deliveries come at least once: `id` tells a repetition.
 *
 * Throws `webhook_refused`, whose `details.reason` is `headers` (one is missing or unreadable), `timestamp` (more than 5
 * minutes old or ahead), `signature` (none was made with the secret), or `body` (signed, but no event). Throws a TypeError
 * for a secret that is none.
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): WebhookEvent {
  const delivery = readDelivery(headers, body)
  const secrets = typeof secret === 'string' ? [secret] : secret
  return eventOf(delivery, isSignedWebhook(delivery, delivery.signatures, secrets), options)
}
