// What third parties say of the operator's OAuth clients. One that is refused is refused for every instance that uses it,
// so it is told once, to the operator, and no instance changes its state for it.
import type { OAuthClient } from '../../engine/credentials/token-request.ts'
import type { ServiceLog } from '../log.ts'
import type { OperatorClient } from '../settings.ts'

export class OperatorClients {
  readonly #log: ServiceLog
  /**
   * By the client itself and the type: the code that it was refused with. One that is stored is another one in each
   * organisation, whatever its id, and so is one whose secret was corrected.
   */
  readonly #refused = new WeakMap<object, Map<string, string>>()
  /** In the place of a client that is gone while accounts still ask for it. */
  readonly #gone = {}

  constructor(log: ServiceLog) {
    this.#log = log
  }

  /** The third party refused the client; null: it is gone. `error`: a code of RFC 6749 section 5.2. */
  refused(connectorType: string, client: OperatorClient | null, error: string): void {
    const key = client ?? this.#gone
    const byType = this.#refused.get(key) ?? new Map<string, string>()
    if (byType.has(connectorType)) return
    this.#refused.set(key, byType.set(connectorType, error))
    const { id, secret } = clientSettings(connectorType)
    const isStored = client?.givenBy?.includes('stored') === true
    this.#log.error(
      { connector_type: connectorType, settings: isStored ? [] : [id, secret], error },
      'the third party refuses the OAuth client of this service: correct its settings (where none are named, in the console under Settings, Connectors), or the client at the third party. Nobody has to connect again',
    )
  }

  /** What the third party refused it with, to this process; null: it did not, or has accepted it since. */
  refusalOf(connectorType: string, client: OAuthClient | null): string | null {
    return (client && this.#refused.get(client)?.get(connectorType)) ?? null
  }

  accepted(connectorType: string, client: OAuthClient | null): void {
    if (this.#refused.get(client ?? this.#gone)?.delete(connectorType) !== true) return
    const message = 'the third party accepts the OAuth client of this service again'
    this.#log.info({ connector_type: connectorType }, message)
  }
}

/** `TENON_OAUTH_<TYPE>_CLIENT_ID` and `…_CLIENT_SECRET` of a connector type: the names in the environment. */
export function clientSettings(connectorType: string): Readonly<Record<'id' | 'secret', string>> {
  const name = `TENON_OAUTH_${connectorType.toUpperCase().replaceAll('-', '_')}`
  return { id: `${name}_CLIENT_ID`, secret: `${name}_CLIENT_SECRET` }
}
