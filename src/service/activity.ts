// The latest operations of this process, for people who look: facts of the log, never params, bodies or secrets.

/** One operation, as it was answered. */
export interface AnsweredOperation {
  readonly requestId: string
  readonly organizationId: string
  /** The application behind the token or session; null: a host app vouched. */
  readonly clientId: string | null
  /** Of a scoped token. */
  readonly externalUserId: string | null
  readonly connectorId: string
  readonly connectorType: string
  readonly entity: string
  readonly action: string
  readonly status: number
  readonly code: string | null
  /** What the problem said; null: it succeeded, or nobody was there any more. */
  readonly detail: string | null
  readonly outcome: string | null
  readonly tookMs: number
  /** Null: it failed at the third party, after one request or more. */
  readonly upstreamRequests: number | null
  /** Of a download. */
  readonly bytes: number | null
  /** When the answer ended, in milliseconds since 1970. */
  readonly at: number
}

export interface ActivityFilter {
  readonly connectorId: string | null
  readonly failedOnly: boolean
}

export interface Activity {
  note(operation: AnsweredOperation): void
  /** The newest first. */
  list(organizationId: string, filter: ActivityFilter): readonly AnsweredOperation[]
}

/** Kept per organisation, so that a busy one pushes out nobody else's. */
const KEPT = 500
const MAX_ORGANIZATIONS = 1000

export function createActivity(): Activity {
  const byOrganization = new Map<string, AnsweredOperation[]>()
  return {
    note(operation) {
      const { organizationId } = operation
      const operations = byOrganization.get(organizationId) ?? []
      operations.push(operation)
      if (operations.length > KEPT) operations.shift()
      // The one that was quiet for the longest time goes first.
      byOrganization.delete(organizationId)
      byOrganization.set(organizationId, operations)
      const [quietest] = byOrganization.keys()
      if (byOrganization.size > MAX_ORGANIZATIONS && quietest !== undefined)
        byOrganization.delete(quietest)
    },
    list: (organizationId, { connectorId, failedOnly }) =>
      (byOrganization.get(organizationId) ?? [])
        .filter(
          (operation) =>
            (connectorId === null || operation.connectorId === connectorId) &&
            (!failedOnly || operation.code !== null),
        )
        .toReversed(),
  }
}
