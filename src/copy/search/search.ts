// One search from its parameters to its answer: layout, cursor, page. Which store has the copy makes no difference.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Json } from '../../language/json/json.ts'
import type { CursorContext, CursorSeal } from './cursor.ts'
import { hashQuery, readSearch } from './read-query.ts'
import {
  type CopyReader,
  type CopyState,
  readServing,
  type SearchPage,
  type SearchPlan,
} from './search-index.ts'

export interface SearchOptions {
  readonly index: Pick<CopyReader, 'copies' | 'search'>
  readonly cursors: CursorSeal
  readonly clock: { readonly now: () => number; readonly monotonic: () => number }
}

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
  /** How the page was found; absent where nobody asked. Names of the wire. */
  readonly explain?: SearchPlan
  /** JSON text of what all hits have; absent where nobody asked, and on later pages. */
  readonly facets?: string
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

/** Throws `params_invalid`, `cursor_invalid`, `search_not_ready`, `search_timeout`, and `store_unavailable`. */
export function createSearch(options: SearchOptions): (call: SearchCall) => Promise<SearchAnswer> {
  const searches = new Searches(options)
  return (call) => searches.answer(call)
}

class Searches {
  readonly #options: SearchOptions
  readonly #remembered = new Map<string, CopyState>()

  constructor(options: SearchOptions) {
    this.#options = options
  }

  async answer(call: SearchCall): Promise<SearchAnswer> {
    const known = this.#remembered.get(keyOf(call))
    if (known !== undefined) {
      const answer = await this.#askKnown(call, known)
      if (answer !== null) return answer
      this.#remembered.delete(keyOf(call))
    }
    // Another copy may take over between the two questions; that does not happen twice in a row.
    const answer = (await this.#askServing(call)) ?? (await this.#askServing(call))
    if (answer === null) throw notReady(call.entity)
    return answer
  }

  async #askServing(call: SearchCall): Promise<SearchAnswer | null> {
    const serving = await readServing(this.#options.index, call)
    if (serving === undefined || (serving.live === 0 && !serving.complete))
      throw notReady(call.entity)
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(keyOf(call), serving)
    return await this.#ask(call, serving)
  }

  /** What is wrong by a remembered layout may be right by the present one. */
  async #askKnown(call: SearchCall, copy: CopyState): Promise<SearchAnswer | null> {
    try {
      return await this.#ask(call, copy)
    } catch (error) {
      // Where the store does not answer, or not in time, asking once more only takes longer.
      if (isConnectorError(error, 'store_unavailable') || isConnectorError(error, 'search_timeout'))
        throw error
      const present = await readServing(this.#options.index, copy)
      const isPresent = present?.epoch === copy.epoch && present.layout.hash === copy.layout.hash
      if (isPresent) throw error
      return null
    }
  }

  /** Null: another copy serves by now. */
  async #ask(call: SearchCall, copy: CopyState): Promise<SearchAnswer | null> {
    const { index, cursors, clock } = this.#options
    const { instanceId, entity, spentMs = 0 } = call
    const { epoch, layout } = copy
    const query = readSearch(layout, call.params)
    const given = query.cursor === null ? null : contextOf(call, copy)
    const position =
      query.cursor === null || given === null ? null : cursors.open(query.cursor, given)
    const started = clock.monotonic()
    const layoutHash = layout.hash
    const searched = index.search({
      instanceId,
      entity,
      epoch,
      layoutHash,
      query,
      position,
      spentMs,
    })
    let seal: ReturnType<CursorSeal['begin']> | undefined
    const beginCursor = (): ReturnType<CursorSeal['begin']> =>
      (seal ??= cursors.begin(given ?? contextOf(call, copy)))
    // Once the question is on its way to the store, which is when this process has time.
    setImmediate(beginCursor)
    const reply = await searched
    if (reply.kind === 'moved') return null
    return {
      hits: reply.hits,
      count: reply.count,
      nextCursor: reply.next === null ? null : beginCursor()(reply.next),
      tookMs: Math.round((clock.monotonic() - started) * 1_000) / 1_000,
      replica: { ...freshness(reply.copy, call, clock.now()), ranked: reply.ranked },
      ...(reply.plan === undefined ? {} : { explain: reply.plan }),
      ...(reply.facets === undefined ? {} : { facets: reply.facets }),
    }
  }
}

function keyOf({ instanceId, entity }: SearchCall): string {
  return `${instanceId}\n${entity}`
}

function contextOf(
  { organizationId, instanceId, entity, params }: SearchCall,
  { epoch, layout }: CopyState,
): CursorContext {
  const queryHash = hashQuery(params)
  return { organizationId, instanceId, entity, epoch, layoutHash: layout.hash, queryHash }
}

export function notReady(entity: string): ConnectorError {
  return new ConnectorError('search_not_ready', `${entity}: nothing is synchronized yet`, {
    retryAfterMs: 5_000,
    details: { entity },
  })
}

/** How fresh a page is, as the wire has it. */
export function freshness(
  { syncedAtMs, complete, live }: SearchPage['copy'],
  { intervalMs, active }: Pick<SearchCall, 'intervalMs' | 'active'>,
  nowMs: number,
): Omit<ReplicaFacts, 'ranked'> {
  const lagMs = syncedAtMs === null ? null : Math.max(0, nowMs - syncedAtMs)
  return {
    synced_at: syncedAtMs === null ? null : new Date(syncedAtMs).toISOString(),
    lag_seconds: lagMs === null ? null : Math.floor(lagMs / 1_000),
    complete,
    stale: !active || lagMs === null || lagMs > STALE_AFTER * intervalMs,
    records: live,
  }
}
