// What the environment says of OpenTelemetry, judged before anything is loaded.
import { ConnectorError, type Problem } from '../errors.ts'
import type { Environment } from '../service/environment.ts'
import { list, Mistake, oneOf, type Reader, reader, textLike } from '../service/setting-readers.ts'

/** What is sent. */
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

/**
 * What is to be sent: what the environment names a destination for and does not switch off.
 *
 * Throws `config_invalid` with every value that the SDK would not take: the SDK goes on with a default instead.
 */
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
    const wrong = list(text)
      .map(exporter)
      .find((value) => value instanceof Mistake)
    return wrong && new Mistake(wrong.said + hint)
  }
}

function isSet(value: string | undefined): boolean {
  return (value ?? '').trim() !== ''
}
