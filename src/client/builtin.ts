// The connectors that come with the package, as types.
import type { ConnectorSettings } from '../generated/index.ts'
import type { Connectors } from './connectors.ts'

/** Credentials and settings of the packaged connectors. */
export type BuiltinSettings = ConnectorSettings

/** The types that direct mode can name; for any other load its manifest. */
export type BuiltinType = keyof ConnectorSettings & keyof Connectors
