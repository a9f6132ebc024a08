// Deliveries of webhooks, proved by Web Crypto.
import {
  eventOf,
  readDelivery,
  type SignedDelivery,
  type VerifyWebhookOptions,
  type WebhookHeaders,
} from '../webhooks/delivery.ts'
import type { WebhookEvent } from '../webhooks/event.ts'
import { SIGNATURE_VERSION, webhookKey } from '../webhooks/webhook-key.ts'

/** The event of a delivery that is genuine: the same as `verifyWebhook` of `tenon`, as a promise. */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const delivery = readDelivery(headers, body)
  const secrets = typeof secret === 'string' ? [secret] : secret
  return eventOf(delivery, await isSigned(delivery, secrets), options)
}

async function isSigned(
  { id, timestamp, body, signatures }: SignedDelivery,
  secrets: readonly string[],
): Promise<boolean> {
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const message = new Uint8Array(head.length + content.length)
  message.set(head)
  message.set(content, head.length)
  const keys = await Promise.all(secrets.map(importKey))
  const given = signatures.split(' ').flatMap((part) => {
    const [version, text = ''] = part.split(',')
    return version === SIGNATURE_VERSION ? (bytesOf(text) ?? []) : []
  })
  const proofs = given.flatMap((mac) =>
    keys.map((key) => crypto.subtle.verify('HMAC', key, mac, message)),
  )
  return (await Promise.all(proofs)).includes(true)
}

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

async function importKey(secret: string): Promise<HmacKey> {
  // A secret that is none is a TypeError before anything is compared.
  const key = bytesOf(webhookKey(secret)) ?? new Uint8Array()
  return await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
}

/** null: it is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    // What is no text of a signature is none.
    return null
  }
}
