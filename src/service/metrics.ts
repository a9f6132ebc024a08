// What the service counts, as Prometheus reads it. Labels are routes, types, entities, actions and codes; never ids.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ServiceBase } from './base.ts'
import { type Counted, CountedSeldom } from './counted-seldom.ts'
import type { ObservedOperation } from './execute.ts'
import { type GaugeValue, inBoth, type Instruments, type Labels } from './instruments.ts'
import type { ObservedTurn } from './sync/sync-jobs.ts'

/** What gauges show. They are read when somebody looks. */
export type MetricSources = Pick<ServiceBase, 'store' | 'streams' | 'gate' | 'clock'>

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
/** From the shortest interval to two days. */
const LAG_SECONDS = [30, 60, 300, 900, 1800, 3600, 7200, 21_600, 86_400, 172_800]
/** Gauges that are named as counters. What they sum up is there by type. */
const MISNAMED = ['handles', 'requests', 'resources'].map((kind) => `nodejs_active_${kind}_total`)
const ENTITY = ['connector_type', 'entity']
const OPERATION = [...ENTITY, 'action']

/**
 * The metrics of one process, in a registry of their own. `exported` gets the same instruments; what Node tells of its
 * process is in the registry only.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #own: ReturnType<typeof prometheusInstruments>
  readonly #recorders: Recorders

  constructor(sources: MetricSources, exported?: Instruments) {
    collectDefaultMetrics({ register: this.#registry })
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name)
    this.#own = prometheusInstruments(this.#registry)
    const made = exported === undefined ? this.#own : inBoth(this.#own, exported)
    this.#recorders = makeRecorders(made)
    makeGauges(made, sources)
  }

  request(route: string, status: number, code: string | null, tookMs: number): void {
    this.#recorders.tenon_http_requests_total(
      { route, status: String(status), code: code ?? '' },
      1,
    )
    this.#recorders.tenon_http_request_seconds({ route }, tookMs / 1000)
  }

  sync(turn: ObservedTurn): void {
    const { entity, outcome, lagSeconds } = turn
    const labels = { connector_type: turn.connectorType, entity }
    this.#recorders.tenon_sync_seconds({ ...labels, outcome }, turn.seconds)
    this.#recorders.tenon_sync_rows_total(labels, turn.changed)
    this.#recorders.tenon_sync_left_out_total(labels, turn.leftOut)
    this.#recorders.tenon_sync_waited_seconds_total(labels, turn.waitedSeconds)
    if (lagSeconds !== null) this.#recorders.tenon_sync_lag_seconds(labels, lagSeconds)
  }

  operation(operation: ObservedOperation): void {
    const { connectorType, entity, action, code, tookMs, upstreamRequests } = operation
    const labels = { connector_type: connectorType, entity, action }
    this.#recorders.tenon_execute_seconds({ ...labels, code: code ?? '' }, tookMs / 1000)
    this.#recorders.tenon_upstream_requests_total(labels, upstreamRequests)
    if (upstreamRequests > 1)
      this.#recorders.tenon_upstream_retries_total(labels, upstreamRequests - 1)
  }

  refresh(connectorType: string, result: string, commitMs: number | null): void {
    this.#recorders.tenon_refresh_total({ connector_type: connectorType, result }, 1)
    if (commitMs !== null)
      this.#recorders.tenon_refresh_commit_seconds(
        { connector_type: connectorType },
        commitMs / 1000,
      )
  }

  delivery(result: string): void {
    this.#recorders.tenon_webhook_attempts_total({ result }, 1)
  }

  logEntries(outcome: string, count: number): void {
    this.#recorders.tenon_log_entries_total({ outcome }, count)
  }

  /** A sealed value that does not open: an alert. */
  tampered(column: string): void {
    // A column may carry the hash of what it seals behind a colon.
    this.#recorders.tenon_tampered_total({ column: column.split(':')[0] ?? column }, 1)
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

/** What is counted and, where a row has upper bounds, measured in seconds. */
const RECORDED = {
  tenon_http_requests_total: [
    'Answers by route, status and error code.',
    ['route', 'status', 'code'],
  ],
  tenon_http_request_seconds: ['Time of a request, until its answer was sent.', ['route'], SECONDS],
  tenon_execute_seconds: [
    'Time of an operation, upstream included.',
    [...OPERATION, 'code'],
    SECONDS,
  ],
  tenon_upstream_requests_total: ['Requests sent to third parties.', OPERATION],
  tenon_upstream_retries_total: ['Requests sent beyond the first of an operation.', OPERATION],
  tenon_refresh_total: ['Token refreshes by result.', ['connector_type', 'result']],
  tenon_refresh_commit_seconds: [
    'Between the answer of a token endpoint and its commit.',
    ['connector_type'],
    SECONDS,
  ],
  tenon_tampered_total: [
    'Sealed values that did not open: altered, moved, or restored from an older time.',
    ['column'],
  ],
  tenon_sync_seconds: [
    'Time of one sync of an entity, by result.',
    [...ENTITY, 'outcome'],
    [...SECONDS, 300, 1800, 7200],
  ],
  tenon_sync_rows_total: ['Records that a sync inserted or changed.', ENTITY],
  tenon_sync_left_out_total: [
    'Records that a sync read and left out, because they have no usable key.',
    ENTITY,
  ],
  tenon_sync_waited_seconds_total: [
    'Time that syncs waited for their turn at third parties.',
    ENTITY,
  ],
  tenon_sync_lag_seconds: ['How old a copy was when its next turn began.', ENTITY, LAG_SECONDS],
  tenon_webhook_attempts_total: ['Attempts to deliver events by result.', ['result']],
  tenon_log_entries_total: [
    'Log entries that were written, and dropped because the store did not take them in time.',
    ['outcome'],
  ],
} satisfies Record<string, RecordedRow>

type RecordedRow = readonly [help: string, labels: readonly string[], buckets?: readonly number[]]
type Recorders = Readonly<Record<keyof typeof RECORDED, (labels: Labels, amount: number) => void>>

function makeRecorders(made: Instruments): Recorders {
  const rows: readonly (readonly [string, RecordedRow])[] = Object.entries(RECORDED)
  return Object.fromEntries(
    rows.map(([name, [help, labels, buckets]]) => [
      name,
      buckets === undefined
        ? made.counter({ name, help, labels })
        : made.histogram({ name, help, labels, buckets }),
    ]),
  ) as Recorders
}

function makeGauges(made: Instruments, { store, streams, gate, clock }: MetricSources): void {
  const seldom = <T>(name: string, count: () => Promise<T>): CountedSeldom<T> =>
    new CountedSeldom({ name, count, clock, store })
  const instances = seldom('instances', () => store.instances.countByState())
  const jobs = seldom('jobs', () => store.jobs.count())
  const gauges: readonly (readonly [
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Promise<readonly GaugeValue[]>,
  ])[] = [
    [
      'tenon_instances',
      'Connector instances by state.',
      ['state'],
      async () => byState((await instances.read())?.value ?? {}),
    ],
    [
      'tenon_jobs',
      'Jobs in the queue: those that run, are due, or wait for their time.',
      ['kind', 'state'],
      async () =>
        ((await jobs.read())?.value ?? []).map(({ count: value, ...labels }) => ({
          labels,
          value,
        })),
    ],
    [
      'tenon_counted_age_seconds',
      'How long ago instances and jobs were counted: where they are many, seldom, and by one process.',
      ['of'],
      async () => [
        ...ageOf('instances', await instances.read()),
        ...ageOf('jobs', await jobs.read()),
      ],
    ],
    [
      'tenon_store_connections',
      'Connections to PostgreSQL in use and idle; waiting: those who wait for one.',
      ['state'],
      async () => byState(store.connections() ?? {}),
    ],
    [
      'tenon_store_nodes_away',
      'Nodes of the database that could not be reached when all were asked last.',
      [],
      async () => plain(store.nodesAway()),
    ],
    [
      'tenon_streams_active',
      'Files under way: downloads, and files that are passed on to third parties.',
      [],
      async () => plain(streams.active),
    ],
    ['tenon_operations_running', 'Operations under way.', [], async () => plain(gate.running)],
    ['tenon_operations_waiting', 'Operations that wait.', [], async () => plain(gate.waiting)],
  ]
  for (const [name, help, labels, read] of gauges) made.gauge({ name, help, labels }, read)
}

function plain(value: number): readonly GaugeValue[] {
  return [{ labels: {}, value }]
}

function ageOf(of: string, counted: Counted<unknown> | null): readonly GaugeValue[] {
  return counted === null ? [] : [{ labels: { of }, value: counted.ageSeconds }]
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
