// OAuth clients of organisations, one for each connector.
import type { OAuthClientStore } from '../../../store/oauth-clients.ts'
import { given } from '../statements.ts'
import { audited } from './audit-chain.ts'
import { StoreGroup } from './store-group.ts'

export class OAuthClientRows extends StoreGroup implements OAuthClientStore {
  readonly put: OAuthClientStore['put'] = async (row, before, audit) =>
    await audited(this.rows, audit, async (tx) => {
      const { organizationId, connectorType } = row
      const change = { ...row, changedBy: audit.actor, changedAt: this.now() }
      if (before === null) return await tx.insertNew('oauth_client', change)
      const there = { organizationId, connectorType, version: before }
      return (await tx.update('oauth_client', there, change)) === 1
    })

  readonly list: OAuthClientStore['list'] = (organizationId) =>
    this.rows.list(
      'oauth_client',
      { organizationId: given(organizationId) },
      { by: ['organizationId', 'connectorType'] },
    )

  readonly reseal: OAuthClientStore['reseal'] = async (place, version, secretSealed) =>
    (await this.rows.update('oauth_client', { ...place, version }, { secretSealed })) === 1

  readonly remove: OAuthClientStore['remove'] = async (place, audit) =>
    await audited(
      this.rows,
      audit,
      async (tx) => (await tx.remove('oauth_client', { ...place })) === 1,
    )
}
