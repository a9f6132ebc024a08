// The signature of Standard Webhooks 1.0: HMAC-SHA256 over id, time and body.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { nodeCrypto } from '../../late-modules.ts'
import { SECRET_PREFIX, SIGNATURE_VERSION, type WebhookMessage, webhookKey } from './webhook-key.ts'

const SECRET_BYTES = 32

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + nodeCrypto().randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * The value of `webhook-signature`: one signature per secret, separated by blanks.
 * Throws a TypeError for a secret that is not base64, with or without `whsec_`.
 */
export function signWebhook(message: WebhookMessage, secrets: readonly string[]): string {
  return secrets
    .map((secret) => `${SIGNATURE_VERSION},${macOf(message, secret).toString('base64')}`)
    .join(' ')
}

/** Whether one of the signatures in a `webhook-signature` was made with one of the secrets. Takes as long for any that is not. */
export function isSignedWebhook(
  message: WebhookMessage,
  signatures: string,
  secrets: readonly string[],
): boolean {
  const expected = secrets.map((secret) => macOf(message, secret))
  let isSigned = false
  for (const part of signatures.split(' ')) {
    const [version, text = ''] = part.split(',')
    const given = Buffer.from(text, 'base64')
    for (const mac of expected) {
      const isSame =
        version === SIGNATURE_VERSION &&
        given.length === mac.length &&
        nodeCrypto().timingSafeEqual(given, mac)
      isSigned = isSame || isSigned
    }
  }
  return isSigned
}

function macOf({ id, timestamp, body }: WebhookMessage, secret: string): Buffer {
  return nodeCrypto()
    .createHmac('sha256', keyOf(secret))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest()
}

function keyOf(secret: string): Buffer {
  return Buffer.from(webhookKey(secret), 'base64')
}
