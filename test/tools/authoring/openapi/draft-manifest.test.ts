import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { OpenApiError, readOpenApi } from '../../../../src/tools/authoring/openapi/document.ts'
import { draftManifest } from '../../../../src/tools/authoring/openapi/draft-manifest.ts'
import {
  type Selection,
  selectOperations,
} from '../../../../src/tools/authoring/openapi/select-operations.ts'
import type { AuthStub } from '../../../../src/tools/authoring/openapi/draft-auth.ts'
import { connect } from '../../../../src/client/connect.ts'
import { loadManifest, requireManifest } from '../../../../src/language/manifest/load.ts'

const SCHEMA = '../../../../schemas/manifest.schema.json'

function draft(file: string, type: string, paths: readonly string[] = []) {
  const path = `test/tools/authoring/openapi/${file}`
  return draftOf(readFileSync(path, 'utf8'), { file, type, paths })
}

function draftOf(
  text: string,
  {
    file = 'api.json',
    type = 'acme',
    paths = [] as readonly string[],
    auth = null as AuthStub | null,
  } = {},
) {
  const document = readOpenApi(text, file)
  const operations = selectOperations(document, { paths, tags: [], ids: [] })
  return draftManifest(document, { type, schema: SCHEMA, operations, auth })
}

// The drafts were compared with the documents by hand.
test.for([
  { file: 'ledger.yaml', type: 'ledger', what: 'OpenAPI 3.0, form bodies, cursor by last id' },
  {
    file: 'tickets.yaml',
    type: 'tickets',
    what: 'Swagger 2.0, page numbers, files, three methods',
  },
  { file: 'forge.json', type: 'forge', what: 'OpenAPI 3.1, Link header, types in lists' },
])('$what', ({ file, type }) => {
  expect(draft(file, type).text).toBe(
    readFileSync(`test/tools/authoring/openapi/drafts/${type}.yaml`, 'utf8'),
  )
})

test('what cannot be said is told', () => {
  expect(draft('ledger.yaml', 'ledger').report).toEqual({
    entities: 1,
    actions: 4,
    guessed: [
      'the server has variables: each customer sets config.version',
      'invoices.list: starting_after gets the id of the last record',
    ],
    undecided: [],
    missing: [
      'POST /invoices/{id}/pdf is left out: its body is application/xml',
      'security scheme "session" (apiKey cookie) cannot be said; it is left out',
    ],
  })
})

test('single operations can be chosen', () => {
  const { text, report } = draft('ledger.yaml', 'ledger', ['get /invoices/{id}'])
  expect(report.actions).toBe(1)
  expect(text).toContain('http: GET /invoices/{{ params.id }}')
})

