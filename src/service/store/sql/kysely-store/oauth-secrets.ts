// What finished consents left behind, and how it is used up.
import type { OAuthSecretRow, OAuthSecretStore } from '../../../store/consents.ts'
import type { OAuthSecretRefusal } from '../../../store/instances.ts'
import type { StoreDatabase } from '../database.ts'
import type { Executor } from '../schema.ts'
import { audited } from './audit-chain.ts'
import { readRow, writeRow } from './row.ts'
import { changesAny, StoreGroup } from './store-group.ts'

export class OAuthSecrets extends StoreGroup implements OAuthSecretStore {
  readonly insert: OAuthSecretStore['insert'] = async (secret, audit) => {
    const values = { ...writeRow(secret), created_at: this.now(), used_at: null }
    await audited(this.database, audit, (tx) =>
      tx.insertInto('oauth_secret').values(values).execute(),
    )
  }

  readonly read: OAuthSecretStore['read'] = async (owner, connectorType, secretHash) => {
    const { organizationId, externalUserId, connectorTypes, connectorIds } = owner
    // A secret is of no instance yet: an owner who is narrowed to instances has none.
    if (connectorIds !== undefined) return null
    if (connectorTypes !== undefined && !connectorTypes.includes(connectorType)) return null
    const user = externalUserId === undefined ? {} : { externalUserId }
    const wanted = writeRow({ secretHash, organizationId, connectorType, ...user })
    const row = await this.db
      .selectFrom('oauth_secret')
      .selectAll()
      .where((eb) => eb.and(wanted))
      .where('expires_at', '>', this.now())
      .executeTakeFirst()
    if (row === undefined) return null
    const { created_at: _createdAt, ...columns } = row
    return readRow<OAuthSecretRow>(columns)
  }

  readonly putBack: OAuthSecretStore['putBack'] = async (organizationId, secretHash, sealed) =>
    await changesAny(
      this.db,
      this.db
        .updateTable('oauth_secret')
        .set({ used_at: null, sealed })
        .where('secret_hash', '=', secretHash)
        .where('organization_id', '=', organizationId)
        .where('used_at', 'is not', null)
        .where('expires_at', '>', this.now()),
    )

  readonly purgeExpired: OAuthSecretStore['purgeExpired'] = () => this.removeExpired('oauth_secret')
}

/** Who may use a secret, and for what. */
type SecretUse = Pick<
  OAuthSecretRow,
  'secretHash' | 'organizationId' | 'externalUserId' | 'connectorType'
>

/**
 * Uses up the secret of a consent, within the transaction that stores what was made of it. What was sealed is erased with
 * it. Null: it is used up now, by this transaction.
 */
export async function useOAuthSecret(
  { now }: Pick<StoreDatabase, 'now'>,
  tx: Executor,
  { secretHash, organizationId, externalUserId, connectorType }: SecretUse,
): Promise<OAuthSecretRefusal | null> {
  const use = writeRow({ secretHash, organizationId, externalUserId, connectorType })
  const taking = tx
    .updateTable('oauth_secret')
    .set({ used_at: now(), sealed: new Uint8Array() })
    .where((eb) => eb.and(use))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now())
  if (await changesAny(tx, taking)) return null
  const known = await tx
    .selectFrom('oauth_secret')
    .select('secret_hash')
    .where((eb) => eb.and(use))
    .where('expires_at', '>', now())
    .executeTakeFirst()
  return known === undefined ? 'oauth_secret_unknown' : 'oauth_secret_used'
}
