// Reading, redelivering and shortening the events of organisations.
import { type Selectable, sql, type SqlBool } from 'kysely'
import type { EventRow, EventStore } from '../../../store/events.ts'
import type { Tables } from '../schema.ts'
import { appendEvent, wanting } from './append-event.ts'
import { appendAudit } from './audit-chain.ts'
import { visibleTo } from './owner-filter.ts'
import { readRow } from './row.ts'
import { countChanged, StoreGroup } from './store-group.ts'

export class Events extends StoreGroup implements EventStore {
  readonly append: EventStore['append'] = async (event) =>
    await this.database.transaction(async (tx) => await appendEvent(this.database, tx, event))

  readonly list: EventStore['list'] = async (owner, { afterSeq, limit }) => {
    const head = await this.db
      .selectFrom('event_head')
      .select(['seq', 'removed_seq'])
      .where('organization_id', '=', owner.organizationId)
      .executeTakeFirst()
    if (head === undefined) return { events: [], lastSeq: 0, removedSeq: 0 }
    const rows = await this.db
      .selectFrom('event')
      .selectAll()
      .where(visibleTo(owner, 'event'))
      .where('seq', '>', afterSeq)
      .orderBy('seq')
      .limit(limit)
      .execute()
    return { events: rows.map(toEvent), lastSeq: head.seq, removedSeq: head.removed_seq }
  }

  readonly redeliver: EventStore['redeliver'] = async (organization, id, webhookId, audit) =>
    await this.database.transaction(async (tx) => {
      const event = await tx
        .selectFrom('event')
        .select(['seq', 'type'])
        .where('organization_id', '=', organization)
        .where('event_id', '=', id)
        .executeTakeFirst()
      if (event === undefined) return null
      const wanted =
        webhookId === null
          ? sql<SqlBool>`(event_types is null or event_types like ${wanting(event.type)})`
          : sql<SqlBool>`webhook_id = ${webhookId}`
      const { rows } = await sql`insert into webhook_delivery
        (organization_id, webhook_id, seq, state, attempts, fence, next_at)
        select organization_id, webhook_id, cast(${event.seq} as bigint), 'pending', 0, 0, ${this.now()} from webhook
        where organization_id = ${organization} and disabled_at is null and ${wanted}
        on conflict (organization_id, webhook_id, seq) do update
        set state = 'pending', attempts = 0, fence = webhook_delivery.fence + 1, next_at = excluded.next_at
        returning webhook_id`.execute(tx)
      await appendAudit(this.database, tx, audit)
      return rows.length
    })

  readonly purgeBefore: EventStore['purgeBefore'] = async (beforeMs) =>
    await this.removeOld(beforeMs, ['event', 'organization_id'], (organizationId, last) =>
      this.#removeUpTo(organizationId, last),
    )

  async #removeUpTo(organizationId: string, last: number): Promise<number> {
    return await this.database.transaction(async (tx) => {
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
      const old = tx.deleteFrom('event').where('organization_id', '=', organizationId)
      return await countChanged(tx, old.where('seq', '<=', last))
    })
  }
}

export function toEvent({ event_id: id, ...columns }: Selectable<Tables['event']>): EventRow {
  return { id, ...readRow<Omit<EventRow, 'id'>>(columns) }
}
