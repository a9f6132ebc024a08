// Wrapped data keys, by owner and version.
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { DataKeyPlace, DataKeyStore } from '../../../store/data-keys.ts'
import { below, given, without } from '../statements.ts'
import { StoreGroup } from './store-group.ts'

export class DataKeys extends StoreGroup implements DataKeyStore {
  readonly get: DataKeyStore['get'] = async (ownerId, version) => {
    const order = { by: ['version'], isDescending: true, limit: 1 } as const
    const [row] = await this.rows.list('data_key', { ownerId, version: given(version) }, order)
    return without(row ?? null, 'ownerId', 'createdAt')
  }

  readonly versions: DataKeyStore['versions'] = async (ownerId) =>
    await this.db
      .selectFrom('data_key')
      .select(['version', 'keyId', 'wrapped', 'uses'])
      .select(sql<number>`${this.now()} - created_at`.as('ageMs'))
      .where('ownerId', '=', ownerId)
      .orderBy('version', 'desc')
      .execute()

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

  readonly madeBefore: DataKeyStore['madeBefore'] = (beforeMs, limit, after) =>
    this.#newest(limit, after, sql<SqlBool>`max(created_at) < ${beforeMs}`)

  readonly superseded: DataKeyStore['superseded'] = (ageMs, limit, after) =>
    this.#newest(
      limit,
      after,
      sql<SqlBool>`count(*) > 1 and max(created_at) <= ${this.now(-ageMs)}`,
    )

  /** The newest versions of owners behind one, ordered by owner. */
  async #newest(
    limit: number,
    after: string | undefined,
    condition: RawBuilder<SqlBool>,
  ): Promise<readonly DataKeyPlace[]> {
    return await this.db
      .selectFrom('data_key')
      .select((eb) => ['ownerId', eb.fn.max('version').as('version')])
      .where('ownerId', '>', after ?? '')
      .groupBy('ownerId')
      .having(condition)
      .orderBy('ownerId')
      .limit(limit)
      .execute()
  }

  readonly put: DataKeyStore['put'] = async (ownerId, { version, keyId, wrapped }) => {
    const key = { ownerId, version, keyId, wrapped, uses: 0, createdAt: this.now() }
    return await this.rows.insertNew('data_key', key)
  }

  readonly addUses: DataKeyStore['addUses'] = async (ownerId, version, count) => {
    const row = await this.db
      .updateTable('data_key')
      .set((eb) => ({ uses: eb('uses', '+', count) }))
      .where((eb) => eb.and({ ownerId, version }))
      .returning('uses')
      .executeTakeFirst()
    return row?.uses ?? 0
  }

  readonly rewrap: DataKeyStore['rewrap'] = async (ownerId, fromKeyId, next) => {
    const { version, keyId, wrapped } = next
    const before = { ownerId, version, keyId: fromKeyId }
    return (await this.rows.update('data_key', before, { keyId, wrapped })) > 0
  }

  readonly onKey: DataKeyStore['onKey'] = async (keyId, limit, after) =>
    await this.db
      .selectFrom('data_key')
      .select(['ownerId', 'version', 'keyId', 'wrapped', 'uses'])
      .where('keyId', '=', keyId)
      .where(sql<SqlBool>`(owner_id, version) > (${after?.ownerId ?? ''}, ${after?.version ?? 0})`)
      .orderBy('ownerId')
      .orderBy('version')
      .limit(limit)
      .execute()

  readonly removeOlder: DataKeyStore['removeOlder'] = (ownerId, version) =>
    this.rows.remove('data_key', { ownerId, version: below(version) })

  readonly countByKey: DataKeyStore['countByKey'] = async () => {
    const rows = await this.db
      .selectFrom('data_key')
      .select(['keyId', (eb) => eb.fn.countAll<number>().as('count')])
      .groupBy('keyId')
      .orderBy('keyId')
      .execute()
    return Object.fromEntries(rows.map(({ keyId, count }) => [keyId, count]))
  }
}
