// Secrets of webhooks: sealed for their organisation, shown once.
import type { WebhookRow, WebhookSecret } from '../../store/store.ts'
import type { Vault } from '../../vault/vault.ts'
import { organizationKeyOwner } from '../oauth/oauth-secret.ts'

interface Place {
  readonly organizationId: string
  readonly id: string
}

export async function sealWebhookSecret(
  vault: Vault,
  { organizationId, id }: Place,
  generation: number,
  secret: string,
): Promise<WebhookSecret> {
  const sealed = await vault.seal(
    organizationKeyOwner(organizationId),
    columnOf(id),
    generation,
    secret,
  )
  return { sealed, generation }
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

function columnOf(id: string): string {
  return `webhook_secret:${id}`
}
