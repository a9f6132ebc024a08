// An instance as its table holds it, and as the port shows it to its owner.
import { type RawBuilder, sql } from 'kysely'
import type { InstancePatch, InstanceRow, InstanceState } from '../../../store/instances.ts'
import type { Owner } from '../../../store/owner.ts'
import type { Tables } from '../schema.ts'
import { type Changes, given, oneOf, type Rows, type Where } from '../statements.ts'

export type InstanceColumns = Tables['connector_instance']

/** States in which credentials are renewed without being asked for. */
export const REFRESHED_STATES: readonly InstanceState[] = ['pending', 'active', 'refresh_unknown']

export function toInstance(columns: InstanceColumns): InstanceRow {
  const { instanceId: id, authErrorSince: _since, ...row } = columns
  return { id, ...row }
}

/** Changes an instance that the transaction has locked; the row after it. */
export async function changeInstance(
  tx: Rows,
  instanceId: string,
  changes: Changes<InstanceColumns>,
): Promise<InstanceColumns> {
  const row = await tx.change('connector_instance', { instanceId }, changes)
  if (row === null) throw new TypeError('the instance was not locked')
  return row
}

/** When an instance was changed: never at the time that it has, so that a condition on that one sees the change. */
export function changedAt(now: RawBuilder<number>): RawBuilder<number> {
  return sql`case when updated_at < ${now} then ${now} else updated_at + 1 end`
}

/** The rows that an owner sees, of a table that names organisation, user, connector and instance. */
export function visibleTo(
  owner: Owner,
): Where<'connector_instance'> & Where<'event'> & Where<'log_entry'> {
  const { organizationId, externalUserId, connectorTypes, connectorIds } = owner
  return {
    organizationId,
    externalUserId: given(externalUserId),
    connectorType: given(connectorTypes && oneOf(connectorTypes)),
    instanceId: given(connectorIds && oneOf(connectorIds)),
  }
}

/** What `enabled` does to the state, which depends on the one before. */
interface EnabledColumns {
  readonly state?: RawBuilder<InstanceState>
  readonly stateReason?: RawBuilder<null>
}

export function patchColumns(patch: InstancePatch): InstancePatch & EnabledColumns {
  return { ...patch, ...(patch.enabled === undefined ? {} : STATES[`${patch.enabled}`]) }
}

const STATES: Readonly<Record<'true' | 'false', EnabledColumns>> = {
  true: {
    state: sql<InstanceState>`case when state = 'disabled' then 'pending' else state end`,
    stateReason: sql<null>`case when state = 'disabled' then null else state_reason end`,
  },
  false: { state: sql<InstanceState>`'disabled'`, stateReason: sql<null>`null` },
}