describe('a variable of the server is a setting, and its default only an example', () => {
  const TEXT = { type: 'string', minLength: 1 }
  const drafted = (url: string, variables: object, flows?: object) => {
    const key = { type: 'apiKey', in: 'header', name: 'X-Key' }
    const oauth = { type: 'oauth2', flows: { authorizationCode: flows } }
    const securitySchemes = flows === undefined ? { key } : { oauth }
    const text = JSON.stringify({
      openapi: '3.0.0',
      servers: [{ url, variables }],
      components: { securitySchemes },
      paths: { '/items': { get: { responses: { 200: { description: 'Ok.' } } } } },
    })
    const { text: yaml } = draftOf(text)
    expect(loadManifest({ file: 'acme.yaml', text: yaml }).problems).toEqual([])
    return parse(yaml) as { server: object; config?: object; auth?: { oauth: { oauth2: object } } }
  }

  test.for<{ name: string; url: string; variables?: object; server: object; config?: object }>([
    {
      name: 'a part of the host',
      url: 'https://{site}.x.example/v1/',
      variables: { site: { default: 'acme', description: 'Your site.' } },
      server: { url: 'https://{{ config.site }}.x.example/v1', hosts: ['*.x.example'] },
      config: { site: { ...TEXT, description: 'Your site. For example acme.' } },
    },
    {
      name: 'one that the document does not describe',
      url: 'https://api-{your-site}.eu.x.example',
      server: { url: 'https://api-{{ config.your-site }}.eu.x.example', hosts: ['*.eu.x.example'] },
      config: { 'your-site': TEXT },
    },
    {
      name: 'one of a few',
      url: 'http://{region}.x.example',
      variables: { region: { default: 'us', enum: ['us', 'eu'] } },
      server: {
        url: 'https://{{ config.region }}.x.example',
        hosts: ['us.x.example', 'eu.x.example'],
      },
      config: { region: { enum: ['us', 'eu'], description: 'For example us.' } },
    },
    {
      name: 'a part of the path',
      url: 'https://api.x.example/{tenant}',
      variables: { tenant: { default: 'acme' } },
      server: { url: 'https://api.x.example/{{ config.tenant }}', hosts: ['api.x.example'] },
      config: { tenant: { ...TEXT, description: 'For example acme.' } },
    },
    {
      name: 'the whole host, with a port',
      url: 'https://{host}:{port}/api',
      variables: { host: { default: 'acme.x.example' }, port: { default: '8443' } },
      server: { url: 'https://{{ config.host }}/api', hosts: 'any' },
      config: { host: { ...TEXT, description: 'For example acme.x.example.' } },
    },
    {
      name: 'too much of the host',
      url: 'https://api.{domain}.example',
      variables: { domain: { default: 'acme' } },
      server: { url: 'https://{{ config.host }}', hosts: 'any' },
      config: { host: { ...TEXT, description: 'Host of the server.' } },
    },
    {
      name: 'scheme and host in one',
      url: '{server}/v1',
      variables: { server: { default: 'https://acme.x.example' } },
      server: { url: 'https://{{ config.host }}/v1', hosts: 'any' },
      config: { host: { ...TEXT, description: 'Host of the server.' } },
    },
    {
      name: 'the scheme alone is none',
      url: '{scheme}://api.x.example',
      variables: { scheme: { default: 'http', enum: ['http', 'https'] } },
      server: { url: 'https://api.x.example' },
    },
  ])('$name', ({ url, variables = {}, server, config }) => {
    const found = drafted(url, variables)
    const properties =
      config === undefined ? {} : { required: Object.keys(config), properties: config }
    expect([found.server, found.config ?? {}]).toEqual([server, properties])
  })

  test('a token endpoint at the example is at the host of each customer', () => {
    const { auth } = drafted(
      'https://{site}.x.example/v1',
      { site: { default: 'acme' } },
      {
        authorizationUrl: 'https://login.x.example/authorize',
        tokenUrl: 'https://acme.x.example/oauth/token',
        scopes: {},
      },
    )
    expect(auth?.oauth.oauth2).toMatchObject({
      authorize: { url: 'https://login.x.example/authorize' },
      token: { url: 'https://{{ config.site }}.x.example/oauth/token' },
    })
  })
})

type Paths = Record<string, Record<string, object>>
const answer = (schema: object, type = 'application/json') => ({
  200: { description: 'Ok.', content: { [type]: { schema } } },
})
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const text = { type: 'string' }
const integer = { type: 'integer' }
const draftOfPaths = (paths: Paths, more: object = {}, auth: AuthStub | null = null) => {
  const { text: yaml, report } = draftOf(JSON.stringify({ openapi: '3.0.0', paths, ...more }), {
    auth,
  })
  return { report, manifest: parse(yaml), yaml }
}

