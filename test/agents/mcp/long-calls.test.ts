// Calls that take their time: progress is told, and a call that nobody waits for ends.
import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { AgentClients } from '../../../src/agents/agent-tool.ts'
import type { CallOptions } from '../../../src/client/client.ts'
import { connect } from '../../../src/client/connect.ts'
import type { McpServerOptions } from '../../../src/agents/mcp/mcp-server.ts'
import { sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { inMemory } from '../../fixtures/mcp-clients.ts'
import { createHastyClock } from '../../../src/sandbox/testing/hasty-clock.ts'

const spoken = (clients: AgentClients, options: McpServerOptions = {}): Promise<Client> =>
  inMemory(clients, { mode: 'actions', ...options })

test('the progress of a report is told while it is made', async () => {
  await using vendor = await sandbox('facebook-marketing')
  await using ads = await connect('facebook-marketing', {
    ...vendor.options(),
    limits: null,
    clock: createHastyClock(),
  })
  const client = await spoken({ ads })
  const told: unknown[] = []
  const { structuredContent } = await client.callTool(
    { name: 'ads_ad_insight_reports_list', arguments: { account_id: 'act_1101' } },
    { onprogress: ({ progress, message }) => told.push([progress, message]) },
  )
  expect(told).toEqual([
    [1, '0'],
    [2, '50'],
    [3, '100'],
  ])
  expect(structuredContent).toMatchObject({ data: expect.any(Array) as unknown })
  await client.close()
})

test('progress that counts is told in words', async () => {
  await using vendor = await sandbox('jira')
  await using jira = await connect('jira', vendor.options())
  const counting = {
    describe: () => jira.describe(),
    execute(_entity: string, _action: string, _params: object, options: CallOptions) {
      options.onProgress?.({ pages: 3, records: 120 })
      options.onProgress?.([1, 2])
      return jira.issues.get({ issueIdOrKey: 'OPS-1' })
    },
  }
  const client = await spoken({ jira: counting })
  const told: unknown[] = []
  await client.callTool(
    { name: 'jira_issues_get', arguments: { issueIdOrKey: 'OPS-1' } },
    { onprogress: ({ progress, message }) => told.push([progress, message]) },
  )
  expect(told).toEqual([
    [1, '3 pages, 120 records'],
    [2, '[1,2]'],
  ])
  await client.close()
})

test('a call that is cancelled ends, and the next one works', async () => {
  await using vendor = await sandbox('jira')
  const ended: (string | undefined)[] = []
  await using jira = await connect('jira', {
    ...vendor.options(),
    limits: null,
    hooks: { onError: ({ error }) => ended.push(error?.code) },
  })
  vendor.fail('issues.get', { mode: 'hang' })
  const client = await spoken({ jira })
  const abort = new AbortController()
  const call = { name: 'jira_issues_get', arguments: { issueIdOrKey: 'OPS-1' } }
  const hanging = client.callTool(call, { signal: abort.signal })
  await expect.poll(() => vendor.requests('issues.get').length).toBe(1)
  abort.abort()
  await expect(hanging).rejects.toThrow()
  await expect.poll(() => ended).toEqual(['aborted'])
  expect((await client.callTool(call)).isError).not.toBe(true)
  await client.close()
})

test('L5 a defect is told to the host of the server, and not to the agent', async () => {
  await using vendor = await sandbox('jira')
  await using jira = await connect('jira', vendor.options())
  const broken = {
    describe: () => jira.describe(),
    execute: () => {
      throw new TypeError('secret detail of a defect')
    },
  }
  const told: string[] = []
  const client = await spoken({ jira: broken }, { onError: ({ message }) => told.push(message) })
  await expect(
    client.callTool({ name: 'jira_issues_get', arguments: { issueIdOrKey: 'OPS-1' } }),
  ).rejects.toMatchObject({
    code: -32603,
    message: expect.not.stringContaining('secret') as unknown,
  })
  expect(told).toEqual(['secret detail of a defect'])
  await client.close()
})

test('L5 nothing secret is in what an agent sees', async () => {
  await using vendor = await sandbox('jira')
  const options = vendor.options()
  const password = 'canary-secret-4711'
  await using jira = await connect('jira', {
    ...options,
    credentials: { ...options.credentials, password },
    limits: null,
  })
  const client = await spoken({ jira })
  const seen = JSON.stringify([
    await client.listTools(),
    client.getInstructions(),
    await client.callTool({ name: 'jira_issues_get', arguments: { issueIdOrKey: 'OPS-1' } }),
  ])
  expect(seen).toContain('credentials_refused')
  expect(seen).not.toContain(password)
  await client.close()
})
