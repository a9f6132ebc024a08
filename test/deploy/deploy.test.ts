// What deploy/ holds fits the program: settings it knows, metrics it has, objects that belong together.
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { settingsFromEnvironment } from '../../src/service/environment.ts'
import { type MetricSources, Metrics } from '../../src/service/metrics.ts'
import { renderChart } from './render-chart.ts'
import { at, serviceLinks } from './service-links.ts'

const CHART = 'deploy/helm/tenon'
const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`

async function metricNames(): Promise<ReadonlySet<string>> {
  // A gauge whose source fails is there without values.
  const metrics = new Metrics({} as MetricSources)
  const text = await metrics.text()
  const names = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type = '']) =>
    type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
  )
  return new Set([...names, 'up'])
}

/** Names of metrics in an expression of PromQL. */
function namesIn(expression: string): readonly string[] {
  return [
    ...new Set(
      [...expression.matchAll(/\b(tenon_\w+|process_\w+|nodejs_\w+|up)\b/g)].map(
        ([, name = '']) => name,
      ),
    ),
  ]
}

interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}

const alerts = at(
  parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')),
  'groups',
  0,
  'rules',
) as readonly AlertRule[]

test('alerts and dashboard use metrics that the service has', async () => {
  const known = await metricNames()
  const dashboard = JSON.parse(readFileSync('deploy/grafana/tenon.json', 'utf8')) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
  }
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ]
  expect(expressions.length).toBeGreaterThan(30)
  for (const expression of expressions) {
    const names = namesIn(expression)
    expect([expression, names.length > 0]).toEqual([expression, true])
    expect([expression, names.filter((name) => !known.has(name))]).toEqual([expression, []])
  }
  const used = new Set(expressions.flatMap(namesIn))
  const own = [...known].filter((name) => /^tenon_.*(?<!_bucket|_sum|_count)$/.test(name))
  expect(own.filter((name) => !used.has(name))).toEqual([])
})

test('every alert has its section in the runbook', () => {
  const runbook = readFileSync('docs/runbook.md', 'utf8')
  const sections = [...runbook.matchAll(/^### (Tenon\w+)$/gm)].map(([, name = '']) => name)
  expect(sections.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted())
  for (const { alert, labels, annotations } of alerts) {
    expect(['critical', 'warning']).toContain(labels.severity)
    expect(annotations.runbook_url.endsWith(`#${alert.toLowerCase()}`)).toBe(true)
  }
})

test('all YAML of deploy/ can be read', () => {
  const files = globSync('deploy/**/*.yaml').filter((file) => !file.includes('/templates/'))
  expect(files.length).toBeGreaterThanOrEqual(4)
  for (const file of files) expect(() => parse(readFileSync(file, 'utf8')) as unknown).not.toThrow()
})

test('the compose file gives the service settings that it takes', () => {
  const compose = parse(readFileSync('deploy/compose.yaml', 'utf8')) as unknown
  const given: Record<string, string> = {
    POSTGRES_PASSWORD: 'secret',
    TENON_MASTER_KEYS: KEY,
  }
  const environment = Object.fromEntries(
    Object.entries(at(compose, 'services', 'tenon', 'environment') as Record<string, string>).map(
      ([name, value]) => [
        name,
        value.replaceAll(
          /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
          (_, variable: string, kind: string, rest: string) =>
            given[variable] ?? (kind === '-' ? rest : ''),
        ),
      ],
    ),
  )
  const settings = settingsFromEnvironment(environment)
  expect(settings.databaseUrl).toBe('postgres://tenon:secret@postgres:5432/tenon')
  const grace = Number.parseInt(String(at(compose, 'services', 'tenon', 'stop_grace_period')), 10)
  expect(grace * 1000).toBeGreaterThan(settings.drainMs + settings.shutdownMs)
  expect(at(compose, 'services', 'tenon', 'ulimits', 'core')).toBe(0)
  const volumes = Object.keys(at(compose, 'volumes') as object)
  expect(volumes).toEqual(['postgres'])
})

