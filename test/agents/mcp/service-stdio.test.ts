// The official client of the protocol, with `tenon mcp` as its process, in front of a running service.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tenonHere } from '../../cli/run-here.ts'
import { tenon } from '../../cli/run-tenon.ts'
import { bareEnvironment } from '../../fixtures/bare-environment.ts'
import { runService, type RunningService } from '../../fixtures/running-service.ts'

const root = process.cwd()
const folder = mkdtempSync(join(tmpdir(), 'tenon-mcp-'))

let running: RunningService
let gong: string
let jira: string

beforeAll(async () => {
  running = await runService({ jobs: true })
  gong = await running.connect('gong')
  jira = await running.connect('jira', { external_user_id: 'user-2' })
})
afterAll(() => running[Symbol.asyncDispose]())

/** As an application, which the environment of the process signs in. */
function application(): Record<string, string> {
  const first = running.service.firstApplication
  return {
    ...bareEnvironment,
    TENON_URL: running.url,
    TENON_CLIENT_ID: first?.clientId ?? '',
    TENON_CLIENT_SECRET: first?.clientSecret ?? '',
  }
}

async function start(args: readonly string[], env = application()): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'bin/tenon.js'), 'mcp', ...args],
    env,
    cwd: folder,
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return client
}

async function call(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
): Promise<{ readonly isError: boolean; readonly content: Record<string, unknown> }> {
  const { structuredContent, isError } = await client.callTool({ name, arguments: input })
  return { isError: isError === true, content: structuredContent as Record<string, unknown> }
}

test('an agent finds, reads, changes and searches the instances of a service', async () => {
  const client = await start([
    '--connector-id',
    `calls=${gong}`,
    '--connector-id',
    jira,
    '--allow-writes',
    '--all-tools',
  ])
  try {
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['calls_users_list', 'calls_users_search', 'jira_issues_update']),
    )
    const users = await call(client, 'calls_users_list', { answer_fields: ['id'] })
    expect(users.isError).toBe(false)
    const [user] = users.content['data'] as readonly { readonly id: string }[]
    const changed = await call(client, 'jira_issues_update', {
      issueIdOrKey: 'OPS-1',
      fields: { summary: 'Oil the hinge' },
    })
    expect(changed.isError).toBe(false)
    const issue = await call(client, 'jira_issues_get', {
      issueIdOrKey: 'OPS-1',
      answer_fields: ['fields.summary'],
    })
    expect(issue.content['data']).toEqual({ fields: { summary: 'Oil the hinge' } })
    await expect
      .poll(async () => {
        const { content } = await call(client, 'calls_users_search', {
          query: { filter: { eq: { id: user?.id } } },
          fields: ['id'],
        })
        return content['data'] ?? content
      })
      .toMatchObject([{ id: user?.id }])
  } finally {
    await client.close()
  }
})

test('a call that is cancelled ends at the third party, and the process with its host', async () => {
  const vendor = running.vendor('jira')
  vendor.fail('issues.get', { mode: 'hang' })
  const before = vendor.requests('issues.get').length
  const client = await start(['--connector-id', `jira=${jira}`])
  const { pid } = client.transport as StdioClientTransport
  const read = {
    name: 'execute',
    arguments: { entity: 'issues', action: 'get', params: { issueIdOrKey: 'OPS-1' } },
  }
  const caller = new AbortController()
  const ended = client.callTool(read, { signal: caller.signal }).then(
    () => 'answered',
    () => 'ended',
  )
  await expect.poll(() => vendor.requests('issues.get').length).toBe(before + 1)
  caller.abort()
  expect(await ended).toBe('ended')
  await expect.poll(() => running.lines.some(({ facts }) => facts['code'] === 'aborted')).toBe(true)
  expect(await call(client, read.name, read.arguments)).toMatchObject({ isError: false })
  // Also in the middle of a call.
  vendor.fail('issues.get', { mode: 'hang' })
  const left = client.callTool(read).catch(() => 'left')
  await expect.poll(() => vendor.requests('issues.get').length).toBe(before + 3)
  await client.close()
  expect(await left).toBe('left')
  await expect.poll(() => isRunning(pid)).toBe(false)
})

