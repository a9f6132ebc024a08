// The homes of credentials as storms see them: processes that may be killed between any two steps, a store or callback
// that fails before or after it did its work, and what was stored in the end.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { openStore } from '../../../src/service/store/open/open-store.ts'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { silentLogger } from '../../../src/client/observe.ts'
import { createCredentialKeeper } from '../../../src/engine/credentials/keeper.ts'
import type { CredentialKeeper } from '../../../src/engine/credentials/refreshing-keeper.ts'
import { ConnectorError } from '../../../src/errors.ts'
import type { Clock } from '../../../src/engine/exchange/clock.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { createHostedKeeper } from '../../../src/service/credentials/hosted-keeper.ts'
import {
  openCredentials,
  sealCredentials,
} from '../../../src/service/credentials/sealed-credentials.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { tamper } from '../../contracts/store/subject.ts'
import { createOAuthProvider, type OAuthProvider } from '../../faults/oauth-provider.ts'
import {
  auditOf,
  instanceRow,
  KEYS,
  ORGANIZATION,
  OWNER,
} from '../../service/credentials/keeper-set-up.ts'
import { exampleManifest, oauthMethod } from './example-manifest.ts'
import { CLIENT } from './keeper-set-up.ts'
import { createProviderTransport } from './provider-transport.ts'

/**
 * A home that is away fails before it does what it was asked for, or after, in all its calls or in those that write;
 * `from`: so many of these go well first.
 */
export interface Away {
  readonly calls: 'all' | 'writes'
  readonly fails: 'before' | 'after'
  readonly from: number
}

export interface Storage {
  /**
   * Whether a save that failed is told to the caller, tokens included, and other processes go on meanwhile: they may then
   * present the token that is spent. Else nobody else refreshes before it is saved.
   */
  readonly tellsOfUnsaved: boolean
  /**
   * Whether processes know how old a token is that another one received, and that an answer was lost on the way to it.
   * Else a 401 tells that a token is over.
   */
  readonly sharesState: boolean
  /** Another process over the same home; `settle` resolves once no refresh of it is under way. */
  start(process: Process): {
    readonly keeper: CredentialKeeper
    readonly settle: () => Promise<void>
  }
  /** Connects again, as a person would. */
  replace(credentials: JsonObject): Promise<void>
  /** What is stored now. */
  kept(): Promise<JsonObject>
  /** Whether everybody can see that the connection has ended; null: this home has no place to say so. */
  isToldAsEnded(): Promise<boolean | null>
}

export interface StormWorld {
  readonly clock: FastClock
  readonly provider: OAuthProvider
  readonly transport: Transport
  /** Of every set that was stored. */
  readonly stored: { readonly access: Set<string>; readonly refresh: Set<string> }
  /** null: it is there. */
  away: Away | null
  /** Such calls since the beginning of the storm. */
  homeCalls: number
}

/** A clock that runs faster than that of the machine, and can be moved forward. */
export interface FastClock extends Clock {
  forward(ms: number): void
}

const SPEED = 20
/** What the callback of a host takes. */
const CALLBACK_MS = 40

export function createWorld(): StormWorld {
  const clock = createFastClock()
  const provider = createOAuthProvider({ now: () => clock.now() })
  return {
    clock,
    provider,
    transport: createProviderTransport(provider),
    stored: { access: new Set(), refresh: new Set() },
    away: null,
    homeCalls: 0,
  }
}

function createFastClock(): FastClock {
  const real = createSystemClock()
  const start = { now: real.now(), monotonic: real.monotonic() }
  let ahead = 0
  const passed = (): number => (real.monotonic() - start.monotonic) * SPEED + ahead
  return {
    now: () => Math.round(start.now + passed()),
    monotonic: passed,
    sleep: (ms, signal) => real.sleep(ms / SPEED, signal),
    random: () => real.random(),
    forward: (ms) => void (ahead += ms),
  }
}

/** Calls of a home, and those of anything else. */
type Kind = 'read' | 'write' | 'other'
const READS: ReadonlySet<string> = new Set(['read', 'find', 'get'])

/** One process. Each call of a port is two steps, before and after, and at each of them it may be killed. */
export class Process {
  readonly id: string
  readonly died: Promise<void>
  isDead = false
  #stepsLeft: number | null = null
  readonly #die: () => void
  readonly #world: StormWorld

  constructor(id: string, world: StormWorld) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.id = id
    this.died = promise
    this.#die = resolve
    this.#world = world
  }

  /** Kills it so many steps from now, if it takes that many; null: it lives on. */
  killIn(steps: number | null): void {
    this.#stepsLeft = steps
  }

  /** A port as this process sees it; `isHome`: one that may be away. */
  sees<T extends object>(port: T, isHome: boolean): T {
    const kindOf = (name: string | symbol): Kind =>
      !isHome ? 'other' : READS.has(String(name)) ? 'read' : 'write'
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member === 'function')
          return (...parts: readonly unknown[]) =>
            this.run(
              async () => await (Reflect.apply(member, target, parts) as unknown),
              kindOf(name),
            )
        return typeof member === 'object' && member !== null ? this.sees(member, isHome) : member
      },
    })
  }

  async run<T>(work: () => T | Promise<T>, kind: Kind): Promise<T> {
    await this.#step()
    const { away } = this.#world
    const isMeant = kind === 'write' || (kind === 'read' && away?.calls === 'all')
    const isAway = isMeant && away !== null && this.#world.homeCalls++ >= away.from
    if (isAway && away.fails === 'before') throw new ConnectorError('store_unavailable', 'away')
    const result = await work()
    if (isAway) throw new ConnectorError('store_unavailable', 'away')
    await this.#step()
    return result
  }

  async #step(): Promise<void> {
    if (this.#stepsLeft !== null && this.#stepsLeft-- === 0) {
      this.isDead = true
      this.#die()
    }
    if (this.isDead) await new Promise<never>(() => {})
  }
}

