// One listing from where it stands to its end: pages are fetched while those before are written.
import { hash } from 'node:crypto'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { parseJson } from '../../language/json/parse-json.ts'
import { isJsonObject, mergeObjects } from '../../language/json/members.ts'
import { isCounting, STYLES } from '../../language/manifest/pagination-styles.ts'
import { LoopGuard } from '../../engine/response/loop-guard.ts'
import type { CopyRow, RowParent } from '../search/row.ts'
import { batched } from './batched.ts'
import { BoundMetError, metBound, PagesWithoutNew, type ReadSoFar } from './bounds.ts'
import type { SliceRecord } from './run-record.ts'
import { cursorMs, latest, type Slice, valueKey } from './slices.ts'
import type { MadeRows, SyncRun, UpstreamPage } from './sync-run.ts'

interface ListedPage extends UpstreamPage, MadeRows {
  readonly askedAtMs: number
  /** Records of the page, with those that are left out. */
  readonly received: number
  /** Parameters of the next page; null: the listing is over. */
  readonly nextParams: JsonObject | null
}

interface ReadPage extends Omit<ListedPage, 'records' | 'next' | 'mark'> {
  readonly edge: string | null
  readonly maxSeenMs: number | null
}

export interface Listing {
  readonly params: JsonObject
  readonly parent?: RowParent
  /** Pages of the listing that were read before; default 0. */
  readonly pagesBefore?: number
  /** What counts towards the bounds; it grows with every page. */
  readonly asked: ReadSoFar
  /** Whether the listing is over with this page, whatever follows: that is our own decision. */
  readonly isEnd?: (page: UpstreamPage) => boolean
}

/** What is read ahead while pages are written, and so may have to be read again after a crash: this many records … */
const MAX_AHEAD = 2_000
/** … or documents of so many characters together, or one page. */
const MAX_AHEAD_LENGTH = 4_000_000

const FRESH: Omit<SliceRecord, 'no'> = {
  position: null,
  pages: 0,
  received: 0,
  done: false,
  maxSeenMs: null,
  edge: null,
  total: null,
}

/** Reads a slice to its end; an expired cursor begins it again, once per run. Throws what `listPages` does, and LostLease. */
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
  let state = run.slices.get(slice.no) ?? { ...FRESH, no: slice.no }
  const pages = batched(readPages(run, slice, state), { sizeOf: sizeOfPage, room: 1 })
  for await (const some of pages) state = await writePages(run, some, state)
}

/** The pages of a listing, read ahead by one. Throws what it throws, `upstream_malformed` for a circle, and BoundMetError. */
export async function* listPages(
  run: SyncRun,
  { params, parent, pagesBefore = 0, asked, isEnd = () => false }: Listing,
): AsyncGenerator<ListedPage, void, undefined> {
  const { bounds, entity } = run.task
  // How many pages there may be is said by the bounds.
  const guard = new LoopGuard(isCounting(STYLES[entity.listing.pagination.type]), Infinity)
  const repeated = new PagesWithoutNew(bounds)
  let fetching: Promise<FetchedPage> | null = fetchPage(run, params)
  for (let number = pagesBefore + 1; fetching !== null; number++) {
    const page: FetchedPage = await fetching
    guard.check({ mark: page.mark, hasMore: page.nextParams !== null })
    const isOver = isEnd(page)
    const nextParams = isOver ? null : page.nextParams
    asked.pages += 1
    asked.records += page.records.length
    const met = nextParams === null ? null : metBound(bounds, asked)
    fetching = nextParams === null || met !== null ? null : fetchPage(run, nextParams)
    // It is awaited above, and not at all when the run ends here: until then a failure has no listener.
    fetching?.catch(() => {})
    const made = await run.toRows(page.records, { page: number, ...(parent && { parent }) })
    const received = page.records.length
    yield { ...page, ...made, received, nextParams, unsaidEnd: isOver ? null : page.unsaidEnd }
    const bound = met ?? repeated.add(made.rows.map(({ recordId }) => recordId))
    if (nextParams !== null && bound !== null) throw new BoundMetError(bound)
  }
}

