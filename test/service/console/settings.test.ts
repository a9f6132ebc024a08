// Applications and people, as administrators change them at the console.
import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '../../../src/service/tokens/applications.ts'
import { hashSecret, randomText } from '../../../src/service/tokens/token-text.ts'
import { organizationEntry, PERSON } from '../../contracts/store/rows.ts'
import { PNG } from '../../fixtures/pictures.ts'
import { type CallAnswer, type RunningService, runService } from '../../fixtures/running-service.ts'

const SETTINGS = '/console/api/v1/settings'
let world: RunningService
let cookie: string

beforeAll(async () => {
  world = await runService({
    mode: 'dev',
    oauthClients: { jira: { id: 'our-client', secret: 'jira-client-secret' } },
  })
  const text = randomText()
  const person = { ...PERSON, organizationId: 'default', subject: 'ada' }
  const session = { sessionHash: hashSecret(text), lifeMs: 3_600_000 }
  const entry = organizationEntry('default', 'console.sign_in')
  await world.service.store.people.signIn({ ...person, role: 'administrator' }, session, entry)
  cookie = `tenon-console-${new URL(world.url).port}=${text}`
})
afterAll(() => world[Symbol.asyncDispose]())

async function ask(method: string, path: string, body?: unknown): Promise<CallAnswer> {
  const headers = { 'x-tenon-console': '1', cookie }
  return await world.call(method, SETTINGS + path, body, { as: null, headers })
}

async function lastEvent(): Promise<unknown> {
  const [event] = await world.service.store.audit.list({ organizationId: 'default' }, { limit: 1 })
  return event
}

test('an application is made with a secret that is shown once and works, and the log names the person', async () => {
  const made = await ask('POST', '/applications', { name: 'second' })
  expect(made.status).toBe(201)
  const { client_id: id, client_secret: secret } = made.body as Record<string, string>
  expect(await lastEvent()).toMatchObject({
    actor: 'person:ada@example.com',
    action: 'application.create',
    target: id,
  })
  const minted = await world.call('POST', '/v1/account/applications/token', made.body, { as: null })
  expect(minted.status).toBe(200)
  const listed = await ask('GET', '/applications')
  expect(listed.text).toContain(id)
  expect(listed.text).not.toContain(secret)
  expect(listed.text).not.toContain(hashSecret(secret ?? ''))
})

test('nothing but what is named is changed, and no right is given here', async () => {
  const urls = ['https://app.example.com/back']
  expect((await ask('PATCH', '/applications/default', { redirect_urls: urls })).status).toBe(204)
  const row = await world.service.store.applications.byClientId('default')
  expect(row).toMatchObject({ name: 'first application', redirectUrls: urls, disabledAt: null })
  const more = await ask('PATCH', '/applications/default', { allows: ['request'] })
  expect([more.status, more.body]).toMatchObject([400, { code: 'request_malformed' }])
  const evil = await ask('PATCH', '/applications/default', { redirect_urls: ['javascript:x'] })
  expect(evil.body).toMatchObject({ code: 'redirect_url_refused' })
})

test('P11 a picture is given by its bytes, seen, told to the log, and taken away', async () => {
  const path = '/applications/default'
  const logo = PNG.toString('base64')
  expect((await ask('PATCH', path, { logo })).status).toBe(204)
  expect(await lastEvent()).toMatchObject({ action: 'application.update', members: ['logo'] })
  const listed = (await ask('GET', '/applications')).body as { readonly data: readonly object[] }
  expect(listed.data).toContainEqual(expect.objectContaining({ logo: hash('sha256', PNG) }))
  const answer = await fetch(`${world.url}${SETTINGS}${path}/logo`, {
    headers: { 'x-tenon-console': '1', cookie },
  })
  expect(answer.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG)
  for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', '']) {
    const refused = await ask('PATCH', path, { logo: Buffer.from(text).toString('base64') })
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { code: 'request_malformed', errors: [{ pointer: '/logo', code: 'image' }] },
    ])
  }
  expect((await ask('PATCH', path, { logo: `${logo}!` })).status).toBe(400)
  expect((await ask('PATCH', path, { logo: null })).status).toBe(204)
  expect((await ask('GET', `${path}/logo`)).status).toBe(404)
})

