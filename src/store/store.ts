// What the service keeps, as a port: rows, and the few functions that read and change them. No SQL, no I/O.
//
// Times are milliseconds since 1970 by the store's own clock, unless a caller gives them. Ids of instances are lower-case
// UUIDs (version 7) made by the caller. Every function throws `store_unavailable` (with `retryAfterMs`) when the store
// cannot be reached, is read-only or full; a change is acknowledged only once it is on disk.
import type { JsonObject } from '../json/json.ts'
import type { EventType } from '../webhooks/event.ts'

/**
 * Whose rows a call may see; every part that is given narrows. A foreign row is as unknown as one that never was:
 * the functions answer null, false or 0 for both.
 */
export interface Owner {
  readonly organizationId: string
  readonly externalUserId?: string
  readonly connectorTypes?: readonly string[]
  /** Ids of instances. */
  readonly connectorIds?: readonly string[]
}

export interface Store {
  /** Whether several processes may serve it at once. */
  readonly isShared: boolean
  readonly applications: ApplicationStore
  readonly tokens: TokenStore
  readonly instances: InstanceStore
  readonly credentials: CredentialStore
  readonly leases: LeaseStore
  readonly intents: IntentStore
  readonly jobs: JobStore
  readonly rates: RateStore
  readonly dataKeys: DataKeyStore
  readonly oauthStates: OAuthStateStore
  readonly oauthSecrets: OAuthSecretStore
  readonly connectSessions: ConnectSessionStore
  readonly idempotency: IdempotencyStore
  readonly audit: AuditStore
  readonly events: EventStore
  readonly webhooks: WebhookStore
  readonly migrations: {
    /** How many steps the schema is behind this version of the program. */
    pending(): Promise<number>
    /** Brings the schema up to date in one transaction; the names of the steps that ran. Safe in many processes at once. */
    run(): Promise<readonly string[]>
  }
  /** Asks the store whether it answers. */
  health(): Promise<'ok'>
  /** The pool of this process; null: this store has none. */
  connections(): StoreConnections | null
  close(): Promise<void>
}

/** Connections to a database, of one process. */
export interface StoreConnections {
  readonly used: number
  readonly idle: number
  /** Those who wait for one. */
  readonly waiting: number
}

// Applications and tokens

export interface ApplicationRow {
  readonly clientId: string
  readonly organizationId: string
  readonly name: string
  /** SHA-256 of the client secret, hex. */
  readonly secretHash: string
  /** Where a consent may end, compared character by character. */
  readonly redirectUrls: readonly string[]
  readonly createdAt: number
  readonly disabledAt: number | null
}

export interface ApplicationPatch {
  readonly name?: string
  readonly redirectUrls?: readonly string[]
  readonly secretHash?: string
  readonly disabledAt?: number | null
}

