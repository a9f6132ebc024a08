// A keeper over an OAuth provider in the same process, with a clock that the test moves.
import type { CredentialChange } from '../../../src/engine/credentials/direct-home.ts'
import type { FreshCredentials } from '../../../src/engine/credentials/fresh-credentials.ts'
import type { DirectHomeOptions } from '../../../src/engine/credentials/direct-home.ts'
import { createCredentialKeeper } from '../../../src/engine/credentials/keeper.ts'
import type { CredentialKeeper } from '../../../src/engine/credentials/refreshing-keeper.ts'
import { isConnectorError } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import {
  createOAuthProvider,
  type OAuthProvider,
  type ProviderOptions,
  type Tokens,
} from '../../faults/oauth-provider.ts'
import { exampleManifest, oauthMethod } from './example-manifest.ts'
import { createProviderTransport, type ProviderTransport } from './provider-transport.ts'
import { createStoppedClock, type StoppedClock } from './stopped-clock.ts'

export interface Saved extends CredentialChange {
  readonly next: JsonObject
}

export interface SetUp {
  readonly clock: StoppedClock
  readonly provider: OAuthProvider
  readonly transport: ProviderTransport
  readonly given: JsonObject
  readonly saved: Saved[]
  readonly log: string[]
  readonly keeper: CredentialKeeper
  /** A keeper of another process over the same provider. */
  another(options?: Partial<DirectHomeOptions>): CredentialKeeper
  /** A minute from now. */
  soon(): number
}

/** The client the provider knows. */
export const CLIENT = { client_id: 'client-1', client_secret: 'client-secret-1' }

export function setUp(
  options: Partial<Omit<DirectHomeOptions, 'credentials'>> & {
    readonly provider?: ProviderOptions
    readonly credentials?: (tokens: Tokens) => DirectHomeOptions['credentials']
    readonly oauth2?: Parameters<typeof oauthMethod>[0]
    /** How far the provider's clock is ahead of ours. */
    readonly aheadMs?: number
    /** The number that chance gives. */
    readonly random?: number
  } = {},
): SetUp {
  const {
    provider: providerOptions,
    credentials,
    oauth2,
    aheadMs = 0,
    random = 0.5,
    ...others
  } = options
  const clock = createStoppedClock(random)
  const provider = createOAuthProvider({
    now: () => clock.monotonic() + aheadMs,
    sleep: (ms) => clock.sleep(ms),
    ...providerOptions,
  })
  const transport = createProviderTransport(provider)
  const tokens = provider.connect()
  const given = { ...tokens, ...CLIENT }
  const saved: Saved[] = []
  const log: string[] = []
  const line =
    (level: string) =>
    (facts: object, message: string): void =>
      void log.push(`${level} ${message} ${JSON.stringify(facts)}`)
  const base: DirectHomeOptions = {
    manifest: exampleManifest({ methods: [oauthMethod(oauth2)] }),
    credentials: credentials?.(tokens) ?? given,
    onCredentials: (next, change) => void saved.push({ next, ...change }),
    transport,
    clock,
    log: { info: line('info'), warn: line('warn'), error: line('error') },
    ...others,
  }
  return {
    clock,
    provider,
    transport,
    given,
    saved,
    log,
    keeper: createCredentialKeeper(base),
    another: (changes = {}) => createCredentialKeeper({ ...base, ...changes }),
    soon: () => clock.monotonic() + 60_000,
  }
}

/** The access token on loan. */
export function tokenOf(lent: FreshCredentials): string {
  return (lent.applied.headers['authorization'] ?? '').replace('Bearer ', '')
}

/** What a call does: use the credentials, and after a 401 renew them once. */
export async function call(from: SetUp, keeper = from.keeper): Promise<'ok' | 'refused'> {
  let lent = await keeper.current(from.soon())
  if (from.provider.isLive(tokenOf(lent))) return 'ok'
  lent = await keeper.renew(lent, from.soon())
  return from.provider.isLive(tokenOf(lent)) ? 'ok' : 'refused'
}

/** What became of a promise, as one word: its code, or `ok`. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'ok'
  } catch (error) {
    return isConnectorError(error) ? error.code : String(error)
  }
}
