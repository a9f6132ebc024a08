// What the store keeps of a subscription, sealed: its secret, its id, and what it was made with.
import type { JsonObject } from '../../language/json/json.ts'
import { parseJson } from '../../language/json/parse-json.ts'
import type { Store } from '../store/store.ts'
import type { SubscriptionRow } from '../store/subscriptions.ts'
import type { Vault } from '../vault/vault.ts'

export interface KeptSubscription {
  /** What templates see of it. */
  readonly values: JsonObject
  /** Whether the vendor has answered; before that there is nothing by which it could be ended. */
  readonly isMade: boolean
  /** The address and the settings that it was made with, and the epoch of the credentials. */
  readonly url: string
  readonly config: JsonObject
  readonly epoch: number
}

const COLUMN = 'webhook_subscription'

/** Seals it for one instance and version: nowhere else does it open. */
export async function sealSubscription(
  vault: Vault,
  instanceId: string,
  version: number,
  kept: KeptSubscription,
): Promise<Uint8Array> {
  return await vault.seal(instanceId, COLUMN, version, JSON.stringify(kept))
}

/** Null: nothing is known of it. Throws `internal_error` when it was tampered with. */
export async function openSubscription(
  vault: Vault,
  row: SubscriptionRow | null,
): Promise<KeptSubscription | null> {
  if (row === null || row.sealed === null) return null
  const text = await vault.openText(row.instanceId, COLUMN, row.version, row.sealed)
  // Written by sealSubscription, and authenticated.
  return parseJson(text) as unknown as KeptSubscription
}

/** Seals the subscription of an instance under its newest data key, if `isOld` says so of what there is. */
export async function resealSubscription(
  vault: Vault,
  subscriptions: Store['subscriptions'],
  instanceId: string,
  isOld: (sealed: Uint8Array) => boolean,
): Promise<'resealed' | 'fine' | 'changed'> {
  const row = await subscriptions.find(instanceId)
  if (row === null || row.sealed === null || !isOld(row.sealed)) return 'fine'
  const plain = await vault.open(instanceId, COLUMN, row.version, row.sealed)
  const sealed = await vault.seal(instanceId, COLUMN, row.version, plain)
  return (await subscriptions.reseal(instanceId, row.version, sealed)) ? 'resealed' : 'changed'
}
