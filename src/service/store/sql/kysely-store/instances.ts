// Connector instances.
import { sql } from 'kysely'
import type { InstanceRow, InstanceState, InstanceStore } from '../../../store/instances.ts'
import { PURGE_JOB } from '../../../store/jobs.ts'
import type { Owner } from '../../../store/owner.ts'
import type { Executor } from '../schema.ts'
import { appendInstanceEvent, authErrorColumns, stateEvent } from './append-event.ts'
import { appendAudit } from './audit-chain.ts'
import { insertCredential } from './credentials.ts'
import { patchColumns, toColumns, toInstance } from './instance-row.ts'
import { NEW_JOB } from './jobs.ts'
import { useOAuthSecret } from './consents.ts'
import { visibleTo } from './owner-filter.ts'
import { writeRow } from './row.ts'
import { StoreGroup } from './store-group.ts'

export class Instances extends StoreGroup implements InstanceStore {
  readonly insert: InstanceStore['insert'] = async (row, credential, options) => {
    const { oauthSecretHash: secretHash, audit } = options
    return await this.database.transaction(async (tx) => {
      if (secretHash !== null) {
        const refusal = await useOAuthSecret(this.database, tx, { ...row, secretHash })
        if (refusal !== null) {
          await tx.deleteFrom('data_key').where('owner_id', '=', row.id).execute()
          return refusal
        }
      }
      const columns = toColumns(row)
      await tx.insertInto('connector_instance').values(columns).execute()
      if (credential !== null) {
        await insertCredential(this.database, tx, row.id, credential).execute()
      }
      await appendAudit(this.database, tx, audit)
      await appendInstanceEvent(this.database, tx, 'connector.created', columns)
      return 'inserted'
    })
  }

  readonly get: InstanceStore['get'] = async (owner, id) => await this.#find(id, owner)

  readonly find: InstanceStore['find'] = async (id) => await this.#find(id)

  async #find(id: string, owner?: Owner): Promise<InstanceRow | null> {
    const query = this.db.selectFrom('connector_instance').selectAll().where('instance_id', '=', id)
    const row = await (
      owner === undefined ? query : query.where(visibleTo(owner))
    ).executeTakeFirst()
    return row === undefined ? null : toInstance(row)
  }

  readonly list: InstanceStore['list'] = async (owner, { limit, afterId = '', ...wanted }) => {
    const rows = await this.db
      .selectFrom('connector_instance')
      .selectAll()
      .where(visibleTo(owner))
      .where((eb) => eb.and(writeRow(wanted)))
      .where('instance_id', '>', afterId)
      .orderBy('instance_id')
      .limit(limit)
      .execute()
    return rows.map(toInstance)
  }

  readonly update: InstanceStore['update'] = async (owner, id, patch, audit) =>
    await this.database.transaction(async (tx) => {
      const row = await tx
        .updateTable('connector_instance')
        .set({ ...patchColumns(patch), updated_at: this.now() })
        .where('instance_id', '=', id)
        .where(visibleTo(owner))
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return null
      await appendAudit(this.database, tx, audit)
      await appendInstanceEvent(this.database, tx, 'connector.updated', row)
      return toInstance(row)
    })

  readonly setState: InstanceStore['setState'] = async (id, change, audit) => {
    const { from, to: state, reason: stateReason, lastCheckedAt, generation } = change
    if (from.length === 0) return false
    return await this.database.transaction(async (tx) => {
      const locked = tx
        .selectFrom('connector_instance')
        .select(['state', 'auth_error_since'])
        .where('instance_id', '=', id)
        .where('state', 'in', from)
      const before = await this.database.lock(locked).executeTakeFirst()
      if (before === undefined) return false
      if (generation !== undefined && (await readGeneration(tx, id)) !== generation) return false
      const row = await tx
        .updateTable('connector_instance')
        .set({
          ...writeRow({ state, stateReason }),
          ...authErrorColumns(this.database, state, before),
          ...(lastCheckedAt === undefined ? {} : { last_checked_at: lastCheckedAt }),
        })
        .where('instance_id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      if (audit !== undefined) await appendAudit(this.database, tx, audit)
      if (before.state !== state)
        await appendInstanceEvent(this.database, tx, stateEvent(state, before), row)
      return true
    })
  }

  readonly delete: InstanceStore['delete'] = async (owner, id, audit) => {
    const deleted = await this.database.transaction(async (tx) => {
      // Rows below an instance are changed after its own was locked, always in the same order: no two transactions wait
      // for each other.
      const visible = tx
        .selectFrom('connector_instance')
        .select('instance_id')
        .where('instance_id', '=', id)
        .where(visibleTo(owner))
      if ((await this.database.lock(visible).executeTakeFirst()) === undefined) return false
      for (const [table, column] of BELOW)
        await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(tx)
      const row = await tx
        .deleteFrom('connector_instance')
        .where('instance_id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      // The job that takes the copies away is there before anybody is told that the instance is gone.
      await tx.deleteFrom('job').where('instance_id', '=', id).execute()
      const purge = { instance_id: id, kind: PURGE_JOB, job_key: id, priority: 10 }
      await tx
        .insertInto('job')
        .values({ ...NEW_JOB, ...purge, due_at: this.now() })
        .execute()
      await appendAudit(this.database, tx, audit)
      await appendInstanceEvent(this.database, tx, 'connector.deleted', row)
      return true
    })
    if (deleted) await this.database.scrub()
    return deleted
  }

  readonly countByState: InstanceStore['countByState'] = async () => {
    const rows = await this.db
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
    for (const { state, count } of rows) counts[state] = count
    return counts
  }
}

/** What goes with an instance, in this order, and the column that names the instance. */
const BELOW = [
  ['credential', 'instance_id'],
  ['lease', 'instance_id'],
  ['refresh_intent', 'instance_id'],
  ['data_key', 'owner_id'],
  ['idempotency_record', 'scope_id'],
  ['rate_use', 'owner_id'],
  ['rate_block', 'owner_id'],
] as const

/** The generation of the credentials, which stays while the row of the instance is locked: changing it needs the same lock. */
async function readGeneration(tx: Executor, id: string): Promise<number | null> {
  const row = await tx
    .selectFrom('credential')
    .select('generation')
    .where('instance_id', '=', id)
    .executeTakeFirst()
  return row?.generation ?? null
}
