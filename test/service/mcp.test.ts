// The instances of a user as tools of an agent, over streamable HTTP with a token of the service.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mcpClient, overHttp } from '../fixtures/mcp-clients.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

let world: RunningService

beforeAll(async () => {
  world = await runService({ mcp: 'write' })
  await world.connect('jira', { external_user_id: 'user-1' })
  await world.connect('gong', { external_user_id: 'user-1' })
  await world.connect('gong', { external_user_id: 'user-2' })
})
afterAll(() => world[Symbol.asyncDispose]())

async function agent(token: string, query = '', client: Client = mcpClient()) {
  await overHttp(`${world.url}/mcp${query}`, { token, client })
  const call = async (name: string, input: Record<string, unknown>) => {
    const answer = await client.callTool({ name, arguments: input })
    return { isError: answer.isError === true, text: JSON.stringify(answer.content) }
  }
  return { client, call, [Symbol.asyncDispose]: () => client.close() }
}

test('an agent finds, reads and changes what its token opens', async () => {
  await using mine = await agent(await world.scoped({ external_user_id: 'user-1' }))
  const { tools } = await mine.client.listTools()
  expect(tools.map(({ name }) => name).toSorted()).toEqual(['describe', 'execute', 'search'])
  const described = await mine.call('describe', {})
  expect(described.text).toMatch(/jira/)
  expect(described.text).toMatch(/gong/)
  const read = await mine.call('execute', {
    connector: 'jira',
    entity: 'issues',
    action: 'get',
    params: { issueIdOrKey: 'OPS-1' },
  })
  expect([read.isError, read.text.includes('OPS-1')]).toEqual([false, true])
  const wrong = await mine.call('execute', {
    connector: 'jira',
    entity: 'issue',
    action: 'get',
    params: {},
  })
  expect([wrong.isError, wrong.text.includes('issues')]).toEqual([true, true])
})

test('a user who has connected no account yet gets no tools, and is told why', async () => {
  const token = await world.scoped({ external_user_id: 'user-9' })
  await using nobody = await agent(token)
  expect(nobody.client.getInstructions()).toContain('No account is connected yet')
  expect((await nobody.client.listTools()).tools).toEqual([])
  expect((await nobody.client.listResources()).resources).toEqual([])
  expect((await nobody.client.listPrompts()).prompts).toEqual([])
  await expect(nobody.call('describe', {})).rejects.toThrow('No account is connected yet')
})

test('T3 what a token may not do, its agent may not', async () => {
  await using narrow = await agent(
    await world.scoped({ external_user_id: 'user-1', actions: ['users.list'] }),
  )
  const denied = await narrow.call('execute', {
    connector: 'jira',
    entity: 'issues',
    action: 'get',
    params: { issueIdOrKey: 'OPS-1' },
  })
  expect([denied.isError, denied.text.includes('scope_denied')]).toEqual([true, true])
})

test('T4 instances of other users are not there', async () => {
  await using other = await agent(await world.scoped({ external_user_id: 'user-2' }))
  const described = await other.call('describe', {})
  expect([described.text.includes('gong'), described.text.includes('jira')]).toEqual([true, false])
})

test('the service is called by its own names, and tells all tools to who asks for them', async () => {
  const token = await world.scoped({ external_user_id: 'user-1' })
  const statusBy = async (host: string): Promise<number> => {
    const sent = request(`${world.url}/mcp`, {
      method: 'POST',
      headers: { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    sent.end('{}')
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode ?? 0
  }
  expect(await statusBy('rebound.example')).toBe(403)
  expect(await statusBy('localhost')).not.toBe(403)
  await using mine = await agent(token, '?tools=all')
  const { tools } = await mine.client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['jira_issues_get', 'jira_issues_search', 'gong_users_list']),
  )
})

test('without a token of the service nobody gets in, and pages of other origins neither', async () => {
  const nobody = await world.call('POST', '/mcp', {}, { as: 'tenon_st_wrong' })
  const page = await world.call('POST', '/mcp', {}, { headers: { origin: 'https://evil.example' } })
  expect([nobody.status, page.status]).toEqual([401, 403])
})

const READ = { connector: 'jira', entity: 'issues', action: 'get' }

test.for(['legacy', { pin: '2026-07-28' }] as const)(
  'a call that is cancelled ends at the third party, in the era %o',
  async (mode) => {
    const vendor = world.vendor('jira')
    vendor.fail('issues.get', { mode: 'hang' })
    const before = vendor.requests('issues.get').length
    const lines = world.lines.length
    const client = mcpClient({ versionNegotiation: { mode } })
    await using mine = await agent(await world.scoped({ external_user_id: 'user-1' }), '', client)
    const caller = new AbortController()
    const hanging = mine.client.callTool(
      { name: 'execute', arguments: { ...READ, params: { issueIdOrKey: 'OPS-1' } } },
      { signal: caller.signal },
    )
    const ended = hanging.then(
      () => 'answered',
      () => 'ended',
    )
    await expect.poll(() => vendor.requests('issues.get').length).toBe(before + 1)
    caller.abort()
    expect(await ended).toBe('ended')
    await expect
      .poll(() => world.lines.slice(lines).some(({ facts }) => facts['code'] === 'aborted'))
      .toBe(true)
    const next = await mine.call('execute', { ...READ, params: { issueIdOrKey: 'OPS-1' } })
    expect([next.isError, vendor.requests('issues.get').length]).toEqual([false, before + 2])
  },
)

test('a client of 2025 is asked for what its call lacks', async () => {
  const client = mcpClient({ capabilities: { elicitation: {} } })
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { issueIdOrKey: 'OPS-1' },
  }))
  await using mine = await agent(await world.scoped({ external_user_id: 'user-1' }), '', client)
  const read = await mine.call('execute', READ)
  expect([read.isError, read.text.includes('OPS-1')]).toEqual([false, true])
})
