// The answers that the console reads, as far as it reads them.
import type { Json, JsonObject } from './json-text.ts'
import type { AnsweredStep } from './problem.ts'

export interface Session {
  readonly client_id: string
  readonly organization_id: string
  readonly ends_at: string
  readonly mode: 'production' | 'dev' | 'sandbox'
  /** Of the sandbox: what to connect with, by connector type. */
  readonly demo: Readonly<
    Record<string, { readonly credentials: JsonObject; readonly config: JsonObject }>
  > | null
}

export type InstanceState = 'pending' | 'active' | 'refresh_unknown' | 'auth_error' | 'disabled'

export interface Instance {
  readonly id: string
  readonly external_user_id: string
  readonly connector_type: string
  readonly connector_version: string
  readonly name: string
  readonly state: InstanceState
  readonly state_reason: {
    readonly code: string
    readonly detail: string
    readonly since: string
    readonly upstream_status: number | null
  } | null
  readonly enabled: boolean
  readonly auth_method: string
  readonly granted_scopes: readonly string[] | null
  readonly config: JsonObject
  readonly sync: SyncSetting
  readonly created_at: string
  readonly updated_at: string
  readonly last_checked_at: string | null
  readonly next_refresh_at: string | null
}

export interface InstancePage {
  readonly data: readonly Instance[]
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string | null }
}

export interface AuthMethod {
  readonly name: string
  readonly title: string | null
  /** It has a consent page. */
  readonly oauth: boolean
  /** The operator gave an OAuth client, so the consent can be used. */
  readonly oauth_configured: boolean
  /** Settings of which the address of calls needs one, where nothing else brings it. */
  readonly settings_needed: readonly string[]
}

export interface ConnectorSummary {
  readonly connector_type: string
  readonly title: string
  readonly version: string
  readonly auth_methods: readonly AuthMethod[]
}

export interface ConnectorDetail extends ConnectorSummary {
  readonly description: string | null
  readonly config_schema: JsonObject
  readonly credential_schemas: Readonly<Record<string, JsonObject>>
}

export interface CheckAnswer {
  readonly result: 'ok' | 'refused' | 'inconclusive'
  readonly took_ms: number
  readonly error: { readonly detail: string } | null
}

export interface ActionDescription {
  readonly action: string
  readonly summary: string | null
  readonly description: string | null
  readonly deprecated: boolean | string
  readonly params: JsonObject
  readonly paged: boolean
  readonly safe: boolean
  readonly idempotent: boolean
}

export interface EntityDescription {
  readonly entity: string
  readonly title: string | null
  readonly description: string | null
  /** JSON Schema of a record; null: the manifest describes none. */
  readonly record: JsonObject | null
  readonly search_fields: Readonly<Record<string, string>> | null
  /** Dotted paths below them that the connector names. */
  readonly search_paths: readonly string[]
  readonly actions: readonly ActionDescription[]
}

export interface Described {
  readonly connector_type: string
  readonly entities: readonly EntityDescription[]
}

export interface Envelope {
  readonly data: Json
  readonly meta: { readonly has_more?: boolean; readonly next?: JsonObject | null } & JsonObject
  readonly execution: {
    readonly request_id: string
    readonly upstream_requests: number
    readonly took_ms: number
    readonly warnings?: readonly { readonly pointer: string; readonly detail: string }[]
  }
}

export interface Preview {
  readonly requests: readonly { readonly curl: string; readonly after: string | null }[]
}

/** One operation that the service answered. */
export interface AnsweredOperation {
  readonly request_id: string
  readonly at: string
  readonly client_id: string | null
  readonly external_user_id: string | null
  readonly connector_id: string
  readonly connector_type: string
  readonly entity: string
  readonly action: string
  readonly status: number
  readonly code: string | null
  readonly detail: string | null
  readonly outcome: string | null
  readonly steps: readonly AnsweredStep[] | null
  readonly took_ms: number
  /** Null: it failed at the third party, after one request or more. */
  readonly upstream_requests: number | null
  readonly bytes: number | null
}

export interface ManifestFinding {
  readonly line: number
  readonly column: number
  readonly length: number
  readonly path: string
  readonly severity: 'error' | 'warning'
  readonly rule: string
  readonly message: string
  readonly hint: string | null
}

