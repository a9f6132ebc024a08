import { afterEach, describe, expect, test } from 'vitest'

import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { createUndiciTransport } from '../../../src/engine/adapters/undici-transport.ts'
import type { DirectHomeOptions } from '../../../src/engine/credentials/direct-home.ts'
import { silentLogger } from '../../../src/client/observe.ts'
import { createCredentialKeeper } from '../../../src/engine/credentials/keeper.ts'
import type { CredentialKeeper } from '../../../src/engine/credentials/refreshing-keeper.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import {
  createOAuthProvider,
  type OAuthProvider,
  type ProviderOptions,
} from '../../faults/oauth-provider.ts'
import { exampleManifest, oauthMethod } from './example-manifest.ts'
import { CLIENT, codeOf, tokenOf } from './keeper-set-up.ts'

// The same promises over real sockets: a loopback provider and the transport that the product uses.

interface World {
  readonly provider: OAuthProvider
  readonly transport: Transport
  readonly url: string
  readonly saved: JsonObject[]
  readonly keeper: (options?: Partial<DirectHomeOptions>) => CredentialKeeper
}

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

async function open(options: ProviderOptions = {}): Promise<World> {
  const provider = createOAuthProvider(options)
  const { url, close } = await provider.listen()
  const transport = createUndiciTransport({ allowHosts: [new URL(url).host] })
  opened.push(() => transport.close(), close)
  const saved: JsonObject[] = []
  const { refresh_token } = provider.connect()
  return {
    provider,
    transport,
    url,
    saved,
    keeper: (changes = {}) =>
      createCredentialKeeper({
        log: silentLogger,
        manifest: exampleManifest({ methods: [oauthMethod()] }),
        credentials: { refresh_token, ...CLIENT },
        onCredentials: (next) => void saved.push(next),
        serverUrl: url,
        transport,
        clock: createSystemClock(),
        ...changes,
      }),
  }
}

const soon = (): number => performance.now() + 60_000

describe('over sockets', () => {
  test('200 concurrent calls cause one refresh', async () => {
    const { provider, keeper, saved } = await open({
      // Waits for time: the provider is slow.
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    })
    provider.fail({ kind: 'slow', ms: 50 })
    const one = keeper()
    const lent = await Promise.all(Array.from({ length: 200 }, () => one.current(soon())))
    expect(new Set(lent.map(tokenOf)).size).toBe(1)
    expect([provider.counters.requests, saved.length]).toEqual([1, 1])
  })

  test('R10 no call carries a token that was not saved', async () => {
    const { provider, keeper, transport, url, saved } = await open()
    const one = keeper({
      onCredentials: async (next) => {
        // Waits for time: saving lasts longer than the calls that must wait for it.
        await new Promise((resolve) => setTimeout(resolve, 20))
        saved.push(next)
      },
    })
    let used = await one.current(soon())
    for (let turn = 0; turn < 2; turn++) {
      provider.endAccess()
      const before = used
      const lent = await Promise.all(Array.from({ length: 20 }, () => one.renew(before, soon())))
      used = lent[0] ?? used
      const answers = await Promise.all(
        lent.map(({ applied, credentials }) => {
          expect(saved).toContainEqual(credentials)
          return transport.send({
            method: 'GET',
            url: `${url}/me`,
            headers: applied.headers,
            body: null,
            redirects: 0,
            timeoutMs: 60_000,
            secretHeaders: ['authorization'],
            secretQuery: [],
          })
        }),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    }
    expect(provider.counters).toMatchObject({ replays: 0, mostInFlight: 1 })
  })

  test.for([
    {
      name: 'a connection that breaks after the request is an unknown outcome',
      fault: 'lost',
      want: 'refresh_unknown',
    },
    { name: 'also when the request was ignored', fault: 'ignored', want: 'refresh_unknown' },
  ] as const)('$name', async ({ fault, want }) => {
    const { provider, keeper } = await open()
    provider.fail({ kind: fault })
    const one = keeper()
    expect(await codeOf(one.current(soon()))).toBe(want)
    expect(await codeOf(one.current(soon()))).toBe(want)
    expect(provider.counters.requests).toBe(1)
  })

  test('R2 an answer that is slower than other heads may be is waited for', async () => {
    const { provider, keeper, url } = await open()
    provider.fail({ kind: 'slow', ms: 300 })
    const transport = createUndiciTransport({
      allowHosts: [new URL(url).host],
      limits: { headMs: 100 },
    })
    opened.push(() => transport.close())
    const lent = await keeper({ transport }).current(soon())
    expect(provider.isLive(tokenOf(lent))).toBe(true)
    expect(provider.counters.lost).toBe(0)
  })

  test('a connection that is refused is not an unknown outcome', async () => {
    const { keeper } = await open()
    // Nothing listens on port 1.
    const transport = createUndiciTransport({ allowHosts: ['127.0.0.1:1'] })
    opened.push(() => transport.close())
    const one = keeper({ serverUrl: 'http://127.0.0.1:1', transport })
    const error: unknown = await one.current(soon()).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'refresh_failed', retryable: true })
  })

  test('G1 a token endpoint at a private address is refused by the guard, and the error says so', async () => {
    const { provider, keeper } = await open()
    const transport = createUndiciTransport()
    opened.push(() => transport.close())
    const one = keeper({ transport })
    expect(await codeOf(one.current(soon()))).toBe('destination_refused')
    expect(provider.counters.requests).toBe(0)
  })
})
