// Made by `tenon types` (format 4). Do not edit.
/* eslint-disable */ /* oxlint-disable */
import type { Acme, AcmeSettings } from './acme.ts'

export type { Acme, AcmeCredentials, AcmeSettings } from './acme.ts'

/** What each of these connectors is connected with. */
export interface ConnectorSettings {
  acme: AcmeSettings
}

/** What the client of each of these connectors is. */
export interface ConnectorClients {
  acme: Acme
}
