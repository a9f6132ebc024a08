// What a service is told when it starts, in the terms of code. Names in the environment, and defaults: environment.ts.
import type { OAuthClient } from '../engine/credentials/token-request.ts'
import type { Role } from '../display/rights.ts'
import type { SharedSecrets } from './vendor-webhooks/shared-secrets.ts'

/** `dev` and `sandbox` accept a fixed token, http redirects to loopback and `server_url`. */
export type ServiceMode = 'production' | 'dev' | 'sandbox'

/**
 * Where a client is set: a variable of the environment, the file that a variable names, the file of `--config`, code of
 * the host app, or the sandbox, which brings its own.
 */
export type ClientSource =
  'environment' | 'secret_file' | 'settings_file' | 'host' | 'sandbox' | 'stored'

export interface OperatorClient extends OAuthClient {
  /** Of its id and its secret; absent: the host app. */
  readonly givenBy?: readonly ClientSource[]
}

export interface ServiceSettings {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Our origin (and path, in a host app) in `Location`, consent links and OAuth callbacks; null: where we listen. */
  readonly publicUrl: string | null
  /** Folder of the embedded store. */
  readonly data: string
  /** `postgres://…` instead of the embedded store. */
  readonly databaseUrl: string | null
  /** Connections of this process to PostgreSQL, those for copies included. */
  readonly databasePool: number
  /**
   * `id:base64` each, or `id:` and the address of a key of a transit engine; the first encrypts, all decrypt. Null: a key
   * file in the data folder.
   */
  readonly masterKeys: readonly string[] | null
  /** For the transit engine. */
  readonly transitToken: string | null
  /** A file with that token, which may be replaced while the service runs. */
  readonly transitTokenFile: string | null
  /** Manifest files or folders next to the built-in ones. */
  readonly manifests: readonly string[]
  /** Whose administrators and applications may publish manifests, which serve all organisations; null: nobody's. */
  readonly publishOrganization: string | null
  /** Types that may be used; null: all. */
  readonly connectors: readonly string[] | null
  /** Folder of the operator's pictures of connectors, `<type>.svg` or `<type>.png`; null: none. */
  readonly icons: string | null
  /** The operator's OAuth clients by connector type. */
  readonly oauthClients: Readonly<Record<string, OperatorClient>>
  /** What the operator shares with vendors for the webhooks of an app, by connector type. */
  readonly webhookSecrets: Readonly<Record<string, SharedSecrets>>
  /** Secret of the first application, at least 32 characters; null: a random one. */
  readonly clientSecret: string | null
  /** Redirect allow-list of the first application. */
  readonly redirectUrls: readonly string[]
  /** Hosts, `host:port` or CIDRs that may be reached although private or plain http. */
  readonly allowHosts: readonly string[]
  readonly allowServerUrl: boolean
  /** Hosts, `host:port` or CIDRs that webhooks may be sent to although private or plain http. */
  readonly webhookAllowHosts: readonly string[]
  /** The proxy that calls of third parties and deliveries of webhooks leave through; null: none. May hold a password. */
  readonly proxy: string | null
  /** Hosts that are called without it, as in `NO_PROXY`. */
  readonly noProxy: readonly string[]
  /** Whether names that this machine cannot resolve are left to the proxy. */
  readonly proxyResolves: boolean
  /** How long events are kept. */
  readonly eventDays: number
  /** How long the audit log is kept. */
  readonly auditDays: number
  /** How long log entries are kept; 0: there are none. */
  readonly logsDays: number
  /** Log entries that an organisation has at most. */
  readonly logsMax: number
  /** Whether log entries have parameters and answers. */
  readonly logsContent: boolean
  /** The OpenID provider at which people sign in to the console, as it names itself; null: none. */
  readonly oidcIssuer: string | null
  readonly oidcClientId: string | null
  /** Null: a public client. */
  readonly oidcClientSecret: string | null
  readonly oidcScopes: string
  /** Whose console it is that those people sign in to. */
  readonly oidcOrganization: string
  /** The claim with the roles or groups of a person; null: addresses decide alone. */
  readonly oidcRoleClaim: string | null
  /** Addresses, domains (`@example.com`) and values of that claim. */
  readonly oidcAdministrators: readonly string[]
  readonly oidcDevelopers: readonly string[]
  readonly oidcViewers: readonly string[]
  /** Of everybody else whom the provider lets in; null: they get no session. */
  readonly oidcDefaultRole: Role | null
  readonly mode: ServiceMode
  /** One fixed token that acts as an application token; only in `dev` and `sandbox`. */
  readonly devToken: string | null
  /** Whether this process runs jobs: refreshes before expiry, purges. */
  readonly jobs: boolean
  readonly migrate: boolean
  /** Between syncs where neither the instance nor its manifest says. */
  readonly syncIntervalSeconds: number
  /** How far one run of a sync may go; null: as its manifest says, or the default of Tenon. */
  readonly syncMaxPages: number | null
  readonly syncMaxRecords: number | null
  /** Of the documents of a whole copy. */
  readonly syncMaxBytes: number | null
  /** In a row. */
  readonly syncMaxPagesWithoutNew: number | null
  /** Of one request without `Prefer: wait`, in milliseconds. */
  readonly deadlineMs: number
  readonly bodyLimitBytes: number
  /** Bytes of bodies per second, application and process; null: none. */
  readonly bodyRateBytes: number | null
  readonly upstreamLimitBytes: number
  /** Requests per organisation and process; null: none. */
  readonly rateLimit: { readonly count: number; readonly seconds: number } | null
  /** Whether this service has /metrics. */
  readonly showsMetrics: boolean
  readonly metricsToken: string | null
  readonly docs: boolean
  readonly corsOrigins: readonly string[]
  /** Beyond this delay of the event loop requests are refused with 503, in milliseconds; 0: never. */
  readonly maxLoopDelayMs: number
  /** What agents may do at /mcp. */
  readonly mcp: 'off' | 'read' | 'write'
  /** Names by which agents may call /mcp, in addition to that of the public URL. */
  readonly mcpHosts: readonly string[]
  /** Who issues the tokens of agents: the address of an OpenID provider, or `self`; null: applications alone. */
  readonly mcpIssuer: string | null
  /** What the provider's tokens are for; null: the address of /mcp. */
  readonly mcpAudience: string | null
  /** The claim of the provider's tokens that is the `external_user_id`. */
  readonly mcpUserClaim: string
  /** The application whose users the provider knows; null: the first one. */
  readonly mcpClientId: string | null
  /** The page of the host app that brings a token of its signed-in user; null: the user pastes one. */
  readonly mcpSignInUrl: string | null
  readonly trustProxy: boolean
  /** How long running requests may take after SIGTERM, in milliseconds. */
  readonly shutdownMs: number
  /** How long `/readyz` says no before anything closes, in milliseconds. */
  readonly drainMs: number
  readonly logLevel: LogLevel
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'
