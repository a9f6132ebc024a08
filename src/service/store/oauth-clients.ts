// OAuth clients that administrators store for their organisation: those of the operator's settings are not here.
import type { AuditEntry } from './audit.ts'

export interface OAuthClientPlace {
  readonly organizationId: string
  readonly connectorType: string
}

export interface OAuthClientRow extends OAuthClientPlace {
  /** It is no secret: consent pages show it in their addresses. */
  readonly clientId: string
  /** Sealed for the organisation, under this version; null: a public client, which has none. */
  readonly secretSealed: Uint8Array | null
  /** Never the same one again, not even after a removal. */
  readonly version: number
  /** As the audit log names who did it. */
  readonly changedBy: string
  readonly changedAt: number
}

export interface OAuthClientStore {
  /** Stores one in the place of the version `before`; null: there is none. False: another one is there by now. */
  put(
    row: Omit<OAuthClientRow, 'changedBy' | 'changedAt'>,
    before: number | null,
    audit: AuditEntry,
  ): Promise<boolean>
  /** Of all organisations, or of one; ordered by organisation and type. */
  list(organizationId?: string): Promise<readonly OAuthClientRow[]>
  /** Stores the secret, sealed under another data key. False: this version is gone. */
  reseal(place: OAuthClientPlace, version: number, secretSealed: Uint8Array): Promise<boolean>
  /** False: there is none. */
  remove(place: OAuthClientPlace, audit: AuditEntry): Promise<boolean>
}
