// Wrapped data keys, by owner and version.
import { type Selectable, sql } from 'kysely'
import type { DataKeyRow, DataKeyStore } from '../../../store/data-keys.ts'
import type { StoreDatabase } from '../database.ts'
import type { Tables } from '../schema.ts'
import { readBytes } from './json-column.ts'

export function createDataKeys(database: StoreDatabase): DataKeyStore {
  const { db, now } = database
  return {
    async get(ownerId, version) {
      const row = await db
        .selectFrom('data_key')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
        .orderBy('version', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row === undefined ? null : toDataKey(row)
    },

    async versions(ownerId) {
      const rows = await db
        .selectFrom('data_key')
        .selectAll()
        .select(sql<number>`${now()} - created_at`.as('age_ms'))
        .where('owner_id', '=', ownerId)
        .orderBy('version', 'desc')
        .execute()
      return rows.map((row) => ({ ...toDataKey(row), ageMs: row.age_ms }))
    },

    async succeed(ownerId, { version, keyId, wrapped }) {
      const inserted = await db
        .insertInto('data_key')
        .columns(['owner_id', 'version', 'key_id', 'wrapped', 'uses', 'created_at'])
        // A key of an owner that was deleted meanwhile would stay for ever.
        .expression(
          db
            .selectFrom('data_key')
            .where('owner_id', '=', ownerId)
            .where('version', '=', version - 1)
            .select((eb) => [
              'owner_id',
              eb.val(version).as('version'),
              eb.val(keyId).as('key_id'),
              eb.val(wrapped).as('wrapped'),
              eb.lit(0).as('uses'),
              now().as('created_at'),
            ]),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('version')
        .executeTakeFirst()
      return inserted !== undefined
    },

    async madeBefore(beforeMs, limit, after) {
      const rows = await db
        .selectFrom('data_key')
        .select((eb) => ['owner_id', eb.fn.max('version').as('version')])
        .$if(after !== undefined, (query) => query.where('owner_id', '>', after ?? ''))
        .groupBy('owner_id')
        .having((eb) => eb(eb.fn.max('created_at'), '<', beforeMs))
        .orderBy('owner_id')
        .limit(limit)
        .execute()
      return rows.map(({ owner_id: ownerId, version }) => ({ ownerId, version }))
    },

    async superseded(ageMs, limit, after) {
      const rows = await db
        .selectFrom('data_key')
        .select((eb) => ['owner_id', eb.fn.max('version').as('version')])
        .$if(after !== undefined, (query) => query.where('owner_id', '>', after ?? ''))
        .groupBy('owner_id')
        .having((eb) => eb(eb.fn.countAll(), '>', 1))
        .having((eb) => eb(eb.fn.max('created_at'), '<=', database.in(-ageMs)))
        .orderBy('owner_id')
        .limit(limit)
        .execute()
      return rows.map(({ owner_id: ownerId, version }) => ({ ownerId, version }))
    },

    async put(ownerId, { version, keyId, wrapped }) {
      const inserted = await db
        .insertInto('data_key')
        .values({
          owner_id: ownerId,
          version,
          key_id: keyId,
          wrapped,
          uses: 0,
          created_at: now(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('version')
        .executeTakeFirst()
      return inserted !== undefined
    },

    async addUses(ownerId, version, count) {
      const row = await db
        .updateTable('data_key')
        .set((eb) => ({ uses: eb('uses', '+', count) }))
        .where('owner_id', '=', ownerId)
        .where('version', '=', version)
        .returning('uses')
        .executeTakeFirst()
      return row?.uses ?? 0
    },

    async rewrap(ownerId, fromKeyId, { version, keyId, wrapped }) {
      const { numUpdatedRows } = await db
        .updateTable('data_key')
        .set({ key_id: keyId, wrapped })
        .where('owner_id', '=', ownerId)
        .where('version', '=', version)
        .where('key_id', '=', fromKeyId)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async onKey(keyId, limit, after) {
      const rows = await db
        .selectFrom('data_key')
        .selectAll()
        .where('key_id', '=', keyId)
        .$if(after !== undefined, (query) =>
          query.where((eb) =>
            eb.or([
              eb('owner_id', '>', after?.ownerId ?? ''),
              eb.and([
                eb('owner_id', '=', after?.ownerId ?? ''),
                eb('version', '>', after?.version ?? 0),
              ]),
            ]),
          ),
        )
        .orderBy('owner_id')
        .orderBy('version')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ ownerId: row.owner_id, ...toDataKey(row) }))
    },

    async removeOlder(ownerId, version) {
      const { numDeletedRows } = await db
        .deleteFrom('data_key')
        .where('owner_id', '=', ownerId)
        .where('version', '<', version)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    async countByKey() {
      const rows = await db
        .selectFrom('data_key')
        .select(['key_id', (eb) => eb.fn.countAll<number>().as('count')])
        .groupBy('key_id')
        .orderBy('key_id')
        .execute()
      return Object.fromEntries(rows.map(({ key_id: keyId, count }) => [keyId, count]))
    },
  }
}

function toDataKey(row: Selectable<Tables['data_key']>): DataKeyRow {
  return {
    version: row.version,
    keyId: row.key_id,
    wrapped: readBytes(row.wrapped),
    uses: row.uses,
  }
}
