// Made by scripts/service-types.ts of the schemas of the routes. Do not edit.
import type { EventType } from './webhooks/event.ts'

/** A connector instance as the service shows it. */
export interface ConnectorInstance {
  readonly id: string
  readonly connector_id: string
  readonly external_user_id: string
  readonly connector_type: string
  /** The version that it was created with or moved to; another version of the same major may serve it. */
  readonly connector_version: string
  /** The version of the connector that serves its calls now; null: no version of its major is loaded. */
  readonly served_version: string | null
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
  readonly config: {
    [k: string]: unknown
  }
  readonly sync: {
    readonly enabled: boolean
    readonly interval_seconds: number
  }
  readonly created_at: string
  readonly updated_at: string
  /** When it was last determined whether the third party accepts the credentials; a check that the third party did not answer changes nothing. */
  readonly last_checked_at: string | null
  readonly next_refresh_at: string | null
  /** Present if the instance was given one. */
  readonly replication_config?: {
    [k: string]: unknown
  }
  /** Present if the instance was given one: the origin used instead of the third party’s. */
  readonly server_url?: string
}

/** Every member of a creation. */
export interface NewInstanceBody {
  readonly external_user_id: string
  readonly connector_type: string
  /** Label of the instance. */
  readonly name: string
  /** The credential fields of one authentication method of the connector. */
  readonly credentials?: {
    [k: string]: unknown
  }
  /** The secret_id that a completed consent returned. */
  readonly server_side_oauth_secret_id?: string
  /** The authentication method, where the credentials fit more than one. */
  readonly auth_method?: string
  /** Settings of the connector. */
  readonly config?: {
    [k: string]: unknown
  }
  /** Another name for config; for advertising marketing it holds account_ids. */
  readonly replication_config?: {
    [k: string]: unknown
  }
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
  /** An origin to use instead of the third party’s; only where the operator allows it. */
  readonly server_url?: string
}

/** What is left out stays. */
export interface InstanceChange {
  /** Label of the instance. */
  readonly name?: string
  /** The credential fields of one authentication method of the connector. */
  readonly credentials?: {
    [k: string]: unknown
  }
  /** The secret_id that a completed consent returned. */
  readonly server_side_oauth_secret_id?: string
  /** The authentication method, where the credentials fit more than one. */
  readonly auth_method?: string
  /** Connector settings to change; the others stay, and null removes one. */
  readonly config?: {
    [k: string]: unknown
  }
  /** Another name for config; for advertising marketing it holds account_ids. */
  readonly replication_config?: {
    [k: string]: unknown
  }
  /** Whether and how often entities are synchronized: enabled, interval_seconds (30 or more), and both for each of its entities. What is left out stays; null removes an interval, or all settings of an entity. */
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
  /** A loaded version of the connector, in full or by its major; settings and credentials must fit it. */
  readonly connector_version?: string
  readonly enabled?: boolean
}

/** Whether the credentials work. */
export interface InstanceCheck {
  readonly result: 'ok' | 'refused' | 'inconclusive'
  readonly state: 'pending' | 'active' | 'refresh_unknown' | 'auth_error' | 'disabled'
  readonly checked_at: string
  readonly took_ms: number
  /** How many requests were sent; 0: the third party was not asked. */
  readonly upstream_requests: number
  readonly error: null | {
    readonly code: string
    readonly detail: string
    /** How long until the third party can be asked again, where known. */
    readonly retry_after_ms: number | null
  }
}

/** How long its token lives, and its scopes. */
export interface InstanceAccess {
  readonly auth_method: string | null
  /** When the access token expires or expired; null: there is none yet, or the third party does not say when. */
  readonly expires_at: string | null
  /** `automatic`: the service renews the token. `consent`: the user agrees again at the third party. `credentials`: somebody gives other credentials. `none`: the third party asks for none. */
  readonly renewal: 'automatic' | 'consent' | 'credentials' | 'none'
  /** What the third party said that it granted; null: it did not say. */
  readonly granted_scopes: null | readonly string[]
  /** What the consent of this version of the connector asks for. */
  readonly wanted_scopes: readonly string[]
  /** What is wanted and not granted, by name: a new consent can bring it. Empty where the third party did not say what it granted. */
  readonly missing_scopes: readonly {
    readonly scope: string
    /** What it allows, in words. */
    readonly title: string | null
    /** Operations that need it, as `entity.action`. */
    readonly operations: readonly string[]
  }[]
}

