// A body of announced length and one in chunks are answered alike, and every spelling of a path leads where it should.
import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService
let path: string

beforeAll(async () => {
  world = await runService()
  path = `/api/v1/connectors/sources/${await world.connect('jira')}/execute`
})
afterAll(() => world[Symbol.asyncDispose]())

const BODY = JSON.stringify({
  entity: 'issues',
  action: 'get',
  params: { issueIdOrKey: 'OPS-1' },
})

interface Asked {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Answered {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: { readonly data?: unknown; readonly code?: string }
}

async function ask(asked: Asked): Promise<Answered> {
  const outgoing = send(world.url + (asked.path ?? path), {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${world.token}`,
      'content-type': 'application/json',
      ...asked.headers,
    },
  })
  // Otherwise Node announces a length by itself.
  if (asked.headers?.['transfer-encoding'] === undefined)
    outgoing.setHeader('content-length', Buffer.byteLength(asked.body ?? BODY))
  outgoing.end(asked.body ?? BODY)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return {
    status: incoming.statusCode,
    headers: incoming.headers,
    body: JSON.parse(await text(incoming)) as Answered['body'],
  }
}

/** The same body without a length that is announced. */
const CHUNKED = { 'transfer-encoding': 'chunked' }

/** What differs from answer to answer anyway. */
const OWN = ['x-request-id', 'date', 'content-length']

describe('an answer is the same for a body in chunks', () => {
  const cases: readonly (Asked & { readonly name: string; readonly said: [number, string?] })[] = [
    { name: 'a record', said: [200] },
    {
      name: 'a type with a charset',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      said: [200],
    },
    { name: 'a deadline', headers: { prefer: 'wait=60' }, said: [200] },
    {
      name: 'another charset',
      headers: { 'content-type': 'application/json; charset=latin1' },
      said: [415, 'media_type_unsupported'],
    },
    {
      name: 'a type that only begins so',
      headers: { 'content-type': 'application/jsonl' },
      said: [415, 'media_type_unsupported'],
    },
    {
      name: 'a compressed body',
      headers: { 'content-encoding': 'gzip' },
      said: [415, 'media_type_unsupported'],
    },
    {
      name: 'a body that says it is not compressed',
      headers: { 'content-encoding': 'identity' },
      said: [415, 'media_type_unsupported'],
    },
    { name: 'no JSON', body: '{"entity":', said: [400, 'request_malformed'] },
    {
      name: 'an unknown member',
      body: '{"entity":"issues","action":"get","x":1}',
      said: [400, 'request_malformed'],
    },
    {
      name: 'a parameter that is missing',
      body: '{"entity":"issues","action":"get"}',
      said: [400, 'params_invalid'],
    },
    { name: 'no token', headers: { authorization: 'Bearer x' }, said: [401, 'token_invalid'] },
    {
      name: 'a body beyond the limit',
      body: ' '.repeat(1024 * 1024 + 1),
      said: [413, 'body_too_large'],
    },
  ]
  test.for(cases)('$name', async ({ said: [status, code], ...asked }) => {
    const announced = await ask(asked)
    const chunked = await ask({ ...asked, headers: { ...asked.headers, ...CHUNKED } })
    expect([announced.status, announced.body.code]).toEqual([status, code])
    expect([chunked.status, chunked.body.code]).toEqual([status, code])
    expect(announced.body.data).toEqual(chunked.body.data)
    expect(headersOf(announced)).toEqual(headersOf(chunked))
  })
})

test.for([
  { name: 'a slash at the end', spelled: () => `${path}/`, status: 200 },
  { name: 'the other prefix', spelled: () => path.replace('/api/v1', '/v1'), status: 200 },
  {
    name: 'the other name',
    spelled: () => path.replace('/connectors/sources', '/integrations/connectors'),
    status: 200,
  },
  { name: 'a digit as an escape', spelled: () => path.replace(/-7/, '-%37'), status: 200 },
  { name: 'a query', spelled: () => `${path}?x=1`, status: 400 },
  {
    name: 'an id in capitals',
    spelled: () => path.replace(/[\da-f-]{36}/, (id) => id.toUpperCase()),
    status: 404,
  },
  {
    name: 'an id of nobody',
    spelled: () => path.replace(/[\da-f-]{36}/, '0199e1f0-0000-7000-8000-000000000000'),
    status: 404,
  },
])('$name leads where it should', async ({ spelled, status }) => {
  expect((await ask({ path: spelled() })).status).toBe(status)
})

test('text beyond ASCII comes as it is, and its length is told in bytes', async () => {
  const params = {
    fields: { project: { key: 'OPS' }, issuetype: { name: 'Task' }, summary: 'Öl für 門' },
  }
  const made = await ask({ body: JSON.stringify({ entity: 'issues', action: 'create', params }) })
  const { key } = made.body.data as { readonly key: string }
  const read = await ask({
    body: JSON.stringify({ entity: 'issues', action: 'get', params: { issueIdOrKey: key } }),
  })
  expect(read.body.data).toMatchObject({ fields: { summary: 'Öl für 門' } })
})

test('a client that leaves before its body is there is told of in the log', async () => {
  const outgoing = send(world.url + path, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${world.token}`,
      'content-type': 'application/json',
      'content-length': 100,
      'x-request-id': 'left-early',
      // The service answers it when the request has arrived.
      expect: '100-continue',
    },
  })
  outgoing.on('error', () => {})
  outgoing.flushHeaders()
  await once(outgoing, 'continue')
  outgoing.destroy()
  await expect
    .poll(() => world.lines.find((line) => line.facts['request_id'] === 'left-early')?.facts)
    .toMatchObject({ route: 'execute', code: 'aborted' })
})

function headersOf({ headers }: Answered): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name)))
}
