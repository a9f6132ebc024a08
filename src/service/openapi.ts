// The OpenAPI document, made of the route table and the error table: what is served is what is described.
import { ERRORS, type ErrorCode } from '../errors.ts'
import { SEARCH } from '../language/manifest/actions.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { own } from '../language/json/own.ts'
import { describeEntities } from '../language/manifest/describe.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { FILES_MEMBER, OPERATION_PART } from './http/form.ts'
import { WAITS } from './http/problem.ts'
import type { Route } from './route.ts'
import { type Declared, headerObjects } from './routes/answer-headers.ts'
import { EXAMPLE_ANSWERS } from './routes/example-answers.ts'
import { each, FREE, type Members, open, orNull } from './routes/schemas.ts'
import { SEARCH_PARAMS } from './routes/search-schemas.ts'

export interface OpenApiOptions {
  readonly version: string
  readonly serverUrl: string
  /** Replaces the generic body of `execute` by one alternative per action of this connector. */
  readonly connector?: Manifest
}

/** Errors that every route can answer, and those that every route with a token can. */
const ALWAYS = ['request_malformed', 'overloaded', 'shutting_down', 'store_unavailable'] as const
const WITH_TOKEN = ['token_invalid', 'scope_denied', 'address_denied', 'rate_limited'] as const
const WITH_BODY = ['body_too_large', 'media_type_unsupported', 'request_timeout'] as const

export function openApiDocument(routes: readonly Route[], options: OpenApiOptions): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const route of routes.filter(({ isForBrowsers }) => isForBrowsers !== true)) {
    const operations = (paths[route.prefix + route.path] ??= {})
    operations[route.method.toLowerCase()] = operationOf(route, options)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tenon',
      version: options.version,
      description:
        'Connector instances, operations and OAuth. Errors are application/problem+json with the members of the schema Problem.',
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to where the document stands, as long as nobody has said where the service is.
    servers: [{ url: options.serverUrl === '' ? '/' : options.serverUrl }],
    tags: GROUPS.map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: PROBLEM, ...definitionsOf(options.connector) },
    },
  }
}

/** Groups of routes by their paths, in the order in which they are shown; the first that fits counts. */
const GROUPS: readonly (readonly [name: string, description: string, paths: RegExp])[] = [
  ['Tokens', 'For applications, and for one of their users.', /^\/account\//],
  [
    'Consent',
    'Server-side OAuth and its clients, and links to the connect page.',
    /^\/(integrations\/connectors\/oauth\/|oauth\/|oauth-clients|connect\/)/,
  ],
  [
    'Operations',
    'Run, preview and describe the actions of an instance.',
    /\/(execute|preview|describe|request)$/,
  ],
  ['Synchronization', 'The synchronized copies that searches read.', /\/(sync|changes)$/],
  [
    'Instances',
    'Connected accounts of end users.',
    /^\/(integrations\/connectors|connectors\/\w+_for_user|workspaces)/,
  ],
  ['Catalogue', 'The connectors and limits of this service.', /^\/(connectors|limits)/],
  [
    'Published manifests',
    'Versions of connectors, published while the service runs.',
    /^\/manifests/,
  ],
  ['Events', 'What happened: pull it, or have it delivered.', /^\/(events|webhooks)/],
  ['Logs', 'What happened, for people to look at.', /^\/logs/],
  ['End users and the audit log', 'All data of one user; who did what.', /^\/(users|audit)/],
  ['Vendor webhooks', 'Where vendors send their webhooks.', /^\/vendor-webhooks/],
]

function groupOf({ name, path }: Route): string {
  const group = GROUPS.find(([, , paths]) => paths.test(path))
  if (group === undefined) throw new TypeError(`the route ${name} is in no group`)
  return group[0]
}

/** What a route wants to know of its caller. */
const CALLERS: Readonly<Record<Route['token'], string>> = {
  any: 'Takes application tokens and scoped tokens',
  application: 'Takes application tokens',
  none: 'Takes no token',
}

function describe({ summary, token, manage }: Route): string {
  const takes =
    manage === true && token === 'any'
      ? 'Takes application tokens, and scoped tokens with the right to manage'
      : CALLERS[token]
  return `${summary}. ${takes}.`
}

function operationOf(route: Route, { connector, serverUrl }: OpenApiOptions): JsonObject {
  const aliases = [route.path, ...route.aliases]
    .flatMap((path) => [`/v1${path}`, `/api/v1${path}`])
    .filter((path) => path !== route.prefix + route.path)
  return {
    operationId: route.name,
    tags: [groupOf(route)],
    summary: route.summary,
    description: describe(route),
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(route, serverUrl) }],
    security: route.token === 'none' ? [] : [{ bearer: [] }],
    'x-aliases': aliases,
    parameters: parametersOf(route),
    ...(route.body === null ? {} : { requestBody: bodyOf(route, route.body, connector) }),
    responses: { ...successesOf(route, connector !== undefined), ...errorsOf(route) },
  }
}

