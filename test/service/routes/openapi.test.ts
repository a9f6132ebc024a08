// The OpenAPI document: valid, complete, and true of the running service.
import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS } from '../../../src/errors.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { sized } from '../../fixtures/sizes.ts'

let world: RunningService
let gong: string
let document: OpenApi

interface OpenApi {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: object; readonly example?: object }>
    >
  }
  readonly responses: Readonly<Record<string, { readonly description: string }>>
  readonly 'x-aliases': readonly string[]
}

beforeAll(async () => {
  world = await runService()
  gong = await world.connect('gong')
  document = (await world.call('GET', '/openapi.json')).body as OpenApi
})
afterAll(() => world[Symbol.asyncDispose]())

const operations = (): readonly (Operation & {
  readonly path: string
  readonly method: string
})[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, method })),
  )

test('is a valid OpenAPI 3.1 document, also for every connector', async () => {
  for (const query of [
    '',
    ...world.service.catalogue.manifests.map(({ type }) => `?connector_type=${type}`),
  ]) {
    const { body } = await world.call('GET', `/openapi.json${query}`)
    const { valid, errors } = await new Validator().validate(body as Record<string, unknown>)
    expect([query, valid, errors]).toEqual([query, true, undefined])
  }
})

test('describes every route once, in the canonical spelling, and names the others', () => {
  expect(
    operations()
      .map(({ operationId }) => operationId)
      .toSorted(),
  ).toEqual(world.service.routes.map(({ name }) => name).toSorted())
  expect(operations().find(({ operationId }) => operationId === 'execute')).toMatchObject({
    path: '/api/v1/connectors/sources/{connector_id}/execute',
    'x-aliases': [
      '/v1/connectors/sources/{connector_id}/execute',
      '/v1/integrations/connectors/{connector_id}/execute',
      '/api/v1/integrations/connectors/{connector_id}/execute',
      '/v1/connectors/instances/{connector_id}/execute',
      '/api/v1/connectors/instances/{connector_id}/execute',
    ],
  })
})

test('every spelling that it names is served', async () => {
  for (const { path, method, 'x-aliases': aliases } of operations()) {
    for (const spelling of [path, ...aliases]) {
      const answer = await world.call(
        method.toUpperCase(),
        spelling.replaceAll(/\{\w+\}/g, 'x'),
        undefined,
        { as: null },
      )
      expect([
        spelling,
        (answer.body as { code?: string } | undefined)?.code === 'route_unknown' &&
          !path.includes('{'),
      ]).toEqual([spelling, false])
      expect([spelling, answer.status === 405 || answer.status >= 500]).toEqual([spelling, false])
    }
  }
})

test('every answer with an error status names its codes, and each code has one status', () => {
  for (const { operationId, responses } of operations()) {
    for (const [status, { description }] of Object.entries(responses)) {
      if (Number(status) < 400) continue
      const codes = description.split('; ').map((part) => part.split(':')[0] ?? '')
      expect([
        operationId,
        codes.map((code) => ERRORS[code as keyof typeof ERRORS].status),
      ]).toEqual([operationId, codes.map(() => Number(status))])
    }
  }
})

test('the body of execute has one alternative per action of a connector', async () => {
  const { body } = await world.call('GET', '/openapi.json?connector_type=gong')
  const operation = (body as OpenApi).paths['/api/v1/connectors/sources/{connector_id}/execute']?.[
    'post'
  ]
  const schema = operation?.requestBody?.content['application/json']?.schema as {
    oneOf: { title: string; required: readonly string[] }[]
  }
  const manifest = world.service.catalogue.get('gong')
  expect(schema.oneOf.map(({ title }) => title)).toEqual(
    manifest.entities.flatMap(({ name, actions, search }) => [
      ...actions.map((action) => `${name}.${action.name}`),
      ...(search === null ? [] : [`${name}.search`]),
    ]),
  )
  const requiredOf = (title: string) => schema.oneOf.find((each) => each.title === title)?.required
  expect([requiredOf('users.list'), requiredOf('users.get'), requiredOf('users.search')]).toEqual([
    ['entity', 'action'],
    ['entity', 'action', 'params'],
    ['entity', 'action', 'params'],
  ])
})

test('execute answers an envelope, or the hits of a search', () => {
  const execute = operations().find(({ operationId }) => operationId === 'execute')
  const answer = execute?.responses['200'] as unknown as {
    content: Record<string, { schema: { anyOf: readonly { required: readonly string[] }[] } }>
  }
  expect(answer.content['application/json']?.schema.anyOf.map(({ required }) => required)).toEqual([
    ['data', 'meta', 'execution'],
    ['hits', 'next_cursor', 'took_ms', 'replica', 'execution'],
    ['result', 'connector_metadata'],
  ])
})

describe('fuzzed', () => {
  test('generated bodies for every route never meet a fault of ours', async () => {
    const routes = operations().filter(({ requestBody }) => requestBody !== undefined)
    const body = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc
        .record(
          {
            external_user_id: fc.oneof(fc.string(), fc.integer(), fc.constant('user-1')),
            connector_type: fc.oneof(fc.constantFrom('gong', 'jira', '__proto__'), fc.string()),
            name: fc.string(),
            credentials: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.constant(null)),
            config: fc.dictionary(fc.string(), fc.json()),
            entity: fc.oneof(fc.constantFrom('users', 'calls', 'toString'), fc.string()),
            action: fc.oneof(fc.constantFrom('list', 'get', 'search', 'download'), fc.string()),
            params: fc.dictionary(fc.string(), fc.jsonValue()),
            redirect_url: fc.webUrl(),
            ttl_seconds: fc.oneof(fc.integer(), fc.double()),
          },
          { requiredKeys: [] },
        )
        .map((value) => JSON.stringify(value)),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), body, async (route, text) => {
        const path = route.path.replaceAll('{connector_id}', gong)
        const answer = await world.call(route.method.toUpperCase(), path, text)
        expect([text, answer.status]).not.toEqual([text, 500])
        if (answer.status >= 400) {
          expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
        }
        expect(Object.keys(route.responses)).toContain(String(answer.status))
      }),
      { numRuns: sized(150, 2_000) },
    )
    expect(world.lines.filter(({ level }) => level === 'error')).toEqual([])
    expect(({} as { polluted?: unknown }).polluted).toBe(undefined)
  })
})
