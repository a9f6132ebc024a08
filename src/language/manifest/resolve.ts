// A valid document → the resolved manifest: what the engine runs, and the draft that the semantic lint looks at.
import type { DocumentPath, ManifestDocument } from './document.ts'
import { checkKeywords } from './check-keywords.ts'
import type { ManifestDraft, Owner } from './draft.ts'
import { actionsOf, entitiesOf, methodsOf } from './draft.ts'
import { hoistDefinitions, hoistObject } from './hoist-schema.ts'
import { resolveInput } from './input-schema.ts'
import type { ActionName } from './actions.ts'
import type { Check, Entity, JsonSchema, Limits, Manifest, Server } from './manifest.ts'
import { hashManifest } from './manifest-hash.ts'
import type { ManifestProblem } from './problem.ts'
import { inFileOrder } from './problem.ts'
import type { ManifestDefaults } from './resolve-action.ts'
import { resolveAction } from './resolve-action.ts'
import type { BlockSite } from './resolve-answer.ts'
import {
  DEFAULT_RETRY,
  resolveAnswerTests,
  resolveErrorBody,
  resolveErrorRules,
  resolveRetry,
} from './resolve-answer.ts'
import { resolveMethod, resolveUrls } from './resolve-auth.ts'
import { resolvePagination } from './resolve-pagination.ts'
import type { RequestDefaults } from './resolve-request.ts'
import { DEFAULT_TIMEOUT_MS, overlayHeaders, resolveRequest } from './resolve-request.ts'
import { recordMembers, resolveSearch, resolveSync } from './resolve-sync.ts'
import { resolveEntries, resolveTemplate } from './resolve-template.ts'
import type { Resolver } from './resolver.ts'
import { createResolver } from './resolver.ts'
import { schemaRoots } from './schema-nodes.ts'
import type { ManifestSource, SchemaSource } from './source.ts'
import { parseDuration } from './duration.ts'

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
  const resolver = createResolver(document)
  checkSchemas(source, resolver)
  const manifest = resolveAll(source, resolver)
  if (resolver.problems.length > 0) {
    return { draft: null, problems: inFileOrder(resolver.problems) }
  }
  return {
    draft: {
      document,
      source,
      manifest,
      texts: inFileOrderOf(document, resolver.texts),
      paths: inFileOrderOf(document, resolver.paths),
      paramNames: inFileOrderOf(document, resolver.params),
    },
    problems: [],
  }
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

const NOBODY: Omit<Owner, 'area'> = { entity: null, action: null, step: null, method: null }

function checkSchemas(source: ManifestSource, resolver: Resolver): void {
  for (const { node, use } of schemaRoots(source)) {
    const implied = use === 'shape' || node.schema.$ref !== undefined ? [] : ['object']
    checkKeywords(node, implied, { area: 'schema', ...NOBODY }, resolver)
  }
}

function resolveAll(source: ManifestSource, resolver: Resolver): Manifest {
  const { connector } = source
  const server = resolveServer(source, resolver)
  const defaults = resolveDefaults(source, server, resolver)
  const owner: Owner = { area: 'server', ...NOBODY }
  const manifest = {
    format: 1,
    type: connector.type,
    title: connector.title,
    version: connector.version,
    docs: connector.docs ?? null,
    description: connector.description ?? null,
    server,
    config: resolveInput(source, source.config, { at: ['config'], owner }, resolver),
    auth: methodsOf(source).map((method) =>
      resolveMethod(method, source, resolver, defaults.requests),
    ),
    check: resolveCheck(source, resolver, defaults),
    limits: resolveLimits(source, resolver),
    maps: source.maps ?? {},
    entities: entitiesOf(source).map((entity): Entity => {
      const { title, description, record, examples } = entity.source
      return {
        name: entity.name,
        title: title ?? null,
        description: description ?? null,
        record: record === undefined ? null : hoistRecord(source, record),
        recordFields: [...recordMembers(source, record).keys()],
        actions: actionsOf(source)
          .filter((action) => action.entity === entity.name)
          .map((action) => resolveAction(action, source, resolver, defaults)),
        search: resolveSearch(entity, source, resolver),
        sync: resolveSync(entity, source, resolver),
        examples: examples ?? [],
      }
    }),
    definitions: hoistDefinitions(source),
  } as const
  return { ...manifest, hash: hashManifest(manifest) }
}

