// Requests of a caller's own making with an instance's credentials: through a service on either store, and by clients.
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import { connectHosted as connectByFetch } from '../../src/client/fetch/index.ts'
import { connectHosted } from '../../src/client/hosted.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import type { OwnRequest } from '../../src/client/own-request.ts'
import { changeApplication } from '../../src/service/tokens/applications.ts'
import { createTestDatabase } from '../fixtures/postgres.ts'
import { type CallAnswer, type RunningService, runService } from '../fixtures/running-service.ts'

const MANIFEST = join(import.meta.dirname, 'anyvendor.yaml')
const OLD = 'old-access-token-of-the-vendor'
const NEW = 'new-access-token-of-the-vendor'
const CREDENTIALS = {
  access_token: OLD,
  refresh_token: 'refresh-token-of-the-vendor',
  client_id: 'client',
  client_secret: 'secret-of-the-client',
}

interface Got {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

const got: Got[] = []
/** Answers to come, by path, taken one after the other; then 200. */
let answers: Record<string, number[]> = {}
let valid = OLD
/** What an answer of status 429 says: which limit was met, and for how many seconds. */
let limit: Readonly<Record<string, string>> = {}
let vendorUrl: string
const vendor = createServer((request, response) => void answer(request, response))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request
  const body = await buffer(request).catch(() => null)
  if (body === null) return
  if (url.startsWith('/token')) {
    valid = NEW
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ access_token: NEW, token_type: 'bearer', expires_in: 3600 }))
    return
  }
  got.push({ method, url, headers, body })
  const path = url.split('?')[0] ?? ''
  const isKnown = headers.authorization === `Bearer ${valid}`
  const status = isKnown ? (answers[path]?.shift() ?? 200) : 401
  response.writeHead(status, {
    'content-type': 'application/json',
    etag: '"1"',
    'set-cookie': 'session=1',
    'x-echo': headers.authorization ?? '',
    location: 'https://elsewhere.example/',
    'retry-after': '0',
    ...(status === 429 ? limit : {}),
  })
  response.end(method === 'HEAD' ? undefined : `{"status":${status},"id":12345678901234567890}`)
}

beforeAll(async () => {
  vendor.listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
})
afterAll(async () => {
  vendor.closeAllConnections()
  vendor.close()
  await once(vendor, 'close')
})
beforeEach(() => {
  got.length = 0
  answers = {}
  limit = {}
})

function shown({ method, url, body }: Got): string {
  return `${method} ${url} ${body.toString()}`.trim()
}

async function direct(): Promise<Client> {
  valid = OLD
  return await connect(await loadManifest(MANIFEST), {
    credentials: CREDENTIALS,
    serverUrl: vendorUrl,
    allowHosts: [new URL(vendorUrl).host],
    onCredentials: () => {},
  })
}

