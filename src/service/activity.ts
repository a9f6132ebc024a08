// The latest operations of this process, for people who look: facts of the log, never params, bodies or secrets.
import type { ConsoleOperation } from '../client/service-bodies.ts'
import { dropOldest } from './drop-oldest.ts'
import { timeText } from './store/instance-view.ts'

/** One operation as it was answered; `at` in milliseconds since 1970, because few are ever looked at. */
export type AnsweredOperation = Omit<ConsoleOperation, 'at'> & { readonly at: number }

export interface ActivityFilter {
  readonly connectorId: string | null
  readonly failedOnly: boolean
}

/** Kept per organisation, so that a busy one pushes out nobody else's. */
const KEPT = 500
const MAX_ORGANIZATIONS = 1000

export class Activity {
  /** The one that was quiet for the longest time in front. */
  readonly #byOrganization = new Map<string, AnsweredOperation[]>()
  #latest: { readonly organizationId: string; readonly operations: AnsweredOperation[] } | null =
    null

  note(organizationId: string, operation: AnsweredOperation): void {
    const operations = this.#operationsOf(organizationId)
    operations.push(operation)
    // Many at once: to take away the first of a long list moves all others.
    if (operations.length >= 2 * KEPT) operations.splice(0, KEPT)
  }

  /** The newest first. */
  list(
    organizationId: string,
    { connectorId, failedOnly }: ActivityFilter,
  ): readonly ConsoleOperation[] {
    const operations = this.#byOrganization.get(organizationId) ?? []
    return operations
      .slice(-KEPT)
      .filter(
        ({ connector_id: id, code }) =>
          (connectorId === null || id === connectorId) && (!failedOnly || code !== null),
      )
      .toReversed()
      .map((operation) => ({ ...operation, at: timeText(operation.at) }))
  }

  /** The operations of an organisation, which is the last one now. */
  #operationsOf(organizationId: string): AnsweredOperation[] {
    if (this.#latest?.organizationId === organizationId) return this.#latest.operations
    const operations = this.#byOrganization.get(organizationId) ?? []
    this.#byOrganization.delete(organizationId)
    this.#byOrganization.set(organizationId, operations)
    dropOldest(this.#byOrganization, MAX_ORGANIZATIONS)
    this.#latest = { organizationId, operations }
    return operations
  }
}
