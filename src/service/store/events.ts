// What happened to instances, for host apps.
import type { JsonObject } from '../../language/json/json.ts'
import type { EventType } from '../../client/webhooks/event.ts'
import type { AuditEntry } from './audit.ts'
import type { Owner } from './owner.ts'

/** Something that happened to an instance. */
export interface EventInput {
  readonly organizationId: string
  readonly externalUserId: string
  readonly connectorType: string
  readonly instanceId: string
  readonly type: EventType
  /** What receivers get. Never secrets. */
  readonly data: JsonObject
}

export interface EventRow extends EventInput {
  readonly id: string
  /** 1, 2, 3 … within the organisation, in the order of the commits: a reader that sees one has all before it. */
  readonly seq: number
  readonly at: number
}

export interface EventPage {
  readonly events: readonly EventRow[]
  /** Of the newest event of the organisation; 0: there never was one. */
  readonly lastSeq: number
  /** Of the newest event that was removed for its age; 0: all are there. */
  readonly removedSeq: number
}

/**
 * What happened to instances. Changes of instances and their credentials append their events themselves, in their own
 * transactions, each with what has to be delivered of it: `connector.created` by `insert`; `connector.deleted` by `delete`;
 * `connector.auth_error` where the state becomes so; `connector.reauthorized` where it becomes `active` for the first time
 * after that; `connector.updated` for every other change of the state, of settings and of credentials by hand.
 */
export interface EventStore {
  append(event: EventInput): Promise<EventRow>
  /** The oldest first, after a place. */
  list(
    owner: Owner,
    page: { readonly afterSeq: number; readonly limit: number },
  ): Promise<EventPage>
  /**
   * Has an event delivered once more, from its first attempt: to one webhook, or to all that want its type. How many
   * there are that are switched on; null: this organisation has no such event.
   */
  redeliver(
    organizationId: string,
    eventId: string,
    webhookId: string | null,
    audit: AuditEntry,
  ): Promise<number | null>
  /** Removes events before a time, with their deliveries; how many events. */
  purgeBefore(beforeMs: number): Promise<number>
}
