// Made by `tenon types` (format 1). Do not edit.
/* eslint-disable */ /* oxlint-disable */
import type { GongSettings } from './gong.ts'
import type { JiraSettings } from './jira.ts'

export type { Gong, GongCredentials, GongSettings } from './gong.ts'
export type { Jira, JiraCredentials, JiraSettings } from './jira.ts'

/** What each of these connectors is connected with. */
export interface ConnectorSettings {
  gong: GongSettings
  jira: JiraSettings
}
