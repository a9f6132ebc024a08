// What conditions come to, whatever a caller gives: each part that is neither and, or nor not is true or false by itself.
import { isExpression } from '../../expression/parse-text.ts'
import type { Expression } from '../../expression/syntax.ts'
import { formatPath, type DocumentPath } from '../document.ts'
import type { PlacedAction } from '../draft.ts'
import { onlyExpression } from './expression-facts.ts'
import type { Lint } from './lint.ts'
import { isAlwaysGiven } from './param-facts.ts'
import type { SchemaView } from './schema-walk.ts'
import { paramsOf } from './scopes.ts'

/** With more parts than these nothing is said: each doubles the cases. */
const MAX_PARTS = 8

/** Whether one of these conditions holds in every call. */
export function oneAlwaysHolds(conditions: readonly Expression[], params?: SchemaView): boolean {
  const names = [...new Set(conditions.flatMap((condition) => partsOf(condition, params)))]
  if (names.length > MAX_PARTS) return false
  return Array.from({ length: 2 ** names.length }, (_, bits) => bits).every((bits) => {
    const isTrue = (name: string): boolean => ((bits >> names.indexOf(name)) & 1) === 1
    return conditions.some((condition) => holds(condition, isTrue, params))
  })
}

function holds(
  test: Expression,
  isTrue: (name: string) => boolean,
  params: SchemaView | undefined,
): boolean {
  if (test.kind === 'literal') return test.value !== null && test.value !== false
  if (test.kind === 'call') {
    const each = (part: Expression): boolean => holds(part, isTrue, params)
    if (test.helper === 'not') return !test.args.every(each)
    if (test.helper === 'and') return test.args.every(each)
    if (test.helper === 'or') return test.args.some(each)
  }
  return isCertain(test, params) || isTrue(JSON.stringify(test))
}

function partsOf(test: Expression, params: SchemaView | undefined): readonly string[] {
  if (test.kind === 'literal') return []
  if (test.kind === 'call' && ['not', 'and', 'or'].includes(test.helper))
    return test.args.flatMap((part) => partsOf(part, params))
  return isCertain(test, params) ? [] : [JSON.stringify(test)]
}

/** A parameter that is always there, and neither null nor false. */
function isCertain(test: Expression, params: SchemaView | undefined): boolean {
  if (params === undefined || test.kind !== 'path' || test.root !== 'params') return false
  const found = params.lookUp(test.path)
  if (found.kind !== 'found' || !isAlwaysGiven(params, test.path)) return false
  return found.views.every((view) => {
    const types = view.types()
    return !types.has('null') && !types.has('boolean')
  })
}

/** The condition that stands at a place; null where there is none. */
export function conditionAt({ draft }: Lint, at: DocumentPath): Expression | null {
  const placed = draft.texts.find((text) => formatPath(text.at) === formatPath(at))
  const only = placed === undefined ? null : onlyExpression(placed.text)
  return only !== null && isExpression(only) ? only : null
}

/** A `refuse` that holds for every call that the schema admits. */
export function lintRefusals(lint: Lint, action: PlacedAction): void {
  const params = paramsOf(lint.source, action)
  for (const index of (action.source.refuse ?? []).keys()) {
    const place = { at: [...action.at, 'refuse', index, 'if'] }
    const test = conditionAt(lint, place.at)
    if (test === null || !oneAlwaysHolds([test], params)) continue
    const message = `${action.operation} refuses every call: what the condition asks for is always given`
    const hint = 'turn the condition round with not, or take its parameters out of required'
    lint.error('params/always-refused', place, message, hint)
  }
}
