// Connect pages under way: one attempt at a time, and one success.
import type { Selectable } from 'kysely'
import type { ConnectSessionRow, ConnectSessionStore } from '../../../store/connect-sessions.ts'
import type { StoreDatabase } from '../database.ts'
import type { Tables } from '../schema.ts'
import { audited } from './audit-chain.ts'
import { jsonText, readObjectOrNull, readTextsOrNull } from './json-column.ts'

export function createConnectSessions(database: StoreDatabase): ConnectSessionStore {
  const { db, now } = database
  return {
    async insert(session, audit) {
      await audited(database, audit, async (executor) => {
        await executor
          .insertInto('connect_session')
          .values({
            token_hash: session.tokenHash,
            organization_id: session.organizationId,
            client_id: session.clientId,
            external_user_id: session.externalUserId,
            connector_types: jsonText(session.connectorTypes),
            instance_id: session.instanceId,
            return_url: session.returnUrl,
            allowed_origin: session.allowedOrigin,
            attempts: 0,
            problem: null,
            connected_id: null,
            held_until: 0,
            created_at: now(),
            expires_at: session.expiresAt,
            made_by: session.madeBy ?? null,
          })
          .execute()
      })
    },

    async find(tokenHash) {
      const row = await db
        .selectFrom('connect_session')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now())
        .executeTakeFirst()
      return row === undefined ? null : toSession(row)
    },

    async hold(tokenHash, ms) {
      const row = await db
        .updateTable('connect_session')
        .set((eb) => ({
          held_until: database.in(ms),
          attempts: eb('attempts', '+', 1),
          problem: null,
        }))
        .where('token_hash', '=', tokenHash)
        .where('connected_id', 'is', null)
        .where('held_until', '<=', now())
        .where('expires_at', '>', now())
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? null : toSession(row)
    },

    async release(tokenHash, problem) {
      await db
        .updateTable('connect_session')
        .set({ held_until: 0, problem: jsonText(problem) })
        .where('token_hash', '=', tokenHash)
        .where('connected_id', 'is', null)
        .execute()
    },

    async finish(tokenHash, connectedId) {
      await db
        .updateTable('connect_session')
        .set({ connected_id: connectedId, held_until: 0, problem: null })
        .where('token_hash', '=', tokenHash)
        .execute()
    },

    async purgeExpired() {
      const { numDeletedRows } = await db
        .deleteFrom('connect_session')
        .where('expires_at', '<=', now())
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

function toSession(row: Selectable<Tables['connect_session']>): ConnectSessionRow {
  return {
    tokenHash: row.token_hash,
    organizationId: row.organization_id,
    clientId: row.client_id,
    externalUserId: row.external_user_id,
    connectorTypes: readTextsOrNull(row.connector_types),
    instanceId: row.instance_id,
    returnUrl: row.return_url,
    allowedOrigin: row.allowed_origin,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    attempts: row.attempts,
    problem: readObjectOrNull(row.problem),
    connectedId: row.connected_id,
  }
}
