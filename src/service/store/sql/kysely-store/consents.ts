// Consents under way, used up by one conditional update, and what finished ones left behind.
import type { OAuthSecretRow, OAuthSecretStore, OAuthStateStore } from '../../../store/consents.ts'
import type { OAuthSecretRefusal } from '../../../store/instances.ts'
import { above, atMost, given, type Rows, SOMETHING, without } from '../statements.ts'
import { audited } from './audit-chain.ts'
import { StoreGroup } from './store-group.ts'

export class OAuthStates extends StoreGroup implements OAuthStateStore {
  readonly insert: OAuthStateStore['insert'] = async (state, audit) => {
    const row = { ...state, cookieHash: null, createdAt: this.now(), usedAt: null }
    await audited(this.rows, audit, (tx) => tx.insert('oauth_state', row))
  }

  readonly bindBrowser: OAuthStateStore['bindBrowser'] = async (ticketHash, cookieHash) => {
    const open = { ticketHash, usedAt: null, expiresAt: above(this.now()) }
    const row =
      (await this.rows.change('oauth_state', { ...open, cookieHash: null }, { cookieHash })) ??
      (await this.rows.find('oauth_state', { ...open, cookieHash }))
    return without(row, 'cookieHash', 'usedAt')
  }

  readonly take: OAuthStateStore['take'] = async (stateHash, cookieHash) => {
    const open = { stateHash, cookieHash, usedAt: null, expiresAt: above(this.now()) }
    const row = await this.rows.change('oauth_state', open, { usedAt: this.now() })
    return without(row, 'cookieHash', 'usedAt')
  }

  readonly purgeExpired: OAuthStateStore['purgeExpired'] = () =>
    this.rows.remove('oauth_state', { expiresAt: atMost(this.now()) })
}

export class OAuthSecrets extends StoreGroup implements OAuthSecretStore {
  readonly insert: OAuthSecretStore['insert'] = async (secret, audit) => {
    const row = { ...secret, createdAt: this.now(), usedAt: null }
    await audited(this.rows, audit, (tx) => tx.insert('oauth_secret', row))
  }

  readonly read: OAuthSecretStore['read'] = async (owner, connectorType, secretHash) => {
    const { organizationId, externalUserId, connectorTypes, connectorIds } = owner
    // A secret is of no instance yet: an owner who is narrowed to instances has none.
    if (connectorIds !== undefined) return null
    if (connectorTypes !== undefined && !connectorTypes.includes(connectorType)) return null
    const wanted = {
      secretHash,
      organizationId,
      connectorType,
      externalUserId: given(externalUserId),
    }
    const lives = { expiresAt: above(this.now()) }
    return without(await this.rows.find('oauth_secret', { ...wanted, ...lives }), 'createdAt')
  }

  readonly putBack: OAuthSecretStore['putBack'] = async (organizationId, secretHash, sealed) => {
    const isUsed = { usedAt: SOMETHING, expiresAt: above(this.now()) }
    const used = { secretHash, organizationId, ...isUsed }
    return (await this.rows.update('oauth_secret', used, { usedAt: null, sealed })) > 0
  }

  readonly purgeExpired: OAuthSecretStore['purgeExpired'] = () =>
    this.rows.remove('oauth_secret', { expiresAt: atMost(this.now()) })
}

type SecretUse = Pick<
  OAuthSecretRow,
  'secretHash' | 'organizationId' | 'externalUserId' | 'connectorType'
>

/**
 * Uses up the secret of a consent, within the transaction that stores what was made of it. What was sealed is erased with
 * it. Null: it is used up now, by this transaction.
 */
export async function useOAuthSecret(
  tx: Rows,
  { secretHash, organizationId, externalUserId, connectorType }: SecretUse,
): Promise<OAuthSecretRefusal | null> {
  const use = { secretHash, organizationId, externalUserId, connectorType }
  const lives = { ...use, expiresAt: above(tx.now()) }
  const used = { usedAt: tx.now(), sealed: new Uint8Array() }
  if ((await tx.update('oauth_secret', { ...lives, usedAt: null }, used)) > 0) return null
  const known = await tx.find('oauth_secret', lives)
  return known === null ? 'oauth_secret_unknown' : 'oauth_secret_used'
}
