// The official client of the protocol over streamable HTTP, on the loopback interface.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest'
import type { AgentClients } from '../../../src/agents/agent-tool.ts'
import { connect } from '../../../src/client/connect.ts'
import {
  createMcpHttpHandler,
  type ClientsOfToken,
  type McpHttpOptions,
} from '../../../src/agents/mcp/mcp-http.ts'
import { sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { listen, mcpClient, overHttp } from '../../fixtures/mcp-clients.ts'

const open = new AsyncDisposableStack()
let clients: AgentClients

beforeAll(async () => {
  const jira = open.use(await sandbox('jira'))
  const gong = open.use(await sandbox('gong'))
  clients = {
    jira: open.use(await connect('jira', { ...jira.options(), limits: null })),
    calls: open.use(await connect('gong', { ...gong.options(), limits: null })),
  }
})
afterAll(() => open.disposeAsync())

let closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  closing = []
})

/** Serves on a free port of this machine and gives the address. */
async function serve(
  given: AgentClients | ClientsOfToken,
  options: McpHttpOptions,
): Promise<string> {
  const server = await listen(createMcpHttpHandler(given, { mode: 'actions', ...options }))
  closing.push(async () => await server[Symbol.asyncDispose]())
  return server.url
}

async function connected(
  url: string,
  token: string | null,
  options: ConstructorParameters<typeof Client>[1] = {},
): Promise<Client> {
  const client = await overHttp(url, { token, client: mcpClient(options) })
  closing.push(() => client.close())
  return client
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

function post(
  url: string,
  headers: Record<string, string>,
  body: unknown = LIST,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  })
}

