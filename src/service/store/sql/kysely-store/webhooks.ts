// Webhooks of organisations, and their deliveries: each made by one process at a time, by the database's clock.
import { sql } from 'kysely'
import type {
  DeliveryRow,
  WebhookPlace,
  WebhookRow,
  WebhookStore,
} from '../../../store/webhooks.ts'
import type { Tables } from '../schema.ts'
import { atMost, matching, oneMore, oneOf, type Rows, type Where } from '../statements.ts'
import { audited } from './audit-chain.ts'
import { toEvent } from './events.ts'
import { StoreGroup } from './store-group.ts'

export class Webhooks extends StoreGroup implements WebhookStore {
  readonly insert: WebhookStore['insert'] = async (webhook, maximum, audit) => {
    const { id: webhookId, secret, ...row } = webhook
    return await audited(this.rows, audit, async (tx) => {
      const { count } = await tx.db
        .selectFrom('webhook')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('organizationId', '=', webhook.organizationId)
        .executeTakeFirstOrThrow()
      if (count >= maximum) return false
      await tx.insert('webhook', {
        webhookId,
        ...row,
        secretSealed: secret.sealed,
        secretGeneration: secret.generation,
        ...NO_PREVIOUS,
        createdAt: this.now(),
        updatedAt: this.now(),
        ...ENABLED,
      })
      return true
    })
  }

  readonly get: WebhookStore['get'] = async (place) =>
    toWebhook(await this.rows.find('webhook', keyOf(place)))

  readonly list: WebhookStore['list'] = async (organizationId) => {
    const rows = await this.rows.list('webhook', { organizationId }, { by: ['webhookId'] })
    return rows.map((row) => toWebhook(row))
  }

  readonly update: WebhookStore['update'] = async (place, { enabled, ...patch }, audit) =>
    await audited(this.rows, audit, async (tx) => {
      const disabled = { disabledAt: this.now(), disabledReason: 'by_hand' as const }
      const row = await tx.change('webhook', keyOf(place), {
        updatedAt: this.now(),
        ...patch,
        ...(enabled === undefined ? {} : enabled ? ENABLED : disabled),
      })
      if (row !== null && enabled === false) await cancelWaiting(tx, place)
      return toWebhook(row)
    })

  readonly rotate: WebhookStore['rotate'] = async (place, { sealed, generation }, keepMs, audit) =>
    await audited(this.rows, audit, async (tx) => {
      const previous = {
        previousSealed: sql<Uint8Array>`secret_sealed`,
        previousGeneration: sql<number>`secret_generation`,
        previousEndsAt: this.now(keepMs),
      }
      const before = { ...keyOf(place), secretGeneration: generation - 1 }
      const row = await tx.change('webhook', before, {
        ...(keepMs === 0 ? NO_PREVIOUS : previous),
        secretSealed: sealed,
        secretGeneration: generation,
        updatedAt: this.now(),
      })
      return toWebhook(row)
    })

  readonly reseal: WebhookStore['reseal'] = async (place, { sealed, generation }) => {
    const current = { ...keyOf(place), secretGeneration: generation }
    if ((await this.rows.update('webhook', current, { secretSealed: sealed })) > 0) return true
    const previous = { ...keyOf(place), previousGeneration: generation }
    return (await this.rows.update('webhook', previous, { previousSealed: sealed })) > 0
  }

  readonly switchOff: WebhookStore['switchOff'] = async (place, audit) =>
    await audited(this.rows, audit, async (tx) => {
      const off = { disabledAt: this.now(), disabledReason: 'gone', updatedAt: this.now() } as const
      const isSwitched =
        (await tx.update('webhook', { ...keyOf(place), disabledAt: null }, off)) > 0
      if (isSwitched) await cancelWaiting(tx, place)
      return isSwitched
    })

  readonly delete: WebhookStore['delete'] = async (place, audit) => {
    const deleted = await audited(this.rows, audit, async (tx) => {
      const count = await tx.remove('webhook', keyOf(place))
      await tx.remove('webhook_delivery', keyOf(place))
      return count > 0
    })
    if (deleted) await this.database.scrub()
    return deleted
  }

