// Wrong bodies, headers, ids, methods and content types: always a problem with the way out, never a 500.
import { connect as connectSocket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService
let gong: string

beforeAll(async () => {
  world = await runService({ bodyLimitBytes: 65_536 })
  gong = await world.connect('gong')
})
afterAll(() => world[Symbol.asyncDispose]())

const EXECUTE = (): string => `/api/v1/connectors/sources/${gong}/execute`
const COLLECTION = '/v1/integrations/connectors'
const get = (target: string): string =>
  `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`

test.for<readonly [string, string, number, string]>([
  ['no JSON', '{', 400, 'request_malformed'],
  ['an array', '[]', 400, 'request_malformed'],
  ['a text', '"x"', 400, 'request_malformed'],
  ['nothing', '', 400, 'request_malformed'],
  [
    'a member that is unknown',
    '{"entity":"users","action":"list","parms":{}}',
    400,
    'request_malformed',
  ],
  ['a missing member', '{"entity":"users"}', 400, 'request_malformed'],
  ['a member of another type', '{"entity":1,"action":"list"}', 400, 'request_malformed'],
  [
    'params that are a list',
    '{"entity":"users","action":"list","params":[]}',
    400,
    'request_malformed',
  ],
  [
    '__proto__',
    '{"entity":"users","action":"list","params":{"__proto__":{"x":1}}}',
    400,
    'request_malformed',
  ],
  [
    'constructor.prototype',
    '{"entity":"users","action":"list","params":{"constructor":{"prototype":{}}}}',
    400,
    'request_malformed',
  ],
  [
    '__proto__ in escapes',
    '{"entity":"users","action":"list","params":{"__pro\\u0074o__":{"x":1}}}',
    400,
    'request_malformed',
  ],
  [
    'constructor.prototype in escapes',
    '{"entity":"users","action":"list","params":{"\\u0063onstructor":{"prototype":{}}}}',
    400,
    'request_malformed',
  ],
  ['a member twice', '{"entity":"users","action":"list","action":"get"}', 400, 'request_malformed'],
  ['entity __proto__', '{"entity":"__proto__","action":"list"}', 400, 'operation_unknown'],
  ['action constructor', '{"entity":"users","action":"constructor"}', 400, 'operation_unknown'],
  [
    'nesting of 33',
    `{"entity":"users","action":"list","params":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`,
    400,
    'request_malformed',
  ],
  [
    'a body beyond the limit',
    JSON.stringify({ entity: 'x'.repeat(70_000) }),
    413,
    'body_too_large',
  ],
  ['a NUL in a name', '{"entity":"users\\u0000","action":"list"}', 400, 'request_malformed'],
])('P8 a body with %s', async ([, body, status, code]) => {
  const answer = await world.call('POST', EXECUTE(), body)
  expect([answer.status, answer.body]).toEqual([
    status,
    expect.objectContaining({ code, status, request_id: expect.any(String) }),
  ])
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
})

test('P8 a member that is given twice is told, wherever it stands and whatever reads it', async () => {
  const body =
    '{"entity":"users","action":"list","params":{"includeAvatars":true,"includeAvatars":false}}'
  const plain = await world.call('POST', EXECUTE(), body)
  const carried = await world.call('POST', EXECUTE().replace('execute', 'preview'), body)
  const large = await world.call('POST', EXECUTE(), body.replace('{', '{' + ' '.repeat(50_000)))
  const agent = await world.call('POST', '/mcp', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}')
  const want = (pointer: string): readonly unknown[] => [
    400,
    expect.objectContaining({
      code: 'request_malformed',
      errors: [expect.objectContaining({ pointer, code: 'duplicate' })],
    }),
  ]
  for (const { status, body } of [plain, carried, large])
    expect([status, body]).toEqual(want('/params/includeAvatars'))
  expect([agent.status, agent.body]).toEqual(want('/id'))
})

test('P8 of callers without a token little is read', async () => {
  const path = '/api/v1/account/applications/token'
  const body = { client_id: 'x', client_secret: 'x'.repeat(40_000) }
  const answer = await world.call('POST', path, body, { as: null })
  expect([answer.status, answer.body]).toEqual([
    413,
    expect.objectContaining({
      code: 'body_too_large',
      detail: expect.stringContaining('32768 bytes'),
    }),
  ])
})

test('an unknown member names the near one', async () => {
  const answer = await world.call(
    'POST',
    EXECUTE(),
    '{"entity":"users","action":"list","parms":{}}',
  )
  expect(answer.body).toMatchObject({
    errors: [{ pointer: '/parms', detail: expect.stringContaining('did you mean "params"') }],
  })
})

test('of thousands of unknown members the first ones are named, and the others counted', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`m${at}`, 1]))
  const named = (above: string, from: number, to: number): readonly object[] =>
    Array.from({ length: to - from }, (_, at) =>
      expect.objectContaining({ pointer: `${above}/m${from + at}`, code: 'unknown' }),
    )
  const body = await world.call('POST', EXECUTE(), { ...unknown, entity: 'users' })
  expect(body.body).toMatchObject({
    code: 'request_malformed',
    detail: expect.stringMatching(/^\/action must be given: .* \(and many more\)$/),
    errors: [
      { pointer: '/action', code: 'required' },
      ...named('', 0, 18),
      { pointer: '', code: 'more', detail: 'there are 2982 more problems' },
    ],
  })
  const params = await world.call('POST', EXECUTE(), {
    entity: 'users',
    action: 'list',
    params: { ...unknown, includeAvatars: 'yes' },
  })
  expect(params.body).toMatchObject({
    code: 'params_invalid',
    errors: [
      ...named('/params', 0, 19),
      { pointer: '/params', code: 'more', detail: 'there are 2982 more problems' },
    ],
  })
})

