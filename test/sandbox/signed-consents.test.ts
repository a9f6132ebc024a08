// A vendor with consents of OAuth 1.0a: what it gives, what it refuses, and what calls are signed with.
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { createSystemClock } from '../../src/engine/adapters/system-clock.ts'
import { compileConsent, type Consent } from '../../src/engine/credentials/consent.ts'
import type { UpstreamRequest } from '../../src/engine/request/upstream-request.ts'
import type { UpstreamResponse } from '../../src/engine/exchange/transport.ts'
import type { Manifest } from '../../src/language/manifest/manifest.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { methodManifest } from '../fixtures/method-manifest.ts'
import { METHOD, OAUTH1, SERVER, visit } from '../service/oauth/signed-set-up.ts'

const PLACE = { state: 's-1', redirectUri: 'https://tenon.example/back' }

const CLIENT = { client_id: { type: 'string' }, client_secret: { type: 'string', writeOnly: true } }
const OWN_CLIENT = {
  ...METHOD,
  credentials: {
    ...METHOD.credentials,
    properties: { ...METHOD.credentials.properties, ...CLIENT },
  },
}

/** `name`: of the method; without it the first with a consent. */
function consentOf(manifest: Manifest, vendor: Sandbox, name?: string): Consent {
  const ports = {
    client: vendor.client,
    clock: createSystemClock(),
    serverUrl: vendor.url,
    transport: {
      send,
      stream: () => Promise.reject(new Error('nothing is streamed here')),
      close: () => Promise.resolve(),
    },
  }
  const method = manifest.auth.find((each) => each.name === name)
  const consent = compileConsent(manifest, ports, method)
  if (consent === null) throw new TypeError('there is a consent')
  return consent
}

async function send({ method, url, headers, body }: UpstreamRequest): Promise<UpstreamResponse> {
  const response = await fetch(url, { method, headers, body: body as string | null })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    url,
    body: Buffer.from(await response.arrayBuffer()),
  }
}

/** The answer of the vendor to a consent. */
async function answered(consent: Consent, more = '') {
  const kept = await consent.prepare({}, { ...PLACE, random: '' })
  const { location } = await visit(consent.url({}, { ...PLACE, kept }) + more)
  const callback = Object.fromEntries(new URL(location).searchParams)
  return { callback, redirectUri: PLACE.redirectUri, kept }
}

const codeOf = (error: unknown): unknown => (error as { code?: string }).code

const METHODS = [
  { name: 'by the words of the RFC', method: OWN_CLIENT },
  {
    name: 'with parameters, by GET and POST, and answers in JSON',
    method: {
      ...OWN_CLIENT,
      oauth1: {
        ...OAUTH1,
        request_token: {
          ...OAUTH1.request_token,
          method: 'GET',
          params: { scope: 'read & write' },
          headers: { 'X-App': 'tenon' },
        },
        access_token: {
          ...OAUTH1.access_token,
          params: { format: 'json' },
          token: '$.data.token',
          token_secret: '$.data.secret',
        },
      },
    },
  },
  {
    name: 'with an address on its page',
    method: {
      ...OWN_CLIENT,
      oauth1: { ...OAUTH1, authorize: { ...OAUTH1.authorize, callback: 'page' } },
    },
  },
  {
    name: 'with RSA and a realm',
    method: {
      ...OWN_CLIENT,
      apply: { oauth1: { ...METHOD.apply.oauth1, alg: 'rsa_sha1', realm: 'Photos' } },
    },
  },
]

