// What the engine needs of credentials: fresh ones on loan. And the keeper for direct mode, in memory.
import type { Clock } from '../exchange/clock.ts'
import type { Transport } from '../exchange/transport.ts'
import type { JsonObject } from '../json/json.ts'
import type { AuthMethod, Manifest } from '../manifest/manifest.ts'
import type { AppliedCredentials } from '../request/build.ts'
import type { GivenCredentials } from './credential-source.ts'
import { DirectKeeper } from './direct-keeper.ts'
import type { WithRefreshLock } from './refresh-lock.ts'
import type { RefreshReason } from './refresh-state.ts'
import type { OAuthClient } from './token-request.ts'

/** Credentials on loan for one request. Does not show them when printed. */
export interface Lent {
  /** Names this set: hand it back to `renew` when the third party refuses it. */
  readonly generation: number
  /** null: the manifest has no methods, its API is public. */
  readonly method: AuthMethod | null
  readonly applied: AppliedCredentials
  readonly credentials: JsonObject
  /** Settings, with what the third party's answers stored. */
  readonly config: JsonObject
  /** Whether anything can be done about a 401. */
  readonly renewable: boolean
}

/** Lends credentials that are fresh, for any number of calls at once. */
export interface CredentialKeeper {
  /** Fresh credentials where nothing has to be waited for, which is nearly always; else null: `current` waits. */
  ready(): Lent | null
  /**
   * Fresh credentials. Renews them first where they are missing or over; beside the call where they soon will be.
   *
   * `deadline` is in monotonic milliseconds. Throws `deadline_exceeded` or `aborted` when the caller cannot wait any
   * longer (the renewal goes on), and for credentials that cannot be had: `credentials_invalid`, `config_invalid`,
   * `credentials_refused`, `reauthorization_required`, `refresh_failed`, `refresh_unknown`, `credentials_not_saved`.
   */
  current(deadline: number, signal?: AbortSignal): Promise<Lent>
  /**
   * Fresh credentials after the third party refused `used` (401): renews them once if they are still the current
   * ones, else gives the newer ones. Throws like `current`; `credentials_refused` where a renewal cannot help.
   */
  renew(used: Lent, deadline: number, signal?: AbortSignal): Promise<Lent>
  /** Notes that the third party wants the user to connect again: nothing is sent until the credentials change. */
  revoke(used: Lent): void
  /** What a call would use now, for a preview: nothing is sent, what only a renewal can give stands as `***`. */
  peek(): Promise<Lent>
  /** The settings as they are now. */
  settings(): JsonObject
  /** The values to be masked wherever something is shown, also those of the credentials before. */
  secrets(): readonly string[]
  /** Masks them in a text. */
  redact(text: string): string
  /** Resolves when a renewal under way has come to its end, saving included. */
  close(): Promise<void>
}

/** What made credentials change. `connected`: only settings did, found by asking the third party once. */
export type ChangeReason = RefreshReason | 'connected'

/** What the host is told beside the new credentials. */
export interface CredentialChange {
  readonly previous: JsonObject
  readonly reason: ChangeReason
  /** The settings to give next time: those given, with what the third party's answers stored (an API host, a site). */
  readonly config: JsonObject
}

/** Saves new credentials. Awaited before they are used; throwing fails the calls that wait. */
export type OnCredentials = (next: JsonObject, change: CredentialChange) => unknown

/** Takes an object of facts and a sentence. Facts never hold secrets. */
export type LogLine = (facts: Readonly<Record<string, unknown>>, message: string) => void

export interface CredentialLog {
  readonly info: LogLine
  readonly warn: LogLine
  readonly error: LogLine
}

export interface KeeperOptions {
  readonly manifest: Manifest
  readonly credentials: GivenCredentials
  readonly config?: JsonObject
  /** Names the method for credentials that satisfy two. */
  readonly authMethod?: string
  /** The operator's OAuth client, for credentials that bring none. */
  readonly client?: OAuthClient
  readonly onCredentials?: OnCredentials
  readonly withRefreshLock?: WithRefreshLock
  /** Replaces the origins of the manifest, token endpoint included. */
  readonly serverUrl?: string
  readonly transport: Transport
  readonly clock: Clock
  readonly log?: CredentialLog
}

/**
 * A keeper over credentials that the host keeps.
 *
 * Credentials and settings given as objects are checked here: `credentials_invalid`, `config_invalid`, all problems at
 * once. Of credentials given as a function only the settings can be checked before the first use. Sends nothing.
 */
export function createCredentialKeeper(options: KeeperOptions): CredentialKeeper {
  return new DirectKeeper(options)
}
