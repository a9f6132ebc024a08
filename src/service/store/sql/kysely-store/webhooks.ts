// Webhooks of organisations, and their deliveries: each made by one process at a time, by the database's clock.
import { type Selectable, sql } from 'kysely'
import type {
  DeliveryRow,
  TakenDelivery,
  WebhookPlace,
  WebhookRow,
  WebhookStore,
} from '../../../store/webhooks.ts'
import type { EventType } from '../../../../client/webhooks/event.ts'
import type { StoreDatabase } from '../database.ts'
import type { Executor, Tables } from '../schema.ts'
import { audited } from './audit-chain.ts'
import { toEvent } from './events.ts'
import { jsonText, readBytes, readTextsOrNull } from './json-column.ts'

const SECRETS = [
  ['secret_sealed', 'secret_generation'],
  ['previous_sealed', 'previous_generation'],
] as const

export function createWebhooks(database: StoreDatabase): WebhookStore {
  const { db, now } = database
  return {
    async insert(webhook, atMost, audit) {
      return await audited(database, audit, async (tx) => {
        const { count } = await tx
          .selectFrom('webhook')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('organization_id', '=', webhook.organizationId)
          .executeTakeFirstOrThrow()
        if (count >= atMost) return false
        await tx
          .insertInto('webhook')
          .values({
            organization_id: webhook.organizationId,
            webhook_id: webhook.id,
            url: webhook.url,
            description: webhook.description,
            event_types: jsonText(webhook.eventTypes),
            secret_sealed: webhook.secret.sealed,
            secret_generation: webhook.secret.generation,
            previous_sealed: null,
            previous_generation: null,
            previous_ends_at: null,
            created_at: now(),
            updated_at: now(),
            disabled_at: null,
            disabled_reason: null,
          })
          .execute()
        return true
      })
    },

    async get(place) {
      const row = await db
        .selectFrom('webhook')
        .selectAll()
        .where((eb) => eb.and(columnsOf(place)))
        .executeTakeFirst()
      return row === undefined ? null : toWebhook(row)
    },

    async list(organizationId) {
      const rows = await db
        .selectFrom('webhook')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('webhook_id')
        .execute()
      return rows.map(toWebhook)
    },

    async update(place, { url, description, eventTypes, enabled }, audit) {
      return await audited(database, audit, async (tx) => {
        const row = await tx
          .updateTable('webhook')
          .set({
            updated_at: now(),
            ...(url === undefined ? {} : { url }),
            ...(description === undefined ? {} : { description }),
            ...(eventTypes === undefined ? {} : { event_types: jsonText(eventTypes) }),
            ...(enabled === undefined
              ? {}
              : enabled
                ? { disabled_at: null, disabled_reason: null }
                : { disabled_at: now(), disabled_reason: 'by_hand' }),
          })
          .where((eb) => eb.and(columnsOf(place)))
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return null
        if (enabled === false) await cancelWaiting(tx, place)
        return toWebhook(row)
      })
    },

    async rotate(place, secret, keepMs, audit) {
      const row = await audited(
        database,
        audit,
        async (tx) =>
          (await tx
            .updateTable('webhook')
            .set((eb) => ({
              previous_sealed: keepMs === 0 ? null : eb.ref('secret_sealed'),
              previous_generation: keepMs === 0 ? null : eb.ref('secret_generation'),
              previous_ends_at: keepMs === 0 ? null : database.in(keepMs),
              secret_sealed: secret.sealed,
              secret_generation: secret.generation,
              updated_at: now(),
            }))
            .where((eb) => eb.and(columnsOf(place)))
            .where('secret_generation', '=', secret.generation - 1)
            .returningAll()
            .executeTakeFirst()) ?? null,
      )
      return row === null ? null : toWebhook(row)
    },

    async reseal(place, { sealed, generation }) {
      for (const [column, counted] of SECRETS) {
        const { numUpdatedRows } = await db
          .updateTable('webhook')
          .set({ [column]: sealed })
          .where((eb) => eb.and(columnsOf(place)))
          .where(counted, '=', generation)
          .executeTakeFirst()
        if (numUpdatedRows > 0n) return true
      }
      return false
    },

    async switchOff(place, audit) {
      return await audited(database, audit, async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('webhook')
          .set({ disabled_at: now(), disabled_reason: 'gone', updated_at: now() })
          .where((eb) => eb.and(columnsOf(place)))
          .where('disabled_at', 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows > 0n) await cancelWaiting(tx, place)
        return numUpdatedRows > 0n
      })
    },

    async delete(place, audit) {
      const deleted = await audited(database, audit, async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('webhook')
          .where((eb) => eb.and(columnsOf(place)))
          .executeTakeFirst()
        await tx
          .deleteFrom('webhook_delivery')
          .where((eb) => eb.and(columnsOf(place)))
          .execute()
        return numDeletedRows > 0n
      })
      if (deleted) await database.scrub()
      return deleted
    },

    async due(limit, except) {
      const rows = await db
        .selectFrom('webhook_delivery as delivery')
        .innerJoin('webhook', (join) =>
          join
            .onRef('webhook.organization_id', '=', 'delivery.organization_id')
            .onRef('webhook.webhook_id', '=', 'delivery.webhook_id'),
        )
        .select(['delivery.organization_id', 'delivery.webhook_id'])
        .where('delivery.state', '=', sql.lit('pending'))
        .where('delivery.next_at', '<=', now())
        .where('webhook.disabled_at', 'is', null)
        .$if(except.length > 0, (query) => query.where('delivery.webhook_id', 'not in', except))
        .groupBy(['delivery.organization_id', 'delivery.webhook_id'])
        .orderBy((eb) => eb.fn.min('delivery.next_at'))
        .limit(limit)
        .execute()
      return rows.map(({ organization_id: organizationId, webhook_id: webhookId }) => ({
        organizationId,
        webhookId,
      }))
    },

    async take(place, limit, leaseMs) {
      return await database.transaction(async (tx) => {
        const due = tx
          .selectFrom('webhook_delivery')
          .select('seq')
          .where((eb) => eb.and(columnsOf(place)))
          .where('state', '=', sql.lit('pending'))
          .where('next_at', '<=', now())
          .orderBy('next_at')
          .orderBy('seq')
          .limit(limit)
        // Whoever comes second takes others instead of waiting.
        const free = database.kind === 'postgres' ? due.forUpdate().skipLocked() : due
        const seqs = (await free.execute()).map(({ seq }) => seq)
        if (seqs.length === 0) return []
        const rows = await tx
          .updateTable('webhook_delivery')
          .set((eb) => ({ fence: eb('fence', '+', 1), next_at: database.in(leaseMs) }))
          .where((eb) => eb.and(columnsOf(place)))
          .where('seq', 'in', seqs)
          .returning(['seq', 'attempts', 'fence'])
          .execute()
        const events = await tx
          .selectFrom('event')
          .selectAll()
          .where('organization_id', '=', place.organizationId)
          .where('seq', 'in', seqs)
          .orderBy('seq')
          .execute()
        return events.flatMap((event) =>
          rows
            .filter(({ seq }) => seq === event.seq)
            .map(({ attempts, fence }) => ({ ...place, event: toEvent(event), attempts, fence })),
        )
      })
    },

    async finish(delivery, { state, delayMs, status, error }) {
      const { numUpdatedRows } = await db
        .updateTable('webhook_delivery')
        .set((eb) => ({
          state,
          attempts: eb('attempts', '+', 1),
          next_at: database.in(delayMs),
          last_at: now(),
          last_status: status,
          last_error: error,
        }))
        .where((eb) => eb.and(heldColumns(delivery)))
        .where('state', '=', 'pending')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async giveBack(delivery) {
      await db
        .updateTable('webhook_delivery')
        .set({ next_at: now() })
        .where((eb) => eb.and(heldColumns(delivery)))
        .where('state', '=', 'pending')
        .execute()
    },

    async deliveries(place, { limit, beforeSeq }) {
      const rows = await db
        .selectFrom('webhook_delivery as delivery')
        .innerJoin('event', (join) =>
          join
            .onRef('event.organization_id', '=', 'delivery.organization_id')
            .onRef('event.seq', '=', 'delivery.seq'),
        )
        .selectAll('delivery')
        .select(['event.event_id', 'event.type'])
        .where('delivery.organization_id', '=', place.organizationId)
        .where('delivery.webhook_id', '=', place.webhookId)
        .where('delivery.seq', '<', beforeSeq ?? Number.MAX_SAFE_INTEGER)
        .orderBy('delivery.seq', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row): DeliveryRow => ({
        eventId: row.event_id,
        // Written by this adapter only, as is the state.
        type: row.type as EventType,
        seq: row.seq,
        state: row.state as DeliveryRow['state'],
        attempts: row.attempts,
        nextAt: row.next_at,
        lastAt: row.last_at,
        lastStatus: row.last_status,
        lastError: row.last_error,
      }))
    },
  }
}

