import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { openStore } from '../../../src/service/store/open/open-store.ts'
import { migrateCopies } from '../../../src/hosting/copies-place.ts'
import { diagnose, lookAtNode, lookAtPublicUrl } from '../../../src/hosting/doctor/doctor.ts'
import type { Finding } from '../../../src/hosting/doctor/finding.ts'
import { judgeRoom } from '../../../src/hosting/doctor/look-at-folder.ts'
import {
  lookAtMetrics,
  lookAtPackages,
  lookAtProbes,
} from '../../../src/hosting/doctor/look-at-surroundings.ts'
import { judgeClocks } from '../../../src/hosting/doctor/look-at-store.ts'
import { defaultSettings } from '../../../src/service/environment.ts'
import { newDataKey } from '../../../src/service/vault/data-key.ts'
import { tenon } from '../../cli/run-tenon.ts'
import { createTestDatabase } from '../../fixtures/postgres.ts'
import facts from '../../../package.json' with { type: 'json' }

const VERSIONS: Readonly<Record<string, string>> = facts.peerDependencies

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-doctor-'))
  folders.push(folder)
  return folder
}

const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const OTHER_KEY = `k2:${Buffer.alloc(32, 2).toString('base64')}`

/** `check status` of each finding that is not about a connector. */
function short(findings: readonly Finding[]): readonly string[] {
  return findings
    .filter(({ check }) => check !== 'oauth' && check !== 'webhooks')
    .map(({ check, status }) => `${status} ${check}`)
}

function of(findings: readonly Finding[], check: string): readonly Finding[] {
  return findings.filter((finding) => finding.check === check)
}

/** A folder in which a service has sealed something. */
async function usedFolder(): Promise<string> {
  const data = await newFolder()
  const store = await openStore({ folder: data })
  const wrapped = await readMasterKeys(KEY).wrap(newDataKey())
  await store.dataKeys.put('org:acme', { version: 1, ...wrapped })
  await store.close()
  return data
}

test('where nothing is yet, nothing is wrong and nothing is made', async () => {
  const folder = await newFolder()
  const findings = await diagnose({ environment: { TENON_DATA: join(folder, 'data') } })
  expect(short(findings)).toEqual([
    'ok node',
    'ok settings',
    'warn public url',
    'ok packages',
    'ok metrics',
    'ok data folder',
    'ok disk',
    'ok store',
    'ok keys',
    'ok manifests',
    'ok proxy',
  ])
  expect(await readdir(folder)).toEqual([])
})

test('every mistake of the settings is a finding, and the rest is looked at all the same', async () => {
  const data = await newFolder()
  const findings = await diagnose({
    environment: { TENON_DATA: data, TENON_PRT: '1', TENON_DEADLINE_MS: 'soon' },
  })
  expect(of(findings, 'settings').map(({ status, message }) => [status, message])).toEqual([
    ['fail', 'TENON_PRT is no setting, did you mean TENON_PORT?'],
    ['fail', 'TENON_DEADLINE_MS must be a whole number from 1000 to 300000'],
  ])
  expect(short(findings)).toContain('ok store')
})

