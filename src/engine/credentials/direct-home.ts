// The home of credentials in direct mode: what the host gives, and its `onCredentials` awaited before anybody sees a new
// token. In between, one process keeps them in memory; the host's lock stands for a lease over several.
import { ConnectorError } from '../../errors.ts'
import { whenLoaded } from '../../late-modules.ts'
import type { Clock } from '../exchange/clock.ts'
import type { Transport } from '../exchange/transport.ts'
import { exactToText } from '../../language/json/exact-number.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { chooseMethod } from './choose-method.ts'
import type {
  ChangeReason,
  Committed,
  CredentialHome,
  Found,
  Held,
  NextGeneration,
  Reading,
} from './credential-home.ts'
import type { CredentialLog } from './credential-log.ts'
import { CredentialSource, type GivenCredentials } from './credential-source.ts'
import type { Material } from './material.ts'
import { compileMethod, hasAccess } from './method-kit.ts'
import { Secret } from './redact.ts'
import { runLocked, type WithRefreshLock } from './refresh-lock.ts'
import { adopt, givenState, type RefreshState } from './refresh-state.ts'
import { earlySettings, resolveSettings } from './settings.ts'
import type { OAuthClient } from './token-request.ts'

/** What the host is told together with the new credentials. */
export interface CredentialChange {
  readonly previous: JsonObject
  readonly reason: ChangeReason
  /** The settings to give next time: those given, with what the third party's answers stored (an API host, a site). */
  readonly config: JsonObject
}

/** Saves new credentials. Awaited before they are used; throwing fails the calls that wait. */
export type OnCredentials = (next: JsonObject, change: CredentialChange) => unknown

export interface DirectHomeOptions {
  readonly manifest: Manifest
  readonly credentials: GivenCredentials
  readonly config?: JsonObject | undefined
  /** Names the method for credentials that satisfy two. */
  readonly authMethod?: string | undefined
  /** The operator's OAuth client, for credentials that bring none. */
  readonly client?: OAuthClient | undefined
  readonly onCredentials?: OnCredentials | undefined
  readonly withRefreshLock?: WithRefreshLock | undefined
  /** Replaces the origins of the manifest, token endpoint included. */
  readonly serverUrl?: string | undefined
  readonly transport: Transport
  readonly clock: Clock
  readonly log: CredentialLog
}

const NO_SESSION = new Secret<JsonObject>({})
const told = (state: RefreshState): RefreshState => state
const NOTHING_NEW: Found = { newer: null, told, isUnsettled: false }

/** Its refreshes are known to this process only, so there is no one to announce them to. */
export class DirectHome implements CredentialHome<null> {
  readonly given: Held | null
  readonly early: JsonObject
  readonly mayHoldNewer: boolean
  readonly #options: DirectHomeOptions
  readonly #source: CredentialSource

  /** Throws `credentials_invalid` and `config_invalid` for what can be checked before anything is read. */
  constructor(options: DirectHomeOptions) {
    const { manifest, config = {} } = options
    this.#options = options
    this.#source = new CredentialSource(options.credentials)
    const { fixed } = this.#source
    this.mayHoldNewer = fixed === null
    this.given = fixed === null ? null : this.#take(fixed)
    this.early = this.given?.material.config ?? earlySettings(manifest, config)
  }

  /** Asks the host where that can help; what it gives is newer when it is another set than ours ever were. */
  async read(known: Held | null, reading: Reading): Promise<Found> {
    if (known === null) {
      const first = await this.#source.read()
      return { ...NOTHING_NEW, newer: await whenLoaded(() => this.#take(first)) }
    }
    if (reading === 'look' || this.#source.fixed !== null) return NOTHING_NEW
    const given = await this.#source.read()
    const { kit, material, state } = known
    const { credentials } = await whenLoaded(() =>
      chooseMethod(this.#options.manifest, given, kit.method?.name),
    )
    if (!this.#source.isNew(credentials)) return NOTHING_NEW
    const next: Material = {
      ...material,
      credentials: new Secret(credentials),
      session: NO_SESSION,
    }
    const { renewal } = kit
    const sameAccess = renewal !== null && renewal.accessIn(next) === renewal.accessIn(material)
    this.#source.remember(credentials)
    this.#options.log.info({}, 'newer credentials were found and taken over')
    return {
      ...NOTHING_NEW,
      newer: {
        kit,
        material: next,
        state: adopt(state, { hasAccess: hasAccess(kit, next), sameAccess }),
      },
    }
  }

  async lease(
    { kit }: Held,
    _need: unknown,
    run: (lease: null) => Promise<void>,
  ): Promise<boolean> {
    const { withRefreshLock } = this.#options
    if (withRefreshLock === undefined || kit.renewal?.spends !== true) await run(null)
    else await runLocked(withRefreshLock, () => run(null))
    return true
  }

  async intend(): Promise<boolean> {
    return true
  }

  async commit({ held, material, reason }: NextGeneration): Promise<Committed> {
    try {
      await this.#save(held.material, material, reason)
    } catch (cause) {
      if (reason !== 'connected') throw notSaved(this.#options.manifest, material, cause)
      // Nothing is lost: it is asked for again at the next start.
      this.#options.log.warn(
        {},
        'settings found at the third party could not be saved by onCredentials',
      )
    }
    this.#source.remember(material.credentials.reveal())
    return 'stored'
  }

  /** The keeper remembers the state, and no other process has to know it. */
  async tell(): Promise<boolean> {
    return true
  }

  async #save(previous: Material, next: Material, reason: ChangeReason): Promise<void> {
    const before = previous.credentials.reveal()
    const after = next.credentials.reveal()
    if (jsonEqual(before, after) && jsonEqual(previous.config, next.config)) return
    await this.#options.onCredentials?.(copyForHost(after), {
      previous: copyForHost(before),
      reason,
      config: copyForHost(next.config),
    })
  }

  /** The first generation, of credentials as the host gives them. */
  #take(values: JsonObject): Held {
    const { manifest, authMethod, config = {}, transport, clock, client = null } = this.#options
    const serverUrl = this.#options.serverUrl ?? null
    const { method, credentials } = chooseMethod(manifest, values, authMethod)
    const settings = resolveSettings({ manifest, method, config, credentials, serverUrl })
    const kit = compileMethod(manifest, method, { transport, clock, serverUrl, client })
    const material: Material = {
      credentials: new Secret(credentials),
      session: NO_SESSION,
      config: settings,
    }
    const state = givenState(1, hasAccess(kit, material))
    this.#source.remember(credentials)
    // A value that cannot stand in a header is found now, not by the first call.
    if (state.access === 'usable') kit.appliedOf(material)
    const rotates = kit.renewal?.rulesFor(material).rotates === true
    if (rotates && this.#options.onCredentials === undefined) {
      this.#options.log.warn(
        {},
        'refresh tokens of this connector work once: without onCredentials the connection is lost when this process ends',
      )
    }
    return { kit, material, state }
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
  // A structured clone of JSON members has the same members.
  return structuredClone(exactToText(values)) as JsonObject
}
