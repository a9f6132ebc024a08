// The settings that hold the operator's OAuth client of a connector.

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