/** How the copy of one entity is. */
export interface SyncStatus {
  readonly entity: string
  /** waiting: it is read below another entity that fails or is paused, so that it is not known to be up to date. paused: it stands still, because somebody paused it or the account is not synchronized. */
  readonly state: 'initial' | 'ready' | 'error' | 'waiting' | 'suspicious' | 'paused'
  /** Whether nobody has paused it, by the settings of the entity or of the account. */
  readonly enabled: boolean
  /** The entity above it that keeps it from being brought up to date; null: none does. */
  readonly waits_for: null | {
    readonly entity: string
    readonly state: 'error' | 'paused'
    /** Since when that entity has been failing; null: it is paused. */
    readonly since: string | null
    readonly code: string | null
  }
  readonly complete: boolean
  /** Why a copy that was read as a whole is not known to have everything. */
  readonly gaps: readonly string[]
  readonly records: number
  readonly last_synced_at: string | null
  readonly lag_seconds: number | null
  /** Of a copy that waits for another entity: when that one is tried again. Of one that was never read and is read below another entity: when that one is read. null: it is under way, or follows what is under way, or nothing is planned. */
  readonly next_run_at: string | null
  /** It fails, waits for one that fails, or was to be read more than one interval ago and is not being read; false: of a copy that stands still, too. */
  readonly late: boolean
  /** Until when nothing is sent for it, because the third party limits how often it is asked (Retry-After of a 429, or what a rate leaves to syncs). null: something is. */
  readonly limited_until: string | null
  /** Between two runs, plus or minus a tenth. */
  readonly interval_seconds: number
  /** Where the interval comes from: the settings of the entity, those of the account, the connector, or the service. */
  readonly interval_from: 'entity' | 'account' | 'connector' | 'service'
  /** What the connector proposes, else the service: what holds where nothing is set. */
  readonly proposed_interval_seconds: number
  /** What these runs read: changes, everything, or what is below the records of another entity, all of them or those that changed. */
  readonly reads: 'changes' | 'everything' | 'below_parents' | 'below_changed'
  /** How often everything is read, where the others read changes; null: never for the time alone. */
  readonly full_interval_seconds: number | null
  /** How often all keys are read, to find what is gone; null: they are not. */
  readonly keys_interval_seconds: number | null
  /** The entity below whose records it is read. */
  readonly parent: string | null
  readonly missing: number | null
  readonly reason: 'missing_records' | 'unsaid_end' | 'bound_met' | null
  readonly bound: 'pages' | 'records' | 'bytes' | 'pages_without_new' | null
  readonly limit: number | null
  readonly left_out: null | {
    readonly records: number
    /** How many, by reason. */
    readonly reasons: {
      [k: string]: number
    }
    /** Where the first ones are; page is null for one that was asked for alone. */
    readonly examples: readonly {
      readonly page: number | null
      readonly index: number
      readonly path: string
      readonly reason: string
    }[]
  }
  readonly run: null | {
    readonly run_id: string
    readonly kind: string
    readonly started_at: string
    readonly pages: number
    readonly read: number
    readonly changed: number
    readonly unchanged: number
    readonly removed: number
    readonly left_out: null | {
      readonly records: number
      /** How many, by reason. */
      readonly reasons: {
        [k: string]: number
      }
      /** Where the first ones are; page is null for one that was asked for alone. */
      readonly examples: readonly {
        readonly page: number | null
        readonly index: number
        readonly path: string
        readonly reason: string
      }[]
    }
    readonly phase: string
    readonly slices_done: number
    readonly waited_ms: number
    readonly slices: number | null
    readonly expected_total: number | null
    readonly percent: number | null
    readonly rows_per_second: number | null
    readonly eta_seconds: number | null
    /** Where the third party counts nothing: how far it is if there are as many records as in the copy now. */
    readonly estimated_percent: number | null
    readonly resumed: boolean
    /** The turn that works on it, or will next, from 1. */
    readonly attempt: number
  }
  readonly last_error: null | {
    readonly code: string
    readonly detail: string
    readonly at: string
    /** Until when nothing is sent, because of failures before. */
    readonly suspended_until: string | null
    /** The failure that it only follows from. */
    readonly cause: null | {
      readonly code: string
      readonly detail: string
    }
  }
  /** The error with which the ongoing failures began; never one that merely follows from another failure, where known. */
  readonly first_error: null | {
    readonly code: string
    readonly detail: string
    readonly at: string
    /** Until when nothing is sent, because of failures before. */
    readonly suspended_until: string | null
    /** The failure that it only follows from. */
    readonly cause: null | {
      readonly code: string
      readonly detail: string
    }
  }
  /** In a row. */
  readonly failures: number
  /** The last runs that ended and, of those that go on, the turns that failed, where they are asked for. */
  readonly runs?: readonly {
    readonly run_id: string
    readonly kind: string
    readonly started_at: string
    readonly pages: number
    readonly read: number
    readonly changed: number
    readonly unchanged: number
    readonly removed: number
    readonly left_out: null | {
      readonly records: number
      /** How many, by reason. */
      readonly reasons: {
        [k: string]: number
      }
      /** Where the first ones are; page is null for one that was asked for alone. */
      readonly examples: {
        readonly page: number | null
        readonly index: number
        readonly path: string
        readonly reason: string
      }[]
    }
    readonly finished_at: string | null
    readonly bound: 'pages' | 'records' | 'bytes' | 'pages_without_new' | null
    readonly limit: number | null
    readonly error: null | {
      readonly code: string
      readonly detail: string
      readonly at: string
      /** Until when nothing is sent, because of failures before. */
      readonly suspended_until: string | null
      /** The failure that it only follows from. */
      readonly cause: null | {
        readonly code: string
        readonly detail: string
      }
    }
    /** The turn of the run that ended then, from 1; null: not known. */
    readonly attempt: number | null
    /** That turn failed, and the next one goes on with the run. Counts are of the turn. */
    readonly goes_on: boolean
  }[]
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

/** What became of a suspicious listing. */
export interface SyncConfirmation {
  readonly entity: string
  readonly confirmed: boolean
  /** Records that go when the next complete listing lacks them as well. */
  readonly missing: number | null
}

/** What is back of what a run removed. */
export interface SyncUndone {
  readonly run_id: string
  readonly restored: number
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
    /** The searchable fields, or those requested. */
    readonly data: {
      [k: string]: unknown
    }
  }[]
  readonly next_cursor: string | null
  readonly took_ms: number
  readonly replica: {
    readonly synced_at: string | null
    readonly lag_seconds: number | null
    readonly complete: boolean
    readonly stale: boolean
    /** The number of records in the copy. */
    readonly records: number
    /** False if hits come newest first although their scores differ. */
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
  /** Present if requested. */
  readonly explain?: {
    /** Which indexes narrow the search before documents are read. */
    readonly by: 'fields' | 'words' | 'text_parts' | 'each_part' | 'nothing'
    /** Fields whose indexes lead to the hits. */
    readonly fields: readonly string[]
    readonly order: 'sort' | 'score' | 'newest'
    /** Who chooses among several indexes: counts, or the planner of the database. */
    readonly chosen: 'counts' | 'database'
    /** Documents that were read and compared, because no index covers the whole query. */
    readonly compared: number
  }
  /** Present if requested, with the first page. */
  readonly facets?: {
    /** Hits that were counted. */
    readonly counted: number
    /** Whether these are all hits; false: the newest ones, at most 10000. */
    readonly whole: boolean
    /** By path: strings, numbers and booleans, most frequent first. */
    readonly fields: {
      readonly [k: string]: {
        readonly values: readonly {
          readonly value: string | number | boolean
          readonly count: number
        }[]
        /** Whether there are more values. */
        readonly more: boolean
      }
    }
  }
}

/** A record that was added, updated or removed. */
export interface RecordChange {
  readonly change: 'added' | 'updated' | 'removed'
  readonly id: string
  /** The searchable fields as they are now; null where it was removed. */
  readonly data: {
    [k: string]: unknown
  } | null
}

/** A page of changes of a copy. */
export interface ChangesAnswer {
  readonly data: readonly {
    readonly change: 'added' | 'updated' | 'removed'
    readonly id: string
    /** The searchable fields as they are now; null where it was removed. */
    readonly data: {
      [k: string]: unknown
    } | null
  }[]
  readonly meta: {
    readonly has_more: boolean
    readonly next_cursor: string
    /** True: from here on, all records are listed again. Those not listed by the end are gone. */
    readonly reset: boolean
  }
  readonly replica: {
    readonly synced_at: string | null
    readonly lag_seconds: number | null
    readonly complete: boolean
    readonly stale: boolean
    /** The number of records in the copy. */
    readonly records: number
  }
}

/** A consent to begin. */
export interface OAuthStart {
  /** The end user who gives consent. */
  readonly external_user_id: string
  readonly connector_type: string
  /** For an instance that is reconnected: its version, in full or by its major. Default: the version of new instances. */
  readonly connector_version?: string
  /** The method that the user consents to, where the connector has several. Default: the first. */
  readonly auth_method?: string
  /** Where the browser returns to; must match an entry of the allow-list exactly. */
  readonly redirect_url: string
  /** Returned unchanged. */
  readonly state?: string
  /** Settings that the consent needs. */
  readonly config?: {
    [k: string]: unknown
  }
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
  /** The end user who will own the account. */
  readonly external_user_id: string
  /** The connectors that the user may choose from; default: all. */
  readonly connector_types?: readonly string[]
  /** Reconnects this instance, which keeps its id. */
  readonly instance_id?: string
  /** Where the user returns to, with ?connection=<id>; must match an entry of the allow-list exactly. */
  readonly return_url: string
  /** The origin that may embed the page, such as https://app.example.com; must be the origin of an entry of the allow-list. */
  readonly allowed_origin?: string
  /** The language of the page; default: what the user's browser prefers. */
  readonly lang?: 'en' | 'de'
}

/** A link for an end user. */
export interface ConnectSession {
  /** Where the user connects the account: a link to open, or to give to the widget. */
  readonly connect_url: string
  /** The secret in the link: anyone who has it can connect this account, and nothing else. */
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
    readonly connector_types: readonly string[] | null
    readonly connector_ids: readonly string[] | null
    readonly actions: readonly string[] | null
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
  /** The event types to deliver; null, the default: all, including future ones. */
  readonly event_types?: readonly EventType[] | null
}

/** Without its secret. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly event_types: readonly string[] | null
  readonly enabled: boolean
  /** gone: the receiver responded with 410. */
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
  /** gone: the receiver responded with 410. */
  readonly disabled_reason: 'gone' | 'by_hand' | null
  readonly previous_secret_ends_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** whsec_…: shown only here, and never again. */
  readonly secret: string
}

