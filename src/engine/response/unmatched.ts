// Pointers of a manifest that find nothing in an answer: a page can look right without them.
import { type Answer, compilePath } from '../../language/expression/pick.ts'
import type { Path, Scope } from '../../language/expression/syntax.ts'
import type { Action, MetaPick, Pagination } from '../../language/manifest/manifest.ts'
import {
  isCounting,
  pathsOfStyle,
  STYLES,
  turnsPages,
} from '../../language/manifest/pagination-styles.ts'
import { isNothing, pathsOfFlag } from './page-end.ts'

/** A pointer that found nothing, with the key that has it: `$.nxt (pagination)`, `$.total (meta.total)`. */
export type UnmatchedPointer = string

/**
 * Compiles the look for pointers of a listing that find nothing in an answer: of the records, of the pagination, and of
 * members of `meta` that may not be left out. An end of a listing that the manifest calls silent lacks its pointers rightly,
 * and so does the last page (`isLast`) the way to another one.
 */
export function compileUnmatched({
  response,
  pagination,
}: Action): (answer: Answer, scope: Scope, isLast: boolean) => readonly UnmatchedPointer[] {
  const pointers = [
    { at: response.at, use: 'records', leadsOn: false },
    ...pathsOf(pagination).map((each) => ({ ...each, use: 'pagination' })),
    ...pathsOfMeta(pagination.meta, 'meta').map((each) => ({ ...each, leadsOn: false })),
  ]
  const looks = pointers.map(({ at, use, leadsOn }) => ({
    pick: compilePath(at),
    pointer: `${at.source} (${use})`,
    leadsOn,
  }))
  return (answer, scope, isLast) =>
    looks.flatMap(({ pick, pointer, leadsOn }) =>
      !(isLast && leadsOn) && isNothing(pick(answer, scope)) ? [pointer] : [],
    )
}

interface PagingPath {
  readonly at: Path
  /** It leads to the next page. */
  readonly leadsOn: boolean
}

function pathsOf(pagination: Pagination): readonly PagingPath[] {
  if (!turnsPages(pagination) || pagination.silentEnd === true) return []
  const { more, last } = pagination
  const leadsOn = !isCounting(STYLES[pagination.type])
  return [
    ...pathsOfStyle(pagination).map((at) => ({ at, leadsOn })),
    ...[...pathsOfFlag(more), ...pathsOfFlag(last)].map((at) => ({ at, leadsOn: false })),
  ]
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
