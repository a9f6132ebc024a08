// The tables as both databases hold them. Where their columns come from: migrations/. What they are for: docs/store.md.
import type { Kysely, Transaction } from 'kysely'
import type {
  ApplicationRow,
  ApplicationSecretRow,
  TokenRow,
} from '../../store/applications-and-tokens.ts'
import type { AuditEntry, AuditEvent } from '../../store/audit.ts'
import type { ConnectSessionRow } from '../../store/connect-sessions.ts'
import type { ConsoleSessionRow } from '../../store/console-sessions.ts'
import type { OAuthSecretRow, OAuthStateRow } from '../../store/consents.ts'
import type { CredentialRow, HeldLease, IntentRow } from '../../store/credentials.ts'
import type { DataKeyPlace, DataKeyRow } from '../../store/data-keys.ts'
import type { EventRow } from '../../store/events.ts'
import type { IdempotencyPlace, IdempotentAnswer } from '../../store/idempotency.ts'
import type { InstanceRow } from '../../store/instances.ts'
import type { TakenJob } from '../../store/jobs.ts'
import type { LogContent, LogCount, LogRow } from '../../store/logs.ts'
import type { CurrentManifest, PublishedManifest } from '../../store/manifests.ts'
import type { OAuthClientRow } from '../../store/oauth-clients.ts'
import type { PersonRow } from '../../store/people.ts'
import type { RatePlace, RateRow, RateUse } from '../../store/rates.ts'
import type { SubscriptionRow } from '../../store/subscriptions.ts'
import type { SyncFailureRow } from '../../store/sync-failures.ts'
import type { WebhookReceipt, WebhookRoute } from '../../store/vendor-webhooks.ts'
import type { DeliveryRow, WebhookPlace, WebhookRow } from '../../store/webhooks.ts'

/**
 * The members of each table's rows: those of the port, and what the table alone has. `createdAt` is in the column
 * `created_at`: row.ts converts names and values. Times: milliseconds since 1970.
 */
export interface Tables {
  readonly application: ApplicationRow
  readonly application_secret: ApplicationSecretRow
  readonly application_logo: { readonly clientId: string; readonly image: Uint8Array }
  readonly token: TokenRow & {
    readonly externalUserId: string | null
    readonly createdAt: number
    /** Hash of the token it was minted with. */
    readonly madeBy: string | null
  }
  readonly connector_instance: Omit<InstanceRow, 'id'> & {
    readonly instanceId: string
    /** Since when it is or was in `auth_error` without having been `active` after that. */
    readonly authErrorSince: number | null
  }
  readonly credential: CredentialRow & {
    readonly instanceId: string
    readonly updatedAt: number
  }
  readonly lease: HeldLease & { readonly heldUntil: number }
  readonly refresh_intent: IntentRow
  readonly data_key: DataKeyRow & DataKeyPlace & { readonly createdAt: number }
  readonly oauth_state: OAuthStateRow & {
    readonly cookieHash: string | null
    readonly usedAt: number | null
  }
  readonly connect_session: ConnectSessionRow & {
    readonly heldUntil: number
    /** Hash of the token it was made with. */
    readonly madeBy: string | null
  }
  readonly console_session: ConsoleSessionRow
  readonly console_person: PersonRow
  readonly oauth_secret: OAuthSecretRow & { readonly createdAt: number }
  readonly oauth_client: OAuthClientRow
  readonly idempotency_record: Omit<IdempotencyPlace, 'instanceId'> & {
    /** The instance's id, or `org:<organizationId>`. */
    readonly scopeId: string
    readonly fingerprint: string
    readonly ownerId: string
    readonly heldUntil: number
    readonly sent: number
    readonly createdAt: number
    readonly expiresAt: number
  } & { readonly [Member in keyof IdempotentAnswer]: IdempotentAnswer[Member] | null }
  readonly job: Omit<TakenJob, 'key'> & {
    /** `bucketOf` the instance. */
    readonly bucket: number
    readonly jobKey: string
    /** `detail` is for the next turn, '' for nothing in particular; this is of the turn under way. */
    readonly takenDetail: string
    readonly dueAt: number
    /** Asked for while it was held: one more turn, not before this. */
    readonly againAt: number | null
    readonly heldUntil: number
  }
  /** `changes`: + 1 with every job of the bucket that was added or is due sooner. */
  readonly job_bucket: {
    readonly queueId: string
    readonly bucket: number
    readonly changes: number
  }
  readonly audit_head: {
    readonly chainId: string
    /** Of the newest event. */
    readonly seq: number
    readonly hash: string
    /** Of the newest event that was removed for its age. */
    readonly removedSeq: number
    readonly removedHash: string
  }
  readonly audit_event: Omit<AuditEvent, 'chain'> & { readonly chainId: string }
  readonly audit_pending: Omit<AuditEntry, 'outcome'> & {
    readonly pendingId: string
    readonly openedAt: number
  }
  readonly event_head: {
    readonly organizationId: string
    /** Of the newest event. */
    readonly seq: number
    /** Of the newest event that was removed for its age. */
    readonly removedSeq: number
  }
  readonly event: Omit<EventRow, 'id'> & { readonly eventId: string }
  readonly webhook: Omit<WebhookRow, 'id' | 'secret' | 'previousSecret'> & {
    readonly webhookId: string
    readonly secretSealed: Uint8Array
    readonly secretGeneration: number
    readonly previousSealed: Uint8Array | null
    readonly previousGeneration: number | null
    readonly previousEndsAt: number | null
  }
  /** `fence`: + 1 whenever a process takes it. Its lease ends at `nextAt`. */
  readonly webhook_delivery: Omit<DeliveryRow, 'eventId' | 'type'> &
    WebhookPlace & { readonly fence: number }
  readonly webhook_route: WebhookRoute
  readonly webhook_receipt: WebhookReceipt & { readonly expiresAt: number }
  readonly webhook_subscription: SubscriptionRow
  readonly sync_failure: SyncFailureRow
  /** `version`: + 1 with every change. */
  readonly rate_use: RatePlace & RateUse & Pick<RateRow, 'version'> & { readonly expiresAt: number }
  readonly rate_block: { readonly ownerId: string; readonly blockedUntil: number }
  /** One entry, or several that are alike: then `several` has what is each one's own. */
  readonly log_entry: LogRow & {
    readonly entries: number
    /** Of all of them, while `tookUs` is that of the slowest, `at` that of the first; null: there is one. */
    readonly allUs: number | null
    readonly several: readonly LogOwn[] | null
  }
  readonly log_content: LogContent
  /** Of five minutes each. */
  readonly log_count: Omit<LogCount, 'firstAt' | 'lastAt'> & {
    readonly organizationId: string
    readonly bucketAt: number
  }
  readonly log_head: { readonly organizationId: string; readonly entries: number }
  readonly manifest_version: PublishedManifest
  readonly manifest_current: CurrentManifest
}

