// Whether a row that comes in replaces what is there. One table of rules for both stores.
import type { SearchLayout } from '../search/layout.ts'
import { compareKeys } from '../search/key.ts'
import type { OpenedRow } from '../search/opened-row.ts'
import type { CopyRow } from '../search/row.ts'
import type { CopyWrite, RowOutcome } from '../search/search-index.ts'

/** What is stored under the id: live or removed. */
export interface StoredFacts {
  readonly removed: boolean
  readonly observedAtMs: number
  readonly heldUntilMs: number
  /** Key of the time the copy advances by. */
  readonly cursorKey: string | null
}

/** `same`: whether the live record says the same. */
export function decideRow(
  batch: CopyWrite,
  row: OpenedRow,
  stored: StoredFacts | null,
  {
    layout,
    nowMs,
    same,
  }: { readonly layout: SearchLayout; readonly nowMs: number; readonly same: boolean },
): RowOutcome {
  if (stored === null) return 'inserted'
  const own = batch.holdUntilMs !== undefined
  const held = !own && stored.heldUntilMs > nowMs
  // A listing that began before what is stored was read knows less than we do.
  const stale = observedAt(batch, row.row) < stored.observedAtMs
  if (stored.removed) return held ? 'held' : stale ? 'stale' : 'restored'
  if (same) return 'unchanged'
  if (stale) return 'stale'
  if (!held) return 'changed'
  const slot = cursorSlot(layout)
  const key = slot === null ? null : row.index.slots[slot - 1]
  const advanced =
    typeof key === 'string' && stored.cursorKey !== null && compareKeys(key, stored.cursorKey) >= 0
  return advanced ? 'changed' : 'held'
}

/** When the request that gave a row was begun. */
export function observedAt(batch: CopyWrite, row: CopyRow): number {
  return row.observedAtMs ?? batch.observedAtMs
}

/** The slot of the time that the copy advances by: the first that slots are given to, so there always is one. */
export function cursorSlot(layout: SearchLayout): number | null {
  return layout.advances === null ? null : (layout.lifts[layout.advances]?.slot ?? null)
}

/** The places of rows that a later one with the same id makes void. */
export function supersededPlaces(rows: readonly CopyRow[]): readonly number[] {
  const last = new Map(rows.map(({ recordId }, place) => [recordId, place]))
  if (last.size === rows.length) return []
  return [...rows.keys()].filter((place) => last.get(rows[place]?.recordId ?? '') !== place)
}
