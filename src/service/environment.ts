// The settings as the environment and a configuration file spell them (12-factor). Every mistake is listed at once.
import { readFileSync } from 'node:fs'
import { parse as parseYaml } from 'yaml'
import { ROLES } from '../display/rights.ts'
import { nearest } from '../language/manifest/suggest.ts'
import { clientSettings } from './oauth/operator-clients.ts'
import { redirectUrlProblem } from './oauth/redirect-url.ts'
import {
  bytes,
  flag,
  issuer,
  isOn,
  list,
  Mistake,
  oneOf,
  originAndPath,
  origins,
  proxyAddress,
  rate,
  type Reader,
  text,
  textLike,
  whole,
} from './setting-readers.ts'
import { MIN_INTERVAL_SECONDS } from './sync/sync-settings.ts'
import type { ClientSource, OperatorClient, ServiceSettings } from './settings.ts'
import { FIRST_ORGANIZATION } from './tokens/applications.ts'
import { type SharedName, sharedSettings } from './vendor-webhooks/shared-secrets.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings are wrong: one line per mistake, each with the name it is about. Values of secrets are never in it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`the settings are not valid:\n${mistakes.map((line) => `  ${line}`).join('\n')}`)
    this.mistakes = mistakes
  }
}

export interface EnvironmentOptions {
  /** A YAML file with the same names; the environment wins. */
  readonly configFile?: string
}

/**
 * Reads the settings. Secrets may come as `…_FILE`, the name of a file that holds them. Addresses of Services that
 * Kubernetes sets are no settings.
 * Throws SettingsError with all mistakes: unknown `TENON_*` names (did you mean), values out of range, combinations that
 * are refused (a development token in production, switched-off TLS checks, PostgreSQL without keys).
 */
export function settingsFromEnvironment(
  environment: Environment,
  options: EnvironmentOptions = {},
): ServiceSettings {
  const { settings, mistakes } = readEnvironment(environment, options)
  if (mistakes.length > 0) throw new SettingsError(mistakes)
  return settings
}

/** The settings with the default in the place of every mistake, and the mistakes: for who wants to look further. */
export function readEnvironment(
  environment: Environment,
  options: EnvironmentOptions = {},
): { readonly settings: ServiceSettings; readonly mistakes: readonly string[] } {
  const mistakes: string[] = []
  const variables = given(environment)
  const values = withFiles(
    {
      ...fromEveryProgram(environment),
      ...fromConfigFile(options.configFile, mistakes),
      ...variables,
    },
    mistakes,
  )
  const settings: Record<string, unknown> = { ...defaultSettings(modeIn(values)) }
  const clients: Record<string, { id?: string; secret?: string }> = {}
  const shared: Record<string, Partial<Record<string, string>>> = {}
  for (const [name, text] of Object.entries(values)) {
    const client = OAUTH_NAME.exec(name)
    if (client !== null) {
      const [, type = '', member = ''] = client
      const entry = (clients[typeIn(type)] ??= {})
      entry[member === 'CLIENT_ID' ? 'id' : 'secret'] = text
    } else if (WEBHOOK_NAME.test(name)) {
      const [, type = '', member = ''] = WEBHOOK_NAME.exec(name) ?? []
      const entry = (shared[typeIn(type)] ??= {})
      entry[member.toLowerCase()] = text
    } else if (!Object.hasOwn(VARIABLES, name)) mistakes.push(unknownName(name))
  }
  // In the order of the table, not of the environment.
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const text = values[name]
    if (text === undefined) continue
    const value = variable.read(text)
    if (value instanceof Mistake) mistakes.push(`${name} ${value.said}`)
    else settings[variable.member] = value
  }
  settings['oauthClients'] = clientsOf(clients, variables, mistakes)
  settings['webhookSecrets'] = webhookSecretsOf(shared, mistakes)
  settings['mode'] = modeIn(values)
  // Every member was read by the variable that is named after it.
  const complete = settings as unknown as ServiceSettings
  mistakes.push(...combinationMistakes(complete, environment))
  return { settings: complete, mistakes }
}

/** What the flags of the mode come to, in whatever order they were given. */
function modeIn(values: Readonly<Record<string, string>>): ServiceSettings['mode'] {
  if (isOn(values['TENON_SANDBOX'] ?? '')) return 'sandbox'
  return isOn(values['TENON_DEV'] ?? '') ? 'dev' : 'production'
}

