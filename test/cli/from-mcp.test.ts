// A manifest drafted from the official server of the Model Context Protocol, called by it, and held to the server again.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tool } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type McpEra, type McpOptions, startMcpServer } from '../fixtures/mcp-server.ts'
import { tenonHere } from './run-here.ts'
import { folderOf } from './run-tenon.ts'

const text = { type: 'string' }
const item = { type: 'object', properties: { id: text, title: text } }
const tool = (name: string, properties: object, more: object = {}): Tool =>
  ({ name, inputSchema: { type: 'object', properties }, ...more }) as Tool
const READS = { annotations: { readOnlyHint: true } }
const TOOLS: readonly Tool[] = [
  tool(
    'list_issues',
    { cursor: text, state: { enum: ['open', 'closed'] } },
    {
      ...READS,
      outputSchema: {
        type: 'object',
        properties: { issues: { type: 'array', items: item }, nextCursor: text },
      },
    },
  ),
  {
    ...tool('get_issue', { id: text }, { ...READS, outputSchema: item }),
    inputSchema: {
      type: 'object',
      required: ['id'],
      properties: { id: { $ref: '#/$defs/id' } },
      $defs: { id: text },
    },
  },
  tool('create_issue', { title: text, 'due date': text }),
  tool(
    'update_issue',
    { id: text },
    { annotations: { idempotentHint: true, destructiveHint: false } },
  ),
  tool('delete_issue', { id: text }),
  tool('summarize', {}, READS),
  tool('research', {}, { execution: { taskSupport: 'required' } }),
]
const server = (tools: readonly Tool[]): McpOptions => ({
  tools,
  call: (name, args) => ({
    content: [],
    structuredContent: { issues: [{ id: name, title: JSON.stringify(args) }] },
  }),
})

test.for<McpEra>(['sessions', 'stateless'])(
  'every tool of a server (%s) is an action, and lint takes the draft',
  async (era) => {
    await using vendor = await startMcpServer(era, server(TOOLS))
    const folder = folderOf({})
    const { code, out, err } = await tenonHere(
      ['init', 'issues', '--from-mcp', `${vendor.url}/mcp`],
      { folder },
    )
    expect({ code, out }).toEqual({ code: 0, out: 'manifests/issues.yaml\n' })
    // Its revision has no tasks, so the server does not tell of any.
    const isTold = err.includes('the tool research is left out: it runs as a task only')
    expect(isTold).toBe(era === 'sessions')
    const { entities, auth, check } = parse(
      readFileSync(join(folder, 'manifests/issues.yaml'), 'utf8'),
    )
    expect({ auth, check, entities: Object.keys(entities) }).toEqual({
      auth: { none: { title: 'Without an account', apply: 'none' } },
      check: { entity: 'issues', action: 'list' },
      entities: ['issues', 'summarize', ...(era === 'sessions' ? [] : ['research'])],
    })
    expect(entities.issues.actions).toEqual({
      list: {
        summary: 'list_issues',
        params: {
          properties: { cursor: text, state: { type: 'string', enum: ['open', 'closed'] } },
        },
        request: { mcp: 'list_issues', reads: true },
        result: { properties: { id: text, title: text } },
        response: { records: '$.issues' },
        pagination: { type: 'cursor', param: 'cursor', next: '$.nextCursor' },
      },
      get: {
        summary: 'get_issue',
        params: { required: ['id'], properties: { id: text } },
        request: { mcp: 'get_issue', reads: true },
        result: { properties: { id: text, title: text } },
      },
      create: {
        summary: 'create_issue',
        params: { properties: { title: text, due_date: text } },
        request: {
          mcp: {
            tool: 'create_issue',
            arguments: ['title', { 'due date': '{{ params.due_date }}' }],
          },
        },
        response: { decode: 'content' },
        result: { $ref: '#/shapes/tool_content' },
      },
      update: expect.objectContaining({
        request: { mcp: 'update_issue' },
        retry: { idempotent: true },
      }),
      delete: {
        summary: 'delete_issue',
        params: { properties: { id: text } },
        request: { mcp: 'delete_issue' },
        response: { decode: 'none' },
      },
    })
    expect(await tenonHere(['lint'], { folder })).toMatchObject({ code: 0 })
    const checked = await tenonHere(['check', 'issues', '--against', `${vendor.url}/mcp`], {
      folder,
    })
    expect(checked).toMatchObject({ code: 0 })
    expect(checked.out).toContain(
      era === 'sessions' ? '0 errors, 0 warnings, 1 notes' : '0 errors, 0 warnings, 0 notes',
    )
  },
)

