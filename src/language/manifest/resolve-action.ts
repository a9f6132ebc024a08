// Actions: requests in order, with the rules of the manifest's defaults merged in.
import { ACTIONS, type ActionName, gives } from './actions.ts'
import { castsOf, textTypesOf } from './casts.ts'
import type { PlacedAction } from './draft.ts'
import { GRAPHQL_FAILURES } from './graphql-failures.ts'
import type { Action, ErrorBody, Pagination, ResponseRules, Step } from './manifest.ts'
import { resolveBlock } from './resolve-block.ts'
import { resolvePagination } from './resolve-pagination.ts'
import { paramNames } from './resolve-sync.ts'
import { Resolver, type Site } from './resolver.ts'
import type { PaginationSource, ResponseSource, StepSource } from './source.ts'

/** What a manifest says for all of its actions. */
export interface ManifestDefaults extends Pick<Step, 'errors' | 'retry'> {
  readonly errorBody: ErrorBody
}

/** Resolves one action. */
export function resolveAction(
  action: PlacedAction,
  resolver: Resolver,
  defaults: ManifestDefaults,
): Action {
  const { entity, name, source } = action
  const manifest = resolver.source
  const declared = paramNames(manifest, source.params)
  const site = resolver.site('action', action.at, { entity, action: name }, declared)
  const { errors, request, ...keys } = resolveBlock('action', source, site)
  const inherited = gives(name, 'list')
    ? defaults.errors
    : defaults.errors.filter(({ effect }) => effect !== 'empty')
  const rules = {
    errors: [...errors, ...inherited],
    retry: resolveBlock('retry', source.retry, site.in('retry'), defaults.retry),
  }
  const record = manifest.entities[entity]?.record
  // A page object is no record: what lies in it are the entity's.
  const listed = source.response?.page === undefined ? (source.result ?? record) : record
  return {
    entity,
    name,
    ...keys,
    steps:
      request === undefined
        ? resolveSteps(source.steps, site, rules)
        : [
            {
              name: 'request',
              test: null,
              request,
              poll: null,
              ...withGraphql(source, rules, resolver),
            },
          ],
    response: {
      ...resolveResponse(source.response, site.in('response'), name),
      casts: gives(name, 'list', 'record') ? castsOf(manifest, listed ?? null) : [],
      ...(source.response?.decode === 'xml' && { types: textTypesOf(manifest, listed ?? null) }),
    },
    pagination: resolveActionPagination(action, site, declared),
    retry: rules.retry,
    errorBody: defaults.errorBody,
    download: gives(name, 'stream')
      ? resolveBlock('download', source.download, site.in('download'))
      : null,
  }
}

/** `rules`: those of the action. */
function resolveSteps(
  steps: readonly StepSource[] = [],
  site: Site,
  rules: Pick<Step, 'errors' | 'retry'>,
): readonly Step[] {
  return steps.map((step, index) => {
    const here = site.ofStep(index).in('steps', index)
    const { errors, ...keys } = resolveBlock('step', step, here)
    const retry = resolveBlock('retry', step.retry, here.in('retry'), rules.retry)
    const all = { errors: [...errors, ...rules.errors], retry }
    return { ...keys, ...withGraphql(step, all, site.resolver) }
  })
}

/** The rules of a request; the last ones are those of GraphQL, so that a manifest may take what came next to an error. */
function withGraphql(
  { request }: Pick<StepSource, 'request'> | Pick<PlacedAction['source'], 'request'>,
  rules: Pick<Step, 'errors' | 'retry'>,
  { document, source }: Resolver,
): Pick<Step, 'errors' | 'retry'> {
  if (request?.graphql === undefined) return rules
  // They stand nowhere in the document.
  const site = new Resolver(document, source).site('defaults', [])
  const last = GRAPHQL_FAILURES.map(({ when, ...rule }) => ({
    ...resolveBlock('answerTests', when, site),
    effect: 'fail' as const,
    ...rule,
    message: null,
  }))
  return { ...rules, errors: [...rules.errors, ...last] }
}

function resolveResponse(
  source: ResponseSource | undefined,
  site: Site,
  action: ActionName,
): Omit<ResponseRules, 'casts' | 'types'> {
  const { gives: kind } = ACTIONS[action]
  const { records, record, ...keys } = resolveBlock('response', source, site)
  const at = records ?? record ?? { root: 'body', steps: [], source: '$' }
  return { ...keys, kind: kind === 'nothing' ? 'record' : kind, at }
}

function resolveActionPagination(
  { name, source }: PlacedAction,
  site: Site,
  declared: ReadonlySet<string>,
): Pagination {
  const none = (reason: string): Pagination => ({ type: 'none', reason, meta: [], emptyMeta: [] })
  if (!gives(name, 'list')) return none('The answer is one record.')
  if (source.pagination !== undefined) return paginationAt(source.pagination, site.in('pagination'))
  if (source.response?.single === true) return none('The answer is one object.')
  const { document, source: manifest } = site.resolver
  const shared = manifest.defaults?.pagination
  // A listing that does not say how it goes on is refused by the lint.
  if (shared === undefined) return none('')
  // Its parts stand in `defaults` and were placed there once; only the parameters differ from action to action.
  const unplaced = new Resolver(document, manifest)
  const at = ['defaults', 'pagination']
  return paginationAt(shared, unplaced.site('action', at, {}, declared))
}

/** Resolves a pagination where it stands. */
export function paginationAt(source: PaginationSource, site: Site): Pagination {
  return resolvePagination(source, resolveBlock('pagination', source, site))
}
