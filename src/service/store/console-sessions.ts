// Who is signed in to the console.
import type { AuditEntry } from './audit.ts'
import type { Role } from '../../display/rights.ts'
import type { PersonRow } from './people.ts'

export interface ConsoleSessionInput {
  /** SHA-256 of the cookie, hex. */
  readonly sessionHash: string
  readonly organizationId: string
  /** The application that signed in with its secret; null: a person did, at an OpenID provider. */
  readonly clientId: string | null
  readonly personId: string | null
}

/** A session, with the person and their role as they are now. */
export interface FoundConsoleSession extends ConsoleSessionRow {
  readonly person: (Pick<PersonRow, 'login' | 'name'> & { readonly role: Role }) | null
  /** From where its application may be used; none: everywhere. */
  readonly addresses: readonly string[]
}

export interface ConsoleSessionRow extends ConsoleSessionInput {
  readonly createdAt: number
  /** Of its latest request, to the minute. */
  readonly usedAt: number
  readonly endsAt: number
}

export interface PersonSessions {
  readonly personId: string
  readonly usedAt: number
  readonly count: number
}

export interface ConsoleSessionStore {
  /**
   * Opens a session of an application for at most `lifeMs`. Null: the application was disabled meanwhile, or has another
   * secret than the one with this hash.
   */
  open(
    session: ConsoleSessionInput & { readonly clientId: string },
    secretHash: string,
    lifeMs: number,
    audit: AuditEntry,
  ): Promise<ConsoleSessionRow | null>
  /** The session while it lives, and was used within `idleMs`; now it is used. */
  find(sessionHash: string, idleMs: number): Promise<FoundConsoleSession | null>
  close(sessionHash: string): Promise<void>
  /** Of each person of an organisation who has sessions that live: how many, and their latest request. */
  ofPeople(organizationId: string, idleMs: number): Promise<readonly PersonSessions[]>
  /** Removes sessions that are over, and those that nobody used within `idleMs`. */
  purgeExpired(idleMs: number): Promise<number>
}
