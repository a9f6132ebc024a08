// What signing and proving have in common on every platform.

export interface WebhookMessage {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string | Uint8Array
}

export const SECRET_PREFIX = 'whsec_'
export const SIGNATURE_VERSION = 'v1'

/** The key in a secret, in base64. Throws a TypeError for a secret that is not base64, with or without `whsec_`. */
export function webhookKey(secret: string): string {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret
  if (/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return text
  throw new TypeError(
    'the secret of a webhook is whsec_ and base64, as it was shown when it was made',
  )
}
