// The service in the servers of host apps: the same doors in each, and bodies that somebody else has read.
import { createServer, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHandler, type HandlerOptions } from '../../src/hosting/handler.ts'
import { tenonPlugin } from '../../src/hosting/plugin.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

/** What is used of Express, which has no types of its own. */
interface ExpressApp extends RequestListener {
  use(path: string, ...handlers: readonly unknown[]): void
}
const express = createRequire(import.meta.url)('express') as {
  (): ExpressApp
  json(): unknown
}

type Send = (path: string, init?: RequestInit) => Promise<Response>

let world: RunningService
let gong: string
const closers: (() => unknown)[] = []

beforeAll(async () => {
  world = await runService({ mcp: 'read', metricsToken: 'metrics-token' })
  gong = await world.connect('gong')
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
  await world[Symbol.asyncDispose]()
})

async function listen(app: RequestListener | Server): Promise<string> {
  const server = typeof app === 'function' ? createServer(app) : app
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function handlerOf(options: HandlerOptions) {
  const handler = createHandler(world.service, options)
  closers.push(handler.close)
  return handler
}

/** Each mounts the service at `/tenon`. */
const HOSTS: Readonly<Record<string, (options: HandlerOptions) => Promise<Send>>> = {
  async 'node:http'(options) {
    const { node } = handlerOf({ basePath: '/tenon', ...options })
    const url = await listen((request, response) => void node(request, response))
    return (path, init) => fetch(url + path, init)
  },
  async Express(options) {
    const app = express()
    app.use('/tenon', handlerOf(options).node)
    app.use('/', express.json())
    const url = await listen(app)
    return (path, init) => fetch(url + path, init)
  },
  async Fastify({ doors, authenticate }) {
    const app = Fastify()
    await app.register(tenonPlugin, {
      prefix: '/tenon',
      service: world.service,
      ...(doors === undefined ? {} : { doors }),
      ...(authenticate === undefined
        ? {}
        : { authenticate: (request) => authenticate(request.raw) }),
    })
    closers.push(() => app.close())
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    return (path, init) => fetch(url + path, init)
  },
  Hono(options) {
    const app = new Hono()
    const handler = handlerOf({ basePath: '/tenon', ...options })
    app.all('/tenon/*', (context) => handler.fetch(context.req.raw))
    return Promise.resolve((path, init) =>
      Promise.resolve(app.request(`http://host.test${path}`, init)),
    )
  },
  'Hono, mounted'(options) {
    const app = new Hono()
    app.mount('/tenon', handlerOf({ basePath: '/tenon', ...options }).fetch)
    return Promise.resolve((path, init) =>
      Promise.resolve(app.request(`http://host.test${path}`, init)),
    )
  },
  /** `app/tenon/[[...path]]/route.ts` exports a function for each method, which Next calls with a request and a context. */
  'a route of Next'(options) {
    const { fetch: handle } = handlerOf({ basePath: '/tenon', ...options })
    const route: Readonly<
      Record<string, (request: Request, context: object) => Promise<Response>>
    > = { GET: handle, HEAD: handle, POST: handle, PATCH: handle, DELETE: handle, OPTIONS: handle }
    return Promise.resolve((path, init) => {
      const request = new Request(`http://host.test${path}`, init)
      const context = { params: Promise.resolve({ path: path.split('/').slice(2) }) }
      return route[request.method]!(request, context)
    })
  },
}

describe.for(Object.entries(HOSTS))('in %s', ([, mount]) => {
  let send: Send
  beforeAll(async () => {
    send = await mount({})
  })

  const withToken = (more: Readonly<Record<string, string>> = {}) => ({
    authorization: `Bearer ${world.token}`,
    ...more,
  })
  const asking = (body: object): RequestInit => ({
    method: 'POST',
    headers: withToken({ 'content-type': 'application/json' }),
    body: JSON.stringify(body),
  })

  test('every door is there, under its path', async () => {
    const answers = await Promise.all(
      [
        '/tenon/healthz',
        '/tenon/readyz',
        '/tenon/openapi.json',
        '/tenon/docs/errors',
        '/tenon/v1/integrations/connectors?limit=1',
      ].map((path) => send(path, { headers: withToken() })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const metrics = { authorization: 'Bearer metrics-token' }
    expect((await send('/tenon/metrics', { headers: metrics })).status).toBe(200)
    // A checkout that is not built has no pages of the console and of the reference; the doors say so.
    for (const door of ['console', 'docs'])
      expect([200, 503]).toContain((await send(`/tenon/${door}`)).status)
  })

  test('an operation, a stream of bytes and an error are answered', async () => {
    const path = `/tenon/v1/connectors/sources/${gong}/execute`
    const listed = await send(path, asking({ entity: 'users', action: 'list', params: {} }))
    expect([listed.status, await listed.json()]).toEqual([
      200,
      expect.objectContaining({ data: expect.any(Array) as unknown }),
    ])
    const params = world.vendor('gong').example('call_audio.download')
    const file = await send(path, asking({ entity: 'call_audio', action: 'download', params }))
    const bytes = (await file.arrayBuffer()).byteLength
    expect([file.status, bytes > 0]).toEqual([200, true])
    const wrong = await send(path, asking({ entity: 'users', action: 'none', params: {} }))
    expect([wrong.status, await wrong.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'operation_unknown' }),
    ])
    const nobody = await send('/tenon/v1/integrations/connectors')
    expect(nobody.status).toBe(401)
  })

  test('agents initialize', async () => {
    const answer = await send('/tenon/mcp', {
      method: 'POST',
      headers: withToken({
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }),
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      }),
    })
    const text = await answer.text()
    expect([answer.status, text.includes('serverInfo')]).toEqual([200, true])
  })

  test('HEAD has the head alone', async () => {
    const answer = await send('/tenon/openapi.json', { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })

  test('each door can stay shut, and the API stays', async () => {
    const shut = await mount({
      doors: {
        openapi: false,
        docs: false,
        console: false,
        mcp: false,
        health: false,
        metrics: false,
      },
    })
    const paths = ['openapi.json', 'docs', 'console', 'mcp', 'healthz', 'readyz', 'metrics']
    const answers = await Promise.all(
      paths.map(async (path) => {
        const answer = await shut(`/tenon/${path}`)
        return [answer.status, ((await answer.json()) as { readonly code: string }).code]
      }),
    )
    expect(answers).toEqual(paths.map(() => [404, 'route_unknown']))
    const listed = await shut('/tenon/v1/integrations/connectors', { headers: withToken() })
    expect(listed.status).toBe(200)
  })

  test('the host may say who calls', async () => {
    const vouched = await mount({ authenticate: () => ({ organizationId: 'default' }) })
    expect((await vouched(`/tenon/v1/integrations/connectors/${gong}`)).status).toBe(200)
  })
})

describe('a body that somebody has read', () => {
  const path = (): string => `/tenon/v1/connectors/sources/${gong}/execute`
  const asked = (): RequestInit => ({
    method: 'POST',
    headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ entity: 'users', action: 'list', params: {} }),
  })
  const refused = [500, 'body_already_read']

  async function codeOf(answer: Response): Promise<unknown> {
    return [answer.status, ((await answer.json()) as { readonly code: string }).code]
  }

  test('by express.json() in front of the service is refused', async () => {
    const app = express()
    app.use('/', express.json())
    app.use('/tenon', handlerOf({}).node)
    expect(await codeOf(await fetch((await listen(app)) + path(), asked()))).toEqual(refused)
  })

  test('by the function that has the request is refused', async () => {
    const { fetch: handle } = handlerOf({ basePath: '/tenon' })
    const request = new Request(`http://host.test${path()}`, asked())
    await request.text()
    expect(await codeOf(await handle(request))).toEqual(refused)
    const half = new Request(`http://host.test${path()}`, asked())
    half.body?.getReader()
    expect(await codeOf(await handle(half))).toEqual(refused)
  })

  test('as a form with files is refused as well', async () => {
    const form = new FormData()
    form.append('operation', '{}')
    const { authorization } = asked().headers as Record<string, string>
    const init = { method: 'POST', headers: { authorization: authorization ?? '' }, body: form }
    const { fetch: handle, node } = handlerOf({ basePath: '/tenon' })
    const request = new Request(`http://host.test${path()}`, init)
    await request.text()
    expect(await codeOf(await handle(request))).toEqual(refused)
    const url = await listen((incoming, response) => {
      incoming.resume().once('end', () => void node(incoming, response))
    })
    expect(await codeOf(await fetch(url + path(), init))).toEqual(refused)
  })

  test('does not matter where none is needed', async () => {
    const app = express()
    app.use('/', express.json())
    app.use('/tenon', handlerOf({}).node)
    const { headers } = asked()
    const answer = await fetch(`${await listen(app)}/tenon/v1/integrations/connectors`, {
      headers: headers ?? {},
    })
    expect(answer.status).toBe(200)
  })
})