describe.for(['sqlite', 'postgres'] as const)('through a service on %s', (store) => {
  let world: RunningService
  let id: string
  let drop: () => Promise<void> = async () => {}
  let isThere = true

  beforeAll(async () => {
    const database = store === 'postgres' ? await createTestDatabase() : null
    isThere = store === 'sqlite' || database !== null
    if (!isThere) return
    drop = async () => await database?.drop()
    valid = OLD
    world = await runService({
      mode: 'dev',
      manifests: [MANIFEST],
      connectors: ['anyvendor'],
      allowHosts: ['127.0.0.1'],
      ...(database === null
        ? {}
        : {
            databaseUrl: database.url,
            masterKeys: [`k1:${Buffer.alloc(32, 1).toString('base64')}`],
          }),
    })
    const made = await world.call('POST', '/v1/integrations/connectors?check=false', {
      external_user_id: 'user-1',
      connector_type: 'anyvendor',
      name: 'any',
      credentials: CREDENTIALS,
      server_url: vendorUrl,
    })
    id = (made.body as { readonly id: string }).id
  })
  afterAll(async () => {
    if (isThere) await world[Symbol.asyncDispose]()
    await drop()
  })

  const ask = (body: object, options = {}): Promise<CallAnswer> =>
    world.call('POST', `/v1/connectors/${id}/request`, body, options)

  async function allow(rights: readonly 'request'[]): Promise<void> {
    const { clientId = '' } = world.service.firstApplication ?? {}
    const patch = { allows: rights }
    expect(await changeApplication(world.service.store, clientId, patch, { verb: 'update' })).toBe(
      true,
    )
    // Each process remembers its tokens for half a second.
    const wanted = rights.length > 0 ? 200 : 403
    await expect.poll(async () => (await ask({ path: '/things' })).status).toBe(wanted)
    got.length = 0
  }

  test('G9 an application has no right to it until its operator gives it', async (context) => {
    if (!isThere) return context.skip()
    const denied = await ask({ path: '/things' })
    expect([denied.status, denied.body]).toEqual([
      403,
      expect.objectContaining({ code: 'scope_denied' }),
    ])
    expect(got).toEqual([])
    await allow(['request'])
    const narrow = await world.scoped({ external_user_id: 'user-1', actions: ['things.list'] })
    expect((await ask({ path: '/things' }, { as: narrow })).status).toBe(403)
    const wide = await world.scoped({ external_user_id: 'user-1' })
    expect((await ask({ path: '/things' }, { as: wide })).status).toBe(200)
    const other = await world.scoped({ external_user_id: 'user-2' })
    expect((await ask({ path: '/things' }, { as: other })).status).toBe(404)
  })

  test('G9 the answer comes as it is, with its status and headers apart and no secret in them', async (context) => {
    if (!isThere) return context.skip()
    await allow(['request'])
    answers = { '/v2/things/1': [404] }
    const answered = await ask({ path: '/things/1' })
    expect([answered.status, answered.headers.get('tenon-upstream-status')]).toEqual([200, '404'])
    expect(answered.text).toBe('{"status":404,"id":12345678901234567890}')
    expect(answered.headers.get('content-disposition')).toBe('attachment')
    expect(answered.headers.get('set-cookie')).toBeNull()
    const told = answered.headers.get('tenon-upstream-headers') ?? ''
    expect(JSON.parse(told)).toMatchObject({ etag: '"1"', 'content-type': 'application/json' })
    expect(told).not.toContain(OLD)
    expect(told).not.toContain(NEW)
    expect(told).not.toContain('session=1')
    expect(JSON.stringify(world.lines)).not.toContain(valid)
  })

  test('A1 each one is an entry of the audit log, without its query', async (context) => {
    if (!isThere) return context.skip()
    await allow(['request'])
    await ask({ path: '/things', query: { secret: 'of-somebody' } })
    await ask({ method: 'DELETE', path: '/things/7' })
    const { store } = world.service
    const entries = await store.audit.list(
      { organizationId: 'default' },
      { instanceId: id, limit: 2 },
    )
    expect(entries.map(({ action, target, outcome }) => [action, target, outcome])).toEqual([
      ['request', 'DELETE /things/7', 'status 200'],
      ['request', 'GET /things', 'status 200'],
    ])
  })

  test('a body is JSON, text, base64 or the part of a form, and one of them', async (context) => {
    if (!isThere) return context.skip()
    await allow(['request'])
    await ask({ method: 'POST', path: '/a', json: { n: [1, null] } })
    await ask({ method: 'POST', path: '/b', text: 'Grüße' })
    await ask({ method: 'PUT', path: '/c', base64: Buffer.from([0, 255]).toString('base64') })
    const form = new FormData()
    form.append('operation', JSON.stringify({ method: 'POST', path: '/d' }))
    form.append('body', new Blob(['of a file'], { type: 'text/csv' }))
    const sent = await fetch(`${world.url}/v1/connectors/${id}/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.token}` },
      body: form,
    })
    expect(sent.status).toBe(200)
    await sent.arrayBuffer()
    expect(
      got.map(({ body, headers }) => [headers['content-type'], body.toString('latin1')]),
    ).toEqual([
      ['application/json', '{"n":[1,null]}'],
      ['text/plain; charset=utf-8', Buffer.from('Grüße').toString('latin1')],
      ['application/octet-stream', '\u0000ÿ'],
      ['text/csv', 'of a file'],
    ])
    const both = await ask({ method: 'POST', path: '/e', text: 'a', json: 1 })
    expect([both.status, both.body]).toEqual([
      400,
      expect.objectContaining({ code: 'request_malformed' }),
    ])
  })

  test.for([
    ['Node', connectHosted],
    ['fetch', connectByFetch],
  ] as const)(
    'a client of the service over %s has the interface of direct mode',
    async ([, over], context) => {
      if (!isThere) return context.skip()
      await allow(['request'])
      await using client = await over(await loadManifest(MANIFEST), {
        baseUrl: world.url,
        connectorId: id,
        token: world.token,
      })
      const pieces = Readable.from([Buffer.from('in '), Buffer.from('pieces')])
      const answered = await client.request({ method: 'POST', path: '/stream', body: pieces })
      expect([answered.status, answered.headers['etag'], await answered.json()]).toEqual([
        200,
        '"1"',
        { status: 200, id: '12345678901234567890' },
      ])
      expect(got.map(shown)).toEqual(['POST /v2/stream in pieces'])
      await expect(client.request({ path: '/../x' })).rejects.toMatchObject({
        code: 'params_invalid',
        errors: [{ pointer: '/path' }],
      })
    },
  )
})