test('the chart renders objects that belong together', () => {
  const objects = renderChart(CHART)
  expect(objects.map(({ kind }) => String(kind)).toSorted()).toEqual([
    'ConfigMap',
    'Deployment',
    'HorizontalPodAutoscaler',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
    'ServiceAccount',
  ])
  const [deployment, service, policy, budget, scaler, settings] = [
    'Deployment',
    'Service',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'HorizontalPodAutoscaler',
    'ConfigMap',
  ].map((kind) => objects.find((object) => object['kind'] === kind))
  const labels = at(deployment, 'spec', 'template', 'metadata', 'labels') as object
  const selector = { 'app.kubernetes.io/name': 'tenon', 'app.kubernetes.io/instance': 'tenon' }
  expect(labels).toMatchObject(selector)
  expect(at(deployment, 'spec', 'selector', 'matchLabels')).toEqual(selector)
  expect(at(service, 'spec', 'selector')).toEqual(selector)
  expect(at(policy, 'spec', 'podSelector', 'matchLabels')).toEqual(selector)
  expect(at(budget, 'spec', 'selector', 'matchLabels')).toEqual(selector)
  expect(at(scaler, 'spec', 'scaleTargetRef', 'name')).toBe(at(deployment, 'metadata', 'name'))
  expect(at(deployment, 'spec')).not.toHaveProperty('replicas')

  const pod = at(deployment, 'spec', 'template', 'spec')
  const container = at(pod, 'containers', 0)
  expect(at(container, 'image')).toBe('tenon:0.1.0')
  expect(at(container, 'envFrom')).toEqual([
    { configMapRef: { name: at(settings, 'metadata', 'name') } },
    { secretRef: { name: 'tenon' } },
  ])
  expect(at(container, 'readinessProbe', 'httpGet', 'path')).toBe('/readyz')
  expect(at(container, 'livenessProbe', 'httpGet', 'path')).toBe('/healthz')
  expect(at(pod, 'securityContext', 'runAsNonRoot')).toBe(true)
  expect(at(container, 'securityContext')).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  const given = at(settings, 'data') as Record<string, string>
  const read = settingsFromEnvironment({
    ...given,
    DATABASE_URL: 'postgres://db/tenon',
    TENON_MASTER_KEYS: KEY,
  })
  const grace = Number(at(pod, 'terminationGracePeriodSeconds'))
  const sleep = Number(at(container, 'lifecycle', 'preStop', 'sleep', 'seconds'))
  expect((grace - sleep) * 1000).toBeGreaterThan(read.drainMs + read.shutdownMs)
})

test.for(['tenon', 'tenon-eu', 'connectors'])(
  'a pod of a release named %s starts with the variables that Kubernetes sets',
  (release) => {
    const objects = renderChart(CHART, {}, release)
    const [deployment, service, settings] = ['Deployment', 'Service', 'ConfigMap'].map((kind) =>
      objects.find((object) => object['kind'] === kind),
    )
    const pod = at(deployment, 'spec', 'template', 'spec')
    expect(at(service, 'metadata', 'name')).toBe(release)
    expect(at(pod, 'enableServiceLinks')).toBe(false)
    const links = serviceLinks(service)
    const own = {
      ...(at(settings, 'data') as Record<string, string>),
      DATABASE_URL: 'postgres://db/tenon',
      TENON_MASTER_KEYS: KEY,
    }
    const env = Object.fromEntries(
      (at(pod, 'containers', 0, 'env') as readonly unknown[]).map((each) => [
        String(at(each, 'name')),
        String(at(each, 'value')),
      ]),
    )
    // What a pod names itself wins over the links; one of another chart may name nothing.
    expect(settingsFromEnvironment({ ...links, ...own, ...env }).port).toBe(8080)
    expect(settingsFromEnvironment({ ...links, ...own })).toEqual(settingsFromEnvironment(own))
  },
)

test('what is switched off in the values is not there', () => {
  const objects = renderChart(CHART, {
    replicas: 3,
    autoscaling: { enabled: false },
    podDisruptionBudget: { enabled: false },
    networkPolicy: { enabled: false },
    nodeSelector: { disk: 'fast' },
    imagePullSecrets: [{ name: 'registry' }],
  })
  expect(objects.map(({ kind }) => String(kind)).toSorted()).toEqual([
    'ConfigMap',
    'Deployment',
    'Service',
    'ServiceAccount',
  ])
  const deployment = objects.find(({ kind }) => kind === 'Deployment')
  expect(at(deployment, 'spec', 'replicas')).toBe(3)
  expect(at(deployment, 'spec', 'template', 'spec', 'nodeSelector')).toEqual({ disk: 'fast' })
  expect(at(deployment, 'spec', 'template', 'spec', 'imagePullSecrets')).toEqual([
    { name: 'registry' },
  ])
})

