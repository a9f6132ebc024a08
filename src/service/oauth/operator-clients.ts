// What third parties say of the operator's OAuth clients. One that is refused is refused for every instance that uses it,
// so it is told once, to the operator, and no instance changes its state for it.
import type { ServiceLog } from '../log.ts'

export interface OperatorClients {
  /** The third party refused the client. `error`: a code of RFC 6749 section 5.2. */
  refused(connectorType: string, error: string): void
  /** The third party took the client. */
  accepted(connectorType: string): void
}

export function createOperatorClients(log: ServiceLog): OperatorClients {
  const refused = new Set<string>()
  return {
    refused(connectorType, error) {
      if (refused.has(connectorType)) return
      refused.add(connectorType)
      const { id, secret } = clientSettings(connectorType)
      log.error(
        { connector_type: connectorType, settings: [id, secret], error },
        'the third party refuses the OAuth client of this service: correct its settings, or the client at the third party. Nobody has to connect again',
      )
    },
    accepted(connectorType) {
      if (refused.delete(connectorType))
        log.info(
          { connector_type: connectorType },
          'the third party accepts the OAuth client of this service again',
        )
    },
  }
}

/** The names in the environment, for messages. */
export interface ClientSettings {
  readonly id: string
  readonly secret: string
}

/** `TENON_OAUTH_<TYPE>_CLIENT_ID` and `…_CLIENT_SECRET` of a connector type. */
export function clientSettings(connectorType: string): ClientSettings {
  const name = `TENON_OAUTH_${connectorType.toUpperCase().replaceAll('-', '_')}`
  return { id: `${name}_CLIENT_ID`, secret: `${name}_CLIENT_SECRET` }
}