describe('pagination is drafted from evidence, else a person decides', () => {
  const list = (parameters: object[], members: object, headers: object = {}) =>
    draftOfPaths({
      '/items': {
        get: {
          parameters: parameters.map((one) => ({ in: 'query', ...one })),
          responses: {
            200: {
              headers,
              content: {
                'application/json': {
                  schema: object({
                    items: { type: 'array', items: object({ id: text }) },
                    ...members,
                  }),
                },
              },
            },
          },
        },
      },
    })
  const cursor = { name: 'cursor', schema: text }
  const limit = { name: 'limit', schema: integer }
  test.for<{
    name: string
    parameters: object[]
    members?: object
    headers?: object
    want: object
  }>([
    {
      name: 'a cursor within an object of the answer',
      parameters: [cursor, limit],
      members: { response_metadata: object({ next_cursor: text }) },
      want: {
        type: 'cursor',
        param: 'cursor',
        size: 'limit',
        next: '$.response_metadata.next_cursor',
      },
    },
    {
      name: 'a cursor that only the text of the parameter tells',
      parameters: [
        { ...cursor, description: 'Set `cursor` to the `next_cursor` of `response_metadata`.' },
      ],
      want: { type: 'cursor', param: 'cursor', next: '$.response_metadata.next_cursor' },
    },
    {
      name: 'the id of the last record',
      parameters: [{ name: 'starting_after', schema: text }, limit],
      members: { has_more: { type: 'boolean' } },
      want: {
        type: 'cursor',
        param: 'starting_after',
        size: 'limit',
        next: '$.items[-1].id',
        more: '$.has_more',
      },
    },
    {
      name: 'an offset of text',
      parameters: [{ name: 'offset', schema: text }, limit],
      members: { next_page: object({ offset: text, uri: text }) },
      want: { type: 'cursor', param: 'offset', size: 'limit', next: '$.next_page.offset' },
    },
    {
      name: 'an address',
      parameters: [{ name: 'page', schema: integer }],
      members: { links: object({ pages: object({ next: { type: 'string', format: 'uri' } }) }) },
      want: { type: 'link', param: 'page_link', next: '$.links.pages.next' },
    },
    {
      name: 'a Link header',
      parameters: [{ name: 'per_page', schema: integer }],
      headers: { Link: { schema: text } },
      want: { type: 'link', param: 'page_link', size: 'per_page', next: '$link.next' },
    },
    {
      name: 'an offset and a total',
      parameters: [{ name: 'offset', schema: integer }, limit],
      members: { total_count: integer },
      want: { type: 'offset', param: 'offset', size: 'limit', total: '$.total_count' },
    },
    {
      name: 'a page of text',
      parameters: [{ name: 'page', schema: text }],
      members: { next_page: text },
      want: { type: 'cursor', param: 'page', next: '$.next_page' },
    },
    {
      name: 'an offset where a flag switches the cursor on',
      parameters: [
        { name: 'offset', schema: integer, description: 'Offset of the first item.' },
        { name: 'usemarker', schema: { type: 'boolean' } },
        { name: 'marker', schema: text },
        limit,
      ],
      members: { next_marker: text },
      want: { type: 'offset', param: 'offset', size: 'limit' },
    },
    {
      name: 'pages from zero',
      parameters: [{ name: 'page', schema: integer, description: 'Number of the page, 0-based.' }],
      want: { type: 'page', param: 'page', first: 0 },
    },
  ])('$name', ({ parameters, members = {}, headers = {}, want }) => {
    const { manifest, report } = list(parameters, members, headers)
    expect(manifest.entities.items.actions.list.pagination).toEqual(want)
    expect(report.undecided).toEqual([])
  })

  test.for([
    { name: 'nothing at all', parameters: [] },
    { name: 'a cursor without a place of the next one', parameters: [cursor] },
    { name: 'a page of which nothing is said', parameters: [{ name: 'page', schema: integer }] },
  ])('$name', ({ parameters }) => {
    const { yaml, report } = list(parameters, {})
    expect(report.undecided).toEqual(['items.list'])
    expect(yaml).toContain('# decide: ')
    expect(loadManifest({ file: 'acme.yaml', text: yaml }).problems).toMatchObject([
      { rule: 'pagination/missing', path: 'entities.items.actions.list' },
    ])
  })
})

