// Made by scripts/service-types.ts of the schemas of the routes. Do not edit.
import type { EventType } from './webhooks/event.ts'

/** A connector instance as the service shows it. */
export interface ConnectorInstance {
  readonly id: string
  readonly connector_id: string
  readonly external_user_id: string
  readonly connector_type: string
  readonly connector_version: string
  readonly name: string
  readonly state: 'pending' | 'active' | 'refresh_unknown' | 'auth_error' | 'disabled'
  readonly state_reason: null | {
    readonly code: string
    readonly detail: string
    readonly since: string
    readonly upstream_status: number | null
  }
  readonly enabled: boolean
  readonly auth_method: string | null
  readonly granted_scopes: null | readonly string[]
  readonly config: object
  readonly sync: object
  readonly created_at: string
  readonly updated_at: string
  readonly last_checked_at: string | null
  readonly next_refresh_at: string | null
  /** There where the instance was given one. */
  readonly replication_config?: object
}

/** Every member of a creation. */
export interface NewInstanceBody {
  readonly external_user_id: string
  readonly connector_type: string
  /** Label of the instance. */
  readonly name: string
  /** The credential fields of one authentication method of the connector. */
  readonly credentials?: object
  /** The secret_id that a finished consent gave. */
  readonly server_side_oauth_secret_id?: string
  /** Names the authentication method where the credentials fit several. */
  readonly auth_method?: string
  /** Settings of the connector. */
  readonly config?: object
  /** Another name of config; for advertising marketing it holds account_ids. */
  readonly replication_config?: object
  /** Whether and how often entities are synchronized: enabled, interval_seconds (30 or more), and both for each of its entities. */
  readonly sync?: {
    readonly enabled?: boolean
    readonly interval_seconds?: number
    readonly entities?: {
      readonly [k: string]: {
        readonly enabled?: boolean
        readonly interval_seconds?: number
      }
    }
  }
  /** Another origin instead of the third party’s; only where the operator allows it. */
  readonly server_url?: string
}

/** What is left out stays. */
export interface InstanceChange {
  /** Label of the instance. */
  readonly name?: string
  /** The credential fields of one authentication method of the connector. */
  readonly credentials?: object
  /** The secret_id that a finished consent gave. */
  readonly server_side_oauth_secret_id?: string
  /** Names the authentication method where the credentials fit several. */
  readonly auth_method?: string
  /** Settings of the connector that change; the others stay, and null takes one away. */
  readonly config?: object
  /** Another name of config; for advertising marketing it holds account_ids. */
  readonly replication_config?: object
  /** Whether and how often entities are synchronized: enabled, interval_seconds (30 or more), and both for each of its entities. What is left out stays; null takes an interval, or all settings of an entity, away. */
  readonly sync?: {
    readonly enabled?: boolean
    readonly interval_seconds?: number | null
    readonly entities?: {
      readonly [k: string]: {
        readonly enabled?: boolean
        readonly interval_seconds?: number | null
      } | null
    } | null
  }
  /** A version of the connector that is loaded, whole or its major: settings and credentials must fit it. */
  readonly connector_version?: string
  readonly enabled?: boolean
}

/** Whether the credentials work. */
export interface InstanceCheck {
  readonly result: 'ok' | 'refused' | 'inconclusive'
  readonly state: 'pending' | 'active' | 'refresh_unknown' | 'auth_error' | 'disabled'
  readonly checked_at: string
  readonly took_ms: number
  readonly error: object | null
}

/** How the copy of one entity is. */
export interface SyncStatus {
  readonly entity: string
  readonly state: 'initial' | 'ready' | 'error' | 'suspicious' | 'paused'
  readonly complete: boolean
  readonly records: number
  readonly last_synced_at: string | null
  readonly lag_seconds: number | null
  readonly next_run_at: string | null
  readonly missing: number | null
  readonly reason: 'missing_records' | 'unsaid_end' | 'bound_met' | null
  readonly bound: 'pages' | 'records' | 'bytes' | 'pages_without_new' | null
  readonly limit: number | null
  readonly run: object | null
  readonly last_error: object | null
}

/** What is synchronized: all entities by default. */
export interface SyncStart {
  readonly entities?: readonly string[]
  readonly mode?: 'incremental' | 'full'
}

/** A run that was asked for. */
export interface StartedSync {
  readonly entity: string
  readonly run_id: string | null
  readonly state: 'queued' | 'running' | 'done' | 'failed'
}

/** What a service tells of one operation. */
export interface Execution {
  readonly request_id: string
  readonly connector_id: string
  readonly connector_type: string
  readonly connector_version: string
  readonly upstream_requests: number
  readonly took_ms: number
  /** `deprecated`: what a caller should change. `not_recorded`: the operation was done, and the audit log gets its entry as soon as the store takes changes. */
  readonly warnings?: readonly {
    readonly code: string
    readonly pointer: string
    readonly detail: string
  }[]
}

