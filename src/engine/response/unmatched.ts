// Pointers of a manifest that find nothing in an answer: a page can look right without them.
import { type Answer, compilePath } from '../../language/expression/pick.ts'
import type { Path, Scope } from '../../language/expression/syntax.ts'
import type { Action, MetaPick, Pagination } from '../../language/manifest/manifest.ts'
import { pathsOfStyle, turnsPages } from '../../language/manifest/pagination-styles.ts'
import { isNothing, pathsOfFlag } from './page-end.ts'

/** A pointer that found nothing, with the key that has it: `$.nxt (pagination)`, `$.total (meta.total)`. */
export type UnmatchedPointer = string

/**
 * Compiles the look for pointers of a listing that find nothing in an answer: of the records, of the pagination, and of
 * members of `meta` that may not be left out. An end of a listing that the manifest calls silent lacks its pointers rightly.
 */
export function compileUnmatched({
  response,
  pagination,
}: Action): (answer: Answer, scope: Scope) => readonly UnmatchedPointer[] {
  const pointers = [
    { at: response.at, use: 'records' },
    ...pathsOf(pagination).map((at) => ({ at, use: 'pagination' })),
    ...pathsOfMeta(pagination.meta, 'meta'),
  ]
  const looks = pointers.map(({ at, use }) => ({
    pick: compilePath(at),
    pointer: `${at.source} (${use})`,
  }))
  return (answer, scope) =>
    looks.flatMap(({ pick, pointer }) => (isNothing(pick(answer, scope)) ? [pointer] : []))
}

function pathsOf(pagination: Pagination): readonly Path[] {
  if (!turnsPages(pagination) || pagination.silentEnd === true) return []
  const { more, last } = pagination
  return [...pathsOfStyle(pagination), ...pathsOfFlag(more), ...pathsOfFlag(last)]
}

function pathsOfMeta(
  picks: readonly MetaPick[],
  within: string,
): readonly { readonly at: Path; readonly use: string }[] {
  return picks.flatMap(({ name, optional, value }) => {
    const use = `${within}.${name}`
    if (value.kind === 'object') return pathsOfMeta(value.members, use)
    // What pagination found is null on the last page.
    const isExpected = value.kind === 'path' && !optional && value.at.root !== 'next'
    return isExpected ? [{ at: value.at, use }] : []
  })
}
