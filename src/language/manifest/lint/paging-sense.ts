// Pagination that could be read and cannot work: pointers into the list, a size that moves, counts that begin elsewhere.
import type { Path } from '../../expression/syntax.ts'
import type { PlacedAction, PlacedPath } from '../draft.ts'
import { STYLES } from '../pagination-styles.ts'
import type { PaginationSource } from '../source.ts'
import type { Lint, Place } from './lint.ts'
import { isOwnedBy, lookUpParam, paginationOf } from './param-facts.ts'
import { fieldsOf, requestsIn } from './request-facts.ts'
import type { SchemaView } from './schema-walk.ts'
import { paramsOf } from './scopes.ts'

/** Flags of `defaults.pagination`, once for all listings. */
export function lintInheritedFlags(lint: Lint): void {
  for (const placed of lint.draft.paths) {
    const [block, key = ''] = placed.use.split('.')
    if (placed.owner.area === 'defaults' && block === 'pagination') lintFlag(lint, placed, key)
  }
}

export function lintPagingSense(lint: Lint, action: PlacedAction): void {
  const pagination = paginationOf(lint.source, action)
  if (pagination === undefined) return
  const isOwn = action.source.pagination !== undefined
  const base = isOwn ? [...action.at, 'pagination'] : ['defaults', 'pagination']
  const subject: Subject = {
    lint,
    action,
    pagination,
    at: (...steps) => ({ at: [...base, ...steps] }),
  }
  lintMoving(subject)
  if (isOwn) lintPointers(subject)
}

interface Subject {
  readonly lint: Lint
  readonly action: PlacedAction
  readonly pagination: PaginationSource
  readonly at: (...steps: readonly string[]) => Place
}

const PAGE_NAME = /^(?:page|page_?(?:number|no|num|index)|current_?page)$/i
const OFFSET_NAME = /^(?:offset|skip|start|start_?at|start_?index|from_?index)$/i

/** The parameter that moves: another one than the size, counting what it is named for, from where it may begin. */
function lintMoving({ lint, action, pagination, at }: Subject): void {
  const { param, size } = pagination
  if (param === undefined) return
  if (param === size) {
    const message = `"${param}" holds the page size, so it cannot move on to the next page`
    const hint = 'param names what changes from page to page: a cursor, a page number or an offset'
    return lint.error('pagination/param-is-size', at('param'), message, hint)
  }
  const { by } = STYLES[pagination.type]
  if (by !== 'pages' && by !== 'records') return
  const names = [param, ...wireNames(action, param)]
  const isPage = names.some((name) => PAGE_NAME.test(name))
  const isOffset = names.some((name) => OFFSET_NAME.test(name))
  if (by === 'records' && isPage && !isOffset) {
    const message = `"${param}" is called a page number, and this pagination counts records`
    lint.warn('pagination/offset-over-page', at('type'), message, 'write type: page')
  } else if (by === 'pages' && isOffset && !isPage) {
    const message = `"${param}" is called an offset, and this pagination counts pages`
    lint.warn('pagination/page-over-offset', at('type'), message, 'write type: offset')
  }
  const first = by === 'records' ? 0 : Number('first' in pagination ? (pagination.first ?? 1) : 1)
  const found = lookUpParam(paramsOf(lint.source, action), param)
  const least = found.kind === 'found' ? leastOf(found.views) : null
  if (least === null || first >= least) return
  const place = by === 'pages' && 'first' in pagination ? at('first') : at('param')
  const message = `the first page is at ${first}, and "${param}" takes nothing below ${least}`
  const hint = by === 'pages' ? `write first: ${least}, or minimum: ${first}` : `write minimum: 0`
  lint.warn('pagination/first-below-minimum', place, message, hint)
}

function leastOf(views: readonly SchemaView[]): number | null {
  const bounds = views.flatMap((view) => view.alternatives()).map(({ schema }) => schema.minimum)
  const [first] = bounds
  return bounds.length === 1 && first !== undefined ? first : null
}

/** What a parameter is called on the wire, where it stands alone. */
function wireNames(action: PlacedAction, param: string): readonly string[] {
  return requestsIn(action).flatMap(({ at, source }) =>
    [...fieldsOf(source.query, [...at, 'query'])].flatMap(({ name, value }) =>
      typeof value === 'string' && value.replaceAll(/[{}\s]/g, '') === `params.${param}`
        ? [name]
        : [],
    ),
  )
}

/** Pointers of this pagination that lead into the list of records, or to what the request was. */
function lintPointers({ lint, action }: Subject): void {
  const own = lint.draft.paths.filter(({ owner }) => isOwnedBy(owner, action))
  const records = own.find(({ use }) => use === 'response.records')
  const list = records === undefined ? null : namesOf(records.path)
  const params = paramsOf(lint.source, action).members()
  for (const placed of own) {
    const [block, key = ''] = placed.use.split('.')
    if (block !== 'pagination' || placed.path.root !== 'body') continue
    lintFlag(lint, placed, key)
    if (list !== null && action.source.response?.single !== true)
      lintInside(lint, placed, key, list)
    const [first, second] = placed.path.steps
    if (first?.kind !== 'member' || first.name !== 'params' || second?.kind !== 'member') continue
    if (!params.has(second.name)) continue
    const message = `"${placed.path.source}" is read from the answer, where parameters are not`
    const hint = 'write where the answer holds it, for example $.meta.next'
    lint.warn('pagination/path-to-params', placed, message, hint)
  }
}

/** The names of a path that has nothing else. */
function namesOf({ root, steps }: Path): readonly string[] | null {
  if (root !== 'body') return null
  const names = steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []))
  return names.length === steps.length ? names : null
}

function lintInside(lint: Lint, placed: PlacedPath, key: string, list: readonly string[]): void {
  const { path } = placed
  const leads = list.every((name, index) => {
    const step = path.steps[index]
    return step?.kind === 'member' && step.name === name
  })
  if (!leads) return
  const below = path.steps[list.length]
  const isList = below === undefined && key !== 'meta' && key !== 'empty_meta'
  if (!isList && below?.kind !== 'member') return
  const what = list.length === 0 ? 'the answer itself' : `$.${list.join('.')}`
  const message = isList
    ? `${what} is the list of records, and no ${key}`
    : `${what} is the list of records: a list has no member "${below?.kind === 'member' ? below.name : ''}"`
  const hint = 'write a path next to the list, or $headers and $link for what the headers hold'
  lint.error('pagination/inside-records', placed, message, hint)
}

const MORE_NAME = /^(?:has_?(?:more|next)(?:_?(?:page|items|data))?|more|more_?items)$/i
const LAST_NAME =
  /^(?:is_?(?:last|end|final)(?:_?(?:page|batch))?|last_?page|last|end_?of_?(?:list|data|stream|records)|done|finished)$/i

/** `last: $.has_more` ends every listing with its first page, and `more: $.is_last` does so, too. */
function lintFlag(lint: Lint, placed: PlacedPath, key: string): void {
  const last = placed.path.steps.at(-1)
  const name = last?.kind === 'member' ? last.name : ''
  const isTurned =
    (key === 'last' && MORE_NAME.test(name)) || (key === 'more' && LAST_NAME.test(name))
  if (!isTurned || !placed.use.endsWith(`.${key}`)) return
  const message = `"${name}" says the opposite of ${key}`
  const hint = `write ${key === 'last' ? 'more' : 'last'}: ${placed.path.source}`
  lint.warn('pagination/flag-turned', placed, message, hint)
}