test('a host of the Fetch standard gets answers that it may compress itself', async () => {
  const { fetch: handle, node } = handlerOf({ basePath: '/tenon' })
  const init = { headers: { 'accept-encoding': 'gzip, br' } }
  const answer = await handle(new Request('http://host.test/tenon/openapi.json', init))
  const { openapi } = (await answer.json()) as { readonly openapi: string }
  expect([answer.headers.get('content-encoding'), openapi]).toEqual([null, '3.1.0'])
  const url = await listen((request, response) => void node(request, response))
  const compressed = await fetch(`${url}/tenon/openapi.json`, init)
  await compressed.arrayBuffer()
  expect(compressed.headers.get('content-encoding')).toBe('gzip')
})

test('a body larger than the limit is refused, with and without a length', async () => {
  const { fetch: handle } = handlerOf({ basePath: '/tenon' })
  const headers = {
    authorization: `Bearer ${world.token}`,
    'content-type': 'application/json',
  }
  const large = Buffer.alloc(world.service.settings.bodyLimitBytes + 1, ' ')
  const url = `http://host.test/tenon/v1/connectors/sources/${gong}/execute`
  for (const body of [large, new Blob([large]).stream()]) {
    const init: RequestInit = { method: 'POST', headers, body, duplex: 'half' }
    expect((await handle(new Request(url, init))).status).toBe(413)
  }
})

test('a base path that is none and a door that does not exist are refused', () => {
  expect(() => createHandler(world.service, { basePath: 'tenon/' })).toThrow(TypeError)
  const doors = { consol: false } as object
  expect(() => createHandler(world.service, { doors })).toThrow(TypeError)
})
