// What hosts can attach without a tool, and the tasks that their users can choose: all of it follows from the manifests.
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentClients } from '../../../src/agents/agent-tool.ts'
import type { McpServerOptions } from '../../../src/agents/mcp/mcp-server.ts'
import { connect } from '../../../src/client/connect.ts'
import { sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { inMemory } from '../../fixtures/mcp-clients.ts'

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

const spoken = (options: McpServerOptions = {}): Promise<Client> => inMemory(clients, options)

async function read(client: Client, uri: string): Promise<unknown> {
  const { contents } = await client.readResource({ uri })
  const [content] = contents as readonly { readonly text: string }[]
  return JSON.parse(content?.text ?? '') as unknown
}

test('each connected account is a resource that tells what it can do', async () => {
  const client = await spoken()
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(['tenon://jira', 'tenon://calls'])
  expect(await read(client, 'tenon://jira')).toMatchObject({
    connectors: { jira: { issues: expect.arrayContaining(['get', 'api_search']) as unknown } },
  })
  await client.close()
})

test('a record that one parameter names is a resource by its address', async () => {
  const client = await spoken()
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
    'tenon://jira/issues/{issueIdOrKey}',
  )
  expect(await read(client, 'tenon://jira/issues/OPS-1')).toMatchObject({ data: { key: 'OPS-1' } })
  await client.close()
})

test.for([
  'tenon://home',
  'tenon://jira/issues',
  'tenon://jira/issues/',
  'tenon://jira/issues/OPS-1/more',
  'tenon://jira/nothing/1',
  'tenon://jira/issues/%E0%A4%A',
  'file:///etc/passwd',
  'tenon://jira/issues/NONE-9999',
])('%s is not there', async (uri) => {
  const client = await spoken()
  await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 })
  await client.close()
})

test('filters hold for resources as for tools', async () => {
  const client = await spoken({ entities: ['calls.users'] })
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.every(({ uriTemplate }) => uriTemplate.includes('calls/users'))).toBe(
    true,
  )
  await expect(client.readResource({ uri: 'tenon://jira/issues/OPS-1' })).rejects.toThrow()
  await client.close()
})

test('prompts follow from what can be done, and their arguments are completed', async () => {
  const reading = await spoken()
  const names = async (client: Client) =>
    (await client.listPrompts()).prompts.map(({ name }) => name)
  expect(await names(reading)).toEqual(['overview', 'find', 'summarize'])
  const writing = await spoken({ allowWrites: true })
  expect(await names(writing)).toEqual(['overview', 'find', 'summarize', 'change'])
  const { messages } = await reading.getPrompt({
    name: 'find',
    arguments: { connector: 'jira', entity: 'issues', words: 'delivery' },
  })
  expect(messages).toEqual([
    {
      role: 'user',
      content: {
        type: 'text',
        text: expect.stringMatching(/issues of jira about: delivery.*api_search/) as unknown,
      },
    },
  ])
  const complete = async (name: string, value: string) => {
    const ref = { type: 'ref/prompt', name: 'find' } as const
    const context = { arguments: { connector: 'jira' } }
    const { completion } = await reading.complete({ ref, argument: { name, value }, context })
    return completion.values
  }
  expect(await complete('connector', 'C')).toEqual(['calls'])
  expect(await complete('entity', 'iss')).toContain('issues')
  expect(await complete('entity', 'calls')).toEqual([])
  await expect(reading.getPrompt({ name: 'find' })).rejects.toMatchObject({ code: -32602 })
  await expect(reading.getPrompt({ name: 'none' })).rejects.toMatchObject({ code: -32602 })
  await reading.close()
  await writing.close()
})
