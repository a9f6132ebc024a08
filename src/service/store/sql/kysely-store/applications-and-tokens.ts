// Applications of organisations, and tokens by the hash of their text.
import { hash } from 'node:crypto'
import {
  type ApplicationSecretRow,
  type ApplicationStore,
  SECRET_USE_MS,
  type TokenStore,
} from '../../../store/applications-and-tokens.ts'
import { atMost, given, oneOf, type Rows } from '../statements.ts'
import { appendAudit, audited } from './audit-chain.ts'
import { StoreGroup } from './store-group.ts'

export class Applications extends StoreGroup implements ApplicationStore {
  readonly create: ApplicationStore['create'] = async (application, audit, secret) => {
    const given = { compat: null, allows: [], addresses: [], ...application }
    const row = { ...given, createdAt: this.now(), disabledAt: null, logoHash: null, accent: null }
    await audited(this.rows, audit, async (tx) => {
      await tx.insert('application', row)
      if (secret === undefined) return
      const { clientId, secretHash } = application
      await tx.insert('application_secret', {
        ...NEWEST,
        clientId,
        secretHash,
        ...secret,
        madeAt: this.now(),
      })
    })
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
      if ((patch.disabledAt ?? null) !== null) {
        // For good: when it is enabled again, what may have leaked stays without effect.
        await tx.remove('console_session', { clientId })
        await tx.remove('token', { clientId })
      }
      if (audit !== undefined) await appendAudit(tx, audit)
      return true
    })

  readonly rotateSecret: ApplicationStore['rotateSecret'] = async (
    clientId,
    secret,
    earlierEndsAt,
    audit,
  ) =>
    await this.rows.transaction(async (tx) => {
      const application = await tx.lock('application', { clientId })
      if (application === null) return false
      const { secretHash: before, now } = application
      await tx.update('application', { clientId }, { clientId, secretHash: secret.secretHash })
      for (const { secretHash, endsAt, replacedAt } of await this.#secretsIn(tx, [clientId])) {
        const isGood = secretHash === before || replacedAt !== null
        if (earlierEndsAt === null || !isGood || (endsAt ?? now + 1) <= now)
          await tx.remove('application_secret', { clientId, secretHash })
      }
      if (earlierEndsAt !== null) {
        const earlier = { clientId, secretHash: before }
        // One that an earlier version made has no row.
        await tx.insertNew('application_secret', { ...NEWEST, ...earlier })
        const known = await tx.find('application_secret', earlier)
        const endsAt = Math.min(earlierEndsAt, known?.endsAt ?? earlierEndsAt)
        await tx.update('application_secret', earlier, { endsAt, replacedAt: now })
      }
      await tx.insert('application_secret', { ...NEWEST, clientId, ...secret, madeAt: now })
      await tx.remove('console_session', { clientId })
      if (audit !== undefined) await appendAudit(tx, audit)
      return true
    })

  readonly endEarlierSecrets: ApplicationStore['endEarlierSecrets'] = async (clientId, audit) =>
    await audited(this.rows, audit, async (tx) => {
      const application = await tx.lock('application', { clientId })
      if (application === null) return 0
      const secrets = await this.#secretsIn(tx, [clientId])
      const earlier = secrets.filter(({ secretHash }) => secretHash !== application.secretHash)
      if (earlier.length === 0) return 0
      const secretHash = oneOf(earlier.map((secret) => secret.secretHash))
      const ended = await tx.remove('application_secret', { clientId, secretHash })
      await tx.remove('console_session', { clientId })
      return ended
    })

  readonly secrets: ApplicationStore['secrets'] = (clientIds) =>
    this.#secretsIn(this.rows, clientIds)

  readonly noteSecretUse: ApplicationStore['noteSecretUse'] = async (clientId, secretHash) => {
    const usedAt = this.now()
    const secret = { clientId, secretHash }
    const row = await this.rows.find('application_secret', secret)
    if (row === null)
      await this.rows.insertNew('application_secret', { ...NEWEST, ...secret, usedAt })
    else if (row.usedAt === null)
      await this.rows.update('application_secret', { ...secret, usedAt: null }, { usedAt })
    else
      await this.rows.update(
        'application_secret',
        { ...secret, usedAt: atMost(this.now(-SECRET_USE_MS)) },
        { usedAt },
      )
  }

  async #secretsIn(
    rows: Rows,
    clientIds: readonly string[],
  ): Promise<readonly ApplicationSecretRow[]> {
    if (clientIds.length === 0) return []
    const order = { by: ['madeAt', 'secretHash'], isDescending: true } as const
    return await rows.list('application_secret', { clientId: oneOf(clientIds) }, order)
  }

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

/** Of a secret that is the newest, and of which nothing else is known. */
const NEWEST = { madeBy: null, madeAt: null, endsAt: null, replacedAt: null, usedAt: null } as const

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
      .select('application.addresses')
      .where('token.hash', '=', hash)
      .where('token.expiresAt', '>', this.now())
      .where('application.disabledAt', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return null
    const { allows, addresses, ...token } = row
    return {
      ...token,
      ...(allows === null || allows.length === 0 ? {} : { allows }),
      ...(addresses === null || addresses.length === 0 ? {} : { addresses }),
    }
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