/** The settings in force, one `NAME=value` per line, secrets as `***`: what is printed at the start. */
export function shownSettings(settings: ServiceSettings): readonly string[] {
  return Object.entries(NAMED).map(([name, { member, secret }]) => {
    const value = settings[member]
    return `${name}=${value === null ? '' : secret ? '***' : shown(value)}`
  })
}

/** Names of the settings that are not as they are by default. */
export function changedSettings(settings: ServiceSettings): readonly string[] {
  const defaults = defaultSettings(settings.mode)
  return Object.keys(NAMED).filter((name) => {
    const member = NAMED[name]?.member ?? 'mode'
    return JSON.stringify(settings[member]) !== JSON.stringify(defaults[member])
  })
}

/** Every name that is read, but those of OAuth clients and of webhooks of vendors, which have the connector's type in them. */
export function settingNames(): readonly string[] {
  return Object.keys(VARIABLES)
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The connector type that a name in the environment has in it. */
function typeIn(part: string): string {
  return part.toLowerCase().replaceAll('_', '-')
}

/** What the operator shares with a vendor for the webhooks of an app: the newest, and the one before it. */
const WEBHOOK_NAME = /^TENON_WEBHOOK_([A-Z0-9_]+)_((?:SECRET|TOKEN)(?:_PREVIOUS)?)$/
const OAUTH_NAME = /^TENON_OAUTH_([A-Z0-9_]+)_(CLIENT_ID|CLIENT_SECRET)$/
/** Named without the prefix because other tools know them so. */
const FOREIGN_NAMES: ReadonlySet<string> = new Set(['DATABASE_URL', 'DATABASE_POOL', 'PORT'])
/** Read by commands, not by a service: it may run in the same shell. */
const OTHERS_NAMES: ReadonlySet<string> = new Set([
  'TENON_RECORD',
  'TENON_URL',
  'TENON_TOKEN',
  'TENON_CLIENT_ID',
  'TENON_DOCS_URL',
  'TENON_PAGER',
])

const databaseUrl = textLike(
  /^postgres(ql)?:\/\//,
  'must begin with postgres://; leave it out for the embedded store',
)
/** Long enough that nobody guesses it. */
const clientSecret = textLike(/^[\x21-\x7e]{32,255}$/, 'must be 32 to 255 visible ASCII characters')

/** What holds where nothing is set, the name in the environment, and how its text is read. */
type Row<T> = readonly [fallback: T, name: string, read: Reader<T>, secret?: 'secret']
/** Settings that are made of several variables. */
type Composed = 'mode' | 'oauthClients' | 'webhookSecrets'

const port = whole(0, 65_535)
/** Of pages and records of one run. */
const count = whole(1, 1_000_000_000)
const milliseconds = whole(0, 600_000)

/** Every setting that has one variable, in the order of the documentation. */
const SETTINGS: {
  readonly [K in Exclude<keyof ServiceSettings, Composed>]: Row<ServiceSettings[K]>
} = {
  host: ['127.0.0.1', 'TENON_HOST', text],
  port: [8080, 'TENON_PORT', port],
  publicUrl: [null, 'TENON_PUBLIC_URL', originAndPath],
  data: ['./tenon-data', 'TENON_DATA', text],
  databaseUrl: [null, 'DATABASE_URL', databaseUrl, 'secret'],
  databasePool: [20, 'DATABASE_POOL', whole(2, 1000)],
  masterKeys: [null, 'TENON_MASTER_KEYS', list, 'secret'],
  transitToken: [null, 'TENON_TRANSIT_TOKEN', text, 'secret'],
  transitTokenFile: [null, 'TENON_TRANSIT_TOKEN_FILE', text],
  manifests: [[], 'TENON_MANIFESTS', list],
  publishOrganization: [null, 'TENON_PUBLISH_ORGANIZATION', text],
  connectors: [null, 'TENON_CONNECTORS', list],
  icons: [null, 'TENON_ICONS', text],
  clientSecret: [null, 'TENON_CLIENT_SECRET', clientSecret, 'secret'],
  redirectUrls: [[], 'TENON_REDIRECT_URLS', list],
  allowHosts: [[], 'TENON_ALLOW_HOSTS', list],
  allowServerUrl: [false, 'TENON_ALLOW_SERVER_URL', flag],
  webhookAllowHosts: [[], 'TENON_WEBHOOK_ALLOW_HOSTS', list],
  proxy: [null, 'TENON_PROXY', proxyAddress, 'secret'],
  noProxy: [[], 'TENON_NO_PROXY', list],
  proxyResolves: [false, 'TENON_PROXY_RESOLVES', flag],
  eventDays: [30, 'TENON_EVENT_DAYS', whole(2, 3650)],
  auditDays: [90, 'TENON_AUDIT_DAYS', whole(1, 36_500)],
  logsDays: [7, 'TENON_LOGS_DAYS', whole(0, 365)],
  logsMax: [1_000_000, 'TENON_LOGS_MAX', whole(1000, 100_000_000)],
  logsContent: [false, 'TENON_LOGS_CONTENT', flag],
  devToken: [null, 'TENON_DEV_TOKEN', text, 'secret'],
  jobs: [true, 'TENON_JOBS', flag],
  migrate: [true, 'TENON_MIGRATE', flag],
  syncIntervalSeconds: [900, 'TENON_SYNC_INTERVAL', whole(MIN_INTERVAL_SECONDS, 30 * 86_400)],
  syncMaxPages: [null, 'TENON_SYNC_MAX_PAGES', count],
  syncMaxRecords: [null, 'TENON_SYNC_MAX_RECORDS', count],
  syncMaxBytes: [null, 'TENON_SYNC_MAX_BYTES', bytes],
  syncMaxPagesWithoutNew: [null, 'TENON_SYNC_MAX_PAGES_WITHOUT_NEW', count],
  deadlineMs: [60_000, 'TENON_DEADLINE_MS', whole(1000, 300_000)],
  bodyLimitBytes: [1024 ** 2, 'TENON_BODY_LIMIT', bytes],
  bodyRateBytes: [8 * 1024 ** 2, 'TENON_BODY_RATE', (text) => (text === '0' ? null : bytes(text))],
  upstreamLimitBytes: [32 * 1024 ** 2, 'TENON_UPSTREAM_LIMIT', bytes],
  rateLimit: [null, 'TENON_RATE_LIMIT', rate],
  showsMetrics: [true, 'TENON_METRICS', flag],
  metricsToken: [null, 'TENON_METRICS_TOKEN', text, 'secret'],
  docs: [true, 'TENON_DOCS', flag],
  maxLoopDelayMs: [250, 'TENON_MAX_LOOP_DELAY_MS', whole(10, 600_000, 'or 0')],
  mcp: ['read', 'TENON_MCP', oneOf('off', 'read', 'write')],
  mcpHosts: [[], 'TENON_MCP_HOSTS', list],
  mcpIssuer: [null, 'TENON_MCP_ISSUER', (text) => (text === 'self' ? text : originAndPath(text))],
  mcpAudience: [null, 'TENON_MCP_AUDIENCE', text],
  mcpUserClaim: ['sub', 'TENON_MCP_USER_CLAIM', text],
  mcpClientId: [null, 'TENON_MCP_CLIENT_ID', text],
  mcpSignInUrl: [null, 'TENON_MCP_SIGN_IN_URL', originAndPath],
  oidcIssuer: [null, 'TENON_OIDC_ISSUER', issuer],
  oidcClientId: [null, 'TENON_OIDC_CLIENT_ID', text],
  oidcClientSecret: [null, 'TENON_OIDC_CLIENT_SECRET', text, 'secret'],
  oidcScopes: ['openid email profile', 'TENON_OIDC_SCOPES', text],
  oidcOrganization: [FIRST_ORGANIZATION, 'TENON_OIDC_ORGANIZATION', text],
  oidcRoleClaim: [null, 'TENON_OIDC_ROLE_CLAIM', text],
  oidcAdministrators: [[], 'TENON_OIDC_ADMINISTRATORS', list],
  oidcDevelopers: [[], 'TENON_OIDC_DEVELOPERS', list],
  oidcViewers: [[], 'TENON_OIDC_VIEWERS', list],
  oidcDefaultRole: [null, 'TENON_OIDC_DEFAULT_ROLE', oneOf(...ROLES)],
  corsOrigins: [[], 'TENON_CORS_ORIGINS', origins],
  trustProxy: [false, 'TENON_TRUST_PROXY', flag],
  shutdownMs: [25_000, 'TENON_SHUTDOWN_MS', milliseconds],
  drainMs: [0, 'TENON_DRAIN_MS', milliseconds],
  logLevel: ['info', 'TENON_LOG_LEVEL', oneOf('debug', 'info', 'warn', 'error', 'silent')],
}

interface Variable {
  readonly member: keyof ServiceSettings
  readonly secret: boolean
  readonly read: Reader<unknown>
}

const NAMED: Readonly<Record<string, Variable>> = Object.fromEntries(
  Object.entries(SETTINGS).map(([member, [, name, read, secret]]) => [
    name,
    { member: member as keyof ServiceSettings, secret: secret !== undefined, read },
  ]),
)

/** Every variable. Of two names for one setting the later one wins. */
const VARIABLES: Readonly<Record<string, Variable>> = {
  PORT: { member: 'port', secret: false, read: port },
  TENON_SANDBOX: { member: 'mode', secret: false, read: flag },
  TENON_DEV: { member: 'mode', secret: false, read: flag },
  ...NAMED,
}

export const DEFAULT_SETTINGS: ServiceSettings = {
  mode: 'production',
  oauthClients: {},
  webhookSecrets: {},
  // The table has every other member, with a value of its type.
  ...(Object.fromEntries(
    Object.entries(SETTINGS).map(([member, [fallback]]) => [member, fallback]),
  ) as unknown as Omit<ServiceSettings, Composed>),
}

/** What holds where nothing is set. In the sandbox no request is refused because the machine is busy. */
export function defaultSettings(mode: ServiceSettings['mode']): ServiceSettings {
  return { ...DEFAULT_SETTINGS, mode, ...(mode === 'sandbox' ? { maxLoopDelayMs: 0 } : {}) }
}

const SECRETS: readonly string[] = Object.keys(NAMED).filter((name) => NAMED[name]?.secret)

function given(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        entry[1] !== '' &&
        (entry[0].startsWith('TENON_') || FOREIGN_NAMES.has(entry[0].replace(/_FILE$/, ''))) &&
        !entry[0].startsWith('TENON_TRY_') &&
        !OTHERS_NAMES.has(entry[0]) &&
        !isServiceLink(entry[0], entry[1]),
    ),
  )
}

