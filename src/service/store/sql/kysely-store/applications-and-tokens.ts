// Applications of organisations, and tokens by the hash of their text.
import type {
  ApplicationRow,
  ApplicationStore,
  TokenRow,
  TokenStore,
} from '../../../store/applications-and-tokens.ts'
import { audited } from './audit-chain.ts'
import { readRow, writeRow } from './row.ts'
import { changesAny, countChanged, StoreGroup } from './store-group.ts'

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

export class Tokens extends StoreGroup implements TokenStore {
  readonly insert: TokenStore['insert'] = async ({ madeBy = null, ...token }, audit) => {
    const values = {
      ...writeRow<TokenRow>(token),
      external_user_id: token.scope?.externalUserId ?? null,
      made_by: madeBy,
      created_at: this.now(),
    }
    await audited(this.database, audit, (tx) => tx.insertInto('token').values(values).execute())
  }

  readonly find: TokenStore['find'] = async (hash) => {
    const row = await this.db
      .selectFrom('token')
      .leftJoin('application', 'application.client_id', 'token.client_id')
      .select(['token.hash', 'token.kind', 'token.organization_id', 'token.client_id'])
      .select(['token.scope', 'token.expires_at'])
      .where('token.hash', '=', hash)
      .where('token.expires_at', '>', this.now())
      .where('application.disabled_at', 'is', null)
      .executeTakeFirst()
    return row === undefined ? null : readRow<TokenRow>(row)
  }

  readonly revoke: TokenStore['revoke'] = async (organizationId, hash, audit) =>
    await audited(this.database, audit, async (tx) => {
      const ended = await tx
        .deleteFrom('token')
        .where('organization_id', '=', organizationId)
        .where((eb) => eb.or([eb('hash', '=', hash), eb('made_by', '=', hash)]))
        .returning('hash')
        .execute()
      await tx
        .deleteFrom('connect_session')
        .where('organization_id', '=', organizationId)
        .where('made_by', 'in', [hash, ...ended.map((token) => token.hash)])
        .execute()
      return ended.some((token) => token.hash === hash)
    })

  readonly revokeUser: TokenStore['revokeUser'] = async (organizationId, externalUserId, audit) => {
    const user = writeRow({ organizationId, externalUserId })
    return await audited(this.database, audit, async (tx) => {
      const tokens = tx.deleteFrom('token').where((eb) => eb.and(user))
      const ended = await countChanged(tx, tokens)
      await tx
        .deleteFrom('connect_session')
        .where((eb) => eb.and(user))
        .execute()
      return ended
    })
  }

  readonly purgeExpired: TokenStore['purgeExpired'] = () => this.removeExpired('token')
}
