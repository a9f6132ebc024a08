// Applications of organisations, and the tokens minted for them.
import type { AuditEntry } from './audit.ts'

/** Whose answers an application wants instead of those of this service; their shapes: ../dialects.ts. */
export type Compat = 'agent-sdk'

/** What an application may do only where its operator allows it. `request`: requests of its own making. */
export type ApplicationRight = 'request'

/** How far the time of the last use of a secret may be behind, in milliseconds. */
export const SECRET_USE_MS = 60_000

export interface ApplicationRow {
  readonly clientId: string
  readonly organizationId: string
  readonly name: string
  /** SHA-256 of the newest client secret, hex; earlier ones: ApplicationSecretRow. */
  readonly secretHash: string
  /** Where a consent may end, compared character by character. */
  readonly redirectUrls: readonly string[]
  /** null: the answers of this service. */
  readonly compat: Compat | null
  readonly allows: readonly ApplicationRight[]
  /** Addresses and networks from which its secrets, and the tokens made with them, are good; none: everywhere. */
  readonly addresses: readonly string[]
  readonly createdAt: number
  readonly disabledAt: number | null
  /** Of its picture, hex; null: it has none. */
  readonly logoHash: string | null
  /** Its colour on the connect page, such as `#0f766e`; null: that of the page. */
  readonly accent: string | null
}

export type ApplicationPatch = Partial<
  Pick<
    ApplicationRow,
    'name' | 'redirectUrls' | 'compat' | 'allows' | 'addresses' | 'disabledAt' | 'accent'
  >
> & {
  /** Its picture, in place of the one it has; null: none. */
  readonly logo?: Uint8Array | null
}

/** What is known of a secret. One that an earlier version made has none until it is used. */
export interface ApplicationSecretRow {
  readonly clientId: string
  readonly secretHash: string
  /** As the audit log names who acts; null: not known. */
  readonly madeBy: string | null
  readonly madeAt: number | null
  /** null: it has no end. */
  readonly endsAt: number | null
  /** null: it is the newest. One that is neither the newest nor was replaced for a while is good for nothing. */
  readonly replacedAt: number | null
  /** To some minutes; null: never. */
  readonly usedAt: number | null
}

export type NewSecret = Pick<ApplicationSecretRow, 'secretHash' | 'madeBy' | 'endsAt'>

export interface ApplicationStore {
  create(
    /** Left out: `compat`, the answers of this service; `allows`, nothing; `addresses`, everywhere. */
    application: Omit<
      ApplicationRow,
      'createdAt' | 'disabledAt' | 'compat' | 'allows' | 'addresses' | 'logoHash' | 'accent'
    > &
      Partial<Pick<ApplicationRow, 'compat' | 'allows' | 'addresses'>>,
    audit?: AuditEntry,
    secret?: Pick<NewSecret, 'madeBy' | 'endsAt'>,
  ): Promise<void>
  byClientId(clientId: string): Promise<ApplicationRow | null>
  /** Of one organisation or of all, ordered by client id. */
  list(organizationId?: string): Promise<readonly ApplicationRow[]>
  /**
   * Gives it another secret. `earlierEndsAt`: until when the one before is good, if it has no earlier end; null: it and all
   * before it end at once. Its sessions at the console end. False: there is no such application.
   */
  rotateSecret(
    clientId: string,
    secret: NewSecret,
    earlierEndsAt: number | null,
    audit?: AuditEntry,
  ): Promise<boolean>
  /** Ends all secrets but the newest, and its sessions at the console. How many there were. */
  endEarlierSecrets(clientId: string, audit?: AuditEntry): Promise<number>
  /** What is known of the secrets of these applications, the newest first. */
  secrets(clientIds: readonly string[]): Promise<readonly ApplicationSecretRow[]>
  /** Notes that a secret is used, at most once in some minutes. */
  noteSecretUse(clientId: string, secretHash: string): Promise<void>
  /** False: there is no such application. An end ends its sessions at the console as well. */
  update(clientId: string, patch: ApplicationPatch, audit?: AuditEntry): Promise<boolean>
  /** Its picture; null: it has none. */
  logo(clientId: string): Promise<Uint8Array | null>
  count(): Promise<number>
}

/** The narrowing of a scoped token; null members do not narrow. */
export interface TokenScope {
  readonly externalUserId: string
  readonly connectorTypes: readonly string[] | null
  readonly connectorIds: readonly string[] | null
  readonly actions: readonly string[] | null
  readonly manage: boolean
}

export interface TokenRow {
  /** SHA-256 of the token, hex. */
  readonly hash: string
  readonly kind: 'application' | 'scoped'
  readonly organizationId: string
  /** null: minted where a host app vouches for its callers. */
  readonly clientId: string | null
  /** null: all users of the organisation. */
  readonly scope: TokenScope | null
  readonly expiresAt: number
}

/** A token with what its application may do; left out: nothing. */
export interface FoundToken extends TokenRow, Pick<ApplicationRow, 'compat'> {
  readonly allows?: readonly ApplicationRight[]
  /** From where its application may be used; left out: everywhere. */
  readonly addresses?: readonly string[]
}

export interface TokenStore {
  /** `madeBy`: hash of the token it is minted with; left out: none. */
  insert(token: TokenRow & { readonly madeBy?: string | null }, audit?: AuditEntry): Promise<void>
  /** The token while it lives: not expired, not revoked, and its application not disabled. */
  find(hash: string): Promise<FoundToken | null>
  /** Ends a token, what was minted with it, and the connect links made with either. False: this organisation has none. */
  revoke(organizationId: string, hash: string, audit?: AuditEntry): Promise<boolean>
  /** Ends all scoped tokens of a user, and the connect links for the user; how many tokens there were. */
  revokeUser(organizationId: string, externalUserId: string, audit?: AuditEntry): Promise<number>
  /** Removes what is expired; how many rows. */
  purgeExpired(): Promise<number>
}