test('files are downloads, and searches read', () => {
  const { manifest } = draftOfPaths({
    '/files/{id}/content': {
      get: { responses: answer({ type: 'string', format: 'binary' }, 'application/pdf') },
    },
    '/archives/{id}': { get: { responses: { 302: { description: 'Elsewhere.' } } } },
    '/items/search': {
      post: {
        requestBody: { content: { 'application/json': { schema: object({ query: text }) } } },
        responses: answer(object({ results: { type: 'array', items: object({ id: text }) } })),
      },
    },
  })
  expect(Object.keys(manifest.entities.content.actions)).toEqual(['download'])
  expect(manifest.entities.archives.actions.download.request.redirects).toBe(3)
  expect(manifest.entities.items.actions.api_search).toMatchObject({
    request: { http: 'POST /items/search', body: ['query'] },
    response: { records: '$.results' },
  })
})

describe('authentication', () => {
  const paths = { '/items': { get: { parameters: [], responses: answer(object({ id: text })) } } }
  const withSchemes = (securitySchemes: object, more: object = {}) =>
    draftOfPaths(paths, { components: { securitySchemes }, ...more }).manifest.auth
  const bearer = { type: 'http', scheme: 'bearer' }
  const key = (name: string) => ({ type: 'apiKey', in: 'header', name })

  test('two schemes of one kind are both kept', () => {
    const auth = withSchemes({ user: bearer, app: bearer })
    expect(auth.user.apply).toEqual({ bearer: '{{ credentials.token }}' })
    expect(auth.app.apply).toEqual({ bearer: '{{ credentials.app_token }}' })
  })

  test('schemes that are needed together are one method', () => {
    const auth = withSchemes(
      { id: key('X-Id'), secret: key('X-Secret') },
      { security: [{ id: [], secret: [] }] },
    )
    expect(auth).toMatchObject({
      id_secret: {
        credentials: { required: ['id_api_key', 'secret_api_key'] },
        apply: {
          headers: {
            'X-Id': '{{ credentials.id_api_key }}',
            'X-Secret': '{{ credentials.secret_api_key }}',
          },
        },
      },
    })
  })

  test.for(['bearer', 'basic', 'header', 'oauth2'] as const)(
    'a stub of %s where the document has none',
    (auth) => {
      const { manifest, yaml } = draftOfPaths(paths, {}, auth)
      const place = auth === 'header' ? 'headers' : auth === 'oauth2' ? 'bearer' : auth
      expect(Object.keys(manifest.auth.main.apply)).toEqual([place])
      expect(loadManifest({ file: 'acme.yaml', text: yaml }).problems).toEqual([])
    },
  )

  test('a parameter that repeats it is dropped', () => {
    const parameters = [
      { in: 'query', name: 'token', schema: text, description: 'Authentication token.' },
      { in: 'header', name: 'X-Id', schema: text },
      { in: 'query', name: 'key', schema: text, description: 'Key of the item.' },
    ]
    const { manifest } = draftOfPaths(
      { '/items': { get: { parameters, responses: answer(object({ id: text })) } } },
      { components: { securitySchemes: { id: key('X-Id') } } },
    )
    expect(Object.keys(manifest.entities.items.actions.get.params.properties)).toEqual(['key'])
  })
})

test('ok: false is an error, of the class that its names say', () => {
  const ok = { type: 'boolean' }
  const { manifest } = draftOfPaths({
    '/users.info': {
      get: {
        responses: {
          ...answer(object({ ok, user: object({ id: text }) })),
          default: {
            content: {
              'application/json': {
                schema: object({
                  ok,
                  error: { type: 'string', enum: ['user_not_found', 'not_authed'] },
                }),
              },
            },
          },
        },
      },
    },
  })
  expect(manifest.entities.users.actions.get.response).toEqual({ record: '$.user' })
  expect(manifest.defaults.error_body).toEqual({
    message: '{{ response.body.error }}',
    code: '$.error',
  })
  expect(manifest.defaults.errors.map(({ as }: { as: string }) => as)).toEqual([
    'credentials',
    'not_found',
    'invalid',
  ])
})

