// What a call lacks is asked of the user, where the client has forms; and calls over HTTP end when they are cancelled.
import type { Client, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { AgentClients } from '../../../src/agents/agent-tool.ts'
import { createMcpHttpHandler, type McpHttpOptions } from '../../../src/agents/mcp/mcp-http.ts'
import { connect } from '../../../src/client/connect.ts'
import { sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { inMemory, listen, mcpClient, overHttp } from '../../fixtures/mcp-clients.ts'

type Answer = (asked: ElicitRequest['params']) => ElicitResult

function clientWith(answer: Answer | null, options: ConstructorParameters<typeof Client>[1] = {}) {
  const capabilities = answer === null ? {} : { elicitation: {} }
  const client = mcpClient({ ...options, capabilities })
  if (answer !== null)
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params))
  return client
}

async function served(clients: AgentClients, client: Client, options: McpHttpOptions = {}) {
  const server = await listen(createMcpHttpHandler(clients, { token: null, ...options }))
  await overHttp(server.url, { client })
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close()
      await server[Symbol.asyncDispose]()
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
  const legacy = await inMemory({ jira }, {}, clientWith(answer))
  expect((await legacy.callTool(LACKING)).structuredContent).toEqual({ data: { key: 'OPS-1' } })
  await legacy.close()
  await using stream = await served({ jira }, clientWith(answer))
  expect((await stream.client.callTool(LACKING)).structuredContent).toEqual({
    data: { key: 'OPS-1' },
  })
  const pinned = clientWith(answer, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await using modern = await served({ jira }, pinned)
  expect((await modern.client.callTool(LACKING)).structuredContent).toEqual({
    data: { key: 'OPS-1' },
  })
  expect(asked).toEqual(Array(3).fill(expect.objectContaining(FORM)))
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
  const client = await inMemory({ jira }, {}, clientWith(counted))
  const { isError, structuredContent } = await client.callTool(LACKING)
  expect({ isError, structuredContent, count }).toMatchObject({
    isError: true,
    structuredContent: REFUSED,
    count: asks,
  })
  expect(vendor.requests('issues.get')).toEqual([])
  await client.close()
})

test('over HTTP of 2025 a question ends with its call, and another client cannot answer it', async () => {
  await using vendor = await sandbox('jira')
  await using jira = await connect('jira', { ...vendor.options(), limits: null })
  const seen: string[] = []
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<ElicitResult>()]
  const client = mcpClient({ capabilities: { elicitation: {} } })
  client.setRequestHandler('elicitation/create', async (_request, { mcpReq }) => {
    seen.push(String(mcpReq.id))
    asked.resolve()
    return await answered.promise
  })
  const server = await listen(createMcpHttpHandler({ jira }, { token: null }))
  await overHttp(server.url, { client })
  const caller = new AbortController()
  const call = client.callTool(LACKING, { signal: caller.signal }).then(
    () => 'answered',
    () => 'ended',
  )
  await asked.promise
  const [id = ''] = seen
  const forged = await fetch(server.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': 'of-another',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      result: { action: 'accept', content: { issueIdOrKey: 'OPS-1' } },
    }),
  })
  await forged.body?.cancel()
  expect(vendor.requests('issues.get')).toEqual([])
  caller.abort()
  expect(await call).toBe('ended')
  answered.resolve({ action: 'accept', content: { issueIdOrKey: 'OPS-1' } })
  await client.close()
  await server[Symbol.asyncDispose]()
  expect(vendor.requests('issues.get')).toEqual([])
})

test('what no form can hold is not asked for', async () => {
  await using vendor = await sandbox('gong')
  await using gong = await connect('gong', { ...vendor.options(), limits: null })
  const client = await inMemory(
    { gong },
    {},
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
    await using spoken = await served({ jira }, client)
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
  await using spoken = await served({ jira }, clientWith(null), { progressEveryMs: 20 })
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
