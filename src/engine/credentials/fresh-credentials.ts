// Credentials as calls see them, so that printing them by accident shows nothing.
import type { JsonObject } from '../../language/json/json.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { AuthMethod } from '../../language/manifest/manifest.ts'
import type { AppliedCredentials } from '../request/build.ts'
import type { Held } from './credential-home.ts'

/** One generation of credentials. Only its number shows in JSON and `util.inspect`. */
export class FreshCredentials {
  /** Names this set: hand it back to `renew` when the third party refuses it. */
  readonly generation: number
  readonly #held: Held
  readonly #applied: AppliedCredentials
  readonly #renewable: boolean
  /**
   * Whether they were found where they are kept, put there by a host or another process: they may be older than a refusal
   * that somebody met before they were found.
   */
  readonly isFound: boolean

  /** Throws `credentials_invalid` when a value cannot stand where the method puts it. */
  constructor(held: Held, renewable: boolean, isFound = false) {
    this.generation = held.state.generation
    this.isFound = isFound
    this.#held = held
    this.#applied = held.kit.appliedOf(held.material)
    this.#renewable = renewable
  }

  /** null: the manifest has no methods, its API is public. */
  get method(): AuthMethod | null {
    return this.#held.kit.method
  }

  get applied(): AppliedCredentials {
    return this.#applied
  }

  /** What templates see of them. */
  get scope(): Scope {
    const { kit, material } = this.#held
    return kit.scopeOf(material)
  }

  get credentials(): JsonObject {
    return this.#held.material.credentials.reveal()
  }

  /** Settings, with what the third party's answers stored. */
  get config(): JsonObject {
    return this.#held.material.config
  }

  /** Whether anything can be done about a 401. */
  get renewable(): boolean {
    return this.#renewable
  }
}
