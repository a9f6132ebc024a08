// Keeps the credentials of one instance fresh over a store that many processes share.
//
// The order of steps is that of docs/security.md, "Single-use refresh tokens": look, lease, look again, intent, one call,
// consequences, commit, and only then a call sees the new token. What to do next is decided in
// src/credentials/refresh-state.ts, of rows that refresh-rows.ts reads.
import { CallPace } from '../../credentials/call-pace.ts'
import { chooseMethod } from '../../credentials/choose-method.ts'
import {
  CLIENT_ERRORS,
  failureContext,
  failureError,
  refusedWhenFresh,
} from '../../credentials/credential-errors.ts'
import type { CredentialKeeper, CredentialLog, Lent } from '../../credentials/keeper.ts'
import { LentCredentials } from '../../credentials/lent-credentials.ts'
import { type Material, secretsOf, withPlaceholders } from '../../credentials/material.ts'
import { compileMethod, hasAccess, type MethodKit } from '../../credentials/method-kit.ts'
import { Secret } from '../../credentials/redact.ts'
import {
  decide,
  type Decision,
  type Failure,
  failureIn,
  noteRefusal,
  noteRevocation,
  reasonIn,
  type RefreshReason,
  type RefreshRules,
  type RefreshState,
  settle,
} from '../../credentials/refresh-state.ts'
import { SeenSecrets } from '../../credentials/seen-secrets.ts'
import { earlySettings, resolveSettings } from '../../credentials/settings.ts'
import type { RefusedValue } from '../../credentials/stored-values.ts'
import type { TokenOutcome } from '../../credentials/token-answer.ts'
import { type OAuthClient, tokenTimeoutMs } from '../../credentials/token-request.ts'
import { waitFor } from '../../credentials/wait-for.ts'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Clock } from '../../exchange/clock.ts'
import type { Transport } from '../../exchange/transport.ts'
import { jsonEqual } from '../../json/json-equal.ts'
import type { JsonObject } from '../../json/json.ts'
import type { AuthMethod, Manifest } from '../../manifest/manifest.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { CredentialRow } from '../../store/credentials.ts'
import type { InstanceRow } from '../../store/instances.ts'
import type { Store } from '../../store/store.ts'
import type { Vault } from '../../vault/vault.ts'
import { type RefreshLease, takeLease } from './refresh-lease.ts'
import {
  intentAfter,
  intentBefore,
  nextRefreshAt,
  stateOfRow,
  type Times,
  timesOf,
  withInstance,
  withIntent,
} from './refresh-rows.ts'
import { type OpenCredentials, openRow, sealCredentials } from './sealed-credentials.ts'

/** A keeper whose credentials are rows of the store. */
export interface HostedKeeper extends CredentialKeeper {
  /**
   * Renews ahead of need if that is due by now, and sees to a refresh whose process has ended, for the job that does so;
   * nothing happens while another process is at it. Throws like `current`.
   */
  refreshDue(): Promise<void>
}

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

/** What came of presenting a grant or logging in once. */
export interface RefreshReport {
  readonly reason: RefreshReason
  /**
   * `tokens`: committed; `dropped`: tokens came, but the credentials had been replaced meanwhile; `client_refused`: the
   * operator's OAuth client was refused.
   */
  readonly outcome: TokenOutcome['kind'] | 'dropped' | 'client_refused'
  /** Whether the operator's OAuth client asked. */
  readonly operatorsClient: boolean
  /** The code that the third party refused with, else null. */
  readonly error: string | null
  /** Of the request, in milliseconds. */
  readonly tookMs: number
  /** From the answer to the end of the commit, in milliseconds; null: there was nothing to commit. */
  readonly commitMs: number | null
}

interface Loaded {
  readonly kit: MethodKit
  readonly material: Material
  readonly refreshFingerprint: string | null
  state: RefreshState
  /** Whether there is an intent without an outcome: somebody is at it, or has ended. */
  isUnsettled: boolean
}