function bodyOf(
  { name, example, takesFiles }: Route,
  body: NonNullable<Route['body']>,
  connector: Manifest | undefined,
): JsonObject {
  const isConnectors = name === 'execute' && connector !== undefined
  const schema = isConnectors ? executeSchema(connector) : body.schema
  // Of one connector there is an alternative for each action, and the example is of another one.
  const content = isConnectors ? { schema } : { schema, example: example ?? {} }
  const form = takesFiles === true ? { 'multipart/form-data': formOf(body.schema) } : {}
  return { required: !body.optional, content: { 'application/json': content, ...form } }
}

/** A body with files behind it. */
function formOf(schema: JsonObject): JsonObject {
  const { properties } = schema
  const members = isJsonObject(properties) ? properties : {}
  return {
    schema: {
      type: 'object',
      required: [OPERATION_PART],
      properties: {
        [OPERATION_PART]: {
          ...schema,
          description:
            'The first part: what would otherwise be the JSON body, and what is known about the files.',
          properties: { ...members, files: FILES_MEMBER },
        },
      },
      // Bytes have no schema in OpenAPI 3.1.
      additionalProperties: {
        description:
          'A file, named after the parameter that it is for. It is passed on as it arrives.',
      },
    },
    encoding: { [OPERATION_PART]: { contentType: 'application/json' } },
  }
}

function parametersOf(route: Route): readonly JsonObject[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: 100 },
    ...PATH_PARAMETERS[name],
  }))
  const properties = (route.query?.['properties'] ?? {}) as Readonly<Record<string, JsonObject>>
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: ((route.query?.['required'] ?? []) as readonly string[]).includes(name),
    schema,
    ...exampleIn(route, name, schema),
  }))
  const inHeader = route.headers.map((header) => {
    const { name, description, schema } = HEADER_PARAMETERS[header]
    return { name, in: 'header', required: false, description, schema }
  })
  return [...inPath, ...inQuery, ...inHeader]
}

function exampleIn(
  { queryExample = {} }: Route,
  name: string,
  schema: JsonObject,
): { readonly example?: Json } {
  const text = queryExample[name]
  if (text === undefined) return {}
  return { example: isJsonObject(schema) && schema['type'] === 'string' ? text : asJson(text) }
}

/** A number, true and false as themselves, everything else as text. */
function asJson(text: string): Json {
  return /^(\d+|true|false)$/.test(text) ? (JSON.parse(text) as Json) : text
}

/** What stands in paths, by its name. */
const PATH_PARAMETERS: Readonly<
  Record<string, { readonly description: string; readonly example: string }>
> = {
  connector_id: {
    description: 'Id of an instance.',
    example: '01a221ab-36ad-73be-ad6f-652ddd8e1420',
  },
  connector_type: { description: 'Connector type, or one of its aliases.', example: 'gong' },
  event_id: { description: 'Id of an event.', example: '01a221ab-4b5c-7d6e-8f90-a1b2c3d4e5f6' },
  log_id: {
    description: 'Id of a log entry.',
    example: '01a221ab-6d7e-7f8a-9b0c-2d3e4f5a6b7c',
  },
  version: { description: 'A version of a connector.', example: '1.0.1' },
  webhook_id: {
    description: 'Id of a webhook.',
    example: '01a221ab-5c6d-7e8f-9a0b-1c2d3e4f5a6b',
  },
}

