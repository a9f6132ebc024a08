// Consents under way: used up by one conditional update.
import type { Selectable } from 'kysely'
import type { OAuthStateRow, OAuthStateStore } from '../../../store/consents.ts'
import type { StoreDatabase } from '../database.ts'
import type { Tables } from '../schema.ts'
import { audited } from './audit-chain.ts'
import { jsonText, readBytes, readObjectOrNull } from './json-column.ts'

export function createOAuthStates(database: StoreDatabase): OAuthStateStore {
  const { db, now } = database
  return {
    async insert(state, audit) {
      await audited(database, audit, async (executor) => {
        await executor
          .insertInto('oauth_state')
          .values({
            state_hash: state.stateHash,
            ticket_hash: state.ticketHash,
            organization_id: state.organizationId,
            client_id: state.clientId,
            token_hash: state.tokenHash,
            external_user_id: state.externalUserId,
            connector_type: state.connectorType,
            connector_version: state.connectorVersion,
            redirect_url: state.redirectUrl,
            host_state: state.hostState,
            config: jsonText(state.config),
            verifier_sealed: state.verifierSealed,
            issuer: state.issuer,
            cookie_hash: null,
            created_at: now(),
            expires_at: state.expiresAt,
            used_at: null,
          })
          .execute()
      })
    },

    async bindBrowser(ticketHash, cookieHash) {
      const row = await db
        .updateTable('oauth_state')
        .set({ cookie_hash: cookieHash })
        .where('ticket_hash', '=', ticketHash)
        .where((eb) => eb.or([eb('cookie_hash', 'is', null), eb('cookie_hash', '=', cookieHash)]))
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? null : toState(row)
    },

    async take(stateHash, cookieHash) {
      const row = await db
        .updateTable('oauth_state')
        .set({ used_at: now() })
        .where('state_hash', '=', stateHash)
        .where('cookie_hash', '=', cookieHash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? null : toState(row)
    },

    async purgeExpired() {
      const { numDeletedRows } = await db
        .deleteFrom('oauth_state')
        .where('expires_at', '<=', now())
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

function toState(row: Selectable<Tables['oauth_state']>): OAuthStateRow {
  return {
    stateHash: row.state_hash,
    ticketHash: row.ticket_hash,
    organizationId: row.organization_id,
    clientId: row.client_id,
    tokenHash: row.token_hash,
    externalUserId: row.external_user_id,
    connectorType: row.connector_type,
    connectorVersion: row.connector_version,
    redirectUrl: row.redirect_url,
    hostState: row.host_state,
    config: readObjectOrNull(row.config),
    verifierSealed: row.verifier_sealed === null ? null : readBytes(row.verifier_sealed),
    issuer: row.issuer,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
