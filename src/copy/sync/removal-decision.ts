// Whether a listing came to its end, and whether records that it lacks may be removed. Pure: what was seen comes in, what
// may go comes out.
import { doubtOf, type EndDoubt } from '../../engine/response/page-end.ts'
import type { CopyFacts, SliceRecord } from './run-record.ts'

/** What a run knows about what it did not see. */
export interface MissingRecords {
  /** Live records that this listing lacks, although they were there before it began; at most one more than the guard. */
  readonly missing: readonly string[]
  /**
   * Those that every complete listing lacked since one that began an interval earlier; when it is confirmed, since the
   * one before.
   */
  readonly missingTwice: readonly string[]
  /** How many complete listings that were, with this one. */
  readonly listings: number
  /** Not all of them have the same records, or one gave a record twice: their pages may have shifted. */
  readonly isShifted: boolean
  readonly live: number
  /** The third party answers everything at once: the listing cannot have shifted under us. */
  readonly isOneCall: boolean
  readonly received: number
  readonly canGet: boolean
  /** An earlier listing would have removed too much as well. */
  readonly wasSuspicious: boolean
  readonly isConfirmed: boolean
}

/**
 * `remove`: those, and of `asked` the ones that their own `get` no longer finds. `sample`: remove all, if none of a sample
 * is found.
 */
export type RemovalDecision =
  | { readonly kind: 'remove'; readonly ids: readonly string[]; readonly asked: readonly string[] }
  | { readonly kind: 'sample'; readonly ids: readonly string[]; readonly missing: number }
  | { readonly kind: 'suspicious'; readonly missing: number }

/** Single records that are asked for, to confirm that they are gone. */
const MAX_ASKED = 100

/** So many complete listings must lack a record where their pages may have shifted. */
const MIN_SHIFTED = 3

/** How many records may go at once. */
export function guardOf(live: number): number {
  return Math.max(20, Math.floor(live / 10))
}

/** Whether the listing can be what it claims: the third party's own count is met. */
export function isCountMet(seen: number, total: number | null): boolean {
  return total === null || seen >= 0.98 * total
}

/** Whether a listing that began then is an interval old. Intervals between runs vary by a tenth. */
export function isIntervalAgo(atMs: number, nowMs: number, intervalMs: number): boolean {
  return nowMs - atMs >= 0.9 * intervalMs
}

/**
 * Whether what several complete listings lack is gone. A record that goes, or moves, while pages are turned lets another
 * one slip to a page that was read already, and a listing may end too soon: then another listing has other records. Of
 * such listings it takes one more, and none counts that was suspicious.
 */
export function isProven({
  isShifted,
  listings,
  wasSuspicious = false,
}: Pick<MissingRecords, 'isShifted' | 'listings'> &
  Partial<Pick<MissingRecords, 'wasSuspicious'>>): boolean {
  return !wasSuspicious && (listings >= MIN_SHIFTED || !isShifted)
}

export function decideRemoval(found: MissingRecords): RemovalDecision {
  const { missing, missingTwice, canGet } = found
  if (missing.length === 0) return { kind: 'remove', ids: [], asked: [] }
  if (missing.length > guardOf(found.live)) {
    const suspicious: RemovalDecision = { kind: 'suspicious', missing: missing.length }
    if (!found.wasSuspicious || missingTwice.length === 0) return suspicious
    if (found.isConfirmed) return { kind: 'remove', ids: missingTwice, asked: [] }
    return canGet ? { kind: 'sample', ids: missingTwice, missing: missing.length } : suspicious
  }
  // An empty answer is what a broken vendor gives first: it confirms nothing.
  if (found.isOneCall && found.received > 0) return { kind: 'remove', ids: missing, asked: [] }
  const asked = canGet ? missing.slice(0, MAX_ASKED) : []
  const proven = found.isConfirmed || isProven(found) ? missingTwice : []
  return { kind: 'remove', ids: proven.filter((id) => !asked.includes(id)), asked }
}

/** The worst doubt about the ends of a run's slices; null as soon as one turned a page: then the pointers are right. */
export function doubtOfEnds(
  slices: readonly SliceRecord[],
  { largestPage, fullPage }: Pick<CopyFacts, 'largestPage' | 'fullPage'>,
): EndDoubt | null {
  if (slices.some(({ pages }) => pages > 1)) return null
  const doubts = slices.map(({ unsaidEnd, total }, index) => {
    if (unsaidEnd === undefined || unsaidEnd === null) return null
    const others = slices.filter((_, place) => place !== index)
    return doubtOf(unsaidEnd, {
      total,
      largestPage: largestOf(others, largestPage),
      fullPage: fullPage ?? null,
    })
  })
  return doubts.includes('truncated')
    ? 'truncated'
    : (doubts.find((doubt) => doubt !== null) ?? null)
}

/** Records of the largest page of these slices and of the runs before; null: none is known. */
export function largestOf(
  slices: readonly SliceRecord[],
  before: number | null | undefined,
): number | null {
  const largest = Math.max(before ?? 0, ...slices.map(({ largestPage = 0 }) => largestPage))
  return largest === 0 ? null : largest
}