test('what a live server has otherwise is told', async () => {
  await using before = await startMcpServer('sessions', server(TOOLS))
  const folder = folderOf({})
  await tenonHere(['init', 'issues', '--from-mcp', `${before.url}/mcp`], { folder })
  const changed: readonly Tool[] = [
    tool(
      'list_issues',
      { cursor: text, state: { enum: ['open'] } },
      {
        outputSchema: {
          type: 'object',
          properties: { issue: { type: 'array', items: item }, nextCursor: text },
        },
      },
    ),
    {
      ...tool('get_issue', {}, READS),
      inputSchema: {
        type: 'object',
        required: ['id', 'project'],
        properties: { id: { type: 'integer' }, project: text },
      },
    },
    tool('create_issue', { titles: text, 'due date': text }),
    tool('update_issue', { id: text }, READS),
    tool('remove_issue', { id: text }),
    tool('summarize', {}, READS),
  ]
  await using after = await startMcpServer('stateless', server(changed))
  const { code, out } = await tenonHere(
    ['check', 'issues', '--against', `${after.url}/mcp`, '--json'],
    { folder },
  )
  const { findings } = JSON.parse(out) as { readonly findings: readonly Record<string, string>[] }
  expect({
    code,
    findings: findings.map(({ kind, level, place }) => `${level} ${kind} ${place}`),
  }).toEqual({
    code: 1,
    findings: [
      'error stale issues.list reads',
      'error stale issues.list argument state',
      'error unknown issues.list result',
      'error stale issues.get argument id',
      'error missing issues.get argument project',
      'warning unknown issues.get result',
      'error unknown issues.create argument title',
      'note missing issues.create argument titles',
      'warning stale issues.update',
      'error stale issues.update retry',
      'error unknown issues.delete',
      'note missing remove_issue',
    ],
  })
})

test('how to sign in is what the metadata of the server says, and its token is in no file', async () => {
  const metadata = createServer((request, response) => {
    const { port } = metadata.address() as AddressInfo
    const answers: Readonly<Record<string, object>> = {
      '/.well-known/oauth-protected-resource/mcp': {
        resource: 'https://mcp.acme.example/mcp',
        authorization_servers: [`http://127.0.0.1:${port}/tenant`],
        scopes_supported: ['issues:read'],
      },
      '/.well-known/oauth-authorization-server/tenant': {
        issuer: 'https://login.acme.example/tenant',
        authorization_endpoint: 'https://login.acme.example/authorize',
        token_endpoint: 'https://login.acme.example/token',
        registration_endpoint: 'https://login.acme.example/register',
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      },
    }
    const found = answers[request.url ?? '']
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? {}))
  })
  metadata.listen(0, '127.0.0.1')
  await once(metadata, 'listening')
  const { port } = metadata.address() as AddressInfo
  await using vendor = await startMcpServer('sessions', {
    ...server(TOOLS),
    token: 'one-secret-token',
    challenge: `Bearer resource_metadata="http://127.0.0.1:${port}/.well-known/oauth-protected-resource/mcp"`,
  })
  const folder = folderOf({})
  const init = (env: Record<string, string>) =>
    tenonHere(['init', 'issues', '--from-mcp', `${vendor.url}/mcp`], { folder, env })
  expect(await init({})).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'set TENON_TRY_TOKEN; its tokens come from https://login.acme.example/tenant',
    ),
  })
  const refused = await init({ TENON_TRY_TOKEN: 'another-token' })
  expect([refused.code, refused.err]).toEqual([2, expect.not.stringContaining('another-token')])
  expect(await init({ TENON_TRY_TOKEN: 'one-secret-token' })).toMatchObject({ code: 0 })
  const written = readFileSync(join(folder, 'manifests/issues.yaml'), 'utf8')
  expect(written).not.toContain('one-secret-token')
  const params = { resource: 'https://mcp.acme.example/mcp' }
  expect(parse(written).auth.oauth.oauth2).toEqual({
    client: 'registered',
    register: { url: 'https://login.acme.example/register' },
    authorize: { url: 'https://login.acme.example/authorize', scopes: ['issues:read'], params },
    token: { url: 'https://login.acme.example/token', client_auth: 'none', params },
    refresh: { params },
  })
  metadata.close()
})