function hoistRecord(source: ManifestSource, record: SchemaSource): JsonSchema {
  return hoistObject(source, record, 'output', {})
}

function resolveServer(source: ManifestSource, resolver: Resolver): Server {
  const owner: Owner = { area: 'server', ...NOBODY }
  const { url, hosts, headers } = source.server
  return {
    urls: resolveUrls(url, { at: ['server', 'url'], owner }, resolver),
    hosts: hosts ?? [],
    headers: overlayHeaders(
      [],
      resolveEntries(
        headers,
        { at: ['server', 'headers'], owner, place: 'server.headers' },
        resolver,
        HEADERS,
      ),
    ),
  }
}

const HEADERS = { use: 'headers', style: 'repeat', styled: false, repeatable: false } as const

function resolveDefaults(
  source: ManifestSource,
  server: Server,
  resolver: Resolver,
): ManifestDefaults {
  const owner: Owner = { area: 'defaults', ...NOBODY }
  const { defaults } = source
  const site = (key: string): BlockSite => ({
    at: ['defaults', key],
    owner,
  })
  if (defaults?.pagination !== undefined) {
    // Placed here once, for the lint; each action that takes it resolves it again with its own parameters.
    resolvePagination(defaults.pagination, site('pagination'), resolver, new Set())
  }
  const headers = resolveEntries(
    defaults?.request?.headers,
    { at: ['defaults', 'request', 'headers'], owner, place: 'request.headers' },
    resolver,
    HEADERS,
  )
  const timeout = defaults?.request?.timeout
  const requests: RequestDefaults = {
    style: defaults?.request?.style ?? 'repeat',
    headers: overlayHeaders(server.headers, headers),
    timeoutMs: timeout === undefined ? DEFAULT_TIMEOUT_MS : parseDuration(timeout),
  }
  return {
    requests,
    errors: resolveErrorRules(defaults?.errors, site('errors'), resolver),
    errorBody: resolveErrorBody(defaults?.error_body, site('error_body'), resolver),
    retry: resolveRetry(defaults?.retry, site('retry'), resolver, DEFAULT_RETRY),
  }
}

function resolveCheck(
  source: ManifestSource,
  resolver: Resolver,
  defaults: ManifestDefaults,
): Check | null {
  const { check } = source
  if (check === undefined) return null
  const owner: Owner = { area: 'check', ...NOBODY }
  if (check.request !== undefined) {
    return {
      kind: 'request',
      request: resolveRequest(check.request, { at: ['check', 'request'], owner }, resolver, {
        defaults: defaults.requests,
        auth: 'same',
      }),
      errors: defaults.errors.filter(({ effect }) => effect !== 'empty'),
      errorBody: defaults.errorBody,
      retry: defaults.retry,
    }
  }
  const site = { at: ['check', 'params'], owner, place: 'check.params' } as const
  return {
    kind: 'action',
    // The manifest schema asks for both where there is no request.
    entity: check.entity ?? '',
    action: check.action as ActionName,
    params: resolveTemplate(check.params ?? {}, site, resolver),
  }
}

const PERIODS_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

function resolveLimits(source: ManifestSource, resolver: Resolver): Limits {
  const { rate, concurrency, per, narrow } = source.limits ?? {}
  const owner: Owner = { area: 'defaults', ...NOBODY }
  return {
    rates: [rate ?? []].flat().map((text) => {
      const [count = '', period = ''] = text.split('/')
      return { count: Number(count), periodMs: PERIODS_MS[period] ?? 0 }
    }),
    concurrency: concurrency ?? null,
    per: per ?? 'instance',
    ...(narrow !== undefined && {
      narrow: narrow.map(({ when = {}, per: param, writes = false }, index) => ({
        when: {
          ...resolveAnswerTests(when, { at: ['limits', 'narrow', index, 'when'], owner }, resolver),
          effect: 'retry',
          as: 'rate_limited',
          outcome: null,
          message: null,
        },
        per: param,
        writes,
      })),
    }),
  }
}
