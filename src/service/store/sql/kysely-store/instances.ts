// Connector instances.
import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'
import {
  type InstanceFilter,
  type InstanceGroup,
  type InstanceOrder,
  type InstanceRow,
  type InstanceState,
  type InstanceStore,
  LATEST,
  STANDING_STILL,
  type SyncTrouble,
} from '../../../store/instances.ts'
import type { Owner } from '../../../store/owner.ts'
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

  readonly list: InstanceStore['list'] = async (owner, { limit, order, after, ...filter }) => {
    const { by, isDescending } = order ?? { by: 'id', isDescending: false }
    const direction = isDescending ? 'desc' : 'asc'
    const keys = ORDERS[by]
    let query = this.#found(owner, filter).selectAll().limit(limit)
    for (const { column } of keys) query = query.orderBy(column, direction)
    if (after !== undefined) {
      const columns = sql.join(keys.map(({ column }) => column))
      const values = sql.join(keys.map(({ keyIn }) => keyIn(after)))
      const operator = sql.raw(isDescending ? '<' : '>')
      query = query.where(sql<boolean>`(${columns}) ${operator} (${values})`)
    }
    const found = await this.database.wide(query.compile(), 'connector_instance')
    const rows = found.rows.map(toInstance)
    if (found.isWhole) return { rows, isWhole: true }
    // Each node that answers has its own order and limit.
    const sorted = rows.toSorted((a, b) => compareKeys(keys, a, b) * (isDescending ? -1 : 1))
    return { rows: sorted.slice(0, limit), isWhole: false }
  }

  readonly count: InstanceStore['count'] = async (owner, filter) => {
    const query = this.#found(owner, filter)
      .select(['connectorType', 'state', (eb) => eb.fn.countAll<number>().as('count')])
      .groupBy(['connectorType', 'state'])
      .compile()
    const { rows, isWhole } = await this.database.wide(query, 'connector_instance')
    // Nodes that answer alone count what they have.
    const groups = new Map<string, InstanceGroup>()
    for (const { connectorType, state, count } of rows) {
      const key = `${connectorType} ${state}`
      groups.set(key, { connectorType, state, count: count + (groups.get(key)?.count ?? 0) })
    }
    return { groups: [...groups.values()], isWhole }
  }

  readonly latestBefore: InstanceStore['latestBefore'] = async (owner) => {
    const next = this.#latest(owner).select('updatedAt').limit(1).offset(LATEST).compile()
    const [row] = (await this.database.wide(next, 'connector_instance')).rows
    return row?.updatedAt ?? null
  }

  /** Those that changed last, in an order that has an index. */
  #latest(owner: Owner) {
    return this.db
      .selectFrom('connector_instance')
      .where(matching<'connector_instance'>([visibleTo(owner)]))
      .orderBy('updatedAt', 'desc')
      .orderBy('instanceId', 'desc')
  }

  readonly synced: InstanceStore['synced'] = async (ids) => {
    if (ids.length === 0) return []
    const query = this.db
      .selectFrom('connector_instance')
      .select(['instanceId as id', 'connectorType', 'connectorVersion', 'enabled', 'state', 'sync'])
      .where(this.#isAmong(ids))
      .compile()
    return (await this.database.wide(query, 'connector_instance')).rows
  }

  /** One parameter for all of them, however many there are. Ids are UUIDs, which no array has to quote. */
  #isAmong(ids: readonly string[]): RawBuilder<boolean> {
    return this.database.kind === 'postgres'
      ? sql`instance_id = any(${`{${ids.join(',')}}`}::text[])`
      : sql`instance_id in (select value from json_each(${JSON.stringify(ids)}))`
  }

  #found(owner: Owner, { startsWith, contains, sync, overdue = [], ...wanted }: InstanceFilter) {
    const where = matching<'connector_instance'>([visibleTo(owner), wanted])
    let query = this.db.selectFrom('connector_instance').where(where)
    if (sync !== undefined)
      query = query.where((eb) => {
        const isKept = eb('state', 'not in', STANDING_STILL)
        const fails = sql<boolean>`instance_id in (select instance_id from ${sql.table('sync_failure')})`
        const isFailing = eb.and([isKept, fails])
        const found: Readonly<Record<SyncTrouble, () => Expression<SqlBool>>> = {
          failing: () => isFailing,
          attention: () => eb.or([isFailing, eb('state', '=', 'auth_error')]),
          late: () => eb.and([isKept, eb.or([fails, this.#isAmong(overdue)])]),
        }
        return found[sync]()
      })
    const words = wordsIn(contains ?? '')
    if (words.length > 0) {
      // Its limit keeps it apart: no database looks at more rows for it, whatever the order around it is.
      const latest = this.#latest(owner)
        .select([
          'instanceId',
          sql<string>`${NAME} || ' ' || ${USER} || ' ' || ${ID} || ' ' || connector_type`.as(
            'text',
          ),
        ])
        .limit(LATEST)
      const found = this.db.selectFrom(latest.as('latest')).select('instanceId')
      const having = words.map(
        (word) => sql<boolean>`${sql.ref('text')} like ${likeAny(word)} escape '\\'`,
      )
      query = query.where(
        'instanceId',
        'in',
        found.where((eb) => eb.and(having)),
      )
    }
    if (startsWith === undefined) return query
    const from = asciiLower(startsWith)
    // The last character that there is: what begins with the text lies before it.
    const to = `${from}\u{10FFFF}`
    // By itself each has an index.
    const begins = (column: RawBuilder<string>) =>
      sql<boolean>`(${column} >= ${from} and ${column} < ${to})`
    return query.where((eb) => eb.or([begins(NAME), begins(USER), begins(ID)]))
  }

  readonly users: InstanceStore['users'] = async (owner, { contains, after = '', limit }) => {
    const part = likeAny(contains.toLowerCase())
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
      if (before === null) return null
      // The generation stays while the row of the instance is locked: changing it needs the same lock.
      const isOther =
        generation !== undefined &&
        (await tx.find('credential', { instanceId, generation })) === null
      if (isOther) return null
      const row = await changeInstance(tx, instanceId, {
        state,
        stateReason,
        ...authErrorColumns(tx, state, before),
        lastCheckedAt,
      })
      // What it was is known here alone.
      const was = before.state === state ? [] : [`from ${before.state}`]
      if (audit !== undefined)
        await appendAudit(tx, { ...audit, members: [...was, ...audit.members] })
      if (before.state !== state) await appendInstanceEvent(tx, stateEvent(state, before), row)
      return before.state
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

const ID = sql<string>`instance_id`
const NAME = sql<string>`lower(name)`
const USER = sql<string>`lower(external_user_id)`

/** One column of an order, and what a row has in it. */
interface OrderKey {
  readonly column: RawBuilder<string | number>
  readonly keyIn: (row: Pick<InstanceRow, InstanceOrder['by']>) => string | number
}

const BY_ID: OrderKey = { column: ID, keyIn: ({ id }) => id }
const ORDERS: Readonly<Record<InstanceOrder['by'], readonly OrderKey[]>> = {
  id: [BY_ID],
  name: [{ column: NAME, keyIn: ({ name }) => asciiLower(name) }, BY_ID],
  updatedAt: [{ column: sql<number>`updated_at`, keyIn: ({ updatedAt }) => updatedAt }, BY_ID],
}

/** A pattern of `like` for what has the text anywhere. */
function likeAny(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

function wordsIn(text: string): readonly string[] {
  return asciiLower(text)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** As both databases lower letters in the order of code points. */
function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function compareKeys(keys: readonly OrderKey[], a: InstanceRow, b: InstanceRow): number {
  for (const { keyIn } of keys) {
    const [one, other] = [keyIn(a), keyIn(b)]
    const way =
      typeof one === 'number' && typeof other === 'number'
        ? one - other
        : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
    if (way !== 0) return way
  }
  return 0
}

/** What goes with an instance, in this order, and the column that names the instance. */
const BELOW = [
  ['credential', 'instanceId'],
  ['lease', 'instanceId'],
  ['refresh_intent', 'instanceId'],
  ['webhook_subscription', 'instanceId'],
  ['sync_failure', 'instanceId'],
  ['data_key', 'ownerId'],
  ['log_content', 'instanceId'],
  ['idempotency_record', 'scopeId'],
  ['rate_use', 'ownerId'],
  ['rate_block', 'ownerId'],
] as const
