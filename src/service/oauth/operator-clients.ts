// What third parties say of the operator's OAuth clients. One that is refused is refused for every instance that uses it,
// so it is told once, to the operator, and no instance changes its state for it.
import type { ServiceLog } from '../log.ts'

export class OperatorClients {
  readonly #log: ServiceLog
  /** By type: the code that it was refused with. */
  readonly #refused = new Map<string, string>()

  constructor(log: ServiceLog) {
    this.#log = log
  }

  /** The third party refused the client. `error`: a code of RFC 6749 section 5.2. */
  refused(connectorType: string, error: string): void {
    if (this.#refused.has(connectorType)) return
    this.#refused.set(connectorType, error)
    const { id, secret } = clientSettings(connectorType)
    this.#log.error(
      { connector_type: connectorType, settings: [id, secret], error },
      'the third party refuses the OAuth client of this service: correct its settings, or the client at the third party. Nobody has to connect again',
    )
  }

  /** What the third party refused it with, to this process; null: it did not, or has accepted it since. */
  refusalOf(connectorType: string): string | null {
    return this.#refused.get(connectorType) ?? null
  }

  accepted(connectorType: string): void {
    if (!this.#refused.delete(connectorType)) return
    const message = 'the third party accepts the OAuth client of this service again'
    this.#log.info({ connector_type: connectorType }, message)
  }
}

/** `TENON_OAUTH_<TYPE>_CLIENT_ID` and `…_CLIENT_SECRET` of a connector type: the names in the environment. */
export function clientSettings(connectorType: string): Readonly<Record<'id' | 'secret', string>> {
  const name = `TENON_OAUTH_${connectorType.toUpperCase().replaceAll('-', '_')}`
  return { id: `${name}_CLIENT_ID`, secret: `${name}_CLIENT_SECRET` }
}
