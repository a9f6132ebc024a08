// Manifest + operation → plan: the action found, its parameters checked and completed, everything wrong named at once.
import { ConnectorError, type Problem } from '../../errors.ts'
import { compileExpression, isTrue } from '../../language/expression/evaluate.ts'
import type { ParamPath } from '../../language/expression/syntax.ts'
import { ownAt, withMember, withoutMember } from '../../language/json/members.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { gives, withSearch } from '../../language/manifest/actions.ts'
import type { Action, Entity, Manifest, Pagination } from '../../language/manifest/manifest.ts'
import { isCounting, pagingOf } from '../../language/manifest/pagination-styles.ts'
import { didYouMean } from '../../language/manifest/suggest.ts'
import type { GivenFiles } from './files.ts'
import { compileInput } from './prepare-input.ts'

/** What a caller wants done. */
export interface Operation {
  readonly entity: string
  readonly action: string
  readonly params?: JsonObject
  /** Files by the names of their parameters, which are not in `params` then. */
  readonly files?: GivenFiles
}

/** One action of a manifest, found by name. */
export interface FoundAction {
  readonly entity: Entity
  readonly action: Action
}

/**
 * Checks and completes the parameters of one action: aliases, defaults (also those that come from settings), schema,
 * `refuse`, the value of the first page. `now`: the clock of defaults that follow it, in milliseconds since 1970.
 * Throws `params_invalid` with every problem; pointers start with `/params`.
 */
export type PlanParams = (params: JsonObject, config: JsonObject, now?: () => number) => JsonObject

/**
 * Finds actions by name. Throws `operation_unknown` or `search_needs_hosted_mode`. Names never reach a plain object
 * look-up, so `constructor` is just unknown.
 */
export function createActionFinder(
  manifest: Manifest,
): (entity: string, action: string) => FoundAction {
  const entities = new Map(
    manifest.entities.map((entity) => [
      entity.name,
      {
        entity,
        actions: new Map(
          entity.actions.map((action) => [action.name as string, { entity, action }]),
        ),
      },
    ]),
  )
  return (entityName, actionName) => {
    const entity = entities.get(entityName)
    if (entity === undefined)
      throw operationUnknown(manifest, { entity: entityName }, [...entities.keys()])
    const found = entity.actions.get(actionName)
    if (found !== undefined) return found
    if (gives(actionName, 'hits') && entity.entity.search !== null)
      throw searchNeedsHostedMode(manifest, entity.entity)
    const { search } = entity.entity
    const allowed = withSearch([...entity.actions.keys()], search !== null)
    throw operationUnknown(manifest, { entity: entityName, action: actionName }, allowed)
  }
}

/** Compiles the planning of one action. */
export function compilePlan(manifest: Manifest, action: Action): PlanParams {
  const prepare = compileInput(action.params, {
    definitions: manifest.definitions,
    pointer: '/params',
    noun: 'parameter',
    readsInt64: true,
  })
  const refusals = action.refuse.map((refusal) => ({
    ...refusal,
    test: compileExpression(refusal.test),
  }))
  return (given, config, now) => {
    const scope = { config, maps: manifest.maps }
    const { value, problems } = prepare(given, now === undefined ? scope : { ...scope, now })
    const all: Problem[] = [...problems]
    if (problems.length === 0) {
      for (const refusal of refusals) {
        if (!isTrue(refusal.test({ ...scope, params: value }))) continue
        for (const param of refusal.params) {
          all.push({
            pointer: pointerTo('/params', param),
            code: 'refused',
            detail: refusal.message,
          })
        }
      }
    }
    if (all.length > 0) throw paramsInvalid(manifest, action, all)
    return fillFirst(action.pagination, value)
  }
}

function paramsInvalid(
  manifest: Manifest,
  action: Action,
  problems: readonly Problem[],
): ConnectorError {
  const texts = [...new Set(problems.map((problem) => `${problem.pointer}: ${problem.detail}`))]
  return new ConnectorError(
    'params_invalid',
    `${manifest.type} ${action.entity}.${action.name}: ${texts.join('; ')}`,
    {
      errors: problems,
      details: { connector: manifest.type, entity: action.entity, action: action.name },
    },
  )
}

function searchNeedsHostedMode(manifest: Manifest, entity: Entity): ConnectorError {
  const reading = entity.actions
    .filter((action) => action.response.kind === 'list')
    .map((action) => action.name)
  const instead = reading.length === 0 ? '' : `, or use ${reading.join(' or ')}`
  return new ConnectorError(
    'search_needs_hosted_mode',
    `${manifest.type} ${entity.name}.search reads a synchronized copy, which only the service keeps; connect with connectHosted${instead}`,
    { details: { connector: manifest.type, entity: entity.name } },
  )
}

/** `allowed`: the entities, or the actions of the entity that is named. */
function operationUnknown(
  { type }: Manifest,
  named: { readonly entity: string; readonly action?: string },
  allowed: readonly string[],
): ConnectorError {
  const [what, name] =
    named.action === undefined
      ? (['entity', named.entity] as const)
      : (['action', named.action] as const)
  const of = named.action === undefined ? '' : ` on "${named.entity}"`
  return new ConnectorError(
    'operation_unknown',
    `${type} has no ${what} "${name}"${of}${didYouMean(name, allowed)}; it has ${allowed.join(', ')}`,
    {
      errors: [{ pointer: `/${what}`, code: 'unknown', detail: `unknown ${what}`, allowed }],
      details: { connector: type, ...named },
    },
  )
}

/**
 * The parameters with the value of the first page filled in where the manifest names one (`cursor=*`, `page=1`) and
 * the caller gave none; without the number of the first page where the vendor wants it left out.
 */
function fillFirst(pagination: Pagination, params: JsonObject): JsonObject {
  const paging = pagingOf(pagination)
  if (paging === null) return params
  if (isCounting(paging) && paging.omitted !== null) {
    const isFirst = ownAt(params, paging.param) === paging.omitted
    return isFirst ? withoutMember(params, paging.param) : params
  }
  if (paging.start === null) return params
  if (ownAt(params, paging.param) !== undefined) return params
  return withMember(params, paging.param, paging.start)
}

/**
 * The next page with the values that the clock gave on this one: all pages of a listing have those of the first. `next`:
 * what changes in the parameters; `params`: those that were used.
 */
export function keepClock(
  { params: { defaults } }: Action,
  next: JsonObject,
  params: JsonObject,
): JsonObject {
  return defaults.reduce((kept, entry) => {
    if (!('clock' in entry) || ownAt(kept, entry.at) !== undefined) return kept
    const value = ownAt(params, entry.at)
    return value === undefined ? kept : withMember(kept, entry.at, value)
  }, next)
}

/** The sealed address of the page that the parameters ask for; null where the pages of the listing have none. */
export function sealedLink(
  pagination: Pagination,
  params: JsonObject,
): { readonly param: ParamPath; readonly sealed: string } | null {
  const paging = pagingOf(pagination)
  if (paging?.by !== 'address') return null
  const sealed = ownAt(params, paging.param)
  return typeof sealed === 'string' ? { param: paging.param, sealed } : null
}
