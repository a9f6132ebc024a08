// Logins of several requests, with cookies: against a server that is written from what frameworks document, and the sandbox.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { findingsOf, methodManifest } from '../../fixtures/method-manifest.ts'

const CREDENTIALS = {
  required: ['mail', 'word'],
  properties: { mail: { type: 'string' }, word: { type: 'string', writeOnly: true } },
}

/**
 * A login as Django documents it ("How to use Django's CSRF protection"): the form sets the cookie `csrftoken`, the form
 * is sent with it as a header and a cookie, and the answer to a good one is a redirect that sets `sessionid`.
 */
const DJANGO = {
  credentials: CREDENTIALS,
  apply: {
    headers: {
      Cookie: 'csrftoken={{ session.csrf }}; sessionid={{ session.id }}',
      'X-CSRFToken': '{{ session.csrf }}',
    },
  },
  session: {
    steps: [
      { request: { http: 'GET /login/' }, store: { 'session.csrf': '$cookies.csrftoken' } },
      {
        request: {
          http: 'POST /login/',
          headers: { Cookie: 'csrftoken={{ session.csrf }}', 'X-CSRFToken': '{{ session.csrf }}' },
          form: { username: '{{ credentials.mail }}', password: '{{ credentials.word }}' },
        },
        store: { 'session.id': '$cookies.sessionid' },
      },
    ],
  },
}
/** All cookies of one answer, whatever they are called, and a token of a header. */
const ALL_COOKIES = {
  credentials: CREDENTIALS,
  apply: { headers: { Cookie: '{{ session.cookies }}', 'X-Token': '{{ session.token }}' } },
  session: {
    request: {
      http: 'POST /session',
      body: { name: '{{ credentials.mail }}', password: '{{ credentials.word }}' },
    },
    store: { 'session.cookies': '$cookies', 'session.token': '$headers.X-Auth-Token' },
  },
}

/** The whole answer is the token, as plain text. */
const PLAIN = {
  credentials: CREDENTIALS,
  apply: { headers: { 'X-Token': '{{ session.token }}' } },
  session: {
    request: {
      http: 'GET /token',
      query: { name: '{{ credentials.mail }}', word: '{{ credentials.word }}' },
    },
    decode: 'text',
    store: { 'session.token': '$' },
  },
}

let seen: string[] = []
const server = createServer((request, response) => void answer(request, response))
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  seen = []
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const { cookie = '', 'x-csrftoken': token, 'x-token': auth } = request.headers
  seen.push(`${request.method} ${request.url} ${cookie}`.trim())
  const reply = (status: number, headers: Record<string, string | string[]>, text = ''): void =>
    void response.writeHead(status, headers).end(text)
  switch (`${request.method} ${request.url}`) {
    case 'GET /login/':
      return reply(
        200,
        { 'set-cookie': 'csrftoken=c1; Path=/; SameSite=Lax', 'content-type': 'text/html' },
        '<form>',
      )
    case 'POST /login/':
      if (cookie !== 'csrftoken=c1' || token !== 'c1') return reply(403, {}, 'CSRF')
      if (body !== 'username=ada%40acme.example&password=right')
        return reply(200, { 'content-type': 'text/html' }, '<form class=errors>')
      return reply(302, {
        location: '/home/',
        'set-cookie': ['old=; Max-Age=0', 'sessionid=s1; HttpOnly; Path=/'],
      })
    case 'GET /token?name=ada%40acme.example&word=right':
      return reply(200, { 'content-type': 'text/plain' }, 't3\r\n')
    case 'POST /session':
      return reply(
        200,
        {
          'set-cookie': [
            'AWSALB=x/y+z=; Path=/',
            'gone=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
            'sid=s 2; HttpOnly',
          ],
          'x-auth-token': 't2',
        },
        'no JSON',
      )
    case 'GET /things': {
      const isKnown =
        (cookie === 'csrftoken=c1; sessionid=s1' && token === 'c1') ||
        (cookie === 'AWSALB=x/y+z=; sid=s 2' && auth === 't2') ||
        auth === 't3'
      return reply(isKnown ? 200 : 401, { 'content-type': 'application/json' }, '{"things":[]}')
    }
    default:
      return reply(404, {})
  }
}

async function listWith(method: object, word: string): Promise<unknown> {
  const { port } = server.address() as AddressInfo
  await using client = await connect(methodManifest({ form: method }), {
    credentials: { mail: 'ada@acme.example', word },
    serverUrl: `http://127.0.0.1:${port}`,
    allowHosts: ['127.0.0.1'],
    retries: 0,
  })
  try {
    return await client.execute('things', 'list').then(() => 'ok')
  } catch (error) {
    return error
  }
}

