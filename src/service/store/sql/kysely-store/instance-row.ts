// An instance as its table holds it, and as the port shows it.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type {
  InstancePatch,
  InstanceRow,
  InstanceState,
  StateReason,
} from '../../../store/instances.ts'
import type { Tables } from '../schema.ts'
import { jsonText, readObject, readObjectOrNull, readTextsOrNull } from './json-column.ts'

export type InstanceColumns = Selectable<Tables['connector_instance']>

/** States in which credentials are renewed without being asked for. */
export const REFRESHED_STATES: readonly InstanceState[] = ['pending', 'active', 'refresh_unknown']

export function toInstance(row: InstanceColumns): InstanceRow {
  return {
    id: row.instance_id,
    organizationId: row.organization_id,
    externalUserId: row.external_user_id,
    connectorType: row.connector_type,
    connectorVersion: row.connector_version,
    name: row.name,
    // Written by this adapter only, as is the reason.
    state: row.state as InstanceState,
    stateReason: row.state_reason === null ? null : (JSON.parse(row.state_reason) as StateReason),
    enabled: row.enabled === 1,
    authMethod: row.auth_method,
    grantedScopes: readTextsOrNull(row.granted_scopes),
    config: readObject(row.config),
    replicationConfig: readObjectOrNull(row.replication_config),
    sync: readObject(row.sync),
    serverUrl: row.server_url,
    credentialEpoch: row.credential_epoch,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastCheckedAt: row.last_checked_at,
    nextRefreshAt: row.next_refresh_at,
  }
}

/** The columns of a new row. */
export function toColumns(row: InstanceRow): InstanceColumns {
  return {
    instance_id: row.id,
    organization_id: row.organizationId,
    external_user_id: row.externalUserId,
    connector_type: row.connectorType,
    connector_version: row.connectorVersion,
    name: row.name,
    state: row.state,
    state_reason: reasonText(row.stateReason),
    enabled: row.enabled ? 1 : 0,
    auth_method: row.authMethod,
    granted_scopes: jsonText(row.grantedScopes),
    config: JSON.stringify(row.config),
    replication_config: jsonText(row.replicationConfig),
    sync: JSON.stringify(row.sync),
    server_url: row.serverUrl,
    credential_epoch: row.credentialEpoch,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    last_checked_at: row.lastCheckedAt,
    next_refresh_at: row.nextRefreshAt,
    auth_error_since: row.state === 'auth_error' ? row.createdAt : null,
  }
}

export function reasonText(reason: StateReason | null): string | null {
  return reason === null ? null : JSON.stringify(reason)
}

/** Columns that a change by hand sets. The state depends on the one before. */
export type PatchColumns = Partial<Omit<InstanceColumns, 'state' | 'state_reason'>> & {
  readonly state?: RawBuilder<string>
  readonly state_reason?: RawBuilder<string | null>
}

/** The columns of a patch. */
export function patchColumns(patch: InstancePatch): PatchColumns {
  const { name, enabled, config, replicationConfig, sync, connectorVersion, serverUrl } = patch
  return {
    ...(name === undefined ? {} : { name }),
    ...(enabled === undefined ? {} : enabledColumns(enabled)),
    ...(config === undefined ? {} : { config: JSON.stringify(config) }),
    ...(replicationConfig === undefined ? {} : { replication_config: jsonText(replicationConfig) }),
    ...(sync === undefined ? {} : { sync: JSON.stringify(sync) }),
    ...(connectorVersion === undefined ? {} : { connector_version: connectorVersion }),
    ...(serverUrl === undefined ? {} : { server_url: serverUrl }),
  }
}

function enabledColumns(enabled: boolean): PatchColumns {
  return enabled
    ? {
        enabled: 1,
        state: sql<string>`case when state = 'disabled' then 'pending' else state end`,
        state_reason: sql<
          string | null
        >`case when state = 'disabled' then null else state_reason end`,
      }
    : { enabled: 0, state: sql<string>`'disabled'`, state_reason: sql<null>`null` }
}
