// The keeper of direct mode.
import { logWith } from './credential-log.ts'
import { DirectHome, type DirectHomeOptions } from './direct-home.ts'
import { type CredentialKeeper, RefreshingKeeper } from './refreshing-keeper.ts'

/**
 * A keeper over credentials that the host keeps.
 *
 * Credentials and settings given as objects are checked here: `credentials_invalid`, `config_invalid`, all problems at
 * once. Of credentials given as a function only the settings can be checked before the first use. Sends nothing.
 */
export function createCredentialKeeper(options: DirectHomeOptions): CredentialKeeper {
  const { manifest, clock, client = null } = options
  const { type } = manifest
  const log = logWith(options.log, { connector: type })
  const home = new DirectHome({ ...options, log })
  return new RefreshingKeeper({ type, home, client, clock, log })
}