test('lists and objects of queries and forms travel as the document says', () => {
  const inQuery = (name: string, schema: object, more: object = {}) => ({
    in: 'query',
    name,
    schema,
    ...more,
  })
  const texts = { type: 'array', items: text }
  const deep = { style: 'deepObject', explode: true }
  const range = { anyOf: [object({ gte: integer }), integer] }
  const { manifest } = draftOfPaths({
    '/charges': {
      get: {
        parameters: [
          inQuery('expand', texts, deep),
          inQuery('created', range, deep),
          inQuery('ids', texts),
          inQuery('tags', texts, { explode: false }),
          inQuery('piped', texts, { style: 'pipeDelimited', explode: false }),
          inQuery('place', object({ lat: text })),
          {
            in: 'query',
            name: 'filter',
            content: { 'application/json': { schema: object({ a: text }) } },
          },
        ],
        responses: answer(object({ id: text })),
      },
      post: {
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: object({
                metadata: object({}, { additionalProperties: text }),
                items: { type: 'array', items: object({ price: text }) },
              }),
              encoding: { metadata: deep, items: deep },
            },
          },
        },
        responses: answer(object({ id: text })),
      },
    },
  })
  const { get, create } = manifest.entities.charges.actions
  expect(get.request.query).toEqual([
    { expand: { $value: '{{ params.expand }}', $style: 'brackets' } },
    { created: { $value: '{{ params.created }}', $style: 'brackets' } },
    'ids',
    { tags: { $value: '{{ params.tags }}', $style: 'csv' } },
    { piped: { $value: '{{ params.piped }}', $style: 'pipe' } },
    { lat: '{{ params.place.lat }}' },
    { filter: { $value: '{{ params.filter }}', $style: 'json' } },
  ])
  expect(get.params.properties.created.type).toEqual(['object', 'integer'])
  expect(create.request.form).toEqual([
    { metadata: { $value: '{{ params.metadata }}', $style: 'brackets' } },
    { items: { $value: '{{ params.items }}', $style: 'indices' } },
  ])
})

// Read by the URL standard's parser, with the names that the examples of docs.stripe.com/api send.
test('what the document calls deepObject leaves as expand[], created[gte], metadata[k] and items[0][price]', async () => {
  const deep = { style: 'deepObject', explode: true }
  const expand = { in: 'query', name: 'expand', schema: { type: 'array', items: text }, ...deep }
  const created = { in: 'query', name: 'created', schema: object({ gte: integer }), ...deep }
  const form = object({
    metadata: object({}, { additionalProperties: text }),
    items: { type: 'array', items: object({ price: text }) },
  })
  const content = {
    'application/x-www-form-urlencoded': {
      schema: form,
      encoding: { metadata: deep, items: deep },
    },
  }
  const responses = answer(object({ id: text }))
  const { yaml } = draftOfPaths({
    '/subscriptions': {
      get: { parameters: [expand, created], responses },
      post: { requestBody: { content }, responses },
    },
  })
  const manifest = requireManifest(loadManifest({ file: 'acme.yaml', text: yaml }))
  const client = await connect(manifest, { credentials: { token: 'secret-token-1' } })
  const read = await client.preview('subscriptions', 'get', {
    expand: ['customer', 'items'],
    created: { gte: 5 },
  })
  const made = await client.preview('subscriptions', 'create', {
    metadata: { order_id: '6735' },
    items: [{ price: 'p1' }],
  })
  await client.close()
  expect([...new URL(read.requests[0]?.url ?? '').searchParams]).toEqual([
    ['expand[]', 'customer'],
    ['expand[]', 'items'],
    ['created[gte]', '5'],
  ])
  expect([...new URLSearchParams(made.requests[0]?.body as string)]).toEqual([
    ['metadata[order_id]', '6735'],
    ['items[0][price]', 'p1'],
  ])
})

test('choices of a body keep all members, and choices of required names are refused together', () => {
  const body = {
    oneOf: [
      object({ card: text, at: text }, { required: ['card'] }),
      object({ bank: text, name: text }, { required: ['bank', 'name'] }),
    ],
  }
  const { manifest } = draftOfPaths({
    '/payments': {
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: body } } },
        responses: answer(object({ id: text })),
      },
    },
  })
  const { params, refuse } = manifest.entities.payments.actions.create
  expect(Object.keys(params.properties)).toEqual(['card', 'at', 'bank', 'name'])
  expect(refuse).toEqual([
    {
      if: '{{ not (or (given params.card) (and (given params.bank) (given params.name))) }}',
      params: ['card', 'bank', 'name'],
      message: 'Give card, or bank and name.',
    },
  ])
})

