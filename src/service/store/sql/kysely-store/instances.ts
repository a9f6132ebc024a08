// Connector instances.
import type { InstanceState, InstanceStore } from '../../../store/instances.ts'
import { PURGE_JOB } from '../../../store/jobs.ts'
import type { Owner } from '../../../store/owner.ts'
import type { StoreDatabase } from '../database.ts'
import type { Executor } from '../schema.ts'
import { appendInstanceEvent, authErrorColumns, stateEvent } from './append-event.ts'
import { appendAudit } from './audit-chain.ts'
import { credentialColumns } from './credentials.ts'
import {
  type InstanceColumns,
  patchColumns,
  reasonText,
  toColumns,
  toInstance,
} from './instance-row.ts'
import { visibleTo } from './owner-filter.ts'
import { useOAuthSecret } from './use-oauth-secret.ts'

export function createInstances(database: StoreDatabase): InstanceStore {
  const { db, now } = database
  return {
    async insert(row, credential, { oauthSecretHash, audit }) {
      return await database.transaction(async (tx) => {
        if (oauthSecretHash !== null) {
          const refusal = await useOAuthSecret(database, tx, {
            secretHash: oauthSecretHash,
            organizationId: row.organizationId,
            externalUserId: row.externalUserId,
            connectorType: row.connectorType,
          })
          if (refusal !== null) {
            await tx.deleteFrom('data_key').where('owner_id', '=', row.id).execute()
            return refusal
          }
        }
        const columns = toColumns(row)
        await tx.insertInto('connector_instance').values(columns).execute()
        if (credential !== null) {
          await tx
            .insertInto('credential')
            .values({
              instance_id: row.id,
              generation: 1,
              ...credentialColumns(credential),
              updated_at: now(),
            })
            .execute()
        }
        await appendAudit(database, tx, audit)
        await appendInstanceEvent(database, tx, 'connector.created', columns)
        return 'inserted'
      })
    },

    async get(owner, id) {
      const row = await db
        .selectFrom('connector_instance')
        .selectAll()
        .where('instance_id', '=', id)
        .where(visibleTo(owner))
        .executeTakeFirst()
      return row === undefined ? null : toInstance(row)
    },

    async find(id) {
      const row = await db
        .selectFrom('connector_instance')
        .selectAll()
        .where('instance_id', '=', id)
        .executeTakeFirst()
      return row === undefined ? null : toInstance(row)
    },

    async list(owner, filter) {
      const { externalUserId, connectorType, state, name } = filter
      const wanted: Partial<InstanceColumns> = {
        ...(externalUserId === undefined ? {} : { external_user_id: externalUserId }),
        ...(connectorType === undefined ? {} : { connector_type: connectorType }),
        ...(state === undefined ? {} : { state }),
        ...(name === undefined ? {} : { name }),
      }
      const rows = await db
        .selectFrom('connector_instance')
        .selectAll()
        .where(visibleTo(owner))
        .where((eb) => eb.and(wanted))
        .where('instance_id', '>', filter.afterId ?? '')
        .orderBy('instance_id')
        .limit(filter.limit)
        .execute()
      return rows.map(toInstance)
    },

    async update(owner, id, patch, audit) {
      return await database.transaction(async (tx) => {
        const row = await tx
          .updateTable('connector_instance')
          .set({ ...patchColumns(patch), updated_at: now() })
          .where('instance_id', '=', id)
          .where(visibleTo(owner))
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return null
        await appendAudit(database, tx, audit)
        await appendInstanceEvent(database, tx, 'connector.updated', row)
        return toInstance(row)
      })
    },

    async setState(id, { from, to, reason, lastCheckedAt, generation }, audit) {
      if (from.length === 0) return false
      return await database.transaction(async (tx) => {
        const locked = tx
          .selectFrom('connector_instance')
          .select(['state', 'auth_error_since'])
          .where('instance_id', '=', id)
          .where('state', 'in', from)
        const before = await database.lock(locked).executeTakeFirst()
        if (before === undefined) return false
        if (generation !== undefined && (await generationOf(tx, id)) !== generation) return false
        const row = await tx
          .updateTable('connector_instance')
          .set({
            state: to,
            state_reason: reasonText(reason),
            ...authErrorColumns(database, to, before),
            ...(lastCheckedAt === undefined ? {} : { last_checked_at: lastCheckedAt }),
          })
          .where('instance_id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        if (audit !== undefined) await appendAudit(database, tx, audit)
        if (before.state !== to)
          await appendInstanceEvent(database, tx, stateEvent(to, before), row)
        return true
      })
    },

    async delete(owner, id, audit) {
      const deleted = await database.transaction(async (tx) => {
        if (!(await lockVisible(database, tx, owner, id))) return false
        await tx.deleteFrom('credential').where('instance_id', '=', id).execute()
        await tx.deleteFrom('lease').where('instance_id', '=', id).execute()
        await tx.deleteFrom('refresh_intent').where('instance_id', '=', id).execute()
        await tx.deleteFrom('data_key').where('owner_id', '=', id).execute()
        await tx.deleteFrom('idempotency_record').where('scope_id', '=', id).execute()
        await tx.deleteFrom('rate_use').where('owner_id', '=', id).execute()
        await tx.deleteFrom('rate_block').where('owner_id', '=', id).execute()
        const row = await tx
          .deleteFrom('connector_instance')
          .where('instance_id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        // The job that takes the copies away is there before anybody is told that the instance is gone.
        await tx.deleteFrom('job').where('instance_id', '=', id).execute()
        await tx
          .insertInto('job')
          .values({ ...PURGE, instance_id: id, job_key: id, due_at: now() })
          .execute()
        await appendAudit(database, tx, audit)
        await appendInstanceEvent(database, tx, 'connector.deleted', row)
        return true
      })
      if (deleted) await database.scrub()
      return deleted
    },

    async countByState() {
      const rows = await db
        .selectFrom('connector_instance')
        .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute()
      const counts: Record<InstanceState, number> = {
        pending: 0,
        active: 0,
        refresh_unknown: 0,
        auth_error: 0,
        disabled: 0,
      }
      // Written by this adapter only.
      for (const { state, count } of rows) counts[state as InstanceState] = count
      return counts
    },
  }
}

const PURGE = {
  kind: PURGE_JOB,
  detail: '',
  taken_detail: '',
  again_at: null,
  priority: 10,
  owner_id: '',
  fence: 0,
  held_until: 0,
  attempts: 0,
}

/** Rows below an instance are changed after its own was locked, always in the same order: no two transactions wait for each other. */
async function lockVisible(
  database: StoreDatabase,
  tx: Executor,
  owner: Owner,
  id: string,
): Promise<boolean> {
  const query = tx
    .selectFrom('connector_instance')
    .select('instance_id')
    .where('instance_id', '=', id)
    .where(visibleTo(owner))
  return (await database.lock(query).executeTakeFirst()) !== undefined
}

/** The generation of the credentials, which stays while the row of the instance is locked: changing it needs the same lock. */
async function generationOf(tx: Executor, id: string): Promise<number | null> {
  const row = await tx
    .selectFrom('credential')
    .select('generation')
    .where('instance_id', '=', id)
    .executeTakeFirst()
  return row?.generation ?? null
}
