// Applications of organisations.
import type { Selectable } from 'kysely'
import type { ApplicationRow, ApplicationStore } from '../../../store/applications-and-tokens.ts'
import type { StoreDatabase } from '../database.ts'
import type { Tables } from '../schema.ts'
import { audited } from './audit-chain.ts'
import { readTexts } from './json-column.ts'

export function createApplications(database: StoreDatabase): ApplicationStore {
  const { db, now } = database
  return {
    async create(application, audit) {
      await audited(database, audit, async (executor) => {
        await executor
          .insertInto('application')
          .values({
            client_id: application.clientId,
            organization_id: application.organizationId,
            name: application.name,
            secret_hash: application.secretHash,
            redirect_urls: JSON.stringify(application.redirectUrls),
            created_at: now(),
            disabled_at: null,
          })
          .execute()
      })
    },

    async byClientId(clientId) {
      const row = await db
        .selectFrom('application')
        .selectAll()
        .where('client_id', '=', clientId)
        .executeTakeFirst()
      return row === undefined ? null : toApplication(row)
    },

    async list(organizationId) {
      const rows = await db
        .selectFrom('application')
        .selectAll()
        .$if(organizationId !== undefined, (query) =>
          query.where('organization_id', '=', organizationId ?? ''),
        )
        .orderBy('client_id')
        .execute()
      return rows.map(toApplication)
    },

    async update(clientId, patch, audit) {
      const { name, redirectUrls, secretHash, disabledAt } = patch
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(redirectUrls === undefined ? {} : { redirect_urls: JSON.stringify(redirectUrls) }),
        ...(secretHash === undefined ? {} : { secret_hash: secretHash }),
        ...(disabledAt === undefined ? {} : { disabled_at: disabledAt }),
      }
      return await audited(database, audit, async (executor) => {
        const changed = await executor
          .updateTable('application')
          .set({ client_id: clientId, ...changes })
          .where('client_id', '=', clientId)
          .returning('client_id')
          .executeTakeFirst()
        return changed !== undefined
      })
    },

    async count() {
      const { count } = await db
        .selectFrom('application')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
  }
}

function toApplication(row: Selectable<Tables['application']>): ApplicationRow {
  return {
    clientId: row.client_id,
    organizationId: row.organization_id,
    name: row.name,
    secretHash: row.secret_hash,
    redirectUrls: readTexts(row.redirect_urls),
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
  }
}
