// Keeps one set of credentials fresh in memory: direct mode, where the host keeps them between runs.
//
// What to do next is decided in refresh-state.ts. This file does it: one flight at a time for all callers, the host's
// lock and function around it, and the host's `onCredentials` awaited before anybody sees a new token.
import { ConnectorError, isConnectorError } from '../errors.ts'
import { exactToText } from '../json/exact-number.ts'
import { jsonEqual } from '../json/json-equal.ts'
import type { JsonObject } from '../json/json.ts'
import { own } from '../json/own.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { CallPace } from './call-pace.ts'
import { chooseMethod } from './choose-method.ts'
import { failureContext, failureError, refusedWhenFresh } from './credential-errors.ts'
import { CredentialSource } from './credential-source.ts'
import type {
  ChangeReason,
  CredentialKeeper,
  CredentialLog,
  KeeperOptions,
  Lent,
} from './keeper.ts'
import { LentCredentials } from './lent-credentials.ts'
import { type Material, secretsOf, withPlaceholders } from './material.ts'
import { compileMethod, hasAccess, type MethodKit } from './method-kit.ts'
import { Secret } from './redact.ts'
import { runLocked } from './refresh-lock.ts'
import {
  adopt,
  decide,
  type Decision,
  failureIn,
  givenState,
  noteRefusal,
  noteRevocation,
  reasonIn,
  type RefreshReason,
  type RefreshRules,
  type RefreshState,
  settle,
} from './refresh-state.ts'
import { earlySettings, resolveSettings } from './settings.ts'
import { SeenSecrets } from './seen-secrets.ts'
import type { RefusedValue } from './stored-values.ts'
import { waitFor } from './wait-for.ts'

/** New material that is not the current one yet, because the host has not saved it. */
interface Unsaved {
  readonly material: Material
  readonly state: RefreshState
  readonly reason: ChangeReason
  failed: boolean
}

interface Loaded {
  readonly kit: MethodKit
  material: Material
  state: RefreshState
}

const SILENT: CredentialLog = { info: () => {}, warn: () => {}, error: () => {} }
const NOT_RENEWABLE: RefreshRules = { renewable: false, rotates: false, graceMs: null }
const NO_SESSION = new Secret<JsonObject>({})

