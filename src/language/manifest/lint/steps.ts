// Steps: each has a name of its own, and one of them runs.
import { gives } from '../actions.ts'
import { problemAt } from '../document.ts'
import { actionsOf, type ManifestDraft, type PlacedAction } from '../draft.ts'
import type { ManifestProblem } from '../problem.ts'

/** Findings about `steps`. What a step reads of earlier ones is checked with the expressions. */
export function lintSteps(draft: ManifestDraft): readonly ManifestProblem[] {
  return actionsOf(draft.source).flatMap((action) => [
    ...lintNames(draft, action),
    ...lintConditions(draft, action),
    ...lintRecords(draft, action),
  ])
}

function lintNames(draft: ManifestDraft, { at, source }: PlacedAction): readonly ManifestProblem[] {
  const names = (source.steps ?? []).map(({ name }) => name)
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [
          problemAt(draft.document, {
            at: [...at, 'steps', index, 'name'],
            rule: 'steps/name-twice',
            message: `two steps are called "${name}"`,
            hint: null,
          }),
        ],
  )
}

/** Records have a place in the answer of a listing, and one place only where the page around them is delivered. */
function lintRecords(
  draft: ManifestDraft,
  { at, entity, name, source }: PlacedAction,
): readonly ManifestProblem[] {
  const why = !gives(name, 'list')
    ? 'lists nothing'
    : source.response?.page === undefined
      ? null
      : 'delivers the page around its records'
  if (why === null) return []
  return (source.steps ?? []).flatMap((step, index) =>
    step.records === undefined
      ? []
      : [
          problemAt(draft.document, {
            at: [...at, 'steps', index, 'records'],
            part: 'key',
            rule: 'steps/records-unused',
            message: `${entity}.${name} ${why}, so a step has no records of its own`,
            hint: 'remove records',
          }),
        ],
  )
}

/** When no step runs the call is refused, and only `refuse` can say why. */
function lintConditions(
  draft: ManifestDraft,
  { at, entity, name, source }: PlacedAction,
): readonly ManifestProblem[] {
  const { steps, refuse } = source
  if (steps === undefined || (refuse ?? []).length > 0) return []
  if (steps.some((step) => step.if === undefined)) return []
  return [
    problemAt(draft.document, {
      at: [...at, 'steps'],
      part: 'key',
      rule: 'steps/all-conditional',
      message: `every step of ${entity}.${name} has a condition, so it may be that none runs`,
      hint: 'add refuse: [{ if: "{{ not (or …) }}", params: […], message: … }]',
    }),
  ]
}
