// What the audit log gets: who did what to which thing, names and never values.
import { hash } from 'node:crypto'
import { type AuditAction, OF_LINK } from '../display/audit-actions.ts'
import type { AuditEntry } from './store/audit.ts'
import type { StateReason } from './store/instances.ts'
import { organizationOfKeyOwner } from './store/owner.ts'
import type { Store } from './store/store.ts'
import type { Principal } from './tokens/principal.ts'
import type { Place } from './vault/envelope.ts'

/** Whose log has what concerns no organisation: starts, rotated keys, unknown callers. */
export const OPERATOR = ''
export const COMMAND_LINE = 'cli'
export const SERVICE = 'service'
/** Callers that proved nothing. */
export const UNKNOWN = 'unknown'

/** How an end user begins in the log. */
export const AUDITED_USER = 'user:'

/**
 * What stands for an end user in the log: never the id, so that the log can stay whole when the user is erased. Somebody who
 * knows an id finds its events.
 */
export function auditedUser(organizationId: string, externalUserId: string): string {
  return `${AUDITED_USER}${hash('sha256', JSON.stringify([organizationId, externalUserId])).slice(0, 32)}`
}

/** Who acts, and from where and with which token. People of the console act under their own names. */
export type Actor = Pick<Principal, 'organizationId' | 'clientId' | 'person'> &
  Partial<Pick<Principal, 'address' | 'externalUserId' | 'tokenHash' | 'sessionHash' | 'linkHash'>>

/** Digits of the hash of a token or session that stand for it in the log. */
const TOKEN_DIGITS = 12

export function actorOf({ person, clientId }: Actor): string {
  return person === undefined ? (clientId ?? 'host') : `person:${person.login}`
}

/** What an entry is about: a thing by its name, or an end user by the id. */
type About = ({ readonly target: string } | { readonly user: string }) & {
  readonly instanceId?: string | null
  readonly outcome?: string
  readonly members?: readonly string[]
}

/** An entry about an instance, or about the organisation where there is none. */
export function auditOf(
  principal: Actor,
  requestId: string | null,
  action: AuditAction,
  about: About,
): AuditEntry {
  return {
    organizationId: principal.organizationId,
    instanceId: about.instanceId ?? null,
    requestId,
    actor: actorOf(principal),
    action,
    target: 'user' in about ? auditedUser(principal.organizationId, about.user) : about.target,
    outcome: about.outcome ?? 'done',
    members: about.members ?? [],
    address: principal.address ?? null,
    token: tokenOf(principal),
  }
}

/** What is kept of who begins what ends later, in the place of a hash of a token; null: there is none. */
export function startedWith({ tokenHash, linkHash }: Actor): string | null {
  return linkHash === undefined ? (tokenHash ?? null) : `${OF_LINK}${linkHash}`
}

/** What stands for the token, the session or the connect link that somebody acts by; null: there is none. */
function tokenOf(actor: Actor): string | null {
  const started = startedWith(actor) ?? actor.sessionHash ?? null
  const before = started?.startsWith(OF_LINK) === true ? OF_LINK.length : 0
  return started?.slice(0, before + TOKEN_DIGITS) ?? null
}

/** Of a new state, for the audit log: the code of its reason, and the status that the third party answered. */
export function causeOf(reason: StateReason | null): readonly string[] {
  if (reason === null) return []
  const { code, upstreamStatus: status } = reason
  return status === null ? [code] : [code, `status ${status}`]
}

/** Appends that a sealed value did not open, to the log of the instance or organisation whose value it is. */
export async function auditTampered(
  { audit, instances }: Pick<Store, 'audit' | 'instances'>,
  { owner, column }: Place,
): Promise<void> {
  const above = organizationOfKeyOwner(owner)
  const row = above === null ? await instances.find(owner) : null
  const organizationId = above ?? row?.organizationId ?? OPERATOR
  const about = { instanceId: row?.id ?? null, target: column, outcome: 'refused' }
  await audit.append(auditOf({ organizationId, clientId: SERVICE }, null, 'value.tampered', about))
}
