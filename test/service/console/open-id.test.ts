// People of an OpenID provider at the console: a real provider, and what others may try on the way.
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPEN_ID_CALLBACK } from '../../../src/service/console/open-id.ts'
import { organizationEntry } from '../../contracts/store/rows.ts'
import { type OpenIdProvider, runProvider, TestBrowser } from '../../fixtures/openid-provider.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

const OWN = { 'x-tenon-console': '1' }
const ACCOUNTS = {
  ada: { email: 'Ada@Example.com', email_verified: true, name: 'Ada Lovelace' },
  bob: { email: 'bob@partner.example', email_verified: true },
  eve: { email: 'ada@example.com', email_verified: false, name: 'Not Ada' },
  dan: { groups: ['staff', 'sre'] },
  mal: { groups: ['sre'], name: 'Mal\0\u202e\nlory\ud83d' },
  'ada@example.com': { groups: ['sre'] },
} as const

let provider: OpenIdProvider
let world: RunningService

beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  provider = await runProvider(ACCOUNTS, [url + OPEN_ID_CALLBACK])
  world = await runService({
    port,
    oidcIssuer: provider.issuer,
    oidcClientId: provider.clientId,
    oidcClientSecret: provider.clientSecret,
    oidcRoleClaim: 'groups',
    oidcAdministrators: ['ada@example.com'],
    oidcDevelopers: ['sre'],
  })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

const api = (path: string): string => `${world.url}/console/api/v1${path}`

async function begin(browser: TestBrowser): Promise<string> {
  const answer = await browser.send(api('/session/open-id'), { method: 'POST', headers: OWN })
  return ((await answer.json()) as { url: string }).url
}

/** The address that the provider sends the browser back to. */
async function callbackOf(browser: TestBrowser, name: string): Promise<string> {
  return await browser.signIn(await begin(browser), name, world.url)
}

async function session(browser: TestBrowser): Promise<{ status: number; body: unknown }> {
  const answer = await browser.send(api('/session'), { headers: OWN })
  return { status: answer.status, body: await answer.json() }
}

async function pageOf(answer: Response): Promise<readonly [number, string]> {
  const [, sentence = ''] = /<h1>.*<\/h1>\s*<p>([^<]*)<\/p>/.exec(await answer.text()) ?? []
  return [answer.status, sentence]
}

test('a person signs in at the provider, with the role of the proved address', async () => {
  const browser = new TestBrowser()
  const back = await browser.send(await callbackOf(browser, 'ada'))
  expect([back.status, back.headers.get('location')]).toEqual([
    303,
    `${world.url}/console/signed-in`,
  ])
  expect(back.headers.get('set-cookie')).toMatch(
    /Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict/,
  )
  expect(await session(browser)).toMatchObject({
    status: 200,
    body: {
      client_id: null,
      organization_id: 'default',
      person: { login: 'ada@example.com', name: 'Ada Lovelace', role: 'administrator' },
    },
  })
  const [event] = await world.service.store.audit.list({ organizationId: 'default' }, { limit: 1 })
  expect(event).toMatchObject({
    actor: 'person:ada@example.com',
    action: 'console.sign_in',
    target: 'person:ada@example.com',
    members: ['administrator'],
  })
})

test('a group of the claim gives a role, and the person is known by the subject', async () => {
  const browser = new TestBrowser()
  await browser.send(await callbackOf(browser, 'dan'))
  expect((await session(browser)).body).toMatchObject({
    person: { login: 'dan', name: null, role: 'developer' },
    // Who could give another one.
    administrator: 'ada@example.com',
  })
})

test('a subject that looks like the address of somebody else is not taken for them', async () => {
  const browser = new TestBrowser()
  await browser.send(await callbackOf(browser, 'ada@example.com'))
  expect((await session(browser)).body).toMatchObject({
    person: { login: 'subject:ada@example.com', role: 'developer' },
  })
  const [event] = await world.service.store.audit.list({ organizationId: 'default' }, { limit: 1 })
  expect(event).toMatchObject({ actor: 'person:subject:ada@example.com' })
})

test('a name that somebody chose is one line of text that every database keeps', async () => {
  const browser = new TestBrowser()
  await browser.send(await callbackOf(browser, 'mal'))
  expect((await session(browser)).body).toMatchObject({ person: { name: 'Mallory\ufffd' } })
})

test.for([
  { name: 'bob', why: 'whom no list names' },
  { name: 'eve', why: 'with an address of somebody else that the provider has not proved' },
])('a person $why gets no session', async ({ name }) => {
  const browser = new TestBrowser()
  const back = await browser.send(await callbackOf(browser, name))
  expect(await pageOf(back)).toEqual([403, 'no role of this service is yours; ask its operator.'])
  expect((await session(browser)).status).toBe(401)
})

test('what a person does is in the audit log with the person', async () => {
  const browser = new TestBrowser()
  await browser.send(await callbackOf(browser, 'ada'))
  const id = await world.connect('jira')
  const path = `/integrations/connectors/${id}`
  const body = JSON.stringify({ name: 'renamed' })
  const headers = { ...OWN, 'content-type': 'application/json' }
  expect((await browser.send(api(path), { method: 'PATCH', headers, body })).status).toBe(200)
  expect((await browser.send(api(path), { method: 'DELETE', headers: OWN })).status).toBe(204)
  const events = await world.service.store.audit.list(
    { organizationId: 'default' },
    { instanceId: id, limit: 2 },
  )
  expect(events.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
    'person:ada@example.com instance.delete',
    'person:ada@example.com instance.update',
  ])
})

