// Using up the secret of a consent, within the transaction that stores what was made of it.
import type { OAuthSecretRefusal } from '../../../store/instances.ts'
import type { StoreDatabase } from '../database.ts'
import type { Executor } from '../schema.ts'

/** Who may use a secret, and for what. */
export interface SecretUse {
  readonly secretHash: string
  readonly organizationId: string
  readonly externalUserId: string
  readonly connectorType: string
}

/** Null: it is used up now, by this transaction. What was sealed is erased with it. */
export async function useOAuthSecret(
  { now }: Pick<StoreDatabase, 'now'>,
  tx: Executor,
  use: SecretUse,
): Promise<OAuthSecretRefusal | null> {
  const taken = await tx
    .updateTable('oauth_secret')
    .set({ used_at: now(), sealed: new Uint8Array() })
    .where('secret_hash', '=', use.secretHash)
    .where('organization_id', '=', use.organizationId)
    .where('external_user_id', '=', use.externalUserId)
    .where('connector_type', '=', use.connectorType)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now())
    .returning('secret_hash')
    .executeTakeFirst()
  if (taken !== undefined) return null
  const known = await tx
    .selectFrom('oauth_secret')
    .select('secret_hash')
    .where('secret_hash', '=', use.secretHash)
    .where('organization_id', '=', use.organizationId)
    .where('external_user_id', '=', use.externalUserId)
    .where('connector_type', '=', use.connectorType)
    .where('expires_at', '>', now())
    .executeTakeFirst()
  return known === undefined ? 'oauth_secret_unknown' : 'oauth_secret_used'
}
