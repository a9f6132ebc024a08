// Tokens, by the hash of their text.
import type { TokenRow, TokenScope, TokenStore } from '../../../store/applications-and-tokens.ts'
import type { StoreDatabase } from '../database.ts'
import { audited } from './audit-chain.ts'

export function createTokens(database: StoreDatabase): TokenStore {
  const { db, now } = database
  return {
    async insert(token, audit) {
      await audited(database, audit, async (executor) => {
        await executor
          .insertInto('token')
          .values({
            hash: token.hash,
            kind: token.kind,
            organization_id: token.organizationId,
            client_id: token.clientId,
            external_user_id: token.scope?.externalUserId ?? null,
            scope: token.scope === null ? null : JSON.stringify(token.scope),
            made_by: token.madeBy ?? null,
            created_at: now(),
            expires_at: token.expiresAt,
          })
          .execute()
      })
    },

    async find(hash) {
      const row = await db
        .selectFrom('token')
        .leftJoin('application', 'application.client_id', 'token.client_id')
        .select(['token.hash', 'token.kind', 'token.organization_id', 'token.client_id'])
        .select(['token.scope', 'token.expires_at'])
        .where('token.hash', '=', hash)
        .where('token.expires_at', '>', now())
        .where('application.disabled_at', 'is', null)
        .executeTakeFirst()
      if (row === undefined) return null
      return {
        hash: row.hash,
        // Written by `insert`, as is the scope.
        kind: row.kind as TokenRow['kind'],
        organizationId: row.organization_id,
        clientId: row.client_id,
        scope: row.scope === null ? null : (JSON.parse(row.scope) as TokenScope),
        expiresAt: row.expires_at,
      }
    },

    async revoke(organizationId, hash, audit) {
      return await audited(database, audit, async (executor) => {
        const ended = await executor
          .deleteFrom('token')
          .where('organization_id', '=', organizationId)
          .where((eb) => eb.or([eb('hash', '=', hash), eb('made_by', '=', hash)]))
          .returning('hash')
          .execute()
        await executor
          .deleteFrom('connect_session')
          .where('organization_id', '=', organizationId)
          .where('made_by', 'in', [hash, ...ended.map((token) => token.hash)])
          .execute()
        return ended.some((token) => token.hash === hash)
      })
    },

    async revokeUser(organizationId, externalUserId, audit) {
      return await audited(database, audit, async (executor) => {
        const { numDeletedRows } = await executor
          .deleteFrom('token')
          .where('organization_id', '=', organizationId)
          .where('external_user_id', '=', externalUserId)
          .executeTakeFirst()
        await executor
          .deleteFrom('connect_session')
          .where('organization_id', '=', organizationId)
          .where('external_user_id', '=', externalUserId)
          .execute()
        return Number(numDeletedRows)
      })
    },

    async purgeExpired() {
      const { numDeletedRows } = await db
        .deleteFrom('token')
        .where('expires_at', '<=', now())
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
