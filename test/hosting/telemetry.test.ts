// OpenTelemetry by the environment: the real SDK sends to a receiver on loopback.
import { expect, test } from 'vitest'
import { serviceClient } from '../../src/client/service-client.ts'
import { wantedTelemetry } from '../../src/hosting/telemetry-settings.ts'
import { folderOf, tenon } from '../cli/run-tenon.ts'
import { startTenon, type StartedTenon } from '../cli/start-tenon.ts'
import { otlpReceiver, readMetrics } from './otlp-receiver.ts'

/** One operation that succeeds and one that does not. */
async function use({ url, clientId, clientSecret }: StartedTenon): Promise<void> {
  await using service = serviceClient({ baseUrl: url, clientId, clientSecret })
  const { id } = await service.instances.create({
    external_user_id: 'user-1',
    connector_type: 'gong',
    name: 'canary-name',
    credentials: { access_key: 'DEMOACCESSKEY', access_key_secret: 'demo-access-key-secret' },
  })
  const gong = await service.connect('gong', { connectorId: id, externalUserId: 'user-1' })
  await gong.users.list()
  await gong.execute('users', 'none' as 'list').catch(() => {})
}

test.concurrent(
  'metrics and traces go where the environment says, at intervals and at the end',
  async ({ expect }) => {
    await using receiver = await otlpReceiver()
    const started = await startTenon({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=canary-header',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      // What is left of traces is sent by the end alone.
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    })
    await use(started)
    const sentMetrics = () => receiver.arrived.filter(({ path }) => path === '/v1/metrics')
    await expect.poll(() => sentMetrics().length).toBeGreaterThan(1)
    expect(await started.stop()).toBe(0)
    const last = sentMetrics().at(-1)
    if (last === undefined) return
    expect(last.headers['x-key']).toBe('canary-header')
    const { service, metrics } = readMetrics(last)
    expect(service).toBe('tenon')
    expect(metrics.get('tenon.upstream.requests')?.values).toContainEqual({
      labels: { connector_type: 'gong', entity: 'users', action: 'list' },
      value: 1,
    })
    expect(metrics.get('tenon.http.requests')?.values).toContainEqual({
      labels: { route: 'execute', status: '400', code: 'operation_unknown' },
      value: 1,
    })
    expect(metrics.get('tenon.execute')).toMatchObject({
      unit: 's',
      values: [
        {
          labels: { connector_type: 'gong', entity: 'users', action: 'list', code: '' },
          value: 1,
          bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
        },
      ],
    })
    const instances = sentMetrics().flatMap(
      (sent) => readMetrics(sent).metrics.get('tenon.instances')?.values ?? [],
    )
    expect(instances).toContainEqual({ labels: { state: 'active' }, value: 1 })
    const traces = receiver.arrived.filter(({ path }) => path === '/v1/traces')
    expect(Buffer.concat(traces.map(({ body }) => body)).toString()).toContain('gong users.list')
    const everything = Buffer.concat(receiver.arrived.map(({ body }) => body)).toString()
    for (const secret of ['canary', 'demo-access-key-secret', 'user-1', started.clientSecret])
      expect(everything).not.toContain(secret)
  },
)

test.concurrent(
  'what the SDK sends by default is protobuf; traces alone, metrics alone',
  async ({ expect }) => {
    await using receiver = await otlpReceiver()
    const started = await Promise.all([
      startTenon({
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_TRACES_EXPORTER: 'none',
        OTEL_SERVICE_NAME: 'only-metrics',
      }),
      startTenon({
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_METRICS_EXPORTER: 'none',
        OTEL_SERVICE_NAME: 'only-traces',
      }),
    ])
    for (const each of started) await use(each)
    expect(await Promise.all(started.map((each) => each.stop()))).toEqual([0, 0])
    const sent = receiver.arrived.map(({ path, contentType, body }) => [
      path,
      contentType,
      /only-\w+/.exec(body.toString('latin1'))?.[0],
    ])
    expect(new Set(sent.map((each) => each.join(' ')))).toEqual(
      new Set([
        '/v1/metrics application/x-protobuf only-metrics',
        '/v1/traces application/x-protobuf only-traces',
      ]),
    )
    const metrics = receiver.arrived.find(({ path }) => path === '/v1/metrics')
    expect(metrics?.body.toString('latin1')).toContain('tenon.http.requests')
  },
)

