// What is used of rates, compared before it is set, and silences that third parties asked for.
import { sql } from 'kysely'
import type { RateStore } from '../../../store/rates.ts'
import { above, atMost } from '../statements.ts'
import { StoreGroup } from './store-group.ts'

/** No silence is longer. A row that says so is not believed, whatever wrote it. */
const MAX_SILENCE_MS = 24 * 60 * 60_000
/** The same for reading: processes do not agree to the millisecond. */
const BELIEVED_MS = MAX_SILENCE_MS + 60_000

export class Rates extends StoreGroup implements RateStore {
  readonly read: RateStore['read'] = async ({ ownerId, periodMs }) => {
    const { now, slice, used, version } = await this.db
      .selectFrom(this.db.selectNoFrom(this.now().as('now')).as('clock'))
      .leftJoin('rate_use', (join) =>
        join.on('ownerId', '=', ownerId).on('periodMs', '=', periodMs),
      )
      .select(['clock.now', 'slice', 'used', 'version'])
      .executeTakeFirstOrThrow()
    const use = slice === null || used === null ? null : { slice, used }
    return { use, version: version ?? 0, nowMs: now }
  }

  readonly write: RateStore['write'] = async (
    { ownerId, periodMs },
    version,
    { slice, used },
    keepMs,
  ) => {
    const place = { ownerId, periodMs }
    const next = { slice, used, version: version + 1, expiresAt: this.now(keepMs) }
    if (version === 0) return await this.rows.insertNew('rate_use', { ...place, ...next })
    return (await this.rows.update('rate_use', { ...place, version }, next)) > 0
  }

  readonly block: RateStore['block'] = async (ownerId, ms) => {
    const until = this.now(Math.min(ms, MAX_SILENCE_MS))
    await sql`insert into rate_block (owner_id, blocked_until) values (${ownerId}, ${until})
      on conflict (owner_id) do update set blocked_until = excluded.blocked_until
      where rate_block.blocked_until < excluded.blocked_until
      or rate_block.blocked_until > ${this.now(BELIEVED_MS)}`.execute(this.db)
  }

  readonly blocked: RateStore['blocked'] = async () => {
    const query = this.db
      .selectFrom('rate_block')
      .select(['ownerId', sql<number>`blocked_until - ${this.now()}`.as('ms')])
      .where('blockedUntil', '>', this.now())
      .where('blockedUntil', '<=', this.now(BELIEVED_MS))
      .compile()
    return (await this.database.wide(query, 'rate_block')).rows
  }

  readonly purgeExpired: RateStore['purgeExpired'] = async () => {
    const uses = await this.rows.removeWide('rate_use', { expiresAt: atMost(this.now()) })
    const over = await this.rows.removeWide('rate_block', { blockedUntil: atMost(this.now()) })
    const absurd = { blockedUntil: above(this.now(BELIEVED_MS)) }
    return uses + over + (await this.rows.removeWide('rate_block', absurd))
  }
}
