// Tools of the official server of the Model Context Protocol, called by a manifest: both eras, errors, sessions, streams.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import { loadManifest } from '../../../src/client/load-manifest.ts'
import { manifestOf } from '../../../src/client/packaged.ts'
import { isConnectorError } from '../../../src/errors.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import {
  type McpEra,
  type McpFixture,
  type McpOptions,
  startMcpServer,
} from '../../fixtures/mcp-server.ts'

const text = { type: 'string' }
const open = { properties: {} }
const MANIFEST = {
  manifest: 1,
  connector: { type: 'tools', title: 'Tools', version: '1.0.0' },
  server: { url: 'https://mcp.tools.example/mcp' },
  auth: {
    token: {
      credentials: { required: ['token'], properties: { token: { ...text, writeOnly: true } } },
      apply: { bearer: '{{ credentials.token }}' },
    },
  },
  entities: {
    cities: {
      record: { properties: { name: text, id: { type: 'string', format: 'int64' } } },
      actions: {
        list: {
          params: { required: ['first'], properties: { first: text, cursor: text } },
          request: { mcp: 'list_cities', reads: true },
          response: { records: '$.cities' },
          pagination: { type: 'cursor', param: 'cursor', next: '$.next' },
        },
        get: {
          params: { required: ['city'], properties: { city: text } },
          request: {
            mcp: { tool: 'get_city', arguments: [{ name: '{{ upper params.city }}' }] },
            reads: true,
          },
        },
        create: { params: { properties: { name: text } }, request: { mcp: 'add_city' } },
      },
    },
    notes: {
      actions: {
        get: {
          params: { properties: { name: text } },
          request: { mcp: 'read_note', reads: true },
          response: { decode: 'text' },
          result: open,
        },
        create: {
          params: open,
          request: { mcp: 'draw' },
          response: { decode: 'content' },
          result: {
            properties: {
              content: { type: 'array', items: { type: 'object', additionalProperties: true } },
            },
          },
        },
        update: {
          params: { properties: { id: text } },
          request: { mcp: 'unknown_tool' },
          result: open,
        },
      },
    },
  },
}

const json = (value: unknown): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
})
const CALLS: Readonly<Record<string, (args: Record<string, unknown>) => CallToolResult>> = {
  list_cities: ({ first, cursor }) => ({
    content: [],
    structuredContent:
      cursor === undefined
        ? { cities: [{ name: first }], next: 'two' }
        : { cities: [{ name: cursor }] },
  }),
  // Servers of before structured results answer JSON as text.
  get_city: (args) => json({ ...args, id: 42 }),
  add_city: ({ name }) => ({
    content: [{ type: 'text', text: `no place for ${String(name)}` }],
    isError: true,
  }),
  read_note: ({ name }) => ({
    content: [
      { type: 'text', text: 'one' },
      { type: 'text', text: String(name) },
    ],
  }),
  draw: () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }),
}
const SERVER: McpOptions = {
  tools: Object.keys(CALLS).map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  call: (name, args) => CALLS[name]?.(args) ?? { content: [] },
  token: 'secret-token',
}
const manifest = manifestOf(await loadManifest(MANIFEST))

async function clientOf({ url }: Pick<McpFixture, 'url'>, token = 'secret-token') {
  return await connect(manifest, {
    credentials: { token },
    serverUrl: url,
    retries: 0,
    allowHosts: ['127.0.0.1'],
  })
}

/** Code, message and outcome of what fails. */
async function failureOf(run: Promise<unknown>): Promise<unknown> {
  const error: unknown = await run.then(
    () => null,
    (cause: unknown) => cause,
  )
  return isConnectorError(error) ? [error.code, error.outcome, error.message] : error
}

