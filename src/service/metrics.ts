// What the service counts, as Prometheus reads it. Labels are routes, types, entities, actions and codes; never ids.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { StoredJobs } from './store/jobs.ts'
import type { StoreConnections } from './store/store.ts'
import type { ObservedOperation } from './execute.ts'
import { type GaugeValue, inBoth, type Instruments, type Labels } from './instruments.ts'
import type { ObservedTurn } from './sync/sync-jobs.ts'

/** Gauges are read when somebody looks. */
export interface MetricSources {
  readonly instancesByState: () => Promise<Readonly<Record<string, number>>>
  readonly jobs: () => Promise<readonly StoredJobs[]>
  /** null: the store has no pool. */
  readonly connections: () => StoreConnections | null
  readonly activeStreams: () => number
  readonly runningOperations: () => number
  readonly waitingOperations: () => number
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
/** From the shortest interval to two days. */
const LAG_SECONDS = [30, 60, 300, 900, 1800, 3600, 7200, 21_600, 86_400, 172_800]
const OPERATION = ['connector_type', 'entity', 'action']

/**
 * The metrics of one process, in a registry of their own. `exported` gets the same instruments; what Node tells of its
 * process is in the registry only.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #own: ReturnType<typeof prometheusInstruments>
  readonly #of: ReturnType<typeof makeInstruments>

  constructor(sources: MetricSources, exported?: Instruments) {
    collectDefaultMetrics({ register: this.#registry })
    this.#own = prometheusInstruments(this.#registry)
    const made = exported === undefined ? this.#own : inBoth(this.#own, exported)
    this.#of = makeInstruments(made)
    makeGauges(made, sources)
  }

  request(route: string, status: number, code: string | null, tookMs: number): void {
    this.#of.requests({ route, status: String(status), code: code ?? '' }, 1)
    this.#of.requestSeconds({ route }, tookMs / 1000)
  }

  sync(turn: ObservedTurn): void {
    const { entity, outcome, lagSeconds } = turn
    const labels = { connector_type: turn.connectorType, entity }
    this.#of.syncSeconds({ ...labels, outcome }, turn.seconds)
    this.#of.syncRows(labels, turn.changed)
    this.#of.syncWaits(labels, turn.waitedSeconds)
    if (lagSeconds !== null) this.#of.syncLag(labels, lagSeconds)
  }

  operation(operation: ObservedOperation): void {
    const { connectorType, entity, action, code, tookMs, upstreamRequests } = operation
    const labels = { connector_type: connectorType, entity, action }
    this.#of.executeSeconds({ ...labels, code: code ?? '' }, tookMs / 1000)
    this.#of.upstream(labels, upstreamRequests)
    if (upstreamRequests > 1) this.#of.retries(labels, upstreamRequests - 1)
  }

  refresh(connectorType: string, result: string, commitMs: number | null): void {
    this.#of.refreshes({ connector_type: connectorType, result }, 1)
    if (commitMs !== null)
      this.#of.commitSeconds({ connector_type: connectorType }, commitMs / 1000)
  }

  /** An attempt to deliver an event, by what came of it. */
  delivery(result: string): void {
    this.#of.deliveries({ result }, 1)
  }

  /** A sealed value that does not open: an alert. */
  tampered(column: string): void {
    // A column may carry the hash of what it seals behind a colon.
    this.#of.tampered({ column: column.split(':')[0] ?? column }, 1)
  }

  /** In the text format 0.0.4. */
  text(): Promise<string> {
    this.#own.settle()
    return this.#registry.metrics()
  }

  get contentType(): string {
    return this.#registry.contentType
  }
}