/** One page of hits. */
export interface SearchAnswer {
  readonly hits: readonly {
    readonly id: string
    /** Relevance. */
    readonly score: number
    /** The searchable fields, or those asked for. */
    readonly data: object
  }[]
  readonly next_cursor: string | null
  readonly took_ms: number
  readonly replica: {
    readonly synced_at: string | null
    readonly lag_seconds: number | null
    readonly complete: boolean
    readonly stale: boolean
    /** In the copy. */
    readonly records: number
    /** False where hits come newest first although their scores differ. */
    readonly ranked: boolean
  }
  readonly execution: {
    readonly request_id: string
    readonly connector_id: string
    readonly connector_type: string
    readonly connector_version: string
    readonly upstream_requests: number
    readonly took_ms: number
    /** `deprecated`: what a caller should change. `not_recorded`: the operation was done, and the audit log gets its entry as soon as the store takes changes. */
    readonly warnings?: readonly {
      readonly code: string
      readonly pointer: string
      readonly detail: string
    }[]
  }
}

/** A consent to begin. */
export interface OAuthStart {
  /** The end user who will agree. */
  readonly external_user_id: string
  readonly connector_type: string
  /** For an instance that is connected anew: its version, whole or its major. Default: the one of new instances. */
  readonly connector_version?: string
  /** Where the browser comes back to; exactly one of the allow-list. */
  readonly redirect_url: string
  /** Comes back unchanged. */
  readonly state?: string
  /** Settings that the consent needs. */
  readonly config?: object
}

/** Where the browser goes. */
export interface OAuthConsent {
  readonly consent_url: string
  readonly expires_at: string
}

/** The allow-list of the application. */
export interface ReturnUrls {
  readonly return_urls: readonly string[]
  readonly allowed_origins: readonly string[]
}

/** A link to be made. */
export interface NewConnectSession {
  /** The end user whose account it will be. */
  readonly external_user_id: string
  /** What the user may choose from; left out: every connector. */
  readonly connector_types?: readonly string[]
  /** Reconnects this instance; it stays the same. */
  readonly instance_id?: string
  /** Where the user comes back to, with ?connection=<id>; exactly one of the allow-list. */
  readonly return_url: string
  /** The origin that may embed the page, such as https://app.example.com; that of an entry of the allow-list. */
  readonly allowed_origin?: string
}

/** A link for an end user. */
export interface ConnectSession {
  readonly connect_url: string
  readonly token: string
  readonly expires_at: string
}

/** What a token is for. */
export interface ScopedTokenRequest {
  readonly external_user_id: string
  readonly connector_types?: readonly string[]
  readonly connector_ids?: readonly string[]
  readonly actions?: readonly string[]
  readonly manage?: boolean
  readonly ttl_seconds?: number
}

/** A token for one end user. */
export interface ScopedToken {
  readonly token: string
  readonly access_token: string
  readonly token_type: 'bearer'
  readonly expires_in: number
  readonly scope: {
    readonly external_user_id: string
    readonly connector_types: readonly unknown[] | null
    readonly connector_ids: readonly unknown[] | null
    readonly actions: readonly unknown[] | null
    readonly manage: boolean
  }
}

/** For how many webhooks. */
export interface Redelivered {
  readonly event_id: string
  readonly webhooks: number
}

/** A webhook to be made. */
export interface NewWebhook {
  /** A public https address. */
  readonly url: string
  readonly description?: string
  /** The types that it wants; null, which is the default: all, also those to come. */
  readonly event_types?: readonly EventType[] | null
}

/** Without its secret. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly event_types: readonly string[] | null
  readonly enabled: boolean
  /** gone: the receiver answered 410. */
  readonly disabled_reason: 'gone' | 'by_hand' | null
  readonly previous_secret_ends_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** Shown once. */
export interface WebhookWithSecret {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly event_types: readonly string[] | null
  readonly enabled: boolean
  /** gone: the receiver answered 410. */
  readonly disabled_reason: 'gone' | 'by_hand' | null
  readonly previous_secret_ends_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** whsec_…: shown here and never again. */
  readonly secret: string
}

/** What is left out stays. */
export interface WebhookChange {
  /** A public https address. */
  readonly url?: string
  readonly description?: string
  /** The types that it wants; null, which is the default: all, also those to come. */
  readonly event_types?: readonly EventType[] | null
  readonly enabled?: boolean
}

/** How it is changed. */
export interface SecretRotation {
  /** How long both secrets sign; a day by default, 0 where one has leaked. */
  readonly keep_seconds?: number
}

/** What the receiver said. */
export interface WebhookTest {
  readonly delivered: boolean
  readonly status: number | null
  /** The code, where nothing answered. */
  readonly error: string | null
  readonly took_ms: number
}

/** An event on its way to a webhook. */
export interface WebhookDelivery {
  readonly event_id: string
  readonly type: string
  readonly state: 'pending' | 'delivered' | 'failed' | 'canceled'
  readonly attempts: number
  readonly next_attempt_at: string | null
  readonly last_attempt_at: string | null
  readonly last_status: number | null
  readonly last_error: string | null
}
