// What a call lacks is asked of the user, where the client has forms; and calls over HTTP end when they are cancelled.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { AgentClients } from '../../../src/agents/agent-tool.ts'
import { createMcpHttpHandler, type McpHttpOptions } from '../../../src/agents/mcp/mcp-http.ts'
import { createMcpServer } from '../../../src/agents/mcp/mcp-server.ts'
import { connect } from '../../../src/client/connect.ts'
import { sandbox } from '../../../src/sandbox/open-sandbox.ts'

type Answer = (asked: ElicitRequest['params']) => ElicitResult

function clientWith(answer: Answer | null, options: ConstructorParameters<typeof Client>[1] = {}) {
  const capabilities = answer === null ? {} : { elicitation: {} }
  const client = new Client({ name: 'test', version: '1' }, { ...options, capabilities })
  if (answer !== null)
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params))
  return client
}

async function inMemory(clients: AgentClients, client: Client): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair()
  await createMcpServer(clients).connect(there)
  await client.connect(here)
  return client
}

async function overHttp(clients: AgentClients, client: Client, options: McpHttpOptions = {}) {
  const handler = createMcpHttpHandler(clients, { token: null, ...options })
  const server = createServer((arrived, response) => void handler.node(arrived, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url))
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close()
      await handler.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

const LACKING = {
  name: 'execute',
  arguments: { entity: 'issues', action: 'get', answer_fields: ['key'] },
}
const FORM = {
  message: 'To go on, issueIdOrKey must be given.',
  requestedSchema: {
    type: 'object',
    properties: { issueIdOrKey: expect.objectContaining({ type: 'string' }) as unknown },
    required: ['issueIdOrKey'],
  },
}

test('a missing parameter is asked of the user, in both eras', async () => {
  await using vendor = await sandbox('jira')
  await using jira = await connect('jira', { ...vendor.options(), limits: null })
  const asked: unknown[] = []
  const answer: Answer = (params) => {
    asked.push(params)
    return { action: 'accept', content: { issueIdOrKey: 'OPS-1' } }
  }
  const legacy = await inMemory({ jira }, clientWith(answer))
  expect((await legacy.callTool(LACKING)).structuredContent).toEqual({ data: { key: 'OPS-1' } })
  await legacy.close()
  const pinned = clientWith(answer, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await using modern = await overHttp({ jira }, pinned)
  expect((await modern.client.callTool(LACKING)).structuredContent).toEqual({
    data: { key: 'OPS-1' },
  })
  expect(asked).toEqual([expect.objectContaining(FORM), expect.objectContaining(FORM)])
})

const REFUSED = { error: { code: 'params_invalid', problems: [{ at: '/params/issueIdOrKey' }] } }

test.for<{ name: string; answer: Answer | null; asks: number }>([
  { name: 'a client without forms', answer: null, asks: 0 },
  { name: 'a user who declines', answer: () => ({ action: 'decline' }), asks: 1 },
  { name: 'a user who leaves', answer: () => ({ action: 'cancel' }), asks: 1 },
  { name: 'an empty form', answer: () => ({ action: 'accept', content: {} }), asks: 1 },
])('$name gets the problem, and nothing is sent', async ({ answer, asks }) => {
  await using vendor = await sandbox('jira')
  await using jira = await connect('jira', { ...vendor.options(), limits: null })
  let count = 0
  const counted: Answer | null =
    answer === null
      ? null
      : (params) => {
          count++
          return answer(params)
        }
  const client = await inMemory({ jira }, clientWith(counted))
  const { isError, structuredContent } = await client.callTool(LACKING)
  expect({ isError, structuredContent, count }).toMatchObject({
    isError: true,
    structuredContent: REFUSED,
    count: asks,
  })
  expect(vendor.requests('issues.get')).toEqual([])
  await client.close()
})

test('what no form can hold is not asked for', async () => {
  await using vendor = await sandbox('gong')
  await using gong = await connect('gong', { ...vendor.options(), limits: null })
  const client = await inMemory(
    { gong },
    clientWith(() => {
      throw new TypeError('asked')
    }),
  )
  const { structuredContent } = await client.callTool({
    name: 'execute',
    arguments: { entity: 'call_audio', action: 'download' },
  })
  expect(structuredContent).toMatchObject({ error: { code: 'params_invalid' } })
  await client.close()
})

test.for(['legacy', { pin: '2026-07-28' }] as const)(
  'a call over HTTP that is cancelled ends at the third party, in the era %o',
  async (mode) => {
    await using vendor = await sandbox('jira')
    const ended: (string | undefined)[] = []
    await using jira = await connect('jira', {
      ...vendor.options(),
      limits: null,
      hooks: { onError: ({ error }) => ended.push(error?.code) },
    })
    vendor.fail('issues.get', { mode: 'hang' })
    const client = clientWith(null, { versionNegotiation: { mode } })
    await using spoken = await overHttp({ jira }, client)
    const abort = new AbortController()
    const call = {
      name: 'execute',
      arguments: { entity: 'issues', action: 'get', params: { issueIdOrKey: 'OPS-1' } },
    }
    const hanging = spoken.client.callTool(call, { signal: abort.signal })
    await expect.poll(() => vendor.requests('issues.get').length).toBe(1)
    abort.abort()
    await expect(hanging).rejects.toThrow()
    await expect.poll(() => ended).toEqual(['aborted'])
  },
)

test('a call that waits tells that it is under way, to who asks for progress', async () => {
  await using vendor = await sandbox('jira')
  await using jira = await connect('jira', { ...vendor.options(), limits: null })
  vendor.fail('issues.get', { mode: 'hang' })
  await using spoken = await overHttp({ jira }, clientWith(null), { progressEveryMs: 20 })
  const abort = new AbortController()
  const told: [number, string | undefined][] = []
  const hanging = spoken.client.callTool(
    {
      name: 'execute',
      arguments: { entity: 'issues', action: 'get', params: { issueIdOrKey: 'OPS-1' } },
    },
    {
      signal: abort.signal,
      onprogress: ({ progress, message }) => told.push([progress, message]),
    },
  )
  const ended = hanging.catch((error: unknown) => error)
  await expect.poll(() => told.length).toBeGreaterThanOrEqual(3)
  expect(told.slice(0, 3).map(([progress]) => progress)).toEqual([1, 2, 3])
  expect(told[0]?.[1]).toMatch(/^still under way after \d+ s$/)
  abort.abort()
  expect(await ended).toBeInstanceOf(Error)
})
