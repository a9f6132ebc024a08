// Pagination: every listing says how it goes on, with parameters that exist and can hold what is put into them.
import { gives } from '../actions.ts'
import type { DocumentPath } from '../document.ts'
import type { PlacedAction } from '../draft.ts'
import { isCounting, STYLES, turnsPages } from '../pagination-styles.ts'
import type { ErrorRuleSource, PaginationSource, SchemaType } from '../source.ts'
import type { Lint } from './lint.ts'
import { lookUpParam, missingParam, paginationOf } from './param-facts.ts'
import { paramsOf } from './scopes.ts'

/** Findings about the pagination of every listing. */
export function lintPagination(lint: Lint): void {
  for (const action of lint.actions) {
    lintMissing(lint, action)
    lintTypes(lint, action)
    lintSingle(lint, action)
    lintSilentEnd(lint, action)
    lintRules(lint, ownRulesOf(action), [action])
  }
  lintInherited(lint)
  lintRules(lint, placeRules(lint.source.defaults?.errors, ['defaults', 'errors']), lint.actions)
}

function lintMissing(lint: Lint, action: PlacedAction): void {
  const { source, at, operation } = action
  if (!gives(action.name, 'list') || source.response?.single === true) return
  if (paginationOf(lint.source, action) !== undefined) return
  lint.error(
    'pagination/missing',
    { at, part: 'key' },
    `${operation} does not say how its listing goes on`,
    'add pagination, or defaults.pagination; { type: none, reason: … } when the vendor sends everything at once',
  )
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
      const place = {
        at: source.params === undefined ? action : [...action, 'params'],
        part: 'key',
      } as const
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
    if (wanted.some((each) => types.has(each))) continue
    const isOwn = action.source.pagination !== undefined
    lint.error(
      'pagination/param-type',
      isOwn
        ? { at: [...action.at, 'pagination', key] }
        : { at: found.views[0]?.at ?? action.at, part: 'key' },
      `the parameter "${name}" of ${action.operation} cannot hold ${what}`,
      `its type must be ${wanted.join(' or ')}`,
    )
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
  const place = { at: [...at, 'pagination', 'silent_end'], part: 'key' } as const
  const message = `${operation} counts on until a page is empty, so its end is never silent`
  const hint = 'remove silent_end, or add more'
  lint.error('pagination/silent-end-without-effect', place, message, hint)
}

interface PlacedRule {
  readonly at: DocumentPath
  readonly rule: ErrorRuleSource
}

/** The error rules of an action and of its steps. */
export function ownRulesOf({ at, source }: PlacedAction): readonly PlacedRule[] {
  const steps = (source.steps ?? []).flatMap((step, index) =>
    placeRules(step.errors, [...at, 'steps', index, 'errors']),
  )
  return [...steps, ...placeRules(source.errors, [...at, 'errors'])]
}

/** Error rules with their places. */
export function placeRules(
  rules: readonly ErrorRuleSource[] | undefined,
  at: DocumentPath,
): readonly PlacedRule[] {
  return (rules ?? []).map((rule, index) => ({ rule, at: [...at, index] }))
}

/** What an error rule needs of a listing, by its effect. */
const NEEDS: Readonly<Partial<Record<ErrorRuleSource['then'], Need>>> = {
  restart_pagination: {
    meets: turnsPages,
    rule: 'pagination/nothing-to-restart',
    one: 'has no pages to start again with',
    all: 'no listing of this manifest turns pages',
    hint: null,
  },
  shrink_page: {
    meets: ({ size }) => size !== undefined,
    rule: 'pagination/no-size-to-shrink',
    one: 'names no parameter that holds the page size',
    all: 'no listing names a parameter that holds the page size',
    hint: 'add pagination.size',
  },
}
interface Need {
  meets(pagination: PaginationSource): boolean
  readonly rule: string
  /** What an action lacks. */
  readonly one: string
  /** The same of rules in `defaults`. */
  readonly all: string
  readonly hint: string | null
}

/** Rules that none of these actions can serve: the one that they stand in, or all where they stand in `defaults`. */
function lintRules(
  lint: Lint,
  rules: readonly PlacedRule[],
  actions: readonly PlacedAction[],
): void {
  const paginations = actions.flatMap((action) => paginationOf(lint.source, action) ?? [])
  for (const { at, rule } of rules) {
    const need = NEEDS[rule.then]
    if (need === undefined || paginations.some((pagination) => need.meets(pagination))) continue
    const message = at[0] === 'defaults' ? need.all : `${actions[0]?.operation ?? ''} ${need.one}`
    lint.error(need.rule, { at: [...at, 'then'] }, message, need.hint)
  }
}
