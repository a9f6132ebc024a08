// Operations on one instance: execute, preview, describe.
import { isGranted } from '../../language/manifest/access/consent.ts'
import { SEARCH } from '../../language/manifest/actions.ts'
import { type ActionDescription, describeEntities } from '../../language/manifest/describe.ts'
import { namedRecords } from '../../language/manifest/named-records.ts'
import { ConnectorError, type ErrorCode, ERRORS } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { JsonSchema, Manifest } from '../../language/manifest/manifest.ts'
import { searchLayout } from '../../copy/search/layout.ts'
import { readSearch } from '../../copy/search/read-query.ts'
import { execute, type ExecutePorts, isSearch, readOperation } from '../execute.ts'
import { requireUsable } from '../instances/states.ts'
import { sendRawRequest } from '../raw-request.ts'
import { type Handler, instanceIdIn, json, type Route, routes } from '../route.ts'
import { mayRun } from '../tokens/principal.ts'
import { showEntity } from './catalogue-routes.ts'
import { OF_FILES } from './answer-headers.ts'
import { ONE } from './instance-routes.ts'
import * as s from './schemas.ts'
import { HITS } from './search-schemas.ts'

const EXECUTE_BODY = s.requiredBody(['entity', 'action'], {
  entity: { ...s.TEXT, description: 'Entity name, in lower-case snake_case.' },
  action: { ...s.TEXT, description: 'Action name.' },
  params: { ...s.FREE_OR_NULL, description: 'Parameters of the action.' },
})

/** What an application made with --compat agent-sdk gets instead of both. */
const AGENT_SDK_ANSWER = {
  ...s.open({
    result: {
      description:
        'A record, a list of records, or null; of context_store_search data and meta (has_more, cursor, took_ms), of search hits, next_cursor and took_ms.',
    },
    connector_metadata: {
      ...s.FREE_OR_NULL,
      description: 'What a page says of itself, each member under its name in snake_case too.',
    },
  }),
  description: 'For applications created with --compat agent-sdk.',
}

const SCALAR = { type: ['string', 'number', 'boolean'] }

const RAW_BODY = s.requiredBody(['path'], {
  method: { ...s.TEXT, description: 'Default: GET.' },
  path: {
    type: 'string',
    minLength: 1,
    maxLength: 8192,
    description:
      'Below the base URL of the instance, with a leading slash; or a full URL whose host the manifest lists by name.',
  },
  query: {
    type: 'object',
    description: 'Values, or lists of values for repeated names.',
    additionalProperties: { anyOf: [SCALAR, { type: 'array', items: SCALAR }] },
  },
  headers: { type: 'object', additionalProperties: { type: 'string' } },
  json: { description: 'The body as JSON.' },
  text: { type: 'string', description: 'The body as text.' },
  base64: {
    type: 'string',
    format: 'byte',
    description:
      'The body as bytes. Send larger bodies as the part "body" of a form; they are passed on as they arrive.',
  },
})

const ENVELOPE = s.open({
  data: { description: 'A record, a list of records, or null.' },
  meta: s.FREE,
  execution: s.EXECUTION,
})

const ACTION_RESULT = { ...ENVELOPE, description: 'Result of an action.' }
const SEARCH_HITS = { ...HITS, description: 'Hits of a search.' }

const UPSTREAM_ERRORS = (Object.keys(ERRORS) as readonly ErrorCode[]).filter(
  (code) => ERRORS[code].origin === 'upstream' && ERRORS[code].status !== null,
)

/** Of an action that is deprecated. */
const OF_LIFE = ['deprecation?', 'sunset?'] as const

const NAMED_RECORDS: JsonSchema = {
  type: 'object',
  description:
    'Parameters that name a record, by operation (`issues.get`) and parameter: the entity, and the field of its records that holds the value.',
  additionalProperties: {
    type: 'object',
    additionalProperties: s.open(s.each(['entity', 'field'], { type: 'string' })),
  },
}

