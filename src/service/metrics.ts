// What the service counts, as Prometheus reads it. Labels are routes, types, entities, actions and codes; never ids.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ObservedOperation } from './execute.ts'
import type { ObservedTurn } from './sync/sync-jobs.ts'

/** Gauges are read when somebody looks. */
export interface MetricSources {
  readonly instancesByState: () => Promise<Readonly<Record<string, number>>>
  readonly activeStreams: () => number
  readonly runningOperations: () => number
  readonly waitingOperations: () => number
}

export interface Metrics {
  request(route: string, status: number, code: string | null, tookMs: number): void
  operation(operation: ObservedOperation): void
  refresh(connectorType: string, result: string, commitMs: number | null): void
  sync(turn: ObservedTurn): void
  /** An attempt to deliver an event, by what came of it. */
  delivery(result: string): void
  /** A sealed value that does not open: an alert. */
  tampered(column: string): void
  /** In the text format 0.0.4. */
  text(): Promise<string>
  readonly contentType: string
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** The metrics of one process, in a registry of their own. */
export function createMetrics(sources: MetricSources): Metrics {
  const registers = [new Registry()]
  const [registry = new Registry()] = registers
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'tenon_http_requests_total',
    help: 'Answers by route, status and error code.',
    labelNames: ['route', 'status', 'code'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'tenon_http_request_seconds',
    help: 'Time of a request, until its answer was sent.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  })
  const executeSeconds = new Histogram({
    name: 'tenon_execute_seconds',
    help: 'Time of an operation, upstream included.',
    labelNames: ['connector_type', 'entity', 'action', 'code'],
    buckets: SECONDS,
    registers,
  })
  const upstream = new Counter({
    name: 'tenon_upstream_requests_total',
    help: 'Requests sent to third parties.',
    labelNames: ['connector_type', 'entity', 'action'],
    registers,
  })
  const retries = new Counter({
    name: 'tenon_upstream_retries_total',
    help: 'Requests sent beyond the first of an operation.',
    labelNames: ['connector_type', 'entity', 'action'],
    registers,
  })
  const refreshes = new Counter({
    name: 'tenon_refresh_total',
    help: 'Token refreshes by what came of them.',
    labelNames: ['connector_type', 'result'],
    registers,
  })
  const commitSeconds = new Histogram({
    name: 'tenon_refresh_commit_seconds',
    help: 'Between the answer of a token endpoint and its commit.',
    labelNames: ['connector_type'],
    buckets: SECONDS,
    registers,
  })
  const tampered = new Counter({
    name: 'tenon_tampered_total',
    help: 'Sealed values that did not open: altered, moved, or restored from an older time.',
    labelNames: ['column'],
    registers,
  })
  const syncSeconds = new Histogram({
    name: 'tenon_sync_seconds',
    help: 'Time of a turn of an entity, by what came of it.',
    labelNames: ['connector_type', 'entity', 'outcome'],
    buckets: [...SECONDS, 300, 1800, 7200],
    registers,
  })
  const syncRows = new Counter({
    name: 'tenon_sync_rows_total',
    help: 'Records that a sync inserted or changed.',
    labelNames: ['connector_type', 'entity'],
    registers,
  })
  const deliveries = new Counter({
    name: 'tenon_webhook_attempts_total',
    help: 'Attempts to deliver events by what came of them.',
    labelNames: ['result'],
    registers,
  })
  const instances = new Gauge({
    name: 'tenon_instances',
    help: 'Connector instances by state.',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      // While the store is away all other metrics are what somebody looks for.
      const counts = await sources.instancesByState().catch(() => ({}))
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count)
    },
  })
  const gauges: readonly Gauge[] = [
    instances,
    gauge('tenon_streams_active', 'Downloads under way.', sources.activeStreams),
    gauge('tenon_operations_running', 'Operations under way.', sources.runningOperations),
    gauge('tenon_operations_waiting', 'Operations that wait.', sources.waitingOperations),
  ]

  function gauge(name: string, help: string, read: () => number): Gauge {
    return new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }

  return {
    request(route, status, code, tookMs) {
      requests.inc({ route, status: String(status), code: code ?? '' })
      requestSeconds.observe({ route }, tookMs / 1000)
    },
    sync({ connectorType, entity, outcome, seconds, changed }) {
      const labels = { connector_type: connectorType, entity }
      syncSeconds.observe({ ...labels, outcome }, seconds)
      syncRows.inc(labels, changed)
    },
    operation({ connectorType, entity, action, code, tookMs, upstreamRequests }) {
      const labels = { connector_type: connectorType, entity, action }
      executeSeconds.observe({ ...labels, code: code ?? '' }, tookMs / 1000)
      upstream.inc(labels, upstreamRequests)
      if (upstreamRequests > 1) retries.inc(labels, upstreamRequests - 1)
    },
    refresh(connectorType, result, commitMs) {
      refreshes.inc({ connector_type: connectorType, result })
      if (commitMs !== null)
        commitSeconds.observe({ connector_type: connectorType }, commitMs / 1000)
    },
    delivery: (result) => deliveries.inc({ result }),
    tampered(column) {
      // A column may carry the hash of what it seals behind a colon.
      tampered.inc({ column: column.split(':')[0] ?? column })
    },
    text: async () => (gauges.length === 0 ? '' : await registry.metrics()),
    contentType: registry.contentType,
  }
}