/** The keeper of direct mode; what it promises is said at {@link CredentialKeeper}. */
export class DirectKeeper implements CredentialKeeper {
  readonly #options: KeeperOptions
  readonly #log: CredentialLog
  readonly #source: CredentialSource
  readonly #early: JsonObject
  #loaded: Loaded | null = null
  #loading: Promise<Loaded> | null = null
  #unsaved: Unsaved | null = null
  #flight: Promise<void> | null = null
  #rereading: Promise<boolean> | null = null
  #lent: LentCredentials | null = null
  /** What happened below the last failure. */
  #cause: unknown = null
  readonly #pace = new CallPace()
  readonly #seen = new SeenSecrets()

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#log = options.log ?? SILENT
    this.#source = new CredentialSource(options.credentials)
    const { fixed } = this.#source
    if (fixed !== null) this.#loaded = this.#take(fixed)
    this.#early =
      this.#loaded?.material.config ?? earlySettings(options.manifest, options.config ?? {})
  }

  ready(): Lent | null {
    const now = this.#options.clock.monotonic()
    return this.#pace.countIf(now, () => this.#usable(now))
  }

  async current(deadline: number, signal?: AbortSignal): Promise<Lent> {
    this.#pace.count(this.#options.clock.monotonic())
    return this.#lend(deadline, signal)
  }

  async renew(used: Lent, deadline: number, signal?: AbortSignal): Promise<Lent> {
    const loaded = this.#loaded
    if (loaded !== null && used.generation === loaded.state.generation) {
      if (this.#rules(loaded).renewable) {
        const next = noteRefusal(loaded.state, used.generation, this.#options.clock.monotonic())
        if (next === null) throw refusedWhenFresh(this.#options.manifest.type)
        loaded.state = next
      } else if (
        !(await waitFor(this.#rereadOnce(loaded), this.#options.clock, deadline, signal))
      ) {
        throw this.#failure({
          kind: 'fail',
          failure: { kind: 'not_renewable' },
          retryAfterMs: null,
        })
      }
    }
    return this.#lend(deadline, signal)
  }

  revoke(used: Lent): void {
    const loaded = this.#loaded
    if (loaded !== null) loaded.state = noteRevocation(loaded.state, used.generation)
  }

  async peek(): Promise<Lent> {
    const loaded = await this.#load()
    const { kit, material, state } = loaded
    return new LentCredentials(
      kit,
      withPlaceholders(kit.method, material),
      state.generation,
      kit.renewal !== null,
    )
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
    // What became of it was told to whoever waited, or logged.
    await this.#flight?.catch(() => {})
  }

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
    if (loaded === null || this.#unsaved?.failed === true) return null
    const decision = decide(loaded.state, this.#rules(loaded), now, this.#pace.gapMs)
    if (decision.kind !== 'use' || this.#unfinished(loaded)) return null
    if (decision.refresh !== null) void this.#fly()
    const { kit, material, state } = loaded
    this.#lent ??= new LentCredentials(kit, material, state.generation, this.#canRenew(loaded))
    return this.#lent
  }

  #decide(loaded: Loaded, gapMs: number): Decision {
    return decide(loaded.state, this.#rules(loaded), this.#options.clock.monotonic(), gapMs)
  }

  #rules({ kit, material }: Loaded): RefreshRules {
    return kit.renewal?.rulesFor(material) ?? NOT_RENEWABLE
  }

  #canRenew(loaded: Loaded): boolean {
    return this.#rules(loaded).renewable || this.#source.fixed === null
  }

  #unfinished({ kit, material }: Loaded): boolean {
    return kit.finisher?.isDue('connect', material) === true
  }

  /** The one flight that gets everything ready; callers join it. It belongs to none of them. */
  #fly(): Promise<void> {
    if (this.#flight !== null) return this.#flight
    const flight = this.#prepare(this.#pace.gapMs).finally(() => {
      this.#flight = null
    })
    flight.catch((error: unknown) => {
      const facts = isConnectorError(error) ? { code: error.code, ...error.details } : {}
      this.#log.warn(
        { connector: this.#options.manifest.type, ...facts },
        'no fresh credentials could be had',
      )
    })
    this.#flight = flight
    return flight
  }

  async #prepare(gapMs: number): Promise<void> {
    const loaded = await this.#load()
    if (this.#unsaved !== null) await this.#save(loaded)
    await this.#renewIfDue(loaded, gapMs)
    await this.#finish(loaded)
  }

  async #renewIfDue(loaded: Loaded, gapMs: number): Promise<void> {
    let decision = this.#decide(loaded, gapMs)
    // Somebody may have put new credentials where the host keeps them.
    if (decision.kind === 'fail' && (await this.#reread(loaded)))
      decision = this.#decide(loaded, gapMs)
    if (decision.kind === 'fail') throw this.#failure(decision)
    if (reasonIn(decision) === null) return
    const run = async (): Promise<void> => {
      const newer = await this.#reread(loaded)
      const again = newer ? this.#decide(loaded, gapMs) : decision
      if (again.kind === 'fail') throw this.#failure(again)
      const reason = reasonIn(again)
      if (reason !== null) await this.#present(loaded, reason)
    }
    const { withRefreshLock } = this.#options
    // A login spends nothing that processes share.
    if (withRefreshLock === undefined || loaded.kit.method?.oauth2 == null) await run()
    else await runLocked(withRefreshLock, run)
  }

  /** One presentation and all that follows from it. */
  async #present(loaded: Loaded, reason: RefreshReason): Promise<void> {
    const { clock, manifest } = this.#options
    const { kit, material } = loaded
    if (kit.renewal === null) return
    const rules = kit.renewal.rulesFor(material)
    const started = clock.monotonic()
    const { outcome, material: next, refused, error } = await kit.renewal.present(material)
    const now = clock.monotonic()
    const state = settle(loaded.state, rules, outcome, { now, random: clock.random() })
    this.#report(refused)
    if (outcome.kind !== 'tokens') {
      loaded.state = state
      this.#cause = error ?? ('cause' in outcome ? outcome.cause : null)
      const failed = failureIn(state, now)
      if (failed !== null) throw this.#failure(failed)
      return
    }
    this.#rememberSecrets(kit, next)
    this.#unsaved = { material: next, state, reason, failed: false }
    await this.#save(loaded)
    this.#log.info(
      { connector: manifest.type, reason, tookMs: Math.round(now - started) },
      'credentials were renewed',
    )
    this.#cause = error
    const failed = failureIn(state, now)
    if (failed !== null) throw this.#failure(failed)
  }

  /** Hands new material to the host and only then makes it the current one. */
  async #save(loaded: Loaded): Promise<void> {
    const unsaved = this.#unsaved
    if (unsaved === null) return
    try {
      await this.#tell(loaded.material, unsaved.material, unsaved.reason)
    } catch (cause) {
      unsaved.failed = true
      throw notSaved(this.#options.manifest, unsaved.material, cause)
    }
    this.#unsaved = null
    this.#become(loaded, unsaved.material, unsaved.state)
  }

  async #tell(previous: Material, next: Material, reason: ChangeReason): Promise<void> {
    const before = previous.credentials.reveal()
    const after = next.credentials.reveal()
    if (jsonEqual(before, after) && jsonEqual(previous.config, next.config)) return
    await this.#options.onCredentials?.(copyForHost(after), {
      previous: copyForHost(before),
      reason,
      config: copyForHost(next.config),
    })
  }

  #become(loaded: Loaded, material: Material, state: RefreshState): void {
    loaded.material = material
    loaded.state = state
    this.#lent = null
    this.#cause = null
    this.#source.remember(material.credentials.reveal())
  }

  /** Asks for what the base URL still needs; a token that is refused there is renewed once. */
  async #finish(loaded: Loaded): Promise<void> {
    const { finisher } = loaded.kit
    if (finisher === null || !this.#unfinished(loaded)) return
    let material: Material
    try {
      material = await finisher.run('connect', loaded.material)
    } catch (error) {
      if (!isConnectorError(error, 'credentials_refused') || !this.#rules(loaded).renewable)
        throw error
      const { clock } = this.#options
      const refused = noteRefusal(loaded.state, loaded.state.generation, clock.monotonic())
      if (refused === null) throw error
      loaded.state = refused
      await this.#renewIfDue(loaded, 0)
      material = await finisher.run('connect', loaded.material)
    }
    const previous = loaded.material
    const state = { ...loaded.state, generation: loaded.state.generation + 1 }
    this.#rememberSecrets(loaded.kit, material)
    this.#become(loaded, material, state)
    try {
      await this.#tell(previous, material, 'connected')
    } catch {
      // Nothing is lost: it is asked for again at the next start.
      this.#log.warn(
        { connector: this.#options.manifest.type },
        'settings found at the third party could not be saved by onCredentials',
      )
    }
  }

  async #load(): Promise<Loaded> {
    if (this.#loaded !== null) return this.#loaded
    this.#loading ??= this.#firstRead().finally(() => {
      this.#loading = null
    })
    return this.#loading
  }

  async #firstRead(): Promise<Loaded> {
    const loaded = this.#take(await this.#source.read())
    this.#loaded = loaded
    return loaded
  }

  #take(given: JsonObject): Loaded {
    const { manifest, authMethod, config = {}, transport, clock, client = null } = this.#options
    const serverUrl = this.#options.serverUrl ?? null
    const { method, credentials } = chooseMethod(manifest, given, authMethod)
    const settings = resolveSettings({ manifest, method, config, credentials, serverUrl })
    const kit = compileMethod(manifest, method, { transport, clock, serverUrl, client })
    const material: Material = {
      credentials: new Secret(credentials),
      session: NO_SESSION,
      config: settings,
    }
    const loaded = { kit, material, state: givenState(1, hasAccess(kit, material)) }
    this.#source.remember(material.credentials.reveal())
    this.#rememberSecrets(kit, material)
    // A value that cannot stand in a header is found now, not by the first call.
    if (loaded.state.access === 'usable') kit.appliedOf(material)
    if (this.#rules(loaded).rotates && this.#options.onCredentials === undefined) {
      this.#log.warn(
        { connector: manifest.type },
        'refresh tokens of this connector work once: without onCredentials the connection is lost when this process ends',
      )
    }
    return loaded
  }

  /** One look for any number of calls that were refused at once. */
  #rereadOnce(loaded: Loaded): Promise<boolean> {
    this.#rereading ??= this.#reread(loaded).finally(() => {
      this.#rereading = null
    })
    return this.#rereading
  }

  /** Looks where the host keeps the credentials; true when they are others than ours ever were, and now ours. */
  async #reread(loaded: Loaded): Promise<boolean> {
    if (this.#source.fixed !== null) return false
    const given = await this.#source.read()
    const { kit, material } = loaded
    const { credentials } = chooseMethod(this.#options.manifest, given, kit.method?.name)
    if (!this.#source.isNew(credentials)) return false
    const sameAccess =
      kit.method?.oauth2 != null &&
      own(credentials, 'access_token') === own(material.credentials.reveal(), 'access_token')
    const next: Material = {
      ...material,
      credentials: new Secret(credentials),
      session: NO_SESSION,
    }
    this.#rememberSecrets(kit, next)
    this.#become(loaded, next, adopt(loaded.state, { hasAccess: hasAccess(kit, next), sameAccess }))
    this.#log.info(
      { connector: this.#options.manifest.type },
      'newer credentials were found and taken over',
    )
    return true
  }

  #report(refused: readonly RefusedValue[]): void {
    for (const { target, reason, detail } of refused) {
      if (reason === 'absent') continue
      this.#log.error(
        { connector: this.#options.manifest.type, target, reason },
        `a value of the token answer was not accepted, the old one stays: ${detail}`,
      )
    }
  }

  #failure({ failure, retryAfterMs }: Decision & { readonly kind: 'fail' }): ConnectorError {
    return failureError(
      failure,
      retryAfterMs,
      failureContext(this.#options.manifest.type, this.#loaded, this.#cause),
    )
  }

  #rememberSecrets({ method }: MethodKit, material: Material): void {
    this.#seen.add(secretsOf(this.#options.client ?? null, method, material))
  }
}

function notSaved(
  manifest: Manifest,
  { credentials, config }: Material,
  cause: unknown,
): ConnectorError {
  return new ConnectorError(
    'credentials_not_saved',
    `${manifest.type}: onCredentials failed, so the new credentials are not used; they are on error.credentials, and the next call tries to save them first`,
    {
      cause,
      unsaved: {
        credentials: copyForHost(credentials.reveal()),
        config: copyForHost(config),
      },
    },
  )
}

/** A copy, so that what the host does to its object does not change ours; numbers beyond a double as text. */
function copyForHost(values: JsonObject): JsonObject {
  // The copy of an object of JSON members is one.
  return structuredClone(exactToText(values)) as JsonObject
}
