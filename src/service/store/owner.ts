// Whose rows a call may see, and whose keys and chains are above instances.

/**
 * Whose rows a call may see; every part that is given narrows. A foreign row is as unknown as one that never was:
 * the functions answer null, false or 0 for both.
 */
export interface Owner {
  readonly organizationId: string
  readonly externalUserId?: string
  readonly connectorTypes?: readonly string[]
  /** Ids of instances. */
  readonly connectorIds?: readonly string[]
}

const ORGANIZATION = 'org:'

/** What lies above an instance (data keys, the audit log) belongs to `org:<organizationId>`. */
export function organizationKeyOwner(organizationId: string): string {
  return ORGANIZATION + organizationId
}

/** The organisation that is meant; null: an instance is. */
export function organizationOfKeyOwner(ownerId: string): string | null {
  return ownerId.startsWith(ORGANIZATION) ? ownerId.slice(ORGANIZATION.length) : null
}
