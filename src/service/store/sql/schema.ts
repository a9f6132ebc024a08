// The tables as both databases hold them. Where their columns come from: migrations/. What they are for: docs/store.md.
import type { Kysely, Transaction } from 'kysely'

/** Times: milliseconds since 1970. JSON: text, so that digits and the order of members stay. Truth values: 0 and 1. */
export interface Tables {
  readonly application: {
    readonly client_id: string
    readonly organization_id: string
    readonly name: string
    readonly secret_hash: string
    readonly redirect_urls: string
    readonly created_at: number
    readonly disabled_at: number | null
  }
  readonly token: {
    readonly hash: string
    readonly kind: string
    readonly organization_id: string
    readonly client_id: string | null
    readonly external_user_id: string | null
    readonly scope: string | null
    readonly created_at: number
    readonly expires_at: number
    /** Hash of the token it was minted with. */
    readonly made_by: string | null
  }
  readonly connector_instance: {
    readonly instance_id: string
    readonly organization_id: string
    readonly external_user_id: string
    readonly connector_type: string
    readonly connector_version: string
    readonly name: string
    readonly state: string
    readonly state_reason: string | null
    readonly enabled: number
    readonly auth_method: string | null
    readonly granted_scopes: string | null
    readonly config: string
    readonly replication_config: string | null
    readonly sync: string
    readonly server_url: string | null
    readonly credential_epoch: number
    readonly created_at: number
    readonly updated_at: number
    readonly last_checked_at: number | null
    readonly next_refresh_at: number | null
    /** Since when it is or was in `auth_error` without having been `active` after that. */
    readonly auth_error_since: number | null
  }
  readonly credential: {
    readonly instance_id: string
    readonly generation: number
    readonly sealed: Uint8Array
    readonly expires_at: number | null
    readonly access_fingerprint: string | null
    readonly refresh_fingerprint: string | null
    readonly updated_at: number
  }
  readonly lease: {
    readonly instance_id: string
    readonly purpose: string
    readonly owner_id: string
    readonly fence: number
    readonly held_until: number
  }
  readonly refresh_intent: {
    readonly instance_id: string
    readonly generation: number
    readonly refresh_fingerprint: string | null
    readonly fence: number
    readonly kind: string
    readonly sent_by: string
    readonly attempts: number
    readonly not_before: number | null
    readonly mark: string | null
    readonly created_at: number
  }
  readonly data_key: {
    readonly owner_id: string
    readonly version: number
    readonly key_id: string
    readonly wrapped: Uint8Array
    readonly uses: number
    readonly created_at: number
  }
  readonly oauth_state: {
    readonly state_hash: string
    readonly ticket_hash: string
    readonly organization_id: string
    readonly client_id: string | null
    readonly token_hash: string | null
    readonly external_user_id: string
    readonly connector_type: string
    readonly redirect_url: string
    readonly host_state: string | null
    readonly config: string | null
    readonly verifier_sealed: Uint8Array | null
    readonly issuer: string | null
    readonly cookie_hash: string | null
    readonly created_at: number
    readonly expires_at: number
    readonly used_at: number | null
    readonly connector_version: string | null
  }
  readonly connect_session: {
    readonly token_hash: string
    readonly organization_id: string
    readonly client_id: string | null
    readonly external_user_id: string
    readonly connector_types: string | null
    readonly instance_id: string | null
    readonly return_url: string
    readonly allowed_origin: string | null
    readonly attempts: number
    readonly problem: string | null
    readonly connected_id: string | null
    readonly held_until: number
    readonly created_at: number
    readonly expires_at: number
    /** Hash of the token it was made with. */
    readonly made_by: string | null
  }
  readonly oauth_secret: {
    readonly secret_hash: string
    readonly organization_id: string
    readonly external_user_id: string
    readonly connector_type: string
    readonly sealed: Uint8Array
    readonly granted_scopes: string | null
    readonly config: string | null
    readonly created_at: number
    readonly expires_at: number
    readonly used_at: number | null
  }
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
  readonly job: {
    readonly instance_id: string
    readonly kind: string
    readonly job_key: string
    /** For the next turn; '' for nothing in particular. */
    readonly detail: string
    /** Of the turn under way. */
    readonly taken_detail: string
    readonly due_at: number
    /** Asked for while it was held: one more turn, not before this. */
    readonly again_at: number | null
    readonly priority: number
    readonly owner_id: string
    readonly fence: number
    readonly held_until: number
    readonly attempts: number
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
  readonly audit_event: {
    readonly chain_id: string
    readonly seq: number
    readonly at: number
    readonly organization_id: string
    readonly instance_id: string | null
    readonly request_id: string | null
    readonly actor: string
    readonly action: string
    readonly target: string
    readonly outcome: string
    readonly members: string
    readonly hash: string
  }
  readonly audit_pending: {
    readonly pending_id: string
    readonly organization_id: string
    readonly instance_id: string | null
    readonly request_id: string | null
    readonly actor: string
    readonly action: string
    readonly target: string
    readonly members: string
    readonly opened_at: number
  }
  readonly event_head: {
    readonly organization_id: string
    /** Of the newest event. */
    readonly seq: number
    /** Of the newest event that was removed for its age. */
    readonly removed_seq: number
  }
  readonly event: {
    readonly organization_id: string
    readonly seq: number
    readonly event_id: string
    readonly type: string
    readonly instance_id: string
    readonly external_user_id: string
    readonly connector_type: string
    readonly at: number
    readonly data: string
  }
  readonly webhook: {
    readonly organization_id: string
    readonly webhook_id: string
    readonly url: string
    readonly description: string
    readonly event_types: string | null
    readonly secret_sealed: Uint8Array
    readonly secret_generation: number
    readonly previous_sealed: Uint8Array | null
    readonly previous_generation: number | null
    readonly previous_ends_at: number | null
    readonly created_at: number
    readonly updated_at: number
    readonly disabled_at: number | null
    readonly disabled_reason: string | null
  }
  readonly webhook_delivery: {
    readonly organization_id: string
    readonly webhook_id: string
    /** Of the event. */
    readonly seq: number
    readonly state: string
    /** Attempts that ended. */
    readonly attempts: number
    /** + 1 whenever somebody takes it. */
    readonly fence: number
    /** Of the next attempt; while one is made, when its lease ends. */
    readonly next_at: number
    readonly last_at: number | null
    readonly last_status: number | null
    readonly last_error: string | null
  }
  readonly rate_use: {
    /** The id of an instance, or `connector:<type>`. */
    readonly owner_id: string
    readonly period_ms: number
    /** Of the newest count. */
    readonly slice: number
    /** A JSON list of numbers. */
    readonly used: string
    /** + 1 with every change. */
    readonly version: number
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
