// Consents of instances that stay with an older major of their connector: they are those of that major.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

const PLACES = [
  'authorize: { url: https://login.acme.example/authorize }',
  'token: { url: https://login.acme.example/token, client_auth: basic, body: form }',
] as const
/** Both majors are served by one local vendor, that of the newer one; so the older one asks for no less. */
const OLD = edited(readFileSync(join(import.meta.dirname, '../../chaos/acme.yaml'), 'utf8'), [
  ['  oauth:\n', '  login:\n'],
  [PLACES[0], `${PLACES[0].slice(0, -2)}, scopes: [read] }`],
  [PLACES[1], `${PLACES[1].slice(0, -2)}, params: { edition: one } }`],
])
const NEW = edited(OLD, [
  ['version: 1.0.0', 'version: 2.0.0'],
  ['  login:\n', '  oauth:\n'],
  ['scopes: [read]', 'scopes: [read, audit], pkce: false'],
  [', params: { edition: one }', ''],
])

function edited(text: string, edits: readonly (readonly [string, string])[]): string {
  return edits.reduce((before, [from, to]) => {
    const after = before.replace(from, to)
    if (after === before) throw new Error(`there is no ${from}`)
    return after
  }, text)
}

const folder = mkdtempSync(join(tmpdir(), 'tenon-version-consents-'))
let world: RunningService

beforeAll(async () => {
  const manifests = [OLD, NEW].map((text, at) => {
    const file = join(folder, String(at), 'acme.yaml')
    mkdirSync(dirname(file))
    writeFileSync(file, text)
    return file
  })
  world = await runService({ manifests, connectors: ['acme'] })
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const INSTANCES = '/v1/integrations/connectors'
const RETURN = 'http://localhost:3000/connected'

async function visit(url: string, cookie = '', form?: Readonly<Record<string, string>>) {
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: { cookie },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  })
  return {
    status: answer.status,
    location: answer.headers.get('location') ?? '',
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
    text: await answer.text(),
  }
}

/** An instance of this major, made with a key. */
async function instanceOf(major: '1' | '2', user: string): Promise<string> {
  const id = await world.connect('acme', { external_user_id: user })
  const change = { connector_version: major }
  expect((await world.call('PATCH', `${INSTANCES}/${id}`, change)).status).toBe(200)
  return id
}

/** From the consent link back to the host: what the third party was asked, and where the browser ends. */
async function agree(consentUrl: string, before = '') {
  const begun = await visit(consentUrl)
  const agreed = await visit(begun.location)
  const cookie = [before, begun.cookie].filter((each) => each !== '').join('; ')
  const back = await visit(agreed.location, cookie)
  const asked = new URL(begun.location).searchParams
  const sent = world.vendor('acme').requests('oauth.token').at(-1)
  return {
    asked: { scope: asked.get('scope'), pkce: asked.has('code_challenge') },
    edition: new URLSearchParams(sent?.body).get('edition'),
    location: back.location,
    cookie,
  }
}

const WANTED = {
  1: { asked: { scope: 'read', pkce: true }, edition: 'one', authMethod: 'login' },
  2: { asked: { scope: 'read audit', pkce: false }, edition: null, authMethod: 'oauth' },
} as const

test.for(['1', '2'] as const)('a connect link of an instance of major %s', async (major) => {
  const user = `link-${major}`
  const id = await instanceOf(major, user)
  const { asked, edition, authMethod } = WANTED[major]
  const session = { external_user_id: user, instance_id: id, return_url: RETURN }
  const opened = await world.call('POST', '/v1/connect/sessions', session)
  const { connect_url: link } = opened.body as { readonly connect_url: string }
  const leaving = await visit(link, '', { connector: 'acme', way: authMethod })
  const consentUrl = /url=(http[^"]+)"/.exec(leaving.text)?.[1] ?? ''
  const consent = await agree(consentUrl, leaving.cookie)
  expect(consent).toMatchObject({ asked, edition })
  await visit(consent.location, consent.cookie)
  expect((await world.call('GET', `${INSTANCES}/${id}`)).body).toMatchObject({
    connector_version: `${major}.0.0`,
    auth_method: authMethod,
    state: 'active',
    granted_scopes: asked.scope.split(' '),
  })
})

test('a connect link whose consent failed says so in the words of its own major', async () => {
  const id = await instanceOf('1', 'failed')
  const session = { external_user_id: 'failed', instance_id: id, return_url: RETURN }
  const opened = await world.call('POST', '/v1/connect/sessions', session)
  const { connect_url: link } = opened.body as { readonly connect_url: string }
  const leaving = await visit(link, '', { connector: 'acme', way: 'login' })
  world.vendor('acme').fail('oauth.token', { mode: 'status', status: 500 })
  await agree(/url=(http[^"]+)"/.exec(leaving.text)?.[1] ?? '', leaving.cookie)
  const page = await visit(link)
  expect(page.text).toContain('Acme is not working right now')
  expect(page.text).toContain('name="way" value="login"')
})

test.for(['1', '2'] as const)('a consent that a host app starts for major %s', async (major) => {
  const user = `app-${major}`
  const id = await instanceOf(major, user)
  const { asked, edition, authMethod } = WANTED[major]
  const started = await world.call('POST', `${INSTANCES}/oauth/initiate`, {
    external_user_id: user,
    connector_type: 'acme',
    // Without one it is the major of new instances.
    ...(major === '1' ? { connector_version: '1' } : {}),
    redirect_url: RETURN,
  })
  const consent = await agree((started.body as { readonly consent_url: string }).consent_url)
  expect(consent).toMatchObject({ asked, edition })
  const secret = new URL(consent.location).searchParams.get('secret_id')
  const change = { server_side_oauth_secret_id: secret }
  expect(await world.call('PATCH', `${INSTANCES}/${id}`, change)).toMatchObject({
    status: 200,
    body: { connector_version: `${major}.0.0`, auth_method: authMethod, state: 'active' },
  })
})

test('a consent for a version that is not there cannot be started', async () => {
  const wish = {
    external_user_id: 'user-1',
    connector_type: 'acme',
    connector_version: '3',
    redirect_url: RETURN,
  }
  expect(await world.call('POST', `${INSTANCES}/oauth/initiate`, wish)).toMatchObject({
    status: 400,
    body: { code: 'request_malformed', errors: [{ pointer: '/connector_version' }] },
  })
})