test('a person who is removed is out at once and stays out', async () => {
  const browser = new TestBrowser()
  await browser.send(await callbackOf(browser, 'dan'))
  const { people } = world.service.store
  const dan = (await people.list('default')).find(({ subject }) => subject === 'dan')
  const entry = organizationEntry('default', 'person.remove')
  await people.update('default', dan?.personId ?? '', { isRemoved: true }, entry)
  expect((await session(browser)).status).toBe(401)
  const back = await browser.send(await callbackOf(browser, 'dan'))
  expect(await pageOf(back)).toEqual([403, 'an administrator has removed you.'])
})

describe('T10 what others may try', () => {
  const NOT_HERE = [401, 'this sign-in did not begin in this browser.']
  const NOT_VALID = [401, 'the answer of the provider is not valid.']

  test('another browser cannot use the answer, also with a sign-in of its own', async () => {
    const callback = await callbackOf(new TestBrowser(), 'ada')
    const thief = new TestBrowser()
    expect(await pageOf(await thief.send(callback))).toEqual(NOT_HERE)
    await begin(thief)
    expect(await pageOf(await thief.send(callback))).toEqual(NOT_VALID)
    expect((await session(thief)).status).toBe(401)
  })

  test('a code that was used opens nothing again', async () => {
    const browser = new TestBrowser()
    const callback = await callbackOf(browser, 'ada')
    expect((await browser.send(callback)).status).toBe(303)
    expect(await pageOf(await browser.send(callback))).toEqual(NOT_VALID)
  })

  test.for([
    { name: 'a state of somebody else', change: { state: 'x'.repeat(43) } },
    { name: 'no state', change: { state: null } },
    { name: 'the name of another issuer', change: { iss: 'https://login.evil.example' } },
    { name: 'no name of an issuer, where this one always says its own', change: { iss: null } },
    { name: 'a code of its own making', change: { code: 'x'.repeat(43) } },
    { name: 'no code', change: { code: null } },
  ])('an answer with $name is refused', async ({ change }) => {
    const browser = new TestBrowser()
    const callback = new URL(await callbackOf(browser, 'ada'))
    for (const [name, value] of Object.entries(change))
      if (value === null) callback.searchParams.delete(name)
      else callback.searchParams.set(name, value)
    expect(await pageOf(await browser.send(callback.href))).toEqual(NOT_VALID)
    expect((await session(browser)).status).toBe(401)
  })

  test('an answer with another nonce is refused', async () => {
    const browser = new TestBrowser()
    const url = new URL(await begin(browser))
    url.searchParams.set('nonce', 'of somebody else')
    const callback = await browser.signIn(url.href, 'ada', world.url)
    expect(await pageOf(await browser.send(callback))).toEqual(NOT_VALID)
  })

  test('nothing of the answer leads anywhere or is shown', async () => {
    const browser = new TestBrowser()
    const callback = new URL(await callbackOf(browser, 'ada'))
    for (const name of ['return_to', 'next', 'redirect_uri', 'location'])
      callback.searchParams.set(name, 'https://evil.example')
    const back = await browser.send(callback.href)
    expect(back.headers.get('location')).toBe(`${world.url}/console/signed-in`)
    await begin(browser)
    const refused = new URL(world.url + OPEN_ID_CALLBACK)
    refused.searchParams.set('error', '<script>alert(1)</script>')
    refused.searchParams.set('error_description', 'call 555-EVIL')
    const page = await (await browser.send(refused.href)).text()
    expect(page).not.toMatch(/script>alert|EVIL/)
  })

  test('a session text that was there before the sign-in is worth nothing after it', async () => {
    const browser = new TestBrowser()
    const { port } = new URL(world.url)
    const fixed = 'f'.repeat(43)
    browser.cookiesOf(world.url).set(`tenon-console-${port}`, fixed)
    await browser.send(await callbackOf(browser, 'ada'))
    expect(browser.cookiesOf(world.url).get(`tenon-console-${port}`)).not.toBe(fixed)
    const other = new TestBrowser()
    other.cookiesOf(world.url).set(`tenon-console-${port}`, fixed)
    expect((await session(other)).status).toBe(401)
  })

  test('another page cannot begin a sign-in', async () => {
    for (const headers of [{}, { ...OWN, 'sec-fetch-site': 'cross-site' }]) {
      const answer = await fetch(api('/session/open-id'), { method: 'POST', headers })
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
    }
  })
})

test('a provider that is away, or that names another issuer, is said to be so', async () => {
  for (const oidcIssuer of [`http://127.0.0.1:${await freePort()}`, `${provider.issuer}/other`]) {
    await using own = await runService({
      oidcIssuer,
      oidcClientId: 'tenon',
      oidcDefaultRole: 'viewer',
    })
    const answer = await own.call('POST', '/console/api/v1/session/open-id', undefined, {
      as: null,
      headers: OWN,
    })
    expect([answer.status, answer.body]).toMatchObject([503, { code: 'overloaded' }])
  }
})

test('without a provider the console says so and begins nothing', async () => {
  await using own = await runService()
  const options = { as: null, headers: OWN }
  const ways = await own.call('GET', '/console/api/v1/session/ways', undefined, options)
  expect(ways.body).toEqual({ open_id: null })
  const begun = await own.call('POST', '/console/api/v1/session/open-id', undefined, options)
  expect(begun.body).toMatchObject({ code: 'route_unknown' })
})
