// Sessions of the console: who gets one, what it opens, and what ends it.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { consoleReturnUrls } from '../../../src/service/console/sessions.ts'
import { SESSION_MAX_MS, sessionCookie, Sessions } from '../../../src/service/console/sessions.ts'
import { openStore, type StoreOptions } from '../../../src/service/store/open/open-store.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { rotateSecret } from '../../../src/service/tokens/applications.ts'
import { type CallAnswer, type RunningService, runService } from '../../fixtures/running-service.ts'

const SESSION = '/console/api/v1/session'
const LIST = '/console/api/v1/integrations/connectors'
const OWN = { 'x-tenon-console': '1' }

let world: RunningService

beforeAll(async () => {
  world = await runService()
})
afterAll(() => world[Symbol.asyncDispose]())

const AT_ONCE = { keepSeconds: 0, endsAt: null }

function firstSecret(): string {
  return world.service.firstApplication?.clientSecret ?? ''
}

async function rotated(): Promise<string> {
  return (await rotateSecret(world.service, 'default', AT_ONCE)) ?? ''
}

async function signIn(secret = firstSecret(), headers: Record<string, string> = OWN) {
  return await world.call(
    'POST',
    SESSION,
    { client_id: 'default', client_secret: secret },
    { as: null, headers },
  )
}

async function withCookie(
  method: string,
  path: string,
  cookie: string,
  headers: Record<string, string> = OWN,
): Promise<CallAnswer> {
  return await world.call(method, path, undefined, { as: null, headers: { ...headers, cookie } })
}

function cookieOf(answer: CallAnswer): string {
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

test('client id and secret give a cookie that no script reads and no other site sends', async () => {
  const answer = await signIn()
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      name: 'first application',
      client_id: 'default',
      organization_id: 'default',
      person: null,
      administrator: null,
      ends_at: expect.stringMatching(/^\d{4}-.*Z$/),
      mode: 'sandbox',
      publishes: false,
      demo: expect.objectContaining({
        gong: { credentials: expect.any(Object), config: expect.any(Object) },
      }),
    },
  ])
  const { port } = new URL(world.url)
  expect(answer.headers.get('set-cookie')).toMatch(
    new RegExp(
      `^tenon-console-${port}=[\\w-]{43}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict$`,
    ),
  )
  expect(answer.text).not.toContain('tenon_at_')
})

test('with https the cookie is bound to its host and never sent in the clear', () => {
  const cookie = sessionCookie('https://tenon.example.com')
  expect(cookie.write('x', SESSION_MAX_MS / 1000)).toBe(
    '__Host-tenon-console=x; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict; Secure',
  )
  expect(cookie.read('a=1; __Host-tenon-console=x; tenon-console-=y')).toBe('x')
  expect(() => cookie.read('__Host-tenon-console=x; __Host-tenon-console=y')).toThrow(/sent twice/)
})

test('a session opens the same routes as a token, and a token opens none of the console', async () => {
  const id = await world.connect('jira')
  const cookie = cookieOf(await signIn())
  const listed = await withCookie('GET', LIST, cookie)
  expect([listed.status, listed.body]).toEqual([
    200,
    { data: [expect.objectContaining({ id })], meta: { has_more: false, next_cursor: null } },
  ])
  expect((await world.call('GET', LIST, undefined, { headers: OWN })).status).toBe(401)
  expect((await withCookie('GET', '/v1/integrations/connectors', cookie)).status).toBe(401)
})

test('in the sandbox there are parameters with which an operation succeeds', async () => {
  const id = await world.connect('jira')
  const cookie = cookieOf(await signIn())
  const at = '/console/api/v1/examples/jira?operation=issues.get'
  const { status, body } = await withCookie('GET', at, cookie)
  expect([status, body]).toEqual([200, { params: { issueIdOrKey: expect.any(String) } }])
  const { params } = body as { readonly params: object }
  const operation = { entity: 'issues', action: 'get', params }
  expect((await world.call('POST', `/v1/connectors/sources/${id}/execute`, operation)).status).toBe(
    200,
  )
  const none = await withCookie('GET', at.replace('issues.get', 'issues.fly'), cookie)
  expect(none.body).toMatchObject({ code: 'operation_unknown' })
})

test('a session mints no tokens', async () => {
  const cookie = cookieOf(await signIn())
  const path = '/console/api/v1/account/applications/scoped-token'
  expect((await withCookie('POST', path, cookie)).status).toBe(404)
})

