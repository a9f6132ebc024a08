// One listing from where it stands to its end: a page is fetched while the one before is written.
import { createHash } from 'node:crypto'
import { ConnectorError, isConnectorError } from '../errors.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { parseJson } from '../json/parse-json.ts'
import { isJsonObject } from '../json/members.ts'
import { createLoopGuard } from '../response/loop-guard.ts'
import { applyPatch } from '../response/merge-patch.ts'
import { type CopyRow, digestOf } from '../search/row.ts'
import { cursorMs } from './cursor-time.ts'
import type { SliceRecord } from './run-record.ts'
import { type Slice, valueKey } from './slices.ts'
import type { SyncRun } from './sync-run.ts'
import type { UpstreamPage } from './upstream.ts'

/** A page with what must be known to write it. */
interface FetchedPage extends UpstreamPage {
  /** When it was asked for. */
  readonly askedAtMs: number
  readonly nextParams: JsonObject | null
}

const FRESH: Omit<SliceRecord, 'no'> = {
  position: null,
  pages: 0,
  received: 0,
  done: false,
  maxSeenMs: null,
  edge: null,
  total: null,
}

/**
 * Reads a slice to its end. An expired cursor lets it begin again, once per run.
 *
 * Throws what the listing throws, `upstream_malformed` for a listing that repeats itself, and LostLease.
 */
export async function readSlice(run: SyncRun, slice: Slice): Promise<void> {
  for (;;) {
    try {
      await readToEnd(run, slice)
      return
    } catch (error) {
      const begun = run.slices.get(slice.no)?.position ?? null
      if (!isConnectorError(error, 'cursor_invalid') || begun === null || run.record.restarts > 0)
        throw error
      run.record.restarts += 1
      await run.commit({}, { ...FRESH, no: slice.no })
    }
  }
}

async function readToEnd(run: SyncRun, slice: Slice): Promise<void> {
  const { listing } = run.task.entity
  const guard = createLoopGuard(listing.pagination.type)
  const stopsAtMs = newestFirstEnd(run, slice)
  let state = run.slices.get(slice.no) ?? { ...FRESH, no: slice.no }
  let fetching: Promise<FetchedPage> | null = fetchPage(run, positionOf(run, slice, state))
  try {
    while (fetching !== null) {
      const page: FetchedPage = await fetching
      guard.check({ mark: page.mark, hasMore: page.nextParams !== null })
      const isOld = stopsAtMs !== null && page.records.length > 0 && isBefore(run, page, stopsAtMs)
      const next = isOld ? null : page.nextParams
      fetching = next === null ? null : fetchPage(run, next)
      // It is awaited below; until then a failure belongs to nobody.
      fetching?.catch(() => {})
      state = await writePage(run, page, next, state)
    }
  } finally {
    // What was asked for ahead is not waited for when the run ends here.
    fetching?.catch(() => {})
  }
}

function positionOf(run: SyncRun, slice: Slice, state: SliceRecord): JsonObject {
  const { ports, record, task } = run
  const saved =
    state.position === null ? null : ports.sealer.open(state.position, purposeOf(run, slice.no))
  const params = saved === null ? null : parseJson(saved)
  if (isJsonObject(params)) return params
  return task.entity.paramsOf({
    config: ports.upstream.config(),
    value: slice.value,
    sinceMs: slice.sinceMs,
    untilMs: slice.untilMs,
    parent: null,
    reconcile: record.kind === 'reconcile',
  })
}

function purposeOf({ record, copy }: SyncRun, no: number): string {
  return `sync/${copy.entity}/${record.runId}/${no}`
}

async function fetchPage(run: SyncRun, params: JsonObject): Promise<FetchedPage> {
  const { upstream, clock } = run.ports
  const { name, listing } = run.task.entity
  const askedAtMs = clock.now()
  const page = await upstream.list({
    entity: name,
    action: listing.name,
    params,
    signal: run.signal,
  })
  const nextParams = page.next === null ? null : applyPatch(params, page.next)
  return { ...page, askedAtMs, nextParams }
}

async function writePage(
  run: SyncRun,
  page: FetchedPage,
  next: JsonObject | null,
  before: SliceRecord,
): Promise<SliceRecord> {
  const { record, ports, task } = run
  const rows = await run.toRows(page.records)
  const edge = edgeOf(rows)
  if (edge !== null && edge === before.edge)
    throw new ConnectorError(
      'upstream_malformed',
      `${task.entity.name}: the same page came twice in a row`,
    )
  const state: SliceRecord = {
    no: before.no,
    position:
      next === null ? null : ports.sealer.seal(JSON.stringify(next), purposeOf(run, before.no)),
    pages: before.pages + 1,
    received: before.received + rows.length,
    done: next === null,
    maxSeenMs: latest(before.maxSeenMs, latestIn(run, page.records)),
    edge,
    total: page.total ?? before.total,
  }
  record.pages += 1
  record.read += rows.length
  record.waitedMs += page.waitedMs
  record.attempts = 0
  if (state.done) record.slicesDone += 1
  run.slices.set(state.no, state)
  record.expectedTotal = expectedTotal(run)
  const seen = { observedAtMs: page.askedAtMs, seenBy: run.seenBy }
  if (record.kind === 'reconcile') {
    const { unknownIds = [] } = await run.commit(
      { ...seen, seenIds: rows.map(({ recordId }) => recordId) },
      state,
    )
    run.noteUnknown(unknownIds)
  } else {
    await run.commit({ ...seen, rows, childEntities: task.entity.children }, state)
  }
  return state
}

/** What tells a page from another: how many records, and which come first and last. Null for an empty page. */
function edgeOf(rows: readonly CopyRow[]): string | null {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return null
  const hash = createHash('sha256').update(String(rows.length))
  for (const row of [first, last]) hash.update(`\n${row.recordId}\n`).update(digestOf(row))
  return hash.digest('base64url').slice(0, 22)
}

function expectedTotal({ slices }: SyncRun): number | null {
  let sum: number | null = null
  for (const { total } of slices.values()) if (total !== null) sum = (sum ?? 0) + total
  return sum
}

function latestIn(run: SyncRun, records: readonly Json[]): number | null {
  let found: number | null = null
  for (const record of records) found = latest(found, cursorMs(run.task.entity.cursorOf(record)))
  return found
}

function latest(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right
  return Math.max(left, right)
}

/** Listings that nothing filters give the newest first: they are over where the copy begins. */
function newestFirstEnd(run: SyncRun, { value }: Slice): number | null {
  const { cursor } = run.task.entity.sync
  if (cursor === null || !cursor.newestFirst || run.record.kind !== 'incremental') return null
  const highWater = run.facts.highWaterMs[valueKey(value)]
  return highWater === undefined ? null : highWater - (cursor.lookbackMs ?? 0)
}

/** Whether every record of the page is older; one without a time is not. */
function isBefore(run: SyncRun, { records }: UpstreamPage, ms: number): boolean {
  return records.every((record) => {
    const at = cursorMs(run.task.entity.cursorOf(record))
    return at !== null && at < ms
  })
}
