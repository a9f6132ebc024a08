// Pagination: every listing says how it goes on, with parameters that exist and can hold what is put into them.
import { gives } from '../actions.ts'
import { type DocumentPath, problemAt } from '../document.ts'
import { actionsOf, type ManifestDraft, type PlacedAction } from '../draft.ts'
import type { ManifestProblem } from '../problem.ts'
import type { ErrorRuleSource, PaginationSource, SchemaType } from '../source.ts'
import { lookUpParam, paginationOf, paramsOf } from './param-facts.ts'
import { missingParam } from './params.ts'
import { typesOf } from './schema-walk.ts'

/** Findings about the pagination of every listing. */
export function lintPagination(draft: ManifestDraft): readonly ManifestProblem[] {
  const actions = actionsOf(draft.source)
  return [
    ...actions.flatMap((action) => [
      ...lintMissing(draft, action),
      ...lintTypes(draft, action),
      ...lintSingle(draft, action),
      ...lintSilentEnd(draft, action),
      ...lintActionErrors(draft, action),
    ]),
    ...lintInherited(draft, actions),
    ...lintDefaultErrors(draft, actions),
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

/** What a moving parameter must be able to hold. */
const HELD: Readonly<Record<PaginationSource['type'], readonly SchemaType[]>> = {
  cursor: ['string', 'integer', 'number', 'object'],
  link: ['string'],
  page: ['integer', 'number'],
  offset: ['integer', 'number'],
  none: [],
}

function lintTypes(draft: ManifestDraft, action: PlacedAction): readonly ManifestProblem[] {
  const pagination = paginationOf(draft.source, action)
  if (pagination === undefined) return []
  return [
    ...lintType(draft, action, 'param', HELD[pagination.type]),
    ...lintType(draft, action, 'size', ['integer', 'number']),
  ]
}

function lintType(
  draft: ManifestDraft,
  action: PlacedAction,
  key: 'param' | 'size',
  wanted: readonly SchemaType[],
): readonly ManifestProblem[] {
  const pagination = paginationOf(draft.source, action)
  const name = pagination?.[key]
  if (pagination === undefined || name === undefined) return []
  const found = lookUpParam(draft.source, paramsOf(draft.source, action), name)
  if (found.kind !== 'found') return []
  const types = new Set(found.nodes.flatMap((node) => [...typesOf(draft.source, node)]))
  if (wanted.some((type) => types.has(type))) return []
  const inherited = action.source.pagination === undefined
  const [node] = found.nodes
  return [
    problemAt(draft.document, {
      at: inherited ? (node?.at ?? action.at) : [...action.at, 'pagination', key],
      part: inherited ? 'key' : 'value',
      rule: 'pagination/param-type',
      message: `the parameter "${name}" of ${action.entity}.${action.name} cannot hold ${
        key === 'size' ? 'a page size' : `what a ${pagination.type} pagination puts into it`
      }`,
      hint: `its type must be ${wanted.join(' or ')}`,
    }),
  ]
}

function lintSingle(draft: ManifestDraft, action: PlacedAction): readonly ManifestProblem[] {
  const { source, at } = action
  if (source.response?.single !== true) return []
  if (source.pagination === undefined || source.pagination.type === 'none') return []
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
  if (pagination.type !== 'page' && pagination.type !== 'offset') return []
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

function turnsPages(draft: ManifestDraft, action: PlacedAction): boolean {
  const pagination = paginationOf(draft.source, action)
  return pagination !== undefined && pagination.type !== 'none'
}

function hasSize(draft: ManifestDraft, action: PlacedAction): boolean {
  return paginationOf(draft.source, action)?.size !== undefined
}

function lintActionErrors(draft: ManifestDraft, action: PlacedAction): readonly ManifestProblem[] {
  const name = `${action.entity}.${action.name}`
  return ownRulesOf(action).flatMap(({ at, rule }) => {
    if (rule.then === 'restart_pagination' && !turnsPages(draft, action)) {
      return [restartProblem(draft, at, `${name} has no pages to start again with`)]
    }
    if (rule.then === 'shrink_page' && !hasSize(draft, action)) {
      return [shrinkProblem(draft, at, `${name} names no parameter that holds the page size`)]
    }
    return []
  })
}

/** In `defaults` such a rule needs one listing at least that it can serve. */
function lintDefaultErrors(
  draft: ManifestDraft,
  actions: readonly PlacedAction[],
): readonly ManifestProblem[] {
  return placeRules(draft.source.defaults?.errors, ['defaults', 'errors']).flatMap(
    ({ at, rule }) => {
      if (
        rule.then === 'restart_pagination' &&
        !actions.some((action) => turnsPages(draft, action))
      ) {
        return [restartProblem(draft, at, 'no listing of this manifest turns pages')]
      }
      if (rule.then === 'shrink_page' && !actions.some((action) => hasSize(draft, action))) {
        return [shrinkProblem(draft, at, 'no listing names a parameter that holds the page size')]
      }
      return []
    },
  )
}

function restartProblem(draft: ManifestDraft, at: DocumentPath, message: string): ManifestProblem {
  return problemAt(draft.document, {
    at: [...at, 'then'],
    rule: 'pagination/nothing-to-restart',
    message,
    hint: null,
  })
}

function shrinkProblem(draft: ManifestDraft, at: DocumentPath, message: string): ManifestProblem {
  return problemAt(draft.document, {
    at: [...at, 'then'],
    rule: 'pagination/no-size-to-shrink',
    message,
    hint: 'add pagination.size',
  })
}
