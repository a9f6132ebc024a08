// Pagination: every listing says how it goes on, with parameters that exist and can hold what is put into them.
import { gives } from '../actions.ts'
import { type DocumentPath, problemAt } from '../document.ts'
import { actionsOf, type ManifestDraft, type PlacedAction } from '../draft.ts'
import { isCounting, STYLES, turnsPages } from '../pagination-styles.ts'
import type { ManifestProblem } from '../problem.ts'
import type { ErrorRuleSource, PaginationSource, SchemaType } from '../source.ts'
import { lookUpParam, paginationOf, paramsOf } from './param-facts.ts'
import { missingParam } from './params.ts'
import { typesOf } from './schema-walk.ts'

/** Findings about the pagination of every listing. */
export function lintPagination(draft: ManifestDraft): readonly ManifestProblem[] {
  const actions = actionsOf(draft.source)
  const { defaults } = draft.source
  return [
    ...actions.flatMap((action) => [
      ...lintMissing(draft, action),
      ...lintTypes(draft, action),
      ...lintSingle(draft, action),
      ...lintSilentEnd(draft, action),
      ...lintRules(draft, ownRulesOf(action), [action], `${action.entity}.${action.name}`),
    ]),
    ...lintInherited(draft, actions),
    ...lintRules(draft, placeRules(defaults?.errors, ['defaults', 'errors']), actions, null),
  ]
}

function lintMissing(draft: ManifestDraft, action: PlacedAction): readonly ManifestProblem[] {
  const { source, at } = action
  if (!gives(action.name, 'list') || source.response?.single === true) return []
  if (paginationOf(draft.source, action) !== undefined) return []
  return [
    problemAt(draft.document, {
      at,
      part: 'key',
      rule: 'pagination/missing',
      message: `${action.entity}.${action.name} does not say how its listing goes on`,
      hint: 'add pagination, or defaults.pagination; { type: none, reason: … } when the vendor sends everything at once',
    }),
  ]
}

/** The names of `defaults.pagination` must exist in every listing that takes it over. */
function lintInherited(
  draft: ManifestDraft,
  actions: readonly PlacedAction[],
): readonly ManifestProblem[] {
  const { defaults } = draft.source
  const heirs = actions.filter(
    (action) =>
      action.source.pagination === undefined && paginationOf(draft.source, action) !== undefined,
  )
  return namesOf(defaults?.pagination).flatMap(([name, at]) => {
    const without = heirs.filter((action) => missingParam(draft, action, name) !== undefined)
    const [first] = without
    if (first === undefined) return []
    // Where nobody has it, the name is wrong; where some have it, the others forgot to declare it.
    if (without.length === heirs.length) {
      return [
        problemAt(draft.document, {
          at: ['defaults', 'pagination', ...at],
          part: at.length > 1 ? 'key' : 'value',
          rule: 'pagination/unknown-param',
          message: `no listing that uses this pagination has a parameter "${name}"`,
          hint: missingParam(draft, first, name) ?? null,
        }),
      ]
    }
    return without.map((action) => withoutParam(draft, action, name))
  })
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

function withoutParam(draft: ManifestDraft, action: PlacedAction, name: string): ManifestProblem {
  const declared = action.source.params !== undefined
  return problemAt(draft.document, {
    at: declared ? [...action.at, 'params'] : action.at,
    part: 'key',
    rule: 'pagination/unknown-param',
    message: `${action.entity}.${action.name} has no parameter "${name}", which defaults.pagination uses`,
    hint: 'declare it, or give the action a pagination of its own',
  })
}

function lintTypes(draft: ManifestDraft, action: PlacedAction): readonly ManifestProblem[] {
  const pagination = paginationOf(draft.source, action)
  if (pagination === undefined) return []
  const { type } = pagination
  const held: readonly (readonly ['param' | 'size', readonly SchemaType[], string])[] = [
    ['param', STYLES[type].holds, `what a ${type} pagination puts into it`],
    ['size', ['integer', 'number'], 'a page size'],
  ]
  return held.flatMap(([key, wanted, what]) => {
    const name = pagination[key]
    if (name === undefined) return []
    const found = lookUpParam(draft.source, paramsOf(draft.source, action), name)
    if (found.kind !== 'found') return []
    const types = new Set(found.nodes.flatMap((node) => [...typesOf(draft.source, node)]))
    if (wanted.some((each) => types.has(each))) return []
    const inherited = action.source.pagination === undefined
    const [node] = found.nodes
    return [
      problemAt(draft.document, {
        at: inherited ? (node?.at ?? action.at) : [...action.at, 'pagination', key],
        part: inherited ? 'key' : 'value',
        rule: 'pagination/param-type',
        message: `the parameter "${name}" of ${action.entity}.${action.name} cannot hold ${what}`,
        hint: `its type must be ${wanted.join(' or ')}`,
      }),
    ]
  })
}

function lintSingle(draft: ManifestDraft, action: PlacedAction): readonly ManifestProblem[] {
  const { source, at } = action
  if (source.response?.single !== true) return []
  if (source.pagination === undefined || !turnsPages(source.pagination)) return []
  return [
    problemAt(draft.document, {
      at: [...at, 'pagination', 'type'],
      rule: 'pagination/single-turns-pages',
      message: `${action.entity}.${action.name} delivers a single object, which has no further page`,
      hint: 'remove pagination, or remove response.single',
    }),
  ]
}

/** Where numbers are counted on, only an absent `more` can end a listing without a word. */
function lintSilentEnd(draft: ManifestDraft, action: PlacedAction): readonly ManifestProblem[] {
  const { pagination } = action.source
  if (pagination?.silent_end !== true || pagination.more !== undefined) return []
  if (!isCounting(STYLES[pagination.type])) return []
  return [
    problemAt(draft.document, {
      at: [...action.at, 'pagination', 'silent_end'],
      part: 'key',
      rule: 'pagination/silent-end-without-effect',
      message: `${action.entity}.${action.name} counts on until a page is empty, so its end is never silent`,
      hint: 'remove silent_end, or add more',
    }),
  ]
}

interface PlacedRule {
  readonly at: DocumentPath
  readonly rule: ErrorRuleSource
}

/** The error rules of an action and of its steps. */
export function ownRulesOf(action: PlacedAction): readonly PlacedRule[] {
  const { at, source } = action
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
  readonly all: string
  readonly hint: string | null
}

/** Rules that none of these actions can serve. `name`: of the one action that they stand in; null in `defaults`. */
function lintRules(
  draft: ManifestDraft,
  rules: readonly PlacedRule[],
  actions: readonly PlacedAction[],
  name: string | null,
): readonly ManifestProblem[] {
  const paginations = actions.flatMap((action) => paginationOf(draft.source, action) ?? [])
  return rules.flatMap(({ at, rule }) => {
    const need = NEEDS[rule.then]
    if (need === undefined || paginations.some((pagination) => need.meets(pagination))) return []
    const message = name === null ? need.all : `${name} ${need.one}`
    const { rule: id, hint } = need
    return [problemAt(draft.document, { at: [...at, 'then'], rule: id, message, hint })]
  })
}
