// The rows that an owner sees, as a condition: whatever the owner says is part of the statement.
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { Owner } from '../../../store/owner.ts'
import type { Tables } from '../schema.ts'

/** For `where` on `connector_instance`. */
export function visibleTo(
  owner: Owner,
): (eb: ExpressionBuilder<Tables, 'connector_instance'>) => Expression<SqlBool> {
  return (eb) => {
    const { organizationId, externalUserId, connectorTypes, connectorIds } = owner
    const conditions: Expression<SqlBool>[] = [
      eb('connector_instance.organization_id', '=', organizationId),
    ]
    if (externalUserId !== undefined)
      conditions.push(eb('connector_instance.external_user_id', '=', externalUserId))
    if (connectorTypes !== undefined) {
      // PostgreSQL knows no empty list.
      const isOne =
        connectorTypes.length === 0
          ? NEVER
          : eb('connector_instance.connector_type', 'in', connectorTypes)
      conditions.push(isOne)
    }
    if (connectorIds !== undefined) {
      const isOne =
        connectorIds.length === 0 ? NEVER : eb('connector_instance.instance_id', 'in', connectorIds)
      conditions.push(isOne)
    }
    return eb.and(conditions)
  }
}

const NEVER: Expression<SqlBool> = sql<SqlBool>`1 = 0`
