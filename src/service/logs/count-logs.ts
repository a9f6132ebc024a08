// How often what, over a time: from the figures that are kept, or counted over the newest entries.
import type { JsonObject } from '../../language/json/json.ts'
import {
  type CountedLogs,
  LOG_BUCKET_MS,
  type LogCountFilter,
  type LogFilter,
  type LogSpan,
  type LogSummary,
} from '../store/logs.ts'
import { ownerOf, type Principal } from '../tokens/principal.ts'
import { summaryOf } from './log-summary.ts'
import { maySee, SCAN, searchLogs, type SearchPorts, timeOfLogId } from './search-logs.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** What people divide a day into. */
const BUCKETS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((n) => n * MINUTE_MS)
export const MAX_BUCKETS = 200
/** Entries that are read, where no statement counts them: those with words, of a request, or slow ones. */
const MAX_READ = 5000
const READ_AT_ONCE = 500
const READ_MS = 1500

interface Division {
  readonly buckets?: number
  /** Buckets may be shorter than those of the figures that are kept. */
  readonly fine?: boolean
}

export function bucketFor(ms: number, { buckets = MAX_BUCKETS, fine = false }: Division): number {
  const shortest = Math.max(ms / buckets, fine ? MINUTE_MS : LOG_BUCKET_MS)
  const fits = BUCKETS_MS.find((each) => each >= shortest)
  return fits ?? Math.ceil(shortest / DAY_MS) * DAY_MS
}

export async function countLogs(
  ports: SearchPorts,
  principal: Principal,
  filter: LogFilter,
  span: LogSpan,
): Promise<JsonObject> {
  const { requestId, words, minUs, fromMs: _from, toMs: _to, ...ofRows } = filter
  if (requestId !== undefined || words !== undefined || minUs !== undefined)
    return await read(ports, principal, filter, span)
  const owner = ownerOf(principal)
  const { instanceId, externalUserId, upstreamStatus, ...ofFigures } = ofRows
  const isOfAll = Object.keys(owner).length === 1 && principal.actions === null
  const isFigure = [instanceId, externalUserId, upstreamStatus].every((one) => one === undefined)
  if (isOfAll && isFigure && span.bucketMs % LOG_BUCKET_MS === 0) {
    const figures = await ports.store.logs.summary(principal.organizationId, span, ofFigures)
    const isNamed = ofFigures.entity !== undefined || ofFigures.action !== undefined
    // Names that no connector has are not counted by themselves.
    if (figures.counts.length > 0 || !isNamed)
      return summaryOf({ ...figures, countedFromMs: null }, span)
  }
  return summaryOf(await scanned(ports, principal, ofRows, span), span)
}

async function scanned(
  { store }: SearchPorts,
  principal: Principal,
  filter: LogCountFilter,
  span: LogSpan,
): Promise<LogSummary & Pick<CountedLogs, 'countedFromMs'>> {
  const counted = await store.logs.count(ownerOf(principal), filter, { ...span, scan: SCAN })
  return inBuckets({
    ...counted,
    counts: counted.counts.filter((count) => maySee(principal, count)),
  })
}

async function read(
  ports: SearchPorts,
  principal: Principal,
  filter: LogFilter,
  span: LogSpan,
): Promise<JsonObject> {
  const counts: CountedLogs['counts'][number][] = []
  const { bucketMs, ...period } = span
  const until = ports.clock.monotonic() + READ_MS
  let place: { readonly beforeId?: string } = {}
  let countedFromMs: number | null = null
  do {
    const asked = { limit: READ_AT_ONCE, ...place }
    const { rows, more } = await searchLogs(ports, principal, { ...filter, ...period }, asked)
    for (const { at, kind, connectorType, entity, action, code, tookUs } of rows) {
      const names = { connectorType: connectorType ?? '', entity: entity ?? '' }
      const figures = { calls: 1, tookUs, maxUs: tookUs, bucketAt: at - (at % bucketMs) }
      const seen = { firstAt: at, lastAt: at }
      counts.push({ kind, ...names, action: action ?? '', code: code ?? '', ...figures, ...seen })
    }
    if (more === null) break
    if (counts.length >= MAX_READ || ports.clock.monotonic() >= until)
      countedFromMs = timeOfLogId(more)
    place = { beforeId: more }
  } while (countedFromMs === null)
  return summaryOf(inBuckets({ counts, countedFromMs }), span)
}

function inBuckets(counted: CountedLogs): LogSummary & Pick<CountedLogs, 'countedFromMs'> {
  const buckets = counted.counts.map(({ bucketAt, kind, calls, code }) => ({
    bucketAt,
    kind,
    calls,
    failures: code === '' ? 0 : calls,
  }))
  return { ...counted, buckets }
}
