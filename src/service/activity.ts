// The latest operations of this process, for people who look: facts of the log, never params, bodies or secrets.
import { dropOldest } from './drop-oldest.ts'

export interface AnsweredStep {
  readonly name: string
  readonly outcome: string
}

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
  /** Of a failed operation of several requests: what became of each; null: it has none, or succeeded. */
  readonly steps: readonly AnsweredStep[] | null
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
  /** The one that was quiet for the longest time in front. */
  const byOrganization = new Map<string, AnsweredOperation[]>()
  let latest: { readonly organizationId: string; readonly operations: AnsweredOperation[] } | null =
    null

  /** The operations of an organisation, which is the last one now. */
  function operationsOf(organizationId: string): AnsweredOperation[] {
    if (latest?.organizationId === organizationId) return latest.operations
    const operations = byOrganization.get(organizationId) ?? []
    byOrganization.delete(organizationId)
    byOrganization.set(organizationId, operations)
    dropOldest(byOrganization, MAX_ORGANIZATIONS)
    latest = { organizationId, operations }
    return operations
  }

  return {
    note(operation) {
      const operations = operationsOf(operation.organizationId)
      operations.push(operation)
      // Many at once: to take away the first of a long list moves all others.
      if (operations.length >= 2 * KEPT) operations.splice(0, KEPT)
    },
    list: (organizationId, { connectorId, failedOnly }) =>
      (byOrganization.get(organizationId) ?? [])
        .slice(-KEPT)
        .filter(
          (operation) =>
            (connectorId === null || operation.connectorId === connectorId) &&
            (!failedOnly || operation.code !== null),
        )
        .toReversed(),
  }
}
