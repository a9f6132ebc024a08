// Wrapped data keys, by owner and version.
import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import type { DataKeyRow, DataKeyStore } from '../../../store/data-keys.ts'
import type { Tables } from '../schema.ts'
import { readRow, writeRow } from './row.ts'
import { changesAny, countChanged, StoreGroup } from './store-group.ts'

export class DataKeys extends StoreGroup implements DataKeyStore {
  readonly get: DataKeyStore['get'] = async (ownerId, version) => {
    const row = await this.db
      .selectFrom('data_key')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where((eb) => eb.and(version === undefined ? {} : { version }))
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row === undefined ? null : toDataKey(row)
  }

  readonly versions: DataKeyStore['versions'] = async (ownerId) => {
    const rows = await this.db
      .selectFrom('data_key')
      .selectAll()
      .select(sql<number>`${this.now()} - created_at`.as('age_ms'))
      .where('owner_id', '=', ownerId)
      .orderBy('version', 'desc')
      .execute()
    return rows.map(({ age_ms: ageMs, ...row }) => ({ ...toDataKey(row), ageMs }))
  }

  readonly succeed: DataKeyStore['succeed'] = async (ownerId, { version, keyId, wrapped }) => {
    // A key of an owner that was deleted meanwhile would stay for ever.
    const { numAffectedRows } =
      await sql`insert into data_key (owner_id, version, key_id, wrapped, uses, created_at)
      select owner_id, ${version}, ${keyId}, ${wrapped}, 0, ${this.now()} from data_key
      where owner_id = ${ownerId} and version = ${version - 1} on conflict do nothing`.execute(
        this.db,
      )
    return Number(numAffectedRows) > 0
  }

  readonly madeBefore: DataKeyStore['madeBefore'] = async (beforeMs, limit, after) =>
    await this.#newest(limit, after, sql<SqlBool>`max(created_at) < ${beforeMs}`)

  readonly superseded: DataKeyStore['superseded'] = async (ageMs, limit, after) =>
    await this.#newest(
      limit,
      after,
      sql<SqlBool>`count(*) > 1 and max(created_at) <= ${this.now(-ageMs)}`,
    )

  /** The newest versions of owners behind one, ordered by owner. */
  async #newest(
    limit: number,
    after: string | undefined,
    condition: RawBuilder<SqlBool>,
  ): ReturnType<DataKeyStore['madeBefore']> {
    const rows = await this.db
      .selectFrom('data_key')
      .select((eb) => ['owner_id', eb.fn.max('version').as('version')])
      .where('owner_id', '>', after ?? '')
      .groupBy('owner_id')
      .having(condition)
      .orderBy('owner_id')
      .limit(limit)
      .execute()
    return rows.map(({ owner_id: ownerId, version }) => ({ ownerId, version }))
  }

  readonly put: DataKeyStore['put'] = async (ownerId, { version, keyId, wrapped }) => {
    const key = writeRow({ ownerId, version, keyId, wrapped, uses: 0 })
    const adding = this.db
      .insertInto('data_key')
      .values({ ...key, created_at: this.now() })
      .onConflict((conflict) => conflict.doNothing())
    return await changesAny(this.db, adding)
  }

  readonly addUses: DataKeyStore['addUses'] = async (ownerId, version, count) => {
    const row = await this.db
      .updateTable('data_key')
      .set((eb) => ({ uses: eb('uses', '+', count) }))
      .where('owner_id', '=', ownerId)
      .where('version', '=', version)
      .returning('uses')
      .executeTakeFirst()
    return row?.uses ?? 0
  }

  readonly rewrap: DataKeyStore['rewrap'] = async (ownerId, fromKeyId, next) => {
    const { version, keyId, wrapped } = next
    const rewrapping = this.db
      .updateTable('data_key')
      .set({ key_id: keyId, wrapped })
      .where('owner_id', '=', ownerId)
      .where('version', '=', version)
      .where('key_id', '=', fromKeyId)
    return await changesAny(this.db, rewrapping)
  }

  readonly onKey: DataKeyStore['onKey'] = async (keyId, limit, after) => {
    const rows = await this.db
      .selectFrom('data_key')
      .selectAll()
      .where('key_id', '=', keyId)
      .where(sql<SqlBool>`(owner_id, version) > (${after?.ownerId ?? ''}, ${after?.version ?? 0})`)
      .orderBy('owner_id')
      .orderBy('version')
      .limit(limit)
      .execute()
    return rows.map((row) => ({ ownerId: row.owner_id, ...toDataKey(row) }))
  }

  readonly removeOlder: DataKeyStore['removeOlder'] = async (ownerId, version) => {
    const older = this.db.deleteFrom('data_key').where('version', '<', version)
    return await countChanged(this.db, older.where('owner_id', '=', ownerId))
  }

  readonly countByKey: DataKeyStore['countByKey'] = async () => {
    const rows = await this.db
      .selectFrom('data_key')
      .select(['key_id', (eb) => eb.fn.countAll<number>().as('count')])
      .groupBy('key_id')
      .orderBy('key_id')
      .execute()
    return Object.fromEntries(rows.map(({ key_id: keyId, count }) => [keyId, count]))
  }
}

function toDataKey(row: Selectable<Tables['data_key']>): DataKeyRow {
  const { owner_id: _ownerId, created_at: _createdAt, ...columns } = row
  return readRow<DataKeyRow>(columns)
}