/** What is left out stays. */
export interface WebhookChange {
  /** A public https address. */
  readonly url?: string
  readonly description?: string
  /** The event types to deliver; null, the default: all, including future ones. */
  readonly event_types?: readonly EventType[] | null
  readonly enabled?: boolean
}

/** How it is changed. */
export interface SecretRotation {
  /** How long both secrets sign; a day by default, 0 if one has leaked. */
  readonly keep_seconds?: number
}

/** What the receiver said. */
export interface WebhookTest {
  readonly delivered: boolean
  readonly status: number | null
  /** The error code, if there was no response. */
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
  /** What is sent; the same in every attempt. */
  readonly body: {
    [k: string]: unknown
  }
}

/** Who did what. */
export interface AuditEvent {
  readonly at: string
  /** The application, `person:` and the login of somebody at the console, `cli`, `host` or `service`. */
  readonly actor: string
  /** docs/reference/audit.md has all of them. */
  readonly action: string
  /** End users stand here as `user:` and a digest, never by their ids. */
  readonly target: string
  /** `done`, or how else it ended. */
  readonly outcome: string
  readonly members: readonly string[]
  readonly connector_id: null | string
  readonly request_id: null | string
  readonly chain: string
  readonly seq: number
  /** Of the application or the person; null: there is none. */
  readonly actor_name: string | null
  /** Of the application, the person or the account; of an end user the id, while the account, or another one of this user, is there; of a route what people need a right for. */
  readonly target_name: string | null
  /** Of the account, while it is there. */
  readonly connector_name: string | null
  /** IP address of who asked; null: nobody did, an end user did, whose address is not kept, or an earlier version wrote it. */
  readonly address: string | null
  /** The token or the session it was done with: the first 12 digits of its SHA-256. Equal ones are one token. With `connect:` before them it was a connect link, by which an end user did it: the actor is the application that made the link. */
  readonly token: string | null
  /** The end user whose account it is, while the account is there; with a token and no address they did it themselves, or your app with their token. */
  readonly external_user_id: string | null
}

/** What an erasure removed. */
export interface ErasedUser {
  readonly instances: number
  /** Other rows, next to the instances and what belongs to them. */
  readonly rows: number
}

/** Why a request failed. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** Never renamed, only added: request_malformed, operation_unknown, params_invalid, credentials_invalid, config_invalid, connector_unknown, cursor_invalid, upload_interrupted, redirect_url_refused, destination_refused, token_invalid, webhook_unverified, webhook_expired, client_invalid, scope_denied, address_denied, instance_unknown, route_unknown, oauth_secret_unknown, event_unknown, webhook_unknown, manifest_unknown, log_entry_unknown, method_not_allowed, request_timeout, oauth_secret_used, oauth_not_configured, instance_disabled, search_not_ready, idempotency_in_flight, precondition_failed, body_too_large, media_type_unsupported, idempotency_key_reused, manifest_refused, rate_limited, upstream_rejected, upstream_not_found, download_unavailable, upstream_conflict, upstream_payload_too_large, range_not_satisfiable, upstream_unprocessable, credentials_refused, upstream_forbidden, reauthorization_required, refresh_unknown, upstream_rate_limited, refresh_failed, upstream_unreachable, upstream_failed, upstream_unexpected, upstream_malformed, upstream_response_too_large, download_empty, download_link_refused, upload_session_refused, upstream_suspended, connector_version_unavailable, overloaded, shutting_down, store_unavailable, search_timeout, upstream_timeout, deadline_exceeded, body_already_read, internal_error, search_needs_hosted_mode, credentials_not_saved, download_interrupted, aborted, service_unreachable, service_malformed, error_unknown, manifest_invalid, webhook_refused. */
  readonly code: string
  /** Who has to act. */
  readonly origin: 'request' | 'auth' | 'connector' | 'upstream' | 'service'
  /** Whether the same request can succeed later. */
  readonly retryable: boolean
  readonly retry_after_ms: number | null
  /** What is known about the effect of a write. */
  readonly outcome: 'not_applied' | 'applied' | 'uncertain'
  readonly errors: readonly {
    /** JSON pointer into the request. */
    readonly pointer: string
    readonly code: string
    readonly detail: string
    /** What would have been accepted. */
    readonly allowed?: readonly unknown[]
  }[]
  /** For an operation with several requests: the result of each. */
  readonly steps?: readonly {
    readonly step: number
    readonly name: string
    readonly outcome: string
    readonly upstream?: {
      [k: string]: unknown
    }
  }[]
  readonly upstream: null | {
    readonly status: number | null
    readonly request_id: string | null
    readonly body: string | null
  }
  readonly request_id: string
}

