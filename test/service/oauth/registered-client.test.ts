// `client: registered`: the service registers a client for itself (RFC 7591), once, and uses it for all consents.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileRegistration } from '../../../src/engine/credentials/registration.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import { codeConsentOf, hasClient } from '../../../src/language/manifest/access/consent.ts'
import { RegisteredClients } from '../../../src/service/oauth/registered-clients.ts'
import type { KeyProvider } from '../../../src/service/vault/key-provider.ts'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'
import { memoryDataKeys } from '../vault/memory-data-keys.ts'
import { findingsOf, methodFile, methodManifest } from '../../fixtures/method-manifest.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { manifestOf } from '../../language/manifest/resolved.ts'
import { IS_FULL } from '../../fixtures/sizes.ts'

const SECRET = { type: 'string', writeOnly: true }
const OAUTH2 = {
  client: 'registered',
  register: { url: 'https://login.acme.example/register', name: 'My app' },
  authorize: { url: 'https://login.acme.example/authorize', scopes: ['read', 'write'] },
  token: { url: 'https://login.acme.example/token', client_auth: 'body' },
}
const METHOD = {
  credentials: {
    required: ['access_token'],
    properties: {
      access_token: SECRET,
      refresh_token: SECRET,
      client_id: { type: 'string' },
      client_secret: SECRET,
    },
  },
  apply: { bearer: '{{ credentials.access_token }}' },
  oauth2: OAUTH2,
}
const REDIRECT = 'http://localhost:3000/connected'

let file: Awaited<ReturnType<typeof methodFile>>
let world: RunningService
beforeAll(async () => {
  file = await methodFile({ oauth: METHOD })
  world = await runService({ manifests: [file.path] })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await file[Symbol.asyncDispose]()
})

const START = {
  external_user_id: 'user-42',
  connector_type: 'acme',
  redirect_url: REDIRECT,
}
const initiate = (at = world, options = {}) =>
  at.call('POST', '/v1/integrations/connectors/oauth/initiate', START, options)

const registrations = () =>
  world
    .vendor('acme')
    .requests()
    .filter(({ operations }) => operations.includes('oauth.register'))

async function visit(url: string, cookie?: string) {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: cookie === undefined ? {} : { cookie },
  })
  const set = response.headers.get('set-cookie')?.split(';')[0]
  return { location: response.headers.get('location') ?? '', cookie: set ?? '' }
}

test('one registration serves any number of callers, and its client refreshes the tokens', async () => {
  const started = await Promise.all(Array.from({ length: 20 }, () => initiate()))
  expect(started.map(({ status }) => status)).toEqual(started.map(() => 200))
  const [sent, ...others] = registrations()
  expect(others).toEqual([])
  expect(JSON.parse(sent?.body ?? '')).toEqual({
    client_name: 'My app',
    redirect_uris: [`${world.url}/v1/oauth/callback/acme`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_post',
    scope: 'read write',
  })
  const { consent_url: url } = (await initiate()).body as { readonly consent_url: string }
  const begun = await visit(url)
  const query = new URL(begun.location).searchParams
  const { id: clientId } = world.vendor('acme').client
  expect([query.get('client_id'), query.get('code_challenge_method')]).toEqual([clientId, 'S256'])
  const agreed = await visit(begun.location)
  const back = new URL((await visit(agreed.location, begun.cookie)).location)
  const created = await world.call('POST', '/v1/integrations/connectors', {
    external_user_id: 'user-42',
    connector_type: 'acme',
    name: 'acme',
    server_side_oauth_secret_id: back.searchParams.get('secret_id'),
  })
  expect([created.status, created.body]).toMatchObject([201, { state: 'active' }])
  const { id } = created.body as { readonly id: string }
  world.vendor('acme').expireTokens()
  const listed = await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
    entity: 'things',
    action: 'list',
  })
  expect(listed.status).toBe(200)
  expect(registrations()).toHaveLength(1)
})

