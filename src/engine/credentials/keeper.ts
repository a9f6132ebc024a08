// What the engine needs of credentials: fresh ones. And the keeper of direct mode.
import type { JsonObject } from '../../language/json/json.ts'
import { type CredentialLog, logWith } from './credential-log.ts'
import { DirectHome, type DirectHomeOptions } from './direct-home.ts'
import type { FreshCredentials } from './fresh-credentials.ts'
import { RefreshingKeeper } from './refreshing-keeper.ts'

/** Gives credentials that are fresh, to any number of calls at once. */
export interface CredentialKeeper {
  /** Fresh credentials where nothing has to be waited for, which is nearly always; else null: `current` waits. */
  ready(): FreshCredentials | null
  /**
   * Fresh credentials. Renews them first where they are missing or over; while the call goes on where they soon will be.
   *
   * `deadline` is in monotonic milliseconds. Throws `deadline_exceeded` or `aborted` when the caller cannot wait any
   * longer (the renewal goes on), and for credentials that cannot be had: `credentials_invalid`, `config_invalid`,
   * `credentials_refused`, `reauthorization_required`, `refresh_failed`, `refresh_unknown`, `credentials_not_saved`.
   */
  current(deadline: number, signal?: AbortSignal): Promise<FreshCredentials>
  /**
   * Fresh credentials after the third party refused `used` (401): renews them once if they are still the current
   * ones, else gives the newer ones. Throws like `current`; `credentials_refused` where a renewal cannot help.
   */
  renew(used: FreshCredentials, deadline: number, signal?: AbortSignal): Promise<FreshCredentials>
  /** Notes that the third party wants the user to connect again: nothing is sent until the credentials change. */
  revoke(used: FreshCredentials): void
  /** What a call would use now, for a preview: nothing is sent, what only a renewal can give stands as `***`. */
  peek(): Promise<FreshCredentials>
  /** The settings as they are now. */
  config(): JsonObject
  /** The values to be masked wherever something is shown, also those of the credentials before. */
  secrets(): readonly string[]
  /** Masks them in a text. */
  redact(text: string): string
  /** Resolves when a renewal under way has come to its end, saving included. */
  close(): Promise<void>
}

export interface KeeperOptions extends Omit<DirectHomeOptions, 'log'> {
  readonly log?: CredentialLog
}

/**
 * A keeper over credentials that the host keeps.
 *
 * Credentials and settings given as objects are checked here: `credentials_invalid`, `config_invalid`, all problems at
 * once. Of credentials given as a function only the settings can be checked before the first use. Sends nothing.
 */
export function createCredentialKeeper(options: KeeperOptions): CredentialKeeper {
  const { manifest, clock, client = null } = options
  const { type } = manifest
  const log = logWith(options.log ?? SILENT, { connector: type })
  const home = new DirectHome({ ...options, log })
  return new RefreshingKeeper({ type, home, client, clock, log })
}

const SILENT: CredentialLog = { info: () => {}, warn: () => {}, error: () => {} }