test('short names are for canonical paths, and a record is what its own get or list answers', () => {
  const id = { in: 'path', name: 'id', schema: text }
  const list = (members: object) => ({
    responses: answer({ type: 'array', items: object(members) }),
    parameters: [{ in: 'query', name: 'page', schema: integer, description: 'Page.' }],
  })
  const { manifest } = draftOfPaths({
    '/teams/{id}/users': {
      get: { ...list({ role: text, joined: text, by: text }), parameters: [id] },
    },
    '/users': {
      get: list({ id: text, login: text }),
      post: { responses: answer(object({ report: text, rows: integer })) },
    },
    '/users/{id}': {
      get: { parameters: [id], responses: answer(object({ id: text, login: text, email: text })) },
    },
  })
  expect(Object.keys(manifest.entities)).toEqual(['teams_users', 'users'])
  expect(Object.keys(manifest.entities.users.record.properties)).toEqual(['id', 'login', 'email'])
  expect(manifest.entities.users.actions.list.result).toBeUndefined()
  expect(Object.keys(manifest.entities.users.actions.create.result.properties)).toEqual([
    'report',
    'rows',
  ])
})

test('values that are listed without a type say the type', () => {
  const { manifest } = draftOfPaths({
    '/runs': {
      get: {
        parameters: [{ in: 'query', name: 'state', schema: { enum: ['done', 'open'] } }],
        responses: answer({
          type: 'array',
          items: object({ id: text, reason: { enum: ['late', null] }, rank: { enum: [1, 2] } }),
        }),
      },
    },
  })
  const { record, actions } = manifest.entities.runs
  expect(actions.list.params.properties).toEqual({
    state: { type: 'string', enum: ['done', 'open'] },
  })
  expect(record.properties).toEqual({
    id: text,
    reason: { type: ['string', 'null'], enum: ['late', null] },
    rank: { type: 'integer', enum: [1, 2] },
  })
})

test('an operation at a server of its own is called there, and texts in HTML are plain', () => {
  const { text } = draftOf(
    JSON.stringify({
      openapi: '3.0.0',
      info: { title: 'Acme', version: '1' },
      servers: [{ url: 'https://api.acme.example/v1/' }],
      paths: {
        '/files': {
          post: {
            description: '<p>Takes a <b>file</b>. Of any type.</p>',
            servers: [{ url: 'https://files.acme.example/v1/' }],
            responses: answer({ type: 'object', properties: { id: { type: 'string' } } }),
          },
        },
        '/files/{id}': {
          servers: [{ url: 'https://api.acme.example/v1/' }],
          get: { responses: answer({ type: 'object', properties: { id: { type: 'string' } } }) },
        },
      },
    }),
  )
  const drafted = parse(text) as {
    server: object
    entities: { files: { actions: Record<string, { summary: string; request: { http: string } }> } }
  }
  const { create, get } = drafted.entities.files.actions
  expect({ server: drafted.server, create: create?.request.http, get: get?.request.http }).toEqual({
    server: {
      url: 'https://api.acme.example/v1',
      hosts: ['api.acme.example', 'files.acme.example'],
    },
    create: 'POST https://files.acme.example/v1/files',
    get: 'GET /files/{{ params.id }}',
  })
  expect(create?.summary).toBe('Takes a file')
})

