// Values of the address that a consent page leads back to (`authorize.store`), with tokens that lie deep in their answer.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findingsOf, methodFile } from '../../fixtures/method-manifest.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

const AUTHORIZE = {
  url: 'https://login.acme.example/authorize',
  store: { 'config.company_id': '$callback.realmId' },
}
const OAUTH2 = {
  authorize: AUTHORIZE,
  token: {
    url: 'https://login.acme.example/token',
    client_auth: 'body',
    access_token: '$.data.token',
    refresh_token: "$.data['refresh token']",
    expires: '$.data.ends',
    params: { company: '{{ config.company_id }}' },
  },
  refresh: { params: {} },
}
const METHOD = {
  credentials: {
    required: ['access_token'],
    properties: {
      access_token: { type: 'string', writeOnly: true },
      refresh_token: { type: 'string', writeOnly: true },
    },
  },
  apply: { bearer: '{{ credentials.access_token }}' },
  oauth2: OAUTH2,
}
const SERVER = {
  server: { url: 'https://api.acme.example/v3/{{ config.company_id }}' },
  config: { properties: { company_id: { type: 'string', pattern: '^demo-[a-z-]+$' } } },
}
const REDIRECT = 'http://localhost:3000/connected'

let file: Awaited<ReturnType<typeof methodFile>>
let world: RunningService
beforeAll(async () => {
  file = await methodFile({ oauth: METHOD }, SERVER)
  world = await runService({ manifests: [file.path] })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await file[Symbol.asyncDispose]()
})

async function visit(url: string, cookie?: string, form?: Readonly<Record<string, string>>) {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: cookie === undefined ? {} : { cookie },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  })
  return {
    location: response.headers.get('location') ?? '',
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
    text: await response.text(),
  }
}

/** The address that the vendor leads back to, with the cookie of the browser that began. */
async function agreed(consentUrl: string) {
  const begun = await visit(consentUrl)
  const { location } = await visit(begun.location)
  return { callback: new URL(location), cookie: begun.cookie }
}

async function initiated() {
  const { body } = await world.call('POST', '/v1/integrations/connectors/oauth/initiate', {
    external_user_id: 'user-42',
    connector_type: 'acme',
    redirect_url: REDIRECT,
  })
  return await agreed((body as { consent_url: string }).consent_url)
}

const tokenRequests = (): number =>
  world
    .vendor('acme')
    .requests()
    .filter(({ operations }) => operations.includes('oauth.token')).length

test('a consent by the routes ends in an instance with the company of the callback', async () => {
  const { callback, cookie } = await initiated()
  expect(callback.searchParams.get('realmId')).toBe('demo-company-id')
  const back = new URL((await visit(callback.href, cookie)).location)
  const created = await world.call('POST', '/v1/integrations/connectors', {
    external_user_id: 'user-42',
    connector_type: 'acme',
    name: 'by consent',
    server_side_oauth_secret_id: back.searchParams.get('secret_id'),
  })
  expect([created.status, created.body]).toMatchObject([
    201,
    { state: 'active', config: { company_id: 'demo-company-id' } },
  ])
  const { id } = created.body as { id: string }
  world.vendor('acme').expireTokens()
  const listed = await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
    entity: 'things',
    action: 'list',
  })
  expect(listed.status).toBe(200)
  expect(
    world
      .vendor('acme')
      .requests()
      .map(({ target }) => target),
  ).toContain('/v3/demo-company-id/things')
})

test('the connect page does not ask for it, and connects with it', async () => {
  const session = await world.call('POST', '/v1/connect/sessions', {
    external_user_id: 'user-43',
    connector_types: ['acme'],
    return_url: REDIRECT,
  })
  const { connect_url: url } = session.body as { connect_url: string }
  const shown = await visit(url)
  expect(shown.text).not.toContain('company_id')
  const sent = await visit(url, undefined, { connector: 'acme', way: 'oauth' })
  const consentUrl = /href="([^"]*\/v1\/oauth\/consent\/[^"]*)"/.exec(sent.text)?.[1] ?? ''
  const { callback, cookie } = await agreed(consentUrl)
  const back = await visit(callback.href, cookie)
  await visit(back.location, sent.cookie)
  const { body } = await world.call('GET', '/v1/integrations/connectors?external_user_id=user-43')
  expect(body).toMatchObject({ data: [{ config: { company_id: 'demo-company-id' } }] })
})

test.for([
  {
    name: 'that the schema refuses',
    change: (url: URL) => url.searchParams.set('realmId', '../x'),
  },
  { name: 'that is missing', change: (url: URL) => url.searchParams.delete('realmId') },
  { name: 'that is empty', change: (url: URL) => url.searchParams.set('realmId', '') },
])('O1 a value $name ends the consent before the code is sent', async ({ change }) => {
  const { callback, cookie } = await initiated()
  const before = tokenRequests()
  change(callback)
  const back = new URL((await visit(callback.href, cookie)).location)
  expect([back.searchParams.get('error'), back.searchParams.has('secret_id')]).toEqual([
    'upstream_error',
    false,
  ])
  expect(tokenRequests()).toBe(before)
  expect(world.lines.map(({ facts }) => facts['reason'])).toContainEqual(
    expect.stringMatching(
      /^the consent page of Acme leads back with no usable config\.company_id: .*; the code was not used$/,
    ),
  )
})

test('O1 an address that holds it twice is refused, and the consent can still be finished', async () => {
  const { callback, cookie } = await initiated()
  const doubled = new URL(callback)
  doubled.searchParams.append('realmId', 'demo-x')
  const before = tokenRequests()
  expect((await visit(doubled.href, cookie)).location).toBe('')
  expect(tokenRequests()).toBe(before)
  const back = new URL((await visit(callback.href, cookie)).location)
  expect(back.searchParams.get('secret_id')).toMatch(/^tenon_os_/)
})

test.for([
  {
    name: 'a value of the body in authorize.store',
    change: { authorize: { ...AUTHORIZE, store: { 'config.company_id': '$.realmId' } } },
    want: 'path/root-out-of-place',
  },
  {
    name: 'a value of the callback elsewhere',
    change: { store: { 'config.company_id': '$callback.realmId' } },
    want: 'path/root-out-of-place',
  },
  {
    name: 'a setting that there is not',
    change: { authorize: { ...AUTHORIZE, store: { 'config.company': '$callback.realmId' } } },
    want: 'auth/undeclared-target',
  },
  {
    name: 'a path into a value of the callback',
    change: { authorize: { ...AUTHORIZE, store: { 'config.company_id': '$callback.a.b' } } },
    want: 'path/syntax',
  },
  {
    name: 'a token in a header',
    change: { token: { ...OAUTH2.token, access_token: '$headers.token' } },
    want: 'path/root-out-of-place',
  },
])('lint refuses $name', ({ change, want }) => {
  const found = findingsOf({ oauth: { ...METHOD, oauth2: { ...OAUTH2, ...change } } }, SERVER)
  expect(found.map((each) => each.split(' ')[0])).toEqual([want])
})
