// What the environment says of OpenTelemetry, judged before anything is loaded.
import { ConnectorError, type Problem } from '../errors.ts'
import { nearest } from '../language/manifest/suggest.ts'
import type { Environment } from '../service/environment.ts'

/** What is sent. */
export interface WantedTelemetry {
  readonly traces: boolean
  readonly metrics: boolean
}

const EXPORTERS = ['otlp', 'console', 'none']
const PROTOCOLS = ['http/protobuf', 'http/json', 'grpc']

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
  const exporters = listOf(environment[`OTEL_${signal}_EXPORTER`])
  if (exporters.includes('none')) return false
  return (
    exporters.length > 0 ||
    isSet(environment['OTEL_EXPORTER_OTLP_ENDPOINT']) ||
    isSet(environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`])
  )
}

type Judge = (value: string) => string | null

/** What is wrong with a value; null: nothing. Source: OpenTelemetry, "Environment variable specification". */
const JUDGES: Readonly<Record<string, Judge>> = {
  OTEL_TRACES_EXPORTER: exporters(''),
  OTEL_METRICS_EXPORTER: exporters('; Prometheus reads /metrics'),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(PROTOCOLS),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: oneOf(PROTOCOLS),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: oneOf(PROTOCOLS),
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: oneOf(['cumulative', 'delta', 'lowmemory']),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds,
  OTEL_METRIC_EXPORT_TIMEOUT: milliseconds,
}

function requireKnownValues(environment: Environment): void {
  const errors: Problem[] = []
  for (const [name, judge] of Object.entries(JUDGES)) {
    const value = environment[name]?.trim() ?? ''
    const detail = value === '' ? null : judge(value)
    if (detail !== null) errors.push({ pointer: name, code: 'invalid', detail })
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

function exporters(hint: string): Judge {
  return (value) => {
    const unknown = listOf(value).find((name) => !EXPORTERS.includes(name))
    return unknown === undefined ? null : `${notOneOf(unknown, EXPORTERS)}${hint}`
  }
}

function oneOf(values: readonly string[]): Judge {
  return (value) => (values.includes(value) ? null : notOneOf(value, values))
}

function notOneOf(value: string, values: readonly string[]): string {
  const near = nearest(value, values)
  return `"${value}" is none of ${values.join(', ')}${near === null ? '' : `; did you mean ${near}?`}`
}

function address(value: string): string | null {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol)
    ? null
    : 'must be an address such as http://127.0.0.1:4318'
}

function milliseconds(value: string): string | null {
  return /^[1-9]\d{0,9}$/.test(value) ? null : 'must be a whole number of milliseconds from 1 on'
}

function listOf(value: string | undefined): readonly string[] {
  return (value ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function isSet(value: string | undefined): boolean {
  return (value ?? '').trim() !== ''
}
