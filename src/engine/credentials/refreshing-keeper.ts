// Keeps one set of credentials fresh, wherever its home is: does what refresh-state.ts decides, one flight at a time for
// all callers of a process, in the order of docs/security.md, "Single-use refresh tokens".
import { type ConnectorError, isConnectorError } from '../../errors.ts'
import type { Clock } from '../exchange/clock.ts'
import { waitFor } from '../exchange/wait-for.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { CLIENT_ERRORS, failureError, refusedWhenFresh } from './credential-errors.ts'
import type { CredentialHome, Held, NextGeneration, Reading } from './credential-home.ts'
import { type CredentialLog, warnOf } from './credential-log.ts'
import { FreshCredentials } from './fresh-credentials.ts'
import { type Material, secretsOf } from './material.ts'
import type { MethodKit } from './method-kit.ts'
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
} from './refresh-state.ts'
import { createRedactor, SeenSecrets } from './redact.ts'
import type { RefusedValue } from './stored-values.ts'
import type { TokenOutcome } from './token-answer.ts'
import type { OAuthClient } from './token-request.ts'

/** What came of presenting a grant or logging in once. */
export interface RefreshReport {
  readonly reason: RefreshReason
  /**
   * `tokens`: committed; `dropped`: tokens came, but the credentials had been replaced meanwhile; `client_refused`: the
   * operator's OAuth client was refused.
   */
  readonly outcome: TokenOutcome['kind'] | 'dropped' | 'client_refused'
  readonly operatorsClient: boolean
  /** The code that the third party refused with, else null. */
  readonly error: string | null
  /** Of the request, in milliseconds. */
  readonly tookMs: number
  /** From the answer to the end of the commit, in milliseconds; null: there was nothing to commit. */
  readonly commitMs: number | null
}

export interface RefreshingKeeperOptions<Lease> {
  readonly type: string
  readonly home: CredentialHome<Lease>
  /** The operator's OAuth client, for credentials that bring none. */
  readonly client: OAuthClient | null
  readonly clock: Clock
  readonly log: CredentialLog
  /** Told what came of each presentation, for metrics. */
  readonly onRefresh?: ((report: RefreshReport) => void) | undefined
}

const LATE = 'the deadline passed while fresh credentials were waited for; the renewal goes on'

interface Loaded extends Held {
  readonly rules: RefreshRules
  state: RefreshState
  isUnsettled: boolean
  /** As in `FreshCredentials`. */
  readonly isFound: boolean
}

/** New tokens that calls do not see yet, because their home has not stored them. */
interface Unsaved<Lease> extends NextGeneration {
  readonly lease: Lease
  hasFailed: boolean
}

const NOT_RENEWABLE: RefreshRules = { renewable: false, rotates: false, graceMs: null }
/** After a refresh ahead of need that another process does, or that failed, none is begun for this long. */
const QUIET_MS = 1_000

/** Gives credentials that are fresh, to any number of calls at once. */
export class RefreshingKeeper<Lease> {
  readonly #options: RefreshingKeeperOptions<Lease>
  readonly #home: CredentialHome<Lease>
  readonly #seen = new SeenSecrets()
  /** Work that belongs to no caller, for `close`. */
  readonly #asides = new Set<Promise<unknown>>()
  #loaded: Loaded | null = null
  #unsaved: Unsaved<Lease> | null = null
  #flight: Promise<void> | null = null
  #asking: Promise<Loaded> | null = null
  #fresh: FreshCredentials | null = null
  /** What happened below the last failure. */
  #cause: unknown = null
  #quietUntil = Number.NEGATIVE_INFINITY
  #calledAt: number | null = null
  /** Between the last two calls, 0 before there were two: what is seldom used is renewed earlier, so that calls seldom wait. */
  #gapMs = 0
  #isClosing = false

  constructor(options: RefreshingKeeperOptions<Lease>) {
    this.#options = options
    this.#home = options.home
    const { given } = options.home
    if (given !== null) this.#adopt(given)
  }

