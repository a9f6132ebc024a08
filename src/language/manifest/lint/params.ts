// Parameters: names that exist, an effect for each, a value wherever one is needed.
import type { Expression, ParamPath } from '../../expression/syntax.ts'
import { type DocumentPath, problemAt } from '../document.ts'
import { actionsOf, type ManifestDraft, type PlacedAction, type PlacedText } from '../draft.ts'
import type { ManifestProblem } from '../problem.ts'
import { suggestion } from '../suggest.ts'
import {
  formatExpression,
  innerOf,
  onlyExpression,
  type PathExpression,
} from './expression-facts.ts'
import {
  type ActionNames,
  isAlwaysGiven,
  isOwnedBy,
  lookUpParam,
  paramsOf,
  provenBy,
  provenByRefusal,
  startsWith,
  usedParams,
} from './param-facts.ts'
import { alternatives, itemsOf, membersOf, type SchemaNode } from './schema-walk.ts'

/** Findings about the parameters of every action. */
export function lintParams(draft: ManifestDraft): readonly ManifestProblem[] {
  return [
    ...lintNames(draft),
    ...lintNarrowLimits(draft),
    ...actionsOf(draft.source).flatMap((action) => [
      ...lintUnused(draft, action),
      ...lintUnsent(draft, action),
      ...lintPaths(draft, action),
      ...lintOpenness(draft, action),
    ]),
  ]
}

/** `limits.narrow`: a limit for the values of a parameter that no action has is none. */
function lintNarrowLimits(draft: ManifestDraft): readonly ManifestProblem[] {
  const names = new Set(
    actionsOf(draft.source).flatMap((action) => [
      ...membersOf(draft.source, paramsOf(draft.source, action)).keys(),
    ]),
  )
  return (draft.source.limits?.narrow ?? []).flatMap(({ per }, index) =>
    names.has(per)
      ? []
      : [
          problemAt(draft.document, {
            at: ['limits', 'narrow', index, 'per'],
            rule: 'params/unknown-in-limits',
            message: `no action has a parameter "${per}"`,
            hint: suggestion(per, [...names]),
          }),
        ],
  )
}

/** `request.query` and so on: names in the blocks of an action, and of what calls one. */
function lintNames(draft: ManifestDraft): readonly ManifestProblem[] {
  return draft.paramNames.flatMap(({ at, part, owner, use, source: name }) => {
    if (owner.area !== 'action' || owner.entity === null || owner.action === null) return []
    const action = { entity: owner.entity, name: owner.action }
    const hint = missingParam(draft, action, name)
    if (hint === undefined) return []
    const [block = ''] = use.split('.')
    return [
      problemAt(draft.document, {
        at,
        part,
        rule: `${OWN_GROUPS.has(block) ? block : 'params'}/unknown-param`,
        message: `${action.entity}.${action.name} has no parameter "${name}"`,
        hint,
      }),
    ]
  })
}

/** The blocks with a group of rules of their own. */
const OWN_GROUPS: ReadonlySet<string> = new Set(['request', 'response', 'pagination'])

/** Undefined when an action has the parameter; otherwise the hint for the name, which may be null. */
export function missingParam(
  draft: ManifestDraft,
  action: ActionNames,
  name: string,
): string | null | undefined {
  const params = paramsOf(draft.source, action)
  const found = lookUpParam(draft.source, params, name)
  if (found.kind !== 'unknown') return undefined
  const names = [...membersOf(draft.source, params).keys()]
  if (names.length === 0) return 'it declares no params'
  return found.step === 0
    ? suggestion(name, names)
    : suggestion(name.split('.')[found.step] ?? '', found.names)
}

function lintUnused(draft: ManifestDraft, action: PlacedAction): readonly ManifestProblem[] {
  const used = usedParams(draft, action)
  const unused = (path: ParamPath, node: SchemaNode): readonly ManifestProblem[] => {
    if (used.some((known) => startsWith(path, known))) return []
    const members = membersOf(draft.source, node)
    if (members.size > 0 && used.some((known) => startsWith(known, path))) {
      return [...members].flatMap(([name, member]) => unused([...path, name], member))
    }
    if (used.some((known) => startsWith(known, path))) return []
    return [
      problemAt(draft.document, {
        at: node.at ?? action.at,
        part: 'key',
        rule: 'params/unused',
        message: `the parameter "${path.join('.')}" of ${action.entity}.${action.name} goes nowhere`,
        hint: 'put it into the request, filter with response.where, refuse it, or say why in unsent',
      }),
    ]
  }
  const members = membersOf(draft.source, paramsOf(draft.source, action))
  return [...members].flatMap(([name, member]) => unused([name], member))
}

