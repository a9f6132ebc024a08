// An instance as its table holds it, and as the port shows it.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { InstancePatch, InstanceRow, InstanceState } from '../../../store/instances.ts'
import type { Tables } from '../schema.ts'
import { readRow, writeRow } from './row.ts'

export type InstanceColumns = Selectable<Tables['connector_instance']>

/** States in which credentials are renewed without being asked for. */
export const REFRESHED_STATES: readonly InstanceState[] = ['pending', 'active', 'refresh_unknown']

export function toInstance(row: InstanceColumns): InstanceRow {
  const { instance_id: id, auth_error_since: _since, ...columns } = row
  return { id, ...readRow<Omit<InstanceRow, 'id'>>(columns) }
}

/** The columns of a new row. */
export function toColumns({ id, ...row }: InstanceRow): InstanceColumns {
  return {
    instance_id: id,
    ...writeRow(row),
    auth_error_since: row.state === 'auth_error' ? row.createdAt : null,
  }
}

/** Columns that a change by hand sets. The state depends on the one before. */
export type PatchColumns = Partial<Omit<InstanceColumns, 'state' | 'state_reason'>> & {
  readonly state?: RawBuilder<InstanceState>
  readonly state_reason?: RawBuilder<string | null>
}

/** The columns of a patch. */
export function patchColumns(patch: InstancePatch): PatchColumns {
  return { ...writeRow(patch), ...(patch.enabled === undefined ? {} : STATES[`${patch.enabled}`]) }
}

/** What `enabled` does to the state. */
const STATES: Readonly<Record<'true' | 'false', PatchColumns>> = {
  true: {
    state: sql<InstanceState>`case when state = 'disabled' then 'pending' else state end`,
    state_reason: sql<string | null>`case when state = 'disabled' then null else state_reason end`,
  },
  false: { state: sql<InstanceState>`'disabled'`, state_reason: sql<null>`null` },
}
