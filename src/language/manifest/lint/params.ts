// Parameters: names that exist, an effect for each, a value wherever one is needed.
import { isExpression, spanOf } from '../../expression/parse-text.ts'
import type { Expression, ParamPath } from '../../expression/syntax.ts'
import type { PlacedAction } from '../draft.ts'
import { suggestion } from '../suggest.ts'
import { conditionAt, lintRefusals } from './conditions.ts'
import { formatExpression, type PathExpression } from './expression-facts.ts'
import { keyAt, type Lint } from './lint.ts'
import {
  isAlwaysGiven,
  isOwnedBy,
  missingParam,
  provenBy,
  provenByRefusal,
  startsWith,
  usedParams,
} from './param-facts.ts'
import { SchemaView } from './schema-walk.ts'
import { paramsOf } from './scopes.ts'

export function lintParams(lint: Lint): void {
  lintNames(lint)
  lintNarrowLimits(lint)
  for (const action of lint.actions) {
    lintUnused(lint, action)
    lintUnsent(lint, action)
    lintPaths(lint, action)
    lintOpenness(lint, action)
    lintRefusals(lint, action)
  }
}

/** `limits.narrow`: a limit for the values of a parameter that no action has is none. */
function lintNarrowLimits(lint: Lint): void {
  const { source, actions } = lint
  const names = actions.flatMap((action) => [...paramsOf(source, action).members().keys()])
  for (const [index, { per }] of (source.limits?.narrow ?? []).entries()) {
    if (per === undefined || names.includes(per)) continue
    const place = { at: ['limits', 'narrow', index, 'per'] }
    const hint = suggestion(per, [...new Set(names)])
    lint.error('params/unknown-in-limits', place, `no action has a parameter "${per}"`, hint)
  }
}

/** `request.query` and so on: names in the blocks of an action, and of what calls one. */
function lintNames(lint: Lint): void {
  for (const placed of lint.draft.paramNames) {
    const { owner, use, source: name } = placed
    if (owner.area !== 'action' || owner.entity === null || owner.action === null) continue
    const hint = missingParam(lint.source, { entity: owner.entity, name: owner.action }, name)
    if (hint === undefined) continue
    const [block = ''] = use.split('.')
    const rule = `${OWN_GROUPS.has(block) ? block : 'params'}/unknown-param`
    lint.error(rule, placed, `${owner.entity}.${owner.action} has no parameter "${name}"`, hint)
  }
}

const OWN_GROUPS: ReadonlySet<string> = new Set(['request', 'response', 'pagination'])

const MEANT: ReadonlySet<string> = new Set(['expression/foreign', 'expression/path-as-text'])

function lintUnused(lint: Lint, action: PlacedAction): void {
  const used = usedParams(lint.draft, action)
  const visit = (path: ParamPath, node: SchemaView): void => {
    if (used.some((known) => startsWith(path, known))) return
    const members = node.members()
    if (used.some((known) => startsWith(known, path))) {
      for (const [name, member] of members) visit([...path, name], member)
      return
    }
    // A text that was to be this parameter is the same mistake.
    const meant = `params.${path.join('.')} }}`
    const isMeant = lint.problems.some(
      ({ rule, hint }) => MEANT.has(rule) && hint?.includes(meant) === true,
    )
    if (isMeant) return
    const message = `the parameter "${path.join('.')}" of ${action.operation} goes nowhere`
    const hint =
      'put it into the request, filter with response.where, refuse it, or say why in unsent'
    lint.error('params/unused', keyAt(...(node.at ?? action.at)), message, hint)
  }
  const members = paramsOf(lint.source, action).members()
  for (const [name, member] of members) visit([name], member)
}

