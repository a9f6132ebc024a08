// What an operator shares with a vendor for the webhooks of an app, and how one value follows another.

import { namesIn } from '../../language/expression/paths-in.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'

/** `secret`: `webhook.secret`. `token`: `webhook.token`, of vendors that want two. */
export type SharedName = 'secret' | 'token'

/** The newest value of each first; while there are two, either proves a delivery. */
export type SharedSecrets = Readonly<Partial<Record<SharedName, readonly string[]>>>

/** The settings of a connector type by what they hold; `_PREVIOUS` behind them is for the value before. */
export function sharedSettings(connectorType: string): Readonly<Record<SharedName, string>> {
  const type = connectorType.toUpperCase().replaceAll('-', '_')
  return { secret: `TENON_WEBHOOK_${type}_SECRET`, token: `TENON_WEBHOOK_${type}_TOKEN` }
}

/** What a connector's webhooks look at of it, and whether nothing else proves a delivery. */
export function sharedNamesOf({ webhooks }: Pick<Manifest, 'webhooks'>): {
  readonly names: readonly SharedName[]
  readonly isNeeded: boolean
} {
  const names = namesIn(webhooks, 'webhook').filter(
    (name): name is SharedName => name === 'secret' || name === 'token',
  )
  const others = [
    ...namesIn(webhooks?.verify, 'credentials'),
    ...namesIn(webhooks?.verify, 'subscription'),
  ]
  return { names, isNeeded: names.length > 0 && others.length === 0 }
}

/** Every combination that may prove a delivery, the newest values first; at least one, which may be empty. */
export function provingSecrets({
  secret = [],
  token = [],
}: SharedSecrets): readonly Readonly<Partial<Record<SharedName, string>>>[] {
  const secrets = secret.length === 0 ? [{}] : secret.map((value) => ({ secret: value }))
  const tokens = token.length === 0 ? [{}] : token.map((value) => ({ token: value }))
  return secrets.flatMap((one) => tokens.map((other) => ({ ...one, ...other })))
}