/** A connector in the list. */
export interface ConnectorType {
  readonly connector_type: string
  readonly title: string
  readonly version: string
  readonly manifest_hash: string
  readonly icon: null | {
    readonly letters: string
    readonly hue?: number
  }
  /** The operator provides an icon for it, at /connect/icons/{connector_type}, which is shown instead of the letters. */
  readonly icon_file: boolean
  /** The vendor’s public status page. */
  readonly status_page: string | null
  readonly auth_methods: readonly {
    readonly name: string
    readonly title: string | null
    /** Whether it has a consent page. */
    readonly oauth: boolean
    /** Whether its consent has a client: one that the service registers, or the operator’s, which is for the first consent and those that share its client. */
    readonly oauth_configured: boolean
    /** Settings of which the URL of calls needs one. */
    readonly settings_needed: readonly string[]
  }[]
  /** What can be done with an instance of it; with `operations=true`. */
  readonly operations?: readonly {
    readonly entity: string
    readonly action: string
    readonly summary: string | null
  }[]
}

/** What a connector takes and can do. */
export interface ConnectorTypeDetail {
  readonly connector_type: string
  readonly title: string
  readonly version: string
  readonly manifest_hash: string
  readonly icon: null | {
    readonly letters: string
    readonly hue?: number
  }
  /** The operator provides an icon for it, at /connect/icons/{connector_type}, which is shown instead of the letters. */
  readonly icon_file: boolean
  /** The vendor’s public status page. */
  readonly status_page: string | null
  readonly auth_methods: readonly {
    readonly name: string
    readonly title: string | null
    /** Whether it has a consent page. */
    readonly oauth: boolean
    /** Whether its consent has a client: one that the service registers, or the operator’s, which is for the first consent and those that share its client. */
    readonly oauth_configured: boolean
    /** Settings of which the URL of calls needs one. */
    readonly settings_needed: readonly string[]
  }[]
  readonly description: string | null
  readonly docs: string | null
  readonly config_schema: {
    [k: string]: unknown
  }
  readonly credential_schemas: {
    readonly [k: string]: {
      [k: string]: unknown
    }
  }
  readonly entities: readonly {
    readonly entity: string
    readonly title: string | null
    readonly description: string | null
    /** JSON Schema of a record; null: the manifest describes none. */
    readonly record: {
      [k: string]: unknown
    } | null
    readonly search_fields: null | {
      [k: string]: string
    }
    /** Dotted paths below searchable fields that the connector names. */
    readonly search_paths: readonly string[]
    /** The field by whose value its copy takes in what is new, as searches name it where they have it; null: it has no copy, or one that is read as a whole. */
    readonly cursor_field: string | null
    /** The field whose value names a record, spelled likewise: what a member with refers_to has. Null: it has no copy, or several fields name a record together. */
    readonly key_field: string | null
    readonly actions: {
      readonly action: string
      readonly summary: string | null
      readonly description: string | null
      readonly deprecated: boolean | string
      /** JSON Schema. */
      readonly params: {
        [k: string]: unknown
      }
      readonly result: {
        [k: string]: unknown
      } | null
      readonly paged: boolean
      readonly safe: boolean
      readonly idempotent: boolean
    }[]
  }[]
}

/** A page of the list. */
export interface InstancePage {
  readonly data: readonly {
    readonly id: string
    readonly connector_id: string
    readonly external_user_id: string
    readonly connector_type: string
    /** The version that it was created with or moved to; another version of the same major may serve it. */
    readonly connector_version: string
    /** The version of the connector that serves its calls now; null: no version of its major is loaded. */
    readonly served_version: string | null
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
    readonly config: {
      [k: string]: unknown
    }
    readonly sync: {
      readonly enabled: boolean
      readonly interval_seconds: number
    }
    readonly created_at: string
    readonly updated_at: string
    /** When it was last determined whether the third party accepts the credentials; a check that the third party did not answer changes nothing. */
    readonly last_checked_at: string | null
    readonly next_refresh_at: string | null
    /** Present if the instance was given one. */
    readonly replication_config?: {
      [k: string]: unknown
    }
    /** Present if the instance was given one: the origin used instead of the third party’s. */
    readonly server_url?: string
  }[]
  readonly meta: {
    readonly has_more: boolean
    readonly next_cursor: string | null
    /** How many instances match the filters, on all pages; with `counts=true`. */
    readonly total?: number
    /** How many there are of each connector, in each state, and of which a copy fails, which need attention or have a copy that is late, under the other filters, the most first; with `counts=true`. */
    readonly facets?: {
      readonly connector_type: readonly {
        readonly value: string
        readonly count: number
      }[]
      readonly state: readonly {
        readonly value: string
        readonly count: number
      }[]
      readonly sync: readonly {
        readonly value: string
        readonly count: number
      }[]
    }
    /** When they were counted, where there are too many to count for every response. */
    readonly counted_at?: string
    /** When the newest instance changed that was not looked at; with `contains`, where there are so many. */
    readonly searched_to?: string
    /** What is missing; there only while a node of the database cannot be reached. Instances that are missing are not gone. */
    readonly incomplete?: string
  }
}

/** A page of the list. */
export interface DeliveryPage {
  readonly data: readonly {
    readonly event_id: string
    readonly type: string
    readonly state: 'pending' | 'delivered' | 'failed' | 'canceled'
    readonly attempts: number
    readonly next_attempt_at: string | null
    readonly last_attempt_at: string | null
    readonly last_status: number | null
    readonly last_error: string | null
    /** What is sent; the same in every attempt. */
    readonly body: {
      [k: string]: unknown
    }
  }[]
  readonly meta: {
    readonly has_more: boolean
    readonly next_cursor: string | null
  }
}

