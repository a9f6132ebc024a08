// What there is: connectors, and the limits in force.
import { consentOf, hasClient } from '../../language/manifest/access/consent.ts'
import { describeEntities, type EntityDescription } from '../../language/manifest/describe.ts'
import { ConnectorError } from '../../errors.ts'
import { DEFAULT_LIMITS } from '../../engine/exchange/transport-limits.ts'
import { MAX_MEMBERS } from '../../language/json/json-reading.ts'
import type { JsonSchema, Manifest } from '../../language/manifest/manifest.ts'
import { SEARCH_LIMITS } from '../../copy/search/filter.ts'
import type { ServiceBase } from '../base.ts'
import type { Connections } from '../instances/connections.ts'
import { empty, type Handler, json, type Route, routes } from '../route.ts'
import type { ServiceSettings } from '../settings.ts'
import { APPLICATION_TOKEN_SECONDS, SCOPED_TOKEN_SECONDS } from '../tokens/tokens.ts'
import type { Principal } from '../tokens/principal.ts'
import { addressSettings } from '../connect/asked-settings.ts'
import * as s from './schemas.ts'

export interface CataloguePorts extends Pick<
  ServiceBase,
  'catalogue' | 'icons' | 'oauthClients' | 'rows'
> {
  readonly settings: ServiceSettings
  readonly connections: Connections
}

const TYPE_MEMBERS: Readonly<Record<string, JsonSchema>> = {
  ...s.each(['connector_type', 'title', 'version', 'manifest_hash'], { type: 'string' }),
  icon: s.orNull(s.open({ letters: { type: 'string' }, hue: { type: 'integer' } }, ['letters'])),
  icon_file: {
    type: 'boolean',
    description:
      'The operator provides an icon for it, at /connect/icons/{connector_type}, which is shown instead of the letters.',
  },
  status_page: {
    type: ['string', 'null'],
    description: 'The vendor’s public status page.',
  },
  auth_methods: s.listOf(
    s.open({
      name: { type: 'string' },
      title: { type: ['string', 'null'] },
      oauth: { type: 'boolean', description: 'Whether it has a consent page.' },
      oauth_configured: {
        type: 'boolean',
        description:
          'Whether its consent has a client: one that the service registers, or the operator’s, which is for the first consent and those that share its client.',
      },
      settings_needed: {
        type: 'array',
        items: { type: 'string' },
        description: 'Settings of which the URL of calls needs one.',
      },
    }),
  ),
}

const OPERATIONS: JsonSchema = {
  ...s.listOf(
    s.open({
      ...s.each(['entity', 'action'], { type: 'string' }),
      summary: { type: ['string', 'null'] },
    }),
  ),
  description: 'What can be done with an instance of it; with `operations=true`.',
}

const TYPE_DETAIL = s.open({
  ...TYPE_MEMBERS,
  ...s.each(['description', 'docs'], { type: ['string', 'null'] }),
  config_schema: s.FREE,
  credential_schemas: { type: 'object', additionalProperties: s.FREE },
  entities: s.ENTITIES,
})

export function catalogueRoutes(ports: CataloguePorts): readonly Route[] {
  const { catalogue } = ports
  return routes('any', [
    {
      name: 'listConnectorTypes',
      at: 'GET /connectors',
      summary: 'List the connector types',
      query: s.closed({
        operations: { ...s.YES_NO, description: 'true: include the `operations` of each type.' },
      }),
      success: s.answersWith(200, 'The types, in order.', {
        data: s.listOf(
          s.open({ ...TYPE_MEMBERS, operations: OPERATIONS }, Object.keys(TYPE_MEMBERS)),
        ),
      }),
      handle: async ({ principal, query }) =>
        json(200, {
          data: catalogue.manifests
            .filter(({ type }) => isVisible(principal, type))
            .map((manifest) => ({
              ...summaryOf(manifest, ports, principal),
              ...(query['operations'] === 'true' ? { operations: operationsOf(manifest) } : {}),
            })),
        }),
    },
    {
      name: 'getConnectorType',
      at: 'GET /connectors/{connector_type}',
      summary: 'Get a connector type: credentials, settings, entities and actions',
      headers: ['if-none-match'],
      success: [
        ...s.answers(200, 'The type.', TYPE_DETAIL, ['etag']),
        ...s.answers(304, 'Not modified.', null, ['etag']),
      ],
      handle: async (request) => {
        const { principal, path } = request
        const manifest = catalogue.find(path['connector_type'] ?? '')
        if (manifest === undefined || !isVisible(principal, manifest.type))
          throw new ConnectorError('route_unknown', 'there is no such connector type')
        // What can be connected follows from the organisation's client as well.
        const client = ports.oauthClients.markOf(principal.organizationId, manifest.type)
        const etag = `"${manifest.hash}${client === 0 ? '' : `-${client}`}"`
        if (request.header('if-none-match') === etag) return empty(304, { etag })
        return json(200, detailOf(manifest, ports, principal), { etag })
      },
    },
    {
      name: 'getLimits',
      at: 'GET /limits',
      queryExample: { connector_id: '01a221ab-36ad-73be-ad6f-652ddd8e1420' },
      summary: 'List the limits in force',
      query: s.closed({
        connector_id: { ...s.TEXT, description: 'true: include what is left at the third party.' },
      }),
      success: s.answersWith(200, 'Numbers, with their units in the names.', {}),
      errors: ['instance_unknown'],
      handle: (request) => showLimits(ports, request),
    },
  ])
}