export function executeRoutes(ports: ExecutePorts): readonly Route[] {
  return routes('any', [
    {
      name: 'execute',
      at: 'POST /connectors/sources/{connector_id}/execute',
      aliases: [`${ONE}/execute`, '/connectors/instances/{connector_id}/execute'],
      prefix: '/api/v1',
      summary: 'Run an operation',
      body: EXECUTE_BODY,
      takesFiles: true,
      headers: ['prefer', 'idempotency-key', 'range'],
      success: [
        ...s.answers(
          200,
          'The result of an action, the hits of a search, or the bytes of a download.',
          { anyOf: [ACTION_RESULT, SEARCH_HITS, AGENT_SDK_ANSWER] },
          [...OF_LIFE, ...OF_FILES],
        ),
        ...s.answers(206, 'The requested byte range.', 'bytes', [...OF_LIFE, ...OF_FILES]),
      ],
      errors: [
        'instance_unknown',
        'operation_unknown',
        'params_invalid',
        'upload_interrupted',
        'scope_denied',
        'cursor_invalid',
        'instance_disabled',
        'search_not_ready',
        'search_timeout',
        'reauthorization_required',
        'refresh_unknown',
        'credentials_refused',
        'upstream_forbidden',
        ...UPSTREAM_ERRORS,
        'idempotency_in_flight',
        'idempotency_key_reused',
        'deadline_exceeded',
        'connector_version_unavailable',
      ],
      example: {
        entity: 'calls',
        action: 'list',
        params: { fromDateTime: '2026-01-01T00:00:00Z' },
      },
      handle: (request) => execute(ports, request),
    },
    {
      name: 'request',
      at: 'POST /connectors/{connector_id}/request',
      aliases: [`${ONE}/request`, '/connectors/sources/{connector_id}/request'],
      summary: 'Send your own request with the credentials of an instance',
      body: RAW_BODY,
      takesFiles: true,
      headers: ['prefer', 'vendor-idempotency-key'],
      success: s.answers(
        200,
        'The third party’s response: its body, with its status and headers in separate headers.',
        'bytes',
        ['tenon-upstream-status', 'tenon-upstream-headers', 'content-disposition'],
      ),
      errors: [
        'instance_unknown',
        'params_invalid',
        'destination_refused',
        'upload_interrupted',
        'scope_denied',
        'instance_disabled',
        'reauthorization_required',
        'refresh_unknown',
        'credentials_refused',
        ...UPSTREAM_ERRORS,
        'deadline_exceeded',
        'connector_version_unavailable',
      ],
      example: { method: 'GET', path: '/v2/users' },
      handle: (request) => sendRawRequest(ports, request),
    },
    {
      name: 'preview',
      at: `POST ${ONE}/preview`,
      summary: 'Preview the requests of an operation without sending them',
      body: EXECUTE_BODY,
      takesFiles: true,
      success: s.answersWith(200, 'The requests, in order.', { requests: s.REQUESTS }),
      errors: ['instance_unknown', 'operation_unknown', 'params_invalid', 'scope_denied'],
      example: { entity: 'calls', action: 'list', params: {} },
      handle: (request) => preview(ports, request),
    },
    {
      name: 'describeConnectorInstance',
      at: `GET ${ONE}/describe`,
      queryExample: { entity: 'calls' },
      summary: 'Describe the entities and actions that this token can use',
      query: s.closed({ entity: s.TEXT }),
      success: s.answersWith(200, 'What this token can do.', {
        ...s.each(['connector_type', 'connector_version', 'state'], { type: 'string' }),
        entities: s.ENTITIES,
        named_records: NAMED_RECORDS,
      }),
      errors: ['instance_unknown', 'operation_unknown'],
      handle: (request) => describe(ports, request),
    },
  ])
}

const preview: Handler<ExecutePorts> = async (ports, request) => {
  const row = await ports.rows.get(request.principal, instanceIdIn(request))
  const { entity, action, params } = readOperation(request, row)
  requireUsable(row)
  const connection = await ports.connections.of(row)
  if (isSearch(connection, entity, action)) {
    checkSearch(connection.manifest, entity, params)
    return json(200, { requests: [] })
  }
  return json(200, {
    requests: await connection.engine.preview({
      entity,
      action,
      params,
      files: request.files.given,
    }),
  })
}

/** A search asks our copy and nobody else: what a preview can tell is whether it would be answered. */
function checkSearch({ entities }: Manifest, name: string, params: JsonObject): void {
  const entity = entities.find((each) => each.name === name)
  const layout = entity === undefined ? null : searchLayout(entity)
  if (layout !== null) readSearch(layout, params)
}

const describe: Handler<ExecutePorts> = async (ports, request) => {
  const { principal, query } = request
  const row = await ports.rows.get(principal, instanceIdIn(request))
  const { manifest } = await ports.connections.of(row)
  const named = namedRecords(manifest)
  const method = manifest.auth.find(({ name }) => name === row.authMethod)
  const granted = row.grantedScopes === null ? null : new Set(row.grantedScopes)
  const mayUse = (entity: string, { action, scopes }: ActionDescription): boolean =>
    mayRun(principal, entity, action) &&
    (granted === null || scopes.every((scope) => isGranted(scope, method, granted)))
  const entities = describeEntities(manifest, query['entity'])
    .map((entity) => ({
      ...showEntity(entity),
      actions: entity.actions
        .filter((action) => mayUse(entity.entity, action))
        // Which scopes an action needs is of no use to a caller that has them.
        .map((action) => ({ ...action, scopes: undefined })),
    }))
    .filter(
      ({ actions, search_fields: fields, entity }) =>
        actions.length > 0 || (fields !== null && mayRun(principal, entity, SEARCH)),
    )
  if (query['entity'] !== undefined && entities.length === 0)
    throw new ConnectorError('operation_unknown', 'this token may not use this entity')
  return json(200, {
    connector_type: row.connectorType,
    connector_version: row.connectorVersion,
    state: row.state,
    entities,
    named_records: Object.fromEntries(
      manifest.entities.flatMap(({ name, actions }) =>
        actions.flatMap((action) => {
          const isShown = entities
            .find(({ entity }) => entity === name)
            ?.actions.some((each) => each.action === action.name)
          const params = named(action)
          return isShown === true && Object.keys(params).length > 0
            ? [[`${name}.${action.name}`, params]]
            : []
        }),
      ),
    ),
  })
}
