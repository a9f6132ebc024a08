// Actions: requests in order, with the rules of the manifest's defaults merged in.
import { gives } from './actions.ts'
import { castsOf } from './casts.ts'
import type { PlacedAction } from './draft.ts'
import { parseDuration } from './duration.ts'
import { hoistObject } from './hoist-schema.ts'
import { resolveInput } from './input-schema.ts'
import type {
  Action,
  Download,
  ErrorBody,
  ErrorRuleTemplate,
  Pagination,
  Poll,
  RetryPolicy,
  Step,
} from './manifest.ts'
import { resolveErrorRules, resolveResponse, resolveRetry, resolveTests } from './resolve-answer.ts'
import { resolvePagination } from './resolve-pagination.ts'
import type { RequestDefaults } from './resolve-request.ts'
import { resolveRequest } from './resolve-request.ts'
import { paramNames } from './resolve-sync.ts'
import { orNull } from './or-null.ts'
import { Resolver, type Site } from './resolver.ts'
import type { DownloadSource, StepSource } from './source.ts'

/** What a manifest says for all of its actions. */
export interface ManifestDefaults {
  readonly requests: RequestDefaults
  readonly errors: readonly ErrorRuleTemplate[]
  readonly errorBody: ErrorBody
  readonly retry: RetryPolicy
}

/** Resolves one action. */
export function resolveAction(
  action: PlacedAction,
  resolver: Resolver,
  defaults: ManifestDefaults,
): Action {
  const { entity, name, source } = action
  const manifest = resolver.source
  const site = resolver.site('action', action.at, { entity, action: name })
  const declared = paramNames(manifest, source.params)
  const record = manifest.entities[entity]?.record
  const retry = resolveRetry(source.retry, site.in('retry'), defaults.retry)
  // A page object is no record: what lies in it are the entity's.
  const listed = source.response?.page === undefined ? (source.result ?? record) : record
  return {
    entity,
    name,
    summary: source.summary ?? null,
    description: source.description ?? null,
    deprecated: source.deprecated ?? false,
    scopes: source.scopes ?? [],
    params: resolveInput(source.params, site.in('params')),
    refuse: (source.refuse ?? []).map(({ if: test, params, message }, index) => {
      const here = site.in('refuse', index)
      return {
        test: here.in('if').expression(test, 'condition'),
        params: params.map((param, position) =>
          here.in('params', position).param(param, 'refuse.params', declared),
        ),
        message,
      }
    }),
    unsent: resolveUnsent(source.unsent, site.in('unsent')),
    steps: resolveSteps(action, site, { ...defaults, retry }),
    response: {
      ...resolveResponse(source.response, site.in('response'), name, declared),
      casts: gives(name, 'list', 'record') ? castsOf(manifest, listed ?? null) : [],
    },
    result: orNull(source.result, (result) => hoistObject(manifest, result, 'output', {})),
    pagination: resolveActionPagination(action, site, declared),
    retry,
    errorBody: defaults.errorBody,
    download: gives(name, 'stream')
      ? resolveDownload(source.download, site.in('download'), declared, defaults.requests)
      : null,
    touches: source.touches ?? null,
    untested: source.untested ?? null,
  }
}

function resolveUnsent(unsent: Action['unsent'] = {}, site: Site): Action['unsent'] {
  for (const name of Object.keys(unsent)) site.in(name).key.param(name, 'unsent', new Set([name]))
  return unsent
}

/** `rules`: those of the manifest, with the action's own retry. */
function resolveSteps(
  { name, source }: PlacedAction,
  site: Site,
  rules: ManifestDefaults,
): readonly Step[] {
  const { request, steps = [] } = source
  const inherited = gives(name, 'list')
    ? rules.errors
    : rules.errors.filter(({ effect }) => effect !== 'empty')
  const errors = [...resolveErrorRules(source.errors, site.in('errors')), ...inherited]
  if (request === undefined) {
    return steps.map((step, index) =>
      resolveStep(step, site.ofStep(index).in('steps', index), { ...rules, errors }),
    )
  }
  const template = resolveRequest(request, site.in('request'), rules.requests)
  return [
    { name: 'request', test: null, request: template, poll: null, errors, retry: rules.retry },
  ]
}

function resolveStep(step: StepSource, site: Site, rules: ManifestDefaults): Step {
  return {
    name: step.name,
    test: orNull(step.if, (test) => site.in('if').expression(test, 'condition')),
    request: resolveRequest(step.request, site.in('request'), rules.requests),
    poll: orNull(step.poll, (poll) => resolvePoll(poll, site.in('poll'))),
    ...(step.records !== undefined && {
      records: site.in('records').path(step.records, 'response.records'),
    }),
    errors: [...resolveErrorRules(step.errors, site.in('errors')), ...rules.errors],
    retry: resolveRetry(step.retry, site.in('retry'), rules.retry),
  }
}

function resolvePoll(poll: NonNullable<StepSource['poll']>, site: Site): Poll {
  return {
    until: resolveTests(poll.until, site.in('until'), 'poll.until'),
    failed: orNull(poll.failed, (failed) => resolveTests(failed, site.in('failed'), 'poll.failed')),
    everyMs: parseDuration(poll.every),
    timeoutMs: parseDuration(poll.timeout),
    progress: orNull(poll.progress, (path) => site.in('progress').path(path, 'poll.progress')),
  }
}

function resolveActionPagination(
  { name, source }: PlacedAction,
  site: Site,
  declared: ReadonlySet<string>,
): Pagination {
  const none = (reason: string): Pagination => ({ type: 'none', reason, meta: [], emptyMeta: [] })
  if (!gives(name, 'list')) return none('The answer is one record.')
  if (source.pagination !== undefined)
    return resolvePagination(source.pagination, site.in('pagination'), declared)
  if (source.response?.single === true) return none('The answer is one object.')
  const { document, source: manifest } = site.resolver
  const shared = manifest.defaults?.pagination
  // A listing that does not say how it goes on is refused by the lint.
  if (shared === undefined) return none('')
  // Its parts stand in `defaults` and were placed there once; only the parameters differ from action to action.
  const unplaced = new Resolver(document, manifest)
  return resolvePagination(shared, unplaced.site('action', ['defaults', 'pagination']), declared)
}

function resolveDownload(
  source: DownloadSource = {},
  site: Site,
  declared: ReadonlySet<string>,
  { style }: RequestDefaults,
): Download {
  return {
    url: orNull(source.url, (url) => site.in('url').path(url, 'download.url')),
    range: orNull(source.range, (range) =>
      site.in('range').param(range, 'download.range', declared),
    ),
    types: source.types ?? [],
    auth: source.auth ?? 'none',
    headers: site.in('headers').headers(source.headers, { place: 'download.headers', style }),
    redirects: source.redirects ?? 0,
    missing: source.missing ?? 'The answer holds no address of a file.',
  }
}