describe('in direct mode', () => {
  test('method, path, query, headers and body arrive with the credentials and headers of the manifest', async () => {
    await using client = await direct()
    const answered = await client.request({
      method: 'patch',
      path: '/things/a%2Fb?x=1',
      query: { y: 'ä&', z: [1, true] },
      headers: { 'X-Mine': 'yes', 'content-type': 'application/merge-patch+json' },
      body: { name: 'n' },
    })
    await answered.text()
    const [request] = got
    expect(got.map(shown)).toEqual([
      'PATCH /v2/things/a%2Fb?x=1&y=%C3%A4%26&z=1&z=true {"name":"n"}',
    ])
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${OLD}`,
      'x-version': '7',
      'x-mine': 'yes',
      'content-type': 'application/merge-patch+json',
    })
  })

  test('a 401 renews the credentials once, and the request is sent again', async () => {
    await using client = await direct()
    valid = NEW
    const answered = await client.request({ method: 'POST', path: '/things', body: 'text' })
    expect([answered.status, await answered.json()]).toMatchObject([200, { status: 200 }])
    expect(got.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${OLD}`,
      `Bearer ${NEW}`,
    ])
    answers = { '/v2/closed': [401, 401, 401] }
    const closed = await client.request({ path: '/closed' })
    expect([closed.status, await closed.json()]).toMatchObject([401, { status: 401 }])
  })

  test.for<readonly [string, OwnRequest, string | undefined, number[], number, number]>([
    ['a read is repeated', { path: '/r' }, undefined, [503, 503], 200, 3],
    ['a read gives the last answer', { path: '/r' }, undefined, [503, 503, 503, 503], 503, 3],
    ['a write is not repeated', { method: 'POST', path: '/r' }, undefined, [503], 503, 1],
    ['a write under a key is', { method: 'POST', path: '/r' }, 'key-1', [503], 200, 2],
    ['a write that was not let in is', { method: 'PUT', path: '/r' }, undefined, [429], 200, 2],
    ['what the vendor refuses is not', { path: '/r' }, undefined, [400], 400, 1],
    ['a redirect is not followed', { path: '/r' }, undefined, [302], 302, 1],
  ])('%s', async ([, request, idempotencyKey, statuses, status, times]) => {
    await using client = await direct()
    answers = { '/v2/r': [...statuses] }
    const answered = await client.request(request, { idempotencyKey })
    expect([answered.status, await answered.json()]).toMatchObject([status, { status }])
    expect(got.length).toBe(times)
    expect(new Set(got.map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set([idempotencyKey]),
    )
  })

  test.for<
    readonly [name: string, limit: string, first: OwnRequest, waits: OwnRequest, goes: OwnRequest]
  >([
    [
      'of one record closes that one',
      'thing',
      { method: 'PUT', path: '/things/a%20b' },
      { method: 'PUT', path: '/things/a%20b?x=1' },
      { method: 'PUT', path: '/things/c' },
    ],
    [
      'on changes closes no reading',
      'thing',
      { method: 'PUT', path: '/things/d' },
      { method: 'PUT', path: '/things/d' },
      { path: '/things/d' },
    ],
    [
      'of an endpoint of the manifest closes it for every record',
      'path',
      { path: '/things/e' },
      { path: '/things/f' },
      { path: '/things' },
    ],
    [
      'of another endpoint closes that one',
      'path',
      { method: 'POST', path: '/else/a' },
      { method: 'POST', path: '/else/a?b=c' },
      { method: 'POST', path: '/else/b' },
    ],
  ])('a limit %s', async ([, name, first, waits, goes]) => {
    await using client = await direct()
    limit = { 'x-limit': name, 'retry-after': '3600' }
    answers = { [`/v2${first.path}`]: [429] }
    expect((await client.request(first)).status).toBe(429)
    await expect(client.request(waits)).rejects.toMatchObject({
      code: 'upstream_rate_limited',
      retryAfterMs: expect.any(Number) as unknown,
    })
    expect((await client.request(goes)).status).toBe(200)
    expect(got.length).toBe(2)
  })

  test('a limit is the same for requests and for operations', async () => {
    await using client = await direct()
    limit = { 'x-limit': 'thing', 'retry-after': '3600' }
    answers = { '/v2/things/g': [429] }
    expect((await client.request({ method: 'PUT', path: '/things/g' })).status).toBe(429)
    await expect(client.execute('things', 'update', { id: 'g' })).rejects.toMatchObject({
      code: 'upstream_rate_limited',
    })
    expect((await client.execute('things', 'get', { id: 'g' })).data).toMatchObject({ status: 200 })
    // One that says nothing of the kind closes everything.
    limit = { 'retry-after': '3600' }
    answers = { '/v2/things/h': [429] }
    expect((await client.request({ path: '/things/h' })).status).toBe(429)
    await expect(client.request({ path: '/else' })).rejects.toMatchObject({
      code: 'upstream_rate_limited',
    })
  })

  test('HEAD has a head', async () => {
    await using client = await direct()
    const answered = await client.request({ method: 'HEAD', path: '/things' })
    expect([answered.status, await answered.text()]).toEqual([200, ''])
  })

  test.for<readonly [OwnRequest, string]>([
    [{ path: '/a/../b' }, '/path'],
    [{ path: '/a/%2e%2E/b' }, '/path'],
    [{ path: '/a%2f..%2fb' }, '/path'],
    [{ path: '/..%5cb' }, '/path'],
    [{ path: '/./b' }, '/path'],
    [{ path: '//evil.example/b' }, '/path'],
    [{ path: '/\\evil.example' }, '/path'],
    [{ path: '/a b' }, '/path'],
    [{ path: '/a\r\nx: y' }, '/path'],
    [{ path: '/a#b' }, '/path'],
    [{ path: 'things' }, '/path'],
    [{ path: 'javascript:alert(1)' }, '/path'],
    [{ method: 'CONNECT', path: '/a' }, '/method'],
    [{ method: 'TRACE', path: '/a' }, '/method'],
    [{ path: '/a', headers: { Host: 'evil.example' } }, '/headers/Host'],
    [{ path: '/a', headers: { authorization: 'Bearer x' } }, '/headers/authorization'],
    [{ path: '/a', headers: { 'Content-Length': '1' } }, '/headers/Content-Length'],
    [{ path: '/a', headers: { connection: 'close' } }, '/headers/connection'],
    [{ path: '/a', headers: { Cookie: 'a=b' } }, '/headers/Cookie'],
    [{ path: '/a', headers: { 'transfer-encoding': 'chunked' } }, '/headers/transfer-encoding'],
    [{ path: '/a', headers: { 'proxy-authorization': 'x' } }, '/headers/proxy-authorization'],
    [{ path: '/a', headers: { 'X-Forwarded-For': '::1' } }, '/headers/X-Forwarded-For'],
    [
      { path: '/a', headers: { 'x-http-method-override': 'DELETE' } },
      '/headers/x-http-method-override',
    ],
    [{ path: '/a', headers: { 'x y': 'z' } }, '/headers/x y'],
    [{ path: '/a', headers: { x: 'a\r\nb: c' } }, '/headers/x'],
    [{ path: '/a', headers: { 'Idempotency-Key': 'k' } }, '/headers/Idempotency-Key'],
    [{ path: '/a', body: 'x' }, '/body'],
  ])(
    'G9 what could leave the host or speak for Tenon is refused: %j',
    async ([request, pointer]) => {
      await using client = await direct()
      await expect(client.request(request)).rejects.toMatchObject({
        code: 'params_invalid',
        errors: [{ pointer }],
      })
      expect(got).toEqual([])
    },
  )

  test.for([
    'https://evil.example/v2/things',
    'https://user:x@api.any.example/v2/things',
    'https://api.any.example.evil.example/',
    'https://mine.shop.example/',
    'http://files.any.example/',
    // The vendor itself, where something stands in for it.
    'https://files.any.example/a',
  ])('G9 credentials go to no other host: %s', async (path) => {
    await using client = await direct()
    await expect(client.request({ path })).rejects.toMatchObject({
      code: expect.stringMatching(/^(destination_refused|params_invalid)$/) as unknown,
    })
    expect(got).toEqual([])
  })

  test('a whole address of the same server is as good as a path', async () => {
    await using client = await direct()
    await (await client.request({ path: `${vendorUrl}/v3/things?a=1` })).text()
    expect(got.map(shown)).toEqual(['GET /v3/things?a=1'])
  })
})

