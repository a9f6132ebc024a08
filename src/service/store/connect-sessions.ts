// Links of connect pages.
import type { JsonObject } from '../../language/json/json.ts'
import type { AuditEntry } from './audit.ts'

/** A link for one end user to connect one account, or to reconnect one. */
export interface ConnectSessionInput {
  readonly tokenHash: string
  readonly organizationId: string
  readonly clientId: string | null
  readonly externalUserId: string
  /** What the user may choose from; null: every connector there is. */
  readonly connectorTypes: readonly string[] | null
  /** The instance to reconnect; null: a new one is made. */
  readonly instanceId: string | null
  readonly returnUrl: string
  /** The origin whose pages may frame the page and hear from it; null: none. */
  readonly allowedOrigin: string | null
  readonly expiresAt: number
}

export interface ConnectSessionRow extends ConnectSessionInput {
  readonly createdAt: number
  /** How often somebody tried. */
  readonly attempts: number
  /** Why the last attempt failed, without secrets; null: it did not, or is under way. */
  readonly problem: JsonObject | null
  /** The instance that was connected. From then on the session is used up. */
  readonly connectedId: string | null
}

export interface ConnectSessionStore {
  /** `madeBy`: hash of the token it was made with; left out: none. */
  insert(
    session: ConnectSessionInput & { readonly madeBy?: string | null },
    audit: AuditEntry,
  ): Promise<void>
  /** The session while it is not expired, also when it is used up. */
  find(tokenHash: string): Promise<ConnectSessionRow | null>
  /** One that has expired, until it is removed. */
  findExpired(tokenHash: string): Promise<ConnectSessionRow | null>
  /**
   * Begins an attempt, for at most `ms`: of many calls at once one gets the row. Counts it and forgets the last problem.
   * Null: unknown, expired, used up, or somebody else is at it.
   */
  hold(tokenHash: string, ms: number): Promise<ConnectSessionRow | null>
  /** Ends an attempt that connected nothing. A session that is used up stays as it is. */
  release(tokenHash: string, problem: JsonObject | null): Promise<void>
  /** Uses a session up. */
  finish(tokenHash: string, connectedId: string): Promise<void>
  purgeExpired(): Promise<number>
}
