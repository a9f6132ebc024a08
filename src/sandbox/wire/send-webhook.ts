// A webhook as the vendor sends it: signed, or with its secret, as the manifest says.
import { randomBytes } from 'node:crypto'
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { carriedSignature } from '../../language/manifest/credential-places/sign.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { withPairs } from '../../language/signing/request-facts.ts'
import { scalarText } from './same-scalar.ts'

export interface SandboxWebhook {
  /** Where it is sent to; left out: to the one that has subscribed. */
  readonly url?: string
  /** What has happened, as the vendor writes it. Text is sent as it is. */
  readonly event: JsonObject | readonly Json[] | string
  /** Headers of the vendor, such as the one that names the event. */
  readonly headers?: Readonly<Record<string, string>>
  /** What stands for `webhook.secret`. */
  readonly secret?: string
  /** What stands for `webhook.token`. */
  readonly token?: string
  /** What stands for `credentials`; default: the demo credentials of the first method. */
  readonly credentials?: JsonObject
  /** The private key, in PEM, where the manifest has the vendor's public key. */
  readonly signingKey?: string
  /** When it is signed, in milliseconds since 1970; default: now. */
  readonly atMs?: number
}

export interface WebhookAnswer {
  readonly status: number
  readonly text: string
}

/** Sends it. Throws TypeError where the manifest says nothing of webhooks, and what the connection throws. */
export async function sendWebhook(
  manifest: Manifest,
  webhook: SandboxWebhook & { readonly url: string },
  scope: Scope,
): Promise<WebhookAnswer> {
  const { url, headers, body } = signedWebhook(manifest, webhook, scope)
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}

function signedWebhook(
  { type, webhooks }: Manifest,
  {
    url,
    event,
    headers = {},
    secret,
    token: shared,
    signingKey,
    atMs = Date.now(),
  }: Parameters<typeof sendWebhook>[1],
  known: Scope,
): { readonly url: string; readonly headers: Record<string, string>; readonly body: string } {
  if (webhooks === undefined) throw new TypeError(`the manifest of ${type} has no webhooks`)
  const { sign, token } = webhooks.verify
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const webhook = {
    url,
    ...(secret !== undefined && { secret }),
    ...(shared !== undefined && { token: shared }),
  }
  const scope: Scope = { ...known, webhook }
  let sent = {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...lowerCase(headers) } as Record<
      string,
      string
    >,
    body: Buffer.from(body),
  }
  const value = token === null ? undefined : scalarText(compileTemplate(token.value)(scope))
  if (token !== null && value !== undefined) {
    const { header, query } = token
    if (header !== undefined) sent.headers[header] = value
    if (query !== undefined) sent = { ...sent, url: withPairs(url, [[query, value]]) }
  }
  if (sign === null) return { url: sent.url, headers: sent.headers, body }
  const key = sign.key === null ? undefined : scalarText(compileTemplate(sign.key)(scope))
  const signed = carriedSignature({ ...sign, nonce: 'hex' }).sign([signingKey ?? key], {
    ...sent,
    scope,
    now: atMs,
    nonce: randomBytes(16),
  })
  return { url: signed.url, headers: { ...signed.headers }, body }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}
