// Applications of organisations.
import type { ApplicationRow, ApplicationStore } from '../../../store/applications-and-tokens.ts'
import { audited } from './audit-chain.ts'
import { readRow, writeRow } from './row.ts'
import { changesAny, StoreGroup } from './store-group.ts'

export class Applications extends StoreGroup implements ApplicationStore {
  readonly create: ApplicationStore['create'] = async (application, audit) => {
    const values = { ...writeRow(application), created_at: this.now(), disabled_at: null }
    await audited(this.database, audit, (tx) =>
      tx.insertInto('application').values(values).execute(),
    )
  }

  readonly byClientId: ApplicationStore['byClientId'] = async (clientId) => {
    const row = await this.db
      .selectFrom('application')
      .selectAll()
      .where('client_id', '=', clientId)
      .executeTakeFirst()
    return row === undefined ? null : readRow<ApplicationRow>(row)
  }

  readonly list: ApplicationStore['list'] = async (organizationId) => {
    const rows = await this.db
      .selectFrom('application')
      .selectAll()
      .where((eb) => eb.and(writeRow(organizationId === undefined ? {} : { organizationId })))
      .orderBy('client_id')
      .execute()
    return rows.map((row) => readRow<ApplicationRow>(row))
  }

  readonly update: ApplicationStore['update'] = async (clientId, patch, audit) =>
    await audited(this.database, audit, (tx) =>
      changesAny(
        tx,
        tx
          .updateTable('application')
          .set({ client_id: clientId, ...writeRow(patch) })
          .where('client_id', '=', clientId),
      ),
    )

  readonly count: ApplicationStore['count'] = async () => {
    const { count } = await this.db
      .selectFrom('application')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  }
}
