// What is used of rates, compared before it is set, and silences that third parties asked for.
import { sql, type SqlBool } from 'kysely'
import type { RateStore } from '../../../store/rates.ts'
import { writeRow } from './row.ts'
import { changesAny, countChanged, StoreGroup } from './store-group.ts'

/** No silence is longer. A row that says so is not believed, whatever wrote it. */
const MAX_SILENCE_MS = 24 * 60 * 60_000
/** The same for reading: processes do not agree to the millisecond. */
const BELIEVED_MS = MAX_SILENCE_MS + 60_000

export class Rates extends StoreGroup implements RateStore {
  readonly read: RateStore['read'] = async ({ ownerId, periodMs }) => {
    const row = await this.db
      .selectFrom(this.db.selectNoFrom(this.now().as('now')).as('clock'))
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
  }

  readonly write: RateStore['write'] = async (place, version, { slice, used }, keepMs) => {
    const { ownerId, periodMs } = place
    const values = {
      ...writeRow({ slice, used }),
      version: version + 1,
      expires_at: this.now(keepMs),
    }
    const statement =
      version === 0
        ? this.db
            .insertInto('rate_use')
            .values({ owner_id: ownerId, period_ms: periodMs, ...values })
            .onConflict((conflict) => conflict.doNothing())
        : this.db
            .updateTable('rate_use')
            .set(values)
            .where('owner_id', '=', ownerId)
            .where('period_ms', '=', periodMs)
            .where('version', '=', version)
    return await changesAny(this.db, statement)
  }

  readonly block: RateStore['block'] = async (ownerId, ms) => {
    const until = this.now(Math.min(ms, MAX_SILENCE_MS))
    await sql`insert into rate_block (owner_id, blocked_until) values (${ownerId}, ${until})
      on conflict (owner_id) do update set blocked_until = excluded.blocked_until
      where rate_block.blocked_until < excluded.blocked_until
      or rate_block.blocked_until > ${this.now(BELIEVED_MS)}`.execute(this.db)
  }

  readonly blocked: RateStore['blocked'] = async () => {
    const rows = await this.db
      .selectFrom('rate_block')
      .select(['owner_id', sql<number>`blocked_until - ${this.now()}`.as('ms')])
      .where('blocked_until', '>', this.now())
      .where('blocked_until', '<=', this.now(BELIEVED_MS))
      .execute()
    return rows.map(({ owner_id: ownerId, ms }) => ({ ownerId, ms }))
  }

  readonly purgeExpired: RateStore['purgeExpired'] = async () => {
    const uses = await this.removeExpired('rate_use')
    const blocks = this.db
      .deleteFrom('rate_block')
      .where(
        sql<SqlBool>`(blocked_until <= ${this.now()} or blocked_until > ${this.now(BELIEVED_MS)})`,
      )
    return uses + (await countChanged(this.db, blocks))
  }
}
