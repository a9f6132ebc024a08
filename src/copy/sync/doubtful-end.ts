// Listings that ended where there may be more: nothing in the answer said that the page was the last.
import { doubtOf, type EndDoubt } from '../../engine/response/page-end.ts'
import type { CopyFacts, SliceRecord } from './run-record.ts'

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
