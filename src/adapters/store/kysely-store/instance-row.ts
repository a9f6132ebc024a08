// An instance as its table holds it, and as the port shows it.
import type { Selectable } from 'kysely'
import type { InstanceRow, InstanceState, StateReason } from '../../../store/instances.ts'
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