test('an installation in use says which master keys it needs', async () => {
  const data = await usedFolder()
  const look = async (keys: string): Promise<readonly Finding[]> =>
    of(await diagnose({ environment: { TENON_DATA: data, TENON_MASTER_KEYS: keys } }), 'keys')
  expect(await look(KEY)).toEqual([
    { check: 'keys', status: 'ok', message: 'k1 is current, 1 data keys', remedy: null },
  ])
  expect(await look(`${OTHER_KEY},${KEY}`)).toEqual([
    { check: 'keys', status: 'ok', message: 'k2 is current, 0 data keys', remedy: null },
    {
      check: 'keys',
      status: 'warn',
      message: 'k1 still wraps 1 data keys',
      remedy: 'run tenon keys rotate',
    },
  ])
  expect(await look(`${KEY},${OTHER_KEY}`)).toMatchObject([
    { status: 'ok' },
    { status: 'warn', message: 'k2 is not used any more' },
  ])
  expect(await look(OTHER_KEY)).toMatchObject([{ check: 'keys', status: 'fail' }])
  const wrong = `k1:${Buffer.alloc(32, 7).toString('base64')}`
  expect(await look(wrong)).toMatchObject([{ check: 'keys', status: 'fail' }])
  // The key file is missing: none is made in its place.
  const findings = await diagnose({ environment: { TENON_DATA: data } })
  expect(of(findings, 'keys')).toEqual([
    {
      check: 'keys',
      status: 'fail',
      message: 'master.key is missing, and credentials are sealed under k1',
      remedy: 'give the key that was used before: without it these credentials are lost',
    },
  ])
})

test('files that others may read are failures with the command that closes them', async () => {
  const data = await usedFolder()
  await writeFile(join(data, 'master.key'), `${KEY}\n`, { mode: 0o644 })
  await chmod(join(data, 'master.key'), 0o644)
  await chmod(data, 0o755)
  const findings = await diagnose({ environment: { TENON_DATA: data } })
  expect(of(findings, 'data folder').map(({ status, remedy }) => [status, remedy])).toEqual([
    ['fail', `chmod 700 ${data}`],
    ['fail', `chmod 600 ${join(data, 'master.key')}`],
  ])
})

test('manifests with problems are named with file, line and column', async () => {
  const data = await newFolder()
  await writeFile(join(data, 'acme.yaml'), 'manifest: 1\nconnector: { typ: acme }\n')
  const findings = await diagnose({
    environment: {
      TENON_DATA: data,
      TENON_MANIFESTS: join(data, 'acme.yaml'),
      TENON_CONNECTORS: 'gong,gnog',
    },
  })
  const [first] = of(findings, 'manifests')
  expect(first?.status).toBe('fail')
  expect(first?.message).toMatch(/acme\.yaml:\d+:\d+ /)
  expect(of(findings, 'manifests').map(({ message }) => message)).toContain(
    'there is no manifest for gnog',
  )
})

test('an OAuth client is looked at per connector', async () => {
  const data = await newFolder()
  const findings = await diagnose({
    environment: {
      TENON_DATA: data,
      TENON_PUBLIC_URL: 'https://app.example.com',
      TENON_CONNECTORS: 'gong,jira',
      TENON_OAUTH_GONG_CLIENT_ID: 'a',
      TENON_OAUTH_GONG_CLIENT_SECRET: 'b',
      TENON_OAUTH_JRIA_CLIENT_ID: 'c',
    },
  })
  expect(of(findings, 'public url')).toMatchObject([{ status: 'ok' }])
  expect(of(findings, 'oauth').map(({ status, message }) => [status, message])).toEqual([
    [
      'ok',
      'gong: the vendor must know https://app.example.com/v1/oauth/callback/gong as redirect address',
    ],
    ['warn', 'jira: no client; users cannot consent, other credentials work'],
    ['fail', 'there is an OAuth client for jria, and no such connector'],
  ])
})

