// One process of several that share a store: it calls the vendor with the credentials of some instances, again and again.
//
// Started by processes.test.ts with its settings as the only argument. Says `ready` once it calls; on any message it ends
// its calls and refreshes, says how often each outcome was met, and exits.
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { createUndiciTransport } from '../../../src/engine/adapters/undici-transport.ts'
import { openStore, type StoreLocation } from '../../../src/service/store/open/open-store.ts'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import type { FreshCredentials } from '../../../src/engine/credentials/fresh-credentials.ts'
import { createHostedKeeper } from '../../../src/service/credentials/hosted-keeper.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { exampleManifest, oauthMethod } from '../../engine/credentials/example-manifest.ts'
import { codeOf, KEYS, ORGANIZATION, tokenOf } from './keeper-set-up.ts'

export interface KeeperProcessSettings {
  readonly location: StoreLocation
  /** Of the vendor. */
  readonly url: string
  readonly instanceIds: readonly string[]
  readonly processId: string
  /** Callers per instance. */
  readonly callers: number
}

/** How often each outcome was met. */
export type Met = Readonly<Record<string, number>>

const CALL_MS = 30_000
const PAUSE_MS = 15

async function main({
  location,
  url,
  instanceIds,
  processId,
  callers,
}: KeeperProcessSettings): Promise<void> {
  const clock = createSystemClock()
  const store = await openStore(location)
  const transport = createUndiciTransport({ allowHosts: [new URL(url).host] })
  const vault = new Vault({
    provider: readMasterKeys(KEYS, 'test'),
    dataKeys: store.dataKeys,
    clock,
  })
  const silent = { info: () => {}, warn: () => {}, error: () => {} }
  const met: Record<string, number> = {}
  const ending = new AbortController()

  const isTaken = async (lent: FreshCredentials): Promise<boolean> => {
    const { status } = await transport.send({
      method: 'GET',
      url: `${url}/me`,
      headers: { authorization: `Bearer ${tokenOf(lent)}` },
      body: null,
      redirects: 0,
      timeoutMs: CALL_MS,
      secretHeaders: ['authorization'],
      secretQuery: [],
    })
    return status === 200
  }

  const keepers = instanceIds.map((id) =>
    createHostedKeeper({
      manifest: exampleManifest({ methods: [oauthMethod()] }),
      instance: { id, organizationId: ORGANIZATION, authMethod: 'oauth', config: {} },
      client: null,
      serverUrl: url,
      store,
      vault,
      transport,
      clock,
      processId,
      log: silent,
    }),
  )
  const calling = keepers.flatMap((keeper) =>
    Array.from({ length: callers }, async () => {
      while (!ending.signal.aborted) {
        const code = await codeOf(
          (async () => {
            const deadline = clock.monotonic() + CALL_MS
            const lent = keeper.ready() ?? (await keeper.current(deadline))
            if (await isTaken(lent)) return
            await isTaken(await keeper.renew(lent, deadline))
          })(),
        )
        met[code] = (met[code] ?? 0) + 1
        // Waits for time: callers make a call now and then.
        await clock.sleep(PAUSE_MS * (0.5 + clock.random()))
      }
    }),
  )
  process.once('message', () => {
    void (async () => {
      ending.abort()
      await Promise.all(calling)
      await Promise.all(keepers.map((keeper) => keeper.close()))
      await transport.close()
      await store.close()
      process.send?.(met, () => process.exit(0))
    })()
  })
  process.send?.('ready')
}

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '') as KeeperProcessSettings)
