// One search from its parameters to its answer: layout, cursor, page. Which store has the copy makes no difference.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Json } from '../../language/json/json.ts'
import type { CursorContext, CursorSeal, WalkPosition } from './cursor.ts'
import type { SearchQuery } from './filter.ts'
import { hashQuery, readSearch } from './read-query.ts'
import type { CopyReader, CopyState, SearchPage } from './search-index.ts'

export interface SearchOptions {
  readonly index: Pick<CopyReader, 'copies' | 'search'>
  readonly cursors: CursorSeal
  readonly clock: { readonly now: () => number; readonly monotonic: () => number }
}

/** Who asks what. */
export interface SearchCall {
  readonly organizationId: string
  readonly instanceId: string
  readonly entity: string
  /** As the caller sent them, with every digit of numbers. */
  readonly params: Json
  /** Usual time between two syncs: after three of them the copy counts as stale. */
  readonly intervalMs: number
  /** Whether the instance is synchronized at present. */
  readonly active: boolean
  /** Milliseconds of the time it may take that have passed already; default 0. */
  readonly spentMs?: number
}

/** The answer of a search, but for what the service adds. */
export interface SearchAnswer {
  /** JSON text of the array of hits, ready to be sent. */
  readonly hits: string
  readonly count: number
  readonly nextCursor: string | null
  /** From the checked query to the last row. */
  readonly tookMs: number
  readonly replica: ReplicaFacts
}

/** How fresh the answer is. Names of the wire. */
export interface ReplicaFacts {
  readonly synced_at: string | null
  readonly lag_seconds: number | null
  readonly complete: boolean
  readonly stale: boolean
  readonly records: number
  /** False where hits come newest first although their scores differ. */
  readonly ranked: boolean
}

/** Syncs that may be missed before the copy counts as stale. */
const STALE_AFTER = 3
/** Copies whose layout is remembered, so that a search asks the store once. */
const MAX_REMEMBERED = 1_000

/**
 * Creates the search over an index. It throws `params_invalid`, `cursor_invalid`, `search_not_ready` before the first
 * records, `search_timeout`, and `store_unavailable`.
 */
export function createSearch({
  index,
  cursors,
  clock,
}: SearchOptions): (call: SearchCall) => Promise<SearchAnswer> {
  const remembered = new Map<string, CopyState>()

  async function readServing({ instanceId, entity }: SearchCall): Promise<CopyState> {
    const copies = await index.copies({ instanceId, entity })
    const serving = copies.find((copy) => copy.serving)
    if (serving === undefined || (serving.live === 0 && !serving.complete)) throw notReady(entity)
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(`${instanceId}\n${entity}`, serving)
    return serving
  }

  async function ask(call: SearchCall, copy: CopyState): Promise<SearchAnswer | null> {
    const { instanceId, entity } = call
    const query = readSearch(copy.layout, call.params)
    let context: CursorContext | null = null
    let position: WalkPosition | null = null
    if (query.cursor !== null) {
      context = contextOf(call, copy)
      position = cursors.open(query.cursor, context)
    }
    const started = clock.monotonic()
    const searched = index.search({
      instanceId,
      entity,
      epoch: copy.epoch,
      layoutHash: copy.layout.hash,
      query,
      position,
      spentMs: call.spentMs ?? 0,
    })
    const sealing = whileWaiting(() => cursors.begin(context ?? contextOf(call, copy)))
    const reply = await searched
    if (reply.kind === 'moved') return null
    return {
      hits: reply.hits,
      count: reply.count,
      nextCursor: reply.next === null ? null : (await sealing)(reply.next),
      tookMs: Math.round((clock.monotonic() - started) * 1_000) / 1_000,
      replica: freshness(reply, call, clock.now()),
    }
  }

  return async (call) => {
    const key = `${call.instanceId}\n${call.entity}`
    const known = remembered.get(key)
    if (known !== undefined) {
      const answer = await askKnown(call, known)
      if (answer !== null) return answer
      remembered.delete(key)
    }
    const answer = await ask(call, await readServing(call))
    if (answer !== null) return answer
    // Another copy took over between the two questions; that does not happen twice in a row.
    const again = await ask(call, await readServing(call))
    if (again === null) throw notReady(call.entity)
    return again
  }

  /** What is wrong by a remembered layout may be right by the present one. */
  async function askKnown(call: SearchCall, copy: CopyState): Promise<SearchAnswer | null> {
    try {
      return await ask(call, copy)
    } catch (error) {
      // Where nobody answers, or not in time, asking once more only takes longer.
      if (isConnectorError(error, 'store_unavailable') || isConnectorError(error, 'search_timeout'))
        throw error
      const [present] = (await index.copies(copy)).filter(({ serving }) => serving)
      if (
        present !== undefined &&
        present.epoch === copy.epoch &&
        present.layout.hash === copy.layout.hash
      )
        throw error
      return null
    }
  }
}

/** Runs work once what was begun before is on its way to the store, which is when this process has time. */
async function whileWaiting<T>(work: () => T): Promise<T> {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  return work()
}

function contextOf(
  { organizationId, instanceId, entity, params }: SearchCall,
  { epoch, layout }: CopyState,
): CursorContext {
  const queryHash = hashQuery(params)
  return { organizationId, instanceId, entity, epoch, layoutHash: layout.hash, queryHash }
}

function notReady(entity: string): ConnectorError {
  return new ConnectorError('search_not_ready', `${entity}: nothing is synchronized yet`, {
    retryAfterMs: 5_000,
    details: { entity },
  })
}

function freshness(
  { copy, ranked }: SearchPage,
  { intervalMs, active }: SearchCall,
  nowMs: number,
): ReplicaFacts {
  const { syncedAtMs, complete, live } = copy
  const lagMs = syncedAtMs === null ? null : Math.max(0, nowMs - syncedAtMs)
  return {
    synced_at: syncedAtMs === null ? null : new Date(syncedAtMs).toISOString(),
    lag_seconds: lagMs === null ? null : Math.floor(lagMs / 1_000),
    complete,
    stale: !active || lagMs === null || lagMs > STALE_AFTER * intervalMs,
    records: live,
    ranked,
  }
}

export type { SearchQuery }
