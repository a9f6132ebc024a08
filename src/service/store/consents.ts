// Consents under way, and what finished ones left.
import type { JsonObject } from '../../language/json/json.ts'
import type { AuditEntry } from './audit.ts'
import type { Owner } from './owner.ts'

/** A consent under way. Secrets are hashes, or sealed. */
export interface OAuthStateInput {
  readonly stateHash: string
  readonly ticketHash: string
  readonly organizationId: string
  readonly clientId: string | null
  /** Of the token that started it, or of the connect link, with `connect:` before it. */
  readonly tokenHash: string | null
  readonly externalUserId: string
  readonly connectorType: string
  /** Of the manifest that it began with; null: it began before versions were kept. */
  readonly connectorVersion: string | null
  /** The method that is agreed to; null: the first with a consent, of before methods were kept. */
  readonly authMethod: string | null
  readonly redirectUrl: string
  /** What the host app wants back. */
  readonly hostState: string | null
  readonly config: JsonObject | null
  readonly verifierSealed: Uint8Array | null
  readonly issuer: string | null
  readonly expiresAt: number
}

export interface OAuthStateRow extends OAuthStateInput {
  readonly createdAt: number
}

export interface OAuthStateStore {
  insert(state: OAuthStateInput, audit?: AuditEntry): Promise<void>
  /** Binds a ticket to the first browser that shows it. Null: unknown, expired, used, or another browser's. */
  bindBrowser(ticketHash: string, cookieHash: string): Promise<OAuthStateRow | null>
  /** Uses a state up: of many calls exactly one gets the row, and only with the cookie it is bound to. */
  take(stateHash: string, cookieHash: string): Promise<OAuthStateRow | null>
  purgeExpired(): Promise<number>
}

/** What a finished consent left for the instance to be made of it. */
export interface OAuthSecretInput {
  readonly secretHash: string
  readonly organizationId: string
  readonly externalUserId: string
  readonly connectorType: string
  readonly sealed: Uint8Array
  readonly grantedScopes: readonly string[] | null
  readonly config: JsonObject | null
  readonly expiresAt: number
}

export interface OAuthSecretRow extends OAuthSecretInput {
  /** When an instance was made of it; `sealed` is empty from then on. */
  readonly usedAt: number | null
}

export interface OAuthSecretStore {
  insert(secret: OAuthSecretInput, audit?: AuditEntry): Promise<void>
  /** The secret while it is not expired, also when it is used up. */
  read(owner: Owner, connectorType: string, secretHash: string): Promise<OAuthSecretRow | null>
  /** Gives a used secret back, with what was sealed: nothing came of its use. False: unknown, expired, or not used. */
  putBack(organizationId: string, secretHash: string, sealed: Uint8Array): Promise<boolean>
  purgeExpired(): Promise<number>
}
