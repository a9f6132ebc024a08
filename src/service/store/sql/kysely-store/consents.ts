// Consents under way, used up by one conditional update, and what finished ones left behind.
import type {
  OAuthSecretRow,
  OAuthSecretStore,
  OAuthStateRow,
  OAuthStateStore,
} from '../../../store/consents.ts'
import type { OAuthSecretRefusal } from '../../../store/instances.ts'
import type { StoreDatabase } from '../database.ts'
import type { Executor, Tables } from '../schema.ts'
import { audited } from './audit-chain.ts'
import { readRow, writeRow } from './row.ts'
import { changesAny, StoreGroup } from './store-group.ts'

export class OAuthStates extends StoreGroup implements OAuthStateStore {
  readonly insert: OAuthStateStore['insert'] = async (state, audit) => {
    const fresh = { cookie_hash: null, created_at: this.now(), used_at: null }
    await audited(this.database, audit, (tx) =>
      tx
        .insertInto('oauth_state')
        .values({ ...writeRow(state), ...fresh })
        .execute(),
    )
  }

  readonly bindBrowser: OAuthStateStore['bindBrowser'] = async (ticketHash, cookieHash) => {
    const row = await this.db
      .updateTable('oauth_state')
      .set({ cookie_hash: cookieHash })
      .where('ticket_hash', '=', ticketHash)
      .where((eb) => eb.or([eb('cookie_hash', 'is', null), eb('cookie_hash', '=', cookieHash)]))
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.now())
      .returningAll()
      .executeTakeFirst()
    return row === undefined ? null : toState(row)
  }

  readonly take: OAuthStateStore['take'] = async (stateHash, cookieHash) => {
    const row = await this.db
      .updateTable('oauth_state')
      .set({ used_at: this.now() })
      .where('state_hash', '=', stateHash)
      .where('cookie_hash', '=', cookieHash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.now())
      .returningAll()
      .executeTakeFirst()
    return row === undefined ? null : toState(row)
  }

  readonly purgeExpired: OAuthStateStore['purgeExpired'] = () => this.removeExpired('oauth_state')
}

function toState(row: Tables['oauth_state']): OAuthStateRow {
  const { cookie_hash: _cookieHash, used_at: _usedAt, ...columns } = row
  return readRow<OAuthStateRow>(columns)
}

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
  database: StoreDatabase,
  tx: Executor,
  { secretHash, organizationId, externalUserId, connectorType }: SecretUse,
): Promise<OAuthSecretRefusal | null> {
  const use = writeRow({ secretHash, organizationId, externalUserId, connectorType })
  const taking = tx
    .updateTable('oauth_secret')
    .set({ used_at: database.now(), sealed: new Uint8Array() })
    .where((eb) => eb.and(use))
    .where('used_at', 'is', null)
    .where('expires_at', '>', database.now())
  if (await changesAny(tx, taking)) return null
  const known = await tx
    .selectFrom('oauth_secret')
    .select('secret_hash')
    .where((eb) => eb.and(use))
    .where('expires_at', '>', database.now())
    .executeTakeFirst()
  return known === undefined ? 'oauth_secret_unknown' : 'oauth_secret_used'
}
