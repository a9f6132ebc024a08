// Actions: requests in order, with the rules of the manifest's defaults merged in.
import { gives } from './actions.ts'
import { castsOf } from './casts.ts'
import { hoistObject } from './hoist-schema.ts'
import type { Owner, PlacedAction } from './draft.ts'
import { parseDuration } from './duration.ts'
import { resolveInput } from './input-schema.ts'
import type {
  Action,
  Download,
  Entry,
  ErrorBody,
  ErrorRuleTemplate,
  Pagination,
  Poll,
  RetryPolicy,
  Step,
} from './manifest.ts'
import type { BlockSite } from './resolve-answer.ts'
import {
  resolveErrorRules,
  resolveResponse,
  resolveRetry,
  resolveTests,
  usesBelow,
} from './resolve-answer.ts'
import { resolvePagination } from './resolve-pagination.ts'
import type { RequestDefaults } from './resolve-request.ts'
import { overlayHeaders, resolveRequest } from './resolve-request.ts'
import { paramNames } from './resolve-sync.ts'
import { below, resolveEntries } from './resolve-template.ts'
import type { Resolver, TextSite, UseSite } from './resolver.ts'
import { createResolver } from './resolver.ts'
import type { DownloadSource, ManifestSource, StepSource } from './source.ts'

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
  manifest: ManifestSource,
  resolver: Resolver,
  defaults: ManifestDefaults,
): Action {
  const { entity, name, at, source } = action
  const owner: Owner = { area: 'action', entity, action: name, step: null, method: null }
  const site = (key: string): BlockSite => ({ at: [...at, key], owner })
  const declared = paramNames(manifest, source.params)
  const record = manifest.entities[entity]?.record
  const retry = resolveRetry(source.retry, site('retry'), resolver, defaults.retry)
  // A page object is no record: what lies in it are the entity's.
  const listed = source.response?.page === undefined ? (source.result ?? record) : record
  return {
    entity,
    name,
    summary: source.summary ?? null,
    description: source.description ?? null,
    deprecated: source.deprecated ?? false,
    scopes: source.scopes ?? [],
    params: resolveInput(manifest, source.params, site('params'), resolver),
    refuse: resolveRefusals(action, owner, resolver, declared),
    unsent: resolveUnsent(action, owner, resolver),
    steps: resolveSteps(action, owner, resolver, { defaults, retry }),
    response: resolveResponse(source.response, site('response'), resolver, {
      action: name,
      declared,
      casts: gives(name, 'list', 'record') ? castsOf(manifest, listed ?? null) : [],
    }),
    result: source.result === undefined ? null : hoistObject(manifest, source.result, 'output', {}),
    pagination: paginationOf(action, manifest, owner, resolver, declared),
    retry,
    errorBody: defaults.errorBody,
    download: gives(name, 'stream')
      ? resolveDownload(source.download, site('download'), resolver, declared, defaults.requests)
      : null,
    touches: source.touches ?? null,
    untested: source.untested ?? null,
  }
}

function resolveRefusals(
  action: PlacedAction,
  owner: Owner,
  resolver: Resolver,
  declared: ReadonlySet<string>,
): Action['refuse'] {
  return (action.source.refuse ?? []).map((refusal, index) => {
    const at = [...action.at, 'refuse', index]
    const test: TextSite = { at: [...at, 'if'], owner, place: 'condition' }
    const params: UseSite = { at: [...at, 'params'], owner, use: 'refuse.params' }
    return {
      test: resolver.expression(refusal.if, test),
      params: refusal.params.map((name, position) =>
        resolver.param(name, below(params, position), declared),
      ),
      message: refusal.message,
    }
  })
}

function resolveUnsent(action: PlacedAction, owner: Owner, resolver: Resolver): Action['unsent'] {
  const unsent = action.source.unsent ?? {}
  for (const name of Object.keys(unsent)) {
    const at = [...action.at, 'unsent', name]
    resolver.param(name, { at, owner, part: 'key', use: 'unsent' }, new Set([name]))
  }
  return unsent
}

interface StepRules {
  readonly defaults: ManifestDefaults
  /** The action's, with the defaults merged in. */
  readonly retry: RetryPolicy
}

