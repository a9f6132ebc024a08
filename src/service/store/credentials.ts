// Sealed credentials, and who refreshes them: leases, and what is about to be presented.
import type { JsonObject } from '../../language/json/json.ts'
import type { AuditEntry } from './audit.ts'
import type { InstancePatch, InstanceRow, OAuthSecretRefusal } from './instances.ts'
import type { Owner } from './owner.ts'

export interface CredentialInput {
  readonly sealed: Uint8Array
  /** null: unknown, only a 401 tells. */
  readonly expiresAt: number | null
  readonly accessFingerprint: string | null
  readonly refreshFingerprint: string | null
}

export interface CredentialRow extends CredentialInput {
  /** 1 at first, + 1 with every change of the tokens. */
  readonly generation: number
}

export interface RefreshedCredential extends CredentialInput {
  /** Settings that the token answer named; merged into the instance's. */
  readonly config?: JsonObject
  readonly nextRefreshAt: number | null
}

export interface CredentialReplacement extends Partial<
  Pick<InstanceRow, 'config' | 'authMethod' | 'grantedScopes' | 'replicationConfig'>
> {
  /** Seals the new credentials for the generation that they will have; called again if that was taken in between. */
  readonly seal: (generation: number) => Promise<CredentialInput>
  readonly oauthSecretHash: string | null
  /** What else is changed with them. */
  readonly patch?: Omit<InstancePatch, 'config' | 'replicationConfig'>
  /** For credentials that were proved before; left out: `pending`. A disabled instance stays so. */
  readonly state?: Pick<InstanceRow, 'state' | 'stateReason'>
  /** Left out: null. */
  readonly nextRefreshAt?: number | null
  /** Refused as `changed` when the instance has another `updatedAt`. */
  readonly unchangedSince?: number
}

export interface CredentialStore {
  read(instanceId: string): Promise<CredentialRow | null>
  /**
   * Stores refreshed tokens if `generation` is still the one they were made from: generation + 1, intent removed, state
   * `active` unless disabled, all in one transaction. False: the generation has moved on, and nothing was changed.
   */
  commitRefresh(
    instanceId: string,
    generation: number,
    next: RefreshedCredential,
    audit: AuditEntry,
  ): Promise<boolean>
  /**
   * Replaces credentials by hand, which always wins over a refresh: generation + 1, epoch + 1, the refresh lease ends and
   * its fence moves, the intent goes, state `pending` unless disabled; what else changes, changes with them, as one row of
   * the audit log and one event.
   */
  replace(
    owner: Owner,
    instanceId: string,
    change: CredentialReplacement,
    audit: AuditEntry,
  ): Promise<'replaced' | 'instance_unknown' | 'changed' | OAuthSecretRefusal>
  /** Stores the same credentials, sealed under another data key. False: they have changed meanwhile. */
  reseal(instanceId: string, generation: number, sealed: Uint8Array): Promise<boolean>
  /** Instances that want to be refreshed before a time, the most urgent first; none in `auth_error` or `disabled`. */
  expiring(beforeMs: number, limit: number): Promise<readonly InstanceRow[]>
  /** Puts the next refresh ahead of need of this generation off, after one that failed. Leaves the tokens alone. */
  scheduleRefresh(
    instanceId: string,
    generation: number,
    nextRefreshAt: number | null,
  ): Promise<void>
}

/** What a lease is for. There is one lease per instance and purpose. */
export const REFRESH_PURPOSE = 'refresh'

/** A lease as the process holds it. */
export interface HeldLease {
  readonly instanceId: string
  readonly purpose: string
  readonly ownerId: string
  readonly fence: number
}

export interface LeaseStore {
  /** The lease if nobody holds it. `fence` grows with every grant and never repeats. */
  acquire(
    instanceId: string,
    purpose: string,
    ownerId: string,
    ttlMs: number,
  ): Promise<Pick<HeldLease, 'fence'> | null>
  /** False: another process holds it, or its fence moved. */
  extend(lease: HeldLease, ttlMs: number): Promise<boolean>
  /** Ends the lease if it is still this one. */
  release(lease: HeldLease): Promise<void>
}

/** That a refresh token is about to be presented, on disk before it is. */
export interface IntentInput {
  readonly instanceId: string
  readonly generation: number
  readonly refreshFingerprint: string | null
  /** Of the lease it was written under. */
  readonly fence: number
  readonly kind: 'normal' | 'recovery'
  /** The process. */
  readonly sentBy: string
  readonly attempts: number
  readonly notBefore: number | null
  /** How an earlier attempt ended; null: not known. */
  readonly mark: string | null
}

export interface IntentRow extends IntentInput {
  readonly createdAt: number
}

export interface IntentStore {
  find(instanceId: string): Promise<IntentRow | null>
  /**
   * Stores an intent in place of the one there is. False, and nothing stored: the credentials have another generation by
   * now, or the refresh lease has another fence. Then nothing may be sent.
   */
  put(intent: IntentInput): Promise<boolean>
  /** False: there is no intent for this generation. */
  update(
    instanceId: string,
    generation: number,
    patch: Partial<Pick<IntentInput, 'kind' | 'sentBy' | 'attempts' | 'notBefore' | 'mark'>>,
  ): Promise<boolean>
  remove(instanceId: string, generation: number): Promise<void>
  /**
   * Instances of which a refresh was under way when its process ended: an intent without an outcome, and no lease. The
   * oldest intent comes first; none is in `auth_error` or `disabled`.
   */
  abandoned(limit: number): Promise<readonly InstanceRow[]>
}
