import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { openStore } from '../../../src/service/store/open/open-store.ts'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { renewDataKeys, retireDataKeys } from '../../../src/service/credentials/renew-data-keys.ts'
import {
  openCredentials,
  sealCredentials,
} from '../../../src/service/credentials/sealed-credentials.ts'
import { liveSecrets, sealWebhookSecret } from '../../../src/service/events/webhook-secrets.ts'
import { OAuthClients } from '../../../src/service/oauth/oauth-clients.ts'
import type { Principal } from '../../../src/service/tokens/principal.ts'
import { keyVersionOf } from '../../../src/service/vault/envelope.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { auditEntry, instanceRow, organizationEntry } from '../../contracts/store/rows.ts'

const KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const HOUR_MS = 3_600_000
const WEBHOOK = { organizationId: 'acme', webhookId: '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10' }

/** A store whose time can be put forward, with three instances and one webhook. */
async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-renew-'))
  const system = createSystemClock()
  let aheadMs = 0
  const clock = {
    ...system,
    now: () => system.now() + aheadMs,
    monotonic: () => system.monotonic() + aheadMs,
  }
  const store = await openStore({ folder: join(folder, 'data') }, { clock })
  const provider = readMasterKeys(KEYS, 'test')
  const newVault = (): Vault => new Vault({ provider, dataKeys: store.dataKeys, clock })
  const vault = newVault()
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) {
    const row = instanceRow({ organizationId: 'acme' })
    const plain = { credentials: { api_key: `key of ${name}` }, session: {}, expiresAt: null }
    const sealed = await sealCredentials(vault, { id: row.id, generation: 1 }, plain)
    await store.instances.insert(row, sealed, { oauthSecretHash: null, audit: auditEntry(row) })
    ids.push(row.id)
  }
  const place = { organizationId: 'acme', id: WEBHOOK.webhookId }
  const secret = await sealWebhookSecret(vault, place, 1, 'whsec_first')
  const webhook = { url: 'https://a.example', description: '', eventTypes: null, secret, ...place }
  await store.webhooks.insert(webhook, 10, organizationEntry('acme'))
  const next = await sealWebhookSecret(vault, place, 2, 'whsec_second')
  await store.webhooks.rotate(WEBHOOK, next, 100 * HOUR_MS, organizationEntry('acme'))
  const clientsOf = (reader: Vault): OAuthClients =>
    new OAuthClients({ store, vault: reader, log: { warn: () => {} }, given: {} })
  const app = { organizationId: 'acme', clientId: 'app' } as Principal
  await clientsOf(vault).put(app, 'r', 'gong', { id: 'client-1', secret: 'client secret' })

  async function versions(): Promise<readonly (number | null)[]> {
    const rows = await Promise.all(ids.map((id) => store.credentials.read(id)))
    const hook = await store.webhooks.get(WEBHOOK)
    const sealed = [
      ...rows.map((row) => row?.sealed),
      hook?.secret.sealed,
      hook?.previousSecret?.sealed,
      (await store.oauthClients.list('acme'))[0]?.secretSealed,
    ]
    return sealed.map((each) => keyVersionOf(each ?? new Uint8Array()))
  }

  /** What services read, those that run and one that starts now. */
  async function readAll(): Promise<readonly unknown[]> {
    const read = []
    for (const reader of [vault, newVault()]) {
      for (const id of ids) read.push((await openCredentials(reader, store, id))?.credentials)
      const hook = await store.webhooks.get(WEBHOOK)
      read.push(hook === null ? null : await liveSecrets(reader, hook, clock.now()))
      const clients = clientsOf(reader)
      await clients.refresh()
      read.push(clients.of('acme', 'gong')?.secret)
    }
    return read
  }

  return {
    store,
    provider,
    vault,
    newVault,
    ids,
    versions,
    readAll,
    now: () => clock.now(),
    forward: (ms: number) => void (aheadMs += ms),
    async [Symbol.asyncDispose]() {
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const ONCE = [
  { api_key: 'key of one' },
  { api_key: 'key of two' },
  { api_key: 'key of three' },
  ['whsec_second', 'whsec_first'],
  'client secret',
]

test('K3 data keys are made anew, what lives long is sealed under them, and the old ones go a day later', async () => {
  await using set = await setUp()
  const { store, provider } = set
  expect(await set.versions()).toEqual([1, 1, 1, 1, 1, 1])
  set.forward(1000)
  const beforeMs = set.now()
  const ports = { store, provider, vault: set.newVault() }
  expect(await renewDataKeys(ports, { beforeMs, batch: 2 })).toEqual({ renewed: 4, resealed: 6 })
  expect(await set.versions()).toEqual([2, 2, 2, 2, 2, 2])
  expect(await set.readAll()).toEqual([...ONCE, ...ONCE])
  // Again from the same time: there is nothing left to do.
  expect(await renewDataKeys(ports, { beforeMs })).toEqual({ renewed: 0, resealed: 0 })
  expect(await retireDataKeys({ store, vault: set.vault })).toBe(0)
  set.forward(26 * HOUR_MS)
  expect(await retireDataKeys({ store, vault: set.vault })).toBe(4)
  expect(await set.readAll()).toEqual([...ONCE, ...ONCE])
  expect(await store.dataKeys.countByKey()).toEqual({ k1: 4 })
})

test('K3 a renewal that was killed between the key and its value goes on with both', async () => {
  await using set = await setUp()
  const { store, provider } = set
  set.forward(1000)
  const beforeMs = set.now()
  let made = 0
  const dying = {
    ...store,
    dataKeys: {
      ...store.dataKeys,
      succeed: (...parts: Parameters<typeof store.dataKeys.succeed>) => {
        made += 1
        return made > 2 ? Promise.reject(new Error('killed')) : store.dataKeys.succeed(...parts)
      },
    },
  }
  await expect(
    renewDataKeys({ store: dying, provider, vault: set.newVault() }, { beforeMs }),
  ).rejects.toThrow('killed')
  expect(await set.readAll()).toEqual([...ONCE, ...ONCE])
  const ports = { store, provider, vault: set.newVault() }
  expect(await renewDataKeys(ports, { beforeMs })).toEqual({ renewed: 2, resealed: 6 })
  expect(await set.versions()).toEqual([2, 2, 2, 2, 2, 2])
})

test('K3 what a process sealed under the old key, because it did not know the new one, is sealed anew before that goes', async () => {
  await using set = await setUp()
  const { store, provider, vault, ids } = set
  const [id = ''] = ids
  set.forward(1000)
  await renewDataKeys({ store, provider, vault: set.newVault() }, { beforeMs: set.now() })
  // This process looked a moment ago.
  const plain = { credentials: { api_key: 'key of one' }, session: {}, expiresAt: null }
  const sealed = await sealCredentials(vault, { id, generation: 1 }, plain)
  expect(keyVersionOf(sealed.sealed)).toBe(1)
  await store.credentials.reseal(id, 1, sealed.sealed)
  set.forward(26 * HOUR_MS)
  expect(await retireDataKeys({ store, vault })).toBe(4)
  expect(await set.versions()).toEqual([2, 2, 2, 2, 2, 2])
  expect(await set.readAll()).toEqual([...ONCE, ...ONCE])
})