test('an ingress, a monitor and an account of its own are there when they are wanted', () => {
  const objects = renderChart(
    CHART,
    {
      ingress: {
        enabled: true,
        className: 'nginx',
        annotations: { 'cert-manager.io/cluster-issuer': 'le' },
        hosts: ['tenon.example.com', 'hooks.example.com'],
        tls: [{ secretName: 'tls', hosts: ['tenon.example.com', 'hooks.example.com'] }],
      },
      serviceMonitor: { enabled: true, interval: '15s', labels: { release: 'prometheus' } },
      serviceAccount: { create: true, name: 'connectors', annotations: { team: 'a' } },
    },
    'eu',
  )
  const of = (kind: string) => objects.find((object) => object['kind'] === kind)
  const ingress = of('Ingress')
  const rule = (host: string) => ({
    host,
    http: {
      paths: [
        {
          path: '/',
          pathType: 'Prefix',
          backend: { service: { name: 'eu', port: { name: 'http' } } },
        },
      ],
    },
  })
  expect(at(ingress, 'spec')).toEqual({
    ingressClassName: 'nginx',
    tls: [{ secretName: 'tls', hosts: ['tenon.example.com', 'hooks.example.com'] }],
    rules: [rule('tenon.example.com'), rule('hooks.example.com')],
  })
  expect(at(of('Service'), 'metadata', 'name')).toBe('eu')
  expect(at(of('Service'), 'spec', 'ports', 0, 'name')).toBe('http')
  const monitor = of('ServiceMonitor')
  expect(at(monitor, 'metadata', 'labels')).toMatchObject({ release: 'prometheus' })
  expect(at(monitor, 'spec')).toEqual({
    jobLabel: 'app.kubernetes.io/name',
    selector: { matchLabels: at(of('Service'), 'spec', 'selector') },
    endpoints: [
      {
        port: 'http',
        path: '/metrics',
        interval: '15s',
        authorization: { credentials: { name: 'tenon', key: 'TENON_METRICS_TOKEN' } },
      },
    ],
  })
  // The job of the alert rules.
  expect(at(of('Service'), 'metadata', 'labels', 'app.kubernetes.io/name')).toBe('tenon')
  expect(of('ServiceAccount')).toMatchObject({
    metadata: { name: 'connectors', annotations: { team: 'a' } },
    automountServiceAccountToken: false,
  })
  const pod = at(of('Deployment'), 'spec', 'template', 'spec')
  expect(at(pod, 'serviceAccountName')).toBe('connectors')
})

test.for([
  { account: { create: true, name: '', annotations: {} }, want: 'eu' },
  { account: { create: false, name: '', annotations: {} }, want: 'default' },
  { account: { create: false, name: 'given', annotations: {} }, want: 'given' },
])('with $account pods run as $want', ({ account, want }) => {
  const objects = renderChart(CHART, { serviceAccount: account }, 'eu')
  const deployment = objects.find(({ kind }) => kind === 'Deployment')
  expect(at(deployment, 'spec', 'template', 'spec', 'serviceAccountName')).toBe(want)
  expect(objects.some(({ kind }) => kind === 'ServiceAccount')).toBe(account.create)
})

test('probes are asked often enough for what the service does', () => {
  const deployment = renderChart(CHART).find(({ kind }) => kind === 'Deployment')
  const container = at(deployment, 'spec', 'template', 'spec', 'containers', 0)
  const http = (path: string) => ({ httpGet: { path, port: 'http' } })
  expect([
    at(container, 'startupProbe'),
    at(container, 'readinessProbe'),
    at(container, 'livenessProbe'),
  ]).toEqual([
    { ...http('/readyz'), periodSeconds: 2, failureThreshold: 60 },
    { ...http('/readyz'), periodSeconds: 5, timeoutSeconds: 3 },
    { ...http('/healthz'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
  ])
})

test('every value of the chart is used by a template', () => {
  const values = parse(readFileSync(`${CHART}/values.yaml`, 'utf8')) as object
  const templates = globSync(`${CHART}/templates/*`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const unused = Object.keys(values).filter((name) => !templates.includes(`.Values.${name}`))
  expect(unused).toEqual([])
})

test('chart and package have the same version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly version: string
  }
  expect(parse(readFileSync(`${CHART}/Chart.yaml`, 'utf8'))).toMatchObject({ appVersion: version })
})

test('the image has the packages of the lockfile: what Tenon needs, and what a service asks for by name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-image-'))
  try {
    for (const file of ['package.json', 'package-lock.json', 'deploy/image-packages.mjs'])
      copyFileSync(file, join(folder, basename(file)))
    const made = spawnSync(process.execPath, ['image-packages.mjs'], { cwd: folder })
    expect(made.status).toBe(0)
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as PackageFile
    const [before, after] = [read('package.json'), read(join(folder, 'package.json'))]
    const peers = Object.keys(before.peerDependencies).filter(
      (name) => !/^(?:ai|fastify|undici|@pollyjs\/.*)$/.test(name),
    )
    expect(peers).toContain('@opentelemetry/sdk-node')
    expect(after.dependencies).toEqual(
      Object.fromEntries(peers.map((name) => [name, before.devDependencies[name]])),
    )
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly version: string }>>
    }
    for (const [name, version] of Object.entries(after.dependencies))
      expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

interface PackageFile {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

test('the runbook has the steps of everything that an operator plans', () => {
  const runbook = readFileSync('docs/runbook.md', 'utf8')
  expect([...runbook.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual(
    expect.arrayContaining([
      'Upgrade',
      'Rotate keys',
      'Back up and restore',
      'Move to PostgreSQL',
      'From one PostgreSQL to Citus',
      'Add a node to Citus',
      'Lose a worker of Citus',
      'Replace a worker of Citus',
    ]),
  )
})