function resolveSteps(
  action: PlacedAction,
  owner: Owner,
  resolver: Resolver,
  { defaults, retry }: StepRules,
): readonly Step[] {
  const { at, source } = action
  const own = resolveErrorRules(source.errors, { at: [...at, 'errors'], owner }, resolver)
  const inherited = gives(action.name, 'list')
    ? defaults.errors
    : defaults.errors.filter(({ effect }) => effect !== 'empty')
  const errors = [...own, ...inherited]
  if (source.request !== undefined) {
    const request = resolveRequest(source.request, { at: [...at, 'request'], owner }, resolver, {
      defaults: defaults.requests,
      auth: 'same',
    })
    return [{ name: 'request', test: null, request, poll: null, errors, retry }]
  }
  return (source.steps ?? []).map((step, index) => {
    const here = { at: [...at, 'steps', index], owner: { ...owner, step: index } }
    return resolveStep(step, here, resolver, { defaults, retry, errors })
  })
}

function resolveStep(
  step: StepSource,
  site: BlockSite,
  resolver: Resolver,
  rules: StepRules & { readonly errors: readonly ErrorRuleTemplate[] },
): Step {
  const { at, owner } = site
  const inside = (key: string): BlockSite => ({ at: [...at, key], owner })
  return {
    name: step.name,
    test:
      step.if === undefined
        ? null
        : resolver.expression(step.if, { at: [...at, 'if'], owner, place: 'condition' }),
    request: resolveRequest(step.request, inside('request'), resolver, {
      defaults: rules.defaults.requests,
      auth: 'same',
    }),
    poll: step.poll === undefined ? null : resolvePoll(step.poll, inside('poll'), resolver),
    ...(step.records !== undefined && {
      records: resolver.path(step.records, {
        at: [...at, 'records'],
        owner,
        use: 'response.records',
      }),
    }),
    errors: [...resolveErrorRules(step.errors, inside('errors'), resolver), ...rules.errors],
    retry: resolveRetry(step.retry, inside('retry'), resolver, rules.retry),
  }
}

function resolvePoll(
  poll: NonNullable<StepSource['poll']>,
  site: BlockSite,
  resolver: Resolver,
): Poll {
  const uses = usesBelow(site, 'poll')
  return {
    until: resolveTests(poll.until, uses('until'), resolver),
    failed: poll.failed === undefined ? null : resolveTests(poll.failed, uses('failed'), resolver),
    everyMs: parseDuration(poll.every),
    timeoutMs: parseDuration(poll.timeout),
    progress: poll.progress === undefined ? null : resolver.path(poll.progress, uses('progress')),
  }
}

function paginationOf(
  action: PlacedAction,
  manifest: ManifestSource,
  owner: Owner,
  resolver: Resolver,
  declared: ReadonlySet<string>,
): Pagination {
  const { source } = action
  const none = (reason: string): Pagination => ({ type: 'none', reason, meta: [], emptyMeta: [] })
  if (!gives(action.name, 'list')) return none('The answer is one record.')
  if (source.pagination !== undefined) {
    const site = { at: [...action.at, 'pagination'], owner }
    return resolvePagination(source.pagination, site, resolver, declared)
  }
  if (source.response?.single === true) return none('The answer is one object.')
  const shared = manifest.defaults?.pagination
  // A listing that does not say how it goes on is refused by the lint.
  if (shared === undefined) return none('')
  // Its parts stand in `defaults` and were placed there once; only the parameters differ from action to action.
  const unplaced = createResolver(resolver.document)
  return resolvePagination(shared, { at: ['defaults', 'pagination'], owner }, unplaced, declared)
}

function resolveDownload(
  download: DownloadSource | undefined,
  site: BlockSite,
  resolver: Resolver,
  declared: ReadonlySet<string>,
  requests: RequestDefaults,
): Download {
  const uses = usesBelow(site, 'download')
  const headers = entriesOf(download, site, resolver, requests)
  return {
    url: download?.url === undefined ? null : resolver.path(download.url, uses('url')),
    range:
      download?.range === undefined
        ? null
        : resolver.param(download.range, uses('range'), declared),
    types: download?.types ?? [],
    auth: download?.auth ?? 'none',
    headers: overlayHeaders([], headers),
    redirects: download?.redirects ?? 0,
    missing: download?.missing ?? 'The answer holds no address of a file.',
  }
}

function entriesOf(
  download: DownloadSource | undefined,
  site: BlockSite,
  resolver: Resolver,
  requests: RequestDefaults,
): readonly Entry[] {
  const { at, owner } = site
  const place: TextSite = { at: [...at, 'headers'], owner, place: 'download.headers' }
  const options = {
    use: 'download.headers',
    style: requests.style,
    styled: false,
    repeatable: false,
  }
  return resolveEntries(download?.headers, place, resolver, options)
}
