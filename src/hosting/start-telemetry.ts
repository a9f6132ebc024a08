// The SDK of OpenTelemetry, loaded where the environment says where traces or metrics go.
import { setTimeout } from 'node:timers/promises'
import type { Tracer } from '../engine/run/trace.ts'
import type { Environment } from '../service/environment.ts'
import type { ServiceLog } from '../service/log.ts'
import type { Meter } from './exported-instruments.ts'
import { loadPeer } from './open-telemetry.ts'
import { wantedTelemetry } from './telemetry-settings.ts'

/** What a service is to be made with, and how it ends. */
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
