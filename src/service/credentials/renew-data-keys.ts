// Data keys are renewed: first the key, then the values that live long, and a day later the old key is removed.
//
// All of it runs while services do. What is sealed under an older key meanwhile opens as long as that key is kept, and is
// sealed again before the key is removed.
import type { Store } from '../store/store.ts'
import { newDataKey } from '../vault/data-key.ts'
import { keyVersionOf } from '../vault/envelope.ts'
import type { KeyProvider } from '../vault/key-provider.ts'
import type { Vault } from '../vault/vault.ts'
import { resealWebhookSecret } from '../events/webhook-secrets.ts'
import { resealOAuthClient } from '../oauth/oauth-clients.ts'
import { resealContents } from '../logs/log-content.ts'
import { resealSubscription } from '../vendor-webhooks/sealed-subscription.ts'
import { organizationOfKeyOwner } from '../store/owner.ts'
import { resealCredential } from './sealed-credentials.ts'

type RenewalStore = Pick<
  Store,
  'dataKeys' | 'credentials' | 'webhooks' | 'subscriptions' | 'logs' | 'oauthClients'
>

export interface RenewOptions {
  /** Keys made before this time, in milliseconds by the store's clock. */
  readonly beforeMs: number
  /** Owners per step; default 500. */
  readonly batch?: number
  /** Called after each step with the data keys made so far. */
  readonly onProgress?: (renewed: number) => void
}

export interface RenewResult {
  readonly renewed: number
  readonly resealed: number
}

const BATCH = 500
/** Cursors, keys of writes and their answers live a day: so long old keys open what nobody seals again. */
const KEPT_MS = 25 * 3_600_000
/** A value that changes so often meanwhile is sealed under the new key by the process that changes it. */
const ATTEMPTS = 5

/**
 * Makes new data keys and seals what lives long under them: credentials, subscriptions, secrets of webhooks and of
 * OAuth clients, contents of the logs.
 *
 * It can run twice at once and be killed; run again with the same `beforeMs` it goes on where it was.
 */
export async function renewDataKeys(
  ports: { readonly store: RenewalStore; readonly provider: KeyProvider; readonly vault: Vault },
  { beforeMs, batch = BATCH, onProgress }: RenewOptions,
): Promise<RenewResult> {
  const { store, provider, vault } = ports
  let renewed = 0
  for await (const { ownerId, version } of paged((after) =>
    store.dataKeys.madeBefore(beforeMs, batch, after),
  )) {
    const next = { version: version + 1, ...(await provider.wrap(newDataKey())) }
    // One that has a successor already, or is gone, gets none.
    if (!(await store.dataKeys.succeed(ownerId, next))) continue
    renewed += 1
    if (renewed % batch === 0) onProgress?.(renewed)
  }
  // Of this run, and of one that was killed.
  let resealed = 0
  for await (const { ownerId, version } of paged((after) =>
    store.dataKeys.superseded(0, batch, after),
  ))
    resealed += await resealOwner(store, vault, ownerId, version)
  return { renewed, resealed }
}

interface OwnedKey {
  readonly ownerId: string
  readonly version: number
}

async function* paged(
  read: (after: string | undefined) => Promise<readonly OwnedKey[]>,
): AsyncGenerator<OwnedKey> {
  let after: string | undefined
  for (;;) {
    const page = await read(after)
    yield* page
    after = page.at(-1)?.ownerId
    if (after === undefined) return
  }
}

/**
 * Removes data keys that have had a successor for longer than anything sealed by them alone lives; how many. Values that
 * a process sealed under them while it did not know the new one yet are sealed again first.
 */
export async function retireDataKeys(
  { store, vault }: { readonly store: RenewalStore; readonly vault: Vault },
  { keptMs = KEPT_MS, batch = BATCH }: { readonly keptMs?: number; readonly batch?: number } = {},
): Promise<number> {
  let removed = 0
  for await (const { ownerId, version } of paged((after) =>
    store.dataKeys.superseded(keptMs, batch, after),
  )) {
    await resealOwner(store, vault, ownerId, version)
    removed += await store.dataKeys.removeOlder(ownerId, version)
  }
  return removed
}

/** Seals the values of an owner that are under older keys again; how many. */
async function resealOwner(
  store: RenewalStore,
  vault: Vault,
  ownerId: string,
  version: number,
): Promise<number> {
  const organizationId = organizationOfKeyOwner(ownerId)
  let resealed = 0
  if (organizationId === null) {
    if (await until(() => resealCredential(vault, store.credentials, ownerId, isOld))) resealed += 1
    if (await until(() => resealSubscription(vault, store.subscriptions, ownerId, isOld)))
      resealed += 1
    return resealed + (await resealContents(vault, store.logs, ownerId, isOld))
  }
  for (const { id } of await store.webhooks.list(organizationId)) {
    const place = { organizationId, webhookId: id }
    for (const which of ['secret', 'previousSecret'] as const) {
      if (await until(() => resealWebhookSecret({ vault, store }, place, which, isOld)))
        resealed += 1
    }
  }
  for (const { connectorType } of await store.oauthClients.list(organizationId)) {
    const client = { organizationId, connectorType }
    if (await until(() => resealOAuthClient({ vault, store }, client, isOld))) resealed += 1
  }
  return resealed

  function isOld(sealed: Uint8Array): boolean {
    const used = keyVersionOf(sealed)
    return used !== null && used < version
  }
}

/** Whether something was sealed again; a value that changed meanwhile is looked at again. */
async function until(step: () => Promise<'resealed' | 'fine' | 'changed'>): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const done = await step()
    if (done !== 'changed') return done === 'resealed'
  }
  return false
}