describe('a part of a document', () => {
  const responses = answer(object({ id: text }))
  const get = (id: string, ...tags: string[]) => ({ get: { operationId: id, tags, responses } })
  const document = readOpenApi(
    JSON.stringify({
      openapi: '3.0.0',
      paths: {
        '/a': get('a/get', 'one'),
        '/a/{id}/b': get('b/get', 'two'),
        '/a/{id}': { ...get('a/read', 'one'), delete: { responses } },
      },
    }),
    'api.json',
  )
  const take = (selection: Partial<Selection>) =>
    selectOperations(document, { paths: [], tags: [], ids: [], ...selection }).map(
      ({ method, path }) => `${method} ${path}`,
    )
  test.for<{ name: string; selection: Partial<Selection>; want: string[] }>([
    { name: 'one segment', selection: { paths: ['GET /a/*'] }, want: ['GET /a/{id}'] },
    {
      name: 'any segments of any method',
      selection: { paths: ['/a/**'] },
      want: ['GET /a/{id}/b', 'GET /a/{id}', 'DELETE /a/{id}'],
    },
    { name: 'a tag', selection: { tags: ['One'] }, want: ['GET /a', 'GET /a/{id}'] },
    { name: 'ids', selection: { ids: ['a/*'] }, want: ['GET /a', 'GET /a/{id}'] },
    {
      name: 'all choices hold',
      selection: { tags: ['one'], ids: ['*/read'] },
      want: ['GET /a/{id}'],
    },
  ])('$name', ({ selection, want }) => {
    expect(take(selection)).toEqual(want)
  })

  test('what nothing fits is refused with the nearest', () => {
    expect(() => take({ tags: ['twoo'] })).toThrow('did you mean "two"')
    expect(() => take({ tags: ['two'], ids: ['a/get'] })).toThrow('no operation fits')
  })

  test('one too large for a manifest says which tags there are', () => {
    const members = Object.fromEntries(
      Array.from({ length: 12_000 }, (_none, at) => [
        `member_with_a_long_name_${at}`,
        { type: 'string', description: 'd'.repeat(60) },
      ]),
    )
    const run = () =>
      draftOfPaths({ '/big': { get: { tags: ['huge'], responses: answer(object(members)) } } })
    expect(run).toThrow('the tags are huge (1)')
  })
})

/** Ten of ten of ten, and so on. */
const LAUGHS = Array.from({ length: 12 }, (_line, at) => {
  const items = Array.from({ length: 10 }, () => (at === 0 ? 'x' : `*a${at - 1}`))
  return `a${at}: &a${at} [${items.join(', ')}]`
}).join('\n')

const HEAD = {
  openapi: '3.0.0',
  info: { title: 'Acme' },
  servers: [{ url: 'https://api.acme.example' }],
}

describe('refused', () => {
  test.for([
    { name: 'no document at all', text: '[1, 2]', says: 'is no OpenAPI document' },
    { name: 'another document', text: '{"openapi": "4.0"}', says: 'is no OpenAPI document' },
    {
      name: 'operations in other files',
      text: '{"openapi": "3.0.0", "paths": {"/a": {"get": {"$ref": "a.yml"}}}}',
      says: 'in other files (a.yml)',
    },
    { name: 'no JSON and no YAML', text: '{"a": ', says: 'neither JSON nor YAML' },
    { name: 'a key twice', text: 'a: 1\nb: 2\na: 3\n', says: 'must be unique at line 3' },
    // These would take minutes where each key is compared with all others, or each error is shown at its place.
    {
      name: 'very many keys',
      text: Array.from({ length: 90_000 }, (_key, at) => `k${at}: 1`).join('\n'),
      says: 'is no OpenAPI document',
    },
    { name: 'very many errors', text: '&a '.repeat(200_000), says: 'one anchor at line 1' },
    { name: 'what grows without end', text: LAUGHS, says: 'Excessive alias count' },
  ])('$name', ({ text, says }) => {
    expect(() => readOpenApi(text, 'api.json')).toThrow(says)
  })

  // A few lines, which would be written out for hours, and fill the memory.
  const SELF = { $ref: '#/components/schemas/A' }
  test.for<{ name: string; self: object }>([
    { name: 'all of itself', self: { allOf: Array.from({ length: 6 }, () => SELF) } },
    { name: 'one of itself', self: { oneOf: Array.from({ length: 6 }, () => SELF) } },
    {
      name: 'members that are itself',
      self: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`p${at}`, SELF])),
      },
    },
  ])('X3 schemas that consist of each other in very many ways: $name', ({ self }) => {
    const content = { 'application/json': { schema: SELF } }
    const post = { requestBody: { content }, responses: { 200: { content } } }
    const paths = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`/i${at}`, { post }]))
    const text = JSON.stringify({ ...HEAD, paths, components: { schemas: { A: self } } })
    expect(() => draftOf(text)).toThrow('cannot be written out')
  })

  test('a reference that is not encoded as it should be leads nowhere', () => {
    const content = { 'application/json': { schema: { $ref: '#/%' } } }
    const paths = { '/items': { get: { responses: { 200: { content } } } } }
    expect(draftOf(JSON.stringify({ ...HEAD, paths })).report).toMatchObject({ actions: 1 })
  })

  test('a misspelt path, with the nearest one', () => {
    expect(() => draft('ledger.yaml', 'ledger', ['GET /invoice'])).toThrow(
      'did you mean "GET /invoices"',
    )
  })

  test('a document without operations', () => {
    expect(() => draftOf('{"openapi": "3.0.0", "paths": {}}')).toThrow(OpenApiError)
  })
})