describe.for<McpEra>(['sessions', 'stateless'])('%s', (era) => {
  test('answers of tools are records, texts and results', async () => {
    await using server = await startMcpServer(era, SERVER)
    await using client = await clientOf(server)
    const cities: unknown[] = []
    for await (const city of client.execute('cities', 'list', { first: 'one' })) cities.push(city)
    const data = async (entity: string, action: string, params: object) =>
      ((await client.execute(entity, action, params)) as { readonly data: unknown }).data
    expect([
      cities,
      await data('cities', 'get', { city: 'Köln' }),
      await data('notes', 'get', { name: 'two' }),
      await data('notes', 'create', {}),
    ]).toEqual([
      [{ name: 'one' }, { name: 'two' }],
      { name: 'KÖLN', id: '42' },
      'one\ntwo',
      expect.objectContaining({
        content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
      }),
    ])
    const calls = ['tools/call', 'tools/call', 'tools/call', 'tools/call', 'tools/call']
    const handshake =
      era === 'sessions' ? ['initialize', 'notifications/initialized'] : ['initialize']
    expect(server.asked).toEqual([...handshake, ...calls])
    const {
      'mcp-method': method,
      'mcp-name': name,
      'mcp-protocol-version': version,
    } = server.headers.at(-1) ?? {}
    expect([method, name, version]).toEqual(
      era === 'sessions'
        ? [undefined, undefined, '2025-11-25']
        : ['tools/call', 'draw', '2026-07-28'],
    )
  })

  test('what a tool calls an error is one, and a write may have been half done', async () => {
    await using server = await startMcpServer(era, SERVER)
    await using client = await clientOf(server)
    expect([
      await failureOf(client.execute('cities', 'create', { name: 'Ur' })),
      await failureOf(client.execute('notes', 'update', { id: '1' })),
    ]).toEqual([
      [
        'upstream_rejected',
        'uncertain',
        'Tools: cities.create was rejected (status 400). The third party said: "no place for Ur"',
      ],
      ['upstream_rejected', 'not_applied', expect.stringContaining('Tool unknown_tool not found')],
    ])
  })

  test('a wrong token is refused in the handshake, and not shown', async () => {
    await using server = await startMcpServer(era, SERVER)
    await using client = await clientOf(server, 'wrong-token')
    const failure = await failureOf(client.execute('cities', 'get', { city: 'Ur' }))
    expect(failure).toEqual([
      'credentials_refused',
      'not_applied',
      expect.not.stringContaining('wrong-token'),
    ])
  })
})

test('a session is opened once for calls at the same time, and again when the server has forgotten it', async () => {
  await using server = await startMcpServer('sessions', SERVER)
  await using client = await clientOf(server)
  const get = () => client.execute('cities', 'get', { city: 'Ur' })
  await Promise.all([get(), get(), get()])
  server.forget()
  await get()
  const count = (method: string) => server.asked.filter((each) => each === method).length
  expect([count('initialize'), count('notifications/initialized'), count('tools/call')]).toEqual([
    2, 2, 5,
  ])
})

test.for<{ name: string; status: number; answer: object; calls: number }>([
  {
    name: 'a tool that speaks of sessions has answered',
    status: 400,
    answer: { id: 1, error: { code: -32603, message: 'the training session is half booked' } },
    calls: 1,
  },
  {
    name: 'a tool that finds nothing has answered',
    status: 404,
    answer: { id: 1, error: { code: -32002, message: 'no such thing' } },
    calls: 1,
  },
  {
    name: 'a server that names the call has forgotten the session',
    status: 404,
    answer: { id: 1, error: { code: -32001, message: 'Session not found' } },
    calls: 2,
  },
  {
    name: 'a server that names no call has forgotten the session',
    status: 400,
    answer: { id: null, error: { code: -32000, message: 'No valid session ID provided' } },
    calls: 2,
  },
])('$name: a write is sent $calls times', async ({ status, answer, calls }) => {
  await using server = await startMcpServer('sessions', {
    ...SERVER,
    instead(rpc, response) {
      if (rpc !== 'tools/call') return false
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', ...answer }))
      return true
    },
  })
  await using client = await clientOf(server)
  await failureOf(client.execute('cities', 'create', { name: 'Ur' }))
  expect(server.asked.filter((each) => each === 'tools/call')).toHaveLength(calls)
})

test.for([
  {
    name: 'a refusal',
    answer: { error: { code: -1, message: `no secret-token${'x'.repeat(5000)}` } },
  },
  {
    name: 'a revision',
    answer: { result: { protocolVersion: `secret-token${'x'.repeat(5000)}` } },
  },
])('$name of the handshake is told without the token, and in short', async ({ answer }) => {
  await using server = await startMcpServer('sessions', {
    ...SERVER,
    instead(rpc, response) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, ...answer }))
      return rpc === 'initialize'
    },
  })
  await using client = await clientOf(server)
  const failure = await failureOf(client.execute('cities', 'get', { city: 'Ur' }))
  expect(failure).toEqual([
    'upstream_unexpected',
    'not_applied',
    expect.stringContaining('[secret]'),
  ])
  expect(JSON.stringify(failure).length).toBeLessThan(600)
  expect(JSON.stringify(failure)).not.toContain('secret-token')
})

