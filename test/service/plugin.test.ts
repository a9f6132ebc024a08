// The service inside a host app's own Fastify server, and clients of it without HTTP.
import { Readable } from 'node:stream'
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

test('what hooks of the host have set is part of every answer, and it hears of its end', async () => {
  const host = Fastify()
  const ended: string[] = []
  host.addHook('onRequest', async (_request, reply) => void reply.header('x-host', 'yes'))
  host.addHook('onResponse', async (request) => void ended.push(request.method))
  // At the root, below no prefix, and below one with a parameter.
  await host.register(tenonPlugin, { service: world.service })
  await host.register(tenonPlugin, { prefix: '/of/:tenant', service: world.service })
  host.get('/v2', () => 'of the host')
  const headers = { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' }
  const payload = JSON.stringify(world.vendor('gong').example('call_audio.download'))
  const path = `/v1/connectors/sources/${gong}/execute`
  for (const prefix of ['', '/of/acme']) {
    const read = await host.inject({
      url: `${prefix}/api/v1/integrations/connectors/${gong}?`,
      headers,
    })
    const file = await host.inject({
      method: 'POST',
      url: prefix + path,
      headers,
      payload: JSON.stringify({
        entity: 'call_audio',
        action: 'download',
        params: JSON.parse(payload),
      }),
    })
    const broken = await host.inject({
      method: 'POST',
      url: prefix + path,
      headers: { ...headers, 'content-type': 'no type' },
      payload,
    })
    const page = await host.inject({ url: `${prefix}/connect/none` })
    for (const [answer, status] of [
      [read, 200],
      [file, 200],
      [broken, 415],
      [page, 404],
    ] as const)
      expect([answer.statusCode, answer.headers['x-host']]).toEqual([status, 'yes'])
    expect(file.rawPayload.length).toBe(Number(file.headers['content-length']))
    expect(broken.json<{ code: string }>().code).toBe('media_type_unsupported')
  }
  expect((await host.inject({ url: '/v2' })).body).toBe('of the host')
  await expect.poll(() => ended.length).toBe(9)
  await host.close()
})

test('nothing of a body is read before it is known who sends it', async () => {
  let sent = 0
  const chunks = function* (): Generator<Buffer> {
    for (; sent < 100; sent++) yield Buffer.alloc(64 * 1024, ' ')
  }
  const answer = await app.inject({
    method: 'POST',
    url: `/tenon/v1/connectors/sources/${gong}/execute`,
    headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    payload: Readable.from(chunks()),
  })
  expect([answer.statusCode, sent < 100]).toEqual([401, true])
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

test('a call in this process is answered, counted and logged like any other, and can be aborted', async () => {
  const client = await world.service.connect('gong', {
    connectorId: gong,
    principal: { organizationId: 'default', externalUserId: 'user-1' },
  })
  const before = world.lines.length
  await client.users.list()
  const [line] = world.lines.slice(before).filter(({ message }) => message === 'request')
  expect(line?.facts).toMatchObject({ route: 'execute', status: 200, code: null })
  expect(world.service.lifecycle.running).toBe(0)
  const leaving = new AbortController()
  const call = client.users.list({}, { signal: leaving.signal })
  leaving.abort()
  await expect((async () => await call)()).rejects.toMatchObject({ code: 'aborted' })
  await expect.poll(() => world.service.lifecycle.running).toBe(0)
  await client.close()
})
