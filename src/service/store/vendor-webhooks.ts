// Webhooks of vendors: which instances they are for, and which events have arrived.
import type { EventInput } from './events.ts'
import type { InstanceRow } from './instances.ts'

/** What a vendor's webhooks say that are for this instance. */
export interface WebhookRoute {
  readonly organizationId: string
  readonly instanceId: string
  readonly connectorType: string
  /** A hash of the settings by which the vendor names the account. */
  readonly route: string
}

/** An event of a vendor that was taken, so that a repetition is known. */
export interface WebhookReceipt {
  readonly organizationId: string
  readonly instanceId: string
  readonly eventHash: string
}

export interface VendorWebhookStore {
  /** Says what is for an instance; null: nothing is, or what is said in its own address. */
  setRoute(instance: Omit<WebhookRoute, 'route'>, route: string | null): Promise<void>
  /**
   * The instances that webhooks with this route are for, of any organisation, at most so many. `isWhole` is false while a
   * node of the database is away: those that lie there are missing.
   */
  routed(
    connectorType: string,
    route: string,
    limit: number,
  ): Promise<{ readonly instanceIds: readonly string[]; readonly isWhole: boolean }>
  /** Instances of a connector, of any organisation, ordered by id. `isWhole`: as above. */
  instancesOf(
    connectorType: string,
    page: { readonly afterId: string; readonly limit: number },
  ): Promise<{ readonly rows: readonly InstanceRow[]; readonly isWhole: boolean }>
  /** Whether this event was taken before. */
  isTaken(receipt: WebhookReceipt): Promise<boolean>
  /** Takes an event: its receipt and what host apps are told, in one transaction. False: it was taken before. */
  take(receipt: WebhookReceipt, keepMs: number, event: EventInput): Promise<boolean>
  purgeExpired(): Promise<number>
}