  /** Fresh credentials where nothing has to be waited for, which is nearly always; else null: `current` waits. */
  ready(): FreshCredentials | null {
    const now = this.#options.clock.monotonic()
    const gapMs = this.#gapAt(now)
    const fresh = this.#usable(now, gapMs)
    if (fresh !== null) this.#noteCall(now, gapMs)
    return fresh
  }

  /**
   * Fresh credentials. Renews them first where they are missing or over; while the call goes on where they soon will be.
   *
   * `deadline` is in monotonic milliseconds. Throws `deadline_exceeded` or `aborted` when the caller cannot wait any
   * longer (the renewal goes on), and for credentials that cannot be had: `credentials_invalid`, `config_invalid`,
   * `credentials_refused`, `reauthorization_required`, `refresh_failed`, `refresh_unknown`, `credentials_not_saved`.
   */
  async current(deadline: number, signal?: AbortSignal): Promise<FreshCredentials> {
    const now = this.#options.clock.monotonic()
    this.#noteCall(now, this.#gapAt(now))
    return await this.#waitForUsable(deadline, signal)
  }

  /**
   * Fresh credentials after the third party refused `used` (401): renews them once if they are still the current
   * ones, else gives the newer ones. Throws like `current`; `credentials_refused` where a renewal cannot help.
   */
  async renew(
    used: FreshCredentials,
    deadline: number,
    signal?: AbortSignal,
  ): Promise<FreshCredentials> {
    const { type, clock } = this.#options
    const loaded = this.#loaded
    if (loaded !== null && used.generation === loaded.state.generation) {
      const { renewable } = loaded.rules
      const next = renewable ? noteRefusal(loaded.state, used.generation, clock.monotonic()) : null
      if (next === null) {
        // New credentials may have been put where these were.
        const now = await waitFor(this.#ask(), { clock, deadline, signal, late: LATE })
        if (now.state.generation === used.generation)
          throw renewable ? refusedWhenFresh(type) : this.#failure({ kind: 'not_renewable' }, null)
      } else {
        loaded.state = next
      }
    }
    return await this.#waitForUsable(deadline, signal)
  }

  /** Notes that the third party wants the user to connect again: nothing is sent until the credentials change. */
  revoke(used: FreshCredentials): void {
    const loaded = this.#loaded
    if (loaded === null || used.generation !== loaded.state.generation) return
    loaded.state = noteRevocation(loaded.state, used.generation)
    const telling = this.#tell(loaded.state, null)
      .catch((error: unknown) => this.#warn(error, 'a revoked connection could not be noted'))
      .finally(() => this.#asides.delete(telling))
    this.#asides.add(telling)
  }

  /**
   * Asks the third party to end what the credentials gave, as they are kept now, once. False: the manifest has no request
   * for it. Throws what the request throws.
   */
  async withdraw(): Promise<boolean> {
    await this.#flight?.catch(() => {})
    const { kit, material } = await this.#ask()
    await kit.revoke?.(material)
    return kit.revoke !== null
  }

  /**
   * Renews ahead of need if that is due by now, and sees to a refresh whose process has ended, for the job that does so;
   * nothing happens while another process is at it. Throws like `current`.
   */
  async refreshDue(): Promise<void> {
    // One for a call leaves what a process left behind alone, as long as the token that there is works.
    await this.#flight?.catch(() => {})
    await this.#fly(true)
  }

  /** What a call would use now, for a preview: nothing is sent, what only a renewal can give stands as `***`. */
  async peek(): Promise<FreshCredentials> {
    const { kit, material, state } = this.#loaded ?? (await this.#ask())
    const shown = kit.renewal?.withPlaceholders(material) ?? material
    return new FreshCredentials({ kit, material: shown, state }, kit.renewal !== null)
  }

  /** How long the access token still lives, and whether it is renewed without a person. Sends nothing. */
  async lifetime(): Promise<{
    /** Milliseconds, negative where it is over; null: only a refusal tells. */
    readonly leftMs: number | null
    readonly isRenewable: boolean
  }> {
    const { state, rules } = await this.#ask()
    const { receivedAt, lifeMs } = state
    const isKnown = receivedAt !== null && lifeMs !== null
    const leftMs = isKnown ? receivedAt + lifeMs - this.#options.clock.monotonic() : null
    return { leftMs, isRenewable: rules.renewable }
  }

  config(): JsonObject {
    return this.#loaded?.material.config ?? this.#home.early
  }

  /** The values to be masked wherever something is shown, also those of the credentials before. */
  secrets(): readonly string[] {
    return this.#seen.all()
  }

  /** Masks them in a text, and what else is secret in it. */
  redact(text: string, others: readonly string[] = []): string {
    const masked = this.#seen.redact(text)
    return others.length === 0 ? masked : createRedactor(others)(masked)
  }

  /** Resolves when a renewal under way has come to its end, saving included. */
  async close(): Promise<void> {
    this.#isClosing = true
    // What became of it was told to those who waited, or logged.
    await this.#flight?.catch(() => {})
    await Promise.all(this.#asides)
  }

  /** The main line: hand out what is usable, else wait for a flight and look again. */
  async #waitForUsable(
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<FreshCredentials> {
    for (;;) {
      const fresh = this.#usable(this.#options.clock.monotonic(), this.#gapMs)
      if (fresh !== null) return fresh
      await waitFor(this.#fly(), { clock: this.#options.clock, deadline, signal, late: LATE })
    }
  }

  /** What can be used at once, or null; starts a renewal ahead of need when one is due. */
  #usable(now: number, gapMs: number): FreshCredentials | null {
    const loaded = this.#loaded
    if (loaded === null || this.#unsaved?.hasFailed === true) return null
    const { state, rules } = loaded
    const decision = decide(state, rules, now, gapMs)
    if (decision.kind !== 'use' || isUnfinished(loaded)) return null
    if (decision.refresh !== null && now >= this.#quietUntil) void this.#fly(false, gapMs)
    const isRenewable = rules.renewable || this.#home.mayHoldNewer
    this.#fresh ??= new FreshCredentials(loaded, isRenewable, loaded.isFound && rules.renewable)
    return this.#fresh
  }

  #gapAt(now: number): number {
    return this.#calledAt === null ? 0 : now - this.#calledAt
  }

  #noteCall(now: number, gapMs: number): void {
    this.#calledAt = now
    this.#gapMs = gapMs
  }

  // One flight per process

  /** The one flight that gets everything ready; callers join it. It belongs to none of them. */
  #fly(settles = false, gapMs = this.#gapMs): Promise<void> {
    if (this.#flight !== null) return this.#flight
    const flight = this.#prepare(settles, gapMs).finally(() => {
      this.#flight = null
    })
    flight.catch((error: unknown) => {
      this.#quietUntil = this.#options.clock.monotonic() + QUIET_MS
      this.#warn(error, 'fresh credentials could not be obtained')
    })
    this.#flight = flight
    return flight
  }

  /** `settles`: a refresh that no process is at any more is settled also while it is not needed. */
  async #prepare(settles: boolean, gapMs: number): Promise<void> {
    if (this.#unsaved !== null) await this.#save(this.#unsaved)
    const known = this.#loaded
    const isHopeless = known === null || this.#decide(known, gapMs).kind === 'fail'
    const loaded = await (isHopeless ? this.#ask() : this.#read('look'))
    const decision = this.#possible(loaded, gapMs)
    const isNeeded = decision.kind === 'refresh' || isUnfinished(loaded)
    const isAsked = reasonIn(decision) !== null || (settles && loaded.isUnsettled)
    if (!isNeeded && !isAsked) return
    const need = { isNeeded, isClosing: () => this.#isClosing }
    const hasRun = await this.#home.lease(loaded, need, (lease) => this.#underLease(lease, gapMs))
    if (hasRun) return
    if (isNeeded) await this.#read('ask')
    else this.#quietUntil = this.#options.clock.monotonic() + QUIET_MS
  }

  /** Looks again, now that no other process can refresh, and completes what is left. */
  async #underLease(lease: Lease, gapMs: number): Promise<void> {
    const loaded = await this.#read('leased')
    const reason = reasonIn(this.#possible(loaded, gapMs))
    if (reason !== null) await this.#present(loaded, lease, reason)
    await this.#finish(lease)
  }

  #decide({ state, rules }: Loaded, gapMs: number): Decision {
    return decide(state, rules, this.#options.clock.monotonic(), gapMs)
  }

  /** What to do next; throws where nothing can be done. */
  #possible(loaded: Loaded, gapMs: number): Exclude<Decision, { readonly kind: 'fail' }> {
    const decision = this.#decide(loaded, gapMs)
    if (decision.kind === 'fail') throw this.#failure(decision.failure, decision.retryAfterMs)
    return decision
  }

  // Reading

  /** One look for any number of calls that what is known does not help. */
  #ask(): Promise<Loaded> {
    this.#asking ??= this.#read('ask').finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #read(reading: Reading): Promise<Loaded> {
    const found = await this.#home.read(this.#loaded, reading)
    if (found.newer !== null) this.#adopt(found.newer)
    const loaded = this.#loaded
    if (loaded === null) throw new TypeError('a home without known credentials gave none')
    loaded.state = found.told(loaded.state, loaded.rules)
    loaded.isUnsettled = found.isUnsettled
    // The process that sent it has ended: what it left is told, so that everybody sees it.
    const isLeft = reading === 'leased' && found.isUnsettled
    return !isLeft || (await this.#tell(loaded.state, null)) ? loaded : await this.#read('ask')
  }

  #adopt(held: Held): void {
    this.#remember(held.kit, held.material)
    this.#become(held, true)
  }

  #become({ kit, material, state }: Held, isFound = false): void {
    const rules = kit.renewal?.rulesFor(material) ?? NOT_RENEWABLE
    this.#loaded = { kit, material, state, rules, isUnsettled: false, isFound }
    this.#fresh = null
    this.#cause = null
  }

  // Presenting

  async #present(loaded: Loaded, lease: Lease, reason: RefreshReason): Promise<void> {
    const { clock, log, onRefresh } = this.#options
    const { kit, material, rules } = loaded
    if (kit.renewal === null) return
    if (!(await this.#home.intend(loaded.state, lease))) {
      await this.#read('ask')
      return
    }
    const started = clock.monotonic()
    let presented
    try {
      presented = await kit.renewal.present(material)
    } catch (error) {
      // Nothing could be sent, for a reason of ours.
      if (await this.#settled(loaded.state, lease)) throw error
      return
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
      onRefresh?.(report)
      if (!(await this.#settled(after, lease))) return
      this.#cause = error ?? ('cause' in outcome ? outcome.cause : null)
      this.#throwFailure(after)
      return
    }
    this.#remember(kit, next)
    const unsaved = { held: loaded, material: next, after, reason, lease, hasFailed: false }
    this.#unsaved = unsaved
    const isOurs = await this.#save(unsaved)
    const commitMs = clock.monotonic() - now
    onRefresh?.({ ...report, outcome: isOurs ? 'tokens' : 'dropped', commitMs })
    if (!isOurs) {
      log.warn(
        { reason },
        'the credentials were replaced during their refresh; its tokens are dropped',
      )
      await this.#read('ask')
      return
    }
    log.info({ reason, tookMs: Math.round(report.tookMs) }, 'credentials were renewed')
    this.#cause = error
    this.#throwFailure(after)
  }

  /** Stores new tokens and only then makes them the current ones. False: others were stored meanwhile. */
  async #save(unsaved: Unsaved<Lease>): Promise<boolean> {
    let committed
    try {
      committed = await this.#home.commit(unsaved, unsaved.lease)
    } catch (error) {
      unsaved.hasFailed = true
      throw error
    }
    this.#unsaved = null
    if (committed === 'moved') return false
    this.#become({ kit: unsaved.held.kit, material: unsaved.material, state: unsaved.after })
    return true
  }

  // Finishing

  /** Asks for what the base URL still needs; a token that is refused there is renewed once. */
  async #finish(lease: Lease): Promise<void> {
    let loaded = this.#loaded
    const finisher = loaded?.kit.finisher ?? null
    if (loaded === null || finisher === null || !isUnfinished(loaded)) return
    if (this.#decide(loaded, 0).kind !== 'use') return
    let material: Material
    try {
      material = await finisher.run('connect', loaded.material)
    } catch (error) {
      if (!isConnectorError(error, 'credentials_refused') || !loaded.rules.renewable) throw error
      const { state } = loaded
      const refused = noteRefusal(state, state.generation, this.#options.clock.monotonic())
      if (refused === null) throw error
      loaded.state = refused
      await this.#present(loaded, lease, 'refused')
      loaded = this.#loaded ?? loaded
      material = await finisher.run('connect', loaded.material)
    }
    const { kit, state } = loaded
    this.#remember(kit, material)
    const after = { ...state, generation: state.generation + 1 }
    const next = { held: loaded, material, after, reason: 'connected' } as const
    const committed = await this.#home.commit(next, lease)
    if (committed === 'moved') await this.#read('ask')
    else this.#become({ kit, material, state: committed === 'stored' ? after : loaded.state })
  }

  // Telling

  /** Tells what came of a presentation that gave no tokens. False: others were stored meanwhile and are taken over. */
  async #settled(state: RefreshState, lease: Lease): Promise<boolean> {
    const isKept = await this.#tell(state, lease).catch((error: unknown) => {
      // The intent stays as it was before the call, so the outcome counts as lost: the careful reading.
      this.#warn(error, 'the result of a refresh could not be stored')
      return true
    })
    if (!isKept) await this.#read('ask')
    return isKept
  }

  async #tell(state: RefreshState, lease: Lease | null): Promise<boolean> {
    const failed = failureIn(state, this.#options.clock.monotonic())
    const message = failed === null ? null : this.#failure(failed.failure, null).message
    return await this.#home.tell(state, message, lease)
  }

  #throwFailure(state: RefreshState): void {
    const failed = failureIn(state, this.#options.clock.monotonic())
    if (failed !== null) throw this.#failure(failed.failure, failed.retryAfterMs)
  }

  #failure(failure: Failure, retryAfterMs: number | null): ConnectorError {
    const { type } = this.#options
    return failureError(failure, retryAfterMs, { type, used: this.#loaded, cause: this.#cause })
  }

  #reportRefused(refused: readonly RefusedValue[]): void {
    for (const { target, reason, detail } of refused) {
      if (reason === 'absent') continue
      this.#options.log.error(
        { target, reason },
        `a value of the token answer was not accepted, the old one stays: ${detail}`,
      )
    }
  }

  #warn(error: unknown, message: string): void {
    warnOf(this.#options.log, error, message)
  }

  #remember({ method }: MethodKit, material: Material): void {
    this.#seen.add(secretsOf(this.#options.client, method, material))
  }
}

/** What the engine needs of credentials, whatever their home. */
export type CredentialKeeper = Omit<RefreshingKeeper<unknown>, 'refreshDue'>

function isUnfinished({ kit, material }: Loaded): boolean {
  return kit.finisher?.isDue('connect', material) === true
}

function isClientRefused(outcome: TokenOutcome): boolean {
  return outcome.kind === 'refused' && CLIENT_ERRORS.has(outcome.error)
}