  readonly due: WebhookStore['due'] = async (limit, except) => {
    const others = except.length === 0 ? sql`` : sql`and webhook_id not in (${sql.join(except)})`
    const query = sql<WebhookPlace>`select organization_id, webhook_id
      from webhook_delivery join webhook using (organization_id, webhook_id)
      where state = 'pending' and next_at <= ${this.now()} and disabled_at is null ${others}
      group by organization_id, webhook_id order by min(next_at) limit ${limit}`.compile(this.db)
    return (await this.database.wide(query, 'webhook_delivery', 'webhook')).rows
  }

  readonly take: WebhookStore['take'] = async (place, limit, leaseMs) =>
    await this.rows.transaction(async (tx) => {
      const due = tx.db
        .selectFrom('webhook_delivery')
        .select('seq')
        .where(matching<'webhook_delivery'>({ ...keyOf(place), nextAt: atMost(this.now()) }))
        .where('state', '=', sql.lit('pending'))
        .orderBy('nextAt')
        .orderBy('seq')
        .limit(limit)
      // A process that comes second takes others instead of waiting.
      const free = this.database.kind === 'postgres' ? due.forUpdate().skipLocked() : due
      const found = await free.execute()
      if (found.length === 0) return []
      const seq = oneOf(found.map((row) => row.seq))
      const rows = await tx.db
        .updateTable('webhook_delivery')
        .set({ fence: oneMore('fence'), nextAt: this.now(leaseMs) })
        .where(matching<'webhook_delivery'>({ ...keyOf(place), seq }))
        .returning(['seq', 'attempts', 'fence'])
        .execute()
      const held = new Map(
        rows.map((row) => [row.seq, { attempts: row.attempts, fence: row.fence }]),
      )
      const { organizationId } = place
      const events = await tx.list('event', { organizationId, seq }, { by: ['seq'] })
      return events.flatMap((event) => {
        const delivery = held.get(event.seq)
        return delivery === undefined ? [] : [{ ...place, event: toEvent(event), ...delivery }]
      })
    })

  readonly finish: WebhookStore['finish'] = async (delivery, { state, delayMs, status, error }) => {
    const ended = {
      state,
      attempts: oneMore('attempts'),
      nextAt: this.now(delayMs),
      lastAt: this.now(),
      lastStatus: status,
      lastError: error,
    }
    return (await this.rows.update('webhook_delivery', held(delivery), ended)) > 0
  }

  readonly giveBack: WebhookStore['giveBack'] = async (delivery) => {
    await this.rows.update('webhook_delivery', held(delivery), { nextAt: this.now() })
  }

  readonly deliveries: WebhookStore['deliveries'] = async (place, { limit, beforeSeq }) => {
    const { rows } = await sql<DeliveryRow>`select event_id, type, seq, state, attempts,
      next_at, last_at, last_status, last_error, at, data
      from webhook_delivery join event using (organization_id, seq)
      where organization_id = ${place.organizationId} and webhook_id = ${place.webhookId}
      and seq < ${beforeSeq ?? Number.MAX_SAFE_INTEGER} order by seq desc limit ${limit}`.execute(
      this.db,
    )
    return rows
  }
}

const ENABLED = { disabledAt: null, disabledReason: null }
const NO_PREVIOUS = { previousSealed: null, previousGeneration: null, previousEndsAt: null }

/** An attempt under way is not stopped; what comes of it is not stored. */
async function cancelWaiting(tx: Rows, place: WebhookPlace): Promise<void> {
  await tx.update('webhook_delivery', { ...keyOf(place), state: 'pending' }, { state: 'canceled' })
}

function keyOf({ organizationId, webhookId }: WebhookPlace): WebhookPlace {
  return { organizationId, webhookId }
}

/** Of a pending delivery that nobody else took meanwhile. */
function held(delivery: Parameters<WebhookStore['giveBack']>[0]): Where<'webhook_delivery'> {
  const { event, fence } = delivery
  return { ...keyOf(delivery), seq: event.seq, fence, state: 'pending' }
}

function toWebhook(row: Tables['webhook']): WebhookRow
function toWebhook(row: Tables['webhook'] | null): WebhookRow | null
function toWebhook(row: Tables['webhook'] | null): WebhookRow | null {
  if (row === null) return null
  const {
    webhookId: id,
    secretSealed: sealed,
    secretGeneration: generation,
    previousSealed: previous,
    previousGeneration,
    previousEndsAt: endsAt,
    ...members
  } = row
  return {
    id,
    ...members,
    secret: { sealed, generation },
    previousSecret:
      previous === null || previousGeneration === null || endsAt === null
        ? null
        : { sealed: previous, generation: previousGeneration, endsAt },
  }
}
