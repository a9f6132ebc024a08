// OpenTelemetry by the environment: the real SDK sends to a receiver on loopback.
import { expect, test } from 'vitest'
import { serviceClient } from '../../src/client/service-client.ts'
import { wantedTelemetry } from '../../src/hosting/start-telemetry.ts'
import { folderOf, tenon } from '../cli/run-tenon.ts'
import { startTenon, type StartedTenon } from '../cli/start-tenon.ts'
import { type Ended, runModule } from '../package/fresh-process.ts'
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

test('metrics and traces go where the environment says, at intervals and at the end', async () => {
  await using receiver = await otlpReceiver()
  await using started = await startTenon({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=canary-header',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
    // What is left of traces is sent by the end alone.
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  })
  await use(started)
  const sentMetrics = () => receiver.arrived.filter(({ path }) => path === '/v1/metrics')
  const sentInstances = () =>
    sentMetrics().flatMap((sent) => readMetrics(sent).metrics.get('tenon.instances')?.values ?? [])
  // By an interval: at the end the store is not asked any more.
  await expect.poll(sentInstances).toContainEqual({ labels: { state: 'active' }, value: 1 })
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
  const traces = receiver.arrived.filter(({ path }) => path === '/v1/traces')
  expect(Buffer.concat(traces.map(({ body }) => body)).toString()).toContain('gong users.list')
  const everything = Buffer.concat(receiver.arrived.map(({ body }) => body)).toString()
  for (const secret of ['canary', 'demo-access-key-secret', 'user-1', started.clientSecret])
    expect(everything).not.toContain(secret)
})

/** A process that counts once, makes a span, waits and ends; what it logged. */
async function countOnce(
  environment: Readonly<Record<string, string>>,
  waitMs: number,
): Promise<Ended> {
  return await runModule(`
    import { setTimeout } from 'node:timers/promises'
    import { exportedInstruments } from './src/hosting/exported-instruments.ts'
    import { startTelemetry } from './src/hosting/start-telemetry.ts'
    const environment = ${JSON.stringify(environment)}
    Object.assign(process.env, environment)
    const { options: { meter, tracer }, reportTo, close } = await startTelemetry(environment, '1')
    reportTo({ warn: (facts, message) => console.log(message) })
    if (meter) exportedInstruments(meter).counter({ name: 'a_total', help: '', labels: [] })({}, 1)
    tracer?.startSpan('a').end()
    // Waits for time: exporters send at intervals.
    await setTimeout(${waitMs})
    await close()`)
}

test.for([
  { exporter: 'OTEL_TRACES_EXPORTER', sent: ['/v1/metrics'] },
  { exporter: 'OTEL_METRICS_EXPORTER', sent: ['/v1/traces'] },
])('with $exporter=none goes out $sent alone, as protobuf', async ({ exporter, sent }) => {
  await using receiver = await otlpReceiver()
  const { code, err, out } = await countOnce(
    { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, [exporter]: 'none' },
    0,
  )
  expect({ code, err, out }).toEqual({ code: 0, err: '', out: '' })
  expect(receiver.arrived.map(({ path }) => path)).toEqual(sent)
  expect(receiver.arrived[0]?.contentType).toBe('application/x-protobuf')
  expect(receiver.arrived[0]?.body.includes('tenon')).toBe(true)
})

test('a receiver that refuses is told in the log, once a minute', async () => {
  await using receiver = await otlpReceiver(400)
  const { code, err, out } = await countOnce(
    {
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${receiver.url}/v1/metrics`,
      OTEL_METRIC_EXPORT_INTERVAL: '50',
    },
    300,
  )
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toBe('traces or metrics could not be sent; OTEL_LOG_LEVEL=error says why\n')
  expect(receiver.arrived.length).toBeGreaterThan(1)
})

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
  expect(err).toMatch(/npm install @opentelemetry\/api@\S+ "@opentelemetry\/sdk-node@[^"]+"/)
})