/** The status of an answer to headers that `fetch` does not send. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  const sent = request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  })
  sent.end(JSON.stringify(LIST))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode ?? 0
}

describe.for(['legacy', { pin: '2026-07-28' }] as const)('in the era %o', (mode) => {
  test('an agent with a token finds, reads, changes and reads again', async () => {
    const url = await serve(clients, { token: 'secret-token', allowWrites: true })
    const client = await connected(url, 'secret-token', { versionNegotiation: { mode } })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['jira_issues_get', 'calls_users_list']),
    )
    const run = async (name: string, input: Record<string, unknown>): Promise<unknown> =>
      (await client.callTool({ name, arguments: input })).structuredContent
    const found = await run('jira_issues_api_search', {
      jql: 'project = OPS ORDER BY created',
      maxResults: 1,
      answer_fields: ['key'],
    })
    expect(found).toMatchObject({ data: [{ key: 'OPS-1' }] })
    const summary = `Oil the hinge ${JSON.stringify(mode)}`
    await run('jira_issues_update', { issueIdOrKey: 'OPS-1', fields: { summary } })
    expect(
      await run('jira_issues_get', { issueIdOrKey: 'OPS-1', answer_fields: ['fields.summary'] }),
    ).toEqual({ data: { fields: { summary } } })
  })
})

test('a client asks for three tools or for all of them in the address', async () => {
  const handler = createMcpHttpHandler(clients, { token: null })
  const namesAt = async (query: string): Promise<readonly string[] | number> => {
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1/mcp${query}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(LIST),
      }),
    )
    if (answer.status !== 200) return answer.status
    return [...(await answer.text()).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name ?? '')
  }
  const three = ['describe', 'execute', 'search']
  expect([await namesAt(''), await namesAt('?tools=three')]).toEqual([three, three])
  expect(await namesAt('?tools=all')).toEqual(expect.arrayContaining(['jira_issues_get']))
  expect(await namesAt('?tools=none')).toBe(400)
  await handler.close()
})

test('many calls at once share the clients', async () => {
  const url = await serve(clients, { token: 'secret-token' })
  const client = await connected(url, 'secret-token')
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      client.callTool({
        name: 'jira_issues_get',
        arguments: { issueIdOrKey: `OPS-${index + 1}`, answer_fields: ['key'] },
      }),
    ),
  )
  expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(
    Array.from({ length: 20 }, (_, index) => ({ data: { key: `OPS-${index + 1}` } })),
  )
})

test('each token opens its own clients', async () => {
  const { jira, calls } = clients as { jira: never; calls: never }
  const byToken: Record<string, AgentClients> = { ada: { jira }, bo: { calls } }
  const url = await serve((token) => byToken[token] ?? null, {})
  const namesFor = async (token: string): Promise<Set<string | undefined>> => {
    const { tools } = await (await connected(url, token)).listTools()
    return new Set(tools.map(({ name }) => name.split('_')[0]))
  }
  expect(await namesFor('ada')).toEqual(new Set(['jira']))
  expect(await namesFor('bo')).toEqual(new Set(['calls']))
  expect((await post(url, { authorization: 'Bearer eve' })).status).toBe(401)
})

describe('L2 who may not', () => {
  test.for([
    { name: 'no token', headers: {}, challenge: 'Bearer' },
    {
      name: 'a wrong token',
      headers: { authorization: 'Bearer secret-tokem' },
      challenge: 'Bearer error="invalid_token"',
    },
    {
      name: 'another scheme',
      headers: { authorization: 'Basic c2VjcmV0LXRva2Vu' },
      challenge: 'Bearer error="invalid_token"',
    },
    {
      name: 'a token with more behind it',
      headers: { authorization: 'Bearer secret-token x' },
      challenge: 'Bearer error="invalid_token"',
    },
  ])('$name is answered 401', async ({ headers, challenge }) => {
    const url = await serve(clients, { token: 'secret-token' })
    const answer = await post(url, headers)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge])
    expect(await answer.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32_000, message: 'a valid bearer token is needed' },
      id: null,
    })
  })

  test('the official client is told by a 401 of its own', async () => {
    const url = await serve(clients, { token: 'secret-token' })
    await expect(connected(url, 'wrong')).rejects.toMatchObject({
      data: { status: 401 },
    })
  })

  test('where tokens are issued is told', async () => {
    const resourceMetadataUrl = 'https://tenon.example.com/.well-known/oauth-protected-resource'
    const url = await serve(clients, { token: 'secret-token', resourceMetadataUrl })
    expect((await post(url, {})).headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${resourceMetadataUrl}"`,
    )
  })

  test('a page of a foreign origin is answered 403, with a token and without one', async () => {
    const url = await serve(clients, {
      token: null,
      allowedOrigins: ['https://app.example.com'],
    })
    for (const origin of [
      'https://evil.example',
      'http://app.example.com',
      'https://app.example.com.evil.example',
      'https://app.example.com:8443',
      'null',
    ]) {
      expect([origin, (await post(url, { origin })).status]).toEqual([origin, 403])
    }
  })

  test.for([
    { host: 'evil.example', origin: null, status: 403 },
    { host: 'evil.example', origin: 'http://evil.example', status: 403 },
    { host: 'localhost.evil.example', origin: null, status: 403 },
    { host: '127.0.0.1.evil.example', origin: null, status: 403 },
    { host: 'tenon.example.com', origin: 'https://evil.example', status: 403 },
    { host: 'localhost:1234', origin: 'http://localhost:1235', status: 403 },
    { host: 'Tenon.example.com:443', origin: null, status: 200 },
    { host: 'tenon.example.com', origin: 'https://tenon.example.com', status: 200 },
    { host: 'tenon.example.com', origin: 'http://tenon.example.com', status: 403 },
    { host: 'localhost:1234', origin: 'http://localhost:1234', status: 200 },
    { host: '[::1]:1234', origin: null, status: 200 },
    { host: '10.1.2.3', origin: null, status: 200 },
  ])('the host $host with the origin $origin is answered $status', async (given) => {
    const url = await serve(clients, { token: null, allowedHosts: ['tenon.example.com'] })
    const { host, origin } = given
    expect(await statusOf(url, { host, ...(origin === null ? {} : { origin }) })).toBe(given.status)
  })

  test('L6 a server without a token has no name but those of this machine', async () => {
    const open = await serve(clients, { token: null })
    const named = { host: 'rebound.example' }
    expect([await statusOf(open, named), await statusOf(open, {})]).toEqual([403, 200])
    const closed = await serve(clients, { token: 'secret-token' })
    expect(await statusOf(closed, { ...named, authorization: 'Bearer secret-token' })).toBe(200)
  })

  test('a page of an allowed origin may, after asking', async () => {
    const url = await serve(clients, {
      token: 'secret-token',
      allowedOrigins: ['https://app.example.com'],
    })
    const origin = 'https://app.example.com'
    const asked = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,mcp-protocol-version',
      },
    })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin)
    expect(asked.headers.get('access-control-allow-headers')).toBe(
      'authorization,content-type,mcp-protocol-version',
    )
    const answer = await post(url, { origin, authorization: 'Bearer secret-token' })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
      200,
      origin,
    ])
  })

  test('a request that is too large is answered 413', async () => {
    const url = await serve(clients, { token: 'secret-token', maxBodyBytes: 1000 })
    const large = { ...LIST, params: { x: 'x'.repeat(2000) } }
    const answer = await post(url, { authorization: 'Bearer secret-token' }, large)
    expect(answer.status).toBe(413)
  })

  test('without a token a body is not even read', async () => {
    const url = await serve(clients, { token: 'secret-token' })
    const body = new ReadableStream<Uint8Array>({
      // It never ends: an answer is possible only for who does not wait for it.
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
    })
    const answer = await fetch(url, { method: 'POST', body, duplex: 'half' })
    expect(answer.status).toBe(401)
  })
})

test('web-standard servers have a handler too', async () => {
  const handler = createMcpHttpHandler(clients, { token: 'secret-token', mode: 'three' })
  const asked = new Request('https://tenon.example.com/mcp', {
    method: 'POST',
    headers: {
      authorization: 'Bearer secret-token',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(LIST),
  })
  const answer = await handler.fetch(asked)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('"name":"describe"')
  await handler.close()
})

test('a body that was parsed already is taken', async () => {
  const handler = createMcpHttpHandler(clients, { token: null, mode: 'three' })
  const server = createServer((arrived, response) => {
    arrived.resume()
    arrived.once('end', () => void handler.node(arrived, response, LIST))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answer = await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {})
  expect(await answer.text()).toContain('"name":"execute"')
  server.closeAllConnections()
  server.close()
})

test.for<{ name: string; given: AgentClients | ClientsOfToken; options: McpHttpOptions }>([
  { name: 'nobody said who may', given: {}, options: {} },
  { name: 'an empty token', given: {}, options: { token: '' } },
  { name: 'a token beside a function', given: () => null, options: { token: 'x' } },
])('$name is refused when the handler is made', ({ given, options }) => {
  expect(() => createMcpHttpHandler(given, options)).toThrow(TypeError)
})

test('a filter that names nothing is refused when the handler is made', () => {
  expect(() => createMcpHttpHandler(clients, { token: 'x', entities: ['isues'] })).toThrow(
    expect.objectContaining({ code: 'operation_unknown' }),
  )
})

test('L1 a member that a tool does not know stops the call over HTTP as well', async () => {
  const { jira } = clients
  if (jira === undefined) throw new TypeError('jira')
  const url = await serve({ jira }, { token: 'secret-token', mode: 'three', allowWrites: true })
  const client = await connected(url, 'secret-token')
  const execute = async (given: object): Promise<unknown> => {
    const input = { entity: 'issues', params: { issueIdOrKey: 'OPS-2' }, ...given }
    return (await client.callTool({ name: 'execute', arguments: input })).structuredContent
  }
  expect(await execute({ action: 'delete', dry_run: true })).toMatchObject({
    error: { code: 'params_invalid', problems: [{ at: '/dry_run' }] },
  })
  expect(await execute({ action: 'get', answer_fields: ['key'] })).toEqual({
    data: { key: 'OPS-2' },
  })
})
