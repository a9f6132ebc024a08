// The rows that an owner sees, as a condition: whatever the owner says is part of the statement.
import type { Owner } from '../../../store/owner.ts'
import { given, oneOf, type Where } from '../statements.ts'

/** For tables whose rows name an organisation, a user, a connector and an instance. */
export function visibleTo(owner: Owner): Where<'connector_instance'> & Where<'event'> {
  const { organizationId, externalUserId, connectorTypes, connectorIds } = owner
  return {
    organizationId,
    externalUserId: given(externalUserId),
    connectorType: given(connectorTypes && oneOf(connectorTypes)),
    instanceId: given(connectorIds && oneOf(connectorIds)),
  }
}