/** An attempt under way is not stopped; what comes of it is not stored. */
async function cancelWaiting(tx: Executor, place: WebhookPlace): Promise<void> {
  await tx
    .updateTable('webhook_delivery')
    .set({ state: 'canceled' })
    .where((eb) => eb.and(columnsOf(place)))
    .where('state', '=', 'pending')
    .execute()
}

function columnsOf({ organizationId, webhookId }: WebhookPlace): {
  readonly organization_id: string
  readonly webhook_id: string
} {
  return { organization_id: organizationId, webhook_id: webhookId }
}

/** Of a delivery that nobody else took meanwhile. */
function heldColumns(delivery: TakenDelivery): Partial<Selectable<Tables['webhook_delivery']>> {
  return { ...columnsOf(delivery), seq: delivery.event.seq, fence: delivery.fence }
}

function toWebhook(row: Selectable<Tables['webhook']>): WebhookRow {
  const { previous_sealed: sealed, previous_generation: generation, previous_ends_at: endsAt } = row
  return {
    id: row.webhook_id,
    organizationId: row.organization_id,
    url: row.url,
    description: row.description,
    // Written by this adapter only, as is the reason.
    eventTypes: readTextsOrNull(row.event_types) as readonly EventType[] | null,
    secret: { sealed: readBytes(row.secret_sealed), generation: row.secret_generation },
    previousSecret:
      sealed === null || generation === null || endsAt === null
        ? null
        : { sealed: readBytes(sealed), generation, endsAt },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason as WebhookRow['disabledReason'],
  }
}