const NOT_RENEWABLE: RefreshRules = { renewable: false, rotates: false, graceMs: null }
/** One attempt of a login. */
const LOGIN_MS = 30_000
/** What a refresh takes beside its token request: look-ups behind it, commit, a slow store. */
const BESIDE_CALL_MS = 25_000
/** After a refresh beside calls that another process does, or that failed, none is begun for this long. */
const QUIET_MS = 1_000

const POLL_MS = 50
const POLL_SPREAD_MS = 200
/** Every so many polls the lease is asked for again: that costs a write, looking at the generation does not. */
const POLLS_PER_LEASE = 4

const COMMIT_RETRY_MS = 100
const MAX_COMMIT_RETRY_MS = 5_000

/** Sends and reads nothing until it is used. Throws `config_invalid` for settings that cannot be right. */
export function createHostedKeeper(options: HostedKeeperOptions): HostedKeeper {
  return new StoreKeeper(options)
}

class StoreKeeper implements HostedKeeper {
  readonly #options: HostedKeeperOptions
  readonly #early: JsonObject
  readonly #kits = new Map<string | null, MethodKit>()
  readonly #seen = new SeenSecrets()
  /** Work that belongs to no caller, for `close`. */
  readonly #asides = new Set<Promise<void>>()
  #loaded: Loaded | null = null
  #flight: Promise<void> | null = null
  #lent: LentCredentials | null = null
  /** What happened below the last failure. */
  #cause: unknown = null
  readonly #pace = new CallPace()
  #quietUntil = Number.NEGATIVE_INFINITY
  #closing = false

  constructor(options: HostedKeeperOptions) {
    this.#options = options
    this.#early = earlySettings(options.manifest, options.instance.config)
  }

  ready(): Lent | null {
    const now = this.#options.clock.monotonic()
    return this.#pace.countIf(now, () => this.#usable(now))
  }

  async current(deadline: number, signal?: AbortSignal): Promise<Lent> {
    this.#pace.count(this.#options.clock.monotonic())
    return await this.#lend(deadline, signal)
  }

