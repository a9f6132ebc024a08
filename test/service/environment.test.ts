// The settings as an operator writes them: every name, every mistake, and what wins over what.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  DEFAULT_SETTINGS,
  type Environment,
  readEnvironment,
  SettingsError,
  settingsFromEnvironment,
  shownSettings,
} from '../../src/service/environment.ts'
import type { ServiceSettings } from '../../src/service/settings.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-settings-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function fileWith(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

function mistakesIn(environment: Environment, configFile?: string): readonly string[] {
  try {
    settingsFromEnvironment(environment, configFile === undefined ? {} : { configFile })
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
}

interface Case {
  readonly name: string
  readonly text: string
  readonly gives: Partial<ServiceSettings>
  /** Other settings that this one needs. */
  readonly with?: Environment
  /** What is other than `gives` where it stands in a file. */
  readonly inFile?: Partial<ServiceSettings>
  /** Texts that are refused, and what is said of them. */
  readonly refuses?: Readonly<Record<string, string>>
}

const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const WHOLE = (least: number, most: number): string =>
  `must be a whole number from ${least} to ${most}`
const FLAG = { maybe: 'must be 1 or 0', '2': 'must be 1 or 0' }
const BYTES = {
  much: 'must be a number of bytes such as 1048576 or "1 MiB"',
  '0': 'must be a number of bytes such as 1048576 or "1 MiB"',
  '1 MB': 'must be a number of bytes such as 1048576 or "1 MiB"',
}
const ORIGIN = 'must be an absolute URL without query, fragment and user'

const OIDC = {
  TENON_OIDC_ISSUER: 'https://login.example.com',
  TENON_OIDC_CLIENT_ID: 'tenon',
  TENON_OIDC_VIEWERS: 'staff',
}
const OIDC_GIVEN = {
  oidcIssuer: 'https://login.example.com',
  oidcClientId: 'tenon',
  oidcViewers: ['staff'],
}

const CASES: readonly Case[] = [
  { name: 'TENON_HOST', text: '0.0.0.0', gives: { host: '0.0.0.0' } },
  {
    name: 'PORT',
    text: '9000',
    gives: { port: 9000 },
    refuses: { '65536': WHOLE(0, 65_535), '-1': WHOLE(0, 65_535), '80a': WHOLE(0, 65_535) },
  },
  {
    name: 'TENON_PORT',
    text: '0',
    gives: { port: 0 },
    refuses: { '1.5': WHOLE(0, 65_535), '0x50': WHOLE(0, 65_535) },
  },
  {
    name: 'TENON_PUBLIC_URL',
    text: 'https://api.example.com/connect/',
    gives: { publicUrl: 'https://api.example.com/connect' },
    refuses: {
      'api.example.com': ORIGIN,
      'https://api.example.com/?a=1': ORIGIN,
      'https://me@api.example.com': ORIGIN,
      'https://:secret@api.example.com': ORIGIN,
      'http://api.example.com': 'must be https, or http on a loopback host',
      'ftp://localhost': 'must be https, or http on a loopback host',
    },
  },
  { name: 'TENON_DATA', text: '/var/lib/tenon', gives: { data: '/var/lib/tenon' } },
  {
    name: 'DATABASE_URL',
    text: 'postgres://db.example/tenon',
    with: { TENON_MASTER_KEYS: KEY },
    gives: { databaseUrl: 'postgres://db.example/tenon', masterKeys: [KEY] },
    refuses: {
      'mysql://db.example': 'must begin with postgres://; leave it out for the embedded store',
    },
  },
  {
    name: 'DATABASE_POOL',
    text: '25',
    gives: { databasePool: 25 },
    refuses: { '1': WHOLE(2, 1000) },
  },
  { name: 'TENON_MASTER_KEYS', text: `${KEY}, k0:x`, gives: { masterKeys: [KEY, 'k0:x'] } },
  { name: 'TENON_MANIFESTS', text: 'a.yaml,b', gives: { manifests: ['a.yaml', 'b'] } },
  {
    name: 'TENON_PUBLISH_ORGANIZATION',
    text: 'acme',
    gives: { publishOrganization: 'acme' },
  },
  { name: 'TENON_ICONS', text: './icons', gives: { icons: './icons' } },
  { name: 'TENON_CONNECTORS', text: 'gong, jira,', gives: { connectors: ['gong', 'jira'] } },
  {
    name: 'TENON_REDIRECT_URLS',
    text: 'https://app.example.com/connected',
    gives: { redirectUrls: ['https://app.example.com/connected'] },
  },
  { name: 'TENON_ALLOW_HOSTS', text: '10.0.0.0/8', gives: { allowHosts: ['10.0.0.0/8'] } },
  { name: 'TENON_ALLOW_SERVER_URL', text: 'yes', gives: { allowServerUrl: true }, refuses: FLAG },
  {
    name: 'TENON_SANDBOX',
    text: '1',
    gives: { mode: 'sandbox', maxLoopDelayMs: 0 },
    refuses: FLAG,
  },
  { name: 'TENON_DEV', text: 'true', gives: { mode: 'dev' }, refuses: FLAG },
  {
    name: 'TENON_DEV_TOKEN',
    text: 'token-of-a-developer',
    with: { TENON_DEV: '1' },
    gives: { devToken: 'token-of-a-developer', mode: 'dev' },
  },
  { name: 'TENON_JOBS', text: '0', gives: { jobs: false }, refuses: FLAG },
  { name: 'TENON_MIGRATE', text: 'off', gives: { migrate: false }, refuses: FLAG },
  {
    name: 'TENON_SYNC_INTERVAL',
    text: '60',
    gives: { syncIntervalSeconds: 60 },
    refuses: { '29': WHOLE(30, 2_592_000) },
  },
  {
    name: 'TENON_SYNC_MAX_PAGES',
    text: '5000',
    gives: { syncMaxPages: 5000 },
    refuses: { '0': WHOLE(1, 1_000_000_000) },
  },
  {
    name: 'TENON_SYNC_MAX_RECORDS',
    text: '500000',
    gives: { syncMaxRecords: 500_000 },
    refuses: { '0': WHOLE(1, 1_000_000_000) },
  },
  {
    name: 'TENON_SYNC_MAX_BYTES',
    text: '2 GiB',
    gives: { syncMaxBytes: 2 * 1024 ** 3 },
    refuses: BYTES,
  },
  {
    name: 'TENON_SYNC_MAX_PAGES_WITHOUT_NEW',
    text: '50',
    gives: { syncMaxPagesWithoutNew: 50 },
    refuses: { '0': WHOLE(1, 1_000_000_000) },
  },
  {
    name: 'TENON_DEADLINE_MS',
    text: '5000',
    gives: { deadlineMs: 5000 },
    refuses: { '999': WHOLE(1000, 300_000), '5s': WHOLE(1000, 300_000) },
  },
  {
    name: 'TENON_BODY_LIMIT',
    text: '2 MiB',
    gives: { bodyLimitBytes: 2_097_152 },
    refuses: BYTES,
  },
  {
    name: 'TENON_BODY_RATE',
    text: '16 MiB',
    gives: { bodyRateBytes: 16_777_216 },
    refuses: { much: BYTES.much, '0 MiB': BYTES.much },
  },
  {
    name: 'TENON_BODY_RATE',
    text: '0',
    gives: { bodyRateBytes: null },
  },
  {
    name: 'TENON_UPSTREAM_LIMIT',
    text: '1024',
    gives: { upstreamLimitBytes: 1024 },
    refuses: BYTES,
  },
  {
    name: 'TENON_RATE_LIMIT',
    text: '100/60s',
    gives: { rateLimit: { count: 100, seconds: 60 } },
    refuses: { '100': 'must look like 1000/60s', '0/60s': 'must look like 1000/60s' },
  },
  {
    name: 'TENON_CLIENT_SECRET',
    text: 's'.repeat(32),
    gives: { clientSecret: 's'.repeat(32) },
    refuses: { short: 'must be 32 to 255 visible ASCII characters' },
  },
  { name: 'TENON_METRICS', text: '0', gives: { showsMetrics: false }, refuses: FLAG },
  { name: 'TENON_METRICS_TOKEN', text: 'm', gives: { metricsToken: 'm' } },
  { name: 'TENON_DOCS', text: 'false', gives: { docs: false }, refuses: FLAG },
  {
    name: 'TENON_CORS_ORIGINS',
    text: 'https://a.example,http://localhost:3000',
    gives: { corsOrigins: ['https://a.example', 'http://localhost:3000'] },
    refuses: {
      '*': 'must hold origins such as https://app.example.com; "*" is none',
      'https://a.example/':
        'must hold origins such as https://app.example.com; "https://a.example/" is none',
    },
  },
  {
    name: 'TENON_EVENT_DAYS',
    text: '7',
    gives: { eventDays: 7 },
    refuses: { '0': 'must be a whole number from 2 to 3650' },
  },
  {
    name: 'TENON_AUDIT_DAYS',
    text: '365',
    gives: { auditDays: 365 },
    refuses: { '0': 'must be a whole number from 1 to 36500' },
  },
  {
    name: 'TENON_LOGS_DAYS',
    text: '0',
    gives: { logsDays: 0 },
    refuses: { '366': 'must be a whole number from 0 to 365' },
  },
  {
    name: 'TENON_LOGS_MAX',
    text: '50000',
    gives: { logsMax: 50_000 },
    refuses: { '10': 'must be a whole number from 1000 to 100000000' },
  },
  { name: 'TENON_LOGS_CONTENT', text: 'on', gives: { logsContent: true }, refuses: FLAG },
  {
    name: 'TENON_WEBHOOK_ALLOW_HOSTS',
    text: '10.0.0.0/8,hooks.internal',
    gives: { webhookAllowHosts: ['10.0.0.0/8', 'hooks.internal'] },
  },
  {
    name: 'TENON_PROXY',
    text: 'http://ada:secret@proxy.internal:3128',
    gives: { proxy: 'http://ada:secret@proxy.internal:3128' },
    refuses: {
      'proxy.internal:3128':
        'must be the address of a proxy, such as http://user:password@proxy.example.com:3128',
      'http://proxy.internal/path':
        'must be the address of a proxy without path, query and fragment',
      'http://ada:50%@proxy.internal':
        'has a % in user or password that begins no character; write %25',
    },
  },
  {
    name: 'TENON_NO_PROXY',
    text: '.internal, 10.0.0.0/8',
    gives: { noProxy: ['.internal', '10.0.0.0/8'] },
  },
  { name: 'TENON_PROXY_RESOLVES', text: '1', gives: { proxyResolves: true }, refuses: FLAG },
  {
    name: 'TENON_WEBHOOK_FACEBOOK_MARKETING_SECRET',
    text: 'signs',
    with: {
      TENON_WEBHOOK_FACEBOOK_MARKETING_SECRET_PREVIOUS: 'signed',
      TENON_WEBHOOK_FACEBOOK_MARKETING_TOKEN: 'answers',
    },
    gives: {
      webhookSecrets: { 'facebook-marketing': { secret: ['signs', 'signed'], token: ['answers'] } },
    },
  },
  {
    name: 'TENON_MAX_LOOP_DELAY_MS',
    text: '500',
    gives: { maxLoopDelayMs: 500 },
    refuses: { '5': 'must be 0, or a whole number from 10 to 600000' },
  },
  {
    name: 'TENON_MCP',
    text: 'write',
    gives: { mcp: 'write' },
    refuses: { on: 'must be one of off, read, write' },
  },
  {
    name: 'TENON_MCP_ISSUER',
    text: 'https://login.example.com/realms/a',
    gives: { mcpIssuer: 'https://login.example.com/realms/a' },
    refuses: { 'http://login.example.com': 'must be https, or http on a loopback host' },
  },
  {
    name: 'TENON_OIDC_ISSUER',
    text: 'https://login.example.com/realms/a/',
    with: { TENON_OIDC_CLIENT_ID: 'tenon', TENON_OIDC_DEFAULT_ROLE: 'viewer' },
    gives: {
      oidcIssuer: 'https://login.example.com/realms/a/',
      oidcClientId: 'tenon',
      oidcDefaultRole: 'viewer',
    },
  },
  {
    name: 'TENON_OIDC_CLIENT_ID',
    text: 'a',
    with: OIDC,
    gives: { ...OIDC_GIVEN, oidcClientId: 'a' },
  },
  {
    name: 'TENON_OIDC_CLIENT_SECRET',
    text: 's',
    with: OIDC,
    gives: { ...OIDC_GIVEN, oidcClientSecret: 's' },
  },
  { name: 'TENON_OIDC_SCOPES', text: 'openid groups', gives: { oidcScopes: 'openid groups' } },
  { name: 'TENON_OIDC_ORGANIZATION', text: 'acme', gives: { oidcOrganization: 'acme' } },
  { name: 'TENON_OIDC_ROLE_CLAIM', text: 'groups', gives: { oidcRoleClaim: 'groups' } },
  {
    name: 'TENON_OIDC_ADMINISTRATORS',
    text: 'ada@example.com, sre',
    gives: { oidcAdministrators: ['ada@example.com', 'sre'] },
  },
  { name: 'TENON_OIDC_DEVELOPERS', text: '@a.example', gives: { oidcDevelopers: ['@a.example'] } },
  { name: 'TENON_OIDC_VIEWERS', text: 'staff', gives: { oidcViewers: ['staff'] } },
  {
    name: 'TENON_OIDC_DEFAULT_ROLE',
    text: 'viewer',
    gives: { oidcDefaultRole: 'viewer' },
    refuses: { admin: 'must be one of viewer, developer, administrator' },
  },
  { name: 'TENON_MCP_AUDIENCE', text: 'tenon', gives: { mcpAudience: 'tenon' } },
  { name: 'TENON_MCP_USER_CLAIM', text: 'email', gives: { mcpUserClaim: 'email' } },
  { name: 'TENON_MCP_CLIENT_ID', text: 'app-1', gives: { mcpClientId: 'app-1' } },
  {
    name: 'TENON_MCP_SIGN_IN_URL',
    text: 'https://app.example.com/agents',
    gives: { mcpSignInUrl: 'https://app.example.com/agents' },
    refuses: { 'http://app.example.com': 'must be https, or http on a loopback host' },
  },
  {
    name: 'TENON_MCP_HOSTS',
    text: 'tenon, tenon.internal',
    gives: { mcpHosts: ['tenon', 'tenon.internal'] },
  },
  { name: 'TENON_TRANSIT_TOKEN', text: 'token-1', gives: { transitToken: 'token-1' } },
  {
    name: 'TENON_TRANSIT_TOKEN_FILE',
    text: '/run/token',
    gives: { transitTokenFile: '/run/token' },
  },
  { name: 'TENON_TRUST_PROXY', text: '1', gives: { trustProxy: true }, refuses: FLAG },
  {
    name: 'TENON_SHUTDOWN_MS',
    text: '0',
    gives: { shutdownMs: 0 },
    refuses: { '600001': WHOLE(0, 600_000) },
  },
  { name: 'TENON_DRAIN_MS', text: '5000', gives: { drainMs: 5000 } },
  {
    name: 'TENON_LOG_LEVEL',
    text: 'debug',
    gives: { logLevel: 'debug' },
    refuses: { trace: 'must be one of debug, info, warn, error, silent' },
  },
  {
    name: 'TENON_OAUTH_FACEBOOK_MARKETING_CLIENT_ID',
    text: 'id-1',
    with: { TENON_OAUTH_FACEBOOK_MARKETING_CLIENT_SECRET: 'secret-1' },
    gives: {
      oauthClients: {
        'facebook-marketing': { id: 'id-1', secret: 'secret-1', givenBy: ['environment'] },
      },
    },
    inFile: {
      oauthClients: {
        'facebook-marketing': { id: 'id-1', secret: 'secret-1', givenBy: ['settings_file'] },
      },
    },
  },
]

test('nothing set is the defaults', () => {
  expect(settingsFromEnvironment({})).toEqual(DEFAULT_SETTINGS)
  expect(settingsFromEnvironment({ TENON_PORT: '', PATH: '/bin', TENON_TRY_TOKEN: 'x' })).toEqual(
    DEFAULT_SETTINGS,
  )
})

test.for<[given: Record<string, string>, gives: object]>([
  [
    { HTTPS_PROXY: 'http://a:1', NO_PROXY: 'x,.y' },
    { proxy: 'http://a:1', noProxy: ['x', '.y'] },
  ],
  [
    { https_proxy: 'http://a:1', no_proxy: '*' },
    { proxy: 'http://a:1', noProxy: ['*'] },
  ],
  [{ HTTPS_PROXY: 'http://a:1', TENON_PROXY: 'http://b:2' }, { proxy: 'http://b:2' }],
  [{ HTTPS_PROXY: 'http://a:1', TENON_PROXY: 'off' }, { proxy: null }],
  [{ HTTPS_PROXY: '', HTTP_PROXY: 'http://a:1' }, { proxy: null }],
])('%j is the proxy of other programs, unless Tenon has its own', ([given, gives]) => {
  expect(settingsFromEnvironment(given)).toEqual({ ...DEFAULT_SETTINGS, ...gives })
})

test('a file says more of the proxy than what other programs read, and no word of it is printed', () => {
  const configFile = fileWith('proxy.yaml', 'TENON_PROXY: http://ada:secret@b:2\n')
  const settings = settingsFromEnvironment({ HTTPS_PROXY: 'http://a:1' }, { configFile })
  expect(settings.proxy).toBe('http://ada:secret@b:2')
  expect(shownSettings(settings).join('\n')).not.toContain('secret@')
  const [mistake = ''] = mistakesIn({ HTTPS_PROXY: 'socks5://ada:secret@b:2' })
  expect(mistake).toMatch(/^TENON_PROXY must be/)
  expect(mistake).not.toContain('secret')
})

test('every name has a case', () => {
  const shown = shownSettings(DEFAULT_SETTINGS).map((line) => line.split('=')[0])
  const cases = CASES.map(({ name }) => name)
  expect(shown.filter((name) => name !== undefined && !cases.includes(name))).toEqual([])
})

describe.for(CASES)(
  '$name',
  ({ name, text, gives, inFile = {}, with: others = {}, refuses = {} }) => {
    test('sets what it is named for, and nothing else', () => {
      expect(settingsFromEnvironment({ ...others, [name]: text })).toEqual({
        ...DEFAULT_SETTINGS,
        ...gives,
      })
    })

    test('means the same in a file', () => {
      const lines = Object.entries({ ...others, [name]: text }).map(
        ([each, value]) => `${each}: ${JSON.stringify(value)}\n`,
      )
      const configFile = fileWith('same.yaml', lines.join(''))
      expect(settingsFromEnvironment({}, { configFile })).toEqual({
        ...DEFAULT_SETTINGS,
        ...gives,
        ...inFile,
      })
    })

    test.for(Object.entries(refuses))('refuses %s', ([wrong, said]) => {
      expect(mistakesIn({ ...others, [name]: wrong })).toEqual([`${name} ${said}`])
    })
  },
)

test('all mistakes are listed at once, each with the name it is about', () => {
  const error = (() => {
    try {
      return settingsFromEnvironment({
        TENON_PORT: 'http',
        TENON_PROT: '80',
        TENON_DOCS: 'maybe',
        DATABASE_URL: 'postgres://me:secret-of-the-database@db/tenon',
        TENON_DEV_TOKEN: 'secret-of-a-developer',
        TENON_OAUTH_GONG_CLIENT_SECRET: 'secret-of-the-client',
        TENON_WEBHOOK_GONG_TOKEN_PREVIOUS: 'a-token-of-before',
        TENON_REDIRECT_URLS: 'http://localhost:3000/x,https://me@app.example.com/x',
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
      })
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(SettingsError)
  const { message, mistakes } = error as SettingsError
  expect(mistakes).toEqual([
    'TENON_PROT is no setting, did you mean TENON_PORT?',
    'TENON_PORT must be a whole number from 0 to 65535',
    'TENON_DOCS must be 1 or 0',
    'TENON_OAUTH_GONG_CLIENT_SECRET needs TENON_OAUTH_GONG_CLIENT_ID',
    'TENON_WEBHOOK_GONG_TOKEN_PREVIOUS needs TENON_WEBHOOK_GONG_TOKEN',
    'TENON_DEV_TOKEN is accepted only with --dev or --sandbox',
    'TENON_MASTER_KEYS is required with DATABASE_URL; tenon keys generate makes a key',
    'TENON_REDIRECT_URLS: "http://localhost:3000/x" must be https',
    'TENON_REDIRECT_URLS: "https://me@app.example.com/x" must name no user',
    expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED=0 switches off TLS checks'),
  ])
  for (const line of mistakes) expect(message).toContain(`\n  ${line}`)
  expect(message).not.toMatch(/secret-of/)
})

test('every name that the command line reads may be set where a service starts', () => {
  const folder = join(import.meta.dirname, '../../src/cli')
  const sources = globSync('**/*.ts', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  )
  const names = new Set(
    sources.flatMap((source) => source.match(/TENON_[A-Z_]*[A-Z](?![A-Z_])/g) ?? []),
  )
  expect(names.size).toBeGreaterThan(5)
  const { mistakes } = readEnvironment(Object.fromEntries([...names].map((name) => [name, 'x'])))
  expect(mistakes.filter((each) => each.includes('is no setting'))).toEqual([])
})

test.for<readonly [string, Environment, string]>([
  [
    'a provider over plain http',
    { TENON_OIDC_ISSUER: 'http://login.example.com' },
    'TENON_OIDC_ISSUER must be https, or http on a loopback host',
  ],
  [
    'a client without a provider',
    { TENON_OIDC_CLIENT_ID: 'tenon' },
    'TENON_OIDC_CLIENT_ID and TENON_OIDC_CLIENT_SECRET need TENON_OIDC_ISSUER',
  ],
  [
    'a provider without a client',
    { ...OIDC, TENON_OIDC_CLIENT_ID: '' },
    'TENON_OIDC_ISSUER needs TENON_OIDC_CLIENT_ID',
  ],
  [
    'scopes without openid',
    { ...OIDC, TENON_OIDC_SCOPES: 'email' },
    'TENON_OIDC_SCOPES must have the scope openid',
  ],
  [
    'a provider that lets nobody in',
    { ...OIDC, TENON_OIDC_VIEWERS: '' },
    'TENON_OIDC_ISSUER lets nobody in without a role; name people in TENON_OIDC_ADMINISTRATORS, TENON_OIDC_DEVELOPERS or TENON_OIDC_VIEWERS, or give TENON_OIDC_ROLE_CLAIM or TENON_OIDC_DEFAULT_ROLE',
  ],
])('T10 the sign-in of people is refused with %s', ([, environment, mistake]) =>
  expect(mistakesIn(environment)).toEqual([mistake]),
)

describe('T8 settings of development in production', () => {
  test.for<readonly [string, Environment, boolean]>([
    ['a development token', { TENON_DEV_TOKEN: 'x' }, false],
    ['a development token, and TENON_DEV=0', { TENON_DEV_TOKEN: 'x', TENON_DEV: '0' }, false],
    ['a development token with TENON_DEV', { TENON_DEV_TOKEN: 'x', TENON_DEV: '1' }, true],
    ['a development token with TENON_SANDBOX', { TENON_DEV_TOKEN: 'x', TENON_SANDBOX: '1' }, true],
    ['an http redirect', { TENON_REDIRECT_URLS: 'http://localhost:1/x' }, false],
    [
      'an http redirect with TENON_DEV',
      { TENON_REDIRECT_URLS: 'http://localhost:1/x', TENON_DEV: '1' },
      true,
    ],
    ['TLS checks off', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, false],
    ['TLS checks off with TENON_DEV', { NODE_TLS_REJECT_UNAUTHORIZED: '0', TENON_DEV: '1' }, false],
    [
      'TLS checks off with TENON_SANDBOX',
      { NODE_TLS_REJECT_UNAUTHORIZED: '0', TENON_SANDBOX: '1' },
      false,
    ],
    [
      'two tokens for a transit engine',
      { TENON_TRANSIT_TOKEN: 'x', TENON_TRANSIT_TOKEN_FILE: 'y' },
      false,
    ],
    ['PostgreSQL without keys', { DATABASE_URL: 'postgres://db/x' }, false],
    [
      'PostgreSQL without keys in a sandbox',
      { DATABASE_URL: 'postgres://db/x', TENON_SANDBOX: '1' },
      false,
    ],
  ])('%s', ([, environment, accepted]) => {
    expect(mistakesIn(environment).length === 0).toBe(accepted)
  })
})

describe('which of several wins', () => {
  test.for<readonly [string, Environment]>([
    ['in this order', { PORT: '1', TENON_PORT: '2' }],
    ['in the other order', { TENON_PORT: '2', PORT: '1' }],
  ])('TENON_PORT over PORT, %s', ([, environment]) => {
    expect(settingsFromEnvironment(environment).port).toBe(2)
  })

  test.for<readonly [string, Environment, ServiceSettings['mode']]>([
    ['both', { TENON_DEV: '1', TENON_SANDBOX: '1' }, 'sandbox'],
    ['sandbox off', { TENON_DEV: '1', TENON_SANDBOX: '0' }, 'dev'],
    ['dev off', { TENON_SANDBOX: '1', TENON_DEV: '0' }, 'sandbox'],
    ['both off', { TENON_SANDBOX: '0', TENON_DEV: 'no' }, 'production'],
  ])('the mode: %s', ([, environment, mode]) => {
    expect(settingsFromEnvironment(environment).mode).toBe(mode)
  })

  test.for<readonly [string, Environment, number]>([
    ['in production', {}, 250],
    ['with --dev', { TENON_DEV: '1' }, 250],
    ['in the sandbox, where a busy machine refuses nobody', { TENON_SANDBOX: '1' }, 0],
    ['given for the sandbox', { TENON_MAX_LOOP_DELAY_MS: '300', TENON_SANDBOX: '1' }, 300],
  ])('the delay of the event loop that is borne: %s', ([, environment, delay]) => {
    expect(settingsFromEnvironment(environment).maxLoopDelayMs).toBe(delay)
  })

  test('the environment over the file', () => {
    const configFile = fileWith('both.yaml', 'TENON_PORT: 1\nTENON_HOST: "::1"\n')
    const { port, host } = settingsFromEnvironment({ TENON_PORT: '2' }, { configFile })
    expect([port, host]).toEqual([2, '::1'])
  })
})

describe('_FILE', () => {
  test('secrets come from files, without the line end', () => {
    const keys = fileWith('keys', `${KEY}\n`)
    const secret = fileWith('client', 'secret-1\n')
    expect(
      settingsFromEnvironment({
        TENON_MASTER_KEYS_FILE: keys,
        DATABASE_URL_FILE: fileWith('database', 'postgres://db/x'),
        TENON_METRICS_TOKEN_FILE: fileWith('metrics', 'token-1'),
        TENON_DEV: '1',
        TENON_DEV_TOKEN_FILE: fileWith('dev', 'token-2'),
        TENON_OAUTH_JIRA_CLIENT_ID: 'id-1',
        TENON_OAUTH_JIRA_CLIENT_SECRET_FILE: secret,
      }),
    ).toEqual({
      ...DEFAULT_SETTINGS,
      mode: 'dev',
      masterKeys: [KEY],
      databaseUrl: 'postgres://db/x',
      metricsToken: 'token-1',
      devToken: 'token-2',
      oauthClients: {
        jira: { id: 'id-1', secret: 'secret-1', givenBy: ['environment', 'secret_file'] },
      },
    })
  })

  test.for<readonly [string, () => Environment, readonly string[]]>([
    [
      'a file that is not there',
      () => ({ TENON_METRICS_TOKEN_FILE: '/nowhere/token' }),
      ['TENON_METRICS_TOKEN_FILE: /nowhere/token cannot be read'],
    ],
    [
      'both forms',
      () => ({ TENON_METRICS_TOKEN: 'x', TENON_METRICS_TOKEN_FILE: fileWith('both', 'y') }),
      ['TENON_METRICS_TOKEN_FILE and TENON_METRICS_TOKEN are both given'],
    ],
    [
      'what is no secret',
      () => ({ TENON_PORT_FILE: fileWith('port', '80') }),
      ['TENON_PORT_FILE is no setting, did you mean TENON_PORT?'],
    ],
    [
      'a misspelt one',
      () => ({ TENON_MASTER_KEY_FILE: '/x' }),
      ['TENON_MASTER_KEY_FILE is no setting, did you mean TENON_MASTER_KEYS_FILE?'],
    ],
    [
      'an empty file',
      () => ({ DATABASE_URL_FILE: fileWith('empty', '\n') }),
      [expect.stringMatching(/^DATABASE_URL_FILE: .*empty holds nothing$/)],
    ],
  ])('%s', ([, environment, mistakes]) => {
    expect(mistakesIn(environment())).toEqual(mistakes)
  })
})

describe('a configuration file', () => {
  test.for<readonly [string, string, readonly string[]]>([
    ['a misspelt name', 'TENON_PROT: 1', ['TENON_PROT is no setting, did you mean TENON_PORT?']],
    ['a name without the prefix', 'host: 1', ['host is no setting']],
    [
      'an empty value',
      'TENON_DATA:',
      ['FILE: TENON_DATA must be a text, a number, a truth value or a list'],
    ],
    [
      'an object',
      'TENON_RATE_LIMIT: { count: 1 }',
      ['FILE: TENON_RATE_LIMIT must be a text, a number, a truth value or a list'],
    ],
    ['a list', '- TENON_PORT', ['FILE must hold names and values, such as TENON_PORT: 8080']],
    [
      'a name twice',
      'TENON_PORT: 1\nTENON_PORT: 2',
      [expect.stringMatching(/^FILE cannot be read: /)],
    ],
  ])('%s', ([, text, mistakes]) => {
    const file = fileWith('config.yaml', text)
    expect(mistakesIn({}, file).map((line) => line.replace(file, 'FILE'))).toEqual(mistakes)
  })

  test('that is not there', () => {
    expect(mistakesIn({}, '/nowhere.yaml')).toEqual([
      expect.stringMatching(/^\/nowhere\.yaml cannot be read: /),
    ])
  })

  test('nothing is as if it were not there, as in the environment', () => {
    const configFile = fileWith('nothing.yaml', 'TENON_METRICS_TOKEN: ""\n')
    expect(settingsFromEnvironment({}, { configFile })).toEqual(DEFAULT_SETTINGS)
  })

  test('lists and truth values are as YAML writes them', () => {
    const configFile = fileWith(
      'yaml.yaml',
      'TENON_CONNECTORS: [gong, jira]\nTENON_DOCS: false\nTENON_PORT: 81\n',
    )
    const { connectors, docs, port } = settingsFromEnvironment({}, { configFile })
    expect([connectors, docs, port]).toEqual([['gong', 'jira'], false, 81])
  })
})

test('the settings that are printed show no secret', () => {
  const settings = settingsFromEnvironment({
    DATABASE_URL: 'postgres://me:hidden@db/x',
    TENON_MASTER_KEYS: KEY,
    TENON_METRICS_TOKEN: 'hidden',
    TENON_DEV: '1',
    TENON_DEV_TOKEN: 'hidden',
    TENON_OAUTH_GONG_CLIENT_ID: 'id',
    TENON_OAUTH_GONG_CLIENT_SECRET: 'hidden',
  })
  const lines = shownSettings(settings)
  expect(lines.join('\n')).not.toMatch(/hidden|k1:/)
  expect(lines).toContain('DATABASE_URL=***')
  expect(lines).toContain('TENON_PORT=8080')
})