/** What an entry does not share with those in its row. */
export type LogOwn = readonly [
  at: LogRow['at'],
  tookUs: LogRow['tookUs'],
  requestId: LogRow['requestId'],
  data: LogRow['data'],
]

export type TableName = keyof Tables

/** Every table with the columns of its primary key. Below an instance the key begins with the instance. */
export const PRIMARY_KEYS: Readonly<Record<TableName, readonly string[]>> = {
  application: ['client_id'],
  application_secret: ['client_id', 'secret_hash'],
  application_logo: ['client_id'],
  token: ['hash'],
  connector_instance: ['instance_id'],
  credential: ['instance_id'],
  lease: ['instance_id', 'purpose'],
  refresh_intent: ['instance_id'],
  data_key: ['owner_id', 'version'],
  oauth_state: ['state_hash'],
  oauth_secret: ['secret_hash'],
  oauth_client: ['organization_id', 'connector_type'],
  connect_session: ['token_hash'],
  console_session: ['session_hash'],
  console_person: ['person_id'],
  idempotency_record: ['scope_id', 'organization_id', 'route', 'key_hash'],
  job: ['bucket', 'instance_id', 'kind', 'job_key'],
  job_bucket: ['queue_id', 'bucket'],
  audit_head: ['chain_id'],
  audit_event: ['chain_id', 'seq'],
  audit_pending: ['pending_id'],
  event_head: ['organization_id'],
  event: ['organization_id', 'seq'],
  webhook: ['organization_id', 'webhook_id'],
  webhook_delivery: ['organization_id', 'webhook_id', 'seq'],
  webhook_route: ['organization_id', 'instance_id'],
  webhook_receipt: ['organization_id', 'instance_id', 'event_hash'],
  webhook_subscription: ['instance_id'],
  sync_failure: ['instance_id', 'entity'],
  rate_use: ['owner_id', 'period_ms'],
  rate_block: ['owner_id'],
  log_entry: ['organization_id', 'log_id'],
  log_content: ['instance_id', 'log_id'],
  log_count: ['organization_id', 'bucket_at', 'kind', 'connector_type', 'entity', 'action', 'code'],
  log_head: ['organization_id'],
  manifest_version: ['connector_type', 'version'],
  manifest_current: ['connector_type', 'major'],
}

export type Executor = Kysely<Tables> | Transaction<Tables>