async function* readPages(
  run: SyncRun,
  slice: Slice,
  before: SliceRecord,
): AsyncGenerator<ReadPage, void, undefined> {
  const { name, cursorOf } = run.task.entity
  const stopsAtMs = newestFirstEnd(run, slice)
  const isEnd = (page: UpstreamPage): boolean =>
    stopsAtMs !== null && page.records.length > 0 && isBefore(run, page, stopsAtMs)
  const params = positionOf(run, slice, before)
  let { edge } = before
  const listing = { params, pagesBefore: before.pages, asked: run.asked, isEnd }
  for await (const page of listPages(run, listing)) {
    const { records, next: _, mark: __, ...read } = page
    const last = edge
    edge = edgeOf(page.rows)
    if (edge !== null && edge === last)
      throw new ConnectorError('upstream_malformed', `${name}: the same page came twice in a row`)
    const maxSeenMs = records.reduce<number | null>(
      (found, record) => latest(found, cursorMs(cursorOf(record))),
      null,
    )
    yield { ...read, edge, maxSeenMs }
  }
}

function sizeOfPage({ rows }: ReadPage): number {
  let length = 0
  for (const { doc } of rows) length += doc.length
  return Math.max(rows.length / MAX_AHEAD, length / MAX_AHEAD_LENGTH)
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

type FetchedPage = UpstreamPage & Pick<ListedPage, 'askedAtMs' | 'nextParams'>

async function fetchPage(run: SyncRun, params: JsonObject): Promise<FetchedPage> {
  const { name, listing } = run.task.entity
  const askedAtMs = run.nowMs
  const call = { entity: name, action: listing.name, params, signal: run.signal }
  const page = await run.ports.upstream.list(call)
  const nextParams = page.next === null ? null : mergeObjects(params, page.next)
  return { ...page, askedAtMs, nextParams }
}

/** Writes pages with the checkpoint behind the last of them, in one transaction. */
async function writePages(
  run: SyncRun,
  pages: readonly ReadPage[],
  before: SliceRecord,
): Promise<SliceRecord> {
  const { record, ports, task } = run
  const [first, last] = [pages[0], pages.at(-1)]
  if (first === undefined || last === undefined) return before
  const { nextParams: next } = last
  const observedAtMs = first.askedAtMs
  const rows = pages.flatMap((page) =>
    page.askedAtMs === observedAtMs
      ? page.rows
      : page.rows.map((row) => ({ ...row, observedAtMs: page.askedAtMs })),
  )
  const state: SliceRecord = {
    no: before.no,
    position:
      next === null ? null : ports.sealer.seal(JSON.stringify(next), purposeOf(run, before.no)),
    pages: before.pages + pages.length,
    received: before.received + rows.length,
    done: next === null,
    maxSeenMs: pages.reduce((seen, page) => latest(seen, page.maxSeenMs), before.maxSeenMs),
    edge: last.edge,
    total: pages.reduce((total, page) => page.total ?? total, before.total),
    largestPage: Math.max(before.largestPage ?? 0, ...pages.map(({ received }) => received)),
    fullPage: Math.max(
      before.fullPage ?? 0,
      ...pages.map((page) => (page.nextParams === null ? 0 : page.received)),
    ),
    unsaidEnd: last.unsaidEnd,
    filteredOut: pages.reduce(
      (sum, page) => sum + (page.filteredOut ?? 0),
      before.filteredOut ?? 0,
    ),
  }
  const leftOut = pages.flatMap((page) => page.leftOut)
  run.noteRead(rows.length, leftOut)
  record.pages += pages.length
  for (const { waitedMs } of pages) record.waitedMs += waitedMs
  record.attempts = 0
  if (state.done) record.slicesDone += 1
  run.slices.set(state.no, state)
  const totals = [...run.slices.values()].flatMap(({ total }) => (total === null ? [] : [total]))
  record.slicesCounted = totals.length
  record.expectedTotal = totals.length === 0 ? null : totals.reduce((sum, total) => sum + total, 0)
  const seen = { observedAtMs, seenBy: run.seenBy }
  if (record.kind === 'reconcile') {
    const seenIds = rows.map(({ recordId }) => recordId)
    const { unknownIds = [] } = await run.commit({ ...seen, seenIds }, state)
    run.noteUnknown(unknownIds)
  } else {
    const report = await run.commit({ ...seen, rows, childEntities: task.entity.children }, state)
    if (!state.done) run.checkSize(report)
  }
  return state
}

/** What tells a page from another: how many records, and which come first and last. Null for an empty page. */
function edgeOf(rows: readonly CopyRow[]): string | null {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return null
  const texts = [first, last].map(({ recordId, doc, compared }) => [
    recordId,
    typeof compared === 'string' ? compared : doc,
  ])
  return hash('sha256', JSON.stringify([rows.length, texts]), 'base64url').slice(0, 22)
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