describe('a request that another page may have caused is refused', () => {
  test.for([
    { name: 'without the mark', headers: {} },
    { name: 'from another site', headers: { ...OWN, 'sec-fetch-site': 'cross-site' } },
    {
      name: 'from another port of the same host',
      headers: { ...OWN, 'sec-fetch-site': 'same-site' },
    },
  ])('$name', async ({ headers }) => {
    const cookie = cookieOf(await signIn())
    const given: Record<string, string> = { ...headers }
    const answers = [
      await withCookie('GET', LIST, cookie, given),
      await withCookie('GET', SESSION, cookie, given),
      await withCookie('DELETE', SESSION, cookie, given),
      await signIn(firstSecret(), given),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect((await withCookie('GET', SESSION, cookie)).status).toBe(200)
  })
})

test('signing out ends the session and takes the cookie away', async () => {
  const cookie = cookieOf(await signIn())
  const out = await withCookie('DELETE', SESSION, cookie)
  expect([out.status, out.headers.get('set-cookie')]).toEqual([
    204,
    expect.stringMatching(/=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/),
  ])
  expect((await withCookie('GET', SESSION, cookie)).status).toBe(401)
})

test('T7 ten wrong secrets a minute are enough, also for the console and at once, and the right one signs in', async () => {
  await using own = await runService()
  const { clientId = '', clientSecret = '' } = own.service.firstApplication ?? {}
  const attempt = async (secret: string): Promise<number> =>
    (
      await own.call(
        'POST',
        SESSION,
        { client_id: clientId, client_secret: secret },
        { as: null, headers: OWN },
      )
    ).status
  const statuses = await Promise.all(Array.from({ length: 30 }, () => attempt('wrong')))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 10 }, () => 401),
    ...Array.from({ length: 20 }, () => 429),
  ])
  expect(await attempt(clientSecret)).toBe(200)
})

/** As another process has them. */
function sessionsOver(store: Store): Sessions {
  const { tokens, clock, settings } = world.service
  return new Sessions({ store, tokens, clock, settings, openId: null })
}

/** The store as another process sees it. */
async function opened(options: StoreOptions = {}): Promise<Store> {
  const store = await openStore({ folder: world.folder }, options)
  onTestFinished(() => store.close())
  return store
}

describe('a session ends', () => {
  async function openAt(clock?: { now: () => number }): Promise<{
    sessions: Sessions
    text: string
  }> {
    const { store } = world.service
    const secret = (await rotateSecret(world.service, 'default', AT_ONCE)) ?? ''
    const given = clock === undefined ? store : await opened({ clock })
    const sessions = sessionsOver(given)
    const { text } = await sessions.open('default', secret)
    return { sessions, text }
  }

  test('after an hour without a request', async () => {
    let now = Date.now()
    const { sessions, text } = await openAt({ now: () => now })
    now += 3_599_999
    expect(await sessions.find(text)).toMatchObject({ clientId: 'default' })
    now += 3_600_000
    expect(await sessions.find(text)).toBeNull()
  })

  test('after twelve hours of requests', async () => {
    let now = Date.now()
    const { sessions, text } = await openAt({ now: () => now })
    for (let hour = 0; hour < 12; hour++) {
      expect(await sessions.find(text)).not.toBeNull()
      now += 3_599_999
    }
    now += 12
    expect(await sessions.find(text)).toBeNull()
  })

  test('at once when the application gets another secret, in every process', async () => {
    const { sessions, text } = await openAt()
    const other = sessionsOver(await opened())
    expect(await other.find(text)).not.toBeNull()
    await rotateSecret(world.service, 'default', AT_ONCE)
    expect([await other.find(text), await sessions.find(text)]).toEqual([null, null])
  })

  test('at once in every process when one of them is told so', async () => {
    const { sessions, text } = await openAt()
    const other = sessionsOver(await opened())
    await other.close(text)
    expect(await sessions.find(text)).toBeNull()
  })
})

test('the store has the hash of a cookie only', async () => {
  const cookie = cookieOf(await signIn(await rotated()))
  expect((await withCookie('GET', SESSION, cookie)).status).toBe(200)
  const [, text = ''] = cookie.split('=')
  for (const file of await readdir(world.folder))
    if (file.startsWith('state.'))
      expect((await readFile(join(world.folder, file))).includes(text)).toBe(false)
})

test.for([
  {
    name: 'a public origin has one page to come back to',
    given: 'https://tenon.example.com',
    want: ['https://tenon.example.com/console/connected'],
  },
  {
    name: 'loopback has it under each of its names',
    given: 'http://127.0.0.1:8080',
    want: [
      'http://127.0.0.1:8080/console/connected',
      'http://localhost:8080/console/connected',
      'http://[::1]:8080/console/connected',
    ],
  },
  { name: 'no origin has none', given: '', want: [] },
])('$name', ({ given, want }) => expect(consoleReturnUrls(given)).toEqual(want))

test('a scoped token cannot end its consent at the console', async () => {
  const body = {
    external_user_id: 'user-1',
    connector_type: 'gong',
    redirect_url: `${world.url}/console/connected`,
  }
  const path = '/v1/integrations/connectors/oauth/initiate'
  const scoped = await world.scoped({ external_user_id: 'user-1' })
  expect((await world.call('POST', path, body)).status).toBe(200)
  expect((await world.call('POST', path, body, { as: scoped })).body).toMatchObject({
    code: 'redirect_url_refused',
  })
})
