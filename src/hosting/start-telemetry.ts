// The SDK of OpenTelemetry, loaded where the environment says where traces or metrics go. What it says of them is judged
// before anything is loaded.
import { setTimeout } from 'node:timers/promises'
import { ConnectorError, type Problem } from '../errors.ts'
import type { Tracer } from '../engine/run/trace.ts'
import type { Environment } from '../service/environment.ts'
import type { ServiceLog } from '../service/log.ts'
import { list, Mistake, oneOf, type Reader, reader, textLike } from '../service/setting-readers.ts'
import type { Meter } from './exported-instruments.ts'
import { loadPeer } from './open-telemetry.ts'

export interface StartedTelemetry {
  readonly options: { readonly tracer?: Tracer; readonly meter?: Meter }
  /** Tells a log what cannot be sent; a failure that goes on is told once a minute. */
  reportTo(log: Pick<ServiceLog, 'warn'>): void
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>
}

const LAST_ONES_MS = 5000
const REPORT_EVERY_MS = 60_000
const NOTHING: StartedTelemetry = {
  options: {},
  reportTo: () => {},
  close: () => Promise.resolve(),
}

/**
 * Starts the SDK by the process's OTEL_* variables; where they name no destination nothing is loaded.
 *
 * Throws `config_invalid` when a value is none that the SDK takes, and when @opentelemetry/sdk-node or
 * @opentelemetry/api is not installed.
 */
export async function startTelemetry(
  environment: Environment,
  version: string,
): Promise<StartedTelemetry> {
  const wanted = wantedTelemetry(environment)
  if (!wanted.traces && !wanted.metrics) return NOTHING
  const { NodeSDK } = await loadPeer(
    '@opentelemetry/sdk-node',
    () => import('@opentelemetry/sdk-node'),
  )
  const { diag, DiagLogLevel, metrics, trace } = await loadPeer(
    '@opentelemetry/api',
    () => import('@opentelemetry/api'),
  )
  const sdk = new NodeSDK({
    ...(environment['OTEL_SERVICE_NAME'] === undefined ? { serviceName: 'tenon' } : {}),
    instrumentations: [],
    ...(wanted.traces ? {} : { spanProcessors: [] }),
    ...(wanted.metrics ? {} : { metricReaders: [] }),
    // Logs go to standard output.
    logRecordProcessors: [],
  })
  sdk.start()
  return {
    options: {
      ...(wanted.traces ? { tracer: trace.getTracer('tenon', version) } : {}),
      ...(wanted.metrics ? { meter: metrics.getMeter('tenon', version) } : {}),
    },
    reportTo(log) {
      // With OTEL_LOG_LEVEL the SDK writes on its own.
      if (environment['OTEL_LOG_LEVEL'] !== undefined) return
      let reportedAt = Number.NEGATIVE_INFINITY
      const report = (): void => {
        if (performance.now() - reportedAt < REPORT_EVERY_MS) return
        reportedAt = performance.now()
        // What it says may hold an answer of the collector.
        log.warn({}, 'traces or metrics could not be sent; OTEL_LOG_LEVEL=error says why')
      }
      const silent = (): void => {}
      diag.setLogger(
        { error: report, warn: silent, info: silent, debug: silent, verbose: silent },
        { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
      )
    },
    async close() {
      // A collector that is away must not hold the end up.
      const late = setTimeout(LAST_ONES_MS, undefined, { ref: false })
      await Promise.race([sdk.shutdown().catch(() => {}), late])
    },
  }
}

export interface WantedTelemetry {
  readonly traces: boolean
  readonly metrics: boolean
}

const exporter = oneOf('otlp', 'console', 'none')
const protocol = oneOf('http/protobuf', 'http/json', 'grpc')
const milliseconds = textLike(/^[1-9]\d{0,9}$/, 'must be a whole number of milliseconds from 1 on')
const address = reader('must be an address such as http://127.0.0.1:4318', (text) =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined,
)

/** What the environment wants to be sent. Throws `config_invalid` with every value that the SDK would not take. */
export function wantedTelemetry(environment: Environment): WantedTelemetry {
  if (environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true')
    return { traces: false, metrics: false }
  const wanted = {
    traces: isWanted(environment, 'TRACES'),
    metrics: isWanted(environment, 'METRICS'),
  }
  if (wanted.traces || wanted.metrics) requireKnownValues(environment)
  return wanted
}

function isWanted(environment: Environment, signal: 'TRACES' | 'METRICS'): boolean {
  const exporters = list(environment[`OTEL_${signal}_EXPORTER`] ?? '')
  if (exporters.includes('none')) return false
  return (
    exporters.length > 0 ||
    isSet(environment['OTEL_EXPORTER_OTLP_ENDPOINT']) ||
    isSet(environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`])
  )
}

/** Source: OpenTelemetry, "Environment variable specification". */
const READERS: Readonly<Record<string, Reader<unknown>>> = {
  OTEL_TRACES_EXPORTER: exporters(''),
  OTEL_METRICS_EXPORTER: exporters('; Prometheus reads /metrics'),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: oneOf('cumulative', 'delta', 'lowmemory'),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds,
  OTEL_METRIC_EXPORT_TIMEOUT: milliseconds,
}

function requireKnownValues(environment: Environment): void {
  const errors: Problem[] = []
  for (const [name, read] of Object.entries(READERS)) {
    const text = environment[name]?.trim() ?? ''
    const value = text === '' ? null : read(text)
    if (value instanceof Mistake)
      errors.push({ pointer: name, code: 'invalid', detail: value.said })
  }
  const interval = Number(environment['OTEL_METRIC_EXPORT_INTERVAL'] ?? 60_000)
  const timeout = Number(environment['OTEL_METRIC_EXPORT_TIMEOUT'] ?? 0)
  if (errors.length === 0 && timeout > interval)
    errors.push({
      pointer: 'OTEL_METRIC_EXPORT_TIMEOUT',
      code: 'invalid',
      detail: `must not be longer than the interval, ${interval} ms`,
    })
  if (errors.length === 0) return
  const told = errors.map(({ pointer, detail }) => `${pointer}: ${detail}`)
  throw new ConnectorError('config_invalid', `OpenTelemetry: ${told.join('; ')}`, { errors })
}

function exporters(hint: string): Reader<unknown> {
  return (text) => {
    for (const name of list(text)) {
      const value = exporter(name)
      if (value instanceof Mistake) return new Mistake(`has "${name}": each ${value.said}${hint}`)
    }
    return undefined
  }
}

function isSet(value: string | undefined): boolean {
  return (value ?? '').trim() !== ''
}
