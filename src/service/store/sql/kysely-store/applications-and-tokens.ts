// Applications of organisations, and tokens by the hash of their text.
import { hash } from 'node:crypto'
import type { ApplicationStore, TokenStore } from '../../../store/applications-and-tokens.ts'
import { atMost, given, oneOf } from '../statements.ts'
import { appendAudit, audited } from './audit-chain.ts'
import { StoreGroup } from './store-group.ts'

export class Applications extends StoreGroup implements ApplicationStore {
  readonly create: ApplicationStore['create'] = async (application, audit) => {
    const given = { compat: null, allows: [], ...application }
    const row = { ...given, createdAt: this.now(), disabledAt: null, logoHash: null }
    await audited(this.rows, audit, (tx) => tx.insert('application', row))
  }

  readonly byClientId: ApplicationStore['byClientId'] = (clientId) =>
    this.rows.find('application', { clientId })

  readonly list: ApplicationStore['list'] = (organizationId) =>
    this.rows.list('application', { organizationId: given(organizationId) }, { by: ['clientId'] })

  readonly update: ApplicationStore['update'] = async (clientId, { logo, ...patch }, audit) =>
    await this.rows.transaction(async (tx) => {
      const logoHash = logo instanceof Uint8Array ? hash('sha256', logo) : logo
      const changes = { clientId, ...patch, logoHash }
      if ((await tx.update('application', { clientId }, changes)) === 0) return false
      if (logo !== undefined) await tx.remove('application_logo', { clientId })
      if (logo instanceof Uint8Array) await tx.insert('application_logo', { clientId, image: logo })
      const isOther = patch.secretHash !== undefined || (patch.disabledAt ?? null) !== null
      if (isOther) await tx.remove('console_session', { clientId })
      if (audit !== undefined) await appendAudit(tx, audit)
      return true
    })

  readonly logo: ApplicationStore['logo'] = async (clientId) =>
    (await this.rows.find('application_logo', { clientId }))?.image ?? null

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
    const externalUserId = token.scope?.externalUserId ?? null
    const row = { ...token, externalUserId, madeBy, createdAt: this.now() }
    await audited(this.rows, audit, (tx) => tx.insert('token', row))
  }

  readonly find: TokenStore['find'] = async (hash) => {
    const row = await this.db
      .selectFrom('token')
      .leftJoin('application', 'application.clientId', 'token.clientId')
      .select(['token.hash', 'token.kind', 'token.organizationId', 'token.clientId'])
      .select(['token.scope', 'token.expiresAt', 'application.compat', 'application.allows'])
      .where('token.hash', '=', hash)
      .where('token.expiresAt', '>', this.now())
      .where('application.disabledAt', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return null
    const { allows, ...token } = row
    return allows === null || allows.length === 0 ? token : { ...token, allows }
  }

  readonly revoke: TokenStore['revoke'] = async (organizationId, hash, audit) =>
    await audited(this.rows, audit, async (tx) => {
      const ended = await tx.db
        .deleteFrom('token')
        .where('organizationId', '=', organizationId)
        .where((eb) => eb.or([eb('hash', '=', hash), eb('madeBy', '=', hash)]))
        .returning('hash')
        .execute()
      const makers = oneOf([hash, ...ended.map((token) => token.hash)])
      await tx.remove('connect_session', { organizationId, madeBy: makers })
      return ended.some((token) => token.hash === hash)
    })

  readonly revokeUser: TokenStore['revokeUser'] = async (organizationId, externalUserId, audit) =>
    await audited(this.rows, audit, async (tx) => {
      const user = { organizationId, externalUserId }
      const ended = await tx.remove('token', user)
      await tx.remove('connect_session', user)
      return ended
    })

  readonly purgeExpired: TokenStore['purgeExpired'] = () =>
    this.rows.remove('token', { expiresAt: atMost(this.now()) })
}
