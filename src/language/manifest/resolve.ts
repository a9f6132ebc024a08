// A valid document → the resolved manifest: what the engine runs, and the draft that the semantic lint looks at.
import type { ActionName } from './actions.ts'
import { checkKeywords } from './check-keywords.ts'
import { hashManifest } from './compiled.ts'
import type { DocumentPath, ManifestDocument } from './document.ts'
import type { ManifestDraft, PlacedMethod } from './draft.ts'
import { actionsOf, entitiesOf, methodsOf } from './draft.ts'
import { parseDuration } from './duration.ts'
import { hoistDefinitions } from './hoist-schema.ts'
import { resolveInput } from './input-schema.ts'
import type { AuthMethod, Check, Entity, Limits, Manifest, Server } from './manifest.ts'
import type { ManifestProblem } from './problem.ts'
import { inFileOrder } from './problem.ts'
import type { ManifestDefaults } from './resolve-action.ts'
import { resolveAction, paginationAt } from './resolve-action.ts'
import { resolveBlock } from './resolve-block.ts'
import { resolveHeaders } from './resolve-template.ts'
import { recordMembers, resolveSearch, resolveSync } from './resolve-sync.ts'
import { Resolver } from './resolver.ts'
import { schemaRoots } from './schema-nodes.ts'
import type { ManifestSource } from './source.ts'

export interface Resolved {
  /** Null when there are problems. */
  readonly draft: ManifestDraft | null
  readonly problems: readonly ManifestProblem[]
}

/**
 * Resolves a document that is valid against the manifest schema and whose references lead somewhere.
 *
 * Defaults are merged, schemas hoisted, templates, paths and names of parameters parsed. Rules of the problems:
 * `expression/syntax`, `path/syntax`, `request/…`, `schema/…`, `pagination/duplicate-meta`.
 */
export function resolveManifest(document: ManifestDocument, source: ManifestSource): Resolved {
  const resolver = new Resolver(document, source)
  for (const { node, use } of schemaRoots(source)) {
    const implied = use === 'shape' || node.schema.$ref !== undefined ? [] : ['object']
    checkKeywords(node, implied, resolver.site('schema', []))
  }
  const manifest = resolveAll(source, resolver)
  if (resolver.problems.length > 0) return { draft: null, problems: inFileOrder(resolver.problems) }
  const placed = {
    texts: inFileOrderOf(document, resolver.texts),
    paths: inFileOrderOf(document, resolver.paths),
    paramNames: inFileOrderOf(document, resolver.params),
  }
  return { draft: { document, source, manifest, ...placed }, problems: [] }
}

function inFileOrderOf<T extends { readonly at: DocumentPath }>(
  document: ManifestDocument,
  placed: readonly T[],
): readonly T[] {
  return placed
    .map((item) => ({ item, span: document.locate(item.at) }))
    .sort((a, b) => a.span.line - b.span.line || a.span.column - b.span.column)
    .map(({ item }) => item)
}

function resolveAll(source: ManifestSource, resolver: Resolver): Manifest {
  const server = resolveBlock('server', source.server, resolver.site('server', ['server']))
  const defaults = resolveDefaults(source, server, resolver)
  const manifest = {
    format: 1,
    ...resolveBlock('connector', source.connector, resolver.site('server', ['connector'])),
    server,
    config: resolveInput(source.config, resolver.site('server', ['config'])),
    auth: methodsOf(source).map((method) => resolveMethod(method, resolver)),
    check: resolveCheck(source, resolver, defaults),
    limits: resolveLimits(source, resolver),
    maps: source.maps ?? {},
    entities: entitiesOf(source).map((entity): Entity => {
      return {
        name: entity.name,
        ...resolveBlock('entity', entity.source, resolver.site('schema', entity.at)),
        recordFields: [...recordMembers(source, entity.source.record).keys()],
        actions: actionsOf(source)
          .filter((action) => action.entity === entity.name)
          .map((action) => resolveAction(action, resolver, defaults)),
        search: resolveSearch(entity, resolver),
        sync: resolveSync(entity, resolver),
      }
    }),
    ...(source.webhooks !== undefined && {
      webhooks: resolveBlock('webhooks', source.webhooks, resolver.site('webhooks', ['webhooks'])),
    }),
    ...(source.translations !== undefined && { translations: source.translations }),
    definitions: hoistDefinitions(source),
  } as const
  return { ...manifest, hash: hashManifest(manifest) }
}

function resolveMethod({ name, at, source }: PlacedMethod, resolver: Resolver): AuthMethod {
  const { server, ...keys } = resolveBlock(
    'authMethod',
    source,
    resolver.site('auth', at, { method: name }),
  )
  return { name, ...keys, urls: server?.urls ?? null }
}

function resolveDefaults(
  { defaults = {} }: ManifestSource,
  server: Server,
  resolver: Resolver,
): ManifestDefaults {
  const site = resolver.site('defaults', ['defaults'])
  const { request = {}, pagination } = defaults
  if (pagination !== undefined) {
    // Placed here once, for the lint; each action that takes it resolves it again with its own parameters.
    paginationAt(pagination, site.in('pagination'))
  }
  const options = { place: 'request.headers', style: 'repeat' } as const
  const at = site.in('request', 'headers')
  const headers = resolveHeaders(request.headers, at, options, server.headers)
  const { style = 'repeat', timeout = '30s' } = request
  resolver.requests = { style, headers, timeoutMs: parseDuration(timeout) }
  return {
    errors: (defaults.errors ?? []).map((rule, index) =>
      resolveBlock('errorRule', rule, site.in('errors', index)),
    ),
    errorBody: resolveBlock('errorBody', defaults.error_body, site.in('error_body')),
    retry: resolveBlock('retry', defaults.retry, site.in('retry')),
  }
}

function resolveCheck(
  { check }: ManifestSource,
  resolver: Resolver,
  defaults: ManifestDefaults,
): Check | null {
  if (check === undefined) return null
  const site = resolver.site('check', ['check'])
  const { request, params, entity = '', action } = resolveBlock('check', check, site)
  if (request !== undefined) {
    return {
      kind: 'request',
      request,
      errors: defaults.errors.filter(({ effect }) => effect !== 'empty'),
      errorBody: defaults.errorBody,
      retry: defaults.retry,
    }
  }
  // The manifest schema asks for both where there is no request.
  return { kind: 'action', entity, action: action as ActionName, params }
}

function resolveLimits({ limits }: ManifestSource, resolver: Resolver): Limits {
  const { narrow, ...keys } = resolveBlock('limits', limits, resolver.site('defaults', ['limits']))
  const wait = { effect: 'retry', as: 'rate_limited', outcome: null, message: null } as const
  return {
    ...keys,
    ...(narrow !== undefined && {
      narrow: narrow.map((rule) => ({ ...rule, when: { ...rule.when, ...wait } })),
    }),
  }
}