function operationsOf({ entities }: Manifest): readonly object[] {
  return entities.flatMap(({ name: entity, actions }) =>
    actions.map(({ name: action, summary }) => ({ entity, action, summary })),
  )
}

function isVisible(principal: Principal, type: string): boolean {
  return principal.connectorTypes === null || principal.connectorTypes.includes(type)
}

function summaryOf(
  manifest: Manifest,
  { icons, oauthClients }: CataloguePorts,
  { organizationId }: Principal,
): object {
  const isGiven = oauthClients.of(organizationId, manifest.type) !== null
  return {
    connector_type: manifest.type,
    title: manifest.title,
    version: manifest.version,
    manifest_hash: manifest.hash,
    icon: manifest.icon ?? null,
    icon_file: icons.has(manifest.type),
    status_page: manifest.statusPage ?? null,
    auth_methods: manifest.auth.map((method) => ({
      name: method.name,
      title: method.title,
      oauth: consentOf(method) !== null,
      oauth_configured: hasClient(manifest, method, isGiven),
      settings_needed: addressSettings(manifest, method),
    })),
  }
}

function detailOf(manifest: Manifest, ports: CataloguePorts, principal: Principal): object {
  return {
    ...summaryOf(manifest, ports, principal),
    description: manifest.description,
    docs: manifest.docs,
    config_schema: withDefinitions(manifest, manifest.config.schema),
    credential_schemas: Object.fromEntries(
      manifest.auth.map((method) => [
        method.name,
        withDefinitions(manifest, method.credentials.schema),
      ]),
    ),
    entities: describeEntities(manifest).map(showEntity),
  }
}

interface ShownEntity extends Omit<
  EntityDescription,
  'searchFields' | 'searchPaths' | 'cursorField' | 'keyField'
> {
  readonly search_fields: EntityDescription['searchFields']
  readonly search_paths: EntityDescription['searchPaths']
  readonly cursor_field: EntityDescription['cursorField']
  readonly key_field: EntityDescription['keyField']
}

export function showEntity(description: EntityDescription): ShownEntity {
  const { searchFields, searchPaths, cursorField, keyField, ...rest } = description
  return {
    ...rest,
    search_fields: searchFields,
    search_paths: searchPaths,
    cursor_field: cursorField,
    key_field: keyField,
  }
}

function withDefinitions(manifest: Manifest, schema: object): object {
  return Object.keys(manifest.definitions).length === 0
    ? schema
    : { ...schema, definitions: manifest.definitions }
}

const showLimits: Handler<CataloguePorts> = async (ports, { principal, query }) => {
  const limits = limitsOf(ports.settings)
  const id = query['connector_id']
  if (id === undefined) return json(200, limits)
  const { budget } = await ports.connections.of(await ports.rows.get(principal, id))
  const upstream = budget.left().map(({ windowMs, waitMs, count, remaining }) => {
    return { count, window_ms: windowMs, remaining, wait_ms: Math.ceil(waitMs) }
  })
  return json(200, { ...limits, upstream })
}

function limitsOf(settings: ServiceSettings): object {
  return {
    request_body_bytes: settings.bodyLimitBytes,
    request_body_bytes_per_second: settings.bodyRateBytes,
    request_members: MAX_MEMBERS,
    request_nesting: 32,
    upstream_body_bytes: settings.upstreamLimitBytes,
    deadline_ms: settings.deadlineMs,
    deadline_max_ms: 300_000,
    application_token_seconds: APPLICATION_TOKEN_SECONDS,
    scoped_token_seconds: SCOPED_TOKEN_SECONDS,
    idempotency_seconds: 86_400,
    cursor_seconds: 86_400,
    instances_per_page: 200,
    downloads_per_instance: 8,
    downloads_per_organization: 48,
    downloads_per_process: 64,
    download_seconds: DEFAULT_LIMITS.streamMs / 1000,
    download_bytes_per_second: DEFAULT_LIMITS.rateBytesPerSecond,
    search: {
      page_records: SEARCH_LIMITS.page,
      page_records_default: SEARCH_LIMITS.defaultPage,
      nesting: SEARCH_LIMITS.depth,
      conditions: SEARCH_LIMITS.conditions,
      values_of_in: SEARCH_LIMITS.values,
      text_characters: SEARCH_LIMITS.textLength,
      pattern_characters: SEARCH_LIMITS.wordsLength,
      pattern_words: SEARCH_LIMITS.words,
      pattern_wildcards: SEARCH_LIMITS.wildcards,
      fields: SEARCH_LIMITS.fields,
      sort_conditions: SEARCH_LIMITS.sort,
      store_ms: SEARCH_LIMITS.storeMs,
    },
    operations_running: 512,
    operations_waiting: 256,
    requests: settings.rateLimit,
  }
}
