// The rows that an owner sees, as a condition: whatever the owner says is part of the statement.
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Owner } from '../../../store/owner.ts'

/** For `where` on a table whose rows name an organisation, a user, a connector and an instance. */
export function visibleTo(
  owner: Owner,
  table: 'connector_instance' | 'event' = 'connector_instance',
): RawBuilder<SqlBool> {
  const { organizationId, externalUserId, connectorTypes, connectorIds } = owner
  const isOne = (column: string, values: readonly string[] | undefined): RawBuilder<unknown>[] => {
    if (values === undefined) return []
    // PostgreSQL knows no empty list.
    if (values.length === 0) return [sql`1 = 0`]
    return [sql`${sql.ref(`${table}.${column}`)} in (${sql.join(values)})`]
  }
  const conditions = [
    ...isOne('organization_id', [organizationId]),
    ...isOne('external_user_id', externalUserId === undefined ? undefined : [externalUserId]),
    ...isOne('connector_type', connectorTypes),
    ...isOne('instance_id', connectorIds),
  ]
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}
