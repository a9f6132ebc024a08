// Entries that are asked for, looked for a little at a time: others get their turn, and a page comes in any case.
import type { Clock } from '../../engine/exchange/clock.ts'
import type { LogFilter, LogPlace, LogRow } from '../store/logs.ts'
import type { Store } from '../store/store.ts'
import { mayRun, ownerOf, type Principal } from '../tokens/principal.ts'

export interface SearchPorts {
  readonly store: Pick<Store, 'logs'>
  readonly clock: Clock
}

/** Rows that one statement looks at; others get their turn between two of them. */
export const SCAN = 20_000
/** A search for something rare goes on with the next request after so long. */
const SEARCH_MS = 1500

export interface Found {
  readonly rows: readonly LogRow[]
  /** Where to go on; null: that is all. */
  readonly more: string | null
}

/** Looks until the page is full, all was looked at, or it has taken long enough. */
export async function searchLogs(
  { store, clock }: SearchPorts,
  principal: Principal,
  filter: LogFilter,
  { limit, ...place }: Omit<LogPlace, 'scan'>,
): Promise<Found> {
  const until = clock.monotonic() + SEARCH_MS
  const owner = ownerOf(principal)
  const found: LogRow[] = []
  let at = place
  for (;;) {
    const wanted = limit + 1 - found.length
    const { rows, scannedTo } = await store.logs.list(owner, filter, {
      ...at,
      limit: wanted,
      scan: SCAN,
    })
    found.push(...rows.filter((row) => maySee(principal, row)))
    if (found.length > limit) {
      const page = found.slice(0, limit)
      return { rows: page, more: page.at(-1)?.logId ?? null }
    }
    const last = scannedTo ?? (rows.length === wanted ? (rows.at(-1)?.logId ?? null) : null)
    if (last === null) return { rows: found, more: null }
    if (clock.monotonic() >= until) return { rows: found, more: last }
    at = place.afterId === undefined ? { ...at, beforeId: last } : { ...at, afterId: last }
  }
}

/** A token of certain actions sees those. */
export function maySee(
  principal: Principal,
  { entity, action }: { readonly entity: string | null; readonly action: string | null },
): boolean {
  return principal.actions === null || entity === null || action === null
    ? true
    : mayRun(principal, entity, action)
}

export function timeOfLogId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