export interface ApplicationStore {
  create(
    application: Omit<ApplicationRow, 'createdAt' | 'disabledAt'>,
    audit?: AuditEntry,
  ): Promise<void>
  byClientId(clientId: string): Promise<ApplicationRow | null>
  /** Of one organisation or of all, ordered by client id. */
  list(organizationId?: string): Promise<readonly ApplicationRow[]>
  /** False: there is no such application. */
  update(clientId: string, patch: ApplicationPatch, audit?: AuditEntry): Promise<boolean>
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

export interface TokenInput extends TokenRow {
  /** Hash of the token it is minted with; left out: none. */
  readonly madeBy?: string | null
}

export interface TokenStore {
  insert(token: TokenInput, audit?: AuditEntry): Promise<void>
  /** The token while it lives: not expired, not revoked, and its application not disabled. */
  find(hash: string): Promise<TokenRow | null>
  /** Ends a token, what was minted with it, and the connect links made with either. False: this organisation has none. */
  revoke(organizationId: string, hash: string, audit?: AuditEntry): Promise<boolean>
  /** Ends all scoped tokens of a user, and the connect links for the user; how many tokens there were. */
  revokeUser(organizationId: string, externalUserId: string, audit?: AuditEntry): Promise<number>
  /** Removes what is expired; how many rows. */
  purgeExpired(): Promise<number>
}

// Instances

export type InstanceState = 'pending' | 'active' | 'refresh_unknown' | 'auth_error' | 'disabled'

/** Why an instance is in its state, for people and programs. */
export interface StateReason {
  readonly code: string
  readonly detail: string
  readonly since: number
  /** What the third party answered; null: nothing that has a status. */
  readonly upstreamStatus: number | null
}

export interface InstanceRow {
  readonly id: string
  readonly organizationId: string
  readonly externalUserId: string
  readonly connectorType: string
  readonly connectorVersion: string
  readonly name: string
  readonly state: InstanceState
  readonly stateReason: StateReason | null
  readonly enabled: boolean
  /** null: the connector takes no credentials. */
  readonly authMethod: string | null
  readonly grantedScopes: readonly string[] | null
  readonly config: JsonObject
  readonly replicationConfig: JsonObject | null
  readonly sync: JsonObject
  readonly serverUrl: string | null
  /** 1 at first, + 1 whenever the credentials are replaced by hand. A refresh leaves it alone. */
  readonly credentialEpoch: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastCheckedAt: number | null
  /** When the credentials want to be refreshed ahead of need; null: never. */
  readonly nextRefreshAt: number | null
}

export interface InstanceFilter {
  readonly externalUserId?: string
  readonly connectorType?: string
  readonly state?: InstanceState
  readonly name?: string
  /** At most so many rows. */
  readonly limit: number
  /** Only rows after this id. */
  readonly afterId?: string
}

/** What a change by hand may touch: never a column of the credentials. */
export interface InstancePatch {
  readonly name?: string
  /** false: the state becomes `disabled`; true: a disabled instance becomes `pending`. */
  readonly enabled?: boolean
  readonly config?: JsonObject
  readonly replicationConfig?: JsonObject | null
  readonly sync?: JsonObject
  readonly connectorVersion?: string
  readonly serverUrl?: string | null
}

export interface StateChange {
  /** Nothing happens in any other state. */
  readonly from: readonly InstanceState[]
  readonly to: InstanceState
  readonly reason: StateReason | null
  readonly lastCheckedAt?: number
  /** Nothing happens either when the credentials have another generation by now. */
  readonly generation?: number
}

export type OAuthSecretRefusal = 'oauth_secret_unknown' | 'oauth_secret_used'

export interface InstanceStore {
  /**
   * Stores an instance with generation 1 of its credentials, and uses up the secret of a consent when its hash is given:
   * one transaction. When the secret is refused nothing is stored, and the data key made for the instance is erased.
   */
  insert(
    row: InstanceRow,
    credential: CredentialInput | null,
    options: { readonly oauthSecretHash: string | null; readonly audit: AuditEntry },
  ): Promise<'inserted' | OAuthSecretRefusal>
  get(owner: Owner, id: string): Promise<InstanceRow | null>
  /** For jobs, which act for nobody: whoever asks has the id from a row of ours, never from a request. */
  find(id: string): Promise<InstanceRow | null>
  /** Ordered by id. */
  list(owner: Owner, filter: InstanceFilter): Promise<readonly InstanceRow[]>
  /** The row after the change; null: unknown. */
  update(
    owner: Owner,
    id: string,
    patch: InstancePatch,
    audit: AuditEntry,
  ): Promise<InstanceRow | null>
  /** False: the instance is unknown, in a state that `from` does not name, or its credentials are another generation. */
  setState(id: string, change: StateChange, audit?: AuditEntry): Promise<boolean>
  /**
   * Erases the instance with credentials, data keys, intent, leases, jobs and idempotency records in one transaction, and
   * leaves the job that takes its copies away.
   */
  delete(owner: Owner, id: string, audit: AuditEntry): Promise<boolean>
  countByState(): Promise<Readonly<Record<InstanceState, number>>>
}

// Credentials and their refresh

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

export interface CredentialReplacement {
  readonly config?: JsonObject
  readonly authMethod?: string | null
  readonly grantedScopes?: readonly string[] | null
  readonly replicationConfig?: JsonObject | null
  readonly oauthSecretHash: string | null
  /** Left out: null. */
  readonly nextRefreshAt?: number | null
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
   * its fence moves, the intent goes, state `pending` unless disabled. `seal` is called with the generation that the new
   * credentials will have; again, if that was taken in between.
   */
  replace(
    owner: Owner,
    instanceId: string,
    seal: (generation: number) => Promise<CredentialInput>,
    change: CredentialReplacement,
    audit: AuditEntry,
  ): Promise<'replaced' | 'instance_unknown' | OAuthSecretRefusal>
  /** The same credentials sealed anew, under another data key. False: they have changed meanwhile. */
  reseal(instanceId: string, generation: number, sealed: Uint8Array): Promise<boolean>
  /** Instances that want to be refreshed before a time, the most urgent first; none in `auth_error` or `disabled`. */
  expiring(beforeMs: number, limit: number): Promise<readonly InstanceRow[]>
  /** Puts the next refresh ahead of need off, after one that failed. Leaves the tokens alone. */
  scheduleRefresh(instanceId: string, nextRefreshAt: number | null): Promise<void>
}

/** What a lease is for. There is one lease per instance and purpose. */
export const REFRESH_PURPOSE = 'refresh'

export interface LeaseStore {
  /** The lease if nobody holds it. `fence` grows with every grant and never repeats. */
  acquire(
    instanceId: string,
    purpose: string,
    ownerId: string,
    ttlMs: number,
  ): Promise<{ readonly fence: number } | null>
  /** False: it is held by somebody else, or its fence moved. */
  extend(
    instanceId: string,
    purpose: string,
    ownerId: string,
    fence: number,
    ttlMs: number,
  ): Promise<boolean>
  /** Ends the lease if it is still this one. */
  release(instanceId: string, purpose: string, ownerId: string, fence: number): Promise<void>
}

/** Jobs that take away the copies of an instance that is gone. */
export const PURGE_JOB = 'purge'

/** What a job is about. There is one job per instance, kind and key. */
export interface JobPlace {
  readonly instanceId: string
  readonly kind: string
  readonly key: string
}

export interface JobInput extends JobPlace {
  /** For whoever takes it; left out: nothing in particular. */
  readonly detail?: string
  /** Not before so many milliseconds; default 0. */
  readonly delayMs?: number
  /** The highest first; default 0. */
  readonly priority?: number
}

/** A job as the process holds it that does it. */
export interface TakenJob extends JobPlace {
  readonly ownerId: string
  readonly fence: number
  readonly detail: string
  /** How often it was taken since it was done last. */
  readonly attempts: number
}

export interface JobRow extends JobPlace {
  readonly dueAt: number
  /** Asked for while it was held. */
  readonly againAt: number | null
  readonly isHeld: boolean
  readonly attempts: number
}

export interface JobStore {
  /** Adds a job, unless there is one already; false: there is. */
  add(job: JobInput): Promise<boolean>
  /**
   * Adds a job; one that waits already is due at the earlier of the two times, and one that is held runs once more
   * behind. Then `joined`.
   */
  put(job: JobInput): Promise<'queued' | 'joined'>
  /** Takes what is due and held by nobody, by priority and time. */
  take(
    kinds: readonly string[],
    ownerId: string,
    ttlMs: number,
    limit: number,
  ): Promise<readonly TakenJob[]>
  /** False: it is somebody else's by now, or was cancelled. */
  extend(job: TakenJob, ttlMs: number): Promise<boolean>
  /** Done; due again after `againMs`, or sooner when it was asked for meanwhile. Null: gone, unless it was asked for. */
  finish(job: TakenJob, againMs: number | null): Promise<void>
  /** Not done: whoever looks next takes it. */
  giveBack(job: TakenJob): Promise<void>
  cancel(instanceId: string, kinds: readonly string[]): Promise<void>
  list(instanceId: string): Promise<readonly JobRow[]>
  /** How many there are of each kind, over all instances. */
  count(): Promise<readonly StoredJobs[]>
  /** Instances that work but have no job of a kind. */
  idleInstances(kind: string, limit: number): Promise<readonly InstanceRow[]>
}

/** `due`: whoever looks next takes them. `waiting`: for their time. */
export interface StoredJobs {
  readonly kind: string
  readonly state: 'running' | 'due' | 'waiting'
  readonly count: number
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
}

// Rates of third parties

/** One rate of an instance, or of all instances of a connector: `connector:<type>`. */
export interface RatePlace {
  readonly ownerId: string
  readonly periodMs: number
}

export interface RateRow {
  /** What was used, by slices of the period; null: nothing. */
  readonly use: { readonly slice: number; readonly used: readonly number[] } | null
  /** 0: there is no row yet. */
  readonly version: number
  /** By the store's clock. */
  readonly nowMs: number
}

/** How many requests processes may send, and who is to be left in peace. What a count means is not the store's business. */
export interface RateStore {
  read(place: RatePlace): Promise<RateRow>
  /** Replaces what was read. False: somebody else did meanwhile. It is forgotten after `keepMs`. */
  write(
    place: RatePlace,
    version: number,
    use: { readonly slice: number; readonly used: readonly number[] },
    keepMs: number,
  ): Promise<boolean>
  /** Nobody sends for so long; a longer silence stays. */
  block(ownerId: string, ms: number): Promise<void>
  /** Who is to be left in peace, and how long still. */
  blocked(): Promise<readonly { readonly ownerId: string; readonly ms: number }[]>
  purgeExpired(): Promise<number>
}

// Data keys

/** Who a data key belongs to: the id of an instance, or `org:<organizationId>` for what lies above one. */
export type DataKeyOwner = string

export interface DataKeyInput {
  /** 1 at first; a key that is used up gets a successor, and stays for what it sealed. */
  readonly version: number
  /** The master key that wrapped it. */
  readonly keyId: string
  readonly wrapped: Uint8Array
}

export interface DataKeyRow extends DataKeyInput {
  readonly uses: number
}

export interface DataKeyStore {
  /** All versions, the newest first, with how long ago each was made. */
  versions(ownerId: DataKeyOwner): Promise<readonly (DataKeyRow & { readonly ageMs: number })[]>
  /** The newest version, or the one asked for. */
  get(ownerId: DataKeyOwner, version?: number): Promise<DataKeyRow | null>
  /** False: this version exists already, made by somebody else; read it. */
  put(ownerId: DataKeyOwner, key: DataKeyInput): Promise<boolean>
  /** Stores the successor of a version. False: that version is gone, or has a successor. */
  succeed(ownerId: DataKeyOwner, next: DataKeyInput): Promise<boolean>
  /** The newest versions that were made before a time, ordered by owner, after the owner given. */
  madeBefore(
    beforeMs: number,
    limit: number,
    after?: DataKeyOwner,
  ): Promise<readonly { readonly ownerId: DataKeyOwner; readonly version: number }[]>
  /** Owners with more than one version whose newest is at least so old, and that newest, in the same order. */
  superseded(
    ageMs: number,
    limit: number,
    after?: DataKeyOwner,
  ): Promise<readonly { readonly ownerId: DataKeyOwner; readonly version: number }[]>
  /** Adds to the count of uses; the new count, 0 when there is no such key. */
  addUses(ownerId: DataKeyOwner, version: number, count: number): Promise<number>
  /** Replaces the wrapping of one version if `fromKeyId` still wraps it. */
  rewrap(ownerId: DataKeyOwner, fromKeyId: string, next: DataKeyInput): Promise<boolean>
  /** Keys that a master key wraps, ordered by owner and version, after the place given. */
  onKey(
    keyId: string,
    limit: number,
    after?: { readonly ownerId: DataKeyOwner; readonly version: number },
  ): Promise<readonly (DataKeyRow & { readonly ownerId: DataKeyOwner })[]>
  /** Removes the versions before one; how many. */
  removeOlder(ownerId: DataKeyOwner, version: number): Promise<number>
  /** How many keys each master key wraps. */
  countByKey(): Promise<Readonly<Record<string, number>>>
}

// Consent

/** A consent under way. Secrets are hashes, or sealed. */
export interface OAuthStateInput {
  readonly stateHash: string
  readonly ticketHash: string
  readonly organizationId: string
  readonly clientId: string | null
  /** Of the token that started it. */
  readonly tokenHash: string | null
  readonly externalUserId: string
  readonly connectorType: string
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

// Connect pages

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

/** `madeBy`: hash of the token it was made with; left out: none. */
export type NewConnectSessionRow = ConnectSessionInput & { readonly madeBy?: string | null }

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
  insert(session: NewConnectSessionRow, audit: AuditEntry): Promise<void>
  /** The session while it is not expired, also when it is used up. */
  find(tokenHash: string): Promise<ConnectSessionRow | null>
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

// Idempotency

/** What an idempotency key belongs to. */
export interface IdempotencyPlace {
  readonly organizationId: string
  /** null: the request makes an instance. */
  readonly instanceId: string | null
  readonly route: string
  readonly keyHash: string
}

export interface IdempotentAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly sealedBody: Uint8Array
}

/**
 * What a key stands for. `new`: run the request; `running`: somebody does; `lost`: whoever did has ended after the request
 * may have left, so that nobody knows what came of it. Whoever ended before that leaves a `new` one.
 */
export type IdempotencyBegin =
  | { readonly kind: 'new' }
  | ({ readonly kind: 'done' } & IdempotentAnswer)
  | { readonly kind: 'running' }
  | { readonly kind: 'other_body' }
  | { readonly kind: 'lost'; readonly sent: true }

export interface IdempotencyStore {
  begin(
    place: IdempotencyPlace,
    request: {
      /** SHA-256 of the canonical body. */
      readonly fingerprint: string
      /** What the same body's fingerprint is under other keys of its owner. */
      readonly otherFingerprints?: readonly string[]
      readonly ownerId: string
      readonly leaseMs: number
      /** When the key is forgotten. */
      readonly expiresAt: number
    },
  ): Promise<IdempotencyBegin>
  /** To be awaited before anything leaves. Throws `idempotency_in_flight` when the lease ran out and another process runs the request. */
  markSent(place: IdempotencyPlace, ownerId: string): Promise<void>
  /** Stores the answer. False: it is another process's request by now. */
  finish(place: IdempotencyPlace, ownerId: string, answer: IdempotentAnswer): Promise<boolean>
  /** Forgets the key, so that it may be used again. */
  forget(place: IdempotencyPlace, ownerId: string): Promise<void>
  /** False: it is another process's request by now. */
  extend(place: IdempotencyPlace, ownerId: string, leaseMs: number): Promise<boolean>
  purgeExpired(): Promise<number>
}

// Audit

/** What happened: names, never values. */
export interface AuditEntry {
  readonly organizationId: string
  /** null: above an instance. */
  readonly instanceId: string | null
  readonly requestId: string | null
  /** The application, the token's hash, or `cli`. */
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly outcome: string
  /** Names of the members that changed. */
  readonly members: readonly string[]
}

export interface AuditEvent extends AuditEntry {
  /** The instance's id, or `org:<organizationId>`. */
  readonly chain: string
  /** 1, 2, 3 … within the chain. */
  readonly seq: number
  readonly at: number
  /** SHA-256 over this event and the hash before it, hex. */
  readonly hash: string
}

export interface AuditFilter {
  /** The events of one instance; left out: those above instances. */
  readonly instanceId?: string
  readonly limit: number
  /** Only events before this one. */
  readonly beforeSeq?: number
}

/** The first event that is not as it was written. */
export interface BrokenAudit {
  readonly chain: string
  readonly seq: number
  /** `changed`: its content or order; `missing`: the event itself. */
  readonly problem: 'changed' | 'missing'
}

export interface AuditStore {
  append(entry: AuditEntry): Promise<void>
  /** The newest first. Users and types of an owner narrow to instances that exist. */
  list(owner: Owner, filter: AuditFilter): Promise<readonly AuditEvent[]>
  /** Follows all chains; null: every event is there and as it was written. */
  verify(): Promise<BrokenAudit | null>
  /** Removes events before a time; the last hash of the removed part is kept, so that the rest still verifies. */
  purgeBefore(beforeMs: number): Promise<number>
}

// Events

/** Something that happened to an instance. */
export interface EventInput {
  readonly organizationId: string
  readonly externalUserId: string
  readonly connectorType: string
  readonly instanceId: string
  readonly type: EventType
  /** What receivers get. Never secrets. */
  readonly data: JsonObject
}

export interface EventRow extends EventInput {
  readonly id: string
  /** 1, 2, 3 … within the organisation, in the order of the commits: whoever sees one has all before it. */
  readonly seq: number
  readonly at: number
}

export interface EventPage {
  readonly events: readonly EventRow[]
  /** Of the newest event of the organisation; 0: there never was one. */
  readonly lastSeq: number
  /** Of the newest event that was removed for its age; 0: all are there. */
  readonly removedSeq: number
}

/**
 * What happened to instances. Changes of instances and their credentials append their events themselves, in their own
 * transactions, each with what has to be delivered of it: `connector.created` by `insert`; `connector.deleted` by `delete`;
 * `connector.auth_error` where the state becomes so; `connector.reauthorized` where it becomes `active` for the first time
 * after that; `connector.updated` for every other change of the state, of settings and of credentials by hand.
 */
export interface EventStore {
  append(event: EventInput): Promise<EventRow>
  /** The oldest first, after a place. */
  list(
    owner: Owner,
    page: { readonly afterSeq: number; readonly limit: number },
  ): Promise<EventPage>
  /**
   * Has an event delivered once more, from its first attempt: to one webhook, or to all that want its type. How many
   * there are that are switched on; null: this organisation has no such event.
   */
  redeliver(
    organizationId: string,
    eventId: string,
    webhookId: string | null,
    audit: AuditEntry,
  ): Promise<number | null>
  /** Removes events before a time, with their deliveries; how many events. */
  purgeBefore(beforeMs: number): Promise<number>
}

/** A secret of a webhook, sealed. */
export interface WebhookSecret {
  readonly sealed: Uint8Array
  /** 1 at first, + 1 with every rotation. */
  readonly generation: number
}

/** Where the events of an organisation are delivered. */
export interface WebhookInput {
  readonly id: string
  readonly organizationId: string
  readonly url: string
  readonly description: string
  /** null: all, also those to come. */
  readonly eventTypes: readonly EventType[] | null
  readonly secret: WebhookSecret
}

export interface WebhookRow extends WebhookInput {
  /** The secret before, which signs as well until it ends. */
  readonly previousSecret: (WebhookSecret & { readonly endsAt: number }) | null
  readonly createdAt: number
  readonly updatedAt: number
  /** null: switched on. */
  readonly disabledAt: number | null
  /** `gone`: the receiver answered 410; `by_hand`. */
  readonly disabledReason: 'gone' | 'by_hand' | null
}

export interface WebhookPatch {
  readonly url?: string
  readonly description?: string
  readonly eventTypes?: readonly EventType[] | null
  readonly enabled?: boolean
}

export interface WebhookPlace {
  readonly organizationId: string
  readonly webhookId: string
}

/** A delivery as the process holds it that makes the attempt. */
export interface TakenDelivery extends WebhookPlace {
  readonly event: EventRow
  /** Attempts that ended. */
  readonly attempts: number
  readonly fence: number
}

/** How an attempt ended. */
export interface DeliveryResult {
  /** `pending`: there is another attempt, after `delayMs`. */
  readonly state: 'delivered' | 'failed' | 'pending'
  readonly delayMs: number
  /** What the receiver answered; null: nothing that has a status. */
  readonly status: number | null
  /** Why nothing was answered; null: something was. */
  readonly error: string | null
}

export interface DeliveryRow {
  readonly eventId: string
  readonly type: EventType
  readonly seq: number
  /** `canceled`: the webhook was switched off before it was delivered. */
  readonly state: 'pending' | 'delivered' | 'failed' | 'canceled'
  readonly attempts: number
  /** Of the next attempt; means something while `pending` only. */
  readonly nextAt: number
  readonly lastAt: number | null
  readonly lastStatus: number | null
  readonly lastError: string | null
}

export interface WebhookStore {
  /** False: the organisation has `atMost` already. */
  insert(webhook: WebhookInput, atMost: number, audit: AuditEntry): Promise<boolean>
  get(place: WebhookPlace): Promise<WebhookRow | null>
  /** Ordered by id. */
  list(organizationId: string): Promise<readonly WebhookRow[]>
  /** The row after the change; null: unknown. What waits is cancelled when it is switched off. */
  update(place: WebhookPlace, patch: WebhookPatch, audit: AuditEntry): Promise<WebhookRow | null>
  /**
   * Gives a webhook another secret; the one before signs along for `keepMs`. Null: unknown, or the generation is another
   * one than the new secret follows.
   */
  rotate(
    place: WebhookPlace,
    secret: WebhookSecret,
    keepMs: number,
    audit: AuditEntry,
  ): Promise<WebhookRow | null>
  /** A secret sealed anew, under another data key. False: no secret of the webhook has this generation any more. */
  reseal(place: WebhookPlace, secret: WebhookSecret): Promise<boolean>
  /** Switches off what is gone. False: it is off already, or unknown. */
  switchOff(place: WebhookPlace, audit: AuditEntry): Promise<boolean>
  delete(place: WebhookPlace, audit: AuditEntry): Promise<boolean>
  /** Webhooks that have something to deliver now, the one that waits longest first. */
  due(limit: number, except: readonly string[]): Promise<readonly WebhookPlace[]>
  /** Takes deliveries of one webhook that are due and held by nobody; they are due again when the lease ends. */
  take(place: WebhookPlace, limit: number, leaseMs: number): Promise<readonly TakenDelivery[]>
  /** Stores how an attempt ended. False: it is somebody else's by now. */
  finish(delivery: TakenDelivery, result: DeliveryResult): Promise<boolean>
  /** The attempt was not made: whoever looks next takes it. */
  giveBack(delivery: TakenDelivery): Promise<void>
  /** The newest event first. */
  deliveries(
    place: WebhookPlace,
    page: { readonly limit: number; readonly beforeSeq?: number },
  ): Promise<readonly DeliveryRow[]>
}
