// Made by `tenon types` (format 2). Do not edit.
/* eslint-disable */ /* oxlint-disable */
import type { FacebookMarketingSettings } from './facebook-marketing.ts'
import type { GongSettings } from './gong.ts'
import type { JiraSettings } from './jira.ts'

export type { FacebookMarketing, FacebookMarketingCredentials, FacebookMarketingSettings } from './facebook-marketing.ts'
export type { Gong, GongCredentials, GongSettings } from './gong.ts'
export type { Jira, JiraCredentials, JiraSettings } from './jira.ts'

/** What each of these connectors is connected with. */
export interface ConnectorSettings {
  'facebook-marketing': FacebookMarketingSettings
  gong: GongSettings
  jira: JiraSettings
}
