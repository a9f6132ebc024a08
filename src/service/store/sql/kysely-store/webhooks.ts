// Webhooks of organisations, and their deliveries: each made by one process at a time, by the database's clock.
import { type Expression, type ExpressionBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import type {
  DeliveryRow,
  WebhookPlace,
  WebhookRow,
  WebhookStore,
} from '../../../store/webhooks.ts'
import type { Columns, Executor, Tables } from '../schema.ts'
import { audited } from './audit-chain.ts'
import { toEvent } from './events.ts'
import { readBytes, readRow, writeRow } from './row.ts'
import { changesAny, StoreGroup } from './store-group.ts'

const SECRETS = [
  ['secret_sealed', 'secret_generation'],
  ['previous_sealed', 'previous_generation'],
] as const

export class Webhooks extends StoreGroup implements WebhookStore {
  readonly insert: WebhookStore['insert'] = async (webhook, atMost, audit) => {
    const { id, secret, ...row } = webhook
    return await audited(this.database, audit, async (tx) => {
      const { count } = await tx
        .selectFrom('webhook')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('organization_id', '=', webhook.organizationId)
        .executeTakeFirstOrThrow()
      if (count >= atMost) return false
      await tx
        .insertInto('webhook')
        .values({
          ...writeRow(row),
          webhook_id: id,
          secret_sealed: secret.sealed,
          secret_generation: secret.generation,
          previous_sealed: null,
          previous_generation: null,
          previous_ends_at: null,
          created_at: this.now(),
          updated_at: this.now(),
          ...ENABLED,
        })
        .execute()
      return true
    })
  }

  readonly get: WebhookStore['get'] = async (place) => {
    const row = await this.db.selectFrom('webhook').selectAll().where(at(place)).executeTakeFirst()
    return row === undefined ? null : toWebhook(row)
  }

  readonly list: WebhookStore['list'] = async (organizationId) => {
    const rows = await this.db
      .selectFrom('webhook')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('webhook_id')
      .execute()
    return rows.map(toWebhook)
  }

  readonly update: WebhookStore['update'] = async (place, { enabled, ...patch }, audit) =>
    await audited(this.database, audit, async (tx) => {
      const disabled = { disabled_at: this.now(), disabled_reason: 'by_hand' as const }
      const row = await tx
        .updateTable('webhook')
        .set({
          updated_at: this.now(),
          ...writeRow(patch),
          ...(enabled === undefined ? {} : enabled ? ENABLED : disabled),
        })
        .where(at(place))
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return null
      if (enabled === false) await cancelWaiting(tx, place)
      return toWebhook(row)
    })

  readonly rotate: WebhookStore['rotate'] = async (place, secret, keepMs, audit) =>
    await audited(this.database, audit, async (tx) => {
      const row = await tx
        .updateTable('webhook')
        .set((eb) => ({
          previous_sealed: keepMs === 0 ? null : eb.ref('secret_sealed'),
          previous_generation: keepMs === 0 ? null : eb.ref('secret_generation'),
          previous_ends_at: keepMs === 0 ? null : this.now(keepMs),
          secret_sealed: secret.sealed,
          secret_generation: secret.generation,
          updated_at: this.now(),
        }))
        .where(at(place))
        .where('secret_generation', '=', secret.generation - 1)
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? null : toWebhook(row)
    })

  readonly reseal: WebhookStore['reseal'] = async (place, { sealed, generation }) => {
    for (const [column, counted] of SECRETS) {
      const resealing = this.db
        .updateTable('webhook')
        .set({ [column]: sealed })
        .where(at(place))
        .where(counted, '=', generation)
      if (await changesAny(this.db, resealing)) return true
    }
    return false
  }

  readonly switchOff: WebhookStore['switchOff'] = async (place, audit) =>
    await audited(this.database, audit, async (tx) => {
      const switching = tx
        .updateTable('webhook')
        .set({ disabled_at: this.now(), disabled_reason: 'gone', updated_at: this.now() })
        .where(at(place))
        .where('disabled_at', 'is', null)
      const isSwitched = await changesAny(tx, switching)
      if (isSwitched) await cancelWaiting(tx, place)
      return isSwitched
    })

  readonly delete: WebhookStore['delete'] = async (place, audit) => {
    const deleted = await audited(this.database, audit, async (tx) => {
      const isDeleted = await changesAny(tx, tx.deleteFrom('webhook').where(at(place)))
      await tx.deleteFrom('webhook_delivery').where(at(place)).execute()
      return isDeleted
    })
    if (deleted) await this.database.scrub()
    return deleted
  }

  readonly due: WebhookStore['due'] = async (limit, except) => {
    const others = except.length === 0 ? sql`` : sql`and webhook_id not in (${sql.join(except)})`
    const { rows } = await sql<Columns<WebhookPlace>>`select organization_id, webhook_id
      from webhook_delivery join webhook using (organization_id, webhook_id)
      where state = 'pending' and next_at <= ${this.now()} and disabled_at is null ${others}
      group by organization_id, webhook_id order by min(next_at) limit ${limit}`.execute(this.db)
    return rows.map((row) => readRow<WebhookPlace>(row))
  }

  readonly take: WebhookStore['take'] = async (place, limit, leaseMs) =>
    await this.database.transaction(async (tx) => {
      const due = tx
        .selectFrom('webhook_delivery')
        .select('seq')
        .where(at(place))
        .where('state', '=', sql.lit('pending'))
        .where('next_at', '<=', this.now())
        .orderBy('next_at')
        .orderBy('seq')
        .limit(limit)
      // A process that comes second takes others instead of waiting.
      const free = this.database.kind === 'postgres' ? due.forUpdate().skipLocked() : due
      const seqs = (await free.execute()).map(({ seq }) => seq)
      if (seqs.length === 0) return []
      const rows = await tx
        .updateTable('webhook_delivery')
        .set((eb) => ({ fence: eb('fence', '+', 1), next_at: this.now(leaseMs) }))
        .where(at(place))
        .where('seq', 'in', seqs)
        .returning(['seq', 'attempts', 'fence'])
        .execute()
      const held = new Map(rows.map(({ seq, ...delivery }) => [seq, delivery]))
      const events = await tx
        .selectFrom('event')
        .selectAll()
        .where('organization_id', '=', place.organizationId)
        .where('seq', 'in', seqs)
        .orderBy('seq')
        .execute()
      return events.flatMap((event) => {
        const delivery = held.get(event.seq)
        return delivery === undefined ? [] : [{ ...place, event: toEvent(event), ...delivery }]
      })
    })

  readonly finish: WebhookStore['finish'] = async (delivery, { state, delayMs, status, error }) => {
    const finishing = this.db
      .updateTable('webhook_delivery')
      .set((eb) => ({
        state,
        attempts: eb('attempts', '+', 1),
        next_at: this.now(delayMs),
        last_at: this.now(),
        last_status: status,
        last_error: error,
      }))
      .where((eb) => eb.and(heldColumns(delivery)))
    return await changesAny(this.db, finishing)
  }

  readonly giveBack: WebhookStore['giveBack'] = async (delivery) => {
    await this.db
      .updateTable('webhook_delivery')
      .set({ next_at: this.now() })
      .where((eb) => eb.and(heldColumns(delivery)))
      .execute()
  }

  readonly deliveries: WebhookStore['deliveries'] = async (place, { limit, beforeSeq }) => {
    const { rows } = await sql<Columns<DeliveryRow>>`select event_id, type, seq, state, attempts,
      next_at, last_at, last_status, last_error
      from webhook_delivery join event using (organization_id, seq)
      where organization_id = ${place.organizationId} and webhook_id = ${place.webhookId}
      and seq < ${beforeSeq ?? Number.MAX_SAFE_INTEGER} order by seq desc limit ${limit}`.execute(
      this.db,
    )
    return rows.map((row) => readRow<DeliveryRow>(row))
  }
}

const ENABLED = { disabled_at: null, disabled_reason: null }

/** An attempt under way is not stopped; what comes of it is not stored. */
async function cancelWaiting(tx: Executor, place: WebhookPlace): Promise<void> {
  await tx
    .updateTable('webhook_delivery')
    .set({ state: 'canceled' })
    .where(at(place))
    .where('state', '=', 'pending')
    .execute()
}

function keyOf({ organizationId, webhookId }: WebhookPlace): Columns<WebhookPlace> {
  return { organization_id: organizationId, webhook_id: webhookId }
}

function at(
  place: WebhookPlace,
): (eb: ExpressionBuilder<Tables, 'webhook' | 'webhook_delivery'>) => Expression<SqlBool> {
  return (eb) => eb.and(keyOf(place))
}

/** Of a pending delivery that nobody else took meanwhile. */
function heldColumns(
  delivery: Parameters<WebhookStore['giveBack']>[0],
): Partial<Selectable<Tables['webhook_delivery']>> {
  const { event, fence } = delivery
  return { ...keyOf(delivery), seq: event.seq, fence, state: 'pending' }
}

function toWebhook(row: Selectable<Tables['webhook']>): WebhookRow {
  const {
    webhook_id: id,
    secret_sealed: sealed,
    secret_generation: generation,
    previous_sealed: previous,
    previous_generation: previousGeneration,
    previous_ends_at: endsAt,
    ...columns
  } = row
  return {
    id,
    ...readRow<Omit<WebhookRow, 'id' | 'secret' | 'previousSecret'>>(columns),
    secret: { sealed: readBytes(sealed), generation },
    previousSecret:
      previous === null || previousGeneration === null || endsAt === null
        ? null
        : { sealed: readBytes(previous), generation: previousGeneration, endsAt },
  }
}
