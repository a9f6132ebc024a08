// `$` paths: which part of an answer may be read at which place.
import { namesBelow } from '../../expression/path-below.ts'
import type { Path } from '../../expression/syntax.ts'
import { formatPath, problemAt } from '../document.ts'
import { actionsOf, type ManifestDraft, type PlacedPath } from '../draft.ts'
import type { ManifestProblem } from '../problem.ts'
import { suggestion } from '../suggest.ts'
import { membersOf } from './schema-walk.ts'
import { entityOf } from './scopes.ts'

/** Findings about the roots of `$` paths, members that a filter compares, pages without their records, and drops. */
export function lintPaths(draft: ManifestDraft): readonly ManifestProblem[] {
  return [
    ...draft.paths.flatMap((placed) => [
      ...lintRoot(draft, placed),
      ...lintPage(draft, placed),
      ...lintDrop(draft, placed),
    ]),
    ...lintWhere(draft),
  ]
}

type PathRoot = Path['root']
const WRITTEN: Readonly<Record<PathRoot, string>> = {
  body: '$',
  headers: '$headers',
  link: '$link',
  next: '$next',
  parent: '$parent',
}

/** What may be read beside the body; the first use that a place begins with counts. */
const ALLOWED: readonly (readonly [use: string, roots: readonly PathRoot[]])[] = [
  ['pagination.meta', ['headers', 'link', 'next']],
  ['pagination.empty_meta', ['headers', 'link', 'next']],
  ['pagination.', ['headers', 'link']],
  ['error_body.', ['headers']],
  ['download.url', ['headers', 'link']],
  ['search.from', ['parent']],
]

function lintRoot(draft: ManifestDraft, placed: PlacedPath): readonly ManifestProblem[] {
  const { at, part, path, use } = placed
  const allowed = rootsAt(use)
  const orphan =
    path.root === 'parent' && entityOf(draft.source, placed.owner)?.sync?.parent === undefined
  if (allowed.includes(path.root) && !orphan) return []
  return [
    problemAt(draft.document, {
      at,
      part,
      rule: 'path/root-out-of-place',
      message: orphan
        ? 'this sync has no parent whose members $parent could name'
        : `"${WRITTEN[path.root]}" cannot be read here`,
      hint: `paths begin with ${allowed.map((root) => WRITTEN[root]).join(', ')} here${isKept(use) ? ': what is kept is taken from the body of the answer' : ''}`,
    }),
  ]
}

/** Values of an answer that are kept for later calls. */
function isKept(use: string): boolean {
  return use.startsWith('session.') || use.endsWith('.store')
}

/** The records of a page object are put back where they were taken from. */
function lintPage(draft: ManifestDraft, placed: PlacedPath): readonly ManifestProblem[] {
  if (placed.use !== 'response.page') return []
  const block = formatPath(placed.at.slice(0, -1))
  const records = draft.paths.find(
    ({ use, at }) => use === 'response.records' && formatPath(at.slice(0, -1)) === block,
  )
  if (records === undefined || namesBelow(placed.path, records.path) !== null) return []
  return [
    problemAt(draft.document, {
      at: placed.at,
      rule: 'response/page-without-records',
      message: `the records at ${records.path.source} are not a member of the page ${placed.path.source}`,
      hint: 'only names may lead from the page to its records (page: $.x, records: $.x.items); remove page to deliver the bare records',
    }),
  ]
}

function lintDrop(draft: ManifestDraft, placed: PlacedPath): readonly ManifestProblem[] {
  if (!placed.use.startsWith('response.drop') || placed.path.steps.length > 0) return []
  return [
    problemAt(draft.document, {
      at: placed.at,
      rule: 'response/drops-record',
      message: 'a record cannot be dropped as a whole',
      hint: 'name a member of it; response.keep takes records away',
    }),
  ]
}

function rootsAt(use: string): readonly PathRoot[] {
  const more = ALLOWED.find(([start]) => use.startsWith(start))?.[1] ?? []
  return ['body', ...more]
}

/** A filter on a member that is never there would take every record away. */
function lintWhere(draft: ManifestDraft): readonly ManifestProblem[] {
  return actionsOf(draft.source).flatMap(({ entity, at, source }) => {
    const schema = source.result ?? draft.source.entities[entity]?.record
    if (schema === undefined) return []
    const names = [...membersOf(draft.source, { schema, at: null, closed: false }).keys()]
    const made = Object.keys(source.response?.set ?? {})
    return Object.keys(source.response?.where ?? {}).flatMap((path) => {
      const first = path.split(/[.[]/)[0] ?? path
      if (path.startsWith('$') || names.includes(first) || made.includes(first)) return []
      return [
        problemAt(draft.document, {
          at: [...at, 'response', 'where', path],
          part: 'key',
          rule: 'response/unknown-field',
          message: `the record of ${entity} has no member "${first}"`,
          hint: suggestion(first, names) ?? 'write a path, $.…, for a member that is not declared',
        }),
      ]
    })
  })
}
