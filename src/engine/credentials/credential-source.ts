// Where the host keeps the credentials: an object, or a function to be asked again.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { nodeCrypto } from '../../late-modules.ts'

/** The object, or a function that gives it: called at the first use and before each refresh. */
export type GivenCredentials = JsonObject | (() => JsonObject | Promise<JsonObject>)

const SETS_REMEMBERED = 64

/** Reads the host's credentials and knows which sets were ever ours: those are old when they come back, not new. */
export class CredentialSource {
  readonly #given: GivenCredentials
  readonly #seen = new Set<string>()
  /** Ours as well, not fingerprinted yet: most clients never come back to ask. */
  readonly #unseen: JsonObject[] = []

  constructor(given: GivenCredentials) {
    this.#given = given
  }

  /** The credentials where they are an object; null where they have to be asked for. Throws TypeError for others. */
  get fixed(): JsonObject | null {
    return typeof this.#given === 'function' ? null : objectOf(this.#given)
  }

  /**
   * Asks the host. Throws `store_unavailable` when its function fails, unless with `credentials_invalid`, and TypeError
   * when it gives no object.
   */
  async read(): Promise<JsonObject> {
    if (typeof this.#given !== 'function') return objectOf(this.#given)
    let given: unknown
    try {
      given = await this.#given()
    } catch (cause) {
      if (isConnectorError(cause, 'credentials_invalid')) throw cause
      throw new ConnectorError(
        'store_unavailable',
        'the credentials could not be read: the function that gives them failed',
        { cause },
      )
    }
    return objectOf(given)
  }

  remember(credentials: JsonObject): void {
    this.#unseen.push(credentials)
    if (this.#unseen.length > 1) this.#fingerprint()
  }

  isNew(credentials: JsonObject): boolean {
    this.#fingerprint()
    return !this.#seen.has(fingerprintOf(credentials))
  }

  #fingerprint(): void {
    for (const credentials of this.#unseen.splice(0)) {
      this.#seen.add(fingerprintOf(credentials))
      const [oldest] = this.#seen
      if (this.#seen.size > SETS_REMEMBERED && oldest !== undefined) this.#seen.delete(oldest)
    }
  }
}

function objectOf(given: unknown): JsonObject {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError('credentials must be an object, or a function that gives one')
  }
  // A copy: the host may go on with its object. The members are checked against the method's schema next.
  return { ...given }
}

function fingerprintOf(credentials: JsonObject): string {
  const sorted = Object.entries(credentials).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return nodeCrypto().createHash('sha256').update(JSON.stringify(sorted)).digest('base64')
}
