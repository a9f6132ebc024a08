// Listings that end where there may be more.
import { describeEnd, UNSAID_END } from '../engine/response/describe-end.ts'
import { type Page, unsaidEndOf } from './page-call.ts'

/**
 * A sentence about a listing that ended with this page although there may be more; null where the answer said that it
 * was the last, or where it can be. A service tells it only where there are probably more.
 */
export function doubtfulEndOf(operation: string, page: Page): string | null {
  const told = page.execution?.warnings?.find(({ code }) => code === UNSAID_END)
  if (told !== undefined) return told.detail
  const end = unsaidEndOf(page)
  return end === null ? null : (describeEnd(operation, end, page.meta)?.text ?? null)
}
