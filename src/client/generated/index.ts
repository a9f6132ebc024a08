// Made by `tenon types` (format 4). Do not edit.
/* eslint-disable */ /* oxlint-disable */
import type { FacebookMarketing, FacebookMarketingSettings } from './facebook-marketing.ts'
import type { Github, GithubSettings } from './github.ts'
import type { Gong, GongSettings } from './gong.ts'
import type { Jira, JiraSettings } from './jira.ts'
import type { Slack, SlackSettings } from './slack.ts'
import type { Stripe, StripeSettings } from './stripe.ts'

export type { FacebookMarketing, FacebookMarketingCredentials, FacebookMarketingSettings } from './facebook-marketing.ts'
export type { Github, GithubCredentials, GithubSettings } from './github.ts'
export type { Gong, GongCredentials, GongSettings } from './gong.ts'
export type { Jira, JiraCredentials, JiraSettings } from './jira.ts'
export type { Slack, SlackCredentials, SlackSettings } from './slack.ts'
export type { Stripe, StripeCredentials, StripeSettings } from './stripe.ts'

/** What each of these connectors is connected with. */
export interface ConnectorSettings {
  'facebook-marketing': FacebookMarketingSettings
  github: GithubSettings
  gong: GongSettings
  jira: JiraSettings
  slack: SlackSettings
  stripe: StripeSettings
}

/** What the client of each of these connectors is. */
export interface ConnectorClients {
  'facebook-marketing': FacebookMarketing
  github: Github
  gong: Gong
  jira: Jira
  slack: Slack
  stripe: Stripe
}
