// Whom a host app vouches for, in the service's terms.
import type { Principal } from '../service/tokens/principal.ts'

export interface HostPrincipal {
  readonly organizationId: string
  /** Left out: every user of the organisation. */
  readonly externalUserId?: string
  readonly connectorTypes?: readonly string[]
  readonly connectorIds?: readonly string[]
  /** `entity.action`, `*` for either part; left out: all. */
  readonly actions?: readonly string[]
  /** May create, change and delete instances; default true. */
  readonly manage?: boolean
}

export function principalOf(host: HostPrincipal): Principal {
  return {
    kind: host.externalUserId === undefined ? 'application' : 'scoped',
    organizationId: host.organizationId,
    clientId: null,
    externalUserId: host.externalUserId ?? null,
    connectorTypes: host.connectorTypes ?? null,
    connectorIds: host.connectorIds ?? null,
    actions: host.actions ?? null,
    manage: host.manage ?? true,
    tokenHash: null,
    compat: null,
  }
}
