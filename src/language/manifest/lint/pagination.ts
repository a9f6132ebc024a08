// Pagination: every listing says how it goes on, with parameters that exist and can hold what is put into them.
import { gives } from '../actions.ts'
import type { DocumentPath } from '../document.ts'
import type { PlacedAction } from '../draft.ts'
import { isCounting, STYLES, turnsPages } from '../pagination-styles.ts'
import type { ErrorRuleSource, PaginationSource, SchemaType } from '../source.ts'
import { inWords } from '../suggest.ts'
import { keyAt, type Lint } from './lint.ts'
import { lintInheritedFlags, lintPagingSense } from './paging-sense.ts'
import { lookUpParam, missingParam, paginationOf } from './param-facts.ts'
import { valuesOf } from './schema-walk.ts'
import { paramsOf } from './scopes.ts'

export function lintPagination(lint: Lint): void {
  for (const action of lint.actions) {
    lintMissing(lint, action)
    lintTypes(lint, action)
    lintSingle(lint, action)
    lintSilentEnd(lint, action)
    lintPagingSense(lint, action)
  }
  lintInherited(lint)
  lintInheritedFlags(lint)
  lintRules(lint)
}

function lintMissing(lint: Lint, action: PlacedAction): void {
  const { source, at, operation } = action
  if (!gives(action.name, 'list') || source.response?.single === true) return
  if (paginationOf(lint.source, action) !== undefined) return
  const message = `${operation} does not say how its listing goes on`
  const hint =
    'add pagination, or defaults.pagination; { type: none, reason: … } when the vendor sends everything at once'
  lint.error('pagination/missing', keyAt(...at), message, hint)
}

/** The names of `defaults.pagination` must exist in every listing that takes it over. */
function lintInherited(lint: Lint): void {
  const heirs = lint.actions.filter(
    (action) =>
      action.source.pagination === undefined && paginationOf(lint.source, action) !== undefined,
  )
  for (const [name, at] of namesOf(lint.source.defaults?.pagination)) {
    const without = heirs.filter((heir) => missingParam(lint.source, heir, name) !== undefined)
    const [first] = without
    if (first === undefined) continue
    // Where no listing has it, the name is wrong; where some have it, the others forgot to declare it.
    if (without.length === heirs.length) {
      const part = at.length > 1 ? 'key' : 'value'
      const message = `no listing that uses this pagination has a parameter "${name}"`
      const hint = missingParam(lint.source, first, name) ?? null
      const place = { at: ['defaults', 'pagination', ...at], part } as const
      lint.error('pagination/unknown-param', place, message, hint)
      continue
    }
    for (const { source, at: action, operation } of without) {
      const place = keyAt(...action, ...(source.params === undefined ? [] : ['params']))
      const message = `${operation} has no parameter "${name}", which defaults.pagination uses`
      const hint = 'declare it, or give the action a pagination of its own'
      lint.error('pagination/unknown-param', place, message, hint)
    }
  }
}

function namesOf(
  pagination: PaginationSource | undefined,
): readonly (readonly [name: string, at: DocumentPath])[] {
  const { param, size, carry } = pagination ?? {}
  return [
    ...(param === undefined ? [] : [[param, ['param']] as const]),
    ...(size === undefined ? [] : [[size, ['size']] as const]),
    ...Object.keys(carry ?? {}).map((name) => [name, ['carry', name]] as const),
  ]
}

function lintTypes(lint: Lint, action: PlacedAction): void {
  const pagination = paginationOf(lint.source, action)
  if (pagination === undefined) return
  const { type } = pagination
  const held: readonly (readonly ['param' | 'size', readonly SchemaType[], string])[] = [
    ['param', STYLES[type].holds, `what a ${type} pagination puts into it`],
    ['size', ['integer', 'number'], 'a page size'],
  ]
  for (const [key, wanted, what] of held) {
    const name = pagination[key]
    if (name === undefined) continue
    const found = lookUpParam(paramsOf(lint.source, action), name)
    if (found.kind !== 'found') continue
    const types = new Set(found.views.flatMap((node) => [...node.types()]))
    const isOwn = action.source.pagination !== undefined
    const place = isOwn
      ? { at: [...action.at, 'pagination', key] }
      : keyAt(...(found.views[0]?.at ?? action.at))
    const listed = found.views.map(({ schema }) => valuesOf(schema) ?? [])
    if (key === 'param' && listed.length > 0 && listed.every(({ length }) => length > 0)) {
      const message = `"${name}" of ${action.operation} is one of ${inWords(listed.flat().map(String))}, which no ${type} pagination can count on`
      const hint =
        'param names what changes from page to page: a cursor, a page number or an offset'
      lint.error('pagination/param-type', place, message, hint)
      continue
    }
    if (wanted.some((each) => types.has(each))) continue
    const message = `the parameter "${name}" of ${action.operation} cannot hold ${what}`
    const hint = `its type must be ${wanted.join(' or ')}`
    lint.error('pagination/param-type', place, message, hint)
  }
}

