// Reading, redelivering and shortening the events of organisations.
import { type Expression, type ExpressionBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import type { EventRow, EventStore } from '../../../store/events.ts'
import type { Owner } from '../../../store/owner.ts'
import type { EventType } from '../../../../client/webhooks/event.ts'
import type { StoreDatabase } from '../database.ts'
import type { Tables } from '../schema.ts'
import { appendEvent, wanting } from './append-event.ts'
import { appendAudit } from './audit-chain.ts'
import { readObject } from './json-column.ts'

const ORGANIZATIONS_AT_ONCE = 500

export function createEvents(database: StoreDatabase): EventStore {
  const { db, now } = database
  return {
    append: async (event) =>
      await database.transaction(async (tx) => await appendEvent(database, tx, event)),

    async list(owner, { afterSeq, limit }) {
      const head = await db
        .selectFrom('event_head')
        .select(['seq', 'removed_seq'])
        .where('organization_id', '=', owner.organizationId)
        .executeTakeFirst()
      if (head === undefined) return { events: [], lastSeq: 0, removedSeq: 0 }
      const rows = await db
        .selectFrom('event')
        .selectAll()
        .where(seenBy(owner))
        .where('seq', '>', afterSeq)
        .orderBy('seq')
        .limit(limit)
        .execute()
      return { events: rows.map(toEvent), lastSeq: head.seq, removedSeq: head.removed_seq }
    },

    async redeliver(organizationId, eventId, webhookId, audit) {
      return await database.transaction(async (tx) => {
        const event = await tx
          .selectFrom('event')
          .select(['seq', 'type'])
          .where('organization_id', '=', organizationId)
          .where('event_id', '=', eventId)
          .executeTakeFirst()
        if (event === undefined) return null
        const wanted =
          webhookId === null
            ? sql<SqlBool>`(event_types is null or event_types like ${wanting(event.type)})`
            : sql<SqlBool>`webhook_id = ${webhookId}`
        const { rows } = await sql`insert into webhook_delivery
          (organization_id, webhook_id, seq, state, attempts, fence, next_at)
          select organization_id, webhook_id, cast(${event.seq} as bigint), 'pending', 0, 0, ${now()} from webhook
          where organization_id = ${organizationId} and disabled_at is null and ${wanted}
          on conflict (organization_id, webhook_id, seq) do update
          set state = 'pending', attempts = 0, fence = webhook_delivery.fence + 1, next_at = excluded.next_at
          returning webhook_id`.execute(tx)
        await appendAudit(database, tx, audit)
        return rows.length
      })
    },

    async purgeBefore(beforeMs) {
      let removed = 0
      for (;;) {
        const old = await db
          .selectFrom('event')
          .select(['organization_id', (eb) => eb.fn.max('seq').as('last')])
          .where('at', '<', beforeMs)
          .groupBy('organization_id')
          .limit(ORGANIZATIONS_AT_ONCE)
          .execute()
        for (const { organization_id: organizationId, last } of old)
          removed += await removeUpTo(database, organizationId, last)
        if (old.length < ORGANIZATIONS_AT_ONCE) return removed
      }
    },
  }
}

export function toEvent(row: Selectable<Tables['event']>): EventRow {
  return {
    id: row.event_id,
    organizationId: row.organization_id,
    externalUserId: row.external_user_id,
    connectorType: row.connector_type,
    instanceId: row.instance_id,
    seq: row.seq,
    // Written by this adapter only.
    type: row.type as EventType,
    at: row.at,
    data: readObject(row.data),
  }
}

/** The events of the instances that an owner sees, also of those that are gone. */
function seenBy(owner: Owner): (eb: ExpressionBuilder<Tables, 'event'>) => Expression<SqlBool> {
  return (eb) => {
    const { organizationId, externalUserId, connectorTypes, connectorIds } = owner
    // PostgreSQL knows no empty list.
    const isOne = (
      column: 'connector_type' | 'instance_id',
      values: readonly string[],
    ): Expression<SqlBool> => (values.length === 0 ? sql`1 = 0` : eb(column, 'in', values))
    return eb.and([
      eb('organization_id', '=', organizationId),
      ...(externalUserId === undefined ? [] : [eb('external_user_id', '=', externalUserId)]),
      ...(connectorTypes === undefined ? [] : [isOne('connector_type', connectorTypes)]),
      ...(connectorIds === undefined ? [] : [isOne('instance_id', connectorIds)]),
    ])
  }
}

async function removeUpTo(
  database: StoreDatabase,
  organizationId: string,
  last: number,
): Promise<number> {
  return await database.transaction(async (tx) => {
    await tx
      .updateTable('event_head')
      .set({ removed_seq: last })
      .where('organization_id', '=', organizationId)
      .where('removed_seq', '<', last)
      .execute()
    await tx
      .deleteFrom('webhook_delivery')
      .where('organization_id', '=', organizationId)
      .where('seq', '<=', last)
      .execute()
    const { numDeletedRows } = await tx
      .deleteFrom('event')
      .where('organization_id', '=', organizationId)
      .where('seq', '<=', last)
      .executeTakeFirst()
    return Number(numDeletedRows)
  })
}