const MANIFEST = exampleManifest({ methods: [oauthMethod()] })

/** What the host of direct mode has: one place for the credentials, and a lock that ends with its process. */
export function hostStorage(world: StormWorld, first: JsonObject): Storage {
  let kept = first
  let turn: Promise<unknown> = Promise.resolve()
  const { clock, transport } = world
  return {
    tellsOfUnsaved: true,
    sharesState: false,
    start(process) {
      const keeper = createCredentialKeeper({
        log: silentLogger,
        manifest: MANIFEST,
        credentials: () => process.run(() => kept, 'read'),
        onCredentials: (next) =>
          process.run(async () => {
            // Waits for time: a callback takes some, in which others call.
            await clock.sleep(CALLBACK_MS)
            kept = next
            note(world, next)
          }, 'write'),
        withRefreshLock: async (run) => {
          const before = turn
          const mine = (async () => {
            await before
            if (!process.isDead) await Promise.race([run(), process.died])
          })()
          turn = mine.catch(() => {})
          await mine
        },
        transport: process.sees(transport, false),
        clock,
      })
      return { keeper, settle: () => keeper.close() }
    },
    async replace(credentials) {
      kept = credentials
    },
    kept: () => Promise.resolve(kept),
    isToldAsEnded: () => Promise.resolve(null),
  }
}

export interface ServiceStore {
  /** The rows of one more instance. */
  instance(world: StormWorld, first: JsonObject): Promise<Storage>
  close(): Promise<void>
}

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

export async function openServiceStore(): Promise<ServiceStore> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-storms-'))
  const store = await openStore({ folder })
  return {
    async instance(world, first) {
      const { clock, transport } = world
      const provider = readMasterKeys(KEYS, 'test')
      const vault = new Vault({ provider, dataKeys: store.dataKeys, clock })
      const row = instanceRow(clock, {})
      const { id } = row
      const seal = (generation: number, credentials: JsonObject) =>
        sealCredentials(vault, { id, generation }, { credentials, session: {}, expiresAt: null })
      await store.instances.insert(row, await seal(1, first), {
        oauthSecretHash: null,
        audit: auditOf(id),
      })
      const kept = async (): Promise<JsonObject> =>
        (await openCredentials(vault, store, id))?.credentials ?? {}
      return {
        tellsOfUnsaved: false,
        sharesState: true,
        kept,
        start(process) {
          void process.died.then(
            async () => await tamper(store, `delete from lease where owner_id = '${process.id}'`),
          )
          const credentials: typeof store.credentials = {
            ...store.credentials,
            async commitRefresh(...parts) {
              const isStored = await store.credentials.commitRefresh(...parts)
              if (isStored) note(world, await kept())
              return isStored
            },
          }
          const keeper = createHostedKeeper({
            manifest: MANIFEST,
            instance: { id, organizationId: ORGANIZATION, authMethod: 'oauth', config: {} },
            client: null,
            serverUrl: null,
            store: {
              ...store,
              credentials: process.sees(credentials, true),
              intents: process.sees(store.intents, true),
              instances: process.sees(store.instances, true),
              // A lease that was not given back lasts, by the time of the database, longer than a storm.
              leases: process.sees(store.leases, false),
            },
            vault,
            transport: process.sees(transport, false),
            clock,
            processId: process.id,
            log: SILENT,
          })
          // What the job of the service does; what became of it is told to callers.
          return { keeper, settle: () => keeper.refreshDue().catch(() => {}) }
        },
        async replace(next) {
          await store.credentials.replace(
            OWNER,
            id,
            { seal: (generation) => seal(generation, next), oauthSecretHash: null },
            auditOf(id),
          )
        },
        isToldAsEnded: async () => (await store.instances.get(OWNER, id))?.state === 'auth_error',
      }
    },
    async close() {
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}

function note({ stored }: StormWorld, credentials: JsonObject): void {
  stored.access.add(textIn(credentials, 'access_token'))
  stored.refresh.add(textIn(credentials, 'refresh_token'))
}

/** A text of stored credentials. */
function textIn(credentials: JsonObject, name: string): string {
  const value = credentials[name]
  if (typeof value !== 'string') throw new TypeError(`there is no ${name}`)
  return value
}

/** A connection as after a consent, noted as stored. */
export function connectAt(world: StormWorld): JsonObject {
  const credentials = { ...world.provider.connect(), ...CLIENT }
  world.stored.access.add(credentials.access_token)
  return credentials
}