test('who waits for the handshake of another call waits no longer than it wants', async () => {
  let release = (): void => {}
  const shown = Promise.withResolvers<void>()
  await using server = await startMcpServer('sessions', {
    ...SERVER,
    instead(rpc, response) {
      if (rpc !== 'initialize') return false
      release = () => void response.writeHead(503).end()
      shown.resolve()
      return true
    },
  })
  await using client = await clientOf(server)
  const first = failureOf(client.execute('cities', 'get', { city: 'Ur' }))
  await shown.promise
  const late = client.execute('cities', 'get', { city: 'Ur' }, { timeoutMs: 20 })
  expect(await failureOf(late)).toEqual(['deadline_exceeded', 'not_applied', expect.any(String)])
  release()
  expect(await first).toEqual(['upstream_failed', 'not_applied', expect.any(String)])
})

const message = (answer: object): string =>
  `: about to answer\r\n\r\nevent: message\r\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...answer })}\r\n\r\n`

test.for([
  {
    name: 'a stream that stays open behind its answer is not waited for',
    events: [
      message({ method: 'notifications/progress', params: {} }),
      message({ id: 1, result: json({ name: 'x' }) }),
    ],
    ends: false,
    want: { name: 'x' },
  },
  {
    name: 'a stream that ends without an answer is a failure of the connection',
    events: [message({ id: 99, result: json({ name: 'of another call' }) })],
    ends: true,
    want: ['upstream_unreachable', 'not_applied', expect.stringContaining('without the result')],
  },
  {
    name: 'an error of the protocol is told',
    events: [message({ id: 1, error: { code: -32603, message: 'broken inside' } })],
    ends: true,
    want: ['upstream_failed', 'not_applied', expect.stringContaining('broken inside')],
  },
  {
    name: 'a text that is no JSON is not taken for data',
    events: [message({ id: 1, result: { content: [{ type: 'text', text: 'Done.' }] } })],
    ends: true,
    want: ['upstream_malformed', 'not_applied', expect.any(String)],
  },
])('$name', async ({ events, ends, want }) => {
  await using server = await startMcpServer('sessions', {
    ...SERVER,
    instead(rpc, response) {
      if (rpc !== 'tools/call') return false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      // Byte by byte: an event may be cut anywhere.
      for (const byte of Buffer.from(events.join(''))) response.write(Buffer.from([byte]))
      if (ends) response.end()
      return true
    },
  })
  await using client = await clientOf(server)
  const got = client.execute('cities', 'get', { city: 'Ur' }).then(({ data }) => data)
  expect(Array.isArray(want) ? await failureOf(got) : await got).toEqual(want)
})

test('a preview shows the call, and nothing secret', async () => {
  await using client = await clientOf({ url: 'http://127.0.0.1:9' })
  const { requests } = await client.preview('cities', 'get', { city: 'Ur' })
  const [preview, ...more] = requests
  expect([more, preview?.method, preview?.url, preview?.body]).toEqual([
    [],
    'POST',
    'http://127.0.0.1:9/mcp',
    expect.anything(),
  ])
  expect(JSON.stringify(preview)).not.toContain('secret-token')
  expect(JSON.stringify(preview)).toContain('get_city')
})

test('a check may be a tool of its own', async () => {
  const check = { request: { mcp: 'who_am_i', reads: true } }
  const checked = manifestOf(await loadManifest({ ...MANIFEST, check }))
  await using vendor = await createSandbox(checked, null)
  await using sandboxed = await connect(checked, { ...vendor.options(), limits: null })
  await using server = await startMcpServer('sessions', SERVER)
  const options = { serverUrl: server.url, retries: 0, allowHosts: ['127.0.0.1'] }
  await using client = await connect(checked, {
    credentials: { token: 'secret-token' },
    ...options,
  })
  expect([(await sandboxed.check()).result, (await client.check()).error?.code]).toEqual([
    'ok',
    'upstream_rejected',
  ])
})

test('the sandbox is a server of the same tools', async () => {
  await using vendor = await createSandbox(manifest, null)
  await using client = await connect(manifest, { ...vendor.options(), limits: null })
  const page = await client.execute('cities', 'list', { first: 'x' })
  expect(Array.isArray(page.data)).toBe(true)
  expect(vendor.requests().map(({ operations }) => operations)).toEqual([
    ['mcp'],
    ['mcp'],
    ['cities.list'],
  ])
})