describe('G9 what goes wrong names no secret', () => {
  const KEY = 'key-of-the-account-in-every-query'
  const MANIFEST_WITH_KEY = `manifest: 1
connector: { type: keyvendor, title: Key vendor, version: 1.0.0 }
server: { url: https://api.key.example }
auth:
  key:
    credentials: { required: [key], properties: { key: { type: string, minLength: 1, writeOnly: true } } }
    apply: { query: { api_key: "{{ credentials.key }}" }, headers: { x-key: "{{ credentials.key }}" } }
check: { entity: things, action: list }
entities:
  things:
    record: { properties: { id: { type: string } } }
    actions:
      list:
        request: { http: GET /things }
        response: { records: $.data }
        pagination: { type: none, reason: There are few. }
`
  /** Each repeats what it was sent, and breaks in its own way. */
  const BREAKS: Readonly<Record<string, (response: ServerResponse, said: string) => void>> = {
    '/cut': (response) => response.socket?.destroy(),
    '/noise': (response, said) => response.socket?.end(`HTTP/1.1 200 ${said}\r\nx ${said}\r\n\r\n`),
    '/half': (response, said) => {
      response.writeHead(200, { 'content-length': '1000', 'x-said': said })
      response.write(said, () => response.socket?.destroy())
    },
    '/refused': (response, said) =>
      response.writeHead(401, { 'www-authenticate': said, 'x-said': said }).end(said),
    '/failed': (response, said) =>
      response.writeHead(500, said.slice(0, 40), { 'x-said': said }).end(said),
    '/away': (response, said) =>
      response.writeHead(302, { location: `https://${KEY}.example/?${said}` }).end(),
    '/large': (response, said) => {
      response.writeHead(
        200,
        Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`x-${n}`, said])),
      )
      response.end(said)
    },
  }
  let folder: string
  let url: string
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    BREAKS[path]?.(response, `${request.url} ${request.headers['x-key'] as string}`)
  })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-raw-'))
    await writeFile(join(folder, 'keyvendor.yaml'), MANIFEST_WITH_KEY)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true })
  })

  test.for(Object.keys(BREAKS))('in direct mode: %s', async (path) => {
    await using client = await connect(await loadManifest(join(folder, 'keyvendor.yaml')), {
      credentials: { key: KEY },
      serverUrl: url,
      allowHosts: [new URL(url).host],
    })
    const said = await client
      .request({ path, method: 'POST' })
      .then(async (answer) => {
        expect(inspect(answer.headers)).not.toContain(KEY)
        // The body is the vendor's: what becomes of it may fail, and it is passed on as it is.
        return await answer.text().then(() => null, String)
      })
      .catch((error: unknown) => inspect(error, { depth: 9, showHidden: true }))
    expect(said ?? '').not.toContain(KEY)
  })

  test('in a service: answers, log and audit log', async () => {
    const world = await runService({
      mode: 'dev',
      manifests: [join(folder, 'keyvendor.yaml')],
      connectors: ['keyvendor'],
      allowHosts: ['127.0.0.1'],
    })
    try {
      const { clientId = '' } = world.service.firstApplication ?? {}
      await changeApplication(
        world.service.store,
        clientId,
        { allows: ['request'] },
        { verb: 'update' },
      )
      const made = await world.call('POST', '/v1/integrations/connectors?check=false', {
        external_user_id: 'user-1',
        connector_type: 'keyvendor',
        name: 'key',
        credentials: { key: KEY },
        server_url: url,
      })
      const { id } = made.body as { readonly id: string }
      const ask = (path: string) =>
        world.call('POST', `/v1/connectors/${id}/request`, { path, method: 'POST' })
      await expect.poll(async () => (await ask('/refused')).status).toBe(200)
      for (const path of Object.keys(BREAKS)) {
        const answered = await ask(path).catch(() => null)
        if (answered === null) continue
        expect([path, inspect([...answered.headers])]).toEqual([
          path,
          expect.not.stringContaining(KEY),
        ])
        if (answered.status !== 200)
          expect([path, answered.text]).toEqual([path, expect.not.stringContaining(KEY)])
      }
      expect(inspect(world.lines, { depth: 9 })).not.toContain(KEY)
      const entries = await world.service.store.audit.list(
        { organizationId: 'default' },
        { instanceId: id, limit: 50 },
      )
      expect(entries.length).toBeGreaterThan(Object.keys(BREAKS).length)
      expect(inspect(entries, { depth: 9 })).not.toContain(KEY)
    } finally {
      await world[Symbol.asyncDispose]()
    }
  })
})
