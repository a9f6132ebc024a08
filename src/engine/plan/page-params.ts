// The parameters that turn the pages of a listing, as a request needs them.
import type { ParamPath } from '../../language/expression/syntax.ts'
import { ownAt, withMember } from '../../language/json/members.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Pagination } from '../../language/manifest/manifest.ts'
import { pagingOf } from '../../language/manifest/pagination-styles.ts'

/**
 * The parameters with the value of the first page filled in where the manifest names one (`cursor=*`, `page=1`) and
 * the caller gave none.
 */
export function fillFirst(pagination: Pagination, params: JsonObject): JsonObject {
  const paging = pagingOf(pagination)
  if (paging === null || paging.start === null) return params
  if (ownAt(params, paging.param) !== undefined) return params
  return withMember(params, paging.param, paging.start)
}

/** The sealed address of the page that the parameters ask for; null where the pages of the listing have none. */
export function sealedLink(
  pagination: Pagination,
  params: JsonObject,
): { readonly param: ParamPath; readonly sealed: string } | null {
  const paging = pagingOf(pagination)
  if (paging?.by !== 'address') return null
  const sealed = ownAt(params, paging.param)
  return typeof sealed === 'string' ? { param: paging.param, sealed } : null
}