describe('content types and codings', () => {
  test.for<readonly [string, Readonly<Record<string, string>>, number]>([
    ['text/plain', { 'content-type': 'text/plain' }, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['Latin-1', { 'content-type': 'application/json; charset=latin1' }, 415],
    ['UTF-8', { 'content-type': 'application/json; charset=UTF-8' }, 200],
    ['gzip', { 'content-encoding': 'gzip' }, 415],
    ['a coding that is none', { 'content-encoding': 'identity' }, 415],
  ])('%s', async ([, headers, status]) => {
    const answer = await world.call(
      'POST',
      EXECUTE(),
      { entity: 'users', action: 'list' },
      { headers },
    )
    expect(answer.status).toBe(status)
  })
})

describe('headers', () => {
  test.for<readonly [string, Readonly<Record<string, string>>]>([
    ['Prefer: wait=0', { prefer: 'wait=0' }],
    ['Prefer: wait=301', { prefer: 'wait=301' }],
    ['Prefer: wait=soon', { prefer: 'wait=soon' }],
  ])('%s is 400', async ([, headers]) => {
    const answer = await world.call(
      'POST',
      EXECUTE(),
      { entity: 'users', action: 'list' },
      { headers },
    )
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ code: 'request_malformed' }),
    ])
  })

  test('other preferences are ignored', async () => {
    const answer = await world.call(
      'POST',
      EXECUTE(),
      { entity: 'users', action: 'list' },
      { headers: { prefer: 'respond-async, handling=lenient' } },
    )
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null])
  })
})