/** What a token can do on an instance. */
export interface Described {
  readonly connector_type: string
  readonly connector_version: string
  readonly state: string
  readonly entities: readonly {
    readonly entity: string
    readonly title: string | null
    readonly description: string | null
    /** JSON Schema of a record; null: the manifest describes none. */
    readonly record: {
      [k: string]: unknown
    } | null
    readonly search_fields: null | {
      [k: string]: string
    }
    /** Dotted paths below searchable fields that the connector names. */
    readonly search_paths: readonly string[]
    /** The field by whose value its copy takes in what is new, as searches name it where they have it; null: it has no copy, or one that is read as a whole. */
    readonly cursor_field: string | null
    /** The field whose value names a record, spelled likewise: what a member with refers_to has. Null: it has no copy, or several fields name a record together. */
    readonly key_field: string | null
    readonly actions: {
      readonly action: string
      readonly summary: string | null
      readonly description: string | null
      readonly deprecated: boolean | string
      /** JSON Schema. */
      readonly params: {
        [k: string]: unknown
      }
      readonly result: {
        [k: string]: unknown
      } | null
      readonly paged: boolean
      readonly safe: boolean
      readonly idempotent: boolean
    }[]
  }[]
  /** Parameters that name a record, by operation (`issues.get`) and parameter: the entity, and the field of its records that holds the value. */
  readonly named_records: {
    readonly [k: string]: {
      readonly [k: string]: {
        readonly entity: string
        readonly field: string
      }
    }
  }
}

