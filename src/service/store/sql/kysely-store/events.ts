// Reading, redelivering and shortening the events of organisations.
import { sql, type SqlBool } from 'kysely'
import type { EventRow, EventStore } from '../../../store/events.ts'
import type { Tables } from '../schema.ts'
import { above, atMost, below } from '../statements.ts'
import { appendEvent, wanting } from './append-event.ts'
import { appendAudit } from './audit-chain.ts'
import { visibleTo } from './owner-filter.ts'
import { StoreGroup } from './store-group.ts'

export class Events extends StoreGroup implements EventStore {
  readonly append: EventStore['append'] = async (event) =>
    await this.rows.transaction(async (tx) => await appendEvent(tx, event))

  readonly list: EventStore['list'] = async (owner, { afterSeq, limit }) => {
    const { organizationId } = owner
    const head = await this.rows.find('event_head', { organizationId })
    if (head === null) return { events: [], lastSeq: 0, removedSeq: 0 }
    const wanted = { ...visibleTo(owner), seq: above(afterSeq) }
    const rows = await this.rows.list('event', wanted, { by: ['seq'], limit })
    return { events: rows.map(toEvent), lastSeq: head.seq, removedSeq: head.removedSeq }
  }

  readonly redeliver: EventStore['redeliver'] = async (organization, id, webhookId, audit) =>
    await this.rows.transaction(async (tx) => {
      const event = await tx.find('event', { organizationId: organization, eventId: id })
      if (event === null) return null
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
        returning webhook_id`.execute(tx.db)
      await appendAudit(tx, audit)
      return rows.length
    })

  readonly purgeBefore: EventStore['purgeBefore'] = async (beforeMs) =>
    await this.removeOld(beforeMs, ['event', 'organizationId'], (organizationId, last) =>
      this.#removeUpTo(organizationId, last),
    )

  async #removeUpTo(organizationId: string, last: number): Promise<number> {
    return await this.rows.transaction(async (tx) => {
      const behind = { organizationId, removedSeq: below(last) }
      await tx.update('event_head', behind, { removedSeq: last })
      const old = { organizationId, seq: atMost(last) }
      await tx.remove('webhook_delivery', old)
      return await tx.remove('event', old)
    })
  }
}

export function toEvent({ eventId: id, ...event }: Tables['event']): EventRow {
  return { id, ...event }
}
