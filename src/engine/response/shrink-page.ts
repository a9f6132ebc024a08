// Smaller pages for a vendor that asks for them.
import type { ParamPath } from '../../language/expression/syntax.ts'
import { ownAt, withMember } from '../../language/json/members.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Pagination } from '../../language/manifest/manifest.ts'
import { pagingOf, turnsPages } from '../../language/manifest/pagination-styles.ts'
import { wholeNumber } from './page-end.ts'

/** The parameter that holds the page size; null where there is none. */
export function sizeParam(pagination: Pagination): ParamPath | null {
  return turnsPages(pagination) ? pagination.size : null
}

/** The page size when a caller named none. */
const FIRST_SMALL_PAGE = 10

/**
 * The parameters with half the page size, or with a small one where none was given. Null when it cannot become smaller:
 * it is 1, or the page is numbered and not the first, so that its number would point at other records.
 */
export function shrinkPage(pagination: Pagination, params: JsonObject): JsonObject | null {
  const paging = pagingOf(pagination)
  if (paging === null || paging.size === null) return null
  const number = ownAt(params, paging.param)
  if (paging.by === 'pages' && wholeNumber(number ?? paging.from) !== paging.from) return null
  const given = ownAt(params, paging.size)
  if (given === undefined) return withMember(params, paging.size, FIRST_SMALL_PAGE)
  const size = wholeNumber(given)
  if (size === undefined || size <= 1) return null
  const half = Math.floor(size / 2)
  return withMember(params, paging.size, typeof given === 'string' ? String(half) : half)
}
