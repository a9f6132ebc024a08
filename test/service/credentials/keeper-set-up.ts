// Hosted keepers over a real store, an OAuth provider on loopback, and the transport that the product uses.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { openStore } from '../../../src/service/store/open/open-store.ts'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { createUndiciTransport } from '../../../src/engine/adapters/undici-transport.ts'
import type { CredentialLog } from '../../../src/engine/credentials/credential-log.ts'
import type { FreshCredentials } from '../../../src/engine/credentials/fresh-credentials.ts'
import type { RefreshReport } from '../../../src/engine/credentials/refreshing-keeper.ts'
import { isConnectorError } from '../../../src/errors.ts'
import type { Clock } from '../../../src/engine/exchange/clock.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import {
  createHostedKeeper,
  type HostedKeeper,
  type HostedKeeperOptions,
} from '../../../src/service/credentials/hosted-keeper.ts'
import { sealCredentials } from '../../../src/service/credentials/sealed-credentials.ts'
import type { AuditEntry } from '../../../src/service/store/audit.ts'
import type { IntentInput } from '../../../src/service/store/credentials.ts'
import type { InstanceRow } from '../../../src/service/store/instances.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { exampleManifest, oauthMethod } from '../../engine/credentials/example-manifest.ts'
import {
  createOAuthProvider,
  type OAuthProvider,
  type ProviderOptions,
  type Tokens,
} from '../../faults/oauth-provider.ts'

/** The client the provider knows. */
export const CLIENT = { client_id: 'client-1', client_secret: 'client-secret-1' }
export const ORGANIZATION = 'org-1'
export const OWNER = { organizationId: ORGANIZATION }
export const KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`

export interface KeeperWorld {
  readonly store: Store
  readonly vault: Vault
  readonly provider: OAuthProvider
  readonly transport: Transport
  readonly url: string
  readonly folder: string
  readonly log: string[]
  readonly reports: RefreshReport[]
  readonly clock: SetClock
  /** A new instance with these credentials; its id. */
  instance(credentials: JsonObject, changes?: Partial<InstanceRow>): Promise<string>
  /** An instance connected at the provider; `expired`: only its refresh token is stored. */
  connected(options?: { readonly expired?: boolean }): Promise<{ id: string; tokens: Tokens }>
  /** A keeper as another process would have one. */
  keeper(id: string, changes?: Partial<HostedKeeperOptions>): HostedKeeper
  row(id: string): Promise<InstanceRow>
  close(): Promise<void>
}

/** The clock of the machine, moved forward by tests: time of day and monotonic time alike. */
export interface SetClock extends Clock {
  forward(ms: number): void
}

export function createSetClock(): SetClock {
  const clock = createSystemClock()
  let ahead = 0
  return {
    ...clock,
    now: () => clock.now() + ahead,
    monotonic: () => clock.monotonic() + ahead,
    forward: (ms) => void (ahead += ms),
  }
}

export async function openKeeperWorld(
  options: {
    readonly provider?: ProviderOptions
    readonly oauth2?: Parameters<typeof oauthMethod>[0]
    readonly manifest?: Manifest
  } = {},
): Promise<KeeperWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-keeper-'))
  const store = await openStore({ folder })
  const clock = createSetClock()
  const provider = createOAuthProvider({ now: () => clock.now(), ...options.provider })
  const { url, close } = await provider.listen()
  const transport = createUndiciTransport({ allowHosts: [new URL(url).host, '127.0.0.1:1'] })
  const vault = new Vault({
    provider: readMasterKeys(KEYS, 'test'),
    dataKeys: store.dataKeys,
    clock,
  })
  const manifest =
    options.manifest ?? exampleManifest({ methods: [oauthMethod(options.oauth2 ?? {})] })
  const log: string[] = []
  const reports: RefreshReport[] = []
  const keepers: HostedKeeper[] = []
  let processes = 0
  const instance: KeeperWorld['instance'] = async (credentials, changes = {}) => {
    const row = instanceRow(clock, { authMethod: manifest.auth[0]?.name ?? null, ...changes })
    const sealed = await sealCredentials(
      vault,
      { id: row.id, generation: 1 },
      { credentials, session: {}, expiresAt: null },
    )
    await store.instances.insert(row, sealed, { oauthSecretHash: null, audit: auditOf(row.id) })
    return row.id
  }
  return {
    store,
    vault,
    provider,
    transport,
    url,
    folder,
    log,
    reports,
    clock,
    instance,
    async connected({ expired = false } = {}) {
      const tokens = provider.connect()
      const { refresh_token } = tokens
      const id = await instance({ ...(expired ? { refresh_token } : tokens), ...CLIENT })
      return { id, tokens }
    },
    keeper(id, changes = {}) {
      const keeper = createHostedKeeper({
        manifest,
        instance: {
          id,
          organizationId: ORGANIZATION,
          authMethod: manifest.auth[0]?.name ?? null,
          config: {},
        },
        client: null,
        serverUrl: url,
        store,
        vault,
        transport,
        clock,
        processId: `process-${(processes += 1)}`,
        log: logInto(log),
        onRefresh: (report) => void reports.push(report),
        ...changes,
      })
      keepers.push(keeper)
      return keeper
    },
    async row(id) {
      const row = await store.instances.get(OWNER, id)
      if (row === null) throw new Error('there is no such instance')
      return row
    },
    async close() {
      await Promise.all(keepers.map((keeper) => keeper.close()))
      await transport.close()
      await close()
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}

let instances = 0

export function instanceRow(clock: Clock, changes: Partial<InstanceRow>): InstanceRow {
  const count = (instances += 1).toString(16).padStart(12, '0')
  return {
    id: `01900000-0000-7000-8000-${count}`,
    organizationId: ORGANIZATION,
    externalUserId: 'user-1',
    connectorType: 'example',
    connectorVersion: '1.0.0',
    name: 'example',
    state: 'active',
    stateReason: null,
    enabled: true,
    authMethod: 'oauth',
    grantedScopes: null,
    config: {},
    replicationConfig: null,
    sync: {},
    serverUrl: null,
    credentialEpoch: 1,
    createdAt: clock.now(),
    updatedAt: clock.now(),
    lastCheckedAt: null,
    nextRefreshAt: null,
    ...changes,
  }
}

export function auditOf(instanceId: string): AuditEntry {
  return {
    organizationId: ORGANIZATION,
    instanceId,
    requestId: null,
    actor: 'test',
    action: 'test',
    target: instanceId,
    outcome: 'done',
    members: [],
    address: null,
    token: null,
  }
}

/** What a process that died left behind. */
export function intentOf(instanceId: string, changes: Partial<IntentInput> = {}): IntentInput {
  return {
    instanceId,
    generation: 1,
    refreshFingerprint: null,
    fence: 1,
    kind: 'normal',
    sentBy: 'a process that died',
    attempts: 0,
    notBefore: null,
    mark: null,
    ...changes,
  }
}

function logInto(log: string[]): CredentialLog {
  const line =
    (level: string) =>
    (facts: object, message: string): void =>
      void log.push(`${level} ${message} ${JSON.stringify(facts)}`)
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

/** The access token on loan. */
export function tokenOf(lent: FreshCredentials): string {
  return (lent.applied.headers['authorization'] ?? '').replace('Bearer ', '')
}

/** `ok`, or the code of the error and its reason. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'ok'
  } catch (error) {
    if (!isConnectorError(error)) throw error
    const { reason } = error.details
    return typeof reason === 'string' ? `${error.code} ${reason}` : error.code
  }
}
