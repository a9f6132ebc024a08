// Reading, redelivering and shortening the events of organisations.
import type { EventRow, EventStore } from '../../../store/events.ts'
import type { Tables } from '../schema.ts'
import { above, atMost, below } from '../statements.ts'
import { appendEvent, deliver } from './append-event.ts'
import { appendAudit } from './audit-chain.ts'
import { visibleTo } from './instance-row.ts'
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
      const count = await deliver(tx, event, webhookId)
      await appendAudit(tx, audit)
      return count
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
