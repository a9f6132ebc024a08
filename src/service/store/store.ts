// What the service keeps, as a port: rows, and the few functions that read and change them. No SQL, no I/O.
//
// Times are milliseconds since 1970 by the store's own clock, unless a caller gives them. Ids of instances are lower-case
// UUIDs (version 7) made by the caller. Every function throws `store_unavailable` (with `retryAfterMs`) when the store
// cannot be reached, is read-only or full, and `internal_error` for a mistake of the program; a change is acknowledged
// only once it is on disk.
import type { ApplicationStore, TokenStore } from './applications-and-tokens.ts'
import type { AuditStore } from './audit.ts'
import type { ConnectSessionStore } from './connect-sessions.ts'
import type { ConsoleSessionStore } from './console-sessions.ts'
import type { OAuthSecretStore, OAuthStateStore } from './consents.ts'
import type { CredentialStore, IntentStore, LeaseStore } from './credentials.ts'
import type { DataKeyStore } from './data-keys.ts'
import type { EventStore } from './events.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { InstanceStore } from './instances.ts'
import type { JobStore } from './jobs.ts'
import type { LogStore } from './logs.ts'
import type { ManifestStore } from './manifests.ts'
import type { OAuthClientStore } from './oauth-clients.ts'
import type { PersonStore } from './people.ts'
import type { RateStore } from './rates.ts'
import type { SubscriptionStore } from './subscriptions.ts'
import type { SyncFailureStore } from './sync-failures.ts'
import type { VendorWebhookStore } from './vendor-webhooks.ts'
import type { UserStore } from './users.ts'
import type { WebhookStore } from './webhooks.ts'

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
  readonly oauthClients: OAuthClientStore
  readonly connectSessions: ConnectSessionStore
  readonly consoleSessions: ConsoleSessionStore
  readonly people: PersonStore
  readonly manifests: ManifestStore
  readonly idempotency: IdempotencyStore
  readonly audit: AuditStore
  readonly events: EventStore
  readonly logs: LogStore
  readonly webhooks: WebhookStore
  readonly vendorWebhooks: VendorWebhookStore
  readonly subscriptions: SubscriptionStore
  readonly syncFailures: SyncFailureStore
  readonly users: UserStore
  readonly migrations: {
    /** How many steps the schema is behind this version of the program. */
    pending(): Promise<number>
    /** How many steps there are in all: as many are pending in an empty store. */
    readonly steps: number
    /** Brings the schema up to date in one transaction; the names of the steps that ran. Safe in many processes at once. */
    run(): Promise<readonly string[]>
  }
  /**
   * Ends all that processes before this one still hold: leases, jobs, requests with a key, connect pages, deliveries. Only
   * for a process that has the store for itself, at its start, because every process that holds something then has ended.
   */
  endLeases(): Promise<void>
  /** Asks the store whether it answers. */
  health(): Promise<'ok'>
  /** Stores a few kilobytes and removes them again. Throws `store_unavailable` where changes are refused. */
  writable(): Promise<'ok'>
  /** The pool of this process; null: this store has none. */
  connections(): StoreConnections | null
  /** Nodes of the database that could not be reached when all were asked last; 0 where it has one node. */
  nodesAway(): number
  close(): Promise<void>
}

/** Connections to a database, of one process. */
export interface StoreConnections {
  readonly used: number
  readonly idle: number
  /** Those who wait for one. */
  readonly waiting: number
}
