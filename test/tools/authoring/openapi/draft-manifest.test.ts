import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { OpenApiError, readOpenApi } from '../../../../src/tools/authoring/openapi/document.ts'
import { draftManifest } from '../../../../src/tools/authoring/openapi/draft-manifest.ts'
import { loadManifest } from '../../../../src/language/manifest/load.ts'

const SCHEMA = '../../../../schemas/manifest.schema.json'

function draft(file: string, type: string, paths: readonly string[] = []) {
  const path = `test/tools/authoring/openapi/${file}`
  return draftManifest(readOpenApi(readFileSync(path, 'utf8'), file), {
    type,
    schema: SCHEMA,
    paths,
  })
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
  expect(draft('ledger.yaml', 'ledger').notes).toEqual([
    'POST /invoices/{id}/pdf is left out: its body is application/xml',
    'the server has variables: each customer sets config.version',
    'security scheme "session" (apiKey) cannot be said; it is left out',
  ])
})

test('single operations can be chosen', () => {
  const { text, actions } = draft('ledger.yaml', 'ledger', ['get /invoices/{id}'])
  expect(actions).toBe(1)
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
    const options = { type: 'acme', schema: SCHEMA, paths: [] }
    const { text: yaml } = draftManifest(readOpenApi(text, 'api.json'), options)
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

describe('refused', () => {
  test.for([
    { name: 'no document at all', text: '[1, 2]', says: 'is no OpenAPI document' },
    { name: 'another document', text: '{"openapi": "4.0"}', says: 'is no OpenAPI document' },
    { name: 'no JSON and no YAML', text: '{"a": ', says: 'neither JSON nor YAML' },
  ])('$name', ({ text, says }) => {
    expect(() => readOpenApi(text, 'api.json')).toThrow(says)
  })

  test('a misspelt path, with the nearest one', () => {
    expect(() => draft('ledger.yaml', 'ledger', ['GET /invoice'])).toThrow(
      'did you mean "GET /invoices"',
    )
  })

  test('a document without operations', () => {
    const document = readOpenApi('{"openapi": "3.0.0", "paths": {}}', 'api.json')
    const run = () => draftManifest(document, { type: 'x', schema: SCHEMA, paths: [] })
    expect(run).toThrow(OpenApiError)
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

test('every draft lints clean, whatever the document says', () => {
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
          drafted = draftManifest(readOpenApi(text, 'api.json'), {
            type: 'any',
            schema: SCHEMA,
            paths: [],
          })
        } catch (error) {
          expect(error).toBeInstanceOf(OpenApiError)
          return
        }
        const { problems } = loadManifest({ text: drafted.text, file: 'any.yaml' })
        expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
      },
    ),
    { numRuns: 60 },
  )
})
