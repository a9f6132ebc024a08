// The connectors that come with the package, as types.
import type { ConnectorClients, ConnectorSettings } from './generated/index.ts'

/** The clients of the packaged connectors. */
export type BuiltinClients = ConnectorClients

/** Credentials and settings of the packaged connectors. */
export type BuiltinSettings = ConnectorSettings

/** The types that direct mode can name; for any other load its manifest. */
export type BuiltinType = keyof ConnectorSettings
