// A delivery as a receiver reads it, whatever proves its signature: its head before that, its event after it.
import { ConnectorError } from '../../errors.ts'
import type { WebhookEvent } from './event.ts'
import type { WebhookMessage } from './webhook-key.ts'

/** Header fields of a request: a `Headers`, or an object as Node, Express and Fastify have it. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyWebhookOptions {
  /** Milliseconds since 1970; default: the system's clock. */
  readonly now?: () => number
}

/** Older messages, and those from the future, are refused: they may be sent again by a third party. */
const TOLERANCE_SECONDS = 5 * 60
/** Far more than any sender of ours sends; their bodies are bounded where they are read. */
const MAX_SIGNATURES = 1024

/** What is signed, and the signatures that it came with, separated by blanks. */
export interface SignedDelivery extends WebhookMessage {
  readonly signatures: string
}

/** The head of a delivery. Throws `webhook_refused`. */
export function readDelivery(headers: WebhookHeaders, body: string | Uint8Array): SignedDelivery {
  if (typeof headers !== 'object' || headers === null)
    throw new TypeError('verifyWebhook takes the headers first, then the body, then the secret')
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('the body of a webhook is verified as it arrived: a text or bytes')
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headerOf(headers, name),
  )
  if (!id || !signatures || signatures.length > MAX_SIGNATURES || !/^\d{1,12}$/.test(time ?? ''))
    throw refused(
      'headers',
      'webhook-id, webhook-timestamp and webhook-signature must be there, once each',
    )
  return { id, timestamp: Number(time), body, signatures }
}

/** The event of a delivery whose signature was proved, or not. Throws `webhook_refused`. */
export function eventOf(
  { id, timestamp, body }: SignedDelivery,
  isSigned: boolean,
  { now = Date.now }: VerifyWebhookOptions,
): WebhookEvent {
  if (!isSigned)
    throw refused(
      'signature',
      'no signature was made with this secret; verify the body as it arrived, before it is parsed',
    )
  if (Math.abs(now() / 1000 - timestamp) > TOLERANCE_SECONDS)
    throw refused(
      'timestamp',
      'the message is of another time: it was sent again by somebody, or a clock is wrong',
    )
  return eventIn(id, body)
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  const { get } = headers
  if (typeof get === 'function') return get.call(headers, name)
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() !== name) continue
    return typeof value === 'string' ? value : value?.length === 1 ? (value[0] ?? null) : null
  }
  return null
}

function eventIn(id: string, body: string | Uint8Array): WebhookEvent {
  let value: unknown
  try {
    value = JSON.parse(
      typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body),
    )
  } catch (cause) {
    throw refused('body', 'the body is not JSON', cause)
  }
  const { type, timestamp, data } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (typeof type !== 'string' || typeof timestamp !== 'string' || !isRecord(data))
    throw refused('body', 'the body is no event: it has a type, a timestamp and data')
  return { id, type, timestamp, data }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(
  reason: 'headers' | 'timestamp' | 'signature' | 'body',
  message: string,
  cause?: unknown,
): ConnectorError {
  return new ConnectorError('webhook_refused', message, { details: { reason }, cause })
}
