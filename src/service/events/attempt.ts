// One attempt to deliver: signed, sent, judged.
import { isConnectorError } from '../../errors.ts'
import type { WebhookRow } from '../store/webhooks.ts'
import type { ServiceBase } from '../base.ts'
import { signWebhook } from '../../client/webhooks/signature.ts'
import { liveSecrets } from './webhook-secrets.ts'

export type AttemptPorts = Pick<ServiceBase, 'transport' | 'clock' | 'vault'>

export interface AttemptResult {
  /** What the receiver answered; null: no head of an answer came. */
  readonly status: number | null
  /** The error's code where none came. */
  readonly error: string | null
  /** How long the receiver asks us to wait; null: it does not. */
  readonly retryAfterMs: number | null
  readonly tookMs: number
}

/** A receiver that needs longer takes the event first and works later. */
const TIMEOUT_MS = 15_000

/**
 * Sends a message. Redirects are not followed; of the answer only the status counts.
 * Throws `aborted` and `store_unavailable`: then nothing is known, and the attempt was none.
 */
export async function attemptDelivery(
  { transport, clock, vault }: AttemptPorts,
  webhook: WebhookRow,
  message: { readonly id: string; readonly body: string },
  signal: AbortSignal,
): Promise<AttemptResult> {
  const startedAt = clock.monotonic()
  const ended = (
    status: number | null,
    error: string | null,
    retryAfter?: string,
  ): AttemptResult => ({
    status,
    error,
    retryAfterMs: waitIn(retryAfter),
    tookMs: Math.round(clock.monotonic() - startedAt),
  })
  try {
    const timestamp = Math.floor(clock.now() / 1000)
    const secrets = await liveSecrets(vault, webhook, clock.now())
    const { status, headers } = await transport.send(
      {
        method: 'POST',
        url: webhook.url,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'tenon-webhooks',
          'webhook-id': message.id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signWebhook({ ...message, timestamp }, secrets),
        },
        body: message.body,
        redirects: 0,
        timeoutMs: TIMEOUT_MS,
        secretHeaders: ['webhook-signature'],
        secretQuery: [],
      },
      { signal },
    )
    return ended(status, null, headers['retry-after'])
  } catch (error) {
    if (!isConnectorError(error) || UNKNOWN.has(error.code)) throw error
    // The head says whether it was taken; what is wrong with the body behind it does not matter.
    const { status } = error.details
    return typeof status === 'number' ? ended(status, null) : ended(null, error.code)
  }
}

const UNKNOWN: ReadonlySet<string> = new Set(['aborted', 'store_unavailable'])

/** Seconds; dates are not read. */
function waitIn(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : null
}

export function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299
}