test('a colour is given, told to the log once, refused where it is none, and taken away', async () => {
  const path = '/applications/default'
  const accentNow = async (): Promise<unknown> =>
    (await world.service.store.applications.byClientId('default'))?.accent
  expect((await ask('PATCH', path, { accent: '#FFCC00' })).status).toBe(204)
  expect(await lastEvent()).toMatchObject({ action: 'application.update', members: ['accent'] })
  expect((await ask('PATCH', path, { name: 'x', accent: '#ffcc00' })).status).toBe(204)
  expect(await lastEvent()).toMatchObject({ members: ['name'] })
  expect((await ask('GET', '/applications')).text).toContain('"accent":"#ffcc00"')
  for (const accent of ['teal', '#fff', '#00000g', '']) {
    const refused = await ask('PATCH', path, { accent })
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { code: 'request_malformed', errors: [{ pointer: '/accent', code: 'pattern' }] },
    ])
  }
  expect(await accentNow()).toBe('#ffcc00')
  expect((await ask('PATCH', path, { name: 'first application', accent: null })).status).toBe(204)
  expect(await accentNow()).toBe(null)
})

test('an application of another organisation is as unknown as none', async () => {
  const { store, clock } = world.service
  const other = await createApplication({ store, clock }, { name: 'other', redirectUrls: [] })
  for (const id of [other.clientId, 'nobody'])
    for (const answer of [
      await ask('PATCH', `/applications/${id}`, { enabled: false }),
      await ask('POST', `/applications/${id}/rotate-secret`),
      await ask('GET', `/applications/${id}/logo`),
    ])
      expect([answer.status, answer.body]).toMatchObject([404, { code: 'route_unknown' }])
  expect((await ask('GET', '/applications')).text).not.toContain(other.clientId)
})

test('a person of another organisation is as unknown as none', async () => {
  const session = { sessionHash: 'h', lifeMs: 60_000 }
  const person = { ...PERSON, organizationId: 'other', subject: 'eve' }
  const { people } = world.service.store
  await people.signIn(person, session, organizationEntry('other'))
  const [eve] = await people.list('other')
  const answer = await ask('PATCH', `/people/${eve?.personId}`, { given_role: 'viewer' })
  expect([answer.status, answer.body]).toMatchObject([404, { code: 'route_unknown' }])
})

test('the guide of each connector has its own redirect address and the state of its client', async () => {
  const { body } = await ask('GET', '/connectors')
  const { data } = body as { readonly data: readonly Record<string, unknown>[] }
  expect(JSON.stringify(body)).not.toContain('jira-client-secret')
  expect(data.find((each) => each['connector_type'] === 'jira')).toMatchObject({
    client: 'given',
    client_id: 'our-client',
    has_secret: true,
    given_by: ['host'],
    refused: null,
  })
  expect(data.find((each) => each['connector_type'] === 'gong')).toEqual({
    connector_type: 'gong',
    title: 'Call analytics (Gong)',
    docs: expect.stringMatching(/^https:/),
    app: {
      url: 'https://help.gong.io/docs/create-an-app-for-gong',
      steps: expect.arrayContaining([
        'Customers can install it once it is published in the Gong Collective.',
      ]),
    },
    redirect_url: `${world.url}/v1/oauth/callback/gong`,
    client: 'missing',
    settings: ['TENON_OAUTH_GONG_CLIENT_ID', 'TENON_OAUTH_GONG_CLIENT_SECRET'],
    client_id: null,
    has_secret: false,
    given_by: [],
    stored: null,
    refused: null,
    redirect_problem: 'loopback',
    scopes: expect.arrayContaining(['api:users:read', 'api:calls:read:basic']),
    consents: [{ title: 'OAuth 2.0', scopes: expect.arrayContaining(['api:users:read']) }],
  })
  // Two ways of one client differ in what they ask for.
  expect(data.find((each) => each['connector_type'] === 'slack')).toMatchObject({
    app: { url: 'https://api.slack.com/apps' },
    consents: [
      { title: 'As a bot', scopes: expect.not.arrayContaining(['search:read']) },
      { title: 'As a person', scopes: expect.arrayContaining(['search:read']) },
    ],
  })
})
