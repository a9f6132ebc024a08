// What is known about the parameters of an action: which exist, which are always there, which are used.
import { pathsIn } from '../../expression/paths-in.ts'
import type { Expression, ParamPath } from '../../expression/syntax.ts'
import type { ManifestDraft, Owner, PlacedAction } from '../draft.ts'
import { gives } from '../actions.ts'
import { STYLES } from '../pagination-styles.ts'
import type { ManifestSource, PaginationSource } from '../source.ts'
import { nearest, suggestion } from '../suggest.ts'
import { type Lookup, type SchemaView } from './schema-walk.ts'
import { type ActionNames, paramsOf } from './scopes.ts'

export function isOwnedBy(owner: Owner, action: ActionNames): boolean {
  return owner.area === 'action' && owner.entity === action.entity && owner.action === action.name
}

/** The pagination that holds for a listing, its own or the manifest's; undefined where neither is declared. */
export function paginationOf(
  source: ManifestSource,
  action: PlacedAction,
): PaginationSource | undefined {
  if (!gives(action.name, 'list')) return undefined
  if (action.source.pagination !== undefined) return action.source.pagination
  // A single object delivered as a list of one has no further page.
  return action.source.response?.single === true ? undefined : source.defaults?.pagination
}

/** What a parameter written with dots means: the parameter of that whole name, else a member of an object. */
export function lookUpParam(params: SchemaView, written: string): Lookup {
  const whole = params.lookUp([written])
  return whole.kind === 'found' ? whole : params.lookUp(written.split('.'))
}

/** Undefined when an action has the parameter; otherwise the hint for the name, which may be null. */
export function missingParam(
  source: ManifestSource,
  action: ActionNames,
  name: string,
): string | null | undefined {
  const params = paramsOf(source, action)
  const found = lookUpParam(params, name)
  if (found.kind !== 'unknown') return undefined
  const names = [...params.members().keys()]
  if (names.length === 0) return 'it declares no params'
  return found.step === 0
    ? suggestion(name, names)
    : suggestion(name.split('.')[found.step] ?? '', found.names)
}

/** The parameters that an action requires and that are neither given nor filled in. */
export function neededParams(
  source: ManifestSource,
  action: ActionNames,
  given: readonly string[],
): readonly string[] {
  const params = paramsOf(source, action)
  return [...params.required()].filter((name) => !given.includes(name) && !hasDefault(params, name))
}

function pathOfParam(params: SchemaView, written: string): ParamPath {
  return params.members().has(written) ? [written] : written.split('.')
}

/** Whether a parameter always has a value: it and every object around it is required, has a default, or is `given`. */
export function isAlwaysGiven(
  params: SchemaView,
  path: readonly string[],
  given: readonly (readonly string[])[] = [],
): boolean {
  let nodes: readonly SchemaView[] = [params]
  for (const [step, name] of path.entries()) {
    const proven = given.some((known) => startsWith(known, path.slice(0, step + 1)))
    if (!proven && !nodes.every((node) => isAlwaysIn(node, name))) return false
    nodes = nodes.flatMap((node) => node.members().get(name) ?? [])
  }
  return true
}

function isAlwaysIn(node: SchemaView, name: string): boolean {
  const required = node.alternatives().every((part) => part.required().has(name))
  return required || hasDefault(node, name)
}

/** Whether a member is filled in when the caller gives nothing. */
function hasDefault(node: SchemaView, name: string): boolean {
  const member = node.members().get(name)
  return (
    member !== undefined &&
    member
      .alternatives()
      .some(({ schema }) => schema.default !== undefined || schema.default_from !== undefined)
  )
}

/** The parameters that are certainly given when an expression is true. */
export function provenBy(test: Expression): readonly ParamPath[] {
  if (test.kind === 'path') return test.root === 'params' ? [test.path] : []
  if (test.kind !== 'call') return []
  if (test.helper === 'and') return test.args.flatMap(provenBy)
  const [first, second] = test.args
  if (test.helper === 'given' && first !== undefined) return provenBy(first)
  if (test.helper === 'eq' && first !== undefined && second?.kind === 'literal') {
    return second.value === null ? [] : provenBy(first)
  }
  return []
}

/** The parameters that are certainly given when an expression is not true: what a `refuse` leaves over. */
export function provenByRefusal(test: Expression): readonly ParamPath[] {
  if (test.kind !== 'call') return []
  if (test.helper === 'or') return test.args.flatMap(provenByRefusal)
  const [first] = test.args
  return test.helper === 'not' && first !== undefined ? provenBy(first) : []
}

/**
 * Every place of an action's parameters that has an effect: requests, conditions, filters, `refuse`, `unsent`, `carry`,
 * the range of a download, and the parameter that takes the address of the next page.
 * A name that is wrong counts for the one it is nearest to, so that one mistake is one finding.
 */
export function usedParams(draft: ManifestDraft, action: PlacedAction): readonly ParamPath[] {
  const { source } = draft
  const params = paramsOf(source, action)
  const texts = draft.texts.filter(
    ({ owner, place }) => isOwnedBy(owner, action) && !WITHOUT_EFFECT.has(place),
  )
  const paths = texts.flatMap(({ text }) => pathsIn(text, 'params'))
  const names = draft.paramNames
    .filter((placed) => isOwnedBy(placed.owner, action) && !TURNED.has(placed.use))
    .map((placed) => pathOfParam(params, placed.source))
  const pagination = paginationOf(source, action)
  const takesAddress = pagination !== undefined && STYLES[pagination.type].by === 'address'
  const turned = takesAddress ? [pathOfParam(params, pagination.param ?? '')] : []
  return [...paths, ...names, ...turned].map((path) => meant(params, path))
}

/** Named by a pagination, which puts them into no request. */
const TURNED: ReadonlySet<string> = new Set(['pagination.param', 'pagination.size'])
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['errors.message', 'error_body.message'])

function meant(params: SchemaView, path: ParamPath): ParamPath {
  const found = params.lookUp(path)
  if (found.kind !== 'unknown') return path
  const near = nearest(path[found.step] ?? '', found.names)
  return near === null ? path : [...path.slice(0, found.step), near]
}

export function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.length <= path.length && start.every((step, index) => path[index] === step)
}
