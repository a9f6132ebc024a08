// Secrets of webhooks: sealed for their organisation, shown once.
import type { Store } from '../store/store.ts'
import type { WebhookPlace, WebhookRow, WebhookSecret } from '../store/webhooks.ts'
import type { Vault } from '../vault/vault.ts'
import { organizationKeyOwner } from '../store/owner.ts'

export async function sealWebhookSecret(
  vault: Vault,
  { organizationId, id }: Pick<WebhookRow, 'organizationId' | 'id'>,
  generation: number,
  secret: string,
): Promise<WebhookSecret> {
  const owner = organizationKeyOwner(organizationId)
  return { sealed: await vault.seal(owner, columnOf(id), generation, secret), generation }
}

/** The secrets that sign now: the newest, and the one before until it ends. */
export async function liveSecrets(
  vault: Vault,
  { organizationId, id, secret, previousSecret }: WebhookRow,
  now: number,
): Promise<readonly string[]> {
  const live =
    previousSecret === null || previousSecret.endsAt <= now ? [secret] : [secret, previousSecret]
  return await Promise.all(
    live.map(({ sealed, generation }) =>
      vault.openText(organizationKeyOwner(organizationId), columnOf(id), generation, sealed),
    ),
  )
}

/** Seals a secret of a webhook under the newest data key, if `isOld` says so of what there is. */
export async function resealWebhookSecret(
  {
    vault,
    store: { webhooks },
  }: { readonly vault: Vault; readonly store: Pick<Store, 'webhooks'> },
  place: WebhookPlace,
  which: 'secret' | 'previousSecret',
  isOld: (sealed: Uint8Array) => boolean,
): Promise<'resealed' | 'fine' | 'changed'> {
  const held = (await webhooks.get(place))?.[which] ?? null
  if (held === null || !isOld(held.sealed)) return 'fine'
  const { generation } = held
  const owner = organizationKeyOwner(place.organizationId)
  const plain = await vault.open(owner, columnOf(place.webhookId), generation, held.sealed)
  const sealed = await vault.seal(owner, columnOf(place.webhookId), generation, plain)
  return (await webhooks.reseal(place, { sealed, generation })) ? 'resealed' : 'changed'
}

function columnOf(id: string): string {
  return `webhook_secret:${id}`
}
