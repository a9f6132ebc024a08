// Records in pages, as listings give them.
import type { Json } from '../../src/language/json/json.ts'
import { issueOf } from './issues.ts'

/** Records per page: what most listings give at once. */
export const PAGE = 100

/** The records `from` to `to` in pages. */
export function pagesOf(from: number, to: number, edition = 0): readonly (readonly Json[])[] {
  const pages: Json[][] = []
  for (let start = from; start < to; start += PAGE)
    pages.push(
      Array.from({ length: Math.min(PAGE, to - start) }, (_, at) => issueOf(start + at, edition)),
    )
  return pages
}
