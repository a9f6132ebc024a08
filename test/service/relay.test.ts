// What a third party wrote is what the caller gets: records pass through the service byte by byte.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallAnswer, type RunningService, runService } from '../fixtures/running-service.ts'

let world: RunningService
let id: string
let body = Buffer.from('')

const upstream = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(request.url?.endsWith('/myself') === true ? '{}' : body)
})

beforeAll(async () => {
  world = await runService()
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const { port } = upstream.address() as AddressInfo
  id = await world.connect('jira', { server_url: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  upstream.close()
  await world[Symbol.asyncDispose]()
})

async function run(answer: string | Buffer, action: string, params: object): Promise<CallAnswer> {
  body = Buffer.from(answer)
  return await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
    entity: 'issues',
    action,
    params,
  })
}

const search = (answer: string | Buffer): Promise<CallAnswer> =>
  run(answer, 'api_search', { jql: 'project = ACME' })

const RECORDS =
  '[ {"key":"A-1","b":1.0,"a":1e2,"z":123456789.12345678901,"__proto__":{"x":1},"n":"“é\\u00e9”"} ]'

test('records keep their digits, blanks, order and odd members', async () => {
  const { status, text, headers } = await search(
    `\ufeff{"isLast":false, "issues" : ${RECORDS} ,"nextPageToken":"n-2"}`,
  )
  expect([
    status,
    headers.get('content-type'),
    text.slice(0, text.indexOf(',"execution"')),
  ]).toEqual([
    200,
    'application/json; charset=utf-8',
    `{"data":${RECORDS},"meta":{"nextPageToken":"n-2","isLast":false,"total":null,"has_more":true,"next":{"nextPageToken":"n-2"}}`,
  ])
  expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text))
})

test('a record passes whole', async () => {
  const record = '{"key":"A-1","fields":{"b":1.0,"a":[1e2]}}'
  const { text } = await run(record, 'get', { issueIdOrKey: 'A-1' })
  expect(text.slice(0, text.indexOf(',"execution"'))).toBe(`{"data":${record},"meta":{}`)
})

test('an integer beyond 2^53 where the schema says text becomes text', async () => {
  const { body: envelope } = await search('{"issues":[{"id":12345678901234567890}],"isLast":true}')
  expect(envelope).toMatchObject({ data: [{ id: '12345678901234567890' }] })
})

test.for([
  { name: 'broken inside a record', answer: '{"issues":[{"key":"A-1}],"isLast":true}' },
  { name: 'broken behind the records', answer: '{"issues":[],"isLast":tru}' },
  { name: 'without records', answer: '{"isLast":true}' },
  { name: 'in another encoding', answer: Buffer.from('{"issues":["\xe9"]}', 'latin1') },
  { name: 'nested beyond 64', answer: `{"issues":[${'['.repeat(63)}${']'.repeat(63)}]}` },
])('an answer $name is malformed', async ({ answer }) => {
  const { status, body: problem } = await search(answer)
  expect([status, problem]).toEqual([502, expect.objectContaining({ code: 'upstream_malformed' })])
})