test('cookie and token of the form go with the form, and those of the session with every call', async () => {
  expect(await listWith(DJANGO, 'right')).toBe('ok')
  expect(seen).toEqual([
    'GET /login/',
    'POST /login/ csrftoken=c1',
    'GET /things csrftoken=c1; sessionid=s1',
  ])
})

test('all cookies of an answer go back as they came, without those that it takes away', async () => {
  expect(await listWith(ALL_COOKIES, 'right')).toBe('ok')
  expect(seen).toEqual(['POST /session', 'GET /things AWSALB=x/y+z=; sid=s 2'])
})

test('an answer of text is the token, without the end of its line', async () => {
  expect(await listWith(PLAIN, 'right')).toBe('ok')
  expect(seen).toEqual(['GET /token?name=ada%40acme.example&word=right', 'GET /things'])
})

test('a login that sets no session says which value is missing, and no call is sent', async () => {
  const error = await listWith(DJANGO, 'wrong')
  expect(error).toMatchObject({ code: 'refresh_failed' })
  expect(String((error as Error).cause)).toContain(
    'the answer to the login gives no usable session.id: the answer does not hold it',
  )
  expect(seen).toEqual(['GET /login/', 'POST /login/ csrftoken=c1'])
})

test('a request in the middle that is refused ends the login', async () => {
  const [first, second] = DJANGO.session.steps
  const { headers: _, ...request } = second?.request ?? { headers: {} }
  const method = { ...DJANGO, session: { steps: [first, { ...second, request }] } }
  expect(await listWith(method, 'right')).toMatchObject({ code: 'credentials_refused' })
  expect(seen).toEqual(['GET /login/', 'POST /login/'])
})

describe('the sandbox plays them', () => {
  test.for([
    { name: 'several requests', method: DJANGO, steps: ['GET /login/', 'POST /login/'] },
    { name: 'all cookies', method: ALL_COOKIES, steps: ['POST /session'] },
    { name: 'an answer of text', method: PLAIN, steps: ['GET /token'] },
  ])('$name', async ({ method, steps }) => {
    const manifest = methodManifest({ form: method })
    await using vendor = await createSandbox(manifest, null)
    const options = { ...vendor.options(), retries: 0 }
    await using client = await connect(manifest, options)
    await client.execute('things', 'list')
    vendor.expireTokens()
    await client.execute('things', 'list')
    const sent = vendor.requests().map((each) => `${each.method} ${each.target} ${each.status}`)
    const login = steps.map(
      (step) => expect.stringMatching(new RegExp(`^${step}(\\?\\S*)? 200$`)) as unknown,
    )
    expect(sent).toEqual([
      ...login,
      'GET /things 200',
      'GET /things 401',
      ...login,
      'GET /things 200',
    ])
    const wrong = { ...options, credentials: { ...options.credentials, word: 'other' } }
    await using stranger = await connect(manifest, wrong)
    await expect(stranger.execute('things', 'list')).rejects.toMatchObject({
      code: 'credentials_refused',
    })
  })
})

test('a preview shows no value of a session, and sends nothing', async () => {
  const manifest = methodManifest({ form: DJANGO })
  await using client = await connect(manifest, {
    credentials: { mail: 'ada@acme.example', word: 'right' },
  })
  const shown = JSON.stringify(await client.preview('things', 'list'))
  expect(shown).toContain('"cookie":"***"')
  expect(shown).not.toContain('right')
})

test.for([
  {
    name: 'steps next to a request',
    session: { ...DJANGO.session, request: { http: 'GET /x' } },
    want: 'schema/misplaced-key',
  },
  { name: 'neither of them', session: { ttl: '1h' }, want: 'schema/missing-key' },
  {
    name: 'a cookie of an action',
    session: DJANGO.session,
    more: {
      entities: {
        things: {
          record: { properties: { id: { type: 'string' } } },
          actions: {
            list: {
              summary: 'List things',
              request: { http: 'GET /things' },
              response: { records: '$cookies.things' },
              pagination: { type: 'none', reason: 'there are few' },
            },
          },
        },
      },
    },
    want: 'path/root-out-of-place',
  },
  {
    name: 'a session value that no step keeps',
    session: { steps: [DJANGO.session.steps[1]] },
    want: 'expression/unknown-path',
  },
])('lint refuses $name', ({ session, more = {}, want }) => {
  const found = findingsOf({ form: { ...DJANGO, session } }, more)
  expect(found.map((each) => each.split(' ')[0])).toContain(want)
})
