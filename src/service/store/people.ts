// People who sign in to the console at an OpenID provider, and what they may do there.
import type { Role } from '../../display/rights.ts'
import type { AuditEntry } from './audit.ts'
import type { ConsoleSessionRow } from './console-sessions.ts'

/** A person as the provider and the settings tell of them at a sign-in. */
export interface PersonInput {
  readonly organizationId: string
  readonly issuer: string
  /** Never another person at this issuer. */
  readonly subject: string
  /** What the audit log calls them: an address that the provider has proved, else the subject. */
  readonly login: string
  /** What people call them; null: the provider does not say. */
  readonly name: string | null
  readonly role: Role
}

export interface PersonRow extends PersonInput {
  readonly personId: string
  /** Given here, instead of the one of the settings; null: none. */
  readonly givenRole: Role | null
  readonly createdAt: number
  readonly signedInAt: number
  /** Since when they are let in no more. */
  readonly removedAt: number | null
}

export interface PersonStore {
  /** Notes a sign-in, and opens a session for at most `lifeMs`. Null: the person was removed. */
  signIn(
    person: PersonInput,
    session: { readonly sessionHash: string; readonly lifeMs: number },
    audit: AuditEntry,
  ): Promise<ConsoleSessionRow | null>
  /** Of one organisation, ordered by their logins. */
  list(organizationId: string): Promise<readonly PersonRow[]>
  /** Null: there is no such person. A removal ends their sessions; another role holds for those at once. */
  update(
    organizationId: string,
    personId: string,
    change: { readonly givenRole?: Role | null; readonly isRemoved?: boolean },
    audit: AuditEntry,
  ): Promise<PersonRow | null>
}
