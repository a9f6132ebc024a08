// Whose rows a call may see.

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
