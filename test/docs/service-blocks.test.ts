// What the documents show of the service's HTTP: the routes that they name are there, and the bodies that they show are
// bodies of those routes.
import { globSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { blocksOf } from './blocks.ts'

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly 'x-aliases': readonly string[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: object } | undefined>>
}

const files = ['README.md', ...globSync('docs/*.md')]

let world: RunningService
let document: OpenApi
beforeAll(async () => {
  world = await runService()
  document = (await world.call('GET', '/openapi.json')).body as OpenApi
})
afterAll(() => world[Symbol.asyncDispose]())

/** The operation at a path, whose parts may be anything where the route has a parameter. */
function operationAt(method: string, path: string): Operation | undefined {
  const parts = path.split('/')
  const fits = (route: string): boolean => {
    const wanted = route.split('/')
    return (
      wanted.length === parts.length &&
      wanted.every((part, at) => part.startsWith('{') || part === parts[at])
    )
  }
  const twin = path.replace(/^\/(?:api\/)?v1\//, path.startsWith('/api/') ? '/v1/' : '/api/v1/')
  return Object.entries(document.paths)
    .map(([route, item]) => ({ route, operation: item[method.toLowerCase()] }))
    .find(({ route, operation }) =>
      [route, ...(operation?.['x-aliases'] ?? [])].some(
        (each) => fits(each) || each === path || each === twin,
      ),
    )?.operation
}

function problemsOf(body: Body | undefined, value: unknown): unknown {
  const schema = body?.content?.['application/json']?.schema
  if (schema === undefined) return 'there is no such body'
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  const validate = ajv.compile(schema)
  return validate(value) ? [] : validate.errors
}

test('every route that a sentence names is one of the service', () => {
  const named = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(/`(GET|POST|PATCH|DELETE) (\/(?:api\/)?v1\/[^`?]*)/g),
    ].map(([, method = '', path = '']) => ({ file, method, path })),
  )
  expect(named.length).toBeGreaterThan(20)
  const missing = named.filter(({ method, path }) => operationAt(method, path) === undefined)
  expect(missing).toEqual([])
})

test('every request by curl is to a route, with a body that it takes', () => {
  const sent = files.flatMap((file) =>
    blocksOf(file).flatMap(({ text }) =>
      [
        ...text.matchAll(/curl [^|]*?(\/(?:api\/)?v1\/[^\s"'?]+)[\s\S]*?-d '(\{[\s\S]*?\})'$/gm),
      ].map(([, path = '', body = '']) => ({ file, path, body })),
    ),
  )
  expect(sent.length).toBeGreaterThanOrEqual(2)
  for (const { file, path, body } of sent)
    expect([
      file,
      path,
      problemsOf(operationAt('POST', path)?.requestBody, JSON.parse(body)),
    ]).toEqual([file, path, []])
})

test('a request that is written as its first line and its body is one that the route takes', () => {
  const sent = files.flatMap((file) =>
    blocksOf(file).flatMap(({ text }) =>
      [...text.matchAll(/^(POST|PATCH) (\/v1\/\S+)\n(\{[\s\S]*\})$/gm)].map(
        ([, method = '', path = '', body = '']) => ({ file, method, path, body }),
      ),
    ),
  )
  expect(sent.length).toBeGreaterThanOrEqual(1)
  for (const { file, method, path, body } of sent)
    expect([file, problemsOf(operationAt(method, path)?.requestBody, JSON.parse(body))]).toEqual([
      file,
      [],
    ])
})

test('the page of changes is an answer of its route', () => {
  const [page] = blocksOf('docs/changes.md').filter(({ language }) => language === 'json')
  const answer = operationAt('GET', '/v1/integrations/connectors/{connector_id}/changes')
  expect(problemsOf(answer?.responses['200'], JSON.parse(page?.text ?? ''))).toEqual([])
})

test('the query of the guide to search is one that a search takes', async () => {
  const [query] = blocksOf('docs/search.md').filter(({ language }) => language === 'json')
  const gong = await world.connect('gong')
  const path = `/v1/integrations/connectors/${gong}/execute`
  const params = JSON.parse(query?.text ?? '') as object
  const { status, body } = await world.call('POST', path, {
    entity: 'calls',
    action: 'search',
    params,
  })
  // It is read before anybody looks whether there is a copy.
  expect([status, body]).toEqual([409, expect.objectContaining({ code: 'search_not_ready' })])
})

test('the demo data of the guide to the sandbox are demo data, wholes and parts', () => {
  const schema = JSON.parse(readFileSync('schemas/demo.schema.json', 'utf8')) as {
    readonly definitions: Readonly<Record<string, { readonly properties?: object }>>
  }
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(schema, 'demo')
  const blocks = blocksOf('docs/sandbox.md').filter(({ language }) => language === 'yaml')
  expect(blocks.length).toBeGreaterThan(0)
  for (const { text } of blocks) {
    const value = parse(text) as Readonly<Record<string, unknown>>
    // A part shows one member of a definition.
    const [name = ''] = Object.keys(value)
    const holder = Object.entries(schema.definitions).find(
      ([, { properties }]) => properties !== undefined && name in properties,
    )?.[0]
    const place = 'demo' in value ? 'demo' : `demo#/definitions/${holder ?? ''}/properties/${name}`
    ajv.validate({ $ref: place }, 'demo' in value ? value : value[name])
    expect([name, ajv.errors]).toEqual([name, null])
  }
})

test('an event of the guide to events has the members of an event', () => {
  const [event] = blocksOf('docs/events.md').filter(({ language }) => language === 'json')
  const answer = operationAt('GET', '/v1/events')?.responses['200']
  const value = JSON.parse(event?.text ?? '') as object
  const page = {
    data: [{ id: '0199f3b7-4b5c-7d6e-8f90-a1b2c3d4e5f6', ...value }],
    meta: { has_more: false, next_cursor: 'ZTEuMTI' },
  }
  expect(problemsOf(answer, page)).toEqual([])
})
