// The home of credentials as rows of a store that many processes share, and the keeper over it.
//
// A lease with a fence lets one process refresh at a time, an intent tells the others what a process that died may have
// sent, and a commit goes by the generation. How states become rows and back is told in refresh-rows.ts.
import { chooseMethod } from '../../engine/credentials/choose-method.ts'
import type {
  ChangeReason,
  Committed,
  CredentialHome,
  Found,
  Held,
  NextGeneration,
  Reading,
} from '../../engine/credentials/credential-home.ts'
import { type CredentialLog, logWith, warnOf } from '../../engine/credentials/credential-log.ts'
import type { Material } from '../../engine/credentials/material.ts'
import { compileMethod, hasAccess, type MethodKit } from '../../engine/credentials/method-kit.ts'
import { Secret } from '../../engine/credentials/redact.ts'
import type { RefreshState } from '../../engine/credentials/refresh-state.ts'
import { RefreshingKeeper, type RefreshReport } from '../../engine/credentials/refreshing-keeper.ts'
import { earlySettings, resolveSettings } from '../../engine/credentials/settings.ts'
import type { OAuthClient } from '../../engine/credentials/token-request.ts'
import type { AuditAction } from '../../display/audit-actions.ts'
import { ConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { Transport } from '../../engine/exchange/transport.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import { auditOf, causeOf, SERVICE } from '../audit.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { CredentialRow } from '../store/credentials.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../vault/vault.ts'
import { type RefreshLease, takeLease } from './refresh-lease.ts'
import {
  intentAfter,
  intentBefore,
  nextRefreshAt,
  stateOfRow,
  timesOf,
  withInstance,
  withIntent,
} from './refresh-rows.ts'
import { type OpenCredentials, openRow, sealCredentials } from './sealed-credentials.ts'

export type HostedKeeper = Omit<RefreshingKeeper<unknown>, never>

export interface HostedKeeperOptions {
  readonly manifest: Manifest
  readonly instance: Pick<InstanceRow, 'id' | 'organizationId' | 'authMethod' | 'config'>
  /** The operator's OAuth client, for credentials that bring none. */
  readonly client: OAuthClient | null
  /** Replaces the origins of the manifest, token endpoint included. */
  readonly serverUrl: string | null
  readonly store: Store
  readonly vault: Vault
  readonly transport: Transport
  readonly clock: Clock
  /** Names this process in leases and intents. */
  readonly processId: string
  readonly log: CredentialLog
  /** Told what came of each presentation, for metrics. */
  readonly onRefresh?: (report: RefreshReport) => void
}

/** What a refresh takes apart from its token request: look-ups behind it, commit, a slow store. */
const APART_FROM_CALL_MS = 25_000

const POLL_MS = 50
const POLL_SPREAD_MS = 200
/** Every so many polls the lease is asked for again: that costs a write, looking at the generation does not. */
const POLLS_PER_LEASE = 4

const COMMIT_RETRY_MS = 100
const MAX_COMMIT_RETRY_MS = 5_000

/** Sends and reads nothing until it is used. Throws `config_invalid` for settings that cannot be right. */
export function createHostedKeeper(options: HostedKeeperOptions): HostedKeeper {
  const { manifest, instance, client, clock, onRefresh } = options
  const { type } = manifest
  const log = logWith(options.log, { connector: type, instanceId: instance.id })
  const home = new HostedHome({ ...options, log })
  return new RefreshingKeeper({ type, home, client, clock, log, onRefresh })
}

class HostedHome implements CredentialHome<RefreshLease> {
  readonly given = null
  readonly early: JsonObject
  /** Who replaces the credentials of an instance gets another keeper for it. */
  readonly mayHoldNewer = false
  readonly #options: HostedKeeperOptions
  readonly #kits = new Map<string | null, MethodKit>()
  #refreshFingerprint: string | null = null

  constructor(options: HostedKeeperOptions) {
    this.#options = options
    this.early = earlySettings(options.manifest, options.instance.config)
  }

  async read(known: Held | null, reading: Reading): Promise<Found> {
    const { store, clock, instance } = this.#options
    // The credentials first: what the other rows say is then at least as new, and never about older ones.
    const row = await store.credentials.read(instance.id)
    const [intent, now] = await Promise.all([
      store.intents.find(instance.id),
      store.instances.get({ organizationId: instance.organizationId }, instance.id),
    ])
    if (now === null)
      throw new ConnectorError('instance_unknown', 'there is no such connector instance')
    const generation = row?.generation ?? 0
    const isKnown = known !== null && known.state.generation === generation
    const newer = isKnown ? null : await this.#open(row, now, known)
    const holdsLease = reading === 'leased'
    return {
      newer,
      isUnsettled: intent?.notBefore === null && intent.generation === generation,
      told: (state, rules) =>
        withIntent(withInstance(state, now), intent, rules, {
          times: timesOf(clock),
          holdsLease,
          random: clock.random(),
        }),
    }
  }

  async #open(row: CredentialRow | null, instance: InstanceRow, known: Held | null): Promise<Held> {
    const { manifest, vault, clock, serverUrl } = this.#options
    const opened = row === null ? NO_CREDENTIALS : await openRow(vault, instance.id, row)
    const { credentials } = opened
    const kit = this.#kitOf(instance.authMethod, credentials)
    const { method } = kit
    const config = resolveSettings({
      manifest,
      method,
      config: instance.config,
      credentials,
      serverUrl,
    })
    const material: Material = {
      credentials: new Secret(credentials),
      session: new Secret(opened.session),
      config,
    }
    this.#refreshFingerprint = opened.refreshFingerprint
    const state = stateOfRow(opened, hasAccess(kit, material), timesOf(clock))
    // Tokens that were refused while fresh stay so through a refresh by another process.
    return { kit, material, state: { ...state, refusedYoung: known?.state.refusedYoung ?? 0 } }
  }

  #kitOf(name: string | null, credentials: JsonObject): MethodKit {
    let kit = this.#kits.get(name)
    if (kit === undefined) {
      const { manifest, client, serverUrl, transport, clock } = this.#options
      const method = methodOf(manifest, name, credentials)
      kit = compileMethod(manifest, method, { transport, clock, serverUrl, client })
      this.#kits.set(name, kit)
    }
    return kit
  }

  async lease(
    { kit, state }: Held,
    need: { readonly isNeeded: boolean; readonly isClosing: () => boolean },
    run: (lease: RefreshLease) => Promise<void>,
  ): Promise<boolean> {
    const { store, clock, instance, processId } = this.#options
    const maxMs = (kit.renewal?.maxMs ?? 0) + APART_FROM_CALL_MS
    const ports = { leases: store.leases, clock, instanceId: instance.id, ownerId: processId }
    for (let poll = 0; ; poll++) {
      const lease = poll % POLLS_PER_LEASE === 0 ? await takeLease(ports, maxMs) : null
      if (lease !== null) {
        try {
          await run(lease)
        } finally {
          await lease.release()
        }
        return true
      }
      if (!need.isNeeded) return false
      if (need.isClosing())
        throw new ConnectorError('shutting_down', 'the service is shutting down')
      await clock.sleep(POLL_MS + clock.random() * POLL_SPREAD_MS)
      const row = await store.credentials.read(instance.id)
      if (row?.generation !== state.generation) return false
    }
  }

  async intend(state: RefreshState, { fence }: RefreshLease): Promise<boolean> {
    const { clock, store, instance, processId } = this.#options
    return await store.intents.put({
      instanceId: instance.id,
      generation: state.generation,
      refreshFingerprint: this.#refreshFingerprint,
      fence,
      sentBy: processId,
      ...intentBefore(state, timesOf(clock)),
    })
  }

  /** Stores new tokens however long that takes: what this process holds may be the only token that still lives. */
  async commit(next: NextGeneration, lease: RefreshLease): Promise<Committed> {
    const { clock, log } = this.#options
    if (next.reason === 'connected') return await this.#commitSettings(next, lease)
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#store(next)
      } catch (error) {
        if (attempt === 0) warnOf(log, error, 'new credentials could not be stored yet; retrying')
        await clock.sleep(Math.min(COMMIT_RETRY_MS * 2 ** attempt, MAX_COMMIT_RETRY_MS))
      }
    }
  }

  async #commitSettings(next: NextGeneration, lease: RefreshLease): Promise<Committed> {
    // A commit would take the intent away that tells of a doubt; what was found is asked for again at the next start.
    if (intentAfter(next.held.state, timesOf(this.#options.clock)) !== null) return 'unsettled'
    // Moving the generation on under another process's refresh would throw its tokens away.
    return (await lease.isOurs()) ? await this.#store(next) : 'moved'
  }

  async #store({ held, material, after, reason }: NextGeneration): Promise<Committed> {
    const { clock, store, vault, instance } = this.#options
    const { kit, state } = held
    const times = timesOf(clock)
    const { receivedAt, lifeMs, marginMs } = after
    const isRenewable = kit.renewal?.rulesFor(material).renewable === true
    const config = changesIn(held.material.config, material.config)
    const sealed = await sealCredentials(
      vault,
      { id: instance.id, generation: state.generation + 1 },
      {
        credentials: material.credentials.reveal(),
        session: material.session.reveal(),
        expiresAt: receivedAt === null || lifeMs === null ? null : times.toRow(receivedAt + lifeMs),
        receivedAt: receivedAt === null ? null : times.toRow(receivedAt),
        marginMs,
      },
    )
    const isStored = await store.credentials.commitRefresh(
      instance.id,
      state.generation,
      {
        ...sealed,
        ...(Object.keys(config).length === 0 ? {} : { config }),
        nextRefreshAt: isRenewable ? nextRefreshAt(after, times) : null,
      },
      this.#audit(EVENTS[reason] ?? 'credentials.refreshed', 'done', Object.keys(config)),
    )
    if (!isStored) return 'moved'
    this.#refreshFingerprint = sealed.refreshFingerprint
    return 'stored'
  }

  /** Makes intent, state and next refresh of the instance say what a state says. */
  async tell(
    state: RefreshState,
    message: string | null,
    lease: RefreshLease | null,
  ): Promise<boolean> {
    const { store, instance, clock } = this.#options
    if (lease === null || (await lease.isOurs())) {
      const times = timesOf(clock)
      await this.#tellState(state, message)
      const intent = intentAfter(state, times)
      if (intent === null) await store.intents.remove(instance.id, state.generation)
      else await store.intents.update(instance.id, state.generation, intent)
      const next = nextRefreshAt(state, times)
      await store.credentials.scheduleRefresh(instance.id, state.generation, next)
    }
    const kept = await store.credentials.read(instance.id)
    return (kept?.generation ?? 0) === state.generation
  }

  async #tellState({ standing, generation }: RefreshState, message: string | null): Promise<void> {
    const isRefused = standing.kind === 'refused'
    if (message === null || (!isRefused && standing.kind !== 'unknown')) return
    const { store, instance, clock } = this.#options
    const to = isRefused ? 'auth_error' : 'refresh_unknown'
    const reason = {
      code: isRefused ? standing.reason : 'refresh_unknown',
      detail: message,
      since: clock.now(),
      upstreamStatus: null,
    }
    await store.instances.setState(
      instance.id,
      {
        from: isRefused ? ['pending', 'active', 'refresh_unknown'] : ['pending', 'active'],
        to,
        reason,
        generation,
      },
      this.#audit('instance.state', to, causeOf(reason)),
    )
  }

  #audit(action: AuditAction, outcome: string, members: readonly string[]): AuditEntry {
    const { id, organizationId } = this.#options.instance
    const about = { instanceId: id, target: id, outcome, members }
    return auditOf({ organizationId, clientId: SERVICE }, null, action, about)
  }
}

/** What the audit calls a commit; others are refreshes. */
const EVENTS: Readonly<Partial<Record<ChangeReason, AuditAction>>> = {
  recovery: 'credentials.recovered',
  connected: 'credentials.connected',
}

const NO_CREDENTIALS: OpenCredentials = {
  generation: 0,
  credentials: {},
  session: {},
  expiresAt: null,
  receivedAt: null,
  marginMs: 0,
  refreshFingerprint: null,
}

/** The method by its name; credentials of an instance without one name it by what they are. */
function methodOf(
  manifest: Manifest,
  name: string | null,
  credentials: JsonObject,
): AuthMethod | null {
  const named = manifest.auth.find((method) => method.name === name)
  return named ?? chooseMethod(manifest, credentials, name ?? undefined).method
}

function changesIn(before: JsonObject, next: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(next).filter(
      ([name, value]) => !Object.hasOwn(before, name) || !jsonEqual(before[name] ?? null, value),
    ),
  )
}
