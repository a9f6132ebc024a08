// Consent pages that call the parameters of OAuth 2.0 otherwise, or read them behind a fragment.
import { expect, test } from 'vitest'
import { compileConsent } from '../../../src/engine/credentials/consent.ts'
import { createPatientClock, scriptUpstream } from '../../contracts/scripted-upstream.ts'
import { methodFile, methodManifest } from '../../fixtures/method-manifest.ts'
import { runService } from '../../fixtures/running-service.ts'

const METHOD = {
  credentials: {
    required: ['access_token'],
    properties: {
      access_token: { type: 'string', writeOnly: true },
      refresh_token: { type: 'string', writeOnly: true },
    },
  },
  apply: { bearer: '{{ credentials.access_token }}' },
}
const TOKEN = { url: 'https://login.acme.example/token/', client_auth: 'body' }
const NAMES = {
  response_type: 'responseType',
  client_id: 'app_key',
  redirect_uri: 'redirectUri',
  scope: 'scopes',
  state: 'customField',
  code: 'acme_oauth_code',
}
/** Only where a host is the customer's. */
const SHOPS = {
  server: { url: 'https://api.acme.example', hosts: ['*.acme.example'] },
  config: { properties: { shop: { type: 'string' } } },
}

test.for([
  {
    name: 'names of the vendor',
    authorize: { url: 'https://login.acme.example/authorize', scopes: ['read'], names: NAMES },
    want: 'https://login.acme.example/authorize?responseType=code&app_key=app&redirectUri=https%3A%2F%2Fhost.example%2Fback&scopes=read&customField=s-1&code_challenge=W-rwW-hT3ThDcRc1kNkI32emG-eOgArJUeky5lLKPnk&code_challenge_method=S256',
  },
  {
    name: 'a parameter of the manifest in place of one of ours',
    authorize: {
      url: 'https://login.acme.example/authorize',
      pkce: false,
      params: { response_type: 'auth_code', extra: 1 },
    },
    want: 'https://login.acme.example/authorize?response_type=auth_code&client_id=app&redirect_uri=https%3A%2F%2Fhost.example%2Fback&state=s-1&extra=1',
  },
  {
    name: 'a page that is a script, behind a fragment',
    authorize: { url: 'https://app.acme.example/#/oauth/authorize', pkce: false },
    want: 'https://app.acme.example/#/oauth/authorize?response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fhost.example%2Fback&state=s-1',
  },
  {
    name: 'the same on a host of the customer',
    more: SHOPS,
    authorize: { url: 'https://{{ config.shop }}.acme.example/admin/#/authorize', pkce: false },
    want: 'https://demo.acme.example/admin/#/authorize?response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fhost.example%2Fback&state=s-1',
  },
])('$name', ({ authorize, more, want }) => {
  const oauth2 = { authorize, token: TOKEN }
  const consent = compileConsent(methodManifest({ oauth: { ...METHOD, oauth2 } }, more), {
    client: { id: 'app', secret: 'x' },
    transport: scriptUpstream([]).transport,
    clock: createPatientClock(),
    serverUrl: null,
  })
  const address = { state: 's-1', redirectUri: 'https://host.example/back' }
  const kept = authorize.pkce === false ? null : 'v-1'
  expect(consent?.url({ shop: 'demo' }, { ...address, kept })).toBe(want)
})

const REDIRECT = 'http://localhost:3000/connected'

test.for([
  { name: 'all names', url: 'https://login.acme.example/authorize', names: NAMES },
  {
    name: 'a fragment',
    url: 'https://app.acme.example/#/authorize',
    names: { state: 'field' },
  },
])('a consent with $name ends in an instance, and another state in nothing', async (given) => {
  const { url, names } = given
  const oauth2 = { authorize: { url, names }, token: TOKEN }
  await using file = await methodFile({ oauth: { ...METHOD, oauth2 } })
  await using world = await runService({ manifests: [file.path] })
  const { body } = await world.call('POST', '/v1/integrations/connectors/oauth/initiate', {
    external_user_id: 'user-42',
    connector_type: 'acme',
    redirect_url: REDIRECT,
  })
  const begun = await fetch((body as { consent_url: string }).consent_url, { redirect: 'manual' })
  const agreed = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' })
  const callback = new URL(agreed.headers.get('location') ?? '')
  const { state, code = 'code' }: { state: string; code?: string } = names
  expect([...callback.searchParams.keys()].toSorted()).toEqual([code, state].toSorted())
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  const visit = async (address: URL) =>
    (await fetch(address, { redirect: 'manual', headers: { cookie } })).headers.get('location')
  const other = new URL(callback)
  other.searchParams.set(state, 'A'.repeat(43))
  expect(await visit(other)).toBe(null)
  const back = new URL((await visit(callback)) ?? '')
  const created = await world.call('POST', '/v1/integrations/connectors', {
    external_user_id: 'user-42',
    connector_type: 'acme',
    name: 'by consent',
    server_side_oauth_secret_id: back.searchParams.get('secret_id'),
  })
  expect([created.status, created.body]).toMatchObject([201, { state: 'active' }])
})