/** The example as a command line. */
function curlOf(route: Route, serverUrl: string): string {
  const path = route.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => PATH_PARAMETERS[name]?.example ?? name,
  )
  const query = new URLSearchParams(route.queryExample).toString()
  const address = `${serverUrl}${route.prefix}${path}${query === '' ? '' : `?${query}`}`
  const body = route.body === null ? null : JSON.stringify(route.example ?? {})
  return [
    `curl -X ${route.method} '${address}'`,
    ...(route.token === 'none' ? [] : [`-H 'Authorization: Bearer …'`]),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d '${body}'`]),
  ].join(' \\\n  ')
}

const HEADER_PARAMETERS: Readonly<
  Record<
    Route['headers'][number],
    {
      readonly name: string
      readonly description: string
      readonly schema: JsonObject
      /** What an answer has of it. */
      readonly answered?: Declared
    }
  >
> = {
  prefer: {
    name: 'Prefer',
    description: 'wait=n: the deadline for this request in seconds, from 1 to 300.',
    schema: { type: 'string', examples: ['wait=30'] },
    answered: 'preference-applied?',
  },
  'idempotency-key': {
    name: 'Idempotency-Key',
    description:
      'Runs a write only once: for 24 hours, the same key with the same body gets the stored response. Requests with files also need the sha256 of each file.',
    schema: { type: 'string', minLength: 1, maxLength: 257 },
    answered: 'idempotent-replayed?',
  },
  'vendor-idempotency-key': {
    name: 'Idempotency-Key',
    description:
      'For third parties that accept such keys: the request is sent, and repeated, with this key.',
    schema: { type: 'string', minLength: 1, maxLength: 257 },
  },
  range: {
    name: 'Range',
    description: 'For downloads: the byte range to send, such as bytes=0-1023.',
    schema: { type: 'string' },
  },
  'if-match': {
    name: 'If-Match',
    description: 'The ETag that was read; 412 precondition_failed if it has changed since.',
    schema: { type: 'string' },
  },
  'if-none-match': {
    name: 'If-None-Match',
    description: 'The ETag of an earlier response; 304 if nothing changed.',
    schema: { type: 'string' },
  },
}

/** Of every answer of a route. */
function headersOf({ token, headers }: Route): readonly Declared[] {
  const counted = token === 'none' ? [] : (['ratelimit-policy?', 'ratelimit?'] as const)
  const answering = headers.flatMap((header) => HEADER_PARAMETERS[header].answered ?? [])
  return ['x-request-id', ...counted, ...answering]
}

function successesOf(route: Route, isConnectors: boolean): Record<string, JsonObject> {
  const { name, success } = route
  // Where the document is of one connector, that of an operation is of another one.
  const isShown = !isConnectors || name !== 'execute'
  const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  return Object.fromEntries(
    success.map(({ status, description, schema, headers: more }) => {
      const headers = headerObjects([...headersOf(route), ...more])
      if (schema === null) return [String(status), { description, headers }]
      const json = { schema, ...(isShown ? examplesOf(name, status) : {}) }
      const content =
        schema === 'bytes'
          ? bytes
          : { 'application/json': json, ...(name === 'execute' ? bytes : {}) }
      return [String(status), { description, headers, content }]
    }),
  )
}

/** One as `example`; several by what they are. */
function examplesOf(name: string, status: number): JsonObject {
  const answers = (EXAMPLE_ANSWERS[name] ?? []).filter((each) => each.status === status)
  const [first, ...others] = answers
  if (first === undefined) return {}
  if (others.length === 0) return { example: first.value }
  return {
    examples: Object.fromEntries(
      answers.map(({ summary, value }, at) => [`form_${at + 1}`, { summary, value }]),
    ),
  }
}

function errorsOf(route: Route): Record<string, JsonObject> {
  const codes = new Set<ErrorCode>([
    ...ALWAYS,
    'internal_error',
    ...(route.token === 'none' ? [] : WITH_TOKEN),
    ...(route.body === null ? [] : WITH_BODY),
    ...route.errors,
  ])
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const description = group.map((code) => `${code}: ${ERRORS[code].title}`).join('; ')
      const allOf = [
        { $ref: '#/components/schemas/Problem' },
        { properties: { code: { enum: group } } },
      ]
      const content = { 'application/problem+json': { schema: { allOf } } }
      const headers = headerObjects([...headersOf(route), ...headersOfErrors(status, group)])
      return [String(status), { description, headers, content }]
    }),
  )
}

/** As `problemOf` sets them. */
function headersOfErrors(status: number | null, codes: readonly ErrorCode[]): readonly Declared[] {
  const isTold = codes.every((code) => WAITS.has(code))
  const isPossible = codes.some((code) => ERRORS[code].retry !== false)
  const waits: readonly Declared[] = isTold ? ['retry-after'] : isPossible ? ['retry-after?'] : []
  if (status === 401) return [...waits, 'www-authenticate']
  return status === 416 ? [...waits, 'content-range?'] : waits
}

function executeSchema(manifest: Manifest): JsonObject {
  return {
    oneOf: describeEntities(manifest).flatMap(({ entity, actions, searchFields }) => [
      ...actions.map(({ action, summary, params }) =>
        operationSchema(entity, action, summary, referring(params)),
      ),
      ...(searchFields === null
        ? []
        : [operationSchema(entity, SEARCH, 'Search the synchronized copy', SEARCH_PARAMS)]),
    ]),
  }
}

function operationSchema(
  entity: string,
  action: string,
  summary: string | null,
  params: Json,
): JsonObject {
  const needed = isJsonObject(params) ? (params['required'] ?? []) : []
  return {
    type: 'object',
    title: `${entity}.${action}`,
    description: summary ?? `${entity}.${action}`,
    additionalProperties: false,
    required: [
      'entity',
      'action',
      ...(Array.isArray(needed) && needed.length > 0 ? ['params'] : []),
    ],
    properties: { entity: { const: entity }, action: { const: action }, params },
  }
}

/** The definitions that the actions refer to, and those that these refer to. */
function definitionsOf(connector: Manifest | undefined): JsonObject {
  if (connector === undefined) return {}
  const found = new Map<string, Json>()
  const open: Json[] = [executeSchema(connector)]
  for (const schema of open)
    for (const [, name = ''] of JSON.stringify(schema).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      const definition = connector.definitions[name]
      if (definition === undefined || found.has(name)) continue
      const referred = referring(definition)
      found.set(name, referred)
      open.push(referred)
    }
  return Object.fromEntries(found)
}

/** The schema with references into the components of the document instead of definitions of its own. */
function referring(schema: Json): Json {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((element) => referring(element))
  // Generators want to be told that elements may be anything.
  const anything = [own(schema, 'type')].flat().includes('array') ? { items: {} } : {}
  const members = Object.fromEntries(
    Object.entries(schema)
      .filter(([name, member]) => name !== 'definitions' || !isJsonObject(member))
      .map(([name, member]) => [
        name,
        name === '$ref' && typeof member === 'string'
          ? member.replace('#/definitions/', '#/components/schemas/')
          : referring(member),
      ]),
  )
  return { ...anything, ...members }
}

const PROBLEM_MEMBERS: Members = {
  type: { type: 'string', examples: ['urn:tenon:problem:params_invalid'] },
  title: { type: 'string' },
  status: { type: 'integer' },
  detail: { type: 'string' },
  code: {
    type: 'string',
    description: `Never renamed, only added: ${Object.keys(ERRORS).join(', ')}.`,
  },
  origin: {
    enum: ['request', 'auth', 'connector', 'upstream', 'service'],
    description: 'Who has to act.',
  },
  retryable: { type: 'boolean', description: 'Whether the same request can succeed later.' },
  retry_after_ms: { type: ['integer', 'null'] },
  outcome: {
    enum: ['not_applied', 'applied', 'uncertain'],
    description: 'What is known about the effect of a write.',
  },
  errors: {
    type: 'array',
    items: open(
      {
        pointer: { type: 'string', description: 'JSON pointer into the request.' },
        ...each(['code', 'detail'], { type: 'string' }),
        allowed: { type: 'array', items: {}, description: 'What would have been accepted.' },
      },
      ['pointer', 'code', 'detail'],
    ),
  },
  steps: {
    type: 'array',
    description: 'For an operation with several requests: the result of each.',
    items: open(
      {
        step: { type: 'integer' },
        ...each(['name', 'outcome'], { type: 'string' }),
        upstream: FREE,
      },
      ['step', 'name', 'outcome'],
    ),
  },
  upstream: orNull(
    open({
      status: { type: ['integer', 'null'] },
      request_id: { type: ['string', 'null'] },
      body: { type: ['string', 'null'], maxLength: 2048 },
    }),
  ),
  request_id: { type: 'string' },
}

const PROBLEM: JsonObject = open(
  PROBLEM_MEMBERS,
  Object.keys(PROBLEM_MEMBERS).filter((name) => name !== 'steps'),
)
