// Calls for each record: the other action exists, only reads, takes what it is given, and its answer has a place.
import { ACTIONS, gives } from '../actions.ts'
import type { PlacedAction } from '../draft.ts'
import { inWords, suggestion } from '../suggest.ts'
import { keyAt, type Lint } from './lint.ts'
import { missingParam, neededParams } from './param-facts.ts'
import { SchemaView } from './schema-walk.ts'

type ForEach = NonNullable<PlacedAction['source']['for_each']>

/** Findings about `for_each`. */
export function lintForEach(lint: Lint): void {
  for (const action of lint.actions) {
    const { for_each: each } = action.source
    if (each === undefined) continue
    lintInto(lint, action, each)
    const called = lint.actions.find(({ operation }) => operation === each.action)
    const at = [...action.at, 'for_each', 'action']
    if (called === undefined) {
      const names = lint.actions.filter(({ name }) => canBeCalled(name)).map((a) => a.operation)
      const hint = suggestion(each.action, names) ?? `it has ${inWords(names)}`
      lint.error('steps/unknown-action', { at }, `there is no action "${each.action}"`, hint)
    } else if (!canBeCalled(called.name)) {
      const message = `${each.action} cannot be called for each record: it delivers no records, or changes some`
      lint.error('steps/each-writes', { at }, message, 'name an action that lists or gets')
    } else if (called.source.for_each !== undefined) {
      const message = `${each.action} calls an action for each record itself`
      const hint = 'one action has one for_each; leave out one of the two'
      lint.error('steps/each-in-each', { at }, message, hint)
    } else lintParams(lint, action, called, each)
  }
}

function canBeCalled(name: PlacedAction['name']): boolean {
  return gives(name, 'list', 'record') && ACTIONS[name].effect === null
}

function lintParams(
  lint: Lint,
  action: PlacedAction,
  called: PlacedAction,
  { params = {} }: ForEach,
): void {
  const base = [...action.at, 'for_each']
  const given = Object.keys(params)
  for (const param of given) {
    const hint = missingParam(lint.source, called, param)
    if (hint === undefined) continue
    const message = `${called.operation} has no parameter "${param}"`
    lint.error('steps/each-unknown-param', keyAt(...base, 'params', param), message, hint)
  }
  for (const param of neededParams(lint.source, called, given)) {
    const message = `${called.operation} requires "${param}", which for_each does not give`
    const hint = `add params: { ${param}: "{{ record.… }}" }`
    lint.error('steps/each-required-param', keyAt(...base), message, hint)
  }
}

/** Callers find the member by the schema of the record, and so does the copy. */
function lintInto(lint: Lint, action: PlacedAction, { into, append }: ForEach): void {
  const { source, entity, at } = action
  const record =
    source.response?.page === undefined
      ? (source.result ?? lint.entity(entity)?.record)
      : lint.entity(entity)?.record
  const place = { at: [...at, 'for_each', 'into'] }
  const view = new SchemaView(lint.source, record ?? {})
  const path = into.split('.')
  const found = view.members().has(path[0] ?? '') ? view.lookUp(path) : null
  if (found === null || found.kind === 'unknown') {
    const hint = suggestion(into, [...view.members().keys()]) ?? 'declare it in the record'
    lint.error('steps/each-into', place, `the record of ${entity} has no member "${into}"`, hint)
  } else if (append === true && found.kind === 'found') {
    const isList = found.views.every((each) => each.types().has('array'))
    if (isList) return
    const message = `"${into}" is no list, so nothing can be appended to it`
    lint.error('steps/each-into', place, message, 'name the list, or leave out append')
  }
}
