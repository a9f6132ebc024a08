// Connector instances.
import { sql } from 'kysely'
import type { InstanceState, InstanceStore } from '../../../store/instances.ts'
import { bucketOf, PLAN_JOB, PURGE_JOB } from '../../../store/jobs.ts'
import { above, given, inOrder, matching, oneOf } from '../statements.ts'
import { appendInstanceEvent, authErrorColumns, stateEvent } from './append-event.ts'
import { appendAudit } from './audit-chain.ts'
import { insertCredential } from './credentials.ts'
import { changedAt, changeInstance, patchColumns, toInstance, visibleTo } from './instance-row.ts'
import { announceJob, keyOf, NEW_JOB } from './jobs.ts'
import { useOAuthSecret } from './consents.ts'
import { StoreGroup } from './store-group.ts'

/** An instance that is being made is tried out first, and may be refused. */
const NEW_MS = 60_000

export class Instances extends StoreGroup implements InstanceStore {
  readonly insert: InstanceStore['insert'] = async (row, credential, options) => {
    const { oauthSecretHash: secretHash, audit } = options
    return await this.rows.transaction(async (tx) => {
      if (secretHash !== null) {
        const refusal = await useOAuthSecret(tx, { ...row, secretHash })
        if (refusal !== null) {
          await tx.remove('data_key', { ownerId: row.id })
          return refusal
        }
      }
      const { id: instanceId, ...members } = row
      const authErrorSince = row.state === 'auth_error' ? row.createdAt : null
      const columns = { instanceId, ...members, authErrorSince }
      await tx.insert('connector_instance', columns)
      if (credential !== null) await insertCredential(tx, instanceId, credential)
      const plan = keyOf({ instanceId, kind: PLAN_JOB, key: '' })
      const dueAt = this.now(row.state === 'pending' ? NEW_MS : 0)
      await tx.insertNew('job', { ...NEW_JOB, ...plan, priority: 2, dueAt })
      await appendAudit(tx, audit)
      await appendInstanceEvent(tx, 'connector.created', columns)
      return 'inserted'
    })
  }

  readonly get: InstanceStore['get'] = async (owner, instanceId) => {
    const row = await this.rows.find('connector_instance', [{ instanceId }, visibleTo(owner)])
    return row === null ? null : toInstance(row)
  }

  readonly find: InstanceStore['find'] = async (instanceId) => {
    const row = await this.rows.find('connector_instance', { instanceId })
    return row === null ? null : toInstance(row)
  }

  readonly list: InstanceStore['list'] = async (owner, { limit, afterId = '', ...wanted }) => {
    const where = [visibleTo(owner), { ...wanted, instanceId: above(afterId) }]
    const order = { by: ['instanceId'], limit } as const
    const { rows, isWhole } = await this.rows.listWide('connector_instance', where, order)
    return { rows: rows.map(toInstance), isWhole }
  }

  readonly users: InstanceStore['users'] = async (owner, { contains, after = '', limit }) => {
    const part = `%${contains.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    const where = matching<'connector_instance'>([
      visibleTo(owner),
      { externalUserId: above(after) },
    ])
    const query = this.db
      .selectFrom('connector_instance')
      .select('externalUserId')
      .distinct()
      .where(where)
      .where(sql<boolean>`lower(external_user_id) like ${part} escape '\\'`)
      .orderBy('externalUserId')
      .limit(limit)
      .compile()
    const { rows, isWhole } = await this.database.wide(query, 'connector_instance')
    const sorted = inOrder(rows, ['externalUserId'], rows.length)
    // Nodes that answer alone know some users twice.
    const users = new Set(sorted.map(({ externalUserId }) => externalUserId))
    return { users: [...users].slice(0, limit), isWhole }
  }

  readonly update: InstanceStore['update'] = async (
    owner,
    instanceId,
    { unchangedSince, ...patch },
    audit,
  ) =>
    await this.rows.transaction(async (tx) => {
      const where = [{ instanceId, updatedAt: given(unchangedSince) }, visibleTo(owner)]
      const changes = { ...patchColumns(patch), updatedAt: changedAt(this.now()) }
      const row = await tx.change('connector_instance', where, changes)
      if (row === null) return null
      await appendAudit(tx, audit)
      await appendInstanceEvent(tx, 'connector.updated', row)
      return toInstance(row)
    })

  readonly claim: InstanceStore['claim'] = async (owner, instanceId, unchangedSince) => {
    const where = [{ instanceId, updatedAt: unchangedSince }, visibleTo(owner)]
    const changes = { updatedAt: changedAt(this.now()) }
    return (await this.rows.change('connector_instance', where, changes)) !== null
  }

  readonly setState: InstanceStore['setState'] = async (instanceId, change, audit) => {
    const { from, to: state, reason: stateReason, lastCheckedAt, generation } = change
    return await this.rows.transaction(async (tx) => {
      const wanted = { instanceId, state: oneOf(from) }
      const before = await tx.lock('connector_instance', wanted)
      if (before === null) return false
      // The generation stays while the row of the instance is locked: changing it needs the same lock.
      const isOther =
        generation !== undefined &&
        (await tx.find('credential', { instanceId, generation })) === null
      if (isOther) return false
      const row = await changeInstance(tx, instanceId, {
        state,
        stateReason,
        ...authErrorColumns(tx, state, before),
        lastCheckedAt,
      })
      if (audit !== undefined) await appendAudit(tx, audit)
      if (before.state !== state) await appendInstanceEvent(tx, stateEvent(state, before), row)
      return true
    })
  }

  readonly delete: InstanceStore['delete'] = async (owner, instanceId, audit) => {
    const deleted = await this.rows.transaction(async (tx) => {
      // Rows below are changed after its own was locked, in one order: no two transactions wait for each other.
      const visible = [{ instanceId }, visibleTo(owner)]
      const row = await tx.lock('connector_instance', visible)
      if (row === null) return false
      for (const [table, column] of BELOW)
        await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${instanceId}`.execute(
          tx.db,
        )
      const { organizationId } = row
      await tx.remove('webhook_route', { organizationId, instanceId })
      await tx.remove('webhook_receipt', { organizationId, instanceId })
      await tx.remove('connector_instance', { instanceId })
      // The job that takes the copies away is there before anybody is told that the instance is gone.
      await tx.remove('job', { bucket: bucketOf(instanceId), instanceId })
      const purge = keyOf({ instanceId, kind: PURGE_JOB, key: instanceId })
      await tx.insert('job', { ...NEW_JOB, ...purge, priority: 10, dueAt: this.now() })
      await appendAudit(tx, audit)
      await appendInstanceEvent(tx, 'connector.deleted', row)
      return true
    })
    if (!deleted) return false
    await announceJob(this.rows, instanceId)
    await this.database.scrub()
    return true
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
  ['credential', 'instanceId'],
  ['lease', 'instanceId'],
  ['refresh_intent', 'instanceId'],
  ['webhook_subscription', 'instanceId'],
  ['data_key', 'ownerId'],
  ['log_content', 'instanceId'],
  ['idempotency_record', 'scopeId'],
  ['rate_use', 'ownerId'],
  ['rate_block', 'ownerId'],
] as const