  async renew(used: Lent, deadline: number, signal?: AbortSignal): Promise<Lent> {
    const loaded = this.#loaded
    if (loaded !== null && used.generation === loaded.state.generation) {
      if (this.#rules(loaded).renewable) {
        const next = noteRefusal(loaded.state, used.generation, this.#options.clock.monotonic())
        if (next === null) throw refusedWhenFresh(this.#options.manifest.type)
        loaded.state = next
      } else {
        // Somebody may have put new credentials where these were.
        const now = await waitFor(this.#read(null), this.#options.clock, deadline, signal)
        if (now.state.generation === used.generation)
          throw this.#failure({ kind: 'not_renewable' }, null)
      }
    }
    return await this.#lend(deadline, signal)
  }

  revoke(used: Lent): void {
    const loaded = this.#loaded
    if (loaded === null || used.generation !== loaded.state.generation) return
    loaded.state = noteRevocation(loaded.state, used.generation)
    const writing = this.#tell(loaded.state)
      .catch((error: unknown) => this.#warn(error, 'a revoked connection could not be noted'))
      .finally(() => this.#asides.delete(writing))
    this.#asides.add(writing)
  }

  async refreshDue(): Promise<void> {
    // One for a call leaves what a process left behind alone, as long as the token that there is works.
    await this.#flight?.catch(() => {})
    await this.#fly(true)
  }

  async peek(): Promise<Lent> {
    const { kit, material, state } = this.#loaded ?? (await this.#read(null))
    const shown = withPlaceholders(kit.method, material)
    return new LentCredentials(kit, shown, state.generation, kit.renewal !== null)
  }

  settings(): JsonObject {
    return this.#loaded?.material.config ?? this.#early
  }

  secrets(): readonly string[] {
    return this.#seen.all()
  }

  redact(text: string): string {
    return this.#seen.redact(text)
  }

  async close(): Promise<void> {
    this.#closing = true
    // What became of it was told to whoever waited, or logged.
    await this.#flight?.catch(() => {})
    await Promise.all(this.#asides)
  }

  // Lending

  /** The main line: hand out what is usable, else wait for a flight and look again. */
  async #lend(deadline: number, signal: AbortSignal | undefined): Promise<Lent> {
    for (;;) {
      const lent = this.#usable(this.#options.clock.monotonic())
      if (lent !== null) return lent
      await waitFor(this.#fly(), this.#options.clock, deadline, signal)
    }
  }

  /** What can be used at once, or null; starts a renewal beside the call when one is due. */
  #usable(now: number): Lent | null {
    const loaded = this.#loaded
    if (loaded === null) return null
    const rules = this.#rules(loaded)
    const decision = decide(loaded.state, rules, now, this.#pace.gapMs)
    if (decision.kind !== 'use' || isUnfinished(loaded)) return null
    if (decision.refresh !== null && now >= this.#quietUntil) void this.#fly()
    const { kit, material, state } = loaded
    this.#lent ??= new LentCredentials(kit, material, state.generation, rules.renewable)
    return this.#lent
  }

  #rules({ kit, material }: Loaded): RefreshRules {
    return kit.renewal?.rulesFor(material) ?? NOT_RENEWABLE
  }

  #decide(loaded: Loaded): Decision {
    const now = this.#options.clock.monotonic()
    return decide(loaded.state, this.#rules(loaded), now, this.#pace.gapMs)
  }

  // One flight per process

  /** The one flight that gets everything ready; callers join it. It belongs to none of them. */
  #fly(settles = false): Promise<void> {
    if (this.#flight !== null) return this.#flight
    const flight = this.#prepare(settles).finally(() => {
      this.#flight = null
    })
    flight.catch((error: unknown) => {
      this.#quietUntil = this.#options.clock.monotonic() + QUIET_MS
      this.#warn(error, 'no fresh credentials could be had')
    })
    this.#flight = flight
    return flight
  }

  /** `settles`: a refresh that nobody is at any more is settled also while it is not needed. */
  async #prepare(settles: boolean): Promise<void> {
    const loaded = await this.#read(null)
    const decision = this.#decide(loaded)
    if (decision.kind === 'fail') throw this.#failure(decision.failure, decision.retryAfterMs)
    const isNeeded = decision.kind === 'refresh' || isUnfinished(loaded)
    const isAsked = reasonIn(decision) !== null || (settles && loaded.isUnsettled)
    if (!isNeeded && !isAsked) return
    const lease = await this.#lease(loaded, isNeeded)
    if (lease === null) return
    try {
      await this.#underLease(lease)
    } finally {
      await lease.release()
    }
  }

  /** The lease; null: there are newer credentials by now, or another process is at it and nobody has to wait. */
  async #lease(loaded: Loaded, isNeeded: boolean): Promise<RefreshLease | null> {
    const { store, clock, instance, processId } = this.#options
    const oauth2 = loaded.kit.method?.oauth2 ?? null
    const longestMs = (oauth2 === null ? LOGIN_MS : tokenTimeoutMs(oauth2)) + BESIDE_CALL_MS
    const ports = { leases: store.leases, clock, instanceId: instance.id, ownerId: processId }
    for (let poll = 0; ; poll++) {
      if (poll % POLLS_PER_LEASE === 0) {
        const lease = await takeLease(ports, longestMs)
        if (lease !== null) return lease
      }
      if (!isNeeded) {
        this.#quietUntil = clock.monotonic() + QUIET_MS
        return null
      }
      if (this.#closing) throw new ConnectorError('shutting_down', 'the service is shutting down')
      await clock.sleep(POLL_MS + clock.random() * POLL_SPREAD_MS)
      const row = await store.credentials.read(instance.id)
      if (row?.generation !== loaded.state.generation) {
        await this.#read(null)
        return null
      }
    }
  }

  /** Looks again, now that nobody else can be at it, and does what is still to be done. */
  async #underLease(lease: RefreshLease): Promise<void> {
    const loaded = await this.#read(lease)
    const decision = this.#decide(loaded)
    if (decision.kind === 'fail') throw this.#failure(decision.failure, decision.retryAfterMs)
    const reason = reasonIn(decision)
    if (reason !== null) await this.#present(loaded, lease, reason)
    await this.#finish(lease)
  }

  // Reading

  /** Reads the rows and takes over what is new in them. */
  async #read(lease: RefreshLease | null): Promise<Loaded> {
    const { store, clock, instance } = this.#options
    // The credentials first: what the other rows say is then at least as new, and never about older ones.
    const row = await store.credentials.read(instance.id)
    const [intent, now] = await Promise.all([
      store.intents.find(instance.id),
      store.instances.get({ organizationId: instance.organizationId }, instance.id),
    ])
    if (now === null)
      throw new ConnectorError('instance_unknown', 'there is no such connector instance')
    const before = this.#loaded
    const isKnown = before !== null && before.state.generation === (row?.generation ?? 0)
    const loaded = isKnown ? before : await this.#adopt(row, now)
    const times = timesOf(clock)
    const found = withIntent(withInstance(loaded.state, now), intent, this.#rules(loaded), {
      times,
      holdsLease: lease !== null,
      random: clock.random(),
    })
    loaded.state = found
    loaded.isUnsettled = intent?.notBefore === null && intent.generation === found.generation
    // The process that sent it has ended: what it left is told, so that everybody sees it.
    if (lease !== null && loaded.isUnsettled) await this.#tell(found, times)
    return loaded
  }

