// Who calls, and what of the service they may see and do.
import { ConnectorError } from '../../errors.ts'
import type { Compat } from '../store/applications-and-tokens.ts'
import type { Role } from '../../display/rights.ts'
import type { Owner } from '../store/owner.ts'
import { addressDenied, isAllowed } from './allowed-addresses.ts'

/** The caller of one request, as its token says, or as the host app says in a plugin. */
export interface Principal {
  /** `application`: acts for every user of the organisation. `scoped`: for one user. */
  readonly kind: 'application' | 'scoped'
  readonly organizationId: string
  /** The application behind the token; null where a host app vouches. */
  readonly clientId: string | null
  /** Null: every user of the organisation. */
  readonly externalUserId: string | null
  readonly connectorTypes: readonly string[] | null
  readonly connectorIds: readonly string[] | null
  /** `entity.action`, `*` for either part; null: all. */
  readonly actions: readonly string[] | null
  /** May create, change and delete instances, start OAuth, trigger syncs. */
  readonly manage: boolean
  /** May send requests of its own making with the credentials of instances. */
  readonly mayRequest: boolean
  /** SHA-256 of the token; null where there is none. */
  readonly tokenHash: string | null
  /** SHA-256 of the token of the connect link that an end user came by; left out: it was none. */
  readonly linkHash?: string
  /** SHA-256 of the cookie of a session at the console; left out: it is none. */
  readonly sessionHash?: string
  /** IP address of the request; left out where it is not known, and for end users, whose addresses no log keeps. */
  readonly address?: string | null
  /** From where an application may call; left out or none: everywhere. */
  readonly addresses?: readonly string[]
  /** Who it is at the console, where that was told by an OpenID provider; left out: an application is all. */
  readonly person?: { readonly login: string; readonly role: Role }
  /** Whose answers it wants; null: those of this service. */
  readonly compat: Compat | null
}

/** Acts for every user of its organisation. */
export function applicationPrincipal(
  organizationId: string,
  clientId: string | null,
  tokenHash: string | null,
): Principal {
  return {
    kind: 'application',
    organizationId,
    clientId,
    externalUserId: null,
    connectorTypes: null,
    connectorIds: null,
    actions: null,
    manage: true,
    mayRequest: false,
    tokenHash,
    compat: null,
  }
}

/** The rows that a principal sees; a foreign one is as unknown as one that never was. */
export function ownerOf(principal: Principal): Owner {
  const { organizationId, externalUserId, connectorTypes, connectorIds } = principal
  return {
    organizationId,
    ...(externalUserId === null ? {} : { externalUserId }),
    ...(connectorTypes === null ? {} : { connectorTypes }),
    ...(connectorIds === null ? {} : { connectorIds }),
  }
}

/** Whether an action is within the narrowing of the token. */
export function mayRun({ actions }: Principal, entity: string, action: string): boolean {
  if (actions === null) return true
  const covering = [`${entity}.${action}`, `${entity}.*`, `*.${action}`, '*.*']
  return covering.some((pattern) => actions.includes(pattern))
}

/** Throws `scope_denied` for an action outside the narrowing. */
export function requireAction(principal: Principal, entity: string, action: string): void {
  if (mayRun(principal, entity, action)) return
  throw denied(
    `this token may not run ${entity}.${action}; mint one whose "actions" include it`,
    '/action',
  )
}

/** Throws `scope_denied` for a token without `manage`. */
export function requireManage(principal: Principal): void {
  if (principal.manage) return
  throw denied(
    'this token was minted with "manage": false and may not create, change, delete, connect or synchronize',
  )
}

/** Throws `address_denied` where an application calls from an address that is not on its list. End users have none. */
export function requireAllowedAddress(
  { kind, addresses = [] }: Pick<Principal, 'kind' | 'addresses'>,
  address: string | null,
): void {
  if (kind === 'application' && !isAllowed(addresses, address)) throw addressDenied(address)
}

/**
 * Throws `scope_denied` for a caller without the right to requests of its own making: its application lacks it, or its
 * token is narrowed to actions.
 */
export function requireRequests({ mayRequest, actions }: Principal): void {
  if (!mayRequest)
    throw denied(
      'this application may not send requests of its own making; its operator allows it: tenon apps update <client-id> --allow request',
    )
  if (actions !== null)
    throw denied('this token was minted for certain actions, and a request is none of them')
}

/** Throws `scope_denied` when a body names another user than the token's. */
export function requireUser(principal: Principal, externalUserId: string): void {
  if (principal.externalUserId === null || principal.externalUserId === externalUserId) return
  throw denied('this token acts for another external_user_id', '/external_user_id')
}

/** Throws `scope_denied` for a token of certain instances: what it makes would be none of them. */
export function requireAnyInstance(principal: Principal): void {
  if (principal.connectorIds === null) return
  throw denied(
    'this token was minted for certain instances, its "connector_ids", and may not make another one',
  )
}

/** Throws `scope_denied` for a connector type outside the narrowing; `pointer` is where it stands in the request. */
export function requireType(
  principal: Principal,
  connectorType: string,
  pointer = '/connector_type',
): void {
  if (principal.connectorTypes === null || principal.connectorTypes.includes(connectorType)) return
  throw denied(
    `this token may not use ${connectorType}; it may use ${principal.connectorTypes.join(', ')}`,
    pointer,
  )
}

/** Throws `scope_denied` for a caller who sees a part of the organisation only. */
export function requireWhole({ externalUserId, connectorTypes, connectorIds }: Principal): void {
  if (externalUserId === null && connectorTypes === null && connectorIds === null) return
  throw denied(
    'this concerns the whole organisation; only an application that sees all of it may read or change it',
  )
}

function denied(message: string, pointer = ''): ConnectorError {
  return new ConnectorError('scope_denied', message, {
    errors: pointer === '' ? [] : [{ pointer, code: 'scope', detail: message }],
  })
}
