// The SDK of OpenTelemetry, loaded where the environment says where traces go.
import { setTimeout } from 'node:timers/promises'
import type { Tracer } from '../run/trace.ts'
import type { Environment } from '../service/environment.ts'
import { loadPeer } from './open-telemetry.ts'

export interface StartedTracing {
  readonly tracer: Tracer
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>
}

const LAST_SPANS_MS = 5000
/** Each says where traces go; the SDK reads these and all other OTEL_* itself. */
const DESTINATIONS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_TRACES_EXPORTER',
] as const

/** Whether the environment names a destination of traces and does not switch them off. */
export function wantsTracing(environment: Environment): boolean {
  if (environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false
  if (environment['OTEL_TRACES_EXPORTER'] === 'none') return false
  return DESTINATIONS.some((name) => (environment[name] ?? '') !== '')
}

/**
 * Starts the SDK by the process's OTEL_* variables; null where they name no destination, and then nothing is loaded.
 * Throws `config_invalid` when @opentelemetry/sdk-node or @opentelemetry/api is not installed.
 */
export async function startTracing(
  environment: Environment,
  version: string,
): Promise<StartedTracing | null> {
  if (!wantsTracing(environment)) return null
  const { NodeSDK } = await loadPeer(
    '@opentelemetry/sdk-node',
    () => import('@opentelemetry/sdk-node'),
  )
  const { trace } = await loadPeer('@opentelemetry/api', () => import('@opentelemetry/api'))
  const sdk = new NodeSDK({
    ...(environment['OTEL_SERVICE_NAME'] === undefined ? { serviceName: 'tenon' } : {}),
    instrumentations: [],
    // Metrics are at /metrics, logs on standard output.
    metricReaders: [],
    logRecordProcessors: [],
  })
  sdk.start()
  return {
    tracer: trace.getTracer('tenon', version),
    async close() {
      // A collector that is away must not hold the end up.
      const late = setTimeout(LAST_SPANS_MS, undefined, { ref: false })
      await Promise.race([sdk.shutdown().catch(() => {}), late])
    },
  }
}
