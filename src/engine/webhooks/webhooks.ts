// Webhooks of a vendor: a delivery is checked, answered where it only asks, and read. Compiled once for each manifest.
import { ConnectorError } from '../../errors.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { ArrivedWebhook } from './arrived.ts'
import { Delivery } from './arrived.ts'
import { type ChallengeAnswer, compileChallenge } from './challenges.ts'
import { compileEvents, compileRoute, type VendorEvent } from './read-events.ts'
import { compileVerify, unverified } from './verify.ts'

export interface CompiledWebhooks {
  /**
   * What a delivery is once it has proved its sender. `secrets`: what its proof is compared with (`webhook`, `client`,
   * `credentials`). Throws `webhook_unverified`, `webhook_expired`, and `request_malformed` where a
   * proved delivery has no body that can be read.
   */
  readonly receive: (arrived: ArrivedWebhook, secrets: WebhookScope, now: number) => Received
  /** What events for an instance with these settings say in `VendorEvent.route`; null: none do. */
  readonly routeOf: (config: JsonObject) => string | null
}

export type WebhookScope = Pick<
  Scope,
  'webhook' | 'client' | 'credentials' | 'config' | 'subscription'
>

export type Received =
  | { readonly kind: 'challenge'; readonly answer: ChallengeAnswer }
  | { readonly kind: 'events'; readonly events: readonly VendorEvent[] }

const compiled = new WeakMap<Manifest, CompiledWebhooks | null>()

/** Null: the connector takes no webhooks. */
export function webhooksOf(manifest: Manifest): CompiledWebhooks | null {
  let found = compiled.get(manifest)
  if (found === undefined) compiled.set(manifest, (found = compileWebhooks(manifest)))
  return found
}

/** Whether deliveries for all instances may come to one address. Looks at no entity, as a service asks all connectors. */
export function hasWebhookRoute({ webhooks }: Manifest): boolean {
  return webhooks !== undefined && webhooks.route.length > 0
}

function compileWebhooks(manifest: Manifest): CompiledWebhooks | null {
  const { webhooks, maps } = manifest
  if (webhooks === undefined) return null
  const verify = compileVerify(webhooks.verify)
  const challenges = webhooks.challenges.map(compileChallenge)
  const readEvents = compileEvents(manifest, webhooks)
  return {
    routeOf: compileRoute(manifest, webhooks),
    receive(arrived, secrets, now) {
      const delivery = new Delivery(arrived)
      const scope: Scope = { maps, ...secrets }
      const asks = (challenge: (typeof challenges)[number]): Received => ({
        kind: 'challenge',
        answer: challenge.answer(delivery, scope),
      })
      const own = challenges.find((each) => each.verify !== null && each.matches(delivery))
      if (own !== undefined) {
        own.verify?.(delivery, scope, now)
        return asks(own)
      }
      verify(delivery, scope, now)
      const usual = challenges.find((each) => each.verify === null && each.matches(delivery))
      if (usual !== undefined) return asks(usual)
      if (arrived.method !== 'POST') throw unverified('not_a_delivery')
      if (delivery.body === undefined) throw unreadable()
      return { kind: 'events', events: readEvents(delivery) }
    },
  }
}

function unreadable(): ConnectorError {
  return new ConnectorError(
    'request_malformed',
    'the body of this webhook is neither JSON nor a form; nothing was done',
  )
}
