// The tables as both databases hold them. Where their columns come from: migrations/. What they are for: docs/store.md.
import type { Kysely, Transaction } from 'kysely'
import type { ApplicationRow, TokenRow } from '../../store/applications-and-tokens.ts'
import type { AuditEntry, AuditEvent } from '../../store/audit.ts'
import type { ConnectSessionRow } from '../../store/connect-sessions.ts'
import type { OAuthSecretRow, OAuthStateRow } from '../../store/consents.ts'
import type { CredentialRow, HeldLease, IntentRow } from '../../store/credentials.ts'
import type { DataKeyRow } from '../../store/data-keys.ts'
import type { EventRow } from '../../store/events.ts'
import type { InstanceRow } from '../../store/instances.ts'
import type { TakenJob } from '../../store/jobs.ts'
import type { RatePlace, RateRow, RateUse } from '../../store/rates.ts'
import type { DeliveryRow, WebhookRow } from '../../store/webhooks.ts'

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

/** Lists and objects are kept as JSON text, so that digits and the order of members stay; truth values as 0 and 1. */
type Stored<Value> = Value extends boolean
  ? number
  : Value extends string | number | Uint8Array | null
    ? Value
    : Value extends undefined
      ? never
      : string

/** The columns that hold a row of the port: `createdAt` is in `created_at`. `readRow` and `writeRow` convert them. */
export type Columns<Row> = {
  readonly [Member in keyof Row as SnakeCase<Member & string>]: Stored<Row[Member]>
}

/** Times: milliseconds since 1970. */
export interface Tables {
  readonly application: Columns<ApplicationRow>
  readonly token: Columns<TokenRow> & {
    readonly external_user_id: string | null
    readonly created_at: number
    /** Hash of the token it was minted with. */
    readonly made_by: string | null
  }
  readonly connector_instance: Columns<Omit<InstanceRow, 'id'>> & {
    readonly instance_id: string
    /** Since when it is or was in `auth_error` without having been `active` after that. */
    readonly auth_error_since: number | null
  }
  readonly credential: Columns<CredentialRow> & {
    readonly instance_id: string
    readonly updated_at: number
  }
  readonly lease: Columns<HeldLease> & { readonly held_until: number }
  readonly refresh_intent: Columns<IntentRow>
  readonly data_key: Columns<DataKeyRow> & {
    readonly owner_id: string
    readonly created_at: number
  }
  readonly oauth_state: Columns<OAuthStateRow> & {
    readonly cookie_hash: string | null
    readonly used_at: number | null
  }
  readonly connect_session: Columns<ConnectSessionRow> & {
    readonly held_until: number
    /** Hash of the token it was made with. */
    readonly made_by: string | null
  }
  readonly oauth_secret: Columns<OAuthSecretRow> & { readonly created_at: number }
  readonly idempotency_record: {
    /** The instance's id, or `org:<organizationId>`. */
    readonly scope_id: string
    readonly organization_id: string
    readonly route: string
    readonly key_hash: string
    readonly fingerprint: string
    readonly owner_id: string
    readonly held_until: number
    readonly sent: number
    readonly status: number | null
    readonly headers: string | null
    readonly sealed_body: Uint8Array | null
    readonly created_at: number
    readonly expires_at: number
  }
  readonly job: Columns<Omit<TakenJob, 'key'>> & {
    readonly job_key: string
    /** `detail` is for the next turn, '' for nothing in particular; this is of the turn under way. */
    readonly taken_detail: string
    readonly due_at: number
    /** Asked for while it was held: one more turn, not before this. */
    readonly again_at: number | null
    readonly priority: number
    readonly held_until: number
  }
  readonly audit_head: {
    readonly chain_id: string
    /** Of the newest event. */
    readonly seq: number
    readonly hash: string
    /** Of the newest event that was removed for its age. */
    readonly removed_seq: number
    readonly removed_hash: string
  }
  readonly audit_event: Columns<Omit<AuditEvent, 'chain'>> & { readonly chain_id: string }
  readonly audit_pending: Columns<Omit<AuditEntry, 'outcome'>> & {
    readonly pending_id: string
    readonly opened_at: number
  }
  readonly event_head: {
    readonly organization_id: string
    /** Of the newest event. */
    readonly seq: number
    /** Of the newest event that was removed for its age. */
    readonly removed_seq: number
  }
  readonly event: Columns<Omit<EventRow, 'id'>> & { readonly event_id: string }
  readonly webhook: Columns<Omit<WebhookRow, 'id' | 'secret' | 'previousSecret'>> & {
    readonly webhook_id: string
    readonly secret_sealed: Uint8Array
    readonly secret_generation: number
    readonly previous_sealed: Uint8Array | null
    readonly previous_generation: number | null
    readonly previous_ends_at: number | null
  }
  readonly webhook_delivery: Columns<Omit<DeliveryRow, 'eventId' | 'type'>> & {
    readonly organization_id: string
    readonly webhook_id: string
    /** + 1 whenever a process takes it. Its lease ends at `next_at`. */
    readonly fence: number
  }
  /** `version`: + 1 with every change. */
  readonly rate_use: Columns<RatePlace & RateUse & Pick<RateRow, 'version'>> & {
    readonly expires_at: number
  }
  readonly rate_block: {
    readonly owner_id: string
    readonly blocked_until: number
  }
}

export type TableName = keyof Tables

/** Every table with its primary key. Below an instance the key begins with the instance. */
export const PRIMARY_KEYS: {
  readonly [T in TableName]: readonly (keyof Tables[T] & string)[]
} = {
  application: ['client_id'],
  token: ['hash'],
  connector_instance: ['instance_id'],
  credential: ['instance_id'],
  lease: ['instance_id', 'purpose'],
  refresh_intent: ['instance_id'],
  data_key: ['owner_id', 'version'],
  oauth_state: ['state_hash'],
  oauth_secret: ['secret_hash'],
  connect_session: ['token_hash'],
  idempotency_record: ['scope_id', 'organization_id', 'route', 'key_hash'],
  job: ['instance_id', 'kind', 'job_key'],
  audit_head: ['chain_id'],
  audit_event: ['chain_id', 'seq'],
  audit_pending: ['pending_id'],
  event_head: ['organization_id'],
  event: ['organization_id', 'seq'],
  webhook: ['organization_id', 'webhook_id'],
  webhook_delivery: ['organization_id', 'webhook_id', 'seq'],
  rate_use: ['owner_id', 'period_ms'],
  rate_block: ['owner_id'],
}

/** The tables, or a transaction over them. */
export type Executor = Kysely<Tables> | Transaction<Tables>