test('secrets of webhooks: what is missing, what nothing reads, and what is being changed', async () => {
  const look = async (more: Record<string, string>) =>
    of(
      await diagnose({
        environment: { TENON_DATA: '/nowhere', TENON_CONNECTORS: 'slack,stripe,jira', ...more },
      }),
      'webhooks',
    ).map(({ status, message, remedy }) => [status, message, remedy])
  const stripe = ['ok', 'stripe: deliveries are proved by what each instance has', null]
  expect(await look({})).toEqual([
    [
      'warn',
      'slack: webhooks of its app are refused, as nothing proves them',
      'set TENON_WEBHOOK_SLACK_SECRET if you take them',
    ],
    stripe,
  ])
  const slack = { TENON_WEBHOOK_SLACK_SECRET: 'new-one' }
  expect(
    await look({ ...slack, TENON_WEBHOOK_JIRA_SECRET: 'x', TENON_WEBHOOK_JRIA_TOKEN: 'y' }),
  ).toEqual([
    ['ok', 'slack: deliveries of its app can be proved', null],
    stripe,
    ['warn', 'jira: nothing reads TENON_WEBHOOK_JIRA_SECRET', 'take it out'],
    ['warn', 'there is a secret for webhooks of jria, and no such connector', expect.any(String)],
  ])
  const changing = { ...slack, TENON_WEBHOOK_SLACK_SECRET_PREVIOUS: 'old-one' }
  const found = await look(changing)
  expect(found).toEqual([
    [
      'warn',
      'slack: two secrets prove a delivery',
      'take TENON_WEBHOOK_SLACK_SECRET_PREVIOUS out when the vendor uses the new one',
    ],
    stripe,
  ])
  expect(JSON.stringify(found)).not.toMatch(/new-one|old-one/)
})

const PRODUCTION = defaultSettings('production')

test.for([
  { name: 'outside of Kubernetes', environment: {}, settings: {}, want: [] },
  { name: 'out of reach', settings: {}, want: ['fail'] },
  { name: 'told too late', settings: { host: '0.0.0.0' }, want: ['warn'] },
  { name: 'in order', settings: { host: '0.0.0.0', drainMs: 5000 }, want: ['ok'] },
])('probes: $name', ({ environment, settings, want }) => {
  const found = lookAtProbes(
    { ...PRODUCTION, ...settings },
    environment ?? { KUBERNETES_SERVICE_HOST: '10.96.0.1' },
  )
  expect(found.map(({ check, status }) => [check, status])).toEqual(
    want.map((status) => ['probes', status]),
  )
})

test.for([
  { settings: {}, want: 'ok' },
  { settings: { host: '0.0.0.0' }, want: 'warn' },
  { settings: { host: '0.0.0.0', metricsToken: 'm' }, want: 'ok' },
  { settings: { host: '0.0.0.0', showsMetrics: false }, want: 'ok' },
])('metrics with $settings: $want', ({ settings, want }) => {
  expect(lookAtMetrics({ ...PRODUCTION, ...settings }).status).toBe(want)
})

test('packages that a setting asks for and nobody installed, with the command', () => {
  const look = (settings: object, environment = {}) =>
    lookAtPackages(
      { ...PRODUCTION, ...settings },
      environment,
      (name) => !/pg|telemetry/.test(name),
    )
  expect(look({})).toMatchObject([{ status: 'ok' }])
  expect(look({ databaseUrl: 'postgres://db/x' }, { OTEL_TRACES_EXPORTER: 'otlp' })).toEqual([
    {
      check: 'packages',
      status: 'fail',
      message: 'DATABASE_URL needs pg, which is not installed',
      remedy: `npm install pg@${VERSIONS['pg']}`,
    },
    {
      check: 'packages',
      status: 'fail',
      message:
        'OTEL_* needs @opentelemetry/api and @opentelemetry/sdk-node, which is not installed',
      remedy: `npm install @opentelemetry/api@${VERSIONS['@opentelemetry/api']} "@opentelemetry/sdk-node@${VERSIONS['@opentelemetry/sdk-node']}"`,
    },
  ])
  expect(look({}, { OTEL_TRACES_EXPORTER: 'zipkin' })).toMatchObject([{ status: 'fail' }])
})

