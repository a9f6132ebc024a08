// What third parties say of the operator's OAuth clients. One that is refused is refused for every instance that uses it,
// so it is told once, to the operator, and no instance changes its state for it.
import type { ServiceLog } from '../log.ts'

export class OperatorClients {
  readonly #log: ServiceLog
  readonly #refused = new Set<string>()

  constructor(log: ServiceLog) {
    this.#log = log
  }

  /** The third party refused the client. `error`: a code of RFC 6749 section 5.2. */
  refused(connectorType: string, error: string): void {
    if (this.#refused.has(connectorType)) return
    this.#refused.add(connectorType)
    const { id, secret } = clientSettings(connectorType)
    this.#log.error(
      { connector_type: connectorType, settings: [id, secret], error },
      'the third party refuses the OAuth client of this service: correct its settings, or the client at the third party. Nobody has to connect again',
    )
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
