// Streams that break before a tool has answered: taken up again at the official server, and never by calling the tool twice.
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import { loadManifest } from '../../../src/client/load-manifest.ts'
import { isConnectorError } from '../../../src/errors.ts'
import { eventually } from '../../faults/resources.ts'
import { methodText } from '../../fixtures/method-manifest.ts'
import { type McpFixture, type McpOptions, startMcpServer } from '../../fixtures/mcp-server.ts'

const SECRET = 'secret-token-1'
const NAMED = { properties: { name: { type: 'string' } } }
const manifest = await loadManifest(
  JSON.parse(
    methodText(
      {
        token: {
          credentials: {
            required: ['token'],
            properties: { token: { type: 'string', writeOnly: true } },
          },
          apply: { bearer: '{{ credentials.token }}' },
        },
      },
      {
        check: undefined,
        entities: {
          things: {
            record: NAMED,
            actions: {
              get: { params: NAMED, request: { mcp: 'get_thing', reads: true } },
              create: { params: NAMED, request: { mcp: 'add_thing' } },
            },
          },
        },
      },
    ),
  ),
)

async function clientOf({ url }: Pick<McpFixture, 'url'>, retries = 2) {
  return await connect(manifest, {
    credentials: { token: SECRET },
    serverUrl: url,
    retries,
    allowHosts: ['127.0.0.1'],
  })
}

/** Code, outcome and message of what fails. */
async function failureOf(run: Promise<unknown>): Promise<unknown> {
  const error: unknown = await run.then(
    (value) => ['no failure', value],
    (cause: unknown) => cause,
  )
  return isConnectorError(error) ? [error.code, error.outcome, error.message] : error
}

/** A server whose tools answer only when their stream was cut. `times`: for so many calls. */
function cutting(times = 1): McpOptions & { readonly calls: string[] } {
  const calls: string[] = []
  let held: ServerResponse | null = null
  let left = times
  return {
    calls,
    tools: ['get_thing', 'add_thing'].map((name) => ({
      name,
      inputSchema: { type: 'object' as const },
    })),
    token: SECRET,
    keepsEvents: { retryMs: 10 },
    instead(rpc, response) {
      if (rpc === 'tools/call') held = response
      return false
    },
    async call(name, args) {
      calls.push(name)
      const stream = held
      if (stream !== null && left-- > 0) {
        await eventually(() => stream.headersSent && stream.writableLength === 0)
        stream.destroy()
      }
      return { content: [{ type: 'text', text: JSON.stringify({ name: args['name'] }) }] }
    },
  }
}

test.for(['get', 'create'] as const)(
  'the answer of %s arrives behind the cut, and the tool was called once',
  async (action) => {
    const options = cutting()
    await using server = await startMcpServer('sessions', options)
    await using client = await clientOf(server)
    const { data } = await client.execute('things', action, { name: 'x' })
    expect([data, options.calls.length]).toEqual([{ name: 'x' }, 1])
    expect(server.asked).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      expect.stringMatching(/^GET behind \d+$/),
    ])
    const { accept, authorization, 'mcp-session-id': session } = server.headers.at(-1) ?? {}
    expect([accept, authorization, session]).toEqual([
      'text/event-stream',
      `Bearer ${SECRET}`,
      expect.any(String),
    ])
  },
)

test('a stream that ends and asks for patience is asked for again behind each new event', async () => {
  let waits = 3
  const options = cutting()
  await using server = await startMcpServer('sessions', {
    ...options,
    instead(rpc, response) {
      if (rpc !== 'GET' || waits-- <= 0) return options.instead?.(rpc, response) ?? false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`id: 00${waits}\nretry: 5\ndata: \n\n`)
      return true
    },
  })
  await using client = await clientOf(server)
  // The ids are those of the double, which the server knows no stream of: it answers nothing, three times.
  expect(await failureOf(client.execute('things', 'create', { name: 'x' }))).toEqual([
    'upstream_unreachable',
    'uncertain',
    expect.any(String),
  ])
  expect([options.calls.length, server.asked.filter((each) => each.startsWith('GET'))]).toEqual([
    1,
    expect.arrayContaining(['GET behind 002', 'GET behind 001', 'GET behind 000']),
  ])
})

test.for([
  { name: 'has no such stream', status: 404, asked: 1 },
  { name: 'takes none up again', status: 405, asked: 1 },
  { name: 'holds the old one for open', status: 409, asked: 3 },
])('a write whose server $name is uncertain, and not repeated', async ({ status, asked }) => {
  const options = cutting()
  await using server = await startMcpServer('sessions', {
    ...options,
    instead(rpc, response) {
      if (rpc !== 'GET') return options.instead?.(rpc, response) ?? false
      response.writeHead(status).end()
      return true
    },
  })
  await using client = await clientOf(server)
  expect(await failureOf(client.execute('things', 'create', { name: 'x' }))).toEqual([
    'upstream_unreachable',
    'uncertain',
    expect.not.stringContaining(SECRET),
  ])
  const gets = server.asked.filter((each) => each.startsWith('GET')).length
  expect([options.calls, gets]).toEqual([['add_thing'], asked])
})

test('a read whose stream cannot be taken up again is called once more', async () => {
  const options = cutting()
  await using server = await startMcpServer('sessions', {
    ...options,
    instead(rpc, response) {
      if (rpc !== 'GET') return options.instead?.(rpc, response) ?? false
      response.writeHead(405).end()
      return true
    },
  })
  await using client = await clientOf(server)
  const { data } = await client.execute('things', 'get', { name: 'x' })
  expect([data, options.calls]).toEqual([{ name: 'x' }, ['get_thing', 'get_thing']])
})

test('a write whose stream breaks without ids is uncertain, though its head was that of a success', async () => {
  const { keepsEvents: _, ...options } = cutting()
  await using server = await startMcpServer('sessions', options)
  await using client = await clientOf(server)
  expect(await failureOf(client.execute('things', 'create', { name: 'x' }))).toEqual([
    'upstream_unreachable',
    'uncertain',
    expect.any(String),
  ])
  expect(options.calls).toEqual(['add_thing'])
})

test('an error of a tool in a stream that was taken up again is that of the call', async () => {
  const options = cutting()
  await using server = await startMcpServer('sessions', {
    ...options,
    async call(name, args) {
      await options.call(name, args)
      return { content: [{ type: 'text', text: `no ${SECRET}` }], isError: true }
    },
  })
  await using client = await clientOf(server)
  expect(await failureOf(client.execute('things', 'create', { name: 'x' }))).toEqual([
    'upstream_rejected',
    'uncertain',
    expect.stringContaining('no [secret]'),
  ])
  expect(options.calls).toEqual(['add_thing'])
})