test.for(METHODS)(
  'a consent $name ends in a token with which calls are signed',
  async ({ method }) => {
    const manifest = methodManifest({ oauth: method }, SERVER)
    await using vendor = await createSandbox(manifest, null)
    const consent = consentOf(manifest, vendor)
    const answer = await answered(consent)
    const { credentials, config } = await consent.exchange({}, answer)
    expect(config).toEqual({ realm_id: 'demo-realm-id', user_id: 'demo-user-id' })
    expect(credentials['access_token']).not.toBe(answer.callback['oauth_token'])
    // The temporary token worked once.
    expect(await consent.exchange({}, answer).catch(codeOf)).toBe('credentials_refused')
    const list = async (given: object): Promise<unknown> => {
      const options = { ...vendor.options(), config, retries: 0 }
      const { id, secret } = vendor.client
      await using client = await connect(manifest, {
        ...options,
        credentials: { client_id: id, client_secret: secret, ...credentials, ...given },
      })
      return await client.execute('things', 'list').then(() => 'ok', codeOf)
    }
    expect(await list({})).toBe('ok')
    if (method.apply.oauth1 === METHOD.apply.oauth1)
      expect(await list({ token_secret: 'another' })).toBe('credentials_refused')
    expect(await list({ access_token: 'another' })).toBe('credentials_refused')
    const known = vendor.options().credentials
    expect(await list(known)).toBe('ok')
    // The secret of one token does not sign for another one.
    if (method.apply.oauth1 === METHOD.apply.oauth1)
      expect(await list({ access_token: known['access_token'] })).toBe('credentials_refused')
  },
)

test('a wrong verifier is refused, and the right one after it as well', async () => {
  const manifest = methodManifest({ oauth: METHOD }, SERVER)
  await using vendor = await createSandbox(manifest, null)
  const consent = consentOf(manifest, vendor)
  const answer = await answered(consent)
  const wrong = { ...answer, callback: { ...answer.callback, oauth_verifier: 'guessed' } }
  expect(await consent.exchange({}, wrong).catch(codeOf)).toBe('credentials_refused')
  expect(await consent.exchange({}, answer).catch(codeOf)).toBe('credentials_refused')
})

test('nothing is given to a request that is not signed with the secret of the application', async () => {
  const manifest = methodManifest({ oauth: METHOD }, SERVER)
  await using vendor = await createSandbox(manifest, null)
  const other = { client: { ...vendor.client, secret: 'another' }, url: vendor.url } as Sandbox
  const consent = consentOf(manifest, other)
  expect(await consent.prepare({}, { ...PLACE, random: '' }).catch(codeOf)).toBe(
    'oauth_not_configured',
  )
})

test('people are asked on a page, and one who does not agree goes back without a verifier', async () => {
  const manifest = methodManifest({ oauth: METHOD }, SERVER)
  await using vendor = await createSandbox(manifest, null)
  const consent = consentOf(manifest, vendor)
  const kept = await consent.prepare({}, { ...PLACE, random: '' })
  const url = consent.url({}, { ...PLACE, kept })
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  expect(page).toContain('Allow access?')
  expect(page).toContain('tenon.example')
  const { callback } = await answered(consent, '&sandbox_consent=deny')
  expect(callback).toEqual({ state: 's-1', denied: expect.any(String) })
  expect(
    (await visit(`${vendor.url}/oauth/authorize?oauth_token=unknown&name=Acme+app`)).status,
  ).toBe(401)
})

test('of two methods with one page each answers for its own temporary tokens', async () => {
  const page = { ...OAUTH1.authorize, store: { 'config.user_id': '$callback.userId' } }
  // Methods are told apart by their credentials: the vendor issues tokens of the form that each has.
  const signed = (name: string, authorize: object): object => ({
    ...METHOD,
    credentials: {
      ...METHOD.credentials,
      properties: {
        ...METHOD.credentials.properties,
        access_token: { type: 'string', pattern: `^demo-access-${name}`, writeOnly: true },
      },
    },
    oauth1: { ...OAUTH1, request_token: { url: `https://api.acme.example/${name}` }, authorize },
  })
  const manifest = methodManifest(
    { reading: signed('reading', OAUTH1.authorize), writing: signed('writing', page) },
    SERVER,
  )
  await using vendor = await createSandbox(manifest, null)
  for (const [name, told] of [
    ['reading', 'realmId'],
    ['writing', 'userId'],
  ] as const) {
    const consent = consentOf(manifest, vendor, name)
    const answer = await answered(consent)
    expect(Object.keys(answer.callback)).toContain(told)
    const { credentials } = await consent.exchange({}, answer)
    expect(credentials['access_token']).toMatch(new RegExp(`^demo-access-${name}-[0-9a-f]+$`))
  }
})
