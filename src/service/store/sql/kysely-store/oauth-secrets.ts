// What finished consents left behind. Using one up: use-oauth-secret.ts.
import type { OAuthSecretStore } from '../../../store/consents.ts'
import type { StoreDatabase } from '../database.ts'
import { audited } from './audit-chain.ts'
import { jsonText, readBytes, readObjectOrNull, readTextsOrNull } from './json-column.ts'

export function createOAuthSecrets(database: StoreDatabase): OAuthSecretStore {
  const { db, now } = database
  return {
    async insert(secret, audit) {
      await audited(database, audit, async (executor) => {
        await executor
          .insertInto('oauth_secret')
          .values({
            secret_hash: secret.secretHash,
            organization_id: secret.organizationId,
            external_user_id: secret.externalUserId,
            connector_type: secret.connectorType,
            sealed: secret.sealed,
            granted_scopes: jsonText(secret.grantedScopes),
            config: jsonText(secret.config),
            created_at: now(),
            expires_at: secret.expiresAt,
            used_at: null,
          })
          .execute()
      })
    },

    async read(owner, connectorType, secretHash) {
      const { organizationId, externalUserId, connectorTypes, connectorIds } = owner
      // A secret is of no instance yet: whoever is narrowed to instances has none.
      if (connectorIds !== undefined) return null
      if (connectorTypes !== undefined && !connectorTypes.includes(connectorType)) return null
      const row = await db
        .selectFrom('oauth_secret')
        .selectAll()
        .where('secret_hash', '=', secretHash)
        .where('organization_id', '=', organizationId)
        .where('connector_type', '=', connectorType)
        .where('expires_at', '>', now())
        .$if(externalUserId !== undefined, (query) =>
          query.where('external_user_id', '=', externalUserId ?? ''),
        )
        .executeTakeFirst()
      if (row === undefined) return null
      return {
        secretHash: row.secret_hash,
        organizationId: row.organization_id,
        externalUserId: row.external_user_id,
        connectorType: row.connector_type,
        sealed: readBytes(row.sealed),
        grantedScopes: readTextsOrNull(row.granted_scopes),
        config: readObjectOrNull(row.config),
        expiresAt: row.expires_at,
        usedAt: row.used_at,
      }
    },

    async putBack(organizationId, secretHash, sealed) {
      const { numUpdatedRows } = await db
        .updateTable('oauth_secret')
        .set({ used_at: null, sealed })
        .where('secret_hash', '=', secretHash)
        .where('organization_id', '=', organizationId)
        .where('used_at', 'is not', null)
        .where('expires_at', '>', now())
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async purgeExpired() {
      const { numDeletedRows } = await db
        .deleteFrom('oauth_secret')
        .where('expires_at', '<=', now())
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