test.concurrent(
  'a receiver that refuses is told in the log, and ends nothing',
  async ({ expect }) => {
    await using receiver = await otlpReceiver(400)
    const started = await startTenon({
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${receiver.url}/v1/metrics`,
      OTEL_METRIC_EXPORT_INTERVAL: '100',
    })
    await expect.poll(() => started.text()).toContain('traces or metrics could not be sent')
    await use(started)
    expect(await started.stop()).toBe(0)
    expect(started.text().match(/could not be sent/g)).toHaveLength(1)
  },
)

const AT = 'http://127.0.0.1:4318'
test.for([
  { environment: {}, wanted: { traces: false, metrics: false } },
  { environment: { OTEL_SERVICE_NAME: 'x' }, wanted: { traces: false, metrics: false } },
  {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: AT },
    wanted: { traces: true, metrics: true },
  },
  {
    environment: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: AT },
    wanted: { traces: true, metrics: false },
  },
  {
    environment: { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: AT },
    wanted: { traces: false, metrics: true },
  },
  { environment: { OTEL_TRACES_EXPORTER: 'console' }, wanted: { traces: true, metrics: false } },
  {
    environment: { OTEL_METRICS_EXPORTER: 'otlp, console' },
    wanted: { traces: false, metrics: true },
  },
  {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: AT, OTEL_TRACES_EXPORTER: 'none' },
    wanted: { traces: false, metrics: true },
  },
  {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: AT, OTEL_METRICS_EXPORTER: 'none' },
    wanted: { traces: true, metrics: false },
  },
  {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: AT, OTEL_SDK_DISABLED: 'true' },
    wanted: { traces: false, metrics: false },
  },
])('wanted by $environment: $wanted', ({ environment, wanted }) => {
  expect(wantedTelemetry(environment)).toEqual(wanted)
})

test.for([
  [{ OTEL_METRICS_EXPORTER: 'prometheus' }, ['OTEL_METRICS_EXPORTER']],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, ['OTEL_TRACES_EXPORTER']],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http' }, ['OTEL_EXPORTER_OTLP_PROTOCOL']],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, ['OTEL_EXPORTER_OTLP_ENDPOINT']],
  [
    { OTEL_METRIC_EXPORT_INTERVAL: '0', OTEL_METRIC_EXPORT_TIMEOUT: '1s' },
    ['OTEL_METRIC_EXPORT_INTERVAL', 'OTEL_METRIC_EXPORT_TIMEOUT'],
  ],
  [
    { OTEL_METRIC_EXPORT_INTERVAL: '1000', OTEL_METRIC_EXPORT_TIMEOUT: '2000' },
    ['OTEL_METRIC_EXPORT_TIMEOUT'],
  ],
  [
    { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'deltas' },
    ['OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE'],
  ],
] as const)('%j is refused by name', ([given, names]) => {
  const environment = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: AT, ...given }
  let problems: unknown
  try {
    wantedTelemetry(environment)
  } catch (error) {
    problems = error
  }
  expect(problems).toMatchObject({
    code: 'config_invalid',
    errors: names.map((pointer) => ({ pointer, code: 'invalid' })),
  })
})

test('a destination without the SDK stops the start and says what to install', async () => {
  const hooks = `import { registerHooks } from 'node:module'
registerHooks({ resolve(name, context, next) {
  if (!name.startsWith('@opentelemetry/sdk')) return next(name, context)
  throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' })
} })`
  const folder = folderOf({ 'hooks.mjs': hooks })
  const { code, err } = await tenon(['serve', '--sandbox', '--port', '0'], {
    folder,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      NODE_OPTIONS: `--import ${folder}/hooks.mjs`,
    },
  })
  expect(code).toBe(2)
  expect(err).toContain('npm install @opentelemetry/api @opentelemetry/sdk-node')
})