/** What an operation answers. */
export interface Envelope {
  /** A record, a list of records, or null. */
  readonly data: unknown
  readonly meta: {
    [k: string]: unknown
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

/** What would be sent, secrets masked. */
export interface Preview {
  readonly requests: readonly {
    readonly curl: string
    readonly after: string | null
  }[]
}

/** How people sign in to the console. */
export interface SignInWays {
  readonly open_id: null | string
}

/** Who is signed in to the console. */
export interface ConsoleSession {
  /** What the one who is signed in is called. */
  readonly name: string
  readonly client_id: null | string
  readonly organization_id: string
  readonly person: null | {
    readonly login: string
    readonly name: null | string
    readonly role: 'viewer' | 'developer' | 'administrator'
  }
  /** Of the administrators the one who signed in last, for people who are none. */
  readonly administrator: null | string
  readonly ends_at: string
  readonly mode: 'production' | 'dev' | 'sandbox'
  /** Whether manifests may be published from here. */
  readonly publishes: boolean
  readonly demo: null | {
    readonly [k: string]: {
      readonly credentials: object
      readonly config: object
    }
  }
}

/** A host app. */
export interface ConsoleApplication {
  readonly client_id: string
  readonly name: string
  readonly redirect_urls: readonly string[]
  readonly allows: readonly string[]
  /** Addresses and networks that it may be used from; none: from everywhere. */
  readonly addresses: readonly string[]
  /** Hash of its picture. */
  readonly logo: null | string
  /** Its colour on the connect page. */
  readonly accent: null | string
  readonly created_at: string
  readonly disabled_at: string | null
  readonly secret: {
    /** As the audit log names who acts; null: an earlier version made it. */
    readonly made_by: string | null
    readonly made_at: string | null
    /** To some minutes; null: not yet. */
    readonly used_at: string | null
    /** null: it has no end. */
    readonly ends_at: string | null
  }
  /** Those that are good as well, for a while. */
  readonly earlier_secrets: readonly {
    /** As the audit log names who acts; null: an earlier version made it. */
    readonly made_by: string | null
    readonly made_at: string | null
    /** To some minutes; null: not yet. */
    readonly used_at: string | null
    /** null: it has no end. */
    readonly ends_at: string | null
  }[]
  /** Uses of its client id that were refused, as the audit log has them, up to a minute later. */
  readonly refused: {
    readonly last_day: number
    readonly last_week: number
    /** There were more: the newest entries of a long audit log are counted. */
    readonly at_least: boolean
    /** Of the week, the most frequent first. */
    readonly reasons: readonly {
      readonly reason: 'wrong_secret' | 'expired_secret' | 'disabled' | 'address' | 'not_permitted'
      readonly times: number
    }[]
    readonly last: null | {
      /** To the minute. */
      readonly at: string
      readonly reason: 'wrong_secret' | 'expired_secret' | 'disabled' | 'address' | 'not_permitted'
      /** IP address; null: not known. */
      readonly address: null | string
    }
  }
}

/** Host apps. */
export interface ConsoleApplications {
  readonly data: readonly {
    readonly client_id: string
    readonly name: string
    readonly redirect_urls: readonly string[]
    readonly allows: readonly string[]
    /** Addresses and networks that it may be used from; none: from everywhere. */
    readonly addresses: readonly string[]
    /** Hash of its picture. */
    readonly logo: null | string
    /** Its colour on the connect page. */
    readonly accent: null | string
    readonly created_at: string
    readonly disabled_at: string | null
    readonly secret: {
      /** As the audit log names who acts; null: an earlier version made it. */
      readonly made_by: string | null
      readonly made_at: string | null
      /** To some minutes; null: not yet. */
      readonly used_at: string | null
      /** null: it has no end. */
      readonly ends_at: string | null
    }
    /** Those that are good as well, for a while. */
    readonly earlier_secrets: {
      /** As the audit log names who acts; null: an earlier version made it. */
      readonly made_by: string | null
      readonly made_at: string | null
      /** To some minutes; null: not yet. */
      readonly used_at: string | null
      /** null: it has no end. */
      readonly ends_at: string | null
    }[]
    /** Uses of its client id that were refused, as the audit log has them, up to a minute later. */
    readonly refused: {
      readonly last_day: number
      readonly last_week: number
      /** There were more: the newest entries of a long audit log are counted. */
      readonly at_least: boolean
      /** Of the week, the most frequent first. */
      readonly reasons: {
        readonly reason:
          'wrong_secret' | 'expired_secret' | 'disabled' | 'address' | 'not_permitted'
        readonly times: number
      }[]
      readonly last: null | {
        /** To the minute. */
        readonly at: string
        readonly reason:
          'wrong_secret' | 'expired_secret' | 'disabled' | 'address' | 'not_permitted'
        /** IP address; null: not known. */
        readonly address: null | string
      }
    }
  }[]
  /** IP address of who asks; null: it is not known. */
  readonly address: null | string
}

/** A list of addresses as it is read. */
export interface CheckedAddresses {
  readonly addresses: readonly string[]
  /** IP address of who asks; null: it is not known. */
  readonly address: null | string
  /** An empty list has every address. */
  readonly contains: boolean
}

/** Shown once. */
export interface ApplicationSecret {
  readonly client_id: string
  readonly client_secret: string
}

/** Who signed in, and what each role may do. */
export interface ConsolePeople {
  readonly data: readonly {
    readonly person_id: string
    readonly login: string
    readonly issuer: string
    readonly subject: string
    readonly name: null | string
    readonly role: 'viewer' | 'developer' | 'administrator'
    readonly given_role: 'viewer' | 'developer' | 'administrator' | null
    readonly signed_in_at: string
    /** Of the latest request of their open sessions, to the minute; null: they have none. */
    readonly active_at: string | null
    /** How many are open. */
    readonly sessions: number
    readonly removed_at: string | null
  }[]
  readonly roles: readonly {
    readonly role: 'viewer' | 'developer' | 'administrator'
    readonly about: string
    /** What those before it may not. */
    readonly may: readonly string[]
  }[]
}

/** A connector and its OAuth client. */
export interface ConsoleConnector {
  readonly connector_type: string
  readonly title: string
  readonly redirect_url: string
  readonly docs: null | string
  /** Where an OAuth client is made at the third party, and that one's own steps; null: the manifest does not say. */
  readonly app: null | {
    readonly url: null | string
    readonly steps: readonly string[]
  }
  /** Of its consents: it has none, the service registers one, yours is given or not. */
  readonly client: 'none' | 'registered' | 'given' | 'missing'
  readonly settings: readonly string[]
  /** Not a secret. */
  readonly client_id: string | null
  readonly has_secret: boolean
  /** Where id and secret are set; `stored`: with `POST /v1/oauth-clients`. */
  readonly given_by: (
    'environment' | 'secret_file' | 'settings_file' | 'host' | 'sandbox' | 'stored'
  )[]
  /** What the organisation keeps here. The settings of the operator go before it. */
  readonly stored: null | {
    readonly connector_type: string
    /** Not a secret. */
    readonly client_id: string
    readonly has_secret: boolean
    /** As the audit log names them. */
    readonly changed_by: string
    readonly changed_at: string
    /** False: the operator’s settings have a client, which takes precedence. */
    readonly used: boolean
  }
  /** What the third party refused the client with, to this process, last. */
  readonly refused: string | null
  /** Why third parties refuse the redirect address. `loopback`: it leads to this machine, which some take for trials. */
  readonly redirect_problem: 'loopback' | 'not_https' | null
  /** What the consents of this client ask for. */
  readonly scopes: readonly string[]
  /** Those of this client, each with what it asks for. */
  readonly consents: readonly {
    readonly title: string
    readonly scopes: readonly string[]
  }[]
}

/** An OAuth client that is kept. */
export interface StoredOAuthClient {
  readonly connector_type: string
  /** Not a secret. */
  readonly client_id: string
  readonly has_secret: boolean
  /** As the audit log names them. */
  readonly changed_by: string
  readonly changed_at: string
  /** False: the operator’s settings have a client, which takes precedence. */
  readonly used: boolean
}

/** One thing that happened. */
export interface LogEntry {
  readonly id: string
  readonly kind:
    | 'operation'
    | 'request'
    | 'mcp_call'
    | 'draft'
    | 'refresh'
    | 'consent'
    | 'sync'
    | 'delivery'
    | 'vendor_webhook'
    | 'check'
  /** When it ended. */
  readonly at: string
  readonly connector_id: string | null
  readonly connector_type: string | null
  readonly external_user_id: string | null
  readonly client_id: string | null
  readonly entity: string | null
  readonly action: string | null
  readonly request_id: string | null
  /** The error code; null: it succeeded. */
  readonly code: string | null
  /** The status that the caller got. */
  readonly status: number | null
  readonly upstream_status: number | null
  readonly took_ms: number
  readonly upstream_requests: number
  /** For a sync that fails repeatedly: the code that it failed with first. null: it does not. */
  readonly first_code: string | null
  /** The message of a failure. */
  readonly detail: string | null
}

/** A page of the list. */
export interface LogPage {
  readonly data: readonly {
    readonly id: string
    readonly kind:
      | 'operation'
      | 'request'
      | 'mcp_call'
      | 'draft'
      | 'refresh'
      | 'consent'
      | 'sync'
      | 'delivery'
      | 'vendor_webhook'
      | 'check'
    /** When it ended. */
    readonly at: string
    readonly connector_id: string | null
    readonly connector_type: string | null
    readonly external_user_id: string | null
    readonly client_id: string | null
    readonly entity: string | null
    readonly action: string | null
    readonly request_id: string | null
    /** The error code; null: it succeeded. */
    readonly code: string | null
    /** The status that the caller got. */
    readonly status: number | null
    readonly upstream_status: number | null
    readonly took_ms: number
    readonly upstream_requests: number
    /** For a sync that fails repeatedly: the code that it failed with first. null: it does not. */
    readonly first_code: string | null
    /** The message of a failure. */
    readonly detail: string | null
  }[]
  readonly meta: {
    readonly has_more: boolean
    readonly next_cursor: string | null
    /** Pass it as `after` to get what is added from here on. */
    readonly tail_cursor?: string
    /** How far back the search went, if the page is not full and more may follow. */
    readonly searched_to?: string | null
    /** For how many days entries are kept (TENON_LOGS_DAYS; 0: none are), and whether parameters and answers of new ones are (TENON_LOGS_CONTENT). */
    readonly kept?: {
      readonly days: number
      readonly contents: boolean
    }
  }
}

/** An entry with its steps. */
export interface LogDetail {
  readonly id: string
  readonly kind:
    | 'operation'
    | 'request'
    | 'mcp_call'
    | 'draft'
    | 'refresh'
    | 'consent'
    | 'sync'
    | 'delivery'
    | 'vendor_webhook'
    | 'check'
  /** When it ended. */
  readonly at: string
  readonly connector_id: string | null
  readonly connector_type: string | null
  readonly external_user_id: string | null
  readonly client_id: string | null
  readonly entity: string | null
  readonly action: string | null
  readonly request_id: string | null
  /** The error code; null: it succeeded. */
  readonly code: string | null
  /** The status that the caller got. */
  readonly status: number | null
  readonly upstream_status: number | null
  readonly took_ms: number
  readonly upstream_requests: number
  /** For a sync that fails repeatedly: the code that it failed with first. null: it does not. */
  readonly first_code: string | null
  readonly detail: string | null
  /** Of the calling application; null: there was none, it was deleted, or the token is for an end user. */
  readonly client_name: string | null
  /** What is known about the effect of a write. */
  readonly outcome: string | null
  readonly steps: readonly {
    readonly method: string
    readonly host: string
    /** As in the manifest: {} for parameters. */
    readonly path: string | null
    /** 2 or more: it was repeated. */
    readonly attempt: number
    /** After the beginning of the operation. */
    readonly began_ms: number
    readonly took_ms: number | null
    readonly status: number | null
    readonly code: string | null
    /** Before it was repeated. */
    readonly wait_ms?: number
  }[]
  /** Counts and names; which ones depends on the kind. */
  readonly facts: {
    [k: string]: unknown
  }
  /** Parameters and answer, where the operator keeps them (TENON_LOGS_CONTENT) and the token is of an application; credentials are masked. */
  readonly said: null | {
    /** null: they were too long. */
    readonly params: {
      [k: string]: unknown
    } | null
    /** JSON as text, possibly truncated. */
    readonly answer: string | null
    readonly cut: boolean
  }
}

/** What happened, in figures. */
export interface LogFigures {
  readonly from: string
  readonly to: string
  readonly bucket_seconds: number
  /** From when entries were counted, if there are too many for the whole period. */
  readonly counted_from: string | null
  readonly buckets: readonly {
    readonly at: string
    readonly operations: number
    readonly failures: number
    /** Operations, and entries of all other kinds. */
    readonly entries: number
    readonly failed_entries: number
  }[]
  readonly kinds: readonly {
    readonly kind:
      | 'operation'
      | 'request'
      | 'mcp_call'
      | 'draft'
      | 'refresh'
      | 'consent'
      | 'sync'
      | 'delivery'
      | 'vendor_webhook'
      | 'check'
    readonly calls: number
    readonly failures: number
  }[]
  readonly slowest: readonly {
    readonly kind:
      | 'operation'
      | 'request'
      | 'mcp_call'
      | 'draft'
      | 'refresh'
      | 'consent'
      | 'sync'
      | 'delivery'
      | 'vendor_webhook'
      | 'check'
    readonly connector_type: string | null
    readonly entity: string | null
    readonly action: string | null
    readonly calls: number
    readonly failures: number
    readonly mean_ms: number
    readonly max_ms: number
  }[]
  readonly failing: readonly {
    readonly kind:
      | 'operation'
      | 'request'
      | 'mcp_call'
      | 'draft'
      | 'refresh'
      | 'consent'
      | 'sync'
      | 'delivery'
      | 'vendor_webhook'
      | 'check'
    readonly connector_type: string | null
    readonly entity: string | null
    readonly action: string | null
    readonly calls: number
    readonly failures: number
    /** When it first failed, to within five minutes. */
    readonly first_at: string
    /** When it last failed, to within five minutes. */
    readonly last_at: string
    readonly codes: {
      readonly code: string
      readonly calls: number
    }[]
  }[]
}

/** The copies of one instance in a line. */
export interface ConsoleLastSync {
  readonly connector_id: string
  /** That of the instance when its copies were read. */
  readonly account_state: 'pending' | 'active' | 'refresh_unknown' | 'auth_error' | 'disabled'
  /** The worst of its entities; null: it has none. */
  readonly state: 'suspicious' | 'error' | 'waiting' | 'initial' | 'ready' | 'paused' | null
  readonly running: boolean
  readonly last_synced_at: string | null
  /** That are or were kept. */
  readonly copies: number
  /** Of these, so many are paused by somebody; 0 where the instance stands still. */
  readonly paused: number
  /** Copies that fail; what is paused is not among them. */
  readonly failing: readonly {
    readonly entity: string
    /** What it fails with now. */
    readonly code: string
    /** As of when it was last read well; null: it never was. */
    readonly last_synced_at: string | null
    /** When it is tried again, and something is sent for it; null: it is being tried. */
    readonly next_attempt_at: string | null
  }[]
  /** Copies that neither fail nor wait for one that does, and for which nothing is sent before that moment, as the third party limits how often it is asked. */
  readonly limited: readonly {
    readonly entity: string
    readonly until: string
  }[]
  /** The oldest of the copies that are late, else of all; one that was never read as a whole is older than any. null: none is kept up. */
  readonly furthest_behind: null | {
    readonly entity: string
    readonly synced_at: string | null
    /** It fails, waits for one that fails, or was to be read more than one interval ago. */
    readonly late: boolean
    /** Between two runs of it. */
    readonly interval_seconds: number
  }
}

/** The copies that fail. */
export interface ConsoleFailingSyncs {
  readonly data: readonly {
    readonly connector_id: string
    readonly connector_type: string
    readonly name: string
    readonly created_at: string
    /** The oldest failure first. */
    readonly copies: {
      readonly entity: string
      /** What it fails with now. */
      readonly code: string
      /** What it fails with now. */
      readonly detail: string
      readonly since: string
      /** Nothing was sent for it: another call has failed with that. */
      readonly held: boolean
      readonly failures: number
      readonly failed_at: string
    }[]
    /** Entities that are read below one of these, and wait for it. */
    readonly waiting: readonly string[]
    readonly external_user_id: string
    readonly state: 'pending' | 'active' | 'refresh_unknown' | 'auth_error' | 'disabled'
  }[]
  /** Of most accounts first. */
  readonly causes: readonly {
    readonly connector_type: string
    readonly code: string
    /** Of which it is the oldest failure of a call of its own, or what all are held back for. */
    readonly accounts: number
    /** Of so many users. */
    readonly users: number
    /** When one of them failed last. */
    readonly last_at: string
    /** Those that have failed longest, at most 5. */
    readonly first: {
      readonly connector_id: string
      readonly connector_type: string
      readonly name: string
      readonly created_at: string
      /** The oldest failure first. */
      readonly copies: {
        readonly entity: string
        /** What it fails with now. */
        readonly code: string
        /** What it fails with now. */
        readonly detail: string
        readonly since: string
        /** Nothing was sent for it: another call has failed with that. */
        readonly held: boolean
        readonly failures: number
        readonly failed_at: string
      }[]
      /** Entities that are read below one of these, and wait for it. */
      readonly waiting: readonly string[]
    }[]
  }[]
  /** Users of whom several accounts fail, at most 20, of most accounts first; without those that fail as those of other users do. */
  readonly users: readonly {
    readonly external_user_id: string
    readonly accounts: number
    /** When one of them failed last. */
    readonly last_at: string
    /** Those that have failed longest, at most 5. */
    readonly first: {
      readonly connector_id: string
      readonly connector_type: string
      readonly name: string
      readonly created_at: string
      /** The oldest failure first. */
      readonly copies: {
        readonly entity: string
        /** What it fails with now. */
        readonly code: string
        /** What it fails with now. */
        readonly detail: string
        readonly since: string
        /** Nothing was sent for it: another call has failed with that. */
        readonly held: boolean
        readonly failures: number
        readonly failed_at: string
      }[]
      /** Entities that are read below one of these, and wait for it. */
      readonly waiting: readonly string[]
    }[]
  }[]
  /** Users and connectors of whom some accounts fail and others need re-authentication, users first, at most 20. */
  readonly in_two_ways: readonly {
    /** null: of one connector. */
    readonly external_user_id: string | null
    /** null: of one user. */
    readonly connector_type: string | null
    readonly failing: number
    readonly needs_reauthentication: number
    /** At most 5, of both. */
    readonly first: {
      readonly connector_id: string
      readonly connector_type: string
      readonly name: string
      readonly state: 'pending' | 'active' | 'refresh_unknown' | 'auth_error' | 'disabled'
    }[]
  }[]
  /** false: not all that fail or need re-authentication were looked at. */
  readonly whole: boolean
  /** Instances that were looked at, those that changed last, at most 200. */
  readonly counted: number
}

/** What the linter says of a text. */
export interface ManifestCheck {
  readonly problems: readonly {
    readonly line: number
    readonly column: number
    readonly length: number
    readonly path: string
    readonly rule: string
    readonly message: string
    readonly severity: 'error' | 'warning'
    readonly hint: null | string
  }[]
  /** Errors kept a phase from looking at all: once they are mended, more may be found. */
  readonly is_part: boolean
  readonly connector: null | {
    readonly connector_type: string
    readonly title: string
    readonly version: string
    readonly operations: readonly {
      readonly entity: string
      readonly action: string
    }[]
  }
  /** Against the served version; null: there is none, or the manifest has errors. */
  readonly changes: null | {
    readonly from: string
    readonly to: string
    readonly needed: string
    readonly made: string
    /** Whether something breaks although the version does not say so. */
    readonly refused: boolean
    readonly changes: readonly {
      readonly class: 'breaking' | 'additive' | 'cosmetic'
      readonly path: string
      readonly change: string
    }[]
  }
}

/** What became of a document. */
export interface ManifestDraft {
  readonly connector_type: string
  readonly text: string
  readonly report: {
    readonly entities: number
    readonly actions: number
    readonly guessed: readonly string[]
    readonly undecided: readonly string[]
    readonly missing: readonly string[]
  }
}

/** With its parameters, given or made up. */
export interface ManifestPreview {
  readonly params: object
  readonly requests: readonly {
    readonly curl: string
    readonly after: string | null
  }[]
}

/** A published version, without its text. */
export interface ManifestVersion {
  readonly connector_type: string
  readonly version: string
  readonly manifest_hash: string
  /** As the audit log names them. */
  readonly published_by: string
  readonly published_at: string
  readonly note: null | string
  /** Whether it is the published version of its major. */
  readonly current: boolean
  /** Whether instances of its major run on it. */
  readonly served: boolean
  /** Why it is current and not served: a file of the operator goes before it, TENON_CONNECTORS leaves its type out, or this version of the program cannot read it. */
  readonly hidden_by: 'file' | 'setting' | 'invalid' | null
}

/** A published version. */
export interface ManifestVersionText {
  readonly connector_type: string
  readonly version: string
  readonly manifest_hash: string
  /** As the audit log names them. */
  readonly published_by: string
  readonly published_at: string
  readonly note: null | string
  /** Whether it is the published version of its major. */
  readonly current: boolean
  /** Whether instances of its major run on it. */
  readonly served: boolean
  /** Why it is current and not served: a file of the operator goes before it, TENON_CONNECTORS leaves its type out, or this version of the program cannot read it. */
  readonly hidden_by: 'file' | 'setting' | 'invalid' | null
  readonly text: string
}

/** What a change means, done or tried. */
export interface PublishedResult {
  readonly connector_type: string
  readonly version: string
  readonly manifest_hash: string
  /** As the audit log names them. */
  readonly published_by: string
  readonly published_at: string
  readonly note: null | string
  /** Whether it is the published version of its major. */
  readonly current: boolean
  /** Whether instances of its major run on it. */
  readonly served: boolean
  /** Why it is current and not served: a file of the operator goes before it, TENON_CONNECTORS leaves its type out, or this version of the program cannot read it. */
  readonly hidden_by: 'file' | 'setting' | 'invalid' | null
  /** What instances of its major ran on before; null: nothing. */
  readonly before: null | {
    readonly version: string
    readonly origin: 'packaged' | 'published' | 'file'
  }
  /** What they run on now; null: nothing. */
  readonly after: null | {
    readonly version: string
    readonly origin: 'packaged' | 'published' | 'file'
  }
  /** Compared with the version that it follows; null: it follows none. */
  readonly changes: null | {
    readonly from: string
    readonly to: string
    readonly needed: string
    readonly made: string
    /** Whether something breaks although the version does not say so. */
    readonly refused: boolean
    readonly changes: readonly {
      readonly class: 'breaking' | 'additive' | 'cosmetic'
      readonly path: string
      readonly change: string
    }[]
  }
  /** Instances of its major; null: a part of the store does not respond. */
  readonly instances: number | null
  /** For a dry run: why it would be refused. */
  readonly refusals: readonly {
    readonly code: string
    readonly detail: string
  }[]
  readonly warnings: readonly string[]
  readonly dry_run: boolean
}

/** The answer of a local vendor or of an account, and what was sent and came back for it. */
export interface ManifestRun {
  readonly answer: object
  readonly exchanges: readonly {
    readonly curl: string
    readonly status: null | number
    readonly content_type: null | string
    readonly body: null | string
    readonly cut: boolean
  }[]
}