describe('paths and methods', () => {
  test.for<readonly [string, string, number, string]>([
    ['GET', '/v1/nowhere', 404, 'route_unknown'],
    ['GET', '/nowhere', 404, 'route_unknown'],
    ['GET', `${COLLECTION}/not-a-uuid`, 404, 'instance_unknown'],
    ['GET', `${COLLECTION}/0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10`, 404, 'instance_unknown'],
    ['GET', `${COLLECTION}/%2e%2e%2f`, 404, 'instance_unknown'],
    ['GET', `${COLLECTION}/%zz`, 400, 'request_malformed'],
    // PostgreSQL fails at such a text.
    ['DELETE', '/v1/oauth-clients/%00', 400, 'request_malformed'],
    ['GET', `${COLLECTION}/${'a'.repeat(200)}`, 404, 'route_unknown'],
    ['PUT', `${COLLECTION}/x`, 405, 'method_not_allowed'],
    ['DELETE', COLLECTION, 405, 'method_not_allowed'],
    ['POST', '/healthz', 405, 'method_not_allowed'],
    ['PUT', '/openapi.json?connector_type=gong', 405, 'method_not_allowed'],
    ['GET', '/v1/connectors/unknown', 404, 'route_unknown'],
    ['GET', `${COLLECTION}?limit=0`, 400, 'request_malformed'],
    ['GET', `${COLLECTION}?limit=x`, 400, 'request_malformed'],
    ['GET', `${COLLECTION}?limit=1&limit=2`, 400, 'request_malformed'],
    ['GET', `${COLLECTION}?nme=x`, 400, 'request_malformed'],
    ['GET', `${COLLECTION}?state=broken`, 400, 'request_malformed'],
    ['GET', `${COLLECTION}?cursor=garbage`, 400, 'cursor_invalid'],
  ])('%s %s is %i %s', async ([method, path, status, code]) => {
    const answer = await world.call(method, path)
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code })])
  })

  test('405 says what is possible', async () => {
    const answer = await world.call('PUT', `${COLLECTION}/x`, {})
    expect(answer.headers.get('allow')).toBe('GET, PATCH, DELETE, HEAD, OPTIONS')
  })

  test('HEAD answers like GET, without a body', async () => {
    const answer = await world.call('HEAD', COLLECTION)
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})

describe('what is no HTTP', () => {
  const raw = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const { port } = new URL(world.url)
      const socket = connectSocket(Number(port), '127.0.0.1', () => socket.write(text))
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1')
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', () => resolve(answer))
    })

  test.for<readonly [string, string]>([
    ['garbage', 'HELLO\r\n\r\n'],
    [
      'two lengths',
      'POST /v1/x HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    ],
    [
      'length and chunks',
      'POST /v1/x HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no host', 'GET /v1/x HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nhost: x\r\nHost: y\r\nconnection: close\r\n\r\n'],
    [
      'two tokens',
      'GET /v1/connectors HTTP/1.1\r\nhost: x\r\nauthorization: Bearer a\r\nAuthorization: Bearer b\r\nconnection: close\r\n\r\n',
    ],
    [
      'two content types',
      'POST /v1/connectors HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nContent-Type: text/plain\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
    ],
    [
      'an expectation',
      'POST /v1/x HTTP/1.1\r\nhost: x\r\nexpect: 200-maybe\r\ncontent-length: 2\r\n\r\n',
    ],
    ['a head of 20 KiB', `GET /v1/x HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('P8 %s is 400 and the end of the connection', async ([, text]) => {
    const answer = await raw(text)
    expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request')
    expect(answer.toLowerCase()).toContain('content-type: application/problem+json')
    expect(answer).toContain('"code":"request_malformed"')
  })

  test.for<readonly [string, string, number, string]>([
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: x\r\n\r\n', 405, 'method_not_allowed'],
    [
      'TRACE',
      'TRACE /v1/connectors HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      405,
      'method_not_allowed',
    ],
    [
      'PROPFIND',
      'PROPFIND /v1/connectors HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      405,
      'method_not_allowed',
    ],
    [
      'a file outside of the documentation',
      get('/docs/assets/..%2f..%2fpackage.json'),
      404,
      'route_unknown',
    ],
    ['a NUL in the path of a file', get('/docs/assets/%00'), 404, 'route_unknown'],
    [
      'a file of the documentation that is not there',
      get('/docs/assets/none.js'),
      404,
      'route_unknown',
    ],
    ['another way to say where', get('http://evil.example/v1/nowhere'), 404, 'route_unknown'],
    ['an old protocol', 'GET /v1/connectors HTTP/1.0\r\n\r\n', 401, 'token_invalid'],
  ])('P8 %s is a problem', async ([, text, status, code]) => {
    const answer = await raw(text)
    expect(answer.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer.toLowerCase()).toContain('content-type: application/problem+json')
    expect(answer).toContain(`"code":"${code}"`)
  })

  test('nothing of all this was a fault of ours', () => {
    expect(world.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

test('the service goes on answering', async () => {
  expect((await world.call('GET', '/readyz')).status).toBe(200)
})
