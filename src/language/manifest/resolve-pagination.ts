// A pagination of one style.
import type { Pagination } from './manifest.ts'
import { styleOf, turnsPages } from './pagination-styles.ts'
import type { PaginationSource, Resolved } from './source.ts'

/** Its members are those of its own style, and those of all that turn pages where it does. `keys`: what was read of it. */
export function resolvePagination(
  source: PaginationSource,
  keys: Resolved['pagination'],
): Pagination {
  const { type, meta, emptyMeta, param, size, more, last, silentEnd, carry, ...own } = keys
  const paged = { param, size, more, last, carry, ...(silentEnd && { silentEnd }) }
  return {
    type,
    meta,
    emptyMeta,
    ...(turnsPages(source) && paged),
    ...styleOf(type).compile(own), // the manifest schema asks for the members of the style
  } as Pagination
}
