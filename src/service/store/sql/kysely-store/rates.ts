// What is used of rates, compared before it is set, and silences that third parties asked for.
import { sql } from 'kysely'
import type { RateStore } from '../../../store/rates.ts'
import type { StoreDatabase } from '../database.ts'

/** No silence is longer. A row that says so is not believed, whatever wrote it. */
const MAX_SILENCE_MS = 24 * 60 * 60_000
/** The same for who reads it: processes do not agree to the millisecond. */
const BELIEVED_MS = MAX_SILENCE_MS + 60_000

export function createRates(database: StoreDatabase): RateStore {
  const { db, now } = database
  return {
    async read({ ownerId, periodMs }) {
      const row = await db
        .selectFrom(db.selectNoFrom(now().as('now')).as('clock'))
        .leftJoin('rate_use', (join) =>
          join.on('owner_id', '=', ownerId).on('period_ms', '=', periodMs),
        )
        .select(['clock.now', 'slice', 'used', 'version'])
        .executeTakeFirstOrThrow()
      const { slice, used } = row
      return {
        // Only `write` writes the column.
        use: slice === null || used === null ? null : { slice, used: JSON.parse(used) as number[] },
        version: row.version ?? 0,
        nowMs: row.now,
      }
    },

    async write({ ownerId, periodMs }, version, { slice, used }, keepMs) {
      const values = {
        slice,
        used: JSON.stringify(used),
        version: version + 1,
        expires_at: database.in(keepMs),
      }
      if (version === 0) {
        const inserted = await db
          .insertInto('rate_use')
          .values({ owner_id: ownerId, period_ms: periodMs, ...values })
          .onConflict((conflict) => conflict.doNothing())
          .returning('version')
          .executeTakeFirst()
        return inserted !== undefined
      }
      const { numUpdatedRows } = await db
        .updateTable('rate_use')
        .set(values)
        .where('owner_id', '=', ownerId)
        .where('period_ms', '=', periodMs)
        .where('version', '=', version)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async block(ownerId, ms) {
      const until = database.in(Math.min(ms, MAX_SILENCE_MS))
      await db
        .insertInto('rate_block')
        .values({ owner_id: ownerId, blocked_until: until })
        .onConflict((conflict) =>
          conflict
            .column('owner_id')
            .doUpdateSet({ blocked_until: until })
            .where((eb) =>
              eb.or([
                eb('rate_block.blocked_until', '<', until),
                eb('rate_block.blocked_until', '>', database.in(BELIEVED_MS)),
              ]),
            ),
        )
        .execute()
    },

    async blocked() {
      const rows = await db
        .selectFrom('rate_block')
        .select(['owner_id', sql<number>`blocked_until - ${now()}`.as('ms')])
        .where('blocked_until', '>', now())
        .where('blocked_until', '<=', database.in(BELIEVED_MS))
        .execute()
      return rows.map(({ owner_id: ownerId, ms }) => ({ ownerId, ms }))
    },

    async purgeExpired() {
      const uses = await db
        .deleteFrom('rate_use')
        .where('expires_at', '<=', now())
        .executeTakeFirst()
      const blocks = await db
        .deleteFrom('rate_block')
        .where((eb) =>
          eb.or([
            eb('blocked_until', '<=', now()),
            eb('blocked_until', '>', database.in(BELIEVED_MS)),
          ]),
        )
        .executeTakeFirst()
      return Number(uses.numDeletedRows + blocks.numDeletedRows)
    },
  }
}