const word = fc.constantFrom(
  'orders',
  'Order Items',
  'check',
  'v2',
  'a.b',
  '9lives',
  'then',
  'ünits',
)
const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'object', 'array', 'odd')
const schema = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      type,
      nullable: fc.boolean(),
      default: fc.jsonValue(),
      pattern: fc.constantFrom('^a', '(?=x)', '['),
    }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({
      type: fc.constant('object'),
      required: fc.array(word),
      properties: fc.dictionary(word, tie('schema'), { maxKeys: 3 }),
    }),
    fc.record({ allOf: fc.array(tie('schema'), { maxLength: 2 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { maxLength: 2 }) }),
    fc.constant({ $ref: '#/components/schemas/Loop' }),
  ),
})).schema
const parameter = fc.record({
  name: fc.oneof(word, fc.constantFrom('page', 'cursor', 'limit', 'filter[x]', 'Authorization')),
  in: fc.constantFrom('query', 'header', 'cookie'),
  required: fc.boolean(),
  schema,
})
const operation = fc.record({
  summary: fc.option(fc.constantFrom('{{ params.x }}', 'List', 'a: b'), { nil: undefined }),
  parameters: fc.array(parameter, { maxLength: 4 }),
  requestBody: fc.option(
    fc.record({
      required: fc.boolean(),
      content: fc.record({ 'application/json': fc.record({ schema }) }),
    }),
    { nil: undefined },
  ),
  responses: fc.record({
    200: fc.record({ content: fc.record({ 'application/json': fc.record({ schema }) }) }),
  }),
})

test('every draft lints but for what a person must decide, whatever the document says', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(word, fc.boolean(), fc.constantFrom('get', 'post', 'put', 'delete'), operation),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      (operations) => {
        const paths: Record<string, Record<string, unknown>> = {}
        for (const [name, one, method, value] of operations) {
          const path = `/${name}${one ? '/{id}' : ''}`
          const parameters = one
            ? [...value.parameters, { name: 'id', in: 'path', schema: {} }]
            : value.parameters
          ;(paths[path] ??= {})[method] = { ...value, parameters }
        }
        const loop = {
          type: 'object',
          properties: { again: { $ref: '#/components/schemas/Loop' } },
        }
        const text = JSON.stringify({
          openapi: '3.0.0',
          paths,
          components: { schemas: { Loop: loop } },
        })
        let drafted: ReturnType<typeof draftManifest>
        try {
          drafted = draftOf(text, { type: 'any' })
        } catch (error) {
          expect(error).toBeInstanceOf(OpenApiError)
          return
        }
        const { problems } = loadManifest({ text: drafted.text, file: 'any.yaml' })
        const undecided = problems.filter(({ rule }) => rule === 'pagination/missing')
        expect(undecided).toHaveLength(drafted.report.undecided.length)
        expect(
          problems.filter((one) => one.severity === 'error' && !undecided.includes(one)),
        ).toEqual([])
      },
    ),
    { numRuns: 60 },
  )
})