test.runIf(IS_FULL)(
  'the client outlives the process, sealed, and is tried again where it was refused',
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'tenon-registered-'))
    const options = { manifests: [file.path], data, publicUrl: 'http://localhost:4999' }
    const registered = async (own: RunningService): Promise<number> => {
      const events = await own.service.store.audit.list(
        { organizationId: 'default' },
        { limit: 50 },
      )
      return events.filter(({ action }) => action === 'oauth.register').length
    }
    let token: string
    {
      await using own = await runService(options)
      token = own.token
      own.vendor('acme').fail('oauth.register', {
        mode: 'status',
        status: 400,
        body: '{"error":"invalid_redirect_uri","error_description":"secret text"}',
      })
      const refused = await initiate(own)
      expect(refused.body).toMatchObject({
        code: 'oauth_not_configured',
        detail: 'Acme refuses to register a client: invalid_redirect_uri',
      })
      expect(refused.text).not.toContain('secret text')
      expect([(await initiate(own)).status, await registered(own)]).toEqual([200, 1])
      const { secret } = own.vendor('acme').client
      const file = await readFile(join(data, 'state.sqlite'))
      expect([file.includes(secret), JSON.stringify(own.lines).includes(secret)]).toEqual([
        false,
        false,
      ])
    }
    await using next = await runService(options)
    expect([(await initiate(next, { as: token })).status, await registered(next)]).toEqual([200, 1])
    await rm(data, { recursive: true, force: true })
  },
)

test('a client whose key cannot be had now is not registered again', async () => {
  const clock = createTestClock()
  const dataKeys = memoryDataKeys(() => clock.now())
  const provider = readMasterKeys(`k1:${Buffer.alloc(32, 1).toString('base64')}`, 'test')
  let sent = 0
  const clientsWith = (unwrap: KeyProvider['unwrap']): RegisteredClients =>
    new RegisteredClients({
      store: world.service.store,
      vault: new Vault({ provider: { ...provider, unwrap }, dataKeys, clock }),
      clock,
      serverUrlOf: () => null,
      transport: {
        send({ url }) {
          sent += 1
          const body = Buffer.from('{"client_id":"c","client_secret":"s"}')
          return Promise.resolve({ status: 201, headers: {}, url, body })
        },
        stream: () => Promise.reject(new Error('nothing is streamed here')),
        close: () => Promise.resolve(),
      },
    })
  const manifest = methodManifest({ oauth: METHOD })
  const [method] = manifest.auth
  if (method === undefined) throw new Error('no method')
  const request = { organizationId: 'default', redirectUri: 'https://host.example/a', config: {} }
  const ask = async (clients: RegisteredClients): Promise<unknown> =>
    await clients.clientOf(manifest, method, request).catch((error: { code: string }) => error.code)
  const here = async (...at: Parameters<KeyProvider['unwrap']>): Promise<Uint8Array> =>
    await provider.unwrap(...at)
  const away = (): Promise<never> => Promise.reject(new Error('sealed'))
  const client = { id: 'c', secret: 's', expiresAt: null }
  expect([await ask(clientsWith(here)), sent]).toEqual([client, 1])
  expect([await ask(clientsWith(away)), sent]).toEqual(['store_unavailable', 1])
  expect([await ask(clientsWith(here)), sent]).toEqual([client, 1])
})

test('the connect page offers the consent, and the catalogue says that it works', async () => {
  const { body } = await world.call('GET', '/v1/connectors/acme')
  expect(JSON.stringify(body)).toContain('"oauth_configured":true')
})

test('the catalogue says of each consent whether there is a client for it', async () => {
  const { client: _, register: __, ...own } = OAUTH2
  const of = (oauth2: object) => ({ ...METHOD, oauth2 })
  const methods = {
    first: of(own),
    shared: of({ ...own, same_client: true }),
    other: of(own),
    registered: of(OAUTH2),
    key: { credentials: METHOD.credentials, apply: METHOD.apply },
  }
  const manifest = manifestOf({ auth: methods })
  const isThere = (isGiven: boolean) =>
    manifest.auth.filter((method) => hasClient(manifest, method, isGiven)).map(({ name }) => name)
  expect([isThere(false), isThere(true)]).toEqual([
    ['registered'],
    ['first', 'shared', 'registered'],
  ])
})