  async #adopt(row: CredentialRow | null, instance: InstanceRow): Promise<Loaded> {
    const { manifest, vault, clock } = this.#options
    const opened = row === null ? NO_CREDENTIALS : await openRow(vault, instance.id, row)
    const { credentials } = opened
    const kit = this.#kitOf(instance.authMethod, credentials)
    const serverUrl = this.#options.serverUrl
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
    const state = stateOfRow(opened, hasAccess(kit, material), timesOf(clock))
    // Tokens that were refused while fresh stay so through a refresh by another process.
    const refusedYoung = this.#loaded?.state.refusedYoung ?? 0
    return this.#become(kit, material, { ...state, refusedYoung }, opened.refreshFingerprint)
  }

  #become(
    kit: MethodKit,
    material: Material,
    state: RefreshState,
    refreshFingerprint: string | null,
  ): Loaded {
    this.#remember(kit, material)
    this.#loaded = { kit, material, state, refreshFingerprint, isUnsettled: false }
    this.#lent = null
    this.#cause = null
    return this.#loaded
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

  // Presenting

  /** One presentation and all that follows from it. */
  async #present(loaded: Loaded, lease: RefreshLease, reason: RefreshReason): Promise<void> {
    const { clock, store, instance, processId } = this.#options
    const { kit, material, state, refreshFingerprint } = loaded
    if (kit.renewal === null) return
    const rules = kit.renewal.rulesFor(material)
    const isPlaced = await store.intents.put({
      instanceId: instance.id,
      generation: state.generation,
      refreshFingerprint,
      fence: lease.fence,
      sentBy: processId,
      ...intentBefore(state, timesOf(clock)),
    })
    // The credentials or the lease are others by now: whoever waits looks again.
    if (!isPlaced) {
      await this.#read(null)
      return
    }
    const started = clock.monotonic()
    let presented
    try {
      presented = await kit.renewal.present(material)
    } catch (error) {
      // Nothing could be sent, for a reason of ours.
      await this.#settled(lease, state)
      throw error
    }
    const { outcome, material: next, refused, error } = presented
    const now = clock.monotonic()
    // The state as it is now: a call may have been refused meanwhile.
    const after = settle(loaded.state, rules, outcome, { now, random: clock.random() })
    this.#reportRefused(refused)
    const operatorsClient = kit.renewal.usesOperatorsClient(material)
    const report: RefreshReport = {
      reason,
      outcome: operatorsClient && isClientRefused(outcome) ? 'client_refused' : outcome.kind,
      operatorsClient,
      error: outcome.kind === 'refused' ? outcome.error : null,
      tookMs: now - started,
      commitMs: null,
    }
    if (outcome.kind !== 'tokens') {
      loaded.state = after
      this.#options.onRefresh?.(report)
      await this.#settled(lease, after)
      this.#cause = error ?? ('cause' in outcome ? outcome.cause : null)
      this.#throwFailure(after)
      return
    }
    const isOurs = await this.#commit(
      loaded,
      next,
      after,
      reason === 'recovery' ? 'recovered' : 'refreshed',
    )
    const commitMs = clock.monotonic() - now
    this.#options.onRefresh?.({ ...report, outcome: isOurs ? 'tokens' : 'dropped', commitMs })
    if (!isOurs) {
      this.#log(
        'warn',
        { reason },
        'the credentials were replaced during their refresh; its tokens are dropped',
      )
      await this.#read(null)
      return
    }
    this.#log('info', { reason, tookMs: Math.round(report.tookMs) }, 'credentials were renewed')
    this.#cause = error
    this.#throwFailure(after)
  }

  /**
   * Stores new tokens, however long that takes: what this process holds may be the only token that still lives.
   * False: the generation has moved, nothing was stored.
   */
  async #commit(
    loaded: Loaded,
    material: Material,
    after: RefreshState,
    event: 'refreshed' | 'recovered',
  ): Promise<boolean> {
    const { clock } = this.#options
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#store(loaded, material, after, event)
      } catch (error) {
        if (attempt === 0) this.#warn(error, 'new credentials could not be stored yet; trying on')
        await clock.sleep(Math.min(COMMIT_RETRY_MS * 2 ** attempt, MAX_COMMIT_RETRY_MS))
      }
    }
  }

  /** Stores the next material and only then makes it the current one. False: the generation has moved. */
  async #store(
    loaded: Loaded,
    material: Material,
    after: RefreshState,
    event: 'refreshed' | 'recovered' | 'connected',
  ): Promise<boolean> {
    const { clock, store, vault, instance } = this.#options
    const { kit, state } = loaded
    this.#remember(kit, material)
    const times = timesOf(clock)
    const { receivedAt, lifeMs, marginMs } = after
    const isRenewable = kit.renewal?.rulesFor(material).renewable === true
    const config = changesIn(loaded.material.config, material.config)
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
      this.#audit(`credentials.${event}`, 'done', Object.keys(config)),
    )
    if (isStored) this.#become(kit, material, after, sealed.refreshFingerprint)
    return isStored
  }

  /** Tells the rows what came of a presentation that gave no tokens. */
  async #settled(lease: RefreshLease, after: RefreshState): Promise<void> {
    try {
      // Whoever took the lease over since tells what it finds out.
      if (await lease.isOurs()) await this.#tell(after)
    } catch (error) {
      // The intent stays as it was before the call, so the outcome counts as lost: the careful reading.
      this.#warn(error, 'what came of a refresh could not be stored')
    }
  }

  /** Makes intent, state and next refresh of the instance say what a state says. */
  async #tell(state: RefreshState, times: Times = timesOf(this.#options.clock)): Promise<void> {
    const { store, instance } = this.#options
    const { generation } = state
    await this.#tellState(state)
    const intent = intentAfter(state, times)
    if (intent === null) await store.intents.remove(instance.id, generation)
    else await store.intents.update(instance.id, generation, intent)
    await store.credentials.scheduleRefresh(instance.id, nextRefreshAt(state, times))
  }

  async #tellState({ standing, generation }: RefreshState): Promise<void> {
    if (standing.kind !== 'refused' && standing.kind !== 'unknown') return
    const { store, instance, clock } = this.#options
    const isRefused = standing.kind === 'refused'
    const failure: Failure = isRefused
      ? { kind: 'reauthorize', reason: standing.reason }
      : { kind: 'unknown' }
    const to = isRefused ? 'auth_error' : 'refresh_unknown'
    await store.instances.setState(
      instance.id,
      {
        from: isRefused ? ['pending', 'active', 'refresh_unknown'] : ['pending', 'active'],
        to,
        reason: {
          code: isRefused ? standing.reason : 'refresh_unknown',
          detail: this.#failure(failure, null).message,
          since: clock.now(),
          upstreamStatus: null,
        },
        generation,
      },
      this.#audit('instance.state', to, []),
    )
  }

  // Finishing

  /** Asks for what the base URL still needs; a token that is refused there is renewed once. */
  async #finish(lease: RefreshLease): Promise<void> {
    const loaded = this.#loaded
    const finisher = loaded?.kit.finisher ?? null
    if (loaded === null || finisher === null || !isUnfinished(loaded)) return
    if (this.#decide(loaded).kind !== 'use') return
    let material: Material
    let current = loaded
    try {
      material = await finisher.run('connect', loaded.material)
    } catch (error) {
      if (!isConnectorError(error, 'credentials_refused') || !this.#rules(loaded).renewable)
        throw error
      const { state } = loaded
      const refused = noteRefusal(state, state.generation, this.#options.clock.monotonic())
      if (refused === null) throw error
      loaded.state = refused
      await this.#present(loaded, lease, 'refused')
      current = this.#loaded ?? loaded
      material = await finisher.run('connect', current.material)
    }
    const { state } = current
    // A commit would take the intent away that tells of a doubt; what was found is asked for again at the next start.
    if (intentAfter(state, timesOf(this.#options.clock)) !== null) {
      this.#become(current.kit, material, state, current.refreshFingerprint)
      return
    }
    // Moving the generation on under another process's refresh would throw its tokens away.
    const next = { ...state, generation: state.generation + 1 }
    const isStored =
      (await lease.isOurs()) && (await this.#store(current, material, next, 'connected'))
    if (!isStored) await this.#read(null)
  }

  // Telling

  #throwFailure(state: RefreshState): void {
    const failed = failureIn(state, this.#options.clock.monotonic())
    if (failed !== null) throw this.#failure(failed.failure, failed.retryAfterMs)
  }

  #failure(failure: Failure, retryAfterMs: number | null): ConnectorError {
    const { type } = this.#options.manifest
    return failureError(failure, retryAfterMs, failureContext(type, this.#loaded, this.#cause))
  }

  #audit(action: string, outcome: string, members: readonly string[]): AuditEntry {
    const { id, organizationId } = this.#options.instance
    return {
      organizationId,
      instanceId: id,
      requestId: null,
      actor: 'service',
      action,
      target: id,
      outcome,
      members,
    }
  }

  #reportRefused(refused: readonly RefusedValue[]): void {
    for (const { target, reason, detail } of refused) {
      if (reason === 'absent') continue
      this.#log(
        'error',
        { target, reason },
        `a value of the token answer was not accepted, the old one stays: ${detail}`,
      )
    }
  }

  #warn(error: unknown, message: string): void {
    // Anything else is a defect, and its message could hold anything.
    const facts = isConnectorError(error)
      ? { code: error.code, ...error.details }
      : { code: 'internal_error', error: error instanceof Error ? error.name : typeof error }
    this.#log('warn', facts, message)
  }

  #log(
    level: keyof CredentialLog,
    facts: Readonly<Record<string, unknown>>,
    message: string,
  ): void {
    const { manifest, instance, log } = this.#options
    log[level]({ connector: manifest.type, instanceId: instance.id, ...facts }, message)
  }

  #remember({ method }: MethodKit, material: Material): void {
    this.#seen.add(secretsOf(this.#options.client, method, material))
  }
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

function isClientRefused(outcome: TokenOutcome): boolean {
  return outcome.kind === 'refused' && CLIENT_ERRORS.has(outcome.error)
}

function isUnfinished({ kit, material }: Loaded): boolean {
  return kit.finisher?.isDue('connect', material) === true
}

/** The members that `next` has otherwise than `before`. */
function changesIn(before: JsonObject, next: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(next).filter(
      ([name, value]) => !Object.hasOwn(before, name) || !jsonEqual(before[name] ?? null, value),
    ),
  )
}
