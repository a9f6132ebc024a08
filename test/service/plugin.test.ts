// The service inside a host app's own Fastify server, and clients of it without HTTP.
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tenonPlugin } from '../../src/hosting/plugin.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

let world: RunningService
let app: FastifyInstance
let gong: string

beforeAll(async () => {
  world = await runService()
  gong = await world.connect('gong', { external_user_id: 'user-1' })
  app = Fastify()
  app.post('/own', (request) => Promise.resolve({ given: request.body }))
  app.setErrorHandler((_error, _request, reply) => reply.code(418).send('mine'))
  await app.register(tenonPlugin, {
    prefix: '/tenon',
    service: world.service,
    authenticate: (request) => {
      const user = request.headers['x-user']
      return typeof user === 'string' ? { organizationId: 'default', externalUserId: user } : null
    },
  })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await world[Symbol.asyncDispose]()
})

test('the host says who calls; without it the bearer token does', async () => {
  const url = `/tenon/v1/integrations/connectors/${gong}`
  const mine = await app.inject({ url, headers: { 'x-user': 'user-1' } })
  const others = await app.inject({ url, headers: { 'x-user': 'user-2' } })
  const token = await app.inject({ url, headers: { authorization: `Bearer ${world.token}` } })
  const nobody = await app.inject({ url })
  expect([mine.statusCode, others.statusCode, token.statusCode, nobody.statusCode]).toEqual([
    200, 404, 200, 401,
  ])
})

test("the host's own routes keep their parsers and their error handler", async () => {
  const form = await app.inject({
    method: 'POST',
    url: '/own',
    headers: { 'content-type': 'text/plain' },
    payload: 'text',
  })
  const broken = await app.inject({
    method: 'POST',
    url: '/own',
    headers: { 'content-type': 'application/json' },
    payload: '{',
  })
  const ours = await app.inject({
    method: 'POST',
    url: `/tenon/v1/connectors/sources/${gong}/execute`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.token}` },
    payload: '{',
  })
  expect([form.body, broken.statusCode, broken.body]).toEqual(['{"given":"text"}', 418, 'mine'])
  expect([ours.statusCode, ours.json<{ code: string }>().code]).toEqual([400, 'request_malformed'])
})

test('an unknown path below the prefix is a problem, elsewhere the host answers', async () => {
  const ours = await app.inject({ url: '/tenon/v1/nowhere' })
  const theirs = await app.inject({ url: '/nowhere' })
  expect([ours.json<{ code: string }>().code, theirs.statusCode]).toEqual(['route_unknown', 404])
  expect(theirs.headers['content-type']).toBe('application/json; charset=utf-8')
})

test('a client in this process has the interface of every other one', async () => {
  const client = await world.service.connect('gong', {
    connectorId: gong,
    principal: { organizationId: 'default', externalUserId: 'user-1' },
  })
  const users = await client.users.list().toArray({ limit: 3 })
  const file = await client.call_audio.download(
    world.vendor('gong').example('call_audio.download') as never,
  )
  const bytes = await file.toBytes({ maxBytes: 10_000_000 })
  expect([users.length, bytes.length === file.contentLength]).toEqual([3, true])
  await client.close()
  await expect((async () => await client.users.list())()).rejects.toMatchObject({
    code: 'token_invalid',
  })
})

test('T4 a principal sees nothing of other users', async () => {
  const client = await world.service.connect('gong', {
    connectorId: gong,
    principal: { organizationId: 'default', externalUserId: 'user-2' },
  })
  await expect((async () => await client.users.list())()).rejects.toMatchObject({
    code: 'instance_unknown',
  })
})