/** Whether there is a process of this number. */
function isRunning(pid: number | null): boolean {
  try {
    return process.kill(pid ?? 0, 0)
  } catch {
    return false
  }
}

test('three tools stand for all instances', async () => {
  const client = await start(['--connector-id', gong, '--connector-id', jira])
  try {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['describe', 'execute', 'search'])
    const { isError, content } = await call(client, 'execute', {
      connector: 'gong',
      entity: 'users',
      action: 'list',
    })
    expect({ isError, keys: Object.keys(content) }).toMatchObject({ isError: false })
  } finally {
    await client.close()
  }
})

test('a token of the environment opens what it is narrowed to', async () => {
  const token = await running.scoped({ external_user_id: 'user-1', actions: ['users.list'] })
  const client = await start(['--connector-id', gong, '--all-tools'], {
    ...bareEnvironment,
    TENON_URL: running.url,
    TENON_TOKEN: token,
  })
  try {
    expect((await call(client, 'gong_users_list')).isError).toBe(false)
    const { isError, content } = await call(client, 'gong_calls_list')
    expect({ isError, content }).toMatchObject({
      isError: true,
      content: { error: { code: 'scope_denied' } },
    })
  } finally {
    await client.close()
  }
  const { code, err } = await tenonHere(['mcp', '--connector-id', jira], {
    env: { TENON_URL: running.url, TENON_TOKEN: token },
  })
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('instance_unknown') })
})

test('--list prints the tools of the instances', async () => {
  const { code, out } = await tenon(
    [
      'mcp',
      '--connector-id',
      `calls=${gong}`,
      '--list',
      '--json',
      '--all-tools',
      '--entities',
      'users',
    ],
    { env: application() },
  )
  expect(code).toBe(0)
  const { tools } = JSON.parse(out) as { readonly tools: readonly { readonly name: string }[] }
  expect(tools.map(({ name }) => name)).toContain('calls_users_search')
})

test.for([
  { args: [], says: '--connector-id' },
  { args: ['jira', '--connector-id', 'x'], says: 'stands for itself' },
  { args: ['--connector-id', 'x', '--sandbox'], says: 'stands for itself' },
  { args: ['jira', '--url', 'http://127.0.0.1:1', '--list'], says: '--url goes with' },
  { args: ['--connector-id', 'x'], says: 'TENON_TOKEN' },
])('tenon mcp $args is wrong use', async ({ args, says }) => {
  const { code, out, err } = await tenonHere(['mcp', ...args])
  expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(says) })
})

test('tenon try runs an operation of an instance', async () => {
  const env = application()
  const one = await tenonHere(
    ['try', 'jira', 'issues.get', '--params', '{"issueIdOrKey":"OPS-2"}', '--connector-id', jira],
    { env },
  )
  expect(one.code).toBe(0)
  expect(JSON.parse(one.out)).toMatchObject({ key: 'OPS-2' })
  const all = await tenonHere(
    ['try', 'gong', 'users.list', '--all', '--json', '--connector-id', gong],
    {
      env,
    },
  )
  expect({ code: all.code, err: all.err }).toEqual({
    code: 0,
    err: expect.stringContaining('records on'),
  })
  const shown = await tenonHere(
    [
      'try',
      'jira',
      'issues.get',
      '--params',
      '{"issueIdOrKey":"OPS-2"}',
      '--connector-id',
      jira,
      '--preview',
    ],
    { env },
  )
  expect(shown.out).toContain('/rest/api/3/issue/OPS-2')
  const other = await tenonHere(['try', 'gong', 'users.list', '--connector-id', jira], { env })
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('an instance of jira') })
  const both = await tenonHere(['try', 'gong', 'users.list', '--connector-id', gong, '--sandbox'], {
    env,
  })
  expect(both).toMatchObject({ code: 2, err: expect.stringContaining('exclude each other') })
})