/** What is said to have no effect must have none. */
function lintUnsent(lint: Lint, action: PlacedAction): void {
  const { texts, paramNames } = lint.draft
  for (const name of Object.keys(action.source.unsent ?? {})) {
    const isListed = paramNames.some(
      ({ owner, use, source }) =>
        isOwnedBy(owner, action) && use.startsWith('request.') && source === name,
    )
    const isPrinted = texts.some(
      ({ owner, place, text }) =>
        isOwnedBy(owner, action) &&
        place.startsWith('request.') &&
        text.some(
          (part) => typeof part === 'object' && part.kind === 'path' && part.path[0] === name,
        ),
    )
    if (!isListed && !isPrinted) continue
    const place = keyAt(...action.at, 'unsent', name)
    const message = `"${name}" is said to have no effect, and a request of ${action.operation} sends it`
    lint.error('params/unsent-but-sent', place, message, 'remove it from one of the two')
  }
}

/** A path cannot be built without its values. */
function lintPaths(lint: Lint, action: PlacedAction): void {
  const params = paramsOf(lint.source, action)
  const refused = (action.source.refuse ?? []).flatMap((_, index) =>
    proven(conditionAt(lint, [...action.at, 'refuse', index, 'if']), provenByRefusal),
  )
  for (const placed of lint.draft.texts) {
    if (!isOwnedBy(placed.owner, action) || placed.place !== 'request.path') continue
    const { step } = placed.owner
    const at = [...action.at, 'steps', step ?? 0, 'if']
    const given = [...refused, ...(step === null ? [] : proven(conditionAt(lint, at), provenBy))]
    const absent = ({ path }: PathExpression): boolean => !isAlwaysGiven(params, path, given)
    for (const part of placed.text) {
      const missing = isExpression(part) ? possiblyAbsent(part, absent) : null
      if (missing === null) continue
      const place = { at: placed.at, inner: spanOf(missing) }
      const message = `the path needs "${formatExpression(missing)}", which a caller may leave out`
      const hint = 'list it in required, or give it a default'
      lint.error('params/optional-in-path', place, message, hint)
    }
  }
}

function proven(
  test: Expression | null,
  by: (test: Expression) => readonly ParamPath[],
): readonly ParamPath[] {
  return test === null ? [] : by(test)
}

/** A parameter without which an expression has no value, or null when it always has one. */
function possiblyAbsent(
  expression: Expression,
  absent: (path: PathExpression) => boolean,
): PathExpression | null {
  if (expression.kind === 'path') {
    return expression.root === 'params' && absent(expression) ? expression : null
  }
  if (expression.kind !== 'call') return null
  const { helper, args } = expression
  if (TRUTHS.has(helper)) return null
  const missing = args.map((argument) => possiblyAbsent(argument, absent))
  if (helper === 'default' || helper === 'or') {
    return missing.every((path) => path !== null) ? (missing[0] ?? null) : null
  }
  return (helper === 'if' ? missing.slice(1) : missing).find((path) => path !== null) ?? null
}

const TRUTHS: ReadonlySet<string> = new Set(['not', 'eq', 'in', 'given', 'now'])

/** Objects inside params say whether unknown members are theirs. */
function lintOpenness(lint: Lint, action: PlacedAction): void {
  const seen = new Set<unknown>()
  const visit = (node: SchemaView, path: string): void => {
    for (const part of node.alternatives()) {
      const { schema, at } = part
      if (seen.has(schema)) continue
      seen.add(schema)
      const says = schema.properties === undefined || schema.additionalProperties !== undefined
      if (at !== null && path !== '' && !says) {
        const place = keyAt(...at, 'properties')
        const message = `the object "${path}" does not say whether it takes other members`
        const hint = 'add additionalProperties: false, or true when callers may add their own'
        lint.error('params/neither-open-nor-closed', place, message, hint)
      }
      const own = new SchemaView(part.source, schema, at)
      for (const [name, member] of own.members()) {
        visit(member, path === '' ? name : `${path}.${name}`)
      }
      for (const items of own.items()) visit(items, `${path}[]`)
    }
  }
  visit(paramsOf(lint.source, action), '')
}