/** What is said to have no effect must have none. */
function lintUnsent(draft: ManifestDraft, action: PlacedAction): readonly ManifestProblem[] {
  const names = Object.keys(action.source.unsent ?? {})
  const texts = draft.texts.filter(
    ({ owner, place }) => isOwnedBy(owner, action) && place.startsWith('request.'),
  )
  return names.flatMap((name) => {
    const listed = draft.paramNames.find(
      ({ owner, use, source }) =>
        isOwnedBy(owner, action) && use.startsWith('request.') && source === name,
    )
    const printed = texts.find(({ text }) =>
      text.some(
        (part) => typeof part === 'object' && part.kind === 'path' && part.path[0] === name,
      ),
    )
    const place = listed ?? printed
    if (place === undefined) return []
    return [
      problemAt(draft.document, {
        at: [...action.at, 'unsent', name],
        part: 'key',
        rule: 'params/unsent-but-sent',
        message: `"${name}" is said to have no effect, and a request of ${action.entity}.${action.name} sends it`,
        hint: 'remove it from one of the two',
      }),
    ]
  })
}

/** A path cannot be built without its values. */
function lintPaths(draft: ManifestDraft, action: PlacedAction): readonly ManifestProblem[] {
  const params = paramsOf(draft.source, action)
  const refused = (action.source.refuse ?? []).flatMap((_, index) =>
    conditionAt(draft, [...action.at, 'refuse', index, 'if'], provenByRefusal),
  )
  return draft.texts.flatMap((placed) => {
    if (!isOwnedBy(placed.owner, action) || placed.place !== 'request.path') return []
    const { step } = placed.owner
    const tested =
      step === null ? [] : conditionAt(draft, [...action.at, 'steps', step, 'if'], provenBy)
    const given = [...refused, ...tested]
    const absent = ({ path }: PathExpression): boolean =>
      !isAlwaysGiven(draft.source, params, path, given)
    return placed.text.flatMap((part) => {
      if (typeof part === 'string' || part.kind === 'ifBlock' || part.kind === 'eachBlock')
        return []
      const missing = possiblyAbsent(part, absent)
      return missing === null ? [] : [pathProblem(draft, placed, missing)]
    })
  })
}

function pathProblem(
  draft: ManifestDraft,
  placed: PlacedText,
  expression: PathExpression,
): ManifestProblem {
  return problemAt(draft.document, {
    at: placed.at,
    ...innerOf(placed, expression),
    rule: 'params/optional-in-path',
    message: `the path needs "${formatExpression(expression)}", which a caller may leave out`,
    hint: 'list it in required, or give it a default',
  })
}

function conditionAt(
  draft: ManifestDraft,
  at: DocumentPath,
  proven: (test: Expression) => readonly ParamPath[],
): readonly ParamPath[] {
  const placed = draft.texts.find((text) => isSamePlace(text.at, at))
  const test = placed === undefined ? null : onlyExpression(placed.text)
  return test === null ? [] : proven(test)
}

function isSamePlace(left: DocumentPath, right: DocumentPath): boolean {
  return left.length === right.length && left.every((step, index) => step === right[index])
}

/** A parameter for want of which an expression has no value, or null when it always has one. */
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
function lintOpenness(draft: ManifestDraft, action: PlacedAction): readonly ManifestProblem[] {
  const problems: ManifestProblem[] = []
  const seen = new Set<unknown>()
  const visit = (node: SchemaNode, path: string): void => {
    for (const part of alternatives(draft.source, node)) {
      const { schema, at } = part
      if (seen.has(schema)) continue
      seen.add(schema)
      const nested = at !== null && path !== ''
      if (nested && schema.properties !== undefined && schema.additionalProperties === undefined) {
        problems.push(
          problemAt(draft.document, {
            at: [...at, 'properties'],
            part: 'key',
            rule: 'params/neither-open-nor-closed',
            message: `the object "${path}" does not say whether it takes other members`,
            hint: 'add additionalProperties: false, or true when callers may add their own',
          }),
        )
      }
      const own = { ...part, closed: false }
      for (const [name, member] of membersOf(draft.source, own)) {
        visit(member, path === '' ? name : `${path}.${name}`)
      }
      for (const items of itemsOf(draft.source, own)) visit(items, `${path}[]`)
    }
  }
  visit(paramsOf(draft.source, action), '')
  return problems
}