// The example of RFC 7591 section 3.2.1, and what else a server may answer.
describe('answers to a registration', () => {
  const RFC = {
    client_id: 's6BhdRkqt3',
    client_secret: 'cf136dc3c1fc93f31185e5885805d',
    client_id_issued_at: 2893256800,
    client_secret_expires_at: 2893276800,
    redirect_uris: ['https://client.example.org/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    client_name: 'My Example Client',
    token_endpoint_auth_method: 'client_secret_basic',
  }
  test.for<{ name: string; status: number; body: unknown; auth?: string; want: unknown }>([
    {
      name: 'the example of the RFC',
      status: 201,
      body: RFC,
      want: { id: 's6BhdRkqt3', secret: RFC.client_secret, expiresAt: 2893276800_000 },
    },
    {
      name: 'a client that does not end',
      status: 200,
      body: { ...RFC, client_secret_expires_at: 0 },
      want: { id: 's6BhdRkqt3', secret: RFC.client_secret, expiresAt: null },
    },
    ...[1e300, 1e308, 253_402_300_800].map((end) => ({
      name: `an end at ${end}, which is no date`,
      status: 201,
      body: { ...RFC, client_secret_expires_at: end },
      want: { id: 's6BhdRkqt3', secret: RFC.client_secret, expiresAt: null },
    })),
    {
      name: 'a public client',
      status: 201,
      body: { client_id: 'p' },
      auth: 'none',
      want: { id: 'p', secret: null, expiresAt: null },
    },
    { name: 'no secret', status: 201, body: { client_id: 'p' }, want: 'upstream_malformed' },
    { name: 'no id', status: 201, body: { client_secret: 's' }, want: 'upstream_malformed' },
    { name: 'no JSON', status: 201, body: '<html>', want: 'upstream_malformed' },
    {
      name: 'a line break',
      status: 201,
      body: { ...RFC, client_id: 'a\r\nb' },
      want: 'upstream_malformed',
    },
    {
      name: 'a refusal',
      status: 400,
      body: { error: 'invalid_client_metadata' },
      want: 'oauth_not_configured',
    },
    { name: 'a closed door', status: 403, body: {}, want: 'oauth_not_configured' },
    { name: 'a failure', status: 503, body: {}, want: 'upstream_failed' },
  ])('$name', async ({ status, body, auth = 'basic', want }) => {
    const sent: UpstreamRequest[] = []
    const oauth2 = { ...OAUTH2, token: { ...OAUTH2.token, client_auth: auth } }
    const manifest = methodManifest({ oauth: { ...METHOD, oauth2 } })
    const [method] = manifest.auth
    const rules = method === undefined ? null : codeConsentOf(method)
    if (method === undefined || rules === null) throw new Error('there is a consent')
    const registration = compileRegistration(manifest, method, rules, {
      serverUrl: null,
      transport: {
        send(request) {
          sent.push(request)
          const text = typeof body === 'string' ? body : JSON.stringify(body)
          return Promise.resolve({ status, headers: {}, url: request.url, body: Buffer.from(text) })
        },
        stream: () => Promise.reject(new Error('nothing is streamed here')),
        close: () => Promise.resolve(),
      },
    })
    const outcome = await registration
      ?.register({}, 'https://host.example/back')
      .catch((error: { readonly code: string }) => error.code)
    expect(outcome).toEqual(want)
    expect(sent.map(({ url }) => url)).toEqual(['https://login.acme.example/register'])
  })
})

test.for([
  {
    name: 'a registration without its address',
    change: { register: undefined },
    want: ['schema/'],
  },
  {
    name: 'an address without its use',
    change: { client: undefined },
    want: ['schema/'],
  },
])('lint refuses $name', ({ change, want }) => {
  const found = findingsOf({ oauth: { ...METHOD, oauth2: { ...OAUTH2, ...change } } })
  expect(found).toHaveLength(want.length)
  for (const [index, each] of want.entries()) expect(found[index]).toContain(each)
})

test.for([
  { name: 'client', properties: {}, want: 'auth/client-id-missing' },
  {
    name: 'secret',
    properties: { client_id: { type: 'string' } },
    want: 'auth/client-secret-missing',
  },
])('lint asks for a place for its $name', ({ properties, want }) => {
  const { client_id: _, client_secret: __, ...others } = METHOD.credentials.properties
  const credentials = { required: ['access_token'], properties: { ...others, ...properties } }
  const found = findingsOf({ oauth: { ...METHOD, credentials } })
  expect(found.map((each) => each.split(' ')[0])).toEqual([want])
})
