// Refresh tokens that are about to be presented.
import type { IntentInput, IntentRow, IntentStore } from '../../../store/credentials.ts'
import { REFRESH_PURPOSE } from '../../../store/credentials.ts'
import type { StoreDatabase } from '../database.ts'
import { REFRESHED_STATES, toInstance } from './instance-row.ts'

export function createIntents(database: StoreDatabase): IntentStore {
  const { db, now } = database
  return {
    async find(instanceId) {
      const row = await db
        .selectFrom('refresh_intent')
        .selectAll()
        .where('instance_id', '=', instanceId)
        .executeTakeFirst()
      if (row === undefined) return null
      return {
        instanceId: row.instance_id,
        generation: row.generation,
        refreshFingerprint: row.refresh_fingerprint,
        fence: row.fence,
        // Written by `put` and `update`.
        kind: row.kind as IntentRow['kind'],
        sentBy: row.sent_by,
        attempts: row.attempts,
        notBefore: row.not_before,
        mark: row.mark,
        createdAt: row.created_at,
      }
    },

    async put(intent) {
      const { instanceId, generation, fence } = intent
      return await database.transaction(async (tx) => {
        const current = await database
          .lock(
            tx
              .selectFrom('credential')
              .select('generation')
              .where('instance_id', '=', instanceId)
              .where('generation', '=', generation),
          )
          .executeTakeFirst()
        if (current === undefined) return false
        const lease = await tx
          .selectFrom('lease')
          .select('fence')
          .where('instance_id', '=', instanceId)
          .where('purpose', '=', REFRESH_PURPOSE)
          .executeTakeFirst()
        if (lease?.fence !== fence) return false
        const columns = {
          generation,
          fence,
          refresh_fingerprint: intent.refreshFingerprint,
          ...patchColumns(intent),
          kind: intent.kind,
          sent_by: intent.sentBy,
          attempts: intent.attempts,
          created_at: now(),
        }
        await tx
          .insertInto('refresh_intent')
          .values({ instance_id: instanceId, ...columns })
          .onConflict((conflict) => conflict.column('instance_id').doUpdateSet(columns))
          .execute()
        return true
      })
    },

    async update(instanceId, generation, patch) {
      const { numUpdatedRows } = await db
        .updateTable('refresh_intent')
        .set({ generation, ...patchColumns(patch) })
        .where('instance_id', '=', instanceId)
        .where('generation', '=', generation)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async remove(instanceId, generation) {
      await db
        .deleteFrom('refresh_intent')
        .where('instance_id', '=', instanceId)
        .where('generation', '=', generation)
        .execute()
    },

    async abandoned(limit) {
      const rows = await db
        .selectFrom('refresh_intent')
        .innerJoin(
          'connector_instance',
          'connector_instance.instance_id',
          'refresh_intent.instance_id',
        )
        .selectAll('connector_instance')
        .where('refresh_intent.not_before', 'is', null)
        .where('connector_instance.state', 'in', REFRESHED_STATES)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('lease')
                .select('lease.fence')
                .whereRef('lease.instance_id', '=', 'refresh_intent.instance_id')
                .where('lease.purpose', '=', REFRESH_PURPOSE)
                .where('lease.held_until', '>', now()),
            ),
          ),
        )
        .orderBy('refresh_intent.created_at')
        .orderBy('refresh_intent.instance_id')
        .limit(limit)
        .execute()
      return rows.map(toInstance)
    },
  }
}

function patchColumns({
  kind,
  sentBy,
  attempts,
  notBefore,
  mark,
}: Partial<Pick<IntentInput, 'kind' | 'sentBy' | 'attempts' | 'notBefore' | 'mark'>>): {
  readonly kind?: string
  readonly sent_by?: string
  readonly attempts?: number
  readonly not_before?: number | null
  readonly mark?: string | null
} {
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(sentBy === undefined ? {} : { sent_by: sentBy }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(notBefore === undefined ? {} : { not_before: notBefore }),
    ...(mark === undefined ? {} : { mark }),
  }
}
