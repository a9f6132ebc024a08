// The figures of the logs as the API shows them.
import type { JsonObject } from '../../language/json/json.ts'
import { timeText } from '../store/instance-view.ts'
import type {
  CountedLogs,
  LogBucket,
  LogCount,
  LogKind,
  LogSpan,
  LogSummary,
} from '../store/logs.ts'

const SHOWN = 10
/** What somebody has asked for and waits for. */
const OPERATIONS: ReadonlySet<LogKind> = new Set(['operation', 'mcp_call', 'request'])

export function summaryOf(
  summary: LogSummary & Pick<CountedLogs, 'countedFromMs'>,
  { fromMs, toMs, bucketMs }: LogSpan,
): JsonObject {
  const groups = groupsOf(summary.counts)
  return {
    from: timeText(fromMs),
    to: timeText(toMs),
    bucket_seconds: bucketMs / 1000,
    counted_from: summary.countedFromMs === null ? null : timeText(summary.countedFromMs),
    buckets: bucketsOf(summary.buckets, { fromMs, toMs, bucketMs }),
    kinds: kindsOf(summary.counts),
    slowest: groups
      .filter(({ kind, action }) => OPERATIONS.has(kind) && action !== '')
      .toSorted((a, b) => b.tookUs / b.calls - a.tookUs / a.calls)
      .slice(0, SHOWN)
      .map((group) => ({
        ...namesOf(group),
        mean_ms: tenths(group.tookUs / group.calls),
        max_ms: tenths(group.maxUs),
      })),
    failing: groups
      .filter(({ failures }) => failures > 0)
      .toSorted((a, b) => b.failures - a.failures)
      .slice(0, SHOWN)
      .map((group) => ({
        ...namesOf(group),
        first_at: timeText(group.firstAt),
        last_at: timeText(group.lastAt),
        codes: [...group.codes]
          .toSorted(([, a], [, b]) => b - a)
          .map(([code, calls]) => ({ code, calls })),
      })),
  }
}

interface Group extends Pick<LogCount, 'kind' | 'connectorType' | 'entity' | 'action'> {
  calls: number
  failures: number
  tookUs: number
  maxUs: number
  /** Of its failures. */
  firstAt: number
  lastAt: number
  readonly codes: Map<string, number>
}

/** What was called, whatever came of it. */
function groupsOf(counts: readonly LogCount[]): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const counted of counts) {
    const { kind, connectorType, entity, action, code, calls, tookUs, maxUs } = counted
    const key = JSON.stringify([kind, connectorType, entity, action])
    const group = groups.get(key) ?? {
      kind,
      connectorType,
      entity,
      action,
      calls: 0,
      failures: 0,
      tookUs: 0,
      maxUs: 0,
      firstAt: Infinity,
      lastAt: 0,
      codes: new Map<string, number>(),
    }
    groups.set(key, group)
    group.calls += calls
    group.tookUs += tookUs
    group.maxUs = Math.max(group.maxUs, maxUs)
    if (code === '') continue
    group.failures += calls
    group.firstAt = Math.min(group.firstAt, counted.firstAt)
    group.lastAt = Math.max(group.lastAt, counted.lastAt)
    group.codes.set(code, (group.codes.get(code) ?? 0) + calls)
  }
  return [...groups.values()]
}

/** Every bucket of the time, also those in which nothing happened. */
function bucketsOf(buckets: readonly LogBucket[], span: LogSpan): readonly JsonObject[] {
  const { fromMs, toMs, bucketMs } = span
  const count = Math.ceil((toMs - fromMs) / bucketMs)
  const byTime = Map.groupBy(buckets, ({ bucketAt }) => bucketAt)
  return Array.from({ length: count }, (_bucket, index) => {
    const at = fromMs + index * bucketMs
    const all = byTime.get(at) ?? []
    const operations = all.filter(({ kind }) => OPERATIONS.has(kind))
    return {
      at: timeText(at),
      operations: operations.reduce((sum, { calls }) => sum + calls, 0),
      failures: operations.reduce((sum, { failures }) => sum + failures, 0),
      entries: all.reduce((sum, { calls }) => sum + calls, 0),
      failed_entries: all.reduce((sum, { failures }) => sum + failures, 0),
    }
  })
}

function kindsOf(counts: readonly LogCount[]): readonly JsonObject[] {
  return [...Map.groupBy(counts, ({ kind }) => kind)].map(([kind, all]) => ({
    kind,
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    failures: all.reduce((sum, { calls, code }) => sum + (code === '' ? 0 : calls), 0),
  }))
}

function namesOf({ kind, connectorType, entity, action, calls, failures }: Group): JsonObject {
  return {
    kind,
    connector_type: named(connectorType),
    entity: named(entity),
    action: named(action),
    calls,
    failures,
  }
}

function named(name: string): string | null {
  return name === '' ? null : name
}

function tenths(us: number): number {
  return Math.round(us / 100) / 10
}