function makeInstruments(made: Instruments) {
  return {
    requests: made.counter({
      name: 'tenon_http_requests_total',
      help: 'Answers by route, status and error code.',
      labels: ['route', 'status', 'code'],
    }),
    requestSeconds: made.histogram({
      name: 'tenon_http_request_seconds',
      help: 'Time of a request, until its answer was sent.',
      labels: ['route'],
      buckets: SECONDS,
    }),
    executeSeconds: made.histogram({
      name: 'tenon_execute_seconds',
      help: 'Time of an operation, upstream included.',
      labels: [...OPERATION, 'code'],
      buckets: SECONDS,
    }),
    upstream: made.counter({
      name: 'tenon_upstream_requests_total',
      help: 'Requests sent to third parties.',
      labels: OPERATION,
    }),
    retries: made.counter({
      name: 'tenon_upstream_retries_total',
      help: 'Requests sent beyond the first of an operation.',
      labels: OPERATION,
    }),
    refreshes: made.counter({
      name: 'tenon_refresh_total',
      help: 'Token refreshes by what came of them.',
      labels: ['connector_type', 'result'],
    }),
    commitSeconds: made.histogram({
      name: 'tenon_refresh_commit_seconds',
      help: 'Between the answer of a token endpoint and its commit.',
      labels: ['connector_type'],
      buckets: SECONDS,
    }),
    tampered: made.counter({
      name: 'tenon_tampered_total',
      help: 'Sealed values that did not open: altered, moved, or restored from an older time.',
      labels: ['column'],
    }),
    syncSeconds: made.histogram({
      name: 'tenon_sync_seconds',
      help: 'Time of a turn of an entity, by what came of it.',
      labels: ['connector_type', 'entity', 'outcome'],
      buckets: [...SECONDS, 300, 1800, 7200],
    }),
    syncRows: made.counter({
      name: 'tenon_sync_rows_total',
      help: 'Records that a sync inserted or changed.',
      labels: ['connector_type', 'entity'],
    }),
    syncWaits: made.counter({
      name: 'tenon_sync_waited_seconds_total',
      help: 'Time that syncs waited for their turn at third parties.',
      labels: ['connector_type', 'entity'],
    }),
    syncLag: made.histogram({
      name: 'tenon_sync_lag_seconds',
      help: 'How old a copy was when its next turn began.',
      labels: ['connector_type', 'entity'],
      buckets: LAG_SECONDS,
    }),
    deliveries: made.counter({
      name: 'tenon_webhook_attempts_total',
      help: 'Attempts to deliver events by what came of them.',
      labels: ['result'],
    }),
  }
}

/** Makes the gauges, which are read when somebody looks. */
function makeGauges(made: Instruments, sources: MetricSources): void {
  made.gauge(
    { name: 'tenon_instances', help: 'Connector instances by state.', labels: ['state'] },
    async () => byState(await sources.instancesByState()),
  )
  made.gauge(
    {
      name: 'tenon_jobs',
      help: 'Jobs in the queue: those that run, are due, or wait for their time.',
      labels: ['kind', 'state'],
    },
    async () =>
      (await sources.jobs()).map(({ kind, state, count }) => ({
        labels: { kind, state },
        value: count,
      })),
  )
  made.gauge(
    {
      name: 'tenon_store_connections',
      help: 'Connections to PostgreSQL in use and idle; waiting: those who wait for one.',
      labels: ['state'],
    },
    async () => byState(sources.connections() ?? {}),
  )
  const plain = (name: string, help: string, read: () => number): void =>
    made.gauge({ name, help, labels: [] }, async () => [{ labels: {}, value: read() }])
  plain('tenon_streams_active', 'Downloads under way.', sources.activeStreams)
  plain('tenon_operations_running', 'Operations under way.', sources.runningOperations)
  plain('tenon_operations_waiting', 'Operations that wait.', sources.waitingOperations)
}

function byState(counts: object): readonly GaugeValue[] {
  return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }))
}

/** Counted together: so many in a row cost a fraction of what they cost with a request between each two. */
const TOGETHER = 256

interface Recorded {
  readonly record: (labels: Labels, amount: number) => void
  readonly labels: Labels
  readonly amount: number
}

/** `settle` counts what was recorded, before somebody looks. */
function prometheusInstruments(registry: Registry): Instruments & { readonly settle: () => void } {
  const registers = [registry]
  let recorded: Recorded[] = []

  function settle(): void {
    for (const { record, labels, amount } of recorded) record(labels, amount)
    recorded = []
  }

  function later(record: Recorded['record']): Recorded['record'] {
    return (labels, amount) => {
      recorded.push({ record, labels, amount })
      if (recorded.length >= TOGETHER) settle()
    }
  }

  return {
    settle,
    counter({ labels: labelNames, ...named }) {
      const counter = new Counter({ ...named, labelNames, registers })
      return later((labels, count) => counter.inc(labels, count))
    },
    histogram({ labels: labelNames, buckets, ...named }) {
      const histogram = new Histogram({ ...named, labelNames, buckets: [...buckets], registers })
      return later((labels, seconds) => histogram.observe(labels, seconds))
    },
    gauge({ labels: labelNames, ...named }, read) {
      // The registry keeps it.
      void new Gauge({
        ...named,
        labelNames,
        registers,
        async collect() {
          this.reset()
          // While the store is away all other metrics are what somebody looks for.
          const values: readonly GaugeValue[] = await read().catch(() => [])
          for (const { labels, value } of values) this.set(labels, value)
        },
      })
    },
  }
}
