// Subscriptions that the service made at vendors, so that they send their webhooks.
import type { JsonObject } from '../../language/json/json.ts'

/**
 * `making`: the vendor may have it or not; the row is there before anything is sent. `active`: the vendor has it.
 * `failed`: it is tried again, and the vendor may have it. `ending`: its instance is about to be deleted.
 */
export type SubscriptionState = 'making' | 'active' | 'failed' | 'ending'

export interface SubscriptionInput {
  readonly instanceId: string
  readonly state: SubscriptionState
  /** What is known of it, sealed for the version that the row gets; null: nothing. */
  readonly sealed: Uint8Array | null
  /** Marks what it was made for: an address, settings, credentials. */
  readonly madeFor: string
  /** null: never. */
  readonly expiresAt: number | null
  readonly renewAt: number | null
  /** `code` and `detail` of the last failure. */
  readonly problem: JsonObject | null
  /** In a row. */
  readonly failures: number
}

export interface SubscriptionRow extends SubscriptionInput {
  /** 1 at first, + 1 with every change. */
  readonly version: number
  readonly updatedAt: number
}

export interface SubscriptionStore {
  find(instanceId: string): Promise<SubscriptionRow | null>
  /**
   * Stores it in the place of the version `before`, 0 for none, as version + 1. False, and nothing stored: another process
   * has changed it, or the instance is gone.
   */
  put(subscription: SubscriptionInput, before: number): Promise<boolean>
  /** False: it has another version. */
  remove(instanceId: string, version: number): Promise<boolean>
  /** Stores the same, sealed under another data key. False: it has changed meanwhile. */
  reseal(instanceId: string, version: number, sealed: Uint8Array): Promise<boolean>
}