function lintSingle(lint: Lint, { source, at, operation }: PlacedAction): void {
  const { pagination, response } = source
  if (response?.single !== true || pagination === undefined || !turnsPages(pagination)) return
  const message = `${operation} delivers a single object, which has no further page`
  const hint = 'remove pagination, or remove response.single'
  lint.error('pagination/single-turns-pages', { at: [...at, 'pagination', 'type'] }, message, hint)
}

/** Where pages are found by counting, only an absent `more` can end a listing silently. */
function lintSilentEnd(lint: Lint, { source: { pagination }, at, operation }: PlacedAction): void {
  if (pagination?.silent_end !== true || pagination.more !== undefined) return
  if (!isCounting(STYLES[pagination.type])) return
  const place = keyAt(...at, 'pagination', 'silent_end')
  const message = `${operation} counts on until a page is empty, so its end is never silent`
  const hint = 'remove silent_end, or add more'
  lint.error('pagination/silent-end-without-effect', place, message, hint)
}

/** A list of error rules of which the first match wins. */
export interface PlacedRules {
  readonly at: DocumentPath
  readonly rules: readonly ErrorRuleSource[]
  /** Null: those of `defaults`, which all actions share. */
  readonly action: PlacedAction | null
}

/** The error rules of `defaults`, of every action and of every step. */
export function errorLists({ source, actions }: Lint): readonly PlacedRules[] {
  const own = actions.flatMap((action) => {
    const { steps = [], errors: rules = [] } = action.source
    const lists = steps.map((step, index) => ({ at: ['steps', index], rules: step.errors ?? [] }))
    return [...lists, { at: [], rules }].map((list) => ({
      ...list,
      at: [...action.at, ...list.at, 'errors'],
      action,
    }))
  })
  const shared = source.defaults?.errors ?? []
  return [{ at: ['defaults', 'errors'], rules: shared, action: null }, ...own]
}

interface Need {
  meets(pagination: PaginationSource): boolean
  readonly rule: string
  /** What an action lacks. */
  readonly one: string
  /** The same of rules in `defaults`. */
  readonly all: string
  readonly hint: string
}

/** What an error rule needs of a listing, by its effect. */
const NEEDS: Readonly<Partial<Record<ErrorRuleSource['then'], Need>>> = {
  restart_pagination: {
    meets: turnsPages,
    rule: 'pagination/nothing-to-restart',
    one: 'has no pages to start again with',
    all: 'no listing of this manifest turns pages',
    hint: 'write then: fail, or give the listing a pagination that turns pages',
  },
  shrink_page: {
    meets: ({ size }) => size !== undefined,
    rule: 'pagination/no-size-to-shrink',
    one: 'names no parameter that holds the page size',
    all: 'no listing names a parameter that holds the page size',
    hint: 'add pagination.size',
  },
}

/** Rules that no action can serve: the one that they stand in, or any where they stand in `defaults`. */
function lintRules(lint: Lint): void {
  for (const { at, rules, action } of errorLists(lint)) {
    const actions = action === null ? lint.actions : [action]
    const paginations = actions.flatMap((each) => paginationOf(lint.source, each) ?? [])
    for (const [index, { then }] of rules.entries()) {
      const need = NEEDS[then]
      if (need === undefined || paginations.some((pagination) => need.meets(pagination))) continue
      const message = action === null ? need.all : `${action.operation} ${need.one}`
      lint.error(need.rule, { at: [...at, index, 'then'] }, message, need.hint)
    }
  }
}