export interface ManifestCheck {
  readonly problems: readonly ManifestFinding[]
  readonly connector: {
    readonly connector_type: string
    readonly title: string
    readonly version: string
    readonly operations: readonly { readonly entity: string; readonly action: string }[]
  } | null
  /** Against the served version; null: there is none, or the manifest has errors. */
  readonly changes: {
    readonly from: string
    readonly to: string
    readonly needed: string
    readonly made: string
    readonly refused: boolean
    readonly changes: readonly {
      readonly class: 'breaking' | 'additive' | 'cosmetic'
      readonly path: string
      readonly change: string
    }[]
  } | null
}

export interface ManifestPreview {
  /** Those that were sent, or the example. */
  readonly params: JsonObject
  readonly requests: readonly { readonly curl: string; readonly after: string | null }[]
}

export interface ManifestRun {
  readonly answer: { readonly data: Json; readonly meta: Json }
}

export interface SearchAnswer {
  readonly hits: readonly {
    readonly id: string
    readonly score: number
    readonly data: JsonObject
  }[]
  readonly next_cursor: string | null
  readonly took_ms: number
  readonly replica: {
    readonly synced_at: string | null
    readonly lag_seconds: number | null
    readonly complete: boolean
    readonly stale: boolean
    readonly records: number
    readonly ranked: boolean
  }
}

export type SyncState = 'initial' | 'ready' | 'error' | 'suspicious' | 'paused'

/** The copies of one instance in a line. */
export interface LastSync {
  readonly connector_id: string
  /** The worst of its entities; null: nothing of it is synchronized. */
  readonly state: SyncState | null
  readonly running: boolean
  readonly last_synced_at: string | null
}

export interface SyncStatus {
  readonly entity: string
  readonly state: SyncState
  readonly complete: boolean
  readonly records: number
  readonly last_synced_at: string | null
  readonly lag_seconds: number | null
  readonly next_run_at: string | null
  /** Records that the last listing lacked and that are kept; null: none. */
  readonly missing: number | null
  /** Why it is suspicious; null: it is not. */
  readonly reason: 'missing_records' | 'unsaid_end' | 'bound_met' | null
  /** The bound that a run met, and how much it allows; null: that is not the reason. */
  readonly bound: 'pages' | 'records' | 'bytes' | 'pages_without_new' | null
  readonly limit: number | null
  readonly run: SyncProgress | null
  readonly last_error: SyncError | null
  /** The last runs. */
  readonly runs?: readonly SyncRun[]
}

export interface SyncProgress {
  readonly run_id: string
  readonly kind: string
  readonly started_at: string
  readonly pages: number
  readonly read: number
  readonly changed: number
  readonly removed: number
  readonly expected_total: number | null
  readonly percent: number | null
  readonly rows_per_second: number | null
  readonly eta_seconds: number | null
}

export interface SyncRun {
  readonly run_id: string
  readonly kind: string
  readonly started_at: string
  readonly finished_at: string | null
  readonly pages: number
  readonly read: number
  readonly changed: number
  readonly unchanged: number
  readonly removed: number
  /** The bound at which it ended, and how much it allows; null: it met none. */
  readonly bound: SyncStatus['bound']
  readonly limit: number | null
  readonly error: SyncError | null
}

export interface SyncError {
  readonly code: string
  readonly detail: string
  readonly at: string
}

export interface SyncSetting {
  readonly enabled: boolean
  /** Of what nobody set, the default of the service. */
  readonly interval_seconds: number
}

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly description: string
  /** Null: all, also those to come. */
  readonly event_types: readonly string[] | null
  readonly enabled: boolean
  readonly disabled_reason: 'gone' | 'by_hand' | null
  readonly previous_secret_ends_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** As it is answered once, when the secret is made. */
export interface WebhookWithSecret extends Webhook {
  readonly secret: string
}

export interface WebhookTrial {
  readonly delivered: boolean
  readonly status: number | null
  readonly error: string | null
  readonly took_ms: number
}

export interface Delivery {
  readonly event_id: string
  readonly type: string
  readonly state: 'pending' | 'delivered' | 'failed' | 'canceled'
  readonly attempts: number
  readonly next_attempt_at: string | null
  readonly last_attempt_at: string | null
  readonly last_status: number | null
  readonly last_error: string | null
}

export interface DeliveryPage {
  readonly data: readonly Delivery[]
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string | null }
}
