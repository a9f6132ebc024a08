// An instance as answers and events show it. Credentials are no part of it. It stands with the port, because every store
// writes it into the event of a change, in the transaction of that change.
import type { JsonObject } from '../../language/json/json.ts'
import type { InstanceRow } from './instances.ts'

/** Times are RFC 3339 in UTC with milliseconds. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString()
}

export function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : timeText(ms)
}

export interface ServedInstance {
  /** The version of the connector that serves its calls now; null: its major is not loaded. */
  readonly version: string | null
  /** What holds where neither the instance nor its manifest says. */
  readonly syncIntervalSeconds: number
}

/**
 * The members of `GET /integrations/connectors/{connector_id}`. `served`: what its process knows of it; without it only
 * what the store has is shown.
 */
export function showInstance(row: InstanceRow, served?: ServedInstance): JsonObject {
  return {
    id: row.id,
    connector_id: row.id,
    external_user_id: row.externalUserId,
    connector_type: row.connectorType,
    connector_version: row.connectorVersion,
    ...(served === undefined ? {} : { served_version: served.version }),
    name: row.name,
    state: row.state,
    state_reason:
      row.stateReason === null
        ? null
        : {
            code: row.stateReason.code,
            detail: row.stateReason.detail,
            since: timeText(row.stateReason.since),
            upstream_status: row.stateReason.upstreamStatus,
          },
    enabled: row.enabled,
    auth_method: row.authMethod,
    granted_scopes: row.grantedScopes,
    config: row.config,
    ...(row.replicationConfig === null
      ? {}
      : { replication_config: pick(row.config, Object.keys(row.replicationConfig)) }),
    ...(row.serverUrl === null ? {} : { server_url: row.serverUrl }),
    sync: served === undefined ? row.sync : withInterval(row.sync, served.syncIntervalSeconds),
    created_at: timeText(row.createdAt),
    updated_at: timeText(row.updatedAt),
    last_checked_at: timeOrNull(row.lastCheckedAt),
    next_refresh_at: timeOrNull(row.nextRefreshAt),
  }
}

function withInterval({ enabled = true, ...set }: JsonObject, seconds: number): JsonObject {
  return { enabled, interval_seconds: seconds, ...set }
}

function pick(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  )
}
