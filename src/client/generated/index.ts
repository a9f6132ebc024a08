// Made by `tenon types` (format 2). Do not edit.
/* eslint-disable */ /* oxlint-disable */
import type { FacebookMarketing, FacebookMarketingSettings } from './facebook-marketing.ts'
import type { Gong, GongSettings } from './gong.ts'
import type { Jira, JiraSettings } from './jira.ts'

export type { FacebookMarketing, FacebookMarketingCredentials, FacebookMarketingSettings } from './facebook-marketing.ts'
export type { Gong, GongCredentials, GongSettings } from './gong.ts'
export type { Jira, JiraCredentials, JiraSettings } from './jira.ts'

/** What each of these connectors is connected with. */
export interface ConnectorSettings {
  'facebook-marketing': FacebookMarketingSettings
  gong: GongSettings
  jira: JiraSettings
}

/** What the client of each of these connectors is. */
export interface ConnectorClients {
  'facebook-marketing': FacebookMarketing
  gong: Gong
  jira: Jira
}