/** Names that many programs read, for settings that are not given: the first that is there. */
const SHARED_NAMES: Readonly<Record<string, readonly string[]>> = {
  TENON_PROXY: ['HTTPS_PROXY', 'https_proxy'],
  TENON_NO_PROXY: ['NO_PROXY', 'no_proxy'],
}

function fromEveryProgram(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(SHARED_NAMES).flatMap(([name, shared]) => {
      const value = shared.map((each) => environment[each]).find((each) => each !== undefined)
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
}

/**
 * Whether Kubernetes set a variable: in a namespace that has a Service named `tenon` or `tenon-…`, every pod gets its
 * addresses under names that look like settings. `TENON_PORT` itself is one where its value is an address.
 * Source: Kubernetes, "Service", discovering services, environment variables.
 */
function isServiceLink(name: string, value: string): boolean {
  const [, kind] = SERVICE_LINK.exec(name) ?? []
  return kind !== undefined && (kind !== 'PORT' || /^(?:tcp|udp|sctp):\/\//.test(value))
}

const SERVICE_LINK =
  /^TENON_(?:[A-Z0-9_]+?_)??(SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/

function fromConfigFile(file: string | undefined, mistakes: string[]): Record<string, string> {
  if (file === undefined) return {}
  let document: unknown
  try {
    document = parseYaml(readFileSync(file, 'utf8'))
  } catch (error) {
    mistakes.push(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
    return {}
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    mistakes.push(`${file} must hold names and values, such as TENON_PORT: 8080`)
    return {}
  }
  return Object.fromEntries(
    Object.entries(document as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
      const text = textOf(value)
      if (text === null)
        mistakes.push(`${file}: ${name} must be a text, a number, a truth value or a list`)
      return text === null || text === '' ? [] : [[name, text]]
    }),
  )
}

/** What the environment would hold; null: it cannot hold that. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const texts = Array.isArray(value) ? value.map(textOf) : [null]
  return texts.includes(null) ? null : texts.join(',')
}

/** Replaces `NAME_FILE` by what the file holds, unless that is a setting of its own. */
function withFiles(values: Record<string, string>, mistakes: string[]): Record<string, string> {
  const complete: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    const plain = name.replace(/_FILE$/, '')
    const isFile =
      name !== plain &&
      !Object.hasOwn(VARIABLES, name) &&
      (SECRETS.includes(plain) || OAUTH_NAME.test(plain) || WEBHOOK_NAME.test(plain))
    if (!isFile) {
      complete[name] = value
      continue
    }
    if (values[plain] !== undefined) mistakes.push(`${name} and ${plain} are both given`)
    try {
      const text = readFileSync(value, 'utf8').trim()
      // An empty secret is one that everybody knows.
      if (text === '') mistakes.push(`${name}: ${value} holds nothing`)
      else complete[plain] = text
    } catch {
      mistakes.push(`${name}: ${value} cannot be read`)
    }
  }
  return complete
}

function unknownName(name: string): string {
  const known = [...Object.keys(VARIABLES), ...SECRETS.map((secret) => `${secret}_FILE`)]
  const plain = name.replace(/_FILE$/, '')
  const near = Object.hasOwn(VARIABLES, plain) ? plain : nearest(name, known)
  return `${name} is no setting${near === null ? '' : `, did you mean ${near}?`}`
}

function clientsOf(
  clients: Readonly<Record<string, { readonly id?: string; readonly secret?: string }>>,
  variables: Environment,
  mistakes: string[],
): Record<string, OperatorClient> {
  const complete: Record<string, OperatorClient> = {}
  for (const [type, { id, secret }] of Object.entries(clients)) {
    const names = clientSettings(type)
    if (id === undefined) mistakes.push(`${names.secret} needs ${names.id}`)
    else {
      const given = secret === undefined ? [names.id] : [names.id, names.secret]
      const givenBy = [...new Set(given.map((name) => sourceOf(name, variables)))]
      complete[type] = { id, secret: secret ?? null, givenBy }
    }
  }
  return complete
}

function sourceOf(name: string, variables: Environment): ClientSource {
  if (variables[name] !== undefined) return 'environment'
  return variables[`${name}_FILE`] === undefined ? 'settings_file' : 'secret_file'
}

/** By type: what is shared, the newest first. */
function webhookSecretsOf(
  shared: Readonly<Record<string, Partial<Record<string, string>>>>,
  mistakes: string[],
): ServiceSettings['webhookSecrets'] {
  return Object.fromEntries(
    Object.entries(shared).map(([type, given]) => {
      const valuesOf = (name: SharedName): readonly string[] => {
        const [newest, previous] = [given[name], given[`${name}_previous`]]
        const full = sharedSettings(type)[name]
        if (newest === undefined && previous !== undefined)
          mistakes.push(`${full}_PREVIOUS needs ${full}`)
        return [newest, previous].filter((value) => value !== undefined)
      }
      return [type, { secret: valuesOf('secret'), token: valuesOf('token') }]
    }),
  )
}

function signInMistakes(settings: ServiceSettings): readonly string[] {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcRoleClaim, oidcDefaultRole } = settings
  if (oidcIssuer === null)
    return oidcClientId === null && oidcClientSecret === null
      ? []
      : ['TENON_OIDC_CLIENT_ID and TENON_OIDC_CLIENT_SECRET need TENON_OIDC_ISSUER']
  const lists = [settings.oidcAdministrators, settings.oidcDevelopers, settings.oidcViewers]
  const hasRole = oidcRoleClaim !== null || oidcDefaultRole !== null || lists.flat().length > 0
  return [
    ...(oidcClientId === null ? ['TENON_OIDC_ISSUER needs TENON_OIDC_CLIENT_ID'] : []),
    ...(settings.oidcScopes.split(' ').includes('openid')
      ? []
      : ['TENON_OIDC_SCOPES must have the scope openid']),
    ...(hasRole
      ? []
      : [
          'TENON_OIDC_ISSUER lets nobody in without a role; name people in TENON_OIDC_ADMINISTRATORS, TENON_OIDC_DEVELOPERS or TENON_OIDC_VIEWERS, or give TENON_OIDC_ROLE_CLAIM or TENON_OIDC_DEFAULT_ROLE',
        ]),
  ]
}

function combinationMistakes(settings: ServiceSettings, environment: Environment): string[] {
  const mistakes: string[] = []
  if (settings.devToken !== null && settings.mode === 'production')
    mistakes.push('TENON_DEV_TOKEN is accepted only with --dev or --sandbox')
  if (settings.databaseUrl !== null && settings.masterKeys === null)
    mistakes.push(
      'TENON_MASTER_KEYS is required with DATABASE_URL; tenon keys generate makes a key',
    )
  if (settings.transitToken !== null && settings.transitTokenFile !== null)
    mistakes.push('TENON_TRANSIT_TOKEN and TENON_TRANSIT_TOKEN_FILE are both given')
  mistakes.push(...signInMistakes(settings))
  for (const url of settings.redirectUrls) {
    const problem = redirectUrlProblem(url, settings.mode !== 'production')
    if (problem !== null) mistakes.push(`TENON_REDIRECT_URLS: "${url}" ${problem}`)
  }
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    mistakes.push(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off TLS checks; add a CA with NODE_EXTRA_CA_CERTS instead',
    )
  return mistakes
}