test('a database that is away, empty, and up to date', async ({ skip }) => {
  const environment = { TENON_MASTER_KEYS: KEY }
  const away = await diagnose({
    environment: { ...environment, DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/none' },
  })
  expect(short(away)).toContain('fail store')
  expect(JSON.stringify(away)).not.toContain('hidden')
  const database = await createTestDatabase()
  if (database === null) return skip('there is no PostgreSQL')
  try {
    const env = { ...environment, DATABASE_URL: database.url }
    expect(of(await diagnose({ environment: env }), 'schema')).toMatchObject([
      { status: 'ok', message: 'the store is empty; the first start makes its schema' },
    ])
    expect(short(await diagnose({ environment: { ...env, TENON_MIGRATE: '0' } }))).toContain(
      'fail schema',
    )
    await (await openStore({ url: database.url })).close()
    expect(short(await diagnose({ environment: env }))).toContain('warn schema')
    await migrateCopies({ ...defaultSettings('production'), databaseUrl: database.url })
    expect(short(await diagnose({ environment: env }))).toEqual([
      'ok node',
      'ok settings',
      'warn public url',
      'ok packages',
      'ok metrics',
      'ok store',
      'ok schema',
      'ok clock',
      'ok keys',
      'ok manifests',
      'ok proxy',
    ])
    const last = 'select max(version) from schema_migration'
    await database.run(`delete from schema_migration where version = (${last})`)
    expect(of(await diagnose({ environment: env }), 'schema')).toMatchObject([
      { status: 'warn', remedy: 'run tenon backup, then tenon migrate' },
    ])
    await database.run("insert into schema_migration values (999, 'tomorrow', 0)")
    expect(of(await diagnose({ environment: env }), 'store')).toMatchObject([
      {
        status: 'fail',
        remedy: 'install the newer version of Tenon, or restore a backup from before it',
      },
    ])
  } finally {
    await database.drop()
  }
})

test.for([
  { version: '24.0.0', status: 'ok' },
  { version: '25.1.0', status: 'ok' },
  { version: '22.19.0', status: 'ok' },
  { version: '22.18.0', status: 'fail' },
  { version: '20.20.2', status: 'fail' },
])('Node $version: $status', ({ version, status }) => {
  expect(lookAtNode(version).status).toBe(status)
})

test.for([
  { ms: 0, status: 'ok' },
  { ms: -4999, status: 'ok' },
  { ms: 5000, status: 'warn' },
  { ms: -59_000, status: 'warn' },
  { ms: 61_000, status: 'fail' },
  { ms: -3_600_000, status: 'fail' },
])('clocks $ms ms apart: $status', ({ ms, status }) => {
  expect(judgeClocks(ms).status).toBe(status)
})

test.for([
  { bytes: 5 * 1024 ** 3, status: 'ok' },
  { bytes: 500 * 1024 ** 2, status: 'warn' },
  { bytes: 50 * 1024 ** 2, status: 'fail' },
])('$bytes bytes of room: $status', ({ bytes, status }) => {
  expect(judgeRoom('data', bytes).status).toBe(status)
})

test.for([
  { publicUrl: 'https://a.example', host: '0.0.0.0', status: 'ok' },
  { publicUrl: 'http://localhost:8080', host: '127.0.0.1', status: 'warn' },
  { publicUrl: null, host: '0.0.0.0', status: 'warn' },
])('public url $publicUrl on $host: $status', ({ status, ...given }) => {
  const settings = { ...defaultSettings('production'), port: 8080, ...given }
  expect(lookAtPublicUrl(settings).status).toBe(status)
})

test('the command prints lines or JSON, and its exit code tells of failures', async () => {
  const data = await newFolder()
  const good = await tenon(['doctor', '--data', data, '--json'])
  expect(good.code).toBe(0)
  const lines = good.out.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual({
    check: 'settings',
    status: 'ok',
    message: 'all settings are valid',
    remedy: null,
  })
  const bad = await tenon(['doctor', '--data', data], { env: { TENON_PORT: 'x' } })
  expect(bad.code).toBe(1)
  expect(bad.out).toMatch(/^fail {2}settings +TENON_PORT must be a whole number/m)
  expect(bad.out).toMatch(/\d+ ok, \d+ warnings, 1 failures\n$/)
})
