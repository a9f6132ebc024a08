// Steps: each has a name of its own, and one of them runs.
import { gives } from '../actions.ts'
import type { PlacedAction } from '../draft.ts'
import { conditionAt, oneAlwaysHolds } from './conditions.ts'
import { keyAt, type Lint } from './lint.ts'
import { paramsOf } from './scopes.ts'

/** Findings about `steps`. What a step reads of earlier ones is checked with the expressions. */
export function lintSteps(lint: Lint): void {
  for (const action of lint.actions) {
    const { at, operation, source } = action
    const { steps = [], refuse = [] } = source
    const withoutRecords = whyNoRecords(action)
    for (const [index, { name, records }] of steps.entries()) {
      const here = [...at, 'steps', index]
      if (steps.findIndex((step) => step.name === name) < index)
        lint.error('steps/name-twice', { at: [...here, 'name'] }, `two steps are called "${name}"`)
      if (records === undefined || withoutRecords === null) continue
      const message = `${operation} ${withoutRecords}, so a step has no records of its own`
      lint.error('steps/records-unused', keyAt(...here, 'records'), message, 'remove records')
    }
    // When no step runs the call is refused, and only `refuse` can say why.
    const isUncertain = steps.length > 0 && steps.every((step) => step.if !== undefined)
    const conditions = steps.flatMap(
      (_, index) => conditionAt(lint, [...at, 'steps', index, 'if']) ?? [],
    )
    if (
      !isUncertain ||
      refuse.length > 0 ||
      oneAlwaysHolds(conditions, paramsOf(lint.source, action))
    )
      continue
    const message = `every step of ${operation} has a condition, so it may be that none runs`
    const hint = 'add refuse: [{ if: "{{ not (or …) }}", params: […], message: … }]'
    lint.error('steps/all-conditional', keyAt(...at, 'steps'), message, hint)
  }
}

/** Records have a place in the answer of a listing, and one place only where the page around them is delivered. */
function whyNoRecords({ name, source }: PlacedAction): string | null {
  if (!gives(name, 'list')) return 'lists nothing'
  return source.response?.page === undefined ? null : 'delivers the page around its records'
}
